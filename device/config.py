"""The box's settings: one TOML file over built-in defaults, checked before anything is switched on.

A file with problems is never used in part. The box then comes up on the last file that was good, or on the
defaults, and shows what is wrong: a typing error must not cost the evening.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from device import input_codes
from device.files import read_file, replace_file
from device.machine import is_loopback
from device.strict_toml import CheckedTable, FileProblem, KeyPath, check, dotted, spelled, unread
from engines.fact_kinds import HIDDEN
from engines.packages import points

SENSORS = "podesta.sensors"
"""The entry points of sensors that come in packages of their own."""
DISPLAYS = "podesta.displays"
"""Those of displays."""

OLEDS = ("ssd1309", "ssd1306", "sh1106")
DRIVERS = (*OLEDS, "offscreen", "none")
"""The drivers of displays that come with the box."""

SYSTEM_FILE = Path("/etc/podesta/podesta.toml")
SERVICE_STATE = Path("/var/lib/podesta")
"""The installed service's state (``StateDirectory=`` of its unit); it exists where the box is installed."""

Pin = Annotated[int, Meta(ge=2, le=27)]
"""A BCM GPIO number; 0 and 1 belong to the identification EEPROM of add-on boards."""

Seat = Literal["a", "b", "c", "d"]
Word = Annotated[
    str,
    Meta(
        pattern=r"\A[a-z0-9][a-z0-9_-]{0,31}\Z",
        description="a word of up to 32 of a-z, 0-9, - and _",
    ),
]
OptionalWord = Annotated[
    str,
    Meta(
        pattern=r"\A([a-z0-9][a-z0-9_-]{0,31})?\Z",
        description='a word of up to 32 of a-z, 0-9, - and _, or ""',
    ),
]
NodeId = Annotated[
    str,
    Meta(pattern=r"\A[a-z0-9_-]{1,32}\Z", description="a node id of up to 32 of a-z, 0-9, - and _"),
]
ScreenText = Annotated[
    str, Meta(pattern=rf"\A[^{HIDDEN}]{{0,32}}\Z", description="a text of up to 32 visible characters")
]
Text = Annotated[
    str, Meta(pattern=rf"\A[^{HIDDEN}]{{1,255}}\Z", description="a text of 1 to 255 visible characters")
]
HostName = Annotated[
    str, Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9.-]{0,252}\Z", description="a name such as box.example.org")
]
OptionalPath = Annotated[
    str, Meta(pattern=r"\A([/~][^\x00-\x1f\x7f]*)?\Z", description='a file beginning with / or ~, or ""')
]
OptionalDir = Annotated[
    str, Meta(pattern=r"\A([/~][^\x00-\x1f\x7f]*)?\Z", description='a folder beginning with / or ~, or ""')
]


class TableSettings(msgspec.Struct, frozen=True):
    """The identity of this box among several: ``id`` and ``event`` go into every record, ``name`` on the
    screen.
    """

    id: Word = "table"
    event: OptionalWord = ""
    name: ScreenText = ""


class StateSettings(msgspec.Struct, frozen=True):
    """The directory of matches and machine-written settings; "" is :func:`default_state_dir`."""

    dir: OptionalDir = ""


class Keys(msgspec.Struct, frozen=True):
    """The encoder and the keys, each wired from its pin to ground; ``hardware/WIRING.md`` has the header.

    ``factory`` is gpiozero's pin factory: ``auto`` takes ``lgpio`` on a Raspberry Pi and ``mock`` elsewhere.
    For ``debounce_ms`` after an edge chatter is ignored; ``hold_ms`` makes a long press of Back and Call.
    ``steps_per_detent`` is how often the encoder's contacts change from one click of the knob to the next.
    """

    factory: Literal["auto", "lgpio", "mock"] = "auto"
    encoder_a: Pin = 17
    encoder_b: Pin = 27
    ok: Pin = 22
    back: Pin = 23
    undo: Pin = 24
    call: Pin = 25
    steps_per_detent: Literal[1, 2, 4] = 4
    debounce_ms: Annotated[int, Meta(ge=0, le=50)] = 20
    hold_ms: Annotated[int, Meta(ge=300, le=5000)] = 1000

    @property
    def pins(self) -> dict[str, int]:
        """The pin (BCM number) of each contact, by the name of its setting."""
        names = ("encoder_a", "encoder_b", "ok", "back", "undo", "call")
        return {name: getattr(self, name) for name in names}


