"""The machine that this is."""

from __future__ import annotations

import os
import subprocess
from ipaddress import ip_address
from pathlib import Path

MODEL = Path("/proc/device-tree/model")
"""The machine by its firmware."""
HWMON = Path("/sys/class/hwmon")
PATIENCE_S = 20.0
"""The longest that the service manager may take."""
AHEAD_S = 5 * 365 * 86400
"""The longest that a box may have lain in a cupboard; a clock that is further ahead of what is kept is
doubted.
"""


def on_a_pi() -> bool:
    """Return True if this is a Raspberry Pi, by what its firmware says."""
    try:
        return "Raspberry Pi" in MODEL.read_text("utf-8", "replace")
    except OSError:
        return False


def find_obstacle(device: str | Path, group: str, mode: int = os.R_OK | os.W_OK) -> str:
    """Return why this user may not open a device that its ``group`` may open, empty if they may."""
    return "" if os.access(device, mode) else f"{device} cannot be opened: is the user in the group {group}?"


def has_undervoltage(hwmon: Path = HWMON) -> bool:
    """Return True while a Raspberry Pi has too little voltage, as the kernel's ``raspberrypi-hwmon`` says."""
    return any(
        _read_first_line(name) == "rpi_volt" and _read_first_line(name.with_name("in0_lcrit_alarm")) == "1"
        for name in hwmon.glob("*/name")
    )


def _read_first_line(file: Path) -> str:
    try:
        return file.read_text("ascii", "replace").strip()
    except OSError:
        return ""


def run_systemctl(*words: str) -> str:
    """Have the service manager do something; return why it does not, empty where it does."""
    try:
        done = subprocess.run(
            ["systemctl", *words], check=False, capture_output=True, text=True, timeout=PATIENCE_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (" ".join(done.stderr.split()) or f"status {done.returncode}") if done.returncode else ""


def is_loopback(host: str) -> bool:
    """Return True if only this machine reaches a host of that name or address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_clock_off(now: float, matches: Path) -> bool:
    """Return True if the clock is years off: before what is here was made, or long after; s since 1970."""
    made = [Path(__file__), *matches.glob("*.podesta")]
    last = max(path.stat().st_mtime for path in made)
    return not last - 86400 < now < last + AHEAD_S
