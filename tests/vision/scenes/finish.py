"""What a camera adds to the light: blur, exposure, white balance, noise, and JPEG."""

from random import Random

import cv2
import numpy as np
from msgspec import Struct

from tests.vision.scenes.looks import Light, Look


class Fault(Struct, frozen=True):
    """Blur in px (standard deviation), brightness of white, gains red/green/blue, noise (the standard
    deviation of a level's square root, in levels of 255), darker corners, JPEG quality.
    """

    blur: float
    exposure: float
    gains: tuple[float, float, float]
    noise: float
    corners: float
    quality: int
    seed: int


def faults(rng: Random, look: Look, light: Light) -> Fault:
    """A camera's faults at random."""
    low, high = look.exposure
    return Fault(
        blur=rng.uniform(*look.blur),
        exposure=low * (high / low) ** rng.random(),
        gains=light.gains,
        noise=rng.uniform(*look.noise),
        corners=rng.uniform(0.0, 0.10),
        quality=rng.randint(*look.quality),
        seed=rng.getrandbits(32),
    )


def expose(linear: np.ndarray, white: np.ndarray, fault: Fault) -> np.ndarray:
    """The picture (uint8 BGR) from linear light; ``white`` is the linear green of a white sheet in it."""
    rows, columns = linear.shape[:2]
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32)
    off = ((x - columns / 2) ** 2 + (y - rows / 2) ** 2) / ((columns / 2) ** 2 + (rows / 2) ** 2)
    gains = np.array(fault.gains[::-1], np.float32) * (fault.exposure / float(white))
    lit = linear * gains * (1 - fault.corners * off)[..., None]
    # Blurred after encoding: measured on the pictures that these should resemble, where white ink spreads
    # less than it would in linear light, and noise grows with the root of the level.
    shown = cv2.GaussianBlur(encode(np.clip(lit, 0, 1)).astype(np.float32) * 255, (0, 0), fault.blur)
    source = np.random.default_rng(fault.seed)
    shown += source.standard_normal(shown.shape, np.float32) * (fault.noise * np.sqrt(shown))
    return np.clip(shown + 0.5, 0, 255).astype(np.uint8)


def encode(linear: np.ndarray) -> np.ndarray:
    """sRGB of linear light, 0 to 1."""
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.power(linear, 1 / 2.4) - 0.055)


def jpeg(picture: np.ndarray, fault: Fault) -> bytes:
    """The picture as a JPEG file's bytes."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, fault.quality])
    assert done
    return data.tobytes()
