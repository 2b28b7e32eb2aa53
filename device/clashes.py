"""Settings that are right key by key and wrong together, or name what is not here.

A pin, a line, a node or a key that is used twice; a driver or a key's name that nobody knows.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Iterator

from device import input_codes
from device.settings import DISPLAYS, DRIVERS, OLEDS, Settings
from device.strict_toml import CheckedTable, FileProblem, KeyPath, dotted, spelled
from engines.packages import points

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


def unknown_codes(checked: CheckedTable[Settings], file: str) -> Iterator[FileProblem]:
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


def unknown_driver(
    checked: CheckedTable[Settings], file: str, others: Callable[[str], bool]
) -> Iterator[FileProblem]:
    """Yield a problem if a display's driver neither comes with the box nor is installed."""
    driver, path = checked.value.display.driver, ("display", "driver")
    if driver not in DRIVERS and not others(driver):
        known = ", ".join(json.dumps(name) for name in sorted((*DRIVERS, *points(DISPLAYS))))
        what = f"display.driver must be one of {known}, not {json.dumps(driver)}"
        yield FileProblem(file, checked.lines.get(path, 0), what)


def clashes(checked: CheckedTable[Settings], file: str) -> Iterator[FileProblem]:
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
