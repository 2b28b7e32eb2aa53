"""A sensor's process: ``python -m device.sensors.process NAME``, started by :mod:`device.sensors.host`.

It reads lines of :mod:`device.sensors.messages` on its input and writes them to its output. It ends when its
input ends. It cannot stop the table: the box may kill it at any moment.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import queue
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import IO, Any

import msgspec

from device.sensors import KINDS, messages
from device.sensors.door import STARTING, Door, Ended, Sensor
from device.sensors.messages import CANNOT, CHECK, LOAD, PRINTED, Begin
from device.settings import SENSORS, PluginSection
from device.strict_toml import check_table
from engines import packages


class CannotError(Exception):
    """Error raised when a sensor does not work here: the reason in one line, and its place if known."""

    def __init__(self, why: str, where: str = "") -> None:
        """Take the reason; `podesta plugin` shows ``where``, a file and line."""
        super().__init__(why)
        self.where = where


def main() -> int:
    """Serve on standard input and output."""
    _, name, *asked = sys.argv
    lines = _claim_stream(0, "rb", os.open(os.devnull, os.O_RDONLY))
    printed = next((one.removeprefix(PRINTED) for one in asked if one.startswith(PRINTED)), "")
    output = _claim_stream(1, "wb", os.open(printed, os.O_WRONLY | os.O_APPEND) if printed else 2)
    sys.stdout = os.fdopen(1, "w", 1, closefd=False)  # complaints come line by line
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    # If memory runs out, the kernel kills this process, not the referee.
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
    try:
        sensor = load(name)
        if LOAD not in asked:
            _serve(sensor, lines, output, check=CHECK in asked)
    except CannotError as error:
        where = f", in {error.where}" if LOAD in asked and error.where else ""
        print(f"cannot begin: {error}{where}", file=sys.stderr)
        return CANNOT
    except Ended:
        if os.getpid() == os.getpgrp():  # the box may have been killed, and only we can end our forks
            os.killpg(0, signal.SIGKILL)
        return 0
    if not {LOAD, CHECK}.intersection(asked):
        print("left off: its run returned", file=sys.stderr)
        return CANNOT
    return 0


def load(name: str) -> Sensor:
    """Load the sensor called ``name``, ours or a plug-in's; raises :class:`CannotError`."""
    if ours := next((sensor for sensor in KINDS if sensor.name == name), None):
        return ours
    points = packages.points(SENSORS).get(name, ())
    if len(points) != 1:
        of = " and in ".join(map(packages.source, points))
        raise CannotError(f"{name} is in {of}" if of else f"no plug-in {name} is installed")
    try:
        sensor = points[0].load()
    except BaseException as error:
        why = f"{points[0].value} cannot be imported: {packages.why(error)}"
        raise CannotError(why, _place_of_failure(error)) from error
    if not isinstance(sensor, Sensor):
        raise CannotError(f"{points[0].value} is a {type(sensor).__name__}, no Sensor")
    if sensor.name != name:
        raise CannotError(f"{points[0].value} has the name {sensor.name!r}, the entry point {name!r}")
    return sensor


def _place_of_failure(error: BaseException) -> str:
    """Return the file and line of foreign code that failed, "" if none of it ran."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename} line {error.lineno}"
    ran = [one for one in traceback.extract_tb(error.__traceback__) if not one.filename.startswith("<frozen")]
    foreign = [one for one in ran if one.filename not in (__file__, metadata.__file__, importlib.__file__)]
    return f"{foreign[0].filename} line {foreign[0].lineno}" if foreign else ""


def _serve(sensor: Sensor, lines: IO[bytes], output: IO[bytes], *, check: bool) -> None:
    begin = messages.down(lines.readline())
    if not isinstance(begin, Begin):
        raise CannotError("its first line was no beginning")
    settings = _read_settings(sensor, begin.section)
    queued: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    say = _make_say(output)
    door = Door(begin, queued, say)
    door.beside = _read_settings(sensor, begin.beside) if begin.beside else None
    if check:
        for one in sensor.check(settings, door.folder):
            say(one)
        return
    threading.Thread(target=_queue_lines, args=(lines, queued), name="from the box", daemon=True).start()
    door.say(STARTING)
    sensor.run(settings, door)


def _read_settings(sensor: Sensor, section: PluginSection) -> Any:
    path = (section.name, section.number)
    try:
        return check_table(section.values, sensor.settings, section.file, dict(section.lines), path)
    except ValueError as error:
        raise CannotError(str(error)) from None


def _make_say(output: IO[bytes]) -> Callable[[msgspec.Struct], None]:
    lock = threading.Lock()

    def say(message: msgspec.Struct) -> None:
        try:
            with lock:
                output.write(messages.encode(message) + b"\n")
                output.flush()
        except BrokenPipeError:
            raise Ended from None

    return say


def _claim_stream(number: int, mode: str, instead: int) -> IO[Any]:
    """Take a standard stream for the box alone, so a sensor that prints or asks for input does not disturb
    it.
    """
    ours = os.dup(number)
    os.dup2(instead, number)
    return os.fdopen(ours, mode)


def _queue_lines(lines: IO[bytes], queued: queue.SimpleQueue[bytes]) -> None:
    for line in lines:
        queued.put(line)
    queued.put(b"")


if __name__ == "__main__":
    raise SystemExit(main())
