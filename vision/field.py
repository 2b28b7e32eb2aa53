"""A field: a rectangle of known size with a marker outside each corner, and its pose in a picture.

Field coordinates are mm: the origin is the field's south-west corner, x east, y north, z up. Cell a1 of a
board is the north-west one: its rows count from the north.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import combinations

import cv2
import msgspec
import numpy as np

from vision.lens import Floats, Lens, Picture
from vision.markers import CELLS, Marker, detect, gray_of, near, visible
from vision.pose import (
    SLIP_MM,
    UNLIKE,
    Fit,
    Part,
    Places,
    Pose,
    Slip,
    agreeing,
    distance_px,
    fit,
    measure_points,
    pose_slopes,
    slack,
    slide,
    slipped,
    solve,
    stepped,
    width_of,
)

BUMP_PX = 1.0
"""A marker seen this far from its place by a remembered pose was moved, or the camera was."""

PART_REACHES = (0.1, 0.06)
"""The search distances for the sides of a partly covered marker, in parts of their length, each try
nearer.
"""

PART_COST = 1.0
"""The most by which a partly covered marker may raise the cost of a pose. One that was moved, or is something
else, raises it by 1.4 and more if the other markers' places were learnt.
"""

SIZE_MM, SIZE_SURE = 2.5, 4.0
"""A field has another size if its markers are off by more than this many mm and standard deviations."""

SIZE_STEPS = 5
"""The steps to improve such a size: from one twice as large the fourth leaves half a mm."""


WHITE_RIM = 0.55
"""The distance of the measured lines outside a marker (its white rim) and inside (its black border), in
cells.

On our sheets the rim is one cell wide, and so is the border; the middle is safest from blur and from the cut.
"""

WHITE_ALONG = np.linspace(0.05, 0.95, 19)
"""Places along a side; a side's places are taken together, so that a speck on one does not count."""


class Extra(msgspec.Struct, frozen=True):
    """A marker beyond the four: its south-west corner is at ``x_mm y_mm``; it stands upright like them."""

    id: int
    x_mm: float
    y_mm: float


class Field(msgspec.Struct, frozen=True):
    """A rectangle of the table, in mm, with its markers: ``first_marker`` north-west, the next north-east,
    south-east, south-west, upright seen from the south. The nearest corner of each stands ``gap_mm`` off the
    field's corner in both directions; ``marker_mm`` is the width of the black square.
    """

    width_mm: float
    height_mm: float
    first_marker: int
    gap_mm: float
    marker_mm: float = 24.0
    more: tuple[Extra, ...] = ()

    def places(self) -> dict[int, Floats]:
        """Return the places of each marker's corners by id, (4, 3) mm, in a :class:`.markers.Marker`'s
        order.
        """
        west, east = -self.gap_mm - self.marker_mm, self.width_mm + self.gap_mm
        south, north = -self.gap_mm - self.marker_mm, self.height_mm + self.gap_mm
        at = [(west, north), (east, north), (east, south), (west, south)]
        corners = {self.first_marker + i: place for i, place in enumerate(at)}
        corners |= {extra.id: (extra.x_mm, extra.y_mm) for extra in self.more}
        side = self.marker_mm
        square = np.array([[0.0, side, 0.0], [side, side, 0.0], [side, 0.0, 0.0], [0.0, 0.0, 0.0]])
        return {id_: square + np.array([x, y, 0.0]) for id_, (x, y) in corners.items()}

    def outline(self, around_mm: float, over_mm: float | None = None) -> Floats:
        """Return the corners of the field enlarged by ``around_mm``, (4, 3) mm, from the south-west one to
        the east; north and south it grows by ``over_mm`` if given.
        """
        over = around_mm if over_mm is None else over_mm
        east, north = self.width_mm + around_mm, self.height_mm + over
        return np.array(
            [(-around_mm, -over, 0.0), (east, -over, 0.0), (east, north, 0.0), (-around_mm, north, 0.0)]
        )

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the field, mm."""
        return self.width_mm / 2, self.height_mm / 2


class TroubleKind(Enum):
    """A trouble with the markers; each kind lists the figures of its :class:`Trouble`."""

    NONE = "none"
    """No marker at all is in view."""
    OTHER = "other"
    """Markers ``ids`` of something else, none of ours: another game's board?"""
    FEW = "few"
    """Only ``ids`` are in view (or none of them agree): too few to be sure. With two the pose is a guess."""
    APART = "apart"
    """The markers ``ids`` do not lie to each other as this field's do: no pose."""
    SIZE = "size"
    """The markers fit a field of ``mm``, width and height: another board, or another printing scale."""
    MOVED = "moved"
    """The markers ``ids`` are up to ``px`` off their places; the pose does not use them."""
    DOUBLE = "double"
    """``ids`` are in view more than once; the pose uses those that agree with the rest, if any do."""
    BUMPED = "bumped"
    """The camera or the field moved: the remembered pose is ``px`` off."""
    MIRRORED = "mirrored"
    """The picture is mirrored, as cameras for faces do: no pose."""
    TURNED = "turned"
    """The field's north is turned by ``degrees`` from up: upside down, or seen from a wrong side."""


