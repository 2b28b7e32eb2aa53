"""The verdict of picture, total and ledger on a tray: one judgement, at the table and on the bench.

The picture gives the colours and the total the number. Pieces that the camera did not see count as well, so a
total also counts against the camera's doubts. The ledger is soft evidence. Contents that it rules out are
taken for misread only while the picture allows others (:data:`AGAINST`). A clear picture of impossible
contents stays as it is, and people are told: an earlier tray may have been miscounted.

Picture or total may be late or missing. Without a total the picture stands alone, and any doubt about it is
asked. A total alone is left to the rules (:mod:`engines.marrakesh.layouts`): it is shown until the camera has
read, never in place of that reading; and the camera reads again with a new total.

Nothing here needs a picture or OpenCV.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
import numpy as np

from device.sensors.messages import Troubles
from device.texts import said
from engines import bags
from engines.bags import Bag
from engines.marrakesh.keshis import COLOURS, EACH, KINDS, keshis
from vision.scale import counting
from vision.tray.counting import Total
from vision.tray.counting import said as counted
from vision.tray.paint import Paint
from vision.tray.palette import LIES, bgr, chances, enrolled
from vision.tray.prior import BETWEEN, MEANS, WITHIN
from vision.tray.reading import UNSEEN, SeenPiece, TrayReading
from vision.tray.reconciling import SeenKeshi, TrayContents, reconcile, unnoticed

EVERYTHING: Final = sum(bags.one(kind, EACH) for kind in range(KINDS))
"""The possible contents of a tray if nothing is known of the tower."""
SURE: Final = 0.94
"""Contents of a tray less likely right than this are doubted; of their number :data:`.counting.SURE`.

Of 100 ray-traced trays with the scale (look ``keep`` from 29110001 and 29118801, ``tune`` from 29130001) 21
are below; of the others none is wrong, and one is expected to be.
"""
AGREES: Final = 0.05
"""A total that by itself gives the found count a smaller share than this counted something else."""
AGAINST: Final = math.exp(-4.0)
"""A picture that gives all possible contents together a smaller chance shows something impossible: as for a
board (:data:`device.sensors.readers.judging.ILLEGAL`).
"""
UNNOTICED: Final = 2
"""The most keshis that may have escaped a camera if a total says more; alone it allows for one."""
SLACK: Final = 1e-4
"""The share that may be missing of a judgement's chances: far less than :data:`SURE` and :data:`TOLD` tell
apart.
"""
TOLD: Final = 0.02
"""Contents with a smaller chance are not told beside likelier ones."""


class TrayJudgement(msgspec.Struct, frozen=True):
    """The possible contents of a tray, the likeliest first, at least one; ``why`` people are asked.

    With ``fits`` all of them can lie there; without it the picture shows them, but they cannot.
    """

    contents: tuple[TrayContents, ...]
    why: Troubles = ()
    fits: bool = True

    @property
    def best(self) -> Bag:
        """The most probable contents."""
        return self.contents[0].keshis


def judge(reading: TrayReading, there: Bag = EVERYTHING, total: Total | None = None) -> TrayJudgement:
    """Return the contents of a tray in a picture; ``there`` are all keshis that can lie there, thrown or
    inside.

    ``total`` weighs every number of keshis, None if nobody counted or weighed them.
    """
    pieces = [SeenKeshi(piece.colours, piece.chance) for piece in reading.pieces]
    escaped = 1 if total is None else UNNOTICED
    pieces += [unnoticed(reading.unseen / escaped)] * escaped
    seen = reconcile(there, 0, pieces, slack=SLACK)
    fits = seen.evidence >= AGAINST
    found = reconcile(there if fits else EVERYTHING, 0, pieces, total, slack=SLACK)
    told = found.told or seen.told
    best, *others = told or (TrayContents(keshis(reading.counts), 0.0),)
    contents = (best, *(one for one in others if one.chance >= TOLD))
    why, figures = [f"tray.{doubt.name.lower()}" for doubt in reading.doubts], dict[str, int]()
    if total is not None:
        count, likeliest = bags.total(best.keshis), total.index(max(total))
        agrees = sum(total[count : count + 1]) >= AGREES * math.fsum(total)
        if agrees and found.number >= counting.SURE:
            why = []
        else:
            why.insert(0, "tray.left" if count == likeliest else "tray.total")
        figures = {"total": likeliest, "seen": bags.total(keshis(reading.counts))}
    if best.chance < SURE and not why:
        colour = others and bags.total(others[0].keshis) == bags.total(best.keshis)
        why = ["tray.colour" if colour else "tray.piece"]
    return TrayJudgement(contents, tuple(said(key, **figures) for key in dict.fromkeys(why)), fits)


class DrawnCamera:
    """A camera over one copy's tray: the real judgement of colours drawn from the measured errors.

    It replaces a picture that takes a quarter of a second to paint and read. Pieces are of the shipped
    colours (:mod:`vision.tray.prior`), with their variation from copy to copy and from piece to piece; one
    goes unnoticed as often as :data:`vision.tray.reading.UNSEEN` says. Covers, stacks and shadows are left
    out.
    """

    def __init__(self, seed: int) -> None:
        """Draw the copy's own colours, and enrol them with one keshi of each."""
        self._rng = np.random.default_rng(seed)
        self._means = np.array(MEANS) + self._rng.multivariate_normal(np.zeros(9), BETWEEN, len(MEANS))
        self._palette = enrolled({colour: [self._paint(kind)] for kind, colour in enumerate(COLOURS)})

    def sees(self, kinds: Iterable[int]) -> TrayReading:
        """Return a reading of a tray with pieces of these kinds."""
        seen = [kind for kind in kinds if self._rng.random() >= UNSEEN]
        rows = chances([self._paint(kind) for kind in seen], self._palette)
        pieces = tuple(SeenPiece(0.0, 0.0, tuple(row.tolist()), 0.999) for row in rows)
        return TrayReading(pieces, UNSEEN * len(seen))

    def reads(self, kinds: Iterable[int], there: Bag, numbers: Mapping[int, float]) -> tuple[Bag, bool]:
        """Return the proposal for the tray, and whether it is doubted; ``numbers`` were counted."""
        judged = judge(self.sees(kinds), there, counted(numbers) if numbers else None)
        return judged.best, bool(judged.why) or not judged.fits

    def _paint(self, kind: int) -> Paint:
        flat = bool(self._rng.random() < 0.5)
        figures = self._rng.multivariate_normal(self._means[kind], WITHIN) + LIES[int(flat)]
        deep, dull, middle = (tuple(part) for part in bgr(figures.reshape(3, 3)).tolist())
        return Paint(deep, dull, middle, flat=flat)
