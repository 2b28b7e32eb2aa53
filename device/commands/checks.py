"""`podesta doctor`: every check that leaves the match alone, a line each.

A check opens nothing that a running box holds. The checks of machine and service are in
:mod:`device.commands.health`.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from device import config as configs
from device.commands import Exit, Options, command, find_version, show, take
from device.commands.health import (
    RunningBox,
    ask_box,
    check_machine,
    drop_settled,
    fail,
    judge_write,
    ok,
    time_write,
    warn,
)
from device.commands.plugin import list_plugins
from device.copy_file import CopyFile
from device.keys import Input, list_inputs, locate
from device.machine import find_obstacle, on_a_pi
from device.match import RECOVERED, SUFFIX, JournalError, read
from device.sensors import Checked, Verdict
from device.sensors.host import check_sensor, list_sensors
from device.settings import DRIVERS, Config, DisplaySettings, Keypad
from device.texts import Texts
from engines.contract import Setup
from engines.facts import Facts, Standing, Use, schema, to_ask
from engines.plugged import games

DEV = Path("/dev")

PACKAGES = ("msgspec", "gpiozero", "luma.oled", "pyserial", "starlette", "uvicorn", "numpy")
SEEING = dict.fromkeys(("numpy", "opencv-python-headless"), "podesta-camera for a camera or a scale")
"""Packages that only a camera or a scale needs, and the Debian package with each."""
OPENCV = ("opencv-python-headless", "opencv-python", "opencv")
PI_PACKAGES = ("lgpio", "picamera2")

INPUT_MAJOR = 13
"""The kernel's number of all input devices."""

ROOM_FAIL, ROOM_WARN = 16 << 20, 256 << 20
"""Free bytes: a match takes less than one MB, but a system without room does not start well."""


class Diagnosis(msgspec.Struct, frozen=True):
    """The report of `podesta doctor --json`; ``fine`` is false if any finding's verdict is ``fail``."""

    fine: bool
    findings: tuple[Checked, ...]


@command(take.box, take.json(Diagnosis, Checked))
def run(options: Options) -> int:
    """Print the findings."""
    found = run_all(options.config, options.state)
    fine = not any(one.verdict == "fail" for one in found)
    told = Diagnosis(fine, tuple(found))
    show(options, told, lambda: (f"{one.verdict:<4} {one.name}: {one.detail}" for one in found))
    return Exit.FINE if fine else Exit.WRONG


def run_all(config_file: Path | None, state: Path | None) -> list[Checked]:
    """Run every check for a config file and a state directory (None: the usual ones)."""
    path = configs.find(config_file)
    loaded = configs.load(path)
    config = loaded.config
    state = state or configs.state_dir(config)
    pi = on_a_pi()
    box = ask_box(state)
    found = [
        *check_python(),
        *check_packages(pi, bool(config.camera or config.scale)),
        *(fail("config", str(problem)) for problem in loaded.problems),
        *([] if loaded.problems else [ok("config", str(path or "no file, the defaults"))]),
        *check_state(state),
        *check_journals(state / "matches"),
        *check_plug_ins(),
        *check_facts(state),
        check_simulated(config, pi),
        check_gpio(config, pi),
        *check_displays(config, pi),
        *(warn("running box", one) for one in (box.problems if box else ())),
        *(check_running_keypads(box) if box else check_keypads(config.keypad, list_inputs())),
        *(check_running_lines(box) if box else check_lines(line.url for line in config.line)),
        *check_sensors(config, state, box),
        check_fonts(),
        *check_machine(state),
    ]
    return drop_settled(found)


def check_python() -> Iterator[Checked]:
    """Check the interpreter and its word width."""
    version, machine = platform.python_version(), platform.machine()
    yield ok("podesta", find_version("podesta") or "not installed, run from its source")
    yield _judge(sys.version_info >= (3, 11), "python", version, f"{version}, 3.11 or newer is needed")
    yield _judge(sys.maxsize > 1 << 32, "64-bit", machine, f"{machine}, a 64-bit system is needed")


def check_packages(pi: bool, sees: bool) -> Iterator[Checked]:
    """Check the packages; on a Raspberry Pi also those for its pins and camera."""
    for names in (*((name,) for name in PACKAGES), OPENCV):
        found, debian = find_version(*names), SEEING.get(names[0], "podesta")
        missing = f"not installed: sudo apt install {debian}; in an environment pip install 'podesta[box]'"
        judge = ok if found else fail if sees or names[0] not in SEEING else warn
        yield judge(f"package {names[0]}", found or missing)
    for name in PI_PACKAGES:
        found = find_version(name)
        missing = "not installed" + (f": sudo apt install python3-{name}" if pi else ", not needed here")
        yield Checked("warn" if pi and not found else "ok", f"package {name}", found or missing)


