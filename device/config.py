"""The box's settings: one TOML file over built-in defaults, checked before anything is switched on.

A file with problems is never used in part. The box then comes up on the last file that was good, or on the
defaults, and shows what is wrong: a typing error must not cost the evening.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from device.clashes import clashes, unknown_codes, unknown_driver
from device.files import read_file, replace_file
from device.settings import DISPLAYS, SENSORS, Config, PluginSection, Settings
from device.strict_toml import FileProblem, KeyPath, check, dotted, spelled, unread
from engines.packages import points

SYSTEM_FILE = Path("/etc/podesta/podesta.toml")
SERVICE_STATE = Path("/var/lib/podesta")
"""The installed service's state (``StateDirectory=`` of its unit); it exists where the box is installed."""


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
            *unknown_driver(checked, file, others),
            *unknown_codes(checked, file),
            *clashes(checked, file),
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
