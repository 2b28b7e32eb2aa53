"""The best layout of a picture: from the layout before, or from an empty board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import cv2
import msgspec
import numpy as np

from vision.lens import Picture
from vision.torres import CELLS, LEVELS, Coloured, colours, search
from vision.torres.colours import KindPalette, Single
from vision.torres.evidence import Evidence
from vision.torres.held import HIDDEN, HIDDEN_PIECE, KNIGHT, Spot, shown
from vision.torres.painter import TALL, Canvas, Labels
from vision.torres.search import LayoutSearch, SpotOption

Options = dict[int, list[SpotOption]]
"""By space its possible contents, best first, the present ones among them."""

CHANGE = 25.0
"""Log evidence by which a changed stack must exceed an unchanged one: outlines a pixel or two off their
block's true place can feign a change. On 29 pictures true changes brought 56 and more, feigned ones up to 46.
"""

CHANGE_MORE = 3.0
"""The same for each block beyond the first."""

CHANGE_PIECE = 15.0
"""The same for a piece that came, went or was replaced by another."""

CHANGED, CHANGED_WEIGHTS = 4.0, (0.6, 1.0, 1.0)
"""The least distance in L*, a*, b* of a changed pixel from the picture before, and the weights in it;
lightness counts less, since shadows move with hands and stacks.
"""

CHANGED_FEW = 8
"""The fewest changed pixels of a space that make it worth a look."""

PLAINLY = 0.9
"""The share of a space's possible pixels from which a view shows it plainly: then it would show a change."""

CHANGED_MOST = 0.75
"""If more than this share of all spaces changed, the light did: then all are looked at."""

ROUNDS = ((20.0, -9.0), (10.0, -11.0))
"""The rounds without an earlier layout: the least gain of a change, and the lowest log density of a pixel. At
first most of the board is yet to be found: a stack must not be taken for everything behind it.
"""


class CameraView(NamedTuple):
    """A board as one camera sees it: its canvas, the picture on that, and the colours of its pixels.

    ``earlier`` are the colours at the same places when the layout was last certain, None without a picture of
    then, or if the camera has moved since.
    """

    canvas: Canvas
    picture: Picture
    pixels: Single
    earlier: Single | None = None


def search_from(views: Sequence[CameraView], before: Coloured) -> tuple[LayoutSearch, Options]:
    """Search from the layout before: the spaces that changed, where the pictures differ from the earlier
    ones.
    """
    held = _search(views, search.spots_of(before), _price_changes(before))

    def heights(cell: int) -> Iterable[int]:
        low, high = sorted((before.heights[cell], held.heights[cell]))
        return range(max(0, low - 1), min(LEVELS, high + 2) + 1)

    last, quick = _find_changed(held, views), held.thinned(1 + len(views))
    kings = {cell for cell, colour in before.pieces if colour == "king"}
    if kings and all(
        search.is_plain(some, held.spot(cell)) for cell, some in quick.options(kings, heights).items()
    ):
        for one in (held, *held.beside, quick, *quick.beside):
            one.kings = False
    cells = range(CELLS) if last is None else sorted(last)
    return held, _settle(held, quick, heights, cells, higher=True)


def _settle(
    held: LayoutSearch,
    quick: LayoutSearch,
    heights: search.Heights,
    cells: Sequence[int],
    higher: bool = False,
) -> Options:
    """Search by every second row and column first, with two views by every third; then closely, where a
    doubt is left.
    """
    options: Options = quick.climb(heights, cells, higher=higher)
    held.hold(quick.spots())
    near = set[int]()
    while (
        more := {cell for cell, some in options.items() if not search.is_plain(some, held.spot(cell))} - near
    ):
        near |= more
        options |= held.climb(heights, sorted(near))
        quick.hold(held.spots())
        options |= quick.options(sorted(set(quick.aged(options.keys() - near))), heights)
    _keep_one_king(held, options)
    return options


def _find_changed(held: LayoutSearch, views: Sequence[CameraView]) -> set[int] | None:
    """Return the spaces where some view shows a change, and those that their stacks cover; leave out those
    that another view shows plainly unchanged.

    The change is since the layout was last certain. Return None if that picture is unknown, or if nearly all
    spaces differ because the light has changed.
    """
    found, same = set[int](), set[int]()
    for view, own in zip(views, (held, *held.beside), strict=True):
        if view.earlier is None:
            return None
        apart = view.pixels - view.earlier
        # The exposure is not quite locked.
        apart -= np.median(apart[colours.sample(own.evidence.everywhere)], axis=0)
        apart *= CHANGED_WEIGHTS
        far = np.einsum("ij,ij->i", apart, apart).reshape(view.canvas.shape)
        image = (cv2.blur(np.sqrt(far), (3, 3)) > CHANGED) & view.canvas.seen
        for cell, (height, _) in enumerate(own.spots()):
            reach = view.canvas.reach(cell, height + 1)
            left, top, right, bottom = reach.box
            if np.count_nonzero(image[top:bottom, left:right]) >= CHANGED_FEW:
                found.add(cell)
            elif own.visible(cell, reach.pixels).sum() >= PLAINLY * max(1, len(reach.pixels)):
                same.add(cell)
    return found - same if len(found) < CELLS * CHANGED_MOST else None


