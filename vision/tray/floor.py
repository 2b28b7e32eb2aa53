"""The floor of the tray: its bare parts in a plan, and each pixel's evidence for or against a piece.

The floor has one colour, unknown beforehand, in uneven light: it is the smooth, connected rest. In logarithms
of light a shadow is a shift in brightness with a small, regular shift in colour. A piece has another colour,
or is brighter than the floor beside it, or darker than any shadow, or is closed off by sharp edges.
"""

from __future__ import annotations

from functools import cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.lens import Floats
from vision.tray.plan import PPM, RIM_MM, Mask, Plan, Plane

VEIL = 0.02
"""The addition to shares of white before the logarithm, for glare and noise; darker pixels have no colour."""
SHARP = 0.035
"""A sharp change of brightness or colour per pixel; floor and penumbras change less."""
EDGE = 0.12
"""The sharpness of an edge that counts fully, like a piece's outline."""
FAINT = 0.02
"""The same for the faintest pieces, white ones on white."""
COLOUR = 0.025
"""The least deviation of the floor's colour (one standard deviation): JPEG's blocks."""
SHADOW = 1.0
"""The default depth of a shadow, in logarithms of light."""

WALL_MM = 14.0
"""The most of the floor that a wall leaning over it in the picture hides."""
HIDDEN = 0.4
"""A row at the floor's edge with less than this share of the floor's colour belongs to a wall."""

OUTLINED, OTHER = 0.6, 0.25
"""A part with edges along more of its border than the first, or with a colour farther off than the second, is
a thing; otherwise it is floor in another light.

Measured: shadows and pools of light of another colour have at most 0.45 and 0.16 (7 of 108 trays), a cloth
more than 0.9 and 0.5.
"""

_FEW = 4
_SPARSE = slice(None, None, _FEW), slice(None, None, _FEW)
"""The step of rows and columns for learning the floor's colour, noise and means."""
_SQUARE3 = np.ones((3, 3), np.uint8)
_SQUARE5 = np.ones((5, 5), np.uint8)
_SQUARE9 = np.ones((9, 9), np.uint8)


class FloorSeen(msgspec.Struct, frozen=True):
    """A floor in a picture.

    ``bare`` is its visible part, ``strange`` the part of that which is smooth but a thing of another colour.
    ``tone`` is brightness and two colour differences in logarithms; ``off`` is the distance of the colours
    from the floor's, with a shadow's colour allowed for, ``spread`` that of the floor's own. ``rise`` is the
    brightness of a pixel above the floor around it, ``sharp`` its change from pixel to pixel, ``edge`` the
    sharpness of an edge through it (0 to 1), ``faint`` the same for edges hardly above the noise. ``light``
    is the floor's brightness, a share of white.
    """

    plan: Plan
    floor: NDArray[np.bool_]
    bare: NDArray[np.bool_]
    strange: NDArray[np.bool_]
    tone: NDArray[np.float32]
    off: NDArray[np.float32]
    spread: Floats
    rise: Plane
    rise_spread: float
    sharp: Plane
    edge: Plane
    faint: Plane
    light: float


def _find_tones(share: cv2.typing.MatLike) -> NDArray[np.float32]:
    """Return brightness, red against green and blue against green, in logarithms, (rows, columns, 3)."""
    logs = cv2.log(np.maximum(share, 0) + np.float32(VEIL))
    blue, green, red = cv2.split(logs)
    return np.asarray(cv2.merge([(blue + green + red) / 3, red - green, blue - green]), dtype=np.float32)


def find_floor(share: NDArray[np.float32], plan: Plan, piece_mm2: float) -> FloorSeen:
    """Split the floor from the things on it.

    ``share`` are shares of white on the plan; ``piece_mm2`` is the most area that a piece covers.
    """
    tone = _find_tones(cv2.GaussianBlur(share, (0, 0), 0.8))
    level, off, spread, like = _learn_colour(tone, plan)
    wide = np.maximum(spread, 0.03)
    of_floor = _square(off, wide) < 9
    # A wall has another colour, but its deep shadow has the floor's.
    dim = tone[..., 0] - level
    floor = _cut_walls(plan, of_floor & (dim > -1.6) & (dim < 0.3))
    sharp = _measure_sharpness(tone)
    noise = float(np.median(sharp[_SPARSE][(like & floor)[_SPARSE]])) if (like & floor).any() else SHARP / 3
    still = (sharp < max(3 * noise, SHARP)) & floor
    same = still & of_floor
    bare = _find_large(same, _SQUARE5, 2.0 * piece_mm2 * PPM**2) & same
    other = _find_large(still & ~bare, _SQUARE3, 2.5 * piece_mm2 * PPM**2)
    edge = _find_edges(sharp, 3 * noise, EDGE)
    bare, strange = bare | other, _find_things(other, edge, off, floor)
    around, weight = _average_near(tone[..., 0] - level, bare, 3 * PPM)
    rise = tone[..., 0] - np.where(weight > 0.02, level + around, level)
    flat = np.abs(rise[_SPARSE][bare[_SPARSE]])
    rise_spread = max(0.02, 1.48 * float(np.median(flat)) if len(flat) else 0.0)
    return FloorSeen(
        plan,
        floor,
        bare,
        strange,
        tone,
        off,
        spread,
        rise.astype(np.float32),
        rise_spread,
        sharp,
        edge,
        _find_edges(sharp, 2 * noise, max(4 * noise, FAINT)),
        float(np.exp(np.median(tone[_SPARSE][..., 0][bare[_SPARSE]]))) if bare.any() else 0.0,
    )


