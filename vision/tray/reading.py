"""Reading a tray: a picture in; its pieces out, with chances and doubts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.field import Field, FieldSight, whites
from vision.lens import Floats, Lens, Picture
from vision.pose import Pose
from vision.tray.floor import EDGE, FloorSeen, find_floor
from vision.tray.paint import Paint, find_brightest, find_white, measure_paint, measure_shares
from vision.tray.palette import COLOURS, KINDS, KeshiPalette, find_chances
from vision.tray.plan import PPM, Caster, Keshi, Plan, Plane, rectify
from vision.tray.search import LIGHT, PiecesFound, search
from vision.tray.table import FoundPlace

UNSEEN, UNSEEN_LIGHT, UNSEEN_TROUBLED = 0.004, 0.02, 0.2
"""The chances that a piece lies on a tray unnoticed: if nothing looks strange; on a light floor, which may
hide a white one; and if something looks strange.

In 110 ray-traced trays (look ``tune``, numbers from 100 and from 300 on), 19 of them light, something was
found at each of the 996 pieces.
"""
HIDDEN_LIGHT = np.where(np.array(COLOURS) == "white", 0.8, 0.2 / (KINDS - 1))
"""The chance of each colour for a piece that a light floor hides."""
SPECK_MM2 = 25.0
"""Evidence that no piece explains on less than this area is an edge, a speck or a shadow.

Of those 110 and the 16 samples 17 have more than 8 mm² left and 2 more than 25; none of these lacked a piece.
"""
EDGE_MM2 = 8.0
"""That much of it at the floor's edge is a piece that lies there. None of the 16 samples has more than 4."""
EDGE_MM, SURELY = 6.0, 0.9
"""A thing whose middle is nearer to the floor's edge than the first, and whose chance is below the second,
lies on the edge.
"""
FOREIGN_PIECES = 3.0
"""Something smooth of another colour than the floor that covers as much as so many pieces is no piece."""
FLOOR_SHARE, BARE_SHARE = 0.5, 0.4
"""The least share of the floor in view, and of bare floor in that, for a reading."""
PATTERN = 0.01
"""If more than this share of the floor is sharp edges without a piece, it is no plain floor, or none at all.

The 16 samples have up to 0.004, painted chequered floors 0.03 to 0.3.
"""
CLIPPED_SHARE = 0.3
"""If more than this share of a floor is as white as can be, white pieces cannot be seen."""
MIXED = 0.55
"""A piece with more than this share of another colour is not one piece, or not at the place found.

Gloss and reflexes give a single piece up to 0.51 (4 of 996 have more than 0.3).
"""
_EDGE_BAND_MM = 1.5
NOTHING, LIKELY = 0.05, 0.5
"""The chance below which a thing is no piece, and the one above which it looks like one."""
PIECE = (-10.5, 10.9, 11.5)
"""The weights of that chance: a constant, the score, and the edges along its own outline.

By logistic regression over 1037 things found in the same 110 ray-traced trays, 41 of which were nothing:
these lie between pieces and have at most 0.17 of an outline of their own, pieces at least 0.17. With weights
from the other trays 1 is misjudged. The weights are drawn a little towards 0, as other pictures differ more.
"""

SLOT_MM = 7.0
"""The largest distance of a piece from the middle of its slot."""
ENROLLED = 0.8
"""The least chance of a piece that is enrolled."""


class TrayDoubt(Enum):
    """A cause that may make a reading wrong, whatever its pieces look like."""

    NO_POSE = "no pose"
    """The markers do not give the place of the tray."""
    NO_FLOOR = "no floor"
    """Hardly any bare floor is in view, or it is not plain: something covers the tray."""
    FOREIGN = "foreign"
    """Something lies in the tray that is no piece: a hand?"""
    LEFT = "left"
    """No piece explains something in view: pieces may lie on one another."""
    EDGE = "edge"
    """A piece seems to lie on the tray's edge."""
    GLARE = "glare"
    """The floor is so bright that white pieces do not show on it."""
    STACKED = "stacked"
    """A piece shows two colours: two pieces lie on one another?"""


