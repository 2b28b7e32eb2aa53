"""The sensors' self-checks, each in a process of its own: whatever it dies of is what people are told."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from device.sensors import messages
from device.sensors.host.child import cause, kill_group
from device.sensors.host.fitting import Fitted
from device.sensors.host.service import COMMAND
from device.sensors.messages import CHECK, LOAD
from device.sensors.sensor import Checked

LONGEST_S: Final = 60.0


def checked(one: Fitted, state_dir: Path, *, command: Sequence[str] = COMMAND) -> Iterator[Checked]:
    """Return what was looked at of one sensor in the settings; the first is whether its process starts."""
    begin = messages.encode(one.begin(state_dir)) + b"\n"
    try:
        status, said, complaints = run_to_end([*command, one.sensor, CHECK], begin, LONGEST_S)
        found = [msgspec.json.decode(line, type=Checked) for line in said.splitlines()]
    except subprocess.TimeoutExpired:
        yield Checked("fail", one.title, f"its process does not end its check within {LONGEST_S:g} s")
    except OSError as error:
        yield Checked("fail", one.title, f"its process cannot be started: {error}")
    except ValueError as error:
        yield Checked("fail", one.title, f"its process says what nobody understands: {error}")
    else:
        if status:
            yield Checked("fail", one.title, f"its process {cause(status, complaints)}")
        else:
            yield Checked("ok", one.title, "its process starts")
        yield from found


def loaded(name: str, *, command: Sequence[str] = COMMAND, within_s: float = LONGEST_S) -> str:
    """Say why the sensor of that name cannot be loaded, with file and line; "" where it can."""
    try:
        status, _, complaints = run_to_end([*command, name, LOAD], b"", within_s)
    except subprocess.TimeoutExpired:
        return f"is not loaded within {within_s:g} s"
    return cause(status, complaints) if status else ""


def run_to_end(command: Sequence[str], begin: bytes, within_s: float) -> tuple[int, bytes, list[str]]:
    """Run a process to its end; return its status, its output and its complaints.

    It leads a process group, which is killed at the end: what it forked would else hold its output open.
    Raises :class:`subprocess.TimeoutExpired`, and OSError where it cannot be started.
    """
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)

    def bury() -> None:
        process.wait()
        kill_group(process.pid)

    at_its_end = threading.Thread(target=bury)
    at_its_end.start()
    try:
        said, complaints = process.communicate(begin, within_s)
    finally:
        kill_group(process.pid)
        at_its_end.join()
    return process.returncode, said, complaints.decode(errors="replace").splitlines()
