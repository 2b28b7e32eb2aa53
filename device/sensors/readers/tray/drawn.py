"""A camera's reading of a tray, drawn: the real judgement on colours drawn from the errors that were
measured.

It stands for a picture that takes a quarter of a second to paint and read. Pieces are of the shipped colours
(:mod:`vision.tray.prior`), off from copy to copy and from piece to piece as there; one goes unnoticed as
often as :data:`vision.tray.reading.UNSEEN` says. What covers the tray, stacks and shadows are not in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from device.sensors.readers.tray.judging import judge
from engines.bags import Bag
from engines.marrakesh.keshis import COLOURS
from vision.tray.counting import said
from vision.tray.paint import Paint
from vision.tray.palette import bgr, chances, enrolled
from vision.tray.prior import BETWEEN, FLAT, MEANS, SIDE, WITHIN
from vision.tray.reading import UNSEEN, SeenPiece, TrayReading


class DrawnCamera:
    """One camera over one copy's tray."""

    def __init__(self, seed: int) -> None:
        """Draw the copy's own colours, and enrol them with one keshi of each."""
        self._rng = np.random.default_rng(seed)
        self._means = np.array(MEANS) + self._rng.multivariate_normal(np.zeros(9), BETWEEN, len(MEANS))
        self._palette = enrolled({colour: [self._paint(kind)] for kind, colour in enumerate(COLOURS)})

    def sees(self, kinds: Iterable[int]) -> TrayReading:
        """Return a reading of a tray with pieces of these kinds."""
        seen = [kind for kind in kinds if self._rng.random() >= UNSEEN]
        rows = chances([self._paint(kind) for kind in seen], self._palette)
        return TrayReading(tuple(SeenPiece(0.0, 0.0, tuple(row.tolist()), 0.999) for row in rows), UNSEEN)

    def reads(self, kinds: Iterable[int], there: Bag, numbers: Mapping[int, float]) -> tuple[Bag, bool]:
        """Return what is proposed for the tray, and whether it is doubted; ``numbers`` were counted."""
        judged = judge(self.sees(kinds), there, said(numbers) if numbers else None)
        return judged.best, bool(judged.why) or not judged.fits

    def _paint(self, kind: int) -> Paint:
        flat = bool(self._rng.random() < 0.5)
        lies = np.repeat(np.array([[1.0, 0.0, 0.0]]), 3, axis=0) * np.array(FLAT if flat else SIDE)[:, None]
        figures = self._means[kind] + self._rng.multivariate_normal(np.zeros(9), WITHIN) + lies.ravel()
        deep, dull, middle = (tuple(part) for part in bgr(figures.reshape(3, 3)).tolist())
        return Paint(deep, dull, middle, (1.0, 1.0, 1.0), flat=flat)