def _search(views: Sequence[CameraView], spots: list[Spot], cost: search.Cost) -> LayoutSearch:
    """Return a search in all views that begins with some spots, from which each view learns its colours."""
    found: list[LayoutSearch] = []
    for view in reversed(views):
        labels = np.zeros(len(view.pixels), np.int16)
        view.canvas.paint([height for height, _ in spots], [stand for _, stand in spots], labels)
        palette = colours.learn_palette(
            view.pixels, labels, _guess_palette(view.canvas, view.picture, view.pixels)
        )
        evidence = Evidence(view.canvas, view.pixels, labels, palette)
        beside = found if view is views[0] else ()
        found.insert(0, LayoutSearch(evidence, spots, cost, beside))
    return found[0]


def search_anew(views: Sequence[CameraView]) -> tuple[LayoutSearch, Options]:
    """Search from an empty board: in rounds that teach the colours, then by all pixels' evidence.

    The first view makes the layout; all views judge it in the end.
    """
    canvas, picture, pixels, _ = views[0]
    palette = _guess_palette(canvas, picture, pixels)
    spots: list[Spot] = search.spots_of(Coloured())
    labels: Labels = canvas.empty.ravel().copy()
    # The first rounds, with guessed colours, teach the colours.
    for gain, least in ROUNDS:
        held = LayoutSearch(Evidence(canvas, pixels, labels, palette, least, 3), spots, _price_nothing)
        held.climb(_list_heights, range(CELLS), gain)
        spots, labels = held.spots(), held.labels.copy()
        palette = colours.learn_palette(pixels, labels, palette)
    held = LayoutSearch(Evidence(canvas, pixels, labels, palette), spots, _price_nothing)
    quick = held.thinned(2)

    def nearly(cell: int) -> Iterable[int]:
        height = quick.heights[cell]
        return range(max(0, height - 1), min(TALL, height + 2) + 1)

    quick.climb(_list_heights, range(CELLS))
    # Only now: while pieces are missing, a tall stack explains one better than the ground behind it does.
    quick.swap(nearly)
    if len(views) > 1:
        held = _search(views, quick.spots(), _price_nothing)
        quick = held.thinned(1 + len(views))
    return held, _settle(held, quick, nearly, range(CELLS))


def _list_heights(_cell: int) -> Iterable[int]:
    return range(TALL + 1)


def find_hidden(held: LayoutSearch) -> set[int]:
    """Return the spaces where one more block would hardly show, or a piece hardly does or would."""
    found = set()
    for cell, (height, stand) in enumerate(held.spots()):
        piece = held.would_show(cell, (height, KNIGHT)) if stand is None else held.shows(cell)
        block = held.would_show(cell, (height + 1, stand)) if height < LEVELS else HIDDEN
        if piece < HIDDEN_PIECE or block < HIDDEN:
            found.add(cell)
    return found


def _guess_palette(canvas: Canvas, picture: Picture, pixels: Single) -> KindPalette:
    empty = canvas.empty.ravel()
    return colours.guess_palette(pixels, empty, colours.measure_light(picture, empty))


def _price_changes(before: Coloured) -> search.Cost:
    pieces = dict(before.pieces)

    def cost(cell: int, spot: Spot) -> float:
        height, colour = shown(spot)
        price = 0.0
        if height != before.heights[cell]:
            price += CHANGE + CHANGE_MORE * (abs(height - before.heights[cell]) - 1)
        if colour != pieces.get(cell):
            price += CHANGE_PIECE
        return price

    return cost


def _keep_one_king(held: LayoutSearch, options: Options) -> None:
    """Keep the king with the most evidence if there are several."""
    kings = [cell for cell, colour in held.layout().pieces if colour == "king"]
    missed = {
        cell: next((one for one in options.get(cell, ()) if shown(one.spot)[1] != "king"), None)
        for cell in kings
    }
    loss = {cell: np.inf if one is None else -one.evidence for cell, one in missed.items()}
    for cell in sorted(kings, key=lambda one: loss[one])[:-1]:
        option = missed[cell]
        if option is not None:
            held.put(cell, option.spot)
            options[cell] = [
                msgspec.structs.replace(
                    one, gain=one.gain - option.gain, evidence=one.evidence - option.evidence
                )
                for one in options[cell]
                if shown(one.spot)[1] != "king"
            ]


def _price_nothing(_cell: int, _spot: Spot) -> float:
    return 0.0
