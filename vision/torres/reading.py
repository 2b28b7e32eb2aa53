"""A Torres board read from one picture: the best layout, its alternatives, and the spaces that are hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from vision.lens import Lens, Picture
from vision.pose import Pose
from vision.torres import CELLS, COLOURS, Colour, Coloured, CopySizes, colours, finding, painter
from vision.torres.finding import CameraView
from vision.torres.held import HIDDEN, HIDDEN_PIECE, Spot, shown
from vision.torres.painter import FACES, PER_CELL, Canvas, PaintedStand
from vision.torres.search import LayoutSearch, SpotOption

THIN = 2
"""The step of rows and columns for foreign things, which are large."""

TEMPER = 10.0
"""Log evidence that counts as one unit of log odds: pixels agree more than chance would have it."""

FLED = 30.0
"""Log evidence against an alternative in which a hidden piece has vanished and stands nowhere else."""

MARGIN = 30.0
"""Log evidence by which the best layout must lead the next, or the reading is not sure."""

MARGIN_COLD = 80.0
"""The same without an earlier layout, when one misread space makes others fit it. Of 64 boards, 25 of them
with misread spaces, mostly behind stacks, a margin of 60 left 5 with a misread space that was not doubted, 80
one; with 80 a board has 8 doubted spaces on average.
"""

STEEP_DEG = 70.0
"""Elevation above which a camera sees too little of blocks' sides."""

MARGIN_STEEP = 90.0
"""The margin at such an elevation."""

POOR = -16.0
"""The log density below which a pixel is badly explained."""

FOREIGN = 0.5
"""A space with more than this share of its visible pixels badly explained shows something foreign."""

LITTLE = 0.12
"""If more than this share of all visible pixels is badly explained, the picture shows something else, such as
a photograph or a cloth. Then no space is known. Of 18 pictures of boards one has 0.06, the others up to 0.04;
ten of other things behind a board's markers had 0.17 and more.
"""

FOREIGN_COLOUR, FOREIGN_LEAST = 75.0, 60
"""A face of at least so many pixels whose colour is so many squared deviations from its kind's belongs to no
board. Over 45 pictures the strangest true face had 43; gray, skin and purple patches on a board had 160 and
more.
"""

ALTERNATIVES = 32
"""The most other layouts in a reading."""


class BoardReading(msgspec.Struct, frozen=True):
    """A board in a picture.

    ``alternatives`` are other layouts with their log odds against the best (below 0), best first. ``doubted``
    are the spaces that may hold something else than in the best layout, ``unknown`` those that show something
    foreign, such as a hand. ``hidden`` are those where stacks in front hide whether a block came or went:
    with an earlier layout they count as unchanged, and possible changes there are among the alternatives.
    ``steep`` is True if the camera sees too little of the blocks' sides.
    """

    best: Coloured
    alternatives: tuple[tuple[Coloured, float], ...]
    doubted: frozenset[int]
    unknown: frozenset[int]
    hidden: frozenset[int]
    steep: bool

    @property
    def clear(self) -> bool:
        """True if everything visible is beyond doubt; hidden parts may still have changed."""
        return not self.doubted and not self.unknown