def _cut_walls(plan: Plan, like: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the floor without the parts that walls hide: bands along its edges that hardly show its
    colour.
    """
    floor = plan.mask_floor().astype(bool)
    rim, deepest = round(RIM_MM * PPM), round(WALL_MM * PPM)
    for turn in range(4):
        # Views of the same arrays: each side in turn is the first rows.
        inside, agree = np.rot90(floor, turn), np.rot90(like, turn)
        columns = inside.shape[1]
        share = agree[rim : rim + deepest, rim : columns - rim].mean(axis=1)
        hidden = int(np.argmax(share > HIDDEN)) if (share > HIDDEN).any() else 0
        if hidden:
            inside[: rim + hidden + 1] = False
    return floor


def _learn_colour(
    tone: NDArray[np.float32], plan: Plan
) -> tuple[Plane, NDArray[np.float32], Floats, NDArray[np.bool_]]:
    """Learn the floor's colour.

    Returns its smooth brightness, the distance of each pixel's colour from the floor's, that distance's
    spread, and a mask of the pixels that agree. Brightness is a quadratic over the plan; each colour a
    quadratic and a share of the shade.
    """
    terms = _make_terms(*plan.shape)
    some = plan.mask_floor(1.0)[_SPARSE] > 0
    few, value = (np.ascontiguousarray(all_[_SPARSE][some].T, np.float64) for all_ in (terms, tone))
    away = np.abs(value - np.median(value, axis=1, keepdims=True))
    width = 1.48 * np.median(away, axis=1)
    like = (away[1:].max(axis=0) < max(4 * width[1:].max(), 0.06)) & (away[0] < 0.5)
    lit, bright = like, np.zeros(6)
    colours, spread = np.zeros((7, 2)), np.full(2, 0.012)
    for _ in range(4):
        bright = _fit(few, value[0], lit)
        shade = value[0] - bright @ few
        full = np.vstack([few, np.minimum(shade, 0)])
        colours = _fit(full, value[1:].T, like)
        rest = np.abs(value[1:] - colours.T @ full)
        spread = np.maximum(1.48 * np.median(rest[:, like], axis=1), 0.012)
        agree = (((rest / spread[:, None]) ** 2).sum(axis=0) < 9) & (shade < 0.15) & (shade > -0.9)
        like, lit = agree, agree & (shade > -0.2)
    light, one, other = cv2.split(cv2.transform(terms, np.column_stack([bright, colours[:6]]).T))
    bright_all, red, blue = cv2.split(tone)
    shade_all = bright_all - light
    dim = np.minimum(shade_all, 0)
    of_red, of_blue = colours[6].astype(np.float32)
    off = np.asarray(cv2.merge([red - one - dim * of_red, blue - other - dim * of_blue]), dtype=np.float32)
    near = (_square(off, spread) < 9) & (shade_all < 0.15) & (shade_all > -0.9)
    return np.asarray(light, dtype=np.float32), off, spread, near


def _square(off: NDArray[np.float32], spread: Floats) -> Plane:
    """Return the squared distance of colours, in spreads."""
    one, other = off[..., 0] / np.float32(spread[0]), off[..., 1] / np.float32(spread[1])
    return np.asarray(one * one + other * other)


@cache
def _make_terms(rows: int, columns: int) -> NDArray[np.float32]:
    """Return 1, x, y, xy, x², y² at each pixel, x and y from -1 to 1."""
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], axis=2).astype(np.float32)


def _fit(terms: Floats, values: Floats, where: NDArray[np.bool_]) -> Floats:
    """Fit ``values``, (N, ...), where they count, with K terms, (K, N), all of about 1, by least squares."""
    counting = terms * where
    return np.asarray(np.linalg.solve(counting @ terms.T + 1e-6 * np.eye(len(terms)), counting @ values))


def _measure_sharpness(tone: NDArray[np.float32]) -> Plane:
    """Return the change of brightness and colour per pixel, only where it happens within few pixels."""
    total = np.zeros(tone.shape[:2], np.float32)
    for part, weight in zip(cv2.split(tone), (1.0, 1.2, 1.2), strict=True):
        for dx, dy in ((1, 0), (0, 1)):
            slope = cv2.Sobel(part, cv2.CV_32F, dx, dy, scale=weight / 8)
            total += slope * slope
    steep = cv2.sqrt(total)
    # A penumbra is steep over a wide band; opening finds bands, and leaves lines.
    return np.asarray(steep - cv2.morphologyEx(steep, cv2.MORPH_OPEN, _SQUARE5), dtype=np.float32)


def _find_edges(sharp: Plane, least: float, most: float) -> Plane:
    """Return thin lines along the sharpest places, 0 at ``least`` to 1 at ``most`` above; half of that beside
    them.
    """
    strong = np.clip((sharp - least) / most, 0, 1)
    thin = np.where(sharp > 0.8 * cv2.dilate(sharp, _SQUARE3), strong, 0).astype(np.float32)
    return np.asarray(np.maximum(thin, 0.5 * cv2.dilate(thin, _SQUARE3)), dtype=np.float32)


def _find_large(mask: NDArray[np.bool_], cut: Mask, least: float) -> NDArray[np.bool_]:
    """Return the large connected parts of a mask; narrow bridges do not connect."""
    inner = cv2.erode(mask.astype(np.uint8), cut)
    if cv2.countNonZero(inner) <= least:
        return np.zeros_like(mask)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(inner, connectivity=4)
    large = np.zeros(count, bool)
    large[1:] = stats[1:, cv2.CC_STAT_AREA] > least
    return np.asarray(cv2.dilate(large[labels].astype(np.uint8), cut) > 0)


def _find_things(
    mask: NDArray[np.bool_], edge: Plane, off: NDArray[np.float32], floor: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the parts of a mask that are not floor.

    They are known by the edges around them (the floor's own border does not count), by their colour, or by
    covering most of the floor.
    """
    result = np.zeros_like(mask)
    if not mask.any():
        return result
    inner = cv2.erode(floor.astype(np.uint8), _SQUARE9)
    near = cv2.dilate(edge, _SQUARE9) > 0.3
    count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=4)
    for label in range(1, count):
        part = labels == label
        whole = cv2.morphologyEx(part.astype(np.uint8), cv2.MORPH_CLOSE, _SQUARE9)
        line = (whole - cv2.erode(whole, _SQUARE3)) * inner > 0
        far = float(np.abs(np.median(off[part], axis=0)).max())
        if (
            far > OTHER
            or part.sum() > floor.sum() / 2
            or (line.any() and float(near[line].mean()) > OUTLINED)
        ):
            result |= part
    return result


