"""The node under the cube tower's tray: it weighs, watches two light gates, and tells the box.

It tells weights, not counts of pieces: the box knows a piece's weight. hardware/PROTOCOL.md, "A scale", has
its lines. Each line tells the present state, so a lost one is not repeated; but after each hello the node
tells everything again, so that a minute without a cable loses nothing.

Only the file in boards/ knows the wires. A board has::

    sample()     the next sample of the converter, None while there is none
    gates()      news of the light gates: (gate from 1, True if its beam is broken, ms), oldest first
    pressed()    how long its button was held until its release, in ms; 0 without a release
    ms()         milliseconds since the start; they never wrap
    read()       bytes from the line, None for nothing; it does not wait
    write(data)  bytes to the line
    show(lamp)   "away", "fault", "moving", "telling" or "rest" on its lamp
    alive()      keeps the watchdog quiet
"""

import sys

import settings
from cell.settling import Settling, mg_per_count
from line import Line

if sys.platform == "rp2":
    from boards.pico import Board
else:
    from boards.simulated import Board

MOVING_MS = 500  # the interval of reports of a moving weight
REST_MS = 2000  # of one at rest
HEALTH_MS = 10_000  # of the scale's health
TARE_MS = 2000  # holding the button for so long means: the tray is empty, this is zero
ZERO_FILE = "zero.txt"
ZERO_MG = 20  # a zero that moved by more is stored again; a flash memory wears out
PIECE_MS = 2  # the shortest break of a gate's beam that counts as a piece
BLOCKED_MS = 1500  # the longest; after it the beam is blocked, and its blocker is not counted