class Trouble(msgspec.Struct, frozen=True):
    """A trouble with the markers, with the figures of its :class:`TroubleKind`."""

    kind: TroubleKind
    ids: tuple[int, ...] = ()
    px: float = 0.0
    mm: tuple[float, float] = (0.0, 0.0)
    degrees: float = 0.0

    @property
    def figures(self) -> dict[str, tuple[str, ...] | str | int]:
        """The figures for a text: ``ids``, ``px``, ``width`` and ``height`` in mm, ``degrees``."""
        width, height = map(round, self.mm)
        ids, px, degrees = tuple(map(str, self.ids)), f"{self.px:.1f}", round(self.degrees)
        return {"ids": ids, "px": px, "width": width, "height": height, "degrees": degrees}


class FieldSight(msgspec.Struct, frozen=True):
    """A field in one picture.

    ``pose`` is None if no pose can be trusted. It rests on ``markers`` and on the partly covered ``parts``.
    """

    pose: Pose | None
    markers: tuple[Marker, ...] = ()
    parts: tuple[int, ...] = ()
    troubles: tuple[Trouble, ...] = ()

    def has(self, kind: TroubleKind) -> bool:
        """Return True if there is a trouble of that kind."""
        return any(trouble.kind is kind for trouble in self.troubles)


class Whites(msgspec.Struct, frozen=True):
    """Paper and ink side by side: (N, 2) px in the picture, and (N, 3) the colours of the white and of the
    black.

    Each side of each marker has a row, in the picture's order of colours and range (0 to 255).
    """

    pixels: Floats
    white: Floats
    black: Floats


def find(picture: Picture, lens: Lens, field: Field, remembered: Pose | None = None) -> FieldSight:
    """Find a field by the markers in a picture.

    ``remembered`` is the pose of an earlier :class:`FieldSight` of the same camera. With it two markers serve
    as well as four, a moved marker is told apart from a moved camera, and a bump is noticed. Raises
    ValueError if the lens was calibrated for pictures of another size.
    """
    if not lens.fits(picture):
        size = f"{picture.shape[1]} by {picture.shape[0]}"
        raise ValueError(f"the picture is {size} px, the lens is known for {lens.size[0]} by {lens.size[1]}")
    places = field.places()
    seen = _find_unmoved(picture, lens, places, remembered) if remembered else ()
    seen = seen or detect(picture)
    ours = [marker for marker in seen if marker.id in places]
    if not ours:
        return FieldSight(None, troubles=(_explain_absence(picture, seen, places),))
    # While all are in view, their places are learnt anew; what was learnt serves while one is hidden.
    whole = len({marker.id for marker in ours}) == len(places)
    known = remembered.slips if remembered and not whole else ()
    where = slipped(places, known)
    stayed = _fit_remembered(lens, places, ours, remembered, known) if remembered else None
    found = stayed or agreeing(lens, where, ours, known)
    if found is not None:
        uncovered = {marker.id for marker in ours if _keeps_shape(lens, where, marker, found.pose)}
        hidden = sorted(set(places) - uncovered - {marker.id for marker in found.markers})
        found = _add_parts(picture, lens, where, found, hidden, known, remembered if stayed else None)
    troubles = list(_find_doubles(ours))
    if found is None:
        return FieldSight(None, troubles=(*troubles, *_explain_disagreement(lens, field, ours)))
    pose, used = found.pose, found.markers
    if remembered and not stayed:
        where = slipped(places, remembered.slips)
        bump = np.median([distance_px(lens, where, marker, remembered) for marker in used])
        troubles.append(Trouble(TroubleKind.BUMPED, px=float(bump)))
    troubles += _find_moved(lens, places, ours, found)
    if len(used) + len(found.parts) < 3 and not stayed:
        troubles.append(Trouble(TroubleKind.FEW, tuple(marker.id for marker in used)))
    if not stayed and (other := _fit_size(lens, field, used)):
        troubles.append(Trouble(TroubleKind.SIZE, mm=other))
    if abs(pose.roll_deg) > 90:
        troubles.append(Trouble(TroubleKind.TURNED, degrees=pose.roll_deg))
    return FieldSight(pose, used, tuple(part.id for part in found.parts), tuple(troubles))


