"""The settings of the box: a type for each section of its file, with the defaults.

``hardware/podesta.toml`` explains each to people; :mod:`device.config` reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from device.machine import is_loopback
from device.strict_toml import KeyPath
from engines.fact_kinds import HIDDEN

SENSORS = "podesta.sensors"
"""The entry points of sensors in packages of their own."""
DISPLAYS = "podesta.displays"
"""The entry points of displays in packages of their own."""

OLEDS = ("ssd1309", "ssd1306", "sh1106")
DRIVERS = (*OLEDS, "offscreen", "none")
"""The drivers of displays that come with the box."""

Pin = Annotated[int, Meta(ge=2, le=27)]
"""A BCM GPIO number; 0 and 1 belong to the identification EEPROM of add-on boards."""

Seat = Literal["a", "b", "c", "d"]


def _like(pattern: str, what: str) -> Meta:
    """Return the rule for a text that is wholly like ``pattern``; errors say ``what`` it must be."""
    return Meta(pattern=rf"\A({pattern})\Z", description=what)


Word = Annotated[str, _like("[a-z0-9][a-z0-9_-]{0,31}", "a word of up to 32 of a-z, 0-9, - and _")]
OptionalWord = Annotated[
    str, _like("([a-z0-9][a-z0-9_-]{0,31})?", 'a word of up to 32 of a-z, 0-9, - and _, or ""')
]
NodeId = Annotated[str, _like("[a-z0-9_-]{1,32}", "a node id of up to 32 of a-z, 0-9, - and _")]
ScreenText = Annotated[str, _like(rf"[^{HIDDEN}]{{0,32}}", "a text of up to 32 visible characters")]
Text = Annotated[str, _like(rf"[^{HIDDEN}]{{1,255}}", "a text of 1 to 255 visible characters")]
HostName = Annotated[str, _like("[A-Za-z0-9][A-Za-z0-9.-]{0,252}", "a name such as box.example.org")]
OptionalPath = Annotated[str, _like(r"([/~][^\x00-\x1f\x7f]*)?", 'a file beginning with / or ~, or ""')]
OptionalDir = Annotated[str, _like(r"([/~][^\x00-\x1f\x7f]*)?", 'a folder beginning with / or ~, or ""')]


class TableSettings(msgspec.Struct, frozen=True):
    """The identity of this box among several: ``id`` and ``event`` go into every record, ``name`` on the
    screen.
    """

    id: Word = "table"
    event: OptionalWord = ""
    name: ScreenText = ""


class StateSettings(msgspec.Struct, frozen=True):
    """The folder of matches and machine-written settings; "" is :func:`device.config.default_state_dir`."""

    dir: OptionalDir = ""


class Keys(msgspec.Struct, frozen=True):
    """The encoder and the keys, each wired from its pin to ground; ``hardware/WIRING.md`` has the header.

    ``factory`` is gpiozero's pin factory: ``auto`` takes ``lgpio`` on a Raspberry Pi and ``mock`` elsewhere.
    For ``debounce_ms`` after an edge chatter is ignored; ``hold_ms`` makes a long press of Back and Call.
    ``steps_per_detent`` is the number of contact changes of the encoder per click of the knob.
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


KeyName = Annotated[str, _like("(KEY|BTN)_[A-Z0-9]+", "a key as evtest prints it, such as KEY_KPENTER")]
AxisName = Annotated[str, _like("REL_[A-Z]+", "an axis as evtest prints it, such as REL_DIAL")]