KeyName = Annotated[
    str,
    Meta(pattern=r"\A(KEY|BTN)_[A-Z0-9]+\Z", description="a key as evtest prints it, such as KEY_KPENTER"),
]
AxisName = Annotated[
    str, Meta(pattern=r"\AREL_[A-Z]+\Z", description="an axis as evtest prints it, such as REL_DIAL")
]


class Keypad(msgspec.Struct, frozen=True):
    """A number pad, button box or knob that the kernel has as an input device: keys beside those on the pins.

    ``device`` is its name as ``podesta doctor`` lists it, or a path such as one in /dev/input/by-path. Each
    other list names the keys that do what the box's own does; ``clockwise`` and ``anticlockwise`` turn by a
    detent, and go on while held, ``turn`` names axes that count detents, clockwise positive. Nothing else on
    the machine hears the device. With a ``seat`` its keys count while that seat or the whole table is asked;
    Call always does.
    """

    device: Text
    ok: tuple[KeyName, ...] = ("KEY_KPENTER", "KEY_ENTER", "KEY_KP5", "KEY_MUTE")
    back: tuple[KeyName, ...] = ("KEY_KP0", "KEY_KPDOT", "KEY_BACKSPACE", "KEY_ESC")
    undo: tuple[KeyName, ...] = ("KEY_KPMINUS", "KEY_DELETE")
    call: tuple[KeyName, ...] = ("KEY_KPASTERISK",)
    clockwise: tuple[KeyName, ...] = ("KEY_KP2", "KEY_KP6", "KEY_DOWN", "KEY_RIGHT", "KEY_VOLUMEUP")
    anticlockwise: tuple[KeyName, ...] = ("KEY_KP8", "KEY_KP4", "KEY_UP", "KEY_LEFT", "KEY_VOLUMEDOWN")
    turn: tuple[AxisName, ...] = ("REL_X", "REL_DIAL")
    seat: Seat | Literal[""] = ""

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The kernel's names, by the setting that lists them."""
        return {name: getattr(self, name) for name in ("ok", "back", "undo", "call", *TURNS, "turn")}


TURNS = ("clockwise", "anticlockwise")
"""The settings of a :class:`Keypad` whose keys turn."""


class DisplaySettings(msgspec.Struct, frozen=True):
    """The OLED. ``port`` (the bus) and ``address`` matter on I2C; ``spi_device``, ``dc`` and ``rst`` on SPI.

    ``rotate`` is in degrees. After ``idle_minutes`` untouched the screen dims; 0 is never. Driver ``none`` is
    a box without a display; ``offscreen`` keeps the picture for the panel, and in the PNG file ``path``. Any
    other is a plug-in's, whose settings stand in the section of its name.
    """

    driver: Word = "ssd1309"
    interface: Literal["i2c", "spi"] = "i2c"
    port: Annotated[int, Meta(ge=0, le=22)] = 1
    address: Annotated[int, Meta(ge=0x08, le=0x77)] = 0x3C
    spi_device: Annotated[int, Meta(ge=0, le=1)] = 0
    dc: Pin = 5
    rst: Pin = 6
    rotate: Literal[0, 180] = 0
    idle_minutes: Annotated[int, Meta(ge=0, le=240)] = 10
    path: OptionalPath = ""


class CuesSettings(msgspec.Struct, frozen=True):
    """The LED and the buzzer that say "your turn", "refused" and "recorded" without looking."""

    led: Pin | Literal["none"] = "none"
    buzzer: Pin | Literal["none"] = "none"


