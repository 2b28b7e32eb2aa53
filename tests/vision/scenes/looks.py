"""How scenes look: colours, lamps and cameras' faults, drawn at random from one of two sets of ranges.

Colours are linear albedos. The ranges of ``tune`` were chosen by measuring pictures of the table standard;
those of ``keep`` are shifted, so that what only fits the one set shows on the other.
"""

import math
from random import Random

import numpy as np
from msgspec import Struct

from tests.vision.scenes.povray import Lamp

WHITE = (0.86, 0.86, 0.86)
INK = (0.022, 0.022, 0.022)
LINE = (0.03, 0.022, 0.018)
DOOR = (0.028, 0.02, 0.017)

TABLES = (
    (0.55, 0.37, 0.19),
    (0.50, 0.34, 0.17),
    (0.62, 0.55, 0.46),
    (0.72, 0.63, 0.50),
    (0.78, 0.72, 0.55),
    (0.045, 0.085, 0.062),
    (0.29, 0.14, 0.06),
    (0.36, 0.36, 0.37),
    (0.10, 0.08, 0.07),
    (0.60, 0.40, 0.22),
)
BOARDS = (
    (0.20, 0.29, 0.12),
    (0.37, 0.30, 0.25),
    (0.43, 0.36, 0.28),
    (0.54, 0.43, 0.21),
    (0.58, 0.42, 0.20),
    (0.50, 0.41, 0.32),
)
WOODS = (
    (0.68, 0.50, 0.29),
    (0.71, 0.62, 0.31),
    (0.67, 0.47, 0.33),
    (0.62, 0.54, 0.33),
)
KNIGHTS = {
    "red": (0.56, 0.028, 0.03),
    "blue": (0.035, 0.06, 0.42),
    "green": (0.018, 0.17, 0.045),
    "yellow": (0.86, 0.42, 0.02),
    "king": (0.84, 0.83, 0.80),
}
KESHIS = {
    "turquoise": (0.045, 0.45, 0.41),
    "green": (0.05, 0.25, 0.055),
    "black": (0.024, 0.024, 0.024),
    "white": (0.84, 0.82, 0.79),
    "gray": (0.24, 0.23, 0.24),
    "beige": (0.77, 0.57, 0.31),
    "brown": (0.165, 0.072, 0.048),
    "pink": (0.82, 0.23, 0.37),
    "red": (0.54, 0.038, 0.042),
    "yellow": (0.85, 0.58, 0.045),
    "purple": (0.16, 0.05, 0.21),
    "orange": (0.83, 0.22, 0.035),
}
FLOORS = (
    (0.62, 0.44, 0.24),
    (0.60, 0.44, 0.25),
    (0.062, 0.064, 0.07),
    (0.82, 0.80, 0.76),
)
WALLS = (
    (0.36, 0.175, 0.07),
    (0.70, 0.57, 0.38),
    (0.125, 0.125, 0.13),
)
MAT = (0.16, 0.145, 0.135)


class Look(Struct, frozen=True):
    """Ranges that differ between the sets: how far colours wander, how much light is from all around, lamps'
    radius and distance (mm), the brightness of a white sheet in the picture, blur (px), noise, JPEG quality.
    """

    name: str
    hue: float = 0.06
    shade: float = 0.10
    piece: float = 0.04
    around: tuple[float, float] = (0.30, 0.62)
    radius: tuple[float, float] = (35.0, 130.0)
    distance: tuple[float, float] = (520.0, 950.0)
    exposure: tuple[float, float] = (0.42, 1.12)
    blur: tuple[float, float] = (0.45, 0.92)
    noise: tuple[float, float] = (0.25, 0.31)
    quality: tuple[int, int] = (82, 93)


LOOKS = {
    "tune": Look("tune"),
    "keep": Look(
        "keep",
        hue=0.075,
        shade=0.12,
        piece=0.05,
        around=(0.26, 0.66),
        radius=(25.0, 150.0),
        distance=(480.0, 1050.0),
        exposure=(0.38, 1.16),
        blur=(0.42, 1.0),
        noise=(0.22, 0.34),
        quality=(80, 94),
    ),
}


def tinted(rng: Random, colour, hue: float, shade: float) -> tuple[float, float, float]:
    """A colour that wanders: each channel by ``hue``, all together by ``shade`` (standard deviations)."""
    light = math.exp(rng.gauss(0, shade))
    return tuple(min(0.9, max(0.008, c * light * math.exp(rng.gauss(0, hue)))) for c in colour)


class Light(Struct, frozen=True):
    """Lamps, the light from all around, how warm it all is (0 to 1), and the white balance's gains."""

    lamps: tuple[Lamp, ...]
    sky: tuple[float, float, float]
    warm: float
    gains: tuple[float, float, float]


def light(rng: Random, look: Look, field) -> Light:
    """One or two lamps that make white about white at the field's middle."""
    warm = rng.random()
    share = rng.uniform(*look.around)
    two = rng.random() < 0.4
    parts = [rng.uniform(0.55, 0.85)] if two else [1.0]
    if two:
        parts.append(1 - parts[0])
    lamps = []
    azimuth = rng.uniform(0, 360)
    for part in parts:
        height = math.radians(rng.uniform(35, 78))
        far = rng.uniform(*look.distance)
        flat = far * math.cos(height)
        at = (
            field[0] / 2 + flat * math.sin(math.radians(azimuth)),
            field[1] / 2 + flat * math.cos(math.radians(azimuth)),
            far * math.sin(height),
        )
        hot = min(1.0, max(0.0, warm + rng.gauss(0, 0.2)))
        bright = part * (1 - share) / math.sin(height)
        lamps.append(Lamp(at, rng.uniform(*look.radius), tuple(bright * c for c in _tint(hot))))
        azimuth += rng.uniform(70, 290)
    sky = tuple(share * c for c in _tint(rng.uniform(0.0, 0.5) * warm))
    mixed = np.array(_tint(warm)) * (1 - share) + np.array(sky)
    # The balance makes up for most of the light's colour, and is a little off besides.
    kept = rng.uniform(0.0, 1.1)
    wander = ((0.0, 0.06), (0.0, 0.02), (-0.04, 0.08))
    gains = [c ** -(1 - kept) * math.exp(rng.gauss(*off)) for c, off in zip(mixed, wander, strict=True)]
    return Light(tuple(lamps), sky, round(warm, 2), tuple(float(g / gains[1]) for g in gains))


def _tint(warm: float) -> tuple[float, float, float]:
    """Linear red, green, blue of a lamp from daylight (0) to a warm bulb (1), green at 1."""
    return 1.0 + 0.28 * warm, 1.0, 1.02 - 0.45 * warm