class SeenPiece(msgspec.Struct, frozen=True):
    """A thing that may be a keshi: its middle in mm, the chances of each of :data:`COLOURS` if it is one
    (they sum to 1), the chance that it is one at all, and the share of another colour ``mixed`` in.
    """

    x_mm: float
    y_mm: float
    colours: tuple[float, ...]
    chance: float
    mixed: float = 0.0

    @property
    def colour(self) -> str:
        """The likeliest colour."""
        return COLOURS[int(np.argmax(self.colours))]


class TrayReading(msgspec.Struct, frozen=True):
    """A tray in a picture: ``pieces`` are all possible ones, ``unseen`` is the chance that one more lies
    there, of which ``hidden`` are the chances of each colour.

    The number of each colour follows from knowledge of the possible contents, which is elsewhere.
    """

    pieces: tuple[SeenPiece, ...]
    unseen: float
    doubts: tuple[TrayDoubt, ...] = ()
    hidden: tuple[float, ...] = (1 / KINDS,) * KINDS

    @property
    def counts(self) -> dict[str, int]:
        """The counts above 0: the likeliest colour of each thing that is more likely a piece than not."""
        seen = [piece.colour for piece in self.pieces if piece.chance > LIKELY]
        return {colour: seen.count(colour) for colour in COLOURS if colour in seen}


def read(
    picture: Picture,
    lens: Lens,
    field: Field,
    sight: FieldSight,
    keshi: Keshi,
    palette: KeshiPalette | None = None,
) -> TrayReading:
    """Read a tray whose floor is the ``field`` found in the picture."""
    if sight.pose is None:
        return TrayReading((), 1.0, (TrayDoubt.NO_POSE,))
    looked = look(picture, lens, field, sight, sight.pose, keshi)
    paints = looked.measure_paints()
    rows = find_chances(paints, palette)
    light = looked.seen.light > LIGHT
    hidden = HIDDEN_LIGHT if light else np.full(KINDS, 1 / KINDS)
    pieces = []
    for each, row, one in zip(looked.things, rows, paints, strict=True):
        chance = find_piece_chance(each)
        # What hardly stands out from a light floor may lie beside the place found, with other colours there.
        colours = chance * row + (1 - chance) * hidden if light else row
        pieces.append(SeenPiece(each.place.x_mm, each.place.y_mm, tuple(colours.tolist()), chance, one.mixed))
    troubles = looked.find_troubles()
    unseen = UNSEEN_TROUBLED if troubles else UNSEEN_LIGHT if light else UNSEEN
    stacked = (TrayDoubt.STACKED,) if any(piece.mixed > MIXED for piece in pieces) else ()
    return TrayReading(tuple(pieces), unseen, (*troubles, *stacked), tuple(hidden.tolist()))