class LineSettings(msgspec.Struct, frozen=True):
    """One serial line of nodes: a device, any pyserial URL, or a simulated box's port, ``simulated:N``.

    ``checked`` refuses frames without a checksum. ``bind`` says which node acts for which seat, and ``keys``
    which may use the box's keys.
    """

    url: Text
    baud: Annotated[int, Meta(ge=1200, le=4_000_000)] = 115200
    checked: bool = False
    bind: dict[NodeId, Seat] = {}
    keys: tuple[NodeId, ...] = ()


class SimulatedSettings(msgspec.Struct, frozen=True):
    """A simulated box: how many serial ports it has, at least."""

    lines: Annotated[int, Meta(ge=1, le=9)] = 1


class PanelSettings(msgspec.Struct, frozen=True):
    """The page in the browser; port 0 takes any free one.

    It answers to addresses, this machine's name, ``host`` and ``names``, and to no other name. What may be
    done there says ``act``: with ``play`` whoever reaches it enters steps, and presses a simulated box's
    keys; with ``table`` whoever reaches it does, but what they enter counts only after a yes at the box; with
    ``paired`` a phone acts for the seats that it was paired with; with ``none`` it only shows.
    ``auto`` is ``paired`` where others reach it; else ``play`` for a simulated box, ``none`` for a real one.
    """

    host: Text = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8080
    names: tuple[HostName, ...] = ()
    act: Literal["auto", "none", "paired", "table", "play"] = "auto"

    def acts(self, *, simulated: bool) -> Literal["none", "paired", "table", "play"]:
        """Return who may act at the page of a box that is ``simulated`` or a real one."""
        if self.act != "auto":
            return self.act
        if not is_loopback(self.host):
            return "paired"
        return "play" if simulated else "none"

    @property
    def on_network(self) -> bool:
        """Return True if others than this machine reach the page."""
        return not is_loopback(self.host)


CameraSource = Annotated[
    str,
    Meta(
        pattern=r"\A(picamera[01]?|simulated|/dev/[^\x00-\x1f\x7f]+|folder:[/~][^\x00-\x1f\x7f]*)\Z",
        description="picamera, picamera1, /dev/video0, folder:/with/pictures or simulated",
    ),
]
Side = Annotated[int, Meta(ge=320, le=4608)]


CameraField = Literal[
    "board", "tray", "area1", "area2", "market", "region1", "region2", "region3", "region4", "display"
]


class CameraSettings(msgspec.Struct, frozen=True):
    """One camera and what it looks at: the ``board`` from its mast, the cube tower's ``tray``, the cards
    before a seat (``area1``, ``area2``) or open before both (``market``), the region before a seat
    (``region1`` to ``region4``) or the tiles open before all (``display``); one of them or several. Without
    ``field`` it is whatever of the open match is seen.

    ``width`` and ``height`` are those of the pictures that are read, ``focus`` is in dioptres or ``fixed``
    where the lens cannot move, ``mains_hz`` the mains' frequency, with which lamps flicker. Of the pictures
    of accepted readings at most ``keep`` are kept, and no more than ``keep_mb`` megabytes; 0 keeps none.
    """

    source: CameraSource
    field: CameraField | tuple[CameraField, ...] = ()
    width: Side = 2304
    height: Side = 1296
    focus: Annotated[float, Meta(ge=0, le=32)] | Literal["fixed"] = "fixed"
    mains_hz: Literal[50, 60] = 50
    keep: Annotated[int, Meta(ge=0, le=100_000)] = 200
    keep_mb: Annotated[int, Meta(ge=0, le=100_000)] = 200

    @property
    def fields(self) -> tuple[CameraField, ...]:
        """Return the fields that it looks at; none where that depends on the match."""
        return (self.field,) if isinstance(self.field, str) else self.field


SIMULATED = "simulated"
"""The source of a scale that only a simulated box has."""
ScaleSource = Annotated[
    str,
    Meta(
        pattern=r"\A(line:[a-z0-9_-]{1,32}|nau7802|hx711|simulated)\Z",
        description="line:NODE, such as line:tray-1, nau7802 or hx711 on the box's own pins, or simulated",
    ),
]


