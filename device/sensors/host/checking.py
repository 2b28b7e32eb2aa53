"""The sensors' self-checks, each in a process of its own: whatever it dies of is what people are told."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from device.sensors import messages
from device.sensors.host.child import cause
from device.sensors.host.fitting import Fitted
from device.sensors.host.service import COMMAND
from device.sensors.messages import CHECK, LOAD
from device.sensors.sensor import Checked

LONGEST_S: Final = 60.0


def checked(one: Fitted, state_dir: Path, *, command: Sequence[str] = COMMAND) -> Iterator[Checked]:
    """Return what was looked at of one sensor in the settings; the first is whether its process starts."""
    begin = messages.encode(one.begin(state_dir)) + b"\n"
    try:
        done = subprocess.run(
            [*command, one.sensor, CHECK], check=False, input=begin, capture_output=True, timeout=LONGEST_S
        )
        found = [msgspec.json.decode(line, type=Checked) for line in done.stdout.splitlines()]
    except subprocess.TimeoutExpired:
        yield Checked("fail", one.title, f"its process does not end its check within {LONGEST_S:g} s")
    except OSError as error:
        yield Checked("fail", one.title, f"its process cannot be started: {error}")
    except ValueError as error:
        yield Checked("fail", one.title, f"its process says what nobody understands: {error}")
    else:
        if done.returncode:
            why = cause(done.returncode, done.stderr.decode(errors="replace").splitlines())
            yield Checked("fail", one.title, f"its process {why}")
        else:
            yield Checked("ok", one.title, "its process starts")
        yield from found


def loaded(name: str, *, command: Sequence[str] = COMMAND, within_s: float = LONGEST_S) -> str:
    """Why the sensor of that name cannot be loaded, with file and line, "" where it can; asks a process."""
    try:
        done = subprocess.run(
            [*command, name, LOAD],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=within_s,
        )
    except subprocess.TimeoutExpired:
        return f"is not loaded within {within_s:g} s"
    complaints = done.stderr.decode(errors="replace").splitlines()
    return cause(done.returncode, complaints) if done.returncode else ""