class BoardScene:
    """A board in one picture, or in several taken at the same time, ready to be read.

    Results for one question serve the next. :meth:`of` and :meth:`beside` make scenes. ``full`` is the first
    picture, ``canvas`` its board's.
    """

    def __init__(
        self, full: Picture, views: Sequence[CameraView], copy: CopySizes, before: Coloured | None
    ) -> None:
        self.full, self.views, self.before = full, tuple(views), before
        self._copy = copy
        self._found: tuple[LayoutSearch, finding.Options] | None = None
        self.unknown: frozenset[int] = frozenset()
        """The spaces that show something foreign, after the search."""

    @classmethod
    def of(
        cls,
        picture: Picture,
        lens: Lens,
        pose: Pose,
        copy: CopySizes,
        before: Coloured | None = None,
        earlier: Picture | None = None,
    ) -> BoardScene:
        """Make a scene of one picture; raises ValueError if the lens does not fit.

        ``before`` is the last certain layout, ``earlier`` the picture that it was read from, by the same
        camera at the same place.
        """
        return cls(picture, (_make_view(picture, lens, pose, copy, earlier),), copy, before)

    def beside(self, picture: Picture, lens: Lens, pose: Pose, earlier: Picture | None = None) -> BoardScene:
        """Add a picture by another camera to the scene; raises ValueError if its lens does not fit."""
        view = _make_view(picture, lens, pose, self._copy, earlier)
        return BoardScene(self.full, (*self.views, view), self._copy, self.before)

    @property
    def canvas(self) -> Canvas:
        """The canvas of the first picture."""
        return self.views[0].canvas

    @property
    def steep(self) -> bool:
        """True if no camera sees enough of the blocks' sides."""
        return min(view.canvas.pose.elevation_deg for view in self.views) > STEEP_DEG

    def searched(self) -> tuple[LayoutSearch, finding.Options]:
        """Search the best layout and, by space, its alternatives.

        A view with something foreign in it is left out if another has none.
        """
        if self._found is None:
            self._found = self._search(self.views)
            held, _ = self._found
            foreign = [_find_foreign(view) for view in (held, *held.beside)]
            if held.beside and any(foreign):
                # A foreign thing in one view bends the joint reading: each view is read by itself.
                clean = [view for view in self.views if not _find_foreign(self._search([view])[0])]
                if clean and len(clean) < len(self.views):
                    self._found = self._search(clean)
                    held, _ = self._found
                    foreign = [_find_foreign(view) for view in (held, *held.beside)]
            self.unknown = frozenset[int]().union(*foreign)
        return self._found

    def _search(self, views: Sequence[CameraView]) -> tuple[LayoutSearch, finding.Options]:
        return finding.search_anew(views) if self.before is None else finding.search_from(views, self.before)


def _make_view(
    picture: Picture, lens: Lens, pose: Pose, copy: CopySizes, earlier: Picture | None
) -> CameraView:
    if not lens.fits(picture):
        raise ValueError(
            f"a picture of {picture.shape[1]} x {picture.shape[0]} px is not the lens's {lens.size}"
        )
    canvas = painter.canvas(lens, pose, copy)
    small = canvas.picture(picture)
    then = None if earlier is None else colours.to_lab(canvas.picture(earlier))
    return CameraView(canvas, small, colours.to_lab(small), then)


def read(scene: BoardScene) -> BoardReading:
    """Find the layout that explains a picture best."""
    held, options = scene.searched()
    flat = MARGIN if scene.before is not None else MARGIN_COLD
    least = MARGIN_STEEP if scene.steep else flat
    hidden = frozenset(finding.find_hidden(held))
    others = [
        one for some in options.values() for one in some if shown(one.spot) != shown(held.spot(one.cell))
    ]
    near = frozenset(one.cell for one in others if -one.gain < least)
    lost = _find_lost(held, scene.before)
    found = _list_alternatives(held, others, hidden, lost)
    return BoardReading(
        held.layout(),
        tuple((layout, gain / TEMPER) for layout, gain in found),
        (near - hidden).union(lost),
        scene.unknown,
        hidden,
        scene.steep,
    )


def _find_lost(held: LayoutSearch, before: Coloured | None) -> dict[int, list[Spot]]:
    """Return by space the pieces that may stand there unseen: pieces do not leave the table, so a missing one
    is hidden.
    """
    if before is None:
        return {}
    had, has = (Counter(colour for _, colour in one.pieces) for one in (before, held.layout()))
    gone = [COLOURS.index(colour) for colour in had - has]
    lost: dict[int, list[Spot]] = {}
    for cell, (height, stand) in enumerate(held.spots()):
        for colour in gone if stand is None else ():
            spot = height, PaintedStand(colour)
            if held.would_show(cell, spot) < 2 * HIDDEN_PIECE:
                lost.setdefault(cell, []).append(spot)
    return lost


