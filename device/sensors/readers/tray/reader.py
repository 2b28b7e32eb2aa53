"""The cube tower's tray through one camera, read with the knowledge of that camera and the copy.

The keshis on it are counted by colour, and picture, total and ledger judged together, at the table as on the
bench. The picture gives the colours and the total the number. Pieces that the camera did not see count as
well, so a total also counts against the camera's doubts. The ledger is soft evidence. Contents that it rules
out are taken for misread only while the picture allows others (:data:`AGAINST`). A clear picture of
impossible contents stays as it is, and people are told: an earlier tray may have been miscounted.

Picture or total may be late or missing. Without a total the picture stands alone, and any doubt about it is
asked. A total alone is left to the rules (:mod:`engines.marrakesh.tower`): it is shown until the camera has
read, never in place of that reading; and the camera reads again with a new total.

The tray is empty before a throw (MK-4.3): so an empty one is as the match has it, and people must say if
nothing came out of a throw. While a hand or anything else but keshis lies there, nothing is reported: the
reader waits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
import numpy as np

from device.sensors.learnt import LearntError, Mount, lens_of
from device.sensors.messages import Expected, Troubles
from device.sensors.readers import FIELDS
from device.sensors.readers.reader import Finding, Reader
from device.sensors.readers.shelf import TeachingSeen
from device.sensors.readers.tray import teaching
from device.sensors.simulated_table import load as load_table
from device.sensors.sources import Picture, PictureFrame, PictureSource
from device.texts import said
from engines import bags
from engines.bags import Bag
from engines.marrakesh.pieces import COLOURS, EACH, KINDS, keshis
from vision.field import Field
from vision.lens import Floats, Lens
from vision.pose import Pose
from vision.scale import SURE as SURE_NUMBER
from vision.scale import Total, weigh_said
from vision.tray.paint import Paint
from vision.tray.palette import (
    BETWEEN,
    FLAT,
    LIGHT,
    MEANS,
    SIDE,
    WITHIN,
    KeshiPalette,
    enrol,
    find_bgr,
    find_chances,
    find_light_effects,
)
from vision.tray.plan import Keshi
from vision.tray.reading import UNSEEN, SeenPiece, TrayDoubt, TrayReading, read
from vision.tray.reconciling import SeenKeshi, TrayContents, reconcile

TRAY: Final = Field(180.0, 140.0, *FIELDS["tray"])
"""The walled tray, by the standard of the printed marker sheets."""


WAITS: Final = frozenset({TrayDoubt.NO_POSE, TrayDoubt.NO_FLOOR, TrayDoubt.FOREIGN})
"""Doubts with which a tray may hold anything."""
EVERYTHING: Final = sum(bags.one(kind, EACH) for kind in range(KINDS))
"""The possible contents of a tray if nothing is known of the tower."""
SURE: Final = 0.94
"""Contents of a tray less likely right than this are doubted.

From 60 ray-traced trays that taught the palette nothing (look ``keep``, even numbers from 29110001, 29118801
and 29119901 on), with the scale: 57 are read exactly. Wrong among those as sure as 0.5: 1 of 57; 0.8: 1 of
55; 0.9: 0 of 52; 0.94: 0 of 52; 0.96: 0 of 51. The reader was made by looking at these same trays.
"""
AGREES: Final = 0.05
"""A total that by itself gives the found count a smaller share than this counted something else."""
MISSED: Final = 0.004
"""The chance that a keshi escapes a camera that a total checks, for each that it sees. Of 996 none did
(:data:`vision.tray.reading.UNSEEN`): at a greater chance one would have in 98 of 100 tries. With it 8 % of
twelve and 15 % of sixteen are doubted for their number (20,000 throws, a spread of 5 %, 40 counted in); at
0.01, 10 and 21 %.
"""
AGAINST: Final = math.exp(-4.0)
"""A picture that gives all possible contents together a smaller chance shows something impossible: as for a
board (:data:`device.sensors.readers.judging.ILLEGAL`).
"""
UNNOTICED: Final = 2
"""The most keshis that may have escaped a camera if a total says more; alone it allows for one."""
SLACK: Final = 1e-4
"""The share that may be missing of a judgement's chances: far less than :data:`SURE` and :data:`LEAST_CHANCE`
tell apart.
"""
LEAST_CHANCE: Final = 0.02
"""Contents with a smaller chance are not reported beside likelier ones."""


class TrayReader(Reader):
    """A reader of one tray: the ``keshi`` is the copy's, the ``palette`` has its colours."""

    blind = frozenset()
    field = TRAY

    def __init__(
        self, lens: Lens, keshi: Keshi, palette: KeshiPalette, taken: TeachingSeen | None = None
    ) -> None:
        """Take the lens and the copy; expect nothing yet; ``taken`` is how the palette's pieces were seen."""
        super().__init__(lens, taken)
        self.keshi, self.palette = keshi, palette

    def expect(self, expected: Expected) -> None:
        """Take the match and step for a reading, the possible contents, and the counted numbers."""
        self._expected = expected

    def _read(self, picture: Picture, _pose: Pose) -> Finding:
        domain = self._expected.domain if self._expected else None
        reading = read(picture, self._lens, TRAY, self._seen, self.keshi, self.palette)
        if domain is None or WAITS.intersection(reading.doubts):
            return self._find_nothing(*(said(f"tray.{doubt.name.lower()}") for doubt in reading.doubts))
        there = EVERYTHING if domain.caps is None else domain.caps
        numbers = dict(self._expected.counted) if self._expected else {}
        judged = judge(reading, there, weigh_said(numbers) if numbers else None)
        answers = tuple((domain.write(one.keshis), one.chance) for one in judged.contents)
        return Finding(None, judged.why, answers=answers, idle=not judged.best and not judged.why)