def _find_unmoved(picture: Picture, lens: Lens, places: Places, remembered: Pose) -> tuple[Marker, ...]:
    """Return all of a field's markers at their old places; none if one has moved, is covered, or has a
    double.
    """
    were = slipped(places, remembered.slips)
    seen = near(picture, [remembered.project(lens, corners) for corners in were.values()])
    still = [
        marker.id
        for marker in seen
        if marker.id in were and distance_px(lens, were, marker, remembered) < BUMP_PX
    ]
    return seen if still == sorted(places) and len(still) == len(seen) else ()


def _explain_absence(picture: Picture, seen: Sequence[Marker], places: Places) -> Trouble:
    """Return the reason why none of our markers is there."""
    if any(marker.id in places for marker in detect(np.ascontiguousarray(picture[:, ::-1]))):
        return Trouble(TroubleKind.MIRRORED)
    return (
        Trouble(TroubleKind.OTHER, tuple(marker.id for marker in seen)) if seen else Trouble(TroubleKind.NONE)
    )


def _fit_remembered(
    lens: Lens, places: Places, ours: Sequence[Marker], remembered: Pose, known: Sequence[Slip]
) -> Fit | None:
    """Fit the pose of a camera that has not moved: most markers, at least two, are at their old places."""
    were = slipped(places, remembered.slips)
    stayed = [marker for marker in ours if distance_px(lens, were, marker, remembered) < BUMP_PX]
    ids = {marker.id for marker in stayed}
    if len(ids) < 2 or len(ids) < len(stayed) or 2 * len(ids) <= len({marker.id for marker in ours}):
        return None
    found = fit(lens, slipped(places, known), stayed, known, remembered)
    return found if found is not None and found.agree else None


def _keeps_shape(lens: Lens, places: Places, marker: Marker, pose: Pose) -> bool:
    """Return True if a marker's shape is right, as a moved one's is; one that is partly covered loses it."""
    rest = marker.array - pose.project(lens, places[marker.id])
    return float(np.sqrt(((rest - rest.mean(axis=0)) ** 2).mean())) <= UNLIKE * width_of(
        lens, places[marker.id], pose
    )


def _add_parts(
    picture: Picture,
    lens: Lens,
    places: Places,
    found: Fit,
    hidden: Sequence[int],
    known: Sequence[Slip],
    stay: Pose | None,
) -> Fit:
    """Improve a pose by the visible parts of markers: at least two sides of each that are not opposite
    ones.
    """
    if not hidden or not len((levels := whites(picture, found.markers)).white):
        return found
    alone = found.cost
    gray, dark, bright = gray_of(picture), float(levels.black.mean()), float(levels.white.mean())
    for reach in PART_REACHES:
        parts = []
        for id_ in hidden:
            corners = found.pose.project(lens, places[id_])
            sides = visible(gray, corners, reach, dark, bright)
            if len({number % 2 for number, _ in sides}) == 2:
                parts.append(Part(id_, tuple(sides)))
        # One marker that does not agree must not cost the others.
        tries = [parts, *([part] for part in parts)] if len(parts) > 1 else [parts]
        better = (fit(lens, places, found.markers, known, stay, each) for each in tries if each)
        most = alone + PART_COST
        found = next((each for each in better if each is not None and each.agree and each.cost < most), found)
    return found


def _explain_disagreement(lens: Lens, field: Field, ours: Sequence[Marker]) -> Iterator[Trouble]:
    """Yield the reasons why visible markers give no pose."""
    ids = tuple(sorted({marker.id for marker in ours}))
    if len(ids) < 2:
        yield Trouble(TroubleKind.FEW, ids)
        return
    size = _fit_size(lens, field, ours)
    yield Trouble(TroubleKind.APART, ids) if size is None else Trouble(TroubleKind.SIZE, ids, mm=size)


