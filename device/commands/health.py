"""Checks of `podesta doctor` on the machine and the service: systemd, clock, power supply, disk; and the
state of a box that runs, asked at its page.

Every check of `podesta doctor` returns a :class:`~device.sensors.Checked`.
"""

from __future__ import annotations

import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from device import config as configs
from device.files import read_file
from device.keys import KeypadState
from device.line import LineState
from device.sensors import Checked
from device.starts import MOST
from device.voices import COOKIE
from engines.texts import DEFAULT_LANGUAGE

UNIT: Final = "podesta.service"
STARTS = Path("/run/podesta/starts")
RTC = Path("/dev/rtc0")

SYNC_S: Final = 0.5
"""A slower write delays the box's answers; a good card takes some 10 ms."""
PROBE: Final = 1 << 16
"""The bytes of the measured write: more than an evening's entries."""

LOW_NOW, LOW_EVER = 0x1, 0x1_0000
"""Bits of `vcgencmd get_throttled`: low voltage now, and low voltage since power-up."""


ok, warn, fail = partial(Checked, "ok"), partial(Checked, "warn"), partial(Checked, "fail")


def run_program(*command: str) -> str:
    """Return a program's output; empty if it is missing, fails, or takes longer than 10 s."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout if ran.returncode == 0 else ""


def parse_properties(text: str) -> dict[str, str]:
    """Read ``NAME=VALUE`` lines, as `systemctl show` and `timedatectl show` print them."""
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


def check_system() -> Checked:
    """Name the system and the kernel."""
    name = platform.system()
    with suppress(OSError):
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    return ok("system", f"{name}, kernel {platform.release()}")


def check_service(unit: Mapping[str, str]) -> Iterator[Checked]:
    """Check the service by its properties, and its restarts."""
    if unit.get("LoadState") != "loaded":
        yield ok("service", "not installed here; podesta run starts a box by hand")
        return
    active, restarts = unit.get("ActiveState", ""), int(unit.get("NRestarts", "0") or 0)
    if active not in ("active", "activating", "reloading"):
        why = f"{active}, last end: {unit.get('Result', 'unknown')}"
        yield fail("service", f"{why}: sudo systemctl start podesta, journalctl -u podesta says why")
    elif unit.get("UnitFileState") == "disabled":
        remedy = "does not start at power-up: sudo systemctl enable podesta"
        yield warn("service", f"{active}, but {remedy}")
    else:
        since = unit.get("ActiveEnterTimestamp", "")
        yield ok("service", " since ".join(filter(None, (active, since))))
    if restarts:
        ended = unit.get("Result", "")
        why = f", the last time for: {ended}" if ended not in ("", "success") else ""
        remedy = 'journalctl -u podesta --grep "Watchdog|exited|Timeout" says why'
        yield warn("restarts", f"{restarts} by itself since it was started{why}; {remedy}")


def check_safe_mode(starts: Path) -> Iterator[Checked]:
    """Check whether starts have failed since power-up."""
    try:
        failed = msgspec.json.decode(read_file(starts), type=dict[str, str | int | bool])["failed"]
    except (OSError, KeyError, msgspec.DecodeError):
        return
    if failed and int(failed) >= MOST:
        what = f"{failed} starts failed, so the box runs without plug-ins; podesta plugin list tells which"
        yield warn("safe mode", f"{what} are broken; ten minutes up clear it")


def check_one_state(state: Path) -> Iterator[Checked]:
    """Check that there is no second state beside the service's."""
    second = Path("~/.local/state/podesta").expanduser()
    if state == configs.SERVICE_STATE and second.is_dir() and any(second.iterdir()):
        yield warn(
            "second state",
            f"{second} is not the box's: bring over what you need (podesta facts GAME import), remove it",
        )