def _list_alternatives(
    held: LayoutSearch, others: list[SpotOption], hidden: frozenset[int], lost: dict[int, list[Spot]]
) -> list[tuple[Coloured, float]]:
    """Return other layouts with their losses: one space changed, a piece moved, or a lost one at a possible
    place.
    """
    found: dict[tuple[tuple[int, tuple[int, Colour | None]], ...], float] = {}

    def name(gain: float, *changes: tuple[int, Spot]) -> None:
        look = tuple(sorted((cell, shown(spot)) for cell, spot in changes))
        found[look] = max(gain, found.get(look, gain))

    for cell, spots in lost.items():
        for spot in spots:
            name(0.0, (cell, spot))
    gone = {
        (one.cell, stand.colour): one
        for one in sorted(others, key=lambda one: one.gain)
        if (stand := held.pieces[one.cell]) and one.spot == (held.heights[one.cell], None)
    }
    for one in others:
        stand, now = one.spot[1], held.pieces[one.cell]
        # A piece that vanishes only where it could hardly be seen has not left the table.
        fled = FLED if now and not stand and one.cell in hidden else 0.0
        name(one.gain - fled, (one.cell, one.spot))
        if stand is not None and (now is None or now.colour != stand.colour):
            for (cell, colour), other in gone.items():
                if colour == stand.colour and cell != one.cell:
                    name(one.gain + other.gain, (one.cell, one.spot), (cell, other.spot))
    ranked = sorted(((look, min(gain, 0.0)) for look, gain in found.items()), key=lambda one: -one[1])
    layout = held.layout()
    return [(_change_cells(layout, dict(look)), gain) for look, gain in ranked[:ALTERNATIVES]]


def weigh(scene: BoardScene, layouts: Sequence[Coloured]) -> tuple[float, ...]:
    """Return the log evidence of layouts, over the same pixels for all: only differences have a meaning."""
    held, _ = scene.searched()
    views, known = (held, *held.beside), held.spots()
    painted = [np.tile(view.labels, (1 + len(layouts), 1)) for view in views]
    for number, layout in enumerate(layouts, 1):
        held.place(layout, known)
        for view, seen in zip(views, painted, strict=True):
            seen[number] = view.labels
    held.hold(known)
    each = [
        view.evidence.judged([view.evidence.patch(seen)], view.explained())[0].worth[1:].tolist()
        for view, seen in zip(views, painted, strict=True)
    ]
    return tuple(sum(worth) for worth in zip(*each, strict=True))


def crop(scene: BoardScene, cell: int, margin: float = 0.5) -> Picture:
    """Cut a space out of the picture, up to its possible height, with some surroundings."""
    held, _ = scene.searched()
    left, top, right, bottom = scene.canvas.reach(cell, held.heights[cell] + 1).box
    by, (x, y) = scene.canvas.shrink, scene.canvas.origin
    wide, high = int(margin * (right - left)), int(margin * (bottom - top) / 2)
    rows = slice(max(0, (y + top - high) * by), max(1, (y + bottom + high) * by))
    columns = slice(max(0, (x + left - wide) * by), max(1, (x + right + wide) * by))
    return scene.full[rows, columns].copy()


def _find_foreign(held: LayoutSearch) -> frozenset[int]:
    """Return the spaces that show something foreign: of a strange colour, or unexplained."""
    evidence = held.evidence.thinned(THIN)
    labels = held.labels[evidence.everywhere]
    faces = labels >= FACES
    owner = (labels[faces].astype(np.intp) - FACES) // PER_CELL
    number = THIN**2 * np.bincount(owner, minlength=CELLS)
    poor = THIN**2 * np.bincount(
        owner, evidence.whole(held.labels).density[evidence.everywhere][faces] < POOR, CELLS
    )
    if poor.sum() > LITTLE * number.sum():
        return frozenset(range(CELLS))
    found = set(np.flatnonzero((number >= HIDDEN) & (poor > FOREIGN * number)).tolist())
    those, shown_in, strange = evidence.strangers(held.labels)
    odd = those[(strange > FOREIGN_COLOUR) & (THIN**2 * shown_in >= FOREIGN_LEAST)]
    return frozenset(found | set(((odd - FACES) // PER_CELL).tolist()))


def _change_cells(layout: Coloured, changes: Mapping[int, tuple[int, Colour | None]]) -> Coloured:
    """Return the layout with the ``changes`` of some spaces."""
    heights, pieces = bytearray(layout.heights), dict[int, Colour | None](layout.pieces)
    for cell, (height, piece) in changes.items():
        heights[cell], pieces[cell] = height, piece
    return Coloured(bytes(heights), tuple((cell, one) for cell, one in sorted(pieces.items()) if one))