class Keypad(msgspec.Struct, frozen=True):
    """A number pad, button box or knob that the kernel has as an input device, beside the keys on the pins.

    ``device`` is its name as ``podesta doctor`` lists it, or a path such as one in /dev/input/by-path. Each
    other list names the keys that act like the box's own. ``clockwise`` and ``anticlockwise`` turn by a
    detent, and repeat while held; ``turn`` names axes that count detents, clockwise positive. No other
    program hears the device. With a ``seat`` its keys count while that seat or the whole table is asked; Call
    always counts.
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
    """The display. ``port`` (the bus) and ``address`` matter on I2C; ``spi_device``, ``dc`` and ``rst`` on
    SPI.

    ``rotate`` is in degrees. After ``idle_minutes`` without a touch the screen dims; 0 means never. Driver
    ``none`` is a box without a display; ``offscreen`` keeps the picture for the panel, and in the PNG file
    ``path``. Any other driver is a plug-in's, with its settings in the section of its name.
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

    ``checked`` refuses frames without a checksum. ``bind`` gives each node the seat that it acts for,
    ``keys`` lists nodes that may use the box's keys.
    """

    url: Text
    baud: Annotated[int, Meta(ge=1200, le=4_000_000)] = 115200
    checked: bool = False
    bind: dict[NodeId, Seat] = {}
    keys: tuple[NodeId, ...] = ()


class SimulatedSettings(msgspec.Struct, frozen=True):
    """A simulated box: its least number of serial ports."""

    lines: Annotated[int, Meta(ge=1, le=9)] = 1


class PanelSettings(msgspec.Struct, frozen=True):
    """The page in the browser; port 0 takes any free one.

    It answers to addresses, this machine's name, ``host`` and ``names``, and to no other name. ``act`` says
    who may act there. With ``play`` anybody who reaches it enters steps, and presses a simulated box's keys.
    With ``table`` anybody does, but an entry counts only after a yes at the box. With ``paired`` a phone acts
    for the seats that it was paired with. With ``none`` it only shows. ``auto`` is ``paired`` if other
    machines reach the page; else ``play`` for a simulated box, ``none`` for a real one.
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
        """True if other machines reach the page."""
        return not is_loopback(self.host)


CameraSource = Annotated[
    str,
    _like(
        r"picamera[01]?|simulated|/dev/[^\x00-\x1f\x7f]+|folder:[/~][^\x00-\x1f\x7f]*",
        "picamera, picamera1, /dev/video0, folder:/with/pictures or simulated",
    ),
]
Side = Annotated[int, Meta(ge=320, le=4608)]


CameraField = Literal[
    "board", "tray", "area1", "area2", "market", "region1", "region2", "region3", "region4", "display"
]


class CameraSettings(msgspec.Struct, frozen=True):
    """One camera and its fields, one or several: the ``board`` from its mast, the cube tower's ``tray``, the
    cards before a seat (``area1``, ``area2``) or open before both (``market``), the region before a seat
    (``region1`` to ``region4``) or the tiles open before all (``display``). Without ``field`` it reads any
    field of the open match that it sees.

    ``width`` and ``height`` are those of the pictures to read, ``focus`` is in dioptres, or ``fixed`` if the
    lens cannot move. ``mains_hz`` is the mains' frequency, with which lamps flicker. At most ``keep``
    pictures of accepted readings are kept, and at most ``keep_mb`` megabytes of them; 0 keeps none.
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
        """The fields that it looks at, empty if they depend on the match."""
        return (self.field,) if isinstance(self.field, str) else self.field


SIMULATED = "simulated"
"""The source of a scale that only a simulated box has."""
ScaleSource = Annotated[
    str,
    _like(
        "line:[a-z0-9_-]{1,32}|nau7802|hx711|simulated",
        "line:NODE, such as line:tray-1, nau7802 or hx711 on the box's own pins, or simulated",
    ),
]


class Scale(msgspec.Struct, frozen=True):
    """A load cell under the place ``under``, which is also the name of the table's question.

    ``source`` is a node on a line, which knows its own cell, or the converter on the box's pins: ``nau7802``
    on I2C ``bus``, ``hx711`` on the pins ``data`` and ``clock``; ``simulated`` weighs a simulated table.
    Without a node, ``capacity_g`` and ``mv_per_v`` come from the cell's data sheet, ``rate`` is in samples a
    second (80 or 10 on an HX711, as its pin RATE is wired), and ``tray_g`` is the weight of the empty tray.
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
        """The node on a line, "" for a converter on the box's pins."""
        return self.source.partition(":")[2]


BrokerUrl = Annotated[
    str,
    _like(
        "(none|mqtts?://[A-Za-z0-9.-]+(:[0-9]{1,5})?/?)?",
        'mqtt://HOST:PORT, mqtts://HOST:PORT, none or ""',
    ),
]