def _average_near(values: Plane, where: NDArray[np.bool_], reach: float) -> tuple[Plane, Plane]:
    """Return the mean of ``values`` at ``where`` near each pixel, and the weight of that."""
    size = values.shape[1] // _FEW, values.shape[0] // _FEW
    weight = where.astype(np.float32)
    total, near = (
        cv2.GaussianBlur(cv2.resize(each, size, interpolation=cv2.INTER_AREA), (0, 0), reach / _FEW)
        for each in (values * weight, weight)
    )
    total, near = (cv2.resize(each, values.shape[::-1]) for each in (total, near))
    return np.asarray(total / np.maximum(near, 1e-4)), np.asarray(near)


def weigh_evidence(seen: FloorSeen, shadow: float = SHADOW, tint: Floats | None = None) -> Plane:
    """Return the evidence of each pixel for a piece: from -0.6 for bare floor to 1 for nothing else.

    ``shadow`` is the depth of the pieces' shadows, ``tint`` their part of ``off``.
    """
    there = np.flatnonzero(~seen.bare)
    rise, away = seen.rise.ravel()[there], seen.off.reshape(-1, 2)[there]
    shade = np.clip(-rise, 0, 1.2)
    if tint is not None:
        away = away - np.clip(shade / max(shadow, 0.2), 0, 1)[..., None] * tint.astype(np.float32)
    colour = 0.5 * _square(away, np.maximum(seen.spread, COLOUR)) / (1 + 0.7 * shade) ** 2 - 2.5
    bright = np.where(rise > 0, 0.5 * (rise / (1.6 * seen.rise_spread)) ** 2 - 2.5, -9)
    dark = (-rise - shadow - 0.25) * 8
    # A part closed off by edges and as bright as the floor is no shadow; a darker one may be.
    closed = np.clip(0.4 - (shade - 0.2) * 3.5, -0.5, 0.4)
    speaks = np.maximum(np.maximum(colour, bright), dark) / 4
    result = np.full(seen.bare.size, -0.6, np.float32)
    result[there] = np.clip(np.maximum(speaks, closed), -0.5, 1)
    return result.reshape(seen.plan.shape)
