"""Trays of the bench: with a copy's own colours from the strip, and apart if the camera stands too low."""

import cv2
import pytest

from device.sensors.readers.bench import Options, measure
from engines.marrakesh.pieces import COLOURS
from tests.device.sensors.readers.bench.pictures import put_picture
from tests.device.sensors.readers.test_enrolment import strip
from tests.vision.tray.painted import KESHI, PAINTS, tray, view

TWO = (("red", 60, 60, True, 0), ("green", 120, 80, False, 20))


def read(folder, seen, **options):
    """Read a tray of two keshis, beside a strip."""
    put_picture(
        folder,
        "two",
        seen,
        tray(seen, TWO),
        game="marrakesh",
        keshi_mm=[KESHI.across_mm, KESHI.height_mm],
        counts={"red": 1, "green": 1},
        strip="strip.jpg",
    )
    found = measure(folder, Options(**options))
    assert not found.failed
    return found


@pytest.mark.parametrize(("elevation", "key"), [(72.0, "tray"), (66.0, "tray_outside")])
def test_a_tray_seen_from_too_low_is_counted_apart(tmp_path, elevation, key):
    found = read(tmp_path, view(elevation))
    counted = {name: figures["n"] for name, figures in found.figures.items() if name.startswith("tray")}
    assert counted == {"tray": 0, "tray_outside": 0} | {key: 1}
    assert ("outside the standard" in found.pictures[0]) == (key == "tray_outside")


def test_colours_are_those_of_the_strip_if_it_may_be_used(tmp_path, monkeypatch):
    """On this strip, a copy's green and red look like each other's."""
    with monkeypatch.context() as swapped:
        swapped.setitem(PAINTS, "red", PAINTS["green"])
        swapped.setitem(PAINTS, "green", (0.04, 0.04, 0.54))
        cv2.imwrite(str(tmp_path / "strip.jpg"), strip(COLOURS))
    exact = [read(tmp_path, view(), strip=one).figures["tray"]["exact"] for one in (False, True)]
    assert exact == [1, 0]


def test_a_strip_without_pieces_is_told(tmp_path):
    cv2.imwrite(str(tmp_path / "strip.jpg"), strip(()))
    found = read(tmp_path, view(), strip=True)
    assert (found.figures["tray"]["n"], len(found.unreadable)) == (0, 1)
    assert "strip.jpg" in found.unreadable[0]