def check_clock(now: float, newest: float, told: Mapping[str, str], rtc: Path) -> Checked:
    """Check the clock: ``now`` against the ``newest`` kept file, and its source at power-up.

    ``told`` are the properties of `timedatectl show`, empty if it does not answer.
    """
    moment = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    if newest - now > 120:
        kept = time.strftime("%Y-%m-%d %H:%M", time.localtime(newest))
        remedy = "set it: sudo date -s 'YYYY-MM-DD HH:MM'"
        return fail("clock", f"{moment} is before the last entry ({kept}); {remedy}")
    if told.get("NTPSynchronized") == "yes":
        return ok("clock", f"{moment}, set by the network")
    if rtc.exists():
        return ok("clock", f"{moment}, kept by {rtc}")
    remedy = "add a clock module (RTC), or a network at power-up"
    return warn("clock", f"{moment}: nothing sets it without a network; {remedy}")


def check_supply(said: str) -> Iterator[Checked]:
    """Check the power supply of a Raspberry Pi by `vcgencmd get_throttled`; yield nothing elsewhere."""
    _, _, figure = said.strip().partition("=")
    try:
        bits = int(figure, 16)
    except ValueError:
        return
    remedy = "use a supply of 5.1 V and 3 A with its own cable"
    if bits & LOW_NOW:
        yield fail("power supply", f"the voltage is too low now: {remedy}")
    elif bits & LOW_EVER:
        yield warn("power supply", f"the voltage was too low since power-up: {remedy}")
    else:
        yield ok("power supply", "the voltage was never too low since power-up")


def time_write(state: Path) -> float:
    """Return the seconds until a small write is on the disk; raises OSError."""
    with tempfile.NamedTemporaryFile(dir=state, prefix=".doctor-") as file:
        file.write(os.urandom(PROBE))
        file.flush()
        began = time.perf_counter()
        os.fsync(file.fileno())
        return time.perf_counter() - began


def judge_write(took: float) -> Checked:
    """Judge the time that :func:`time_write` measured."""
    text = f"{PROBE >> 10} KB are on the disk after {took * 1000:.0f} ms"
    if took > SYNC_S:
        return warn("write speed", f"{text}: the card is slow or worn, take another")
    return ok("write speed", text)


def find_newest(state: Path) -> float:
    """Return the time of the last write to a match, s since 1970; 0 without matches."""
    try:
        return max((path.stat().st_mtime for path in (state / "matches").glob("*.podesta")), default=0.0)
    except OSError:
        return 0.0


def check_machine(state: Path) -> Iterator[Checked]:
    """Run every check of this module."""
    yield check_system()
    yield from check_service(parse_properties(run_program("systemctl", "show", UNIT)))
    yield from check_safe_mode(STARTS)
    yield from check_one_state(state)
    told = parse_properties(run_program("timedatectl", "show"))
    yield check_clock(time.time(), find_newest(state), told, RTC)
    yield from check_supply(run_program("vcgencmd", "get_throttled"))


def drop_settled(found: Sequence[Checked]) -> list[Checked]:
    """Drop the fine findings about a thing that also has a fault."""
    wrong = {one.name for one in found if one.verdict != "ok"}
    return [one for one in found if one.verdict != "ok" or one.name not in wrong]


# A box that runs


PATIENCE_S: Final = 3.0
"""The longest wait for the answer of a box that runs."""


class RunningSensor(msgspec.Struct, frozen=True):
    """A sensor and what it says; ``hindered`` by something it names."""

    sensor: str
    name: str
    online: bool
    hindered: bool
    says: str


class RunningBox(msgspec.Struct, frozen=True):
    """The parts of a running box, in English, and what has gone wrong since its start."""

    lines: tuple[LineState, ...]
    keypads: tuple[KeypadState, ...]
    sensors: tuple[RunningSensor, ...]
    problems: tuple[str, ...] = ()


class _Answer(msgspec.Struct, frozen=True):
    status: RunningBox


def ask_box(state: Path) -> RunningBox | None:
    """Ask the box that works in the directory ``state``; None where none answers."""
    try:
        where = urlsplit(read_file(state / configs.PAGE_ADDRESS).decode())
        with closing(HTTPConnection(where.hostname or "", where.port, timeout=PATIENCE_S)) as connection:
            connection.request("GET", "/status", headers={"Cookie": f"{COOKIE}={DEFAULT_LANGUAGE}"})
            return msgspec.json.decode(connection.getresponse().read(), type=_Answer).status
    except (OSError, HTTPException, ValueError):
        return None