class Node:
    """One tray; call look() repeatedly."""

    def __init__(self, board):
        self.board = board
        self.scale = mg_per_count(settings.CAPACITY_G, settings.MV_PER_V, settings.GAIN)
        self.kept = read_zero()
        self.knows_zero = self.kept is not None  # stored before, so pieces may lie there already
        self.cell = Settling(
            self.scale,
            tray_mg=settings.TRAY_G * 1000,
            most_mg=settings.MOST_G * 1000,
            zero=self.kept,
            zero_sd_mg=ZERO_MG,
        )
        self.gates = Gates(len(settings.GATES))
        self.line = Line(board.write, board.read, settings.NAME, "1", "scale", board.ms)
        self.rebooted = True  # and the box does not know yet
        self.rests = 0  # of the cell, as handled so far
        self.passed = None  # through the gates, at the last rest
        self.health = ""  # as last told
        self.begin_again()

    def look(self):
        """Take the next sample, listen, and tell due news."""
        raw = self.board.sample()
        ms = self.board.ms()
        for number, broken, at in self.board.gates():
            self.gates.feed(number, broken, at)
        self.cell.feed(raw, ms)
        if self.cell.rests != self.rests:
            self.rests = self.cell.rests
            self.passed = self.gates.rest()
            self.gates_due = True
        self.press(self.board.pressed())
        for kind, args in self.line.poll():
            self.hear(kind, args, ms)
        if self.line.ready:
            self.tell(ms)
        self.keep_zero()
        self.board.show(self.find_lamp(ms))
        self.board.alive()

    def begin_again(self):
        """Tell everything again: the box knows nothing about this tray."""
        self.health_due = 0
        self.weight_due = 0
        self.gates_due = self.passed is not None
        self.state = None  # as last told
        self.number = None  # of the line that told the weight at rest
        self.known = False  # the box has answered it

    def press(self, held):
        """Handle the button: a long hold sets zero; any press tells the box everything again."""
        if held >= TARE_MS:
            self.cell.tare()
        if held:
            self.begin_again()

    def hear(self, kind, args, ms):
        """Handle a line of the box: its answer to hello, and to the weight at rest."""
        words = args.split()
        if kind == "hello" and "re=" in args:
            self.begin_again()
        elif kind == "err":  # the box is busy, most likely: everything again in a second
            self.begin_again()
            self.health_due = self.weight_due = ms + 1000
            self.state = self.cell.state
        elif words[:1] == [str(self.number)]:
            self.known = True

    def find_health(self, ms):
        """Return the scale's state in a word, "ok" for no fault."""
        if self.cell.health != "ok":
            return self.cell.health
        return "gate-blocked" if self.gates.blocked(ms) else "ok"

    def tell(self, ms):
        """Tell due news, in the order that the box wants."""
        if self.rebooted:
            self.rebooted = False
            self.line.send("health", "rebooted zero=1" if self.knows_zero else "rebooted", keep=False)
        health = self.find_health(ms)
        tested = health != "ok" or self.rests  # a scale that has come to rest once is fine
        if tested and (health != self.health or ms >= self.health_due):
            self.health = health
            self.health_due = ms + HEALTH_MS
            self.line.send("health", health + self.write_figures(ms), keep=False)
        state = self.cell.state
        if state != self.state or ms >= self.weight_due:
            self.state = state
            self.known = False
            if state == "rest":
                self.weight_due = ms + REST_MS
                self.tell_gates()
                self.number = self.tell_weight(state)
            else:
                self.weight_due = ms + MOVING_MS
                self.number = None
                self.tell_weight(state)

    def tell_gates(self):
        """Tell the pieces that passed, once for each rest."""
        if self.gates_due:
            self.gates_due = False
            for index, passed in enumerate(self.passed):
                self.line.send("gate", f"{index + 1} {passed}", keep=False)

    def tell_weight(self, state):
        """Tell the weight; return the number of the line."""
        return self.line.send("weight", f"{self.cell.mg} {self.cell.sd_mg} {state}", keep=False)

    def write_figures(self, ms):
        """Return the figures for the self-test."""
        cell = self.cell
        figures = f" rate={cell.rate:.0f} noise={cell.noise_mg:.0f} unique={cell.unique}"
        gate = self.gates.blocked(ms)
        return f"{figures} gate={gate}" if gate else figures

    def find_lamp(self, ms):
        """Return the lamp's state for the scale's."""
        if not self.line.ready:
            return "away"
        if self.find_health(ms) != "ok":
            return "fault"
        if self.cell.state == "moving":
            return "moving"
        if self.known:
            return "rest"
        return "moving" if self.number is None else "telling"

    def keep_zero(self):
        """Store the zero, so that it outlives a restart: pieces may lie there already."""
        zero = self.cell.zero
        if zero is None or (self.kept is not None and abs(zero - self.kept) * self.scale <= ZERO_MG):
            return
        self.kept = zero
        with open(ZERO_FILE, "w") as file:
            file.write(f"{zero:.0f}")


class Gates:
    """The light gates at the tower's mouth, by number from 1: counts of pieces, and a beam that stays broken.

    Two pieces that fall close together break a beam once: a gate counts at most the true number. Feed every
    change as it comes; the same level twice does no harm.
    """

    def __init__(self, count):
        self.passed = [0] * count
        self._broken_ms = [None] * count

    def feed(self, number, broken, ms):
        """Take the state of gate ``number`` at ``ms``."""
        index = number - 1
        since = self._broken_ms[index]
        if broken:
            if since is None:
                self._broken_ms[index] = ms
            return
        self._broken_ms[index] = None
        if since is not None and PIECE_MS <= ms - since <= BLOCKED_MS:
            self.passed[index] += 1

    def blocked(self, ms):
        """Return the first gate whose beam is blocked, 0 if none is."""
        for index, since in enumerate(self._broken_ms):
            if since is not None and ms - since > BLOCKED_MS:
                return index + 1
        return 0

    def rest(self):
        """Return the count of each gate since the last rest, and start again from 0."""
        passed = self.passed
        self.passed = [0] * len(passed)
        return passed


def read_zero():
    """Return the stored zero, in counts; None if there is none, or it was half written."""
    try:
        with open(ZERO_FILE) as file:
            return float(file.read())
    except (OSError, ValueError):
        return None


def main():
    """Run for ever."""
    node = Node(Board())
    while True:
        node.look()


if __name__ == "__main__":
    main()
