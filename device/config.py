"""The box's settings: one TOML file over built-in defaults, checked before anything is switched on.

A file with problems is never used in part. The box then comes up on the last file that was good, or on the
defaults, and shows what is wrong: a typing error must not cost the evening. Settings that are right key by
key may be wrong together: a pin, a line, a node or a key that is used twice.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from device.files import read_file, replace_file
from device.settings import (
    AXIS_CODES,
    DISPLAYS,
    DRIVERS,
    KEY_CODES,
    OLEDS,
    SENSORS,
    Config,
    PluginSection,
    Settings,
)
from device.strict_toml import CheckedTable, FileProblem, KeyPath, check, dotted, spelled, unread
from engines.packages import points

SYSTEM_FILE = Path("/etc/podesta/podesta.toml")
SERVICE_STATE = Path("/var/lib/podesta")
"""The installed service's state (``StateDirectory=`` of its unit); it exists where the box is installed."""

PAGE_ADDRESS = "page"
"""The file of the state directory with the address of a running box's page."""


class ConfigSource(StrEnum):
    """The source of a config, in words."""

    FILE = "settings as they are"
    LAST_GOOD = "last settings that were good"
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


def is_plugged_in(name: str) -> bool:
    """Return True if a sensor or a display of that name is installed as a plug-in."""
    return name in points(SENSORS) or name in points(DISPLAYS)


def parse(
    text: str, file: str = "podesta.toml", others: Callable[[str], bool] = is_plugged_in
) -> tuple[Config, tuple[FileProblem, ...]]:
    """Check a config's text. With any problem the config is the defaults, never a half-applied file.

    ``others`` says which sections are plug-ins': these read them, each in a process of its own.
    """
    checked = check(text, Settings, file, others=others)
    problems = sorted(
        (
            *checked.problems,
            *find_unknown_driver(checked, file, others),
            *find_unknown_codes(checked, file),
            *find_clashes(checked, file),
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


def list_changed(config: Config) -> list[str]:
    """Return a line for each that differs from its default, if it has one: ``keys.ok = 5  # default 22``."""
    return [
        f"{dotted(path)} = {_spell(path, value)}"
        + (f"  # default {_spell(path, default)}" if default is not None else "")
        for path, value, default in _list_settings(config)
        if value != default
    ]


def show(config: Config) -> str:
    """Return the whole config as TOML; reading it back gives an equal one."""
    rows: list[str] = []
    section: KeyPath = ()
    for path, value, _ in _list_settings(config):
        if path[:-1] != section:
            section = path[:-1]
            listed = any(isinstance(part, int) for part in section)
            rows += ["", f"[[{section[0]}]]" if listed else f"[{dotted(section)}]"]
        rows.append(f"{path[-1]} = {_spell(path, value)}")
    return "\n".join(rows).lstrip() + "\n"


def _spell(path: KeyPath, value: Any) -> str:
    """Spell a value as TOML does, an address on a bus as its data sheet does."""
    return f"0x{value:02X}" if path == ("display", "address") else spelled(value)


def _load(path: Path | None, others: Callable[[str], bool] = is_plugged_in) -> tuple[LoadedConfig, str]:
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


def _list_settings(config: Config) -> Iterator[tuple[KeyPath, Any, Any]]:
    for name in Settings.__struct_fields__:
        part = getattr(config, name)
        if isinstance(part, msgspec.Struct):
            yield from _list_section((name,), part)
        else:
            for index, item in enumerate(part):
                yield from _list_section((name, index), item)
    for plugin in config.plugins:
        yield from (((plugin.name, plugin.number, key), value, None) for key, value in plugin.values.items())


def _list_section(path: KeyPath, section: msgspec.Struct) -> Iterator[tuple[KeyPath, Any, Any]]:
    for field in msgspec.structs.fields(type(section)):
        value = getattr(section, field.name)
        if isinstance(value, msgspec.Struct):
            yield from _list_section((*path, field.name), value)
            continue
        default = None if field.required else field.default
        if field.default_factory is not msgspec.NODEFAULT:
            default = field.default_factory()
        yield (*path, field.name), value, default


# Settings that are wrong together, or name what is not here

_SPI_PINS = (7, 8, 9, 10, 11)
_I2C_PINS = {1: (2, 3)}
_UART_PINS = (14, 15)
_UART_DEVICES = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")


def _list_pins(config: Settings) -> Iterator[tuple[int, KeyPath]]:
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


def _list_uses(config: Settings) -> Iterator[tuple[str, KeyPath]]:
    for pin, path in _list_pins(config):
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


def find_unknown_codes(checked: CheckedTable[Settings], file: str) -> Iterator[FileProblem]:
    """Yield a problem for each key and axis of keypads that the kernel's names do not have."""
    for index, pad in enumerate(checked.value.keypad):
        for setting, names in pad.names.items():
            path: KeyPath = ("keypad", index, setting)
            known = AXIS_CODES if setting == "turn" else KEY_CODES
            for name in names:
                if name not in known and path not in checked.faulty:
                    what = f"{dotted(path)}: no {name} is known here{_suggest_near(name, known)}"
                    yield FileProblem(file, checked.lines.get(path, 0), what)


def _suggest_near(name: str, known: Iterable[str]) -> str:
    """Suggest the code that was meant, by what stands behind REL_ or KEY_; else say where names are found."""
    prefix = name[:4]
    rests = [one.removeprefix(prefix) for one in known]
    near = difflib.get_close_matches(name.removeprefix(prefix), rests, n=1)
    return f"; did you mean {prefix}{near[0]}?" if near else "; evtest prints the names of a device's own"


def find_unknown_driver(
    checked: CheckedTable[Settings], file: str, others: Callable[[str], bool]
) -> Iterator[FileProblem]:
    """Yield a problem if a display's driver neither comes with the box nor is installed."""
    driver, path = checked.value.display.driver, ("display", "driver")
    if driver not in DRIVERS and not others(driver):
        known = ", ".join(json.dumps(name) for name in sorted((*DRIVERS, *points(DISPLAYS))))
        what = f"display.driver must be one of {known}, not {json.dumps(driver)}"
        yield FileProblem(file, checked.lines.get(path, 0), what)


def find_clashes(checked: CheckedTable[Settings], file: str) -> Iterator[FileProblem]:
    """Yield what is right key by key and wrong together: a pin, a line or a node used twice."""
    doubtful = {path[0] for path in checked.faulty} - {"keys", "cues"}
    users: dict[str, list[KeyPath]] = {}
    for thing, path in _list_uses(checked.value):
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