class Scale(msgspec.Struct, frozen=True):
    """A load cell, and what of the game lies on it: what the table is asked by the name ``under``.

    ``source`` is a node on a line, which knows its own cell, or the converter on the box's pins: ``nau7802``
    on I2C ``bus``, ``hx711`` on the pins ``data`` and ``clock``; ``simulated`` weighs a simulated table.
    For all but nodes ``capacity_g`` and ``mv_per_v`` stand on the cell's data sheet, ``rate`` is in samples
    a second (80 or 10 on an HX711, as its pin RATE is wired), and ``tray_g`` is what the empty tray weighs.
    """

    source: ScaleSource
    under: Word = "tray"
    bus: Annotated[int, Meta(ge=0, le=22)] = 1
    data: Pin = 20
    clock: Pin = 21
    rate: Literal[10, 20, 40, 80] = 80
    capacity_g: Annotated[float, Meta(ge=50, le=20_000)] = 500.0
    mv_per_v: Annotated[float, Meta(ge=0.1, le=5)] = 1.0
    tray_g: Annotated[float, Meta(ge=0, le=5_000)] = 150.0

    @property
    def node(self) -> str:
        """The node on a line; empty for a converter on the box's pins."""
        return self.source.partition(":")[2]


BrokerUrl = Annotated[
    str,
    Meta(
        pattern=r"\A(none|mqtts?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?)?\Z",
        description='mqtt://HOST:PORT, mqtts://HOST:PORT, none or ""',
    ),
]


class EventSettings(msgspec.Struct, frozen=True):
    """The broker of an event: "" takes the one that the box's own file names, ``none`` takes none; the
    credential is that file's. ``ca`` is a file of certificates to check the broker's by; "" takes those
    of the box's file, else of this machine.
    """

    broker: BrokerUrl = ""
    ca: OptionalPath = ""


Policy = Literal["auto", "ask", "other"]
"""Who confirms an entry before it counts: nobody, a person at the box, or another player by name."""


class Entries(msgspec.Struct, frozen=True):
    """The policy for ``steps`` that players make and for ``reports`` of what the table shows."""

    steps: Policy = "auto"
    reports: Policy = "auto"

    def of(self, seat: int | None) -> Policy:
        """Return the policy for what ``seat`` makes, None being the table."""
        return self.reports if seat is None else self.steps


class ReadingsSettings(msgspec.Struct, frozen=True):
    """The policy for what sensors read: with one meaning and hardly a doubt, and otherwise."""

    sure: Policy = "ask"
    unsure: Literal["ask", "other"] = "ask"


class Confirm(msgspec.Struct, frozen=True):
    """Who confirms what, by where it comes from: the box's keys, nodes on a line, its page, sensors."""

    keys: Entries = Entries()
    line: Entries = Entries()
    page: Entries = Entries()
    readings: ReadingsSettings = ReadingsSettings()


class PluginSection(msgspec.Struct, frozen=True):
    """A section that only the plug-in ``name`` can read: its values, and where they stand in ``file``.

    ``number`` counts the sections of that name, from 0; ``lines`` are those of the file, by path.
    """

    name: str
    number: int
    values: dict[str, Any]
    file: str = ""
    lines: tuple[tuple[KeyPath, int], ...] = ()


class Settings(msgspec.Struct, frozen=True):
    """Everything that can be set of the box itself."""

    table: TableSettings = TableSettings()
    state: StateSettings = StateSettings()
    keys: Keys = Keys()
    keypad: tuple[Keypad, ...] = ()
    display: DisplaySettings = DisplaySettings()
    cues: CuesSettings = CuesSettings()
    line: tuple[LineSettings, ...] = ()
    camera: tuple[CameraSettings, ...] = ()
    scale: tuple[Scale, ...] = ()
    simulated: SimulatedSettings = SimulatedSettings()
    panel: PanelSettings = PanelSettings()
    event: EventSettings = EventSettings()
    confirm: Confirm = Confirm()


class Config(Settings, frozen=True):
    """Everything that can be set, with what is set of plug-ins; ``Config()`` is the defaults."""

    plugins: tuple[PluginSection, ...] = ()