def open_reader(mount: Mount, source: PictureSource, frame: PictureFrame) -> TrayReader:
    """Open the reader for a camera; a simulated table's keshis are known.

    Raises :class:`.LearntError` without a calibration, and without enrolled keshis: then their size is
    unknown.
    """
    lens = lens_of(mount, source, frame)
    known = teaching.Taught.load(mount.state_dir, mount.camera)
    if known is None and mount.simulated:
        return TrayReader(lens, Keshi(*load_table(mount.simulated).keshi_mm), KeshiPalette())
    if known is None:
        raise LearntError("enrol.unknown")
    return TrayReader(lens, known.keshi, known.palette, known.taken)


# The judgement


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
    escaped = reading.unseen if total is None else max(reading.unseen, MISSED * len(pieces) / UNNOTICED)
    pieces += [SeenKeshi(reading.hidden, escaped)] * (1 if total is None else UNNOTICED)
    fits = (
        _chance_as_it_seems(pieces, there) >= AGAINST
        or reconcile(there, pieces, slack=SLACK).evidence >= AGAINST
    )
    found = reconcile(there if fits else EVERYTHING, pieces, total, slack=SLACK)
    likely = found.told or reconcile(there, pieces, slack=SLACK).told
    best, *others = likely or (TrayContents(keshis(reading.counts), 0.0),)
    contents = (best, *(one for one in others if one.chance >= LEAST_CHANCE))
    why, figures = [f"tray.{doubt.name.lower()}" for doubt in reading.doubts], dict[str, int]()
    if total is not None:
        count, likeliest = bags.total(best.keshis), total.index(max(total))
        if sum(total[count : count + 1]) >= AGREES * math.fsum(total) and found.number >= SURE_NUMBER:
            why = []
        else:
            why.insert(0, "tray.left" if count == likeliest else "tray.total")
        figures = {"total": likeliest, "seen": bags.total(keshis(reading.counts))}
    if best.chance < SURE and not why:
        colour = others and bags.total(others[0].keshis) == bags.total(best.keshis)
        why = ["tray.colour" if colour else "tray.piece"]
    return TrayJudgement(contents, tuple(said(key, **figures) for key in dict.fromkeys(why)), fits)


def _chance_as_it_seems(pieces: Sequence[SeenKeshi], there: Bag) -> float:
    """Return the chance that every piece is what it seems, 0 if that cannot lie there.

    It is at most :attr:`.Reconciled.evidence`, and quick to compute.
    """
    contents, chance = 0, 1.0
    for piece in pieces:
        kind = max(range(KINDS), key=piece.colours.__getitem__)
        one = piece.chance * piece.colours[kind] / math.fsum(piece.colours)
        contents += bags.one(kind, one > 1 - piece.chance)
        chance *= max(one, 1 - piece.chance)
    possible = all(bags.count(contents, kind) <= bags.count(there, kind) for kind in range(KINDS))
    return chance if possible else 0.0


# Drawn readings


class DrawnCamera:
    """A camera over one copy's tray: the real judgement of colours drawn from the measured errors.

    It replaces a picture that takes a quarter of a second to paint and read. Pieces are of the shipped
    colours (:mod:`vision.tray.palette`), with their variation from copy to copy, from light to light and from
    piece to piece; one goes unnoticed as often as :data:`vision.tray.reading.UNSEEN` says. Covers, stacks and
    shadows are left out.
    """

    def __init__(self, seed: int) -> None:
        """Draw the copy's own colours, and enrol them with one keshi of each."""
        self._rng = np.random.default_rng(seed)
        self._means = np.array(MEANS) + self._rng.multivariate_normal(np.zeros(9), BETWEEN, len(MEANS))
        self._effects = find_light_effects(self._means)
        strip = self._draw_paints(range(KINDS))
        self._palette = enrol({colour: [paint] for colour, paint in zip(COLOURS, strip, strict=True)})

    def sees(self, kinds: Iterable[int]) -> TrayReading:
        """Return a reading of a tray with pieces of these kinds."""
        seen = [kind for kind in kinds if self._rng.random() >= UNSEEN]
        rows = find_chances(self._draw_paints(seen), self._palette)
        return TrayReading(tuple(SeenPiece(0.0, 0.0, tuple(row.tolist()), 0.999) for row in rows), UNSEEN)

    def reads(self, kinds: Iterable[int], there: Bag, numbers: Mapping[int, float]) -> tuple[Bag, bool]:
        """Return the proposal for the tray, and whether it is doubted; ``numbers`` were counted."""
        judged = judge(self.sees(kinds), there, weigh_said(numbers) if numbers else None)
        return judged.best, bool(judged.why) or not judged.fits

    def _draw_paints(self, kinds: Iterable[int]) -> list[Paint]:
        """Return the paints of pieces in one light."""
        light = self._rng.multivariate_normal(np.zeros(len(LIGHT)), LIGHT)
        return [self._draw_paint(self._means[kind] + self._effects[kind] @ light) for kind in kinds]

    def _draw_paint(self, usual: Floats) -> Paint:
        """Return the paint of a piece whose colour usually looks so, (9,)."""
        flat = bool(self._rng.random() < 0.5)
        lies = np.repeat(np.array([[1.0, 0.0, 0.0]]), 3, axis=0) * np.array(FLAT if flat else SIDE)[:, None]
        figures = usual + self._rng.multivariate_normal(np.zeros(9), WITHIN) + lies.ravel()
        deep, dull, middle = (tuple(part) for part in find_bgr(figures.reshape(3, 3)).tolist())
        return Paint(deep, dull, middle, flat=flat)
