"""A scale's judgement of its messages: the number read, a trouble, a lesson. No input or output.

At rest, with its question asked and something on the tray, it reads a number. It reads again after a change
of half a piece. While pieces are taken from the tray it reads every change; if tray and record still differ
after :data:`LASTS_MS`, that is a trouble. A count that people confirm teaches the weight of a piece, and a
tray that the record has empty teaches the zero.

>>> from vision.scale import from_batches
>>> weighing = Weighing("tray", from_batches([(1000.0, 1)] * 20))
>>> asked = Expected("m", 3, "a game", "a position", question="tray", lying={"tray": 0})
>>> read = weighing.look(asked, [Weight(3010, 4, rests=True)], 0)
>>> [text for _, text in read.candidates]
['total 3']
>>> weighing.look(asked, [Weight(3020, 4, rests=True)], 2000)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from device.sensors.messages import NO_MATCH, Expected, Troubles
from device.telemetry import GatePassed, Health, ScaleMessage, Weight
from device.texts import Said, said
from vision.scale import ENOUGH, Contradiction, PieceCalibration, PieceCount, count_pieces, read_total

LASTS_MS: Final = 4000
"""The time after which a difference between tray and record is a trouble: hands and keys differ in speed."""
SILENT_MS: Final = 6000
"""The time without a message after which the scale is gone: at rest it speaks every 2 s."""
CHANGED: Final = 0.5
"""A weight that differs by less than this share of a piece is the same."""
EMPTY: Final = 0.25
"""A weight of less than this share of a piece is an empty tray's."""
STRANGE: Final = 0.1
"""A weight that gives no count a greater chance than this is not of pieces alone."""
SLIPS: Final = 0.9
"""The chance that the weight is right if a gate counted more: something else broke its beam. A guess; people
are asked.
"""
WELL: Final = ("ok", "rebooted", "gate-blocked")
"""The health with which a weight counts: a gate only guards it."""


class WeightRead(NamedTuple):
    """A number read: ``candidates`` with their chances, the likeliest first; ``why`` it is doubted."""

    candidates: Sequence[tuple[float, str]]
    why: Troubles = ()