class ConfigSource(StrEnum):
    """The source of a config."""

    FILE = "file"
    LAST_GOOD = "last good"
    DEFAULTS = "defaults"


class LoadedConfig(msgspec.Struct, frozen=True):
    """A config to run on, what is wrong with the ``file`` that was asked for, and what was used instead."""

    config: Config
    problems: tuple[FileProblem, ...]
    source: ConfigSource
    file: Path | None = None


def find(option: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the file to read: ``--config``, else ``$PODESTA_CONFIG``, else the system's if it exists, else
    None.
    """
    if named := option or environ.get("PODESTA_CONFIG"):
        return Path(named)
    try:
        SYSTEM_FILE.stat()
    except FileNotFoundError:
        return None
    except OSError:
        pass  # it is there and cannot be read: load() says so
    return SYSTEM_FILE


def default_state_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the directory of state unless ``state.dir`` says otherwise.

    ``$STATE_DIRECTORY`` (the first of several, see systemd.exec(5)), else that of the installed service, else
    ``podesta`` under ``$XDG_STATE_HOME``, else under ``~/.local/state``.
    """
    if given := environ.get("STATE_DIRECTORY"):
        return Path(given.split(":")[0])
    if SERVICE_STATE.is_dir():
        return SERVICE_STATE
    home = environ.get("XDG_STATE_HOME", "")
    return (Path(home) if home.startswith("/") else Path("~/.local/state").expanduser()) / "podesta"


def state_dir(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the directory in which this config keeps its state."""
    return Path(config.state.dir).expanduser() if config.state.dir else default_state_dir(environ)


def plugged(name: str) -> bool:
    """Return True if a sensor or a display of that name is installed as a plug-in."""
    return name in points(SENSORS) or name in points(DISPLAYS)


def parse(
    text: str, file: str = "podesta.toml", others: Callable[[str], bool] = plugged
) -> tuple[Config, tuple[FileProblem, ...]]:
    """Check a config's text. With any problem the config is the defaults, never a half-applied file.

    ``others`` says which sections are plug-ins': these read them, each in a process of its own.
    """
    checked = check(text, Settings, file, others=others)
    problems = sorted(
        (
            *checked.problems,
            *_unknown_driver(checked, file, others),
            *_unknown_codes(checked, file),
            *_clashes(checked, file),
        ),
        key=lambda problem: problem.line,
    )
    if problems:
        return Config(), tuple(problems)
    sections = [
        PluginSection(name, number, values, file, tuple(_within(checked.lines, (name, number))))
        for name, tables in checked.rest.items()
        for number, values in enumerate(tables)
    ]
    own = {name: getattr(checked.value, name) for name in Settings.__struct_fields__}
    return Config(**own, plugins=tuple(sections)), ()


def _within(lines: Mapping[KeyPath, int], path: KeyPath) -> Iterator[tuple[KeyPath, int]]:
    return ((key, line) for key, line in lines.items() if key[: len(path)] == path)


def load(path: Path | None) -> LoadedConfig:
    """Read a config file, or take the defaults for None. Writes nothing, raises nothing."""
    return _load(path)[0]


def load_or_last_good(path: Path | None, state: Path | None = None) -> LoadedConfig:
    """Read a config file; if that fails come up on the last good one, else on the defaults.

    A good file is copied to ``state`` (default: :func:`default_state_dir`, on purpose not ``state.dir``:
    a file that cannot be read cannot say where its copy lies), under a name of its own for each ``path``: one
    file's mistake never brings up the settings of another. Raises nothing.
    """
    loaded, text = _load(path)
    if path is None:
        return loaded
    kept = last_good(path, default_state_dir() if state is None else state)
    if not loaded.problems:
        return msgspec.structs.replace(loaded, problems=_keep(text, kept))
    if not os.path.exists(kept):  # Path.exists() raises where the folder is closed to us
        return loaded
    # What was good stays good where a plug-in was uninstalled: its section waits for it.
    last = _load(kept, others=lambda _: True)[0]
    source = ConfigSource.DEFAULTS if last.problems else ConfigSource.LAST_GOOD
    return LoadedConfig(last.config, loaded.problems + last.problems, source, path)


def last_good(path: Path, state: Path) -> Path:
    """Return the file in ``state`` with the last good copy of the config at ``path``."""
    digest = hashlib.sha256(os.fsencode(path.absolute())).hexdigest()
    return state / f"last-good-{digest[:16]}.toml"


def changed(config: Config) -> list[tuple[str, object, object]]:
    """Return what differs from the defaults, as (key, value, default); a line's url has none: None."""
    return [(dotted(path), value, default) for path, value, default in _settings(config) if value != default]


def show(config: Config) -> str:
    """Return the whole config as TOML; reading it back gives an equal one."""
    rows: list[str] = []
    section: KeyPath = ()
    for path, value, _ in _settings(config):
        if path[:-1] != section:
            section = path[:-1]
            listed = any(isinstance(part, int) for part in section)
            rows += ["", f"[[{section[0]}]]" if listed else f"[{dotted(section)}]"]
        rows.append(f"{path[-1]} = {f'0x{value:02X}' if path[-1] == 'address' else spelled(value)}")
    return "\n".join(rows).lstrip() + "\n"


def _load(path: Path | None, others: Callable[[str], bool] = plugged) -> tuple[LoadedConfig, str]:
    if path is None:
        return LoadedConfig(Config(), (), ConfigSource.DEFAULTS), ""
    try:
        text = read_file(path).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        return LoadedConfig(Config(), (unread(path, error),), ConfigSource.DEFAULTS), ""
    config, problems = parse(text, str(path), others)
    return LoadedConfig(
        config, problems, ConfigSource.DEFAULTS if problems else ConfigSource.FILE, path
    ), text


def _keep(text: str, kept: Path) -> tuple[FileProblem, ...]:
    """Put the text where the next start finds it, whole or not at all; unchanged text is not written."""
    data = text.encode()
    try:
        kept.parent.mkdir(0o700, parents=True, exist_ok=True)
        if kept.exists() and read_file(kept) == data:
            return ()
        replace_file(kept, data)
    except OSError as error:
        return (FileProblem(str(kept), 0, f"no copy of the config kept: {error.strerror or error}"),)
    return ()


def _settings(config: Config) -> Iterator[tuple[KeyPath, Any, Any]]:
    for name in Settings.__struct_fields__:
        part = getattr(config, name)
        if isinstance(part, msgspec.Struct):
            yield from _section((name,), part)
        else:
            for index, item in enumerate(part):
                yield from _section((name, index), item)
    for plugin in config.plugins:
        yield from (((plugin.name, plugin.number, key), value, None) for key, value in plugin.values.items())


def _section(path: KeyPath, section: msgspec.Struct) -> Iterator[tuple[KeyPath, Any, Any]]:
    for field in msgspec.structs.fields(type(section)):
        value = getattr(section, field.name)
        if isinstance(value, msgspec.Struct):
            yield from _section((*path, field.name), value)
            continue
        default = None if field.required else field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        yield (*path, field.name), value, default


_SPI_PINS = (7, 8, 9, 10, 11)
_I2C_PINS = {1: (2, 3)}
_UART_PINS = (14, 15)
_UART_DEVICES = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")


def _pins(config: Settings) -> Iterator[tuple[int, KeyPath]]:
    """Yield every header pin in use, with its key in the settings; buses as on the Raspberry Pi's header."""
    for name, pin in config.keys.pins.items():
        yield pin, ("keys", name)
    for name in config.cues.__struct_fields__:
        if (pin := getattr(config.cues, name)) != "none":
            yield pin, ("cues", name)
    buses = {
        scale.bus: ("scale", index, "bus")
        for index, scale in enumerate(config.scale)
        if scale.source == "nau7802"
    }
    for index, scale in enumerate(config.scale):
        if scale.source == "hx711":
            yield scale.data, ("scale", index, "data")
            yield scale.clock, ("scale", index, "clock")
    display = config.display
    if display.driver in OLEDS:
        if display.interface == "i2c":
            buses.pop(display.port, None)  # which several devices may share
        bus = _SPI_PINS if display.interface == "spi" else _I2C_PINS.get(display.port, ())
        yield from ((pin, ("display", "interface")) for pin in bus)
        if display.interface == "spi":
            yield display.dc, ("display", "dc")
            yield display.rst, ("display", "rst")
    for port, path in buses.items():
        yield from ((pin, path) for pin in _I2C_PINS.get(port, ()))
    for index, line in enumerate(config.line):
        if line.url in _UART_DEVICES:
            yield from ((pin, ("line", index, "url")) for pin in _UART_PINS)


def _uses(config: Settings) -> Iterator[tuple[str, KeyPath]]:
    for pin, path in _pins(config):
        yield f"pin {pin}", path
    for index, pad in enumerate(config.keypad):
        yield spelled(pad.device), ("keypad", index, "device")
        for setting, names in pad.names.items():
            yield from ((f"{name} of keypad[{index + 1}]", ("keypad", index, setting)) for name in names)
    for index, line in enumerate(config.line):
        yield spelled(line.url), ("line", index, "url")
        for node, seat in line.bind.items():
            yield f"node {node}", ("line", index, "bind", node)
            yield f"seat {seat}", ("line", index, "bind", node)
        for place, node in enumerate(line.keys):
            if node not in line.bind:
                yield f"node {node}", ("line", index, "keys", place)


def _unknown_codes(checked: CheckedTable[Settings], file: str) -> Iterator[FileProblem]:
    """Yield a problem for each key and axis of keypads that the kernel's names do not have."""
    for index, pad in enumerate(checked.value.keypad):
        for setting, names in pad.names.items():
            path: KeyPath = ("keypad", index, setting)
            known = input_codes.AXES if setting == "turn" else input_codes.KEYS
            for name in names:
                if name not in known and path not in checked.faulty:
                    what = f"{dotted(path)}: no {name} is known here{_near(name, known)}"
                    yield FileProblem(file, checked.lines.get(path, 0), what)


def _near(name: str, known: Iterable[str]) -> str:
    """Suggest the code that was meant, by what stands behind REL_ or KEY_; else say where names are found."""
    prefix = name[:4]
    rests = [one.removeprefix(prefix) for one in known]
    near = difflib.get_close_matches(name.removeprefix(prefix), rests, n=1)
    return f"; did you mean {prefix}{near[0]}?" if near else "; evtest prints the names of a device's own"


def _unknown_driver(
    checked: CheckedTable[Settings], file: str, others: Callable[[str], bool]
) -> Iterator[FileProblem]:
    """Yield a problem if a display's driver neither comes with the box nor is installed."""
    driver, path = checked.value.display.driver, ("display", "driver")
    if driver not in DRIVERS and not others(driver):
        known = ", ".join(json.dumps(name) for name in sorted((*DRIVERS, *points(DISPLAYS))))
        what = f"display.driver must be one of {known}, not {json.dumps(driver)}"
        yield FileProblem(file, checked.lines.get(path, 0), what)


def _clashes(checked: CheckedTable[Settings], file: str) -> Iterator[FileProblem]:
    """Yield what is right key by key and wrong together: a pin, a line or a node used twice."""
    doubtful = {path[0] for path in checked.faulty} - {"keys", "cues"}
    users: dict[str, list[KeyPath]] = {}
    for thing, path in _uses(checked.value):
        if path not in checked.faulty and path[0] not in doubtful:
            users.setdefault(thing, []).append(path)
    for thing, paths in users.items():
        # The one written last is blamed: what stands above it, or in the defaults, was there before.
        *others, blamed = sorted(paths, key=lambda path: checked.lines.get(path, 0))
        if others:
            lines = [checked.lines.get(path, 0) for path in (*others, blamed)]
            taken = " and ".join(
                f"{dotted(path)} ({f'line {line}' if line else 'default'})"
                for path, line in zip(others, lines, strict=False)
            )
            yield FileProblem(file, lines[-1], f"{dotted(blamed)} uses {thing}, already used by {taken}")
