"""The sensors' self-checks, each in a process of its own: whatever it dies of is what people are told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from device.sensors import messages
from device.sensors.host.child import run_to_end
from device.sensors.host.fitting import Fitted
from device.sensors.host.service import COMMAND
from device.sensors.messages import CHECK, LOAD
from device.sensors.sensor import Checked

LONGEST_S: Final = 60.0


def checked(one: Fitted, state_dir: Path, *, command: Sequence[str] = COMMAND) -> Iterator[Checked]:
    """Return what was looked at of one sensor in the settings; the first is whether its process starts."""
    begin = messages.encode(one.begin(state_dir))
    try:
        end, said = run_to_end([*command, one.sensor, CHECK], begin, LONGEST_S)
        found = [msgspec.json.decode(line, type=Checked) for line in said]
    except TimeoutError:
        yield Checked("fail", one.title, f"its process does not end its check within {LONGEST_S:g} s")
    except ValueError as error:
        yield Checked("fail", one.title, f"its process says what nobody understands: {error}")
    else:
        starts = Checked("ok", one.title, "its process starts")
        yield Checked("fail", one.title, f"its process {end.why}") if end.status != 0 else starts
        yield from found


def loaded(name: str, *, command: Sequence[str] = COMMAND, within_s: float = LONGEST_S) -> str:
    """Say why the sensor of that name cannot be loaded, with file and line; "" where it can."""
    try:
        end, _ = run_to_end([*command, name, LOAD], b"", within_s)
    except TimeoutError:
        return f"is not loaded within {within_s:g} s"
    return end.why if end.status != 0 else ""