class HalfRead(msgspec.Struct, frozen=True):
    """A half-read picture: the plan's picture, its shares of white, the floor, and the things found on it."""

    caster: Caster
    flat: Picture
    share: NDArray[np.float32]
    seen: FloorSeen
    finding: PiecesFound

    @property
    def things(self) -> list[FoundPlace]:
        """All things that may be pieces."""
        return [each for each in self.finding.found if find_piece_chance(each) > NOTHING]

    def measure_paints(self) -> list[Paint]:
        """Return the paints of :attr:`things`."""
        best = find_brightest(self.share, self.seen)
        return [measure_paint(self.share, self.seen, self.caster, each, best) for each in self.things]

    def _is_on_edge(self, found: FoundPlace) -> bool:
        """Return True if the edge cuts a thing so that it may be a piece or nothing."""
        place, plan = found.place, self.seen.plan
        near = min(place.x_mm, place.y_mm, plan.width_mm - place.x_mm, plan.height_mm - place.y_mm)
        return near < EDGE_MM and find_piece_chance(found) < SURELY

    def _is_patterned(self) -> bool:
        """Return True if the floor is full of edges without a piece; a wall's foot does not count."""
        inner = cv2.erode(self.seen.floor.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
        alone = self.seen.sharp[inner & (self.finding.left > -1)]
        return float((alone > EDGE).sum()) > PATTERN * max(len(alone), 1)

    def find_troubles(self) -> tuple[TrayDoubt, ...]:
        """Return the doubts about a tray, whatever its pieces look like."""
        seen, doubts = self.seen, []
        floor = float(seen.floor.sum())
        bare = seen.bare & ~seen.strange
        whole = seen.plan.width_mm * seen.plan.height_mm * PPM**2
        if floor < FLOOR_SHARE * whole or bare.sum() < BARE_SHARE * floor or self._is_patterned():
            doubts.append(TrayDoubt.NO_FLOOR)
        strange = float(seen.strange.sum()) / PPM**2
        if strange > FOREIGN_PIECES * self.caster.keshi.covers_mm2:
            doubts.append(TrayDoubt.FOREIGN)
        left, at_edge = measure_left(seen, self.finding.left)
        if at_edge > EDGE_MM2 or any(self._is_on_edge(each) for each in self.things):
            doubts.append(TrayDoubt.EDGE)
        elif left > SPECK_MM2:
            doubts.append(TrayDoubt.LEFT)
        clipped = cv2.inRange(self.flat, np.full(3, 250), np.full(3, 255)) > 0
        if float((clipped & bare).sum()) > CLIPPED_SHARE * bare.sum():
            doubts.append(TrayDoubt.GLARE)
        return tuple(doubts)


def look(picture: Picture, lens: Lens, field: Field, sight: FieldSight, pose: Pose, keshi: Keshi) -> HalfRead:
    """Find the things on a floor, without their colours and chances."""
    plan = Plan(field.width_mm, field.height_mm)
    flat = rectify(picture, lens, pose, plan)
    share = measure_shares(flat, find_white(whites(picture, sight.markers)))
    seen = find_floor(share, plan, keshi.covers_mm2)
    caster = Caster(plan, keshi, pose.camera_mm)
    return HalfRead(caster, flat, share, seen, search(seen, caster))


def find_piece_chance(found: FoundPlace) -> float:
    """Return the chance that a found thing is a piece."""
    constant, score, own = PIECE
    return 1 / (1 + math.exp(-(constant + score * found.score + own * found.own)))


def measure_left(seen: FloorSeen, left: Plane) -> tuple[float, float]:
    """Measure areas, mm², with evidence for a piece where none was found.

    Returns the largest of all, and the largest that touches the floor's edge; thin lines do not count.
    """
    strong = ((left > 0.9) & seen.floor).astype(np.uint8)
    broad = cv2.morphologyEx(strong, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    if not broad.any():
        return 0.0, 0.0
    _, areas, stats, _ = cv2.connectedComponentsWithStats(broad, connectivity=4)
    sizes = stats[:, cv2.CC_STAT_AREA] / PPM**2
    sizes[0] = 0.0  # the background
    edge = (seen.plan.mask_floor() > 0) & ~(seen.plan.mask_floor(_EDGE_BAND_MM) > 0)
    return float(sizes.max()), float(sizes[areas[edge]].max())


def read_strip(
    picture: Picture,
    lens: Lens,
    field: Field,
    sight: FieldSight,
    keshi: Keshi,
    slots_mm: Floats,
    colours: Sequence[str] = COLOURS,
) -> dict[str, Paint]:
    """Return the paints of the pieces in the slots, by colour; slots without a piece are left out.

    ``slots_mm`` are the slots' middles, (N, 2) mm of the strip's ``field``, one for each of ``colours``.
    Raises ValueError if the strip's markers do not give its place.
    """
    if sight.pose is None:
        raise ValueError("the strip is not in view")
    looked = look(picture, lens, field, sight, sight.pose, keshi)
    found: dict[str, Paint] = {}
    # The surest come first.
    for thing, one in zip(looked.things, looked.measure_paints(), strict=True):
        far = np.hypot(*(slots_mm - [thing.place.x_mm, thing.place.y_mm]).T)
        slot = int(far.argmin())
        if far[slot] <= SLOT_MM and find_piece_chance(thing) >= ENROLLED:
            found.setdefault(colours[slot], one)
    return found