def check_state(state: Path) -> Iterator[Checked]:
    """Check that matches can be kept: the directory takes a file, and the disk syncs it."""
    if not os.path.exists(state):  # Path.exists() raises where a folder above is closed to us
        above = next(parent for parent in state.absolute().parents if os.path.exists(parent))
        writable = os.access(above, os.W_OK)
        yield _judge(
            writable, "state", f"{state} will be made at the first start", f"{above} cannot be written"
        )
        return
    try:
        took = time_write(state)
    except OSError as error:
        remedy = "look at its owner, and whether the disk is full or read-only (dmesg)"
        yield fail("state", f"{state}: {error.strerror or error}; {remedy}")
        return
    yield ok("state", f"{state} can be written and synced")
    yield judge_write(took)
    free = shutil.disk_usage(state).free
    verdict: Verdict = "fail" if free < ROOM_FAIL else "warn" if free < ROOM_WARN else "ok"
    remedy = "" if verdict == "ok" else "; make room: sudo apt clean, sudo journalctl --vacuum-size=50M"
    yield Checked(verdict, "room", f"{free >> 20} MB free in {state}{remedy}")


def check_journals(folder: Path) -> Iterator[Checked]:
    """Check that each match on the disk is undamaged; a damaged one that was recovered only warns."""
    damaged: dict[str, str] = {}
    recovered = set()
    paths = sorted(folder.glob(f"*{SUFFIX}")) if os.access(folder, os.R_OK | os.X_OK) else []
    for path in paths:
        try:
            reading = read(path)
        except JournalError as error:
            damaged[path.name] = str(error)
            continue
        recovered.add(reading.header.get(f"{RECOVERED}from", ""))
        if reading.damage:
            damaged[path.name] = f"{path.name}: {reading.damage}"
    good = len(paths) - len(damaged)
    if not damaged:
        yield ok("journals", f"{good} of {len(paths)} are good")
    for name, why in damaged.items():
        if name in recovered:
            yield warn("journals", f"{why}; what was good of it was recovered")
        else:
            yield fail("journals", f"{why}; it is recovered when it is opened at the box")


def check_plug_ins() -> Iterator[Checked]:
    """Check all plug-ins, as ``podesta plugin list`` does."""
    for one in list_plugins():
        verdict: Verdict = "fail" if one.problem else "warn" if one.fault else "ok"
        yield Checked(verdict, f"{one.adds} {one.name}", one.problem or one.fault or one.source)


def check_facts(state: Path) -> Iterator[Checked]:
    """Check the facts of each copy; a fact that a usual match would ask for only warns."""
    for game in games():
        if not len(schema(game)):
            continue
        file = CopyFile.of(state, game, Texts.load("en", game))
        loaded, name = file.load(), f"facts {game}"
        facts = loaded.facts
        for problem in loaded.problems:
            yield Checked("warn" if loaded.sound else "fail", name, str(problem))
        if not loaded.sound:
            continue
        if facts.sample:
            yield warn(name, f"{file.path}: a sample: every match played with it is marked")
        said = [f"{what}: {', '.join(names)}" for what, names in _list_open_facts(facts) if names]
        asked = to_ask(facts, Setup(), (Use.PLAY,))
        yield Checked("warn" if asked else "ok", name, "; ".join(said) or "all are settled")


def _list_open_facts(facts: Facts) -> Iterator[tuple[str, list[str]]]:
    """Yield the facts that people have yet to check; those that only a camera needs are listed apart."""
    for where, for_sight in (("", False), (" (only a camera needs it)", True)):
        for standing, what in ((Standing.UNKNOWN, "unknown"), (Standing.LIKELY, "not compared")):
            entries: dict[str, list[str]] = {}
            for fact in facts.schema:
                if facts.known[fact.name].standing is standing and (fact.use is Use.SIGHT) is for_sight:
                    entries.setdefault(fact.table, []).append(fact.name)
            tables = [f"{table} ({len(names)} entries)" for table, names in entries.items() if table]
            yield what + where, entries.get("", []) + tables


def check_simulated(config: Config, pi: bool) -> Checked:
    """Check if `podesta run` would use real keys."""
    factory = config.keys.factory
    if factory == "mock":
        return Checked("warn" if pi else "ok", "simulated", "yes: keys.factory is mock")
    if factory == "auto" and not pi:
        return ok("simulated", "yes: this is not a Raspberry Pi")
    return ok("simulated", "no")


def check_gpio(config: Config, pi: bool, dev: Path = DEV) -> Checked:
    """Check that the kernel offers pins, and that we may open them."""
    needed = config.keys.factory == "lgpio" or (config.keys.factory == "auto" and pi)
    chips = sorted(dev.glob("gpiochip*"))
    if not chips:
        return _judge(not needed, "gpio", f"no {dev}/gpiochip*, none needed", f"no {dev}/gpiochip*")
    if ours := [chip.name for chip in chips if not find_obstacle(chip, "gpio")]:
        return ok("gpio", ", ".join(ours))
    return Checked("fail" if needed else "warn", "gpio", find_obstacle(chips[0], "gpio"))