def _find_doubles(ours: Sequence[Marker]) -> Iterator[Trouble]:
    doubles = {a.id for a, b in combinations(ours, 2) if a.id == b.id}
    if doubles:
        yield Trouble(TroubleKind.DOUBLE, tuple(sorted(doubles)))


def _find_moved(lens: Lens, places: Places, ours: Sequence[Marker], found: Fit) -> Iterator[Trouble]:
    """Yield the trouble with our markers that the pose does not use, unless it uses another with their id."""
    where = slipped(places, found.pose.slips)
    used = {*(marker.id for marker in found.markers), *(part.id for part in found.parts)}
    away = {
        marker.id: distance_px(lens, where, marker, found.pose) for marker in ours if marker.id not in used
    }
    if away:
        yield Trouble(TroubleKind.MOVED, tuple(sorted(away)), px=max(away.values()))


def _fit_size(lens: Lens, field: Field, used: Sequence[Marker]) -> tuple[float, float] | None:
    """Return width and height, mm, of the field that the four markers fit, if it is clearly another field."""
    if field.more or [marker.id for marker in used] != sorted(field.places()):
        return None
    size = np.array([field.width_mm, field.height_mm])
    pixels = np.concatenate([marker.array for marker in used])
    pose: Pose | None = None
    # The corners move east and north with the field's width and height; north-west comes first.
    grows = np.repeat([[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]], 4, axis=0)
    for _ in range(SIZE_STEPS):
        places = msgspec.structs.replace(field, width_mm=size[0], height_mm=size[1]).places()
        points = np.concatenate([places[marker.id] for marker in used])
        pose = pose or solve(lens, points, pixels)
        if pose is None:
            return None
        whiten = slack(lens, measure_points(places, used), pose, [SLIP_MM] * len(used)).whiten
        rest = whiten @ (pixels - pose.project(lens, points)).ravel()
        moves = slide(lens, points, pose)[:, :, :2] * grows[:, None, :]
        slopes = whiten @ np.hstack([pose_slopes(lens, points, pose), moves.reshape(-1, 2)])
        step = np.linalg.lstsq(slopes, rest, rcond=None)[0]
        pose, size = stepped(pose, step[:6]), size + step[6:]
        if not (size > 0).all():
            return None
    sure = np.sqrt(np.diag(np.linalg.inv(slopes.T @ slopes))[6:])
    apart = np.abs(size - [field.width_mm, field.height_mm])
    if not (apart > np.maximum(SIZE_MM, SIZE_SURE * sure)).any():
        return None
    width, height = size.tolist()
    found = fit(lens, msgspec.structs.replace(field, width_mm=width, height_mm=height).places(), used)
    return (width, height) if found is not None and found.agree else None


def whites(picture: Picture, markers: Sequence[Marker]) -> Whites:
    """Find the white rims and the black borders of markers.

    Sides partly outside the picture are left out, so there may be no row at all.
    """
    start = np.array([marker.array for marker in markers]).reshape(-1, 4, 2)
    along = np.roll(start, -1, axis=1) - start
    long = np.linalg.norm(along, axis=2, keepdims=True)
    outward = np.stack([along[..., 1], -along[..., 0]], axis=2) / long * long.mean(axis=1, keepdims=True)
    # Two lines for each side of each marker: one along the rim, one along the border.
    sides = start[..., None, :] + WHITE_ALONG[:, None] * along[..., None, :]
    sides = sides.reshape(-1, 1, len(WHITE_ALONG), 2)
    aside = (WHITE_RIM / CELLS * outward).reshape(-1, 1, 1, 2)
    lines = np.concatenate([sides + aside, sides - aside], axis=1)
    last = picture.shape[1] - 1, picture.shape[0] - 1
    inside = ((lines >= 0) & (lines <= last)).all(axis=(1, 2, 3))
    lines = lines[inside]
    if not len(lines):
        return Whites(np.empty((0, 2)), np.empty((0, 3)), np.empty((0, 3)))
    x, y = cv2.split(lines.reshape(-1, 1, 2).astype(np.float32))
    shown = np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR)).reshape(-1, 2, len(WHITE_ALONG), 3)
    colours = np.median(shown, axis=2)
    return Whites((start + along / 2).reshape(-1, 2)[inside], colours[:, 0], colours[:, 1])


__all__ = ["Extra", "Field", "FieldSight", "Pose", "Trouble", "TroubleKind", "Whites", "find", "whites"]