class Weighing:
    """One scale under the place ``what``, which is also the name of the table's question.

    ``calibration`` holds the knowledge of the pieces; a lesson replaces it.
    """

    def __init__(self, what: str, calibration: PieceCalibration) -> None:
        """Start with nothing heard; assume that the scale knows its zero until it tells of a restart."""
        self.calibration = calibration
        self._what = what
        self._table: Expected = NO_MATCH
        self._weight: Weight | None = None
        self._health = Health("ok")
        self._zero: float | None = 0.0
        self._empty: tuple[int, float] | None = None
        """The time since which the tray, empty by the record, has this weight, while the zero is unknown."""
        self._known_mg = 0.0
        """The weight above zero that people know: read, or entered."""
        self._last_asked: Weight | None = None
        """The last weight at rest while the question was asked."""
        self._passed: dict[int, int] = {}
        self._ms = 0
        self._heard_ms: int | None = None
        self._differs_ms: int | None = None

    def look(self, table: Expected, messages: Iterable[ScaleMessage], ms: int) -> WeightRead | None:
        """Take ``messages`` since the last look; return a number to read, if any.

        ``ms`` is of a clock that never goes back; ``table`` is the record's.
        """
        self._ms = ms
        self._heard_ms = ms if self._heard_ms is None else self._heard_ms
        self._take_record(table)
        for message in messages:
            self._heard_ms = ms
            self._hear(message)
        self._find_zero()
        self._compare()
        return self._read()

    @property
    def count(self) -> PieceCount | None:
        """The number of pieces; None while the load moves, the scale is hindered, or it knows too little."""
        above = self._above_zero_mg
        if self._weight is None or above is None or not self.calibration.enough:
            return None
        return read_total(count_pieces(above, self._weight.sd_mg, self.calibration))

    @property
    def _strange(self) -> bool:
        """True if something else lies there, or presses on the tray."""
        return self.count is not None and self.count.chance < STRANGE

    @property
    def trouble(self) -> Said | None:
        """The gravest trouble now; None if the scale counts."""
        health = self._health.state
        if self._heard_ms is not None and self._ms - self._heard_ms >= SILENT_MS:
            return said("scale.silent")
        if health not in ("ok", "rebooted"):
            figures = {"gate": "", "noise": "?"}
            figures |= {key: f"{value:g}" for key, value in self._health.figures}
            return said(f"scale.{health}", **figures)
        if self._zero is None:
            return said("scale.rebooted")
        if self._strange:
            return said("scale.strange")
        if self._differs_ms is not None and self._ms - self._differs_ms >= LASTS_MS and (count := self.count):
            lying = self._recorded_pieces or 0
            return said("scale.differs" if lying else "scale.left", number=count.best, lying=lying)
        return None

    @property
    def says(self) -> Said:
        """The status of a scale without trouble."""
        if self._weight is None:
            return said("scale.waiting")
        if not self._weight.rests:
            return said("scale.moving")
        if (count := self.count) is None:
            return said("scale.learning", pieces=self.calibration.pieces, enough=ENOUGH)
        return _say_count(count)

    @property
    def _recorded_pieces(self) -> int | None:
        """The record's number of pieces on the tray, None if unknown."""
        return self._table.lying.get(self._what)

    @property
    def _question_open(self) -> bool:
        """True if something may lie there that the record does not know."""
        return self._table.question == self._what

    @property
    def _above_zero_mg(self) -> float | None:
        """The weight above zero, None unless it is at rest and nothing hinders it."""
        if self._weight and self._weight.rests and self._zero is not None and self._health.state in WELL:
            return self._weight.mg - self._zero
        return None

    @property
    def _piece_mg(self) -> float:
        """The weight of a piece as the cell feels it, in the cell's own mg."""
        return self.calibration.mean_mg / self.calibration.real(1.0)

    def _take_record(self, table: Expected) -> None:
        """Take the record's state; learn a piece's weight if a number answered the question."""
        before, lay, self._table = self._table, self._recorded_pieces, table
        if table.match == before.match and before.question == self._what != table.question:
            self._learn(self._recorded_pieces)
        if (table.match, table.question) != (before.match, before.question):
            self._last_asked = None
            self._passed = {}
            if self._question_open:
                self._known_mg = 0.0
        if (table.match, self._recorded_pieces) != (before.match, lay):
            self._differs_ms = None

    def _learn(self, lying: int | None) -> None:
        if self._last_asked is None or self._zero is None or lying is None:
            return
        self._known_mg = self._last_asked.mg - self._zero
        with suppress(Contradiction):  # it is a trouble while the difference lasts
            self.calibration = self.calibration.confirmed(self._known_mg, lying, self._last_asked.sd_mg)

    def _hear(self, message: ScaleMessage) -> None:
        match message:
            case Weight():
                self._weight = message
                if self._question_open and self._above_zero_mg is not None:
                    self._last_asked = message
            case GatePassed(name, passed):
                self._passed[name] = max(passed, self._passed.get(name, 0))
            case Health(health):
                self._health = message
                if health == "rebooted" and not dict(message.figures).get("zero"):
                    self._zero = self._empty = None

    def _find_zero(self) -> None:
        """Take an empty tray's weight as zero.

        While no zero is known, a load at rest counts as an empty tray only if the record has the tray empty
        for a while: hands are slower than keys.
        """
        weight = self._weight
        if not (weight and weight.rests and self._health.state in WELL and self._recorded_pieces == 0):
            self._empty = None
        elif self._zero is not None:
            if abs(weight.mg - self._zero) < EMPTY * self._piece_mg:
                self._zero = weight.mg
        elif self._question_open:
            self._empty = None
        elif self._empty is None or abs(weight.mg - self._empty[1]) >= EMPTY * self._piece_mg:
            self._empty = self._ms, weight.mg
        elif self._ms - self._empty[0] >= LASTS_MS:
            self._zero = weight.mg

    def _compare(self) -> None:
        """Note the time since which tray and record differ, if the count is beyond doubt."""
        count = self.count
        if self._question_open or count is None or count.doubt or self._recorded_pieces in (None, count.best):
            self._differs_ms = None
        elif self._differs_ms is None:
            self._differs_ms = self._ms

    def _read(self) -> WeightRead | None:
        """Return a number if one is awaited and people do not know it."""
        count, above = self.count, self._above_zero_mg
        if (
            count is None
            or above is None
            or self._strange
            or abs(above - self._known_mg) < CHANGED * self._piece_mg
        ):
            return None
        if not (count.best if self._question_open else self._recorded_pieces):
            return None
        self._known_mg = above
        passed = max(self._passed.values(), default=0) if self._question_open else 0
        if passed > count.best:
            slipped = said("scale.passed", passed=passed, number=count.best)
            return WeightRead(((SLIPS, f"total {count.best}"), (1 - SLIPS, f"total {passed}")), (slipped,))
        counts = ((count.best, count.chance), *(count.others if count.doubt else ()))
        why = (_say_count(count),) if count.doubt else ()
        return WeightRead([(chance, f"total {n}") for n, chance in counts], why)


def _say_count(count: PieceCount) -> Said:
    other = count.others[0][0] if count.others else count.best
    return said("scale.doubt" if count.doubt else "scale.counts", number=count.best, other=other)