def ask_bus(bus: int, address: int) -> None:
    """Ask for a device by its address, as `i2cdetect` does; raises OSError if none answers."""
    from smbus2 import SMBus  # noqa: PLC0415 – only where there is a bus

    with SMBus(bus) as wire:
        wire.write_quick(address)


def check_displays(config: Config, pi: bool) -> Iterator[Checked]:
    """Check the display, a plug-in's by the plug-in."""
    if config.display.driver in DRIVERS:
        yield check_display(config.display, pi)
        return
    from device.screen.pixels import look_at  # noqa: PLC0415 – pictures are heavy

    yield from look_at(config)


def check_display(
    config: DisplaySettings, pi: bool, dev: Path = DEV, ask: Callable[[int, int], None] = ask_bus
) -> Checked:
    """Check that the display's bus is there and that, on I2C, something answers at its address."""
    name = f"display {config.driver}"
    if config.driver in ("none", "offscreen"):
        return ok(name, "needs no wire")
    i2c = config.interface == "i2c"
    bus = dev / (f"i2c-{config.port}" if i2c else f"spidev0.{config.spi_device}")
    absent: Verdict = "fail" if pi else "warn"
    if not bus.exists():
        return Checked(absent, name, f"no {bus} (is {config.interface.upper()} switched on?)")
    if why := find_obstacle(bus, config.interface):
        return Checked(absent, name, why)
    if not i2c:
        return ok(name, f"{bus} is there; on SPI a display cannot answer")
    try:
        ask(config.port, config.address)
    except OSError as error:
        silent = error.strerror or str(error)
        return fail(name, f"nothing answers on {bus} at {config.address:#04x}: {silent}")
    return ok(name, f"answers on {bus} at {config.address:#04x}")


def check_keypads(pads: Iterable[Keypad], there: Sequence[Input]) -> Iterator[Checked]:
    """Check that the keypads are among the input devices, and that we may open them."""
    if there:
        names = dict.fromkeys(f'"{one.name}"' for one in there)
        yield ok("input devices", ", ".join(names))
    for pad in pads:
        name = f"keypad {pad.device}"
        try:
            path = locate(pad, there)
            about = path.stat()
        except OSError:
            yield fail(name, "is not there, or has none of the keys; the box waits for it")
            continue
        if not (stat.S_ISFIFO(about.st_mode) or os.major(about.st_rdev) == INPUT_MAJOR):
            yield fail(name, f"{path} is not an input device")
        else:
            why = find_obstacle(path, "input", os.R_OK)
            yield _judge(not why, name, str(path), why)


def check_lines(urls: Iterable[str]) -> Iterator[Checked]:
    """Check that the lines' devices are there, and that we may open them; a URL is not tried."""
    for url in urls:
        name = f"line {url}"
        if not url.startswith("/"):
            yield ok(name, "not a device here, not tried")
        elif not Path(url).exists():
            yield fail(name, "is not there; the box waits for it")
        else:
            why = find_obstacle(url, "dialout")
            yield _judge(not why, name, "can be opened", why)


def check_running_keypads(box: RunningBox) -> Iterator[Checked]:
    """Check the keypads of a running box."""
    for pad in box.keypads:
        why = str(pad.why)
        yield _judge(pad.online, f"keypad {pad.device}", why or "the running box has it", why)


def check_running_lines(box: RunningBox) -> Iterator[Checked]:
    """Check the lines of a running box."""
    for line in box.lines:
        name = f"line {line.url}"
        if line.online and not line.why and not line.node:
            yield warn(name, "open, and nobody has said hello on it")
        else:
            yield _judge(not line.why and line.online, name, f"{line.node} is on it", str(line.why) or "away")


def check_sensors(config: Config, state: Path, box: RunningBox | None = None) -> Iterator[Checked]:
    """Check each sensor: its state in a running box, and its self-check."""
    said = {(one.sensor, one.name): one for one in box.sensors} if box else {}
    for sensor in list_sensors(config, apart=True):
        starts, *found = check_sensor(sensor, state)
        if one := said.get((sensor.sensor, sensor.name)):
            verdict: Verdict = "fail" if not one.online else "warn" if one.hindered else "ok"
            yield Checked(verdict, sensor.title, f"in the running box: {one.says}")
        elif box:
            yield warn(sensor.title, "the running box was started without it")
        if not one or starts.verdict != "ok":
            yield starts
        yield from found


def check_fonts() -> Checked:
    """Check that the screen's letters can be read."""
    try:
        from device.screen.pixels import LARGE, SMALL, load_font  # noqa: PLC0415 – pictures are heavy

        heights = [load_font(size).height for size in (SMALL, LARGE)]
    except Exception as error:  # any error means that the box has no letters
        return fail("fonts", " ".join(str(error).split()))
    return ok("fonts", " and ".join(f"{height} px" for height in heights))


def _judge(good: bool, name: str, fine: str, trouble: str) -> Checked:
    return ok(name, fine) if good else fail(name, trouble)
