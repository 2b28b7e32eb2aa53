"""What the camera adds: brightness as told, noise as told, and no two colours mixed up."""

from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.scenes.finish import Fault, encode, expose, faults, jpeg
from tests.vision.scenes.looks import LOOKS, light

pytestmark = pytest.mark.pictures

PLAIN = Fault(blur=0.5, exposure=0.5, gains=(1.0, 1.0, 1.0), noise=0.0, corners=0.0, quality=90, seed=1)
GRAY = np.full((120, 160, 3), 0.4, np.float32)


def test_white_comes_out_as_bright_as_the_exposure_says():
    shown = expose(GRAY, 0.4, PLAIN)
    assert shown.mean() == pytest.approx(255 * float(encode(np.array(0.5))), abs=0.6)
    assert expose(GRAY, 0.4, replace(PLAIN, exposure=2.0)).min() == 255


def test_gains_are_red_green_blue_and_the_picture_blue_green_red():
    shown = expose(GRAY, 0.4, replace(PLAIN, gains=(1.2, 1.0, 0.7)))
    blue, green, red = shown.reshape(-1, 3).mean(0)
    assert blue < green < red


def test_noise_grows_with_the_root_of_the_level():
    for bright in (0.1, 0.6):
        shown = expose(GRAY, 0.4, replace(PLAIN, exposure=bright, noise=0.28)).astype(float)
        assert shown.std() == pytest.approx(0.28 * np.sqrt(shown.mean()), rel=0.1)


def test_corners_are_darker_than_the_middle():
    shown = expose(GRAY, 0.4, replace(PLAIN, corners=0.2)).astype(int)
    assert shown[60, 80, 1] > shown[0, 0, 1] + 5


def test_the_same_seed_gives_the_same_picture_and_another_does_not():
    noisy = replace(PLAIN, noise=0.3)
    assert (expose(GRAY, 0.4, noisy) == expose(GRAY, 0.4, noisy)).all()
    assert (expose(GRAY, 0.4, noisy) != expose(GRAY, 0.4, replace(noisy, seed=2))).any()


def test_a_jpeg_is_read_back():
    shown = expose(GRAY, 0.4, PLAIN)
    back = cv2.imdecode(np.frombuffer(jpeg(shown, PLAIN), np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(back.astype(int) - shown).max() <= 3


@pytest.mark.parametrize("look", LOOKS.values(), ids=list(LOOKS))
def test_lamps_and_sky_together_light_white_fully_and_lie_above(look):
    for number in range(50):
        lit = light(Random(number), look, (192.0, 192.0))
        upright = 0.0
        for lamp in lit.lamps:
            way = np.subtract(lamp.position, (96, 96, 0))
            assert way[2] > 0
            upright += lamp.colour[1] * way[2] / np.linalg.norm(way)
        assert upright + lit.sky[1] == pytest.approx(1.0, abs=1e-6)
        assert 0 <= lit.warm <= 1


@pytest.mark.parametrize("look", LOOKS.values(), ids=list(LOOKS))
def test_faults_keep_within_their_ranges(look):
    for number in range(50):
        rng = Random(number)
        fault = faults(rng, look, light(rng, look, (192.0, 192.0)))
        assert look.exposure[0] <= fault.exposure <= look.exposure[1]
        assert look.blur[0] <= fault.blur <= look.blur[1]
        assert look.quality[0] <= fault.quality <= look.quality[1]