class EventSettings(msgspec.Struct, frozen=True):
    """The broker of an event: "" takes the one in the box's event file, ``none`` takes none; the credential
    is in that file. ``ca`` is a file of certificates to check the broker's by; "" takes those of the box's
    file, or else of this machine.
    """

    broker: BrokerUrl = ""
    ca: OptionalPath = ""


Policy = Literal["auto", "ask", "other"]
"""The confirmation that an entry needs: none, by a person at the box, or by another player by name."""


class Entries(msgspec.Struct, frozen=True):
    """The policy for ``steps`` that players make and for ``reports`` of the table."""

    steps: Policy = "auto"
    reports: Policy = "auto"

    def of(self, seat: int | None) -> Policy:
        """Return the policy for an entry of ``seat``, None being the table."""
        return self.reports if seat is None else self.steps


class ReadingsSettings(msgspec.Struct, frozen=True):
    """The policy for sensors' readings: ``sure`` with one meaning and hardly a doubt, else ``unsure``."""

    sure: Policy = "ask"
    unsure: Literal["ask", "other"] = "ask"


class Confirm(msgspec.Struct, frozen=True):
    """The policies of confirmation by the entry's source: the box's keys, nodes on a line, its
    page, sensors.
    """

    keys: Entries = Entries()
    line: Entries = Entries()
    page: Entries = Entries()
    readings: ReadingsSettings = ReadingsSettings()


class PluginSection(msgspec.Struct, frozen=True):
    """A section that only the plug-in ``name`` can read: its values, and their place in ``file``.

    ``number`` counts the sections of that name, from 0; ``lines`` are those of the file, by path.
    """

    name: str
    number: int
    values: dict[str, Any]
    file: str = ""
    lines: tuple[tuple[KeyPath, int], ...] = ()


class Settings(msgspec.Struct, frozen=True):
    """All settings of the box itself."""

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
    """All settings, with those of plug-ins; ``Config()`` is the defaults."""

    plugins: tuple[PluginSection, ...] = ()


# The kernel's names for keys and turning axes, as ``evtest`` prints them (linux/input-event-codes.h)

_KEY_ROWS = (
    (
        1,
        "ESC 1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB Q W E R T Y U I O P LEFTBRACE RIGHTBRACE ENTER "
        "LEFTCTRL A S D F G H J K L SEMICOLON APOSTROPHE GRAVE LEFTSHIFT BACKSLASH Z X C V B N M COMMA DOT "
        "SLASH RIGHTSHIFT KPASTERISK LEFTALT SPACE CAPSLOCK F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NUMLOCK "
        "SCROLLLOCK KP7 KP8 KP9 KPMINUS KP4 KP5 KP6 KPPLUS KP1 KP2 KP3 KP0 KPDOT",
    ),
    (86, "102ND F11 F12"),
    (
        96,
        "KPENTER RIGHTCTRL KPSLASH SYSRQ RIGHTALT LINEFEED HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN "
        "INSERT DELETE MACRO MUTE VOLUMEDOWN VOLUMEUP POWER KPEQUAL KPPLUSMINUS PAUSE",
    ),
    (121, "KPCOMMA"),
    (139, "MENU CALC"),
    (158, "BACK FORWARD"),
    (163, "NEXTSONG PLAYPAUSE PREVIOUSSONG STOPCD"),
    (172, "HOMEPAGE"),
    (179, "KPLEFTPAREN KPRIGHTPAREN"),
    (183, "F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24"),
    (353, "SELECT"),
)


def _list_codes() -> Iterator[tuple[str, int]]:
    for first, names in _KEY_ROWS:
        yield from ((f"KEY_{name}", code) for code, name in enumerate(names.split(), start=first))
    yield from ((f"BTN_{number}", 0x100 + number) for number in range(10))


KEY_CODES = dict(_list_codes())
"""The names of keys on a number pad, keyboard, knob or button box, each with its code."""

AXIS_CODES = {"REL_X": 0, "REL_Y": 1, "REL_HWHEEL": 6, "REL_DIAL": 7, "REL_WHEEL": 8, "REL_MISC": 9}
"""The names of turning axes, each with its code; the kernel's rotary-encoder overlay has REL_X by default."""
