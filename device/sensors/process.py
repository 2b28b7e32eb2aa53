"""A sensor's process: ``python -m device.sensors.process NAME``, started by :mod:`device.sensors.host`.

It reads lines of :mod:`device.sensors.messages` on its input and writes them to its output. When its input
ends it ends. Nothing it does can stop the table: it may be killed at any moment.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
from typing import IO

import msgspec

from device.sensors import kinds, messages
from device.sensors.door import Door, Ended
from device.sensors.messages import CHECK, Begin
from device.sensors.sensor import Sensor


def main() -> int:
    """Serve on standard input and output."""
    output, sys.stdout = sys.stdout.buffer, sys.stderr  # libraries that print must not be taken for us
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    lines = sys.stdin.buffer
    begin = messages.down(lines.readline())
    if not isinstance(begin, Begin):
        raise ValueError("the first line must be the beginning")
    sensor = _sensor(begin.sensor)
    settings = msgspec.convert(begin.section, sensor.settings)
    speaking = threading.Lock()

    def say(message: msgspec.Struct) -> None:
        try:
            with speaking:
                output.write(messages.encode(message) + b"\n")
                output.flush()
        except BrokenPipeError:
            raise Ended from None

    heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    door = Door(begin, heard, say)
    try:
        if CHECK in sys.argv:
            for one in sensor.check(settings, door.folder):
                say(one)
        else:
            threading.Thread(target=_hear, args=(lines, heard), name="from the box", daemon=True).start()
            sensor.run(settings, door)
    except Ended:
        pass
    return 0


def _sensor(name: str) -> Sensor:
    return next(sensor for sensor in kinds() if sensor.name == name)


def _hear(lines: IO[bytes], heard: queue.SimpleQueue[bytes]) -> None:
    for line in lines:
        heard.put(line)
    heard.put(b"")


if __name__ == "__main__":
    raise SystemExit(main())
