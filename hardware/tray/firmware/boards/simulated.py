"""A board in a simulation: ``micropython main.py PORT``, with samples in, and the lamp's state out.

PORT is one end of a line, such as a pseudo-terminal. A sample is one line of the standard input::

    MS RAW GATES [HELD]

MS is the time, and there is no other clock: a minute takes as long as the machine needs for it. RAW is the
converter's value, ``-`` for none. GATES has a digit for each light gate, 1 while its beam is broken, or is
``-``. HELD is how long the button, released just now, was held, in ms.

After each sample one line ``MS LAMP`` says that the node is done with it, so that both keep in step. If MS is
the same as before and RAW and GATES are both ``-``, time stands still: the node waits up to 10 ms of real
time for bytes on the line.
"""

import select
import sys

import settings

STANDSTILL_MS = 10


class Board:
    """See main.py."""

    def __init__(self):
        self._port = open(sys.argv[1], "r+b", 0)  # noqa: SIM115 – for as long as the node lives
        self._heard = select.poll()
        self._heard.register(self._port, select.POLLIN)
        self._ms = 0
        self._alive_ms = None
        self._levels = ""
        self._edges = []
        self._held = 0
        self._wait = 0

    def sample(self):
        line = sys.stdin.readline()
        if not line:
            raise SystemExit
        ms, raw, levels, *held = line.split()
        self._wait = STANDSTILL_MS if int(ms) == self._ms and raw == levels else 0
        self._ms = int(ms)
        if self._alive_ms is None:
            self._alive_ms = self._ms
        if self._ms - self._alive_ms > settings.WATCHDOG_MS:
            sys.stderr.write("watchdog: nothing happened for " + str(self._ms - self._alive_ms) + " ms\n")
            sys.exit(3)
        if levels != "-":
            before = self._levels or "0" * len(levels)
            for index, level in enumerate(levels):
                if level != before[index]:
                    self._edges.append((index + 1, level == "1", self._ms))
            self._levels = levels
        self._held = int(held[0]) if held else 0
        return None if raw == "-" else int(raw)

    def gates(self):
        edges, self._edges = self._edges, []
        return edges

    def pressed(self):
        return self._held

    def ms(self):
        return self._ms

    def read(self):
        data = b""
        while self._heard.poll(0 if data else self._wait):
            data += self._port.read(1)
        return data

    def write(self, data):
        self._port.write(data)

    def show(self, lamp):
        sys.stdout.write(str(self._ms) + " " + lamp + "\n")

    def alive(self):
        self._alive_ms = self._ms
