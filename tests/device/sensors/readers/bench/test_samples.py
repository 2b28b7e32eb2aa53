"""Cards and tiles of the sample pictures, where ``PODESTA_VISION_SAMPLES`` names their folder.

The readers were tuned on these very pictures: that they are read right says that nothing broke since.
"""

import os
from pathlib import Path

import pytest

from device.sensors.readers.bench import Options, measure

SAMPLES = os.environ.get("PODESTA_VISION_SAMPLES")
pytestmark = [
    pytest.mark.pictures,
    pytest.mark.skipif(not SAMPLES, reason="PODESTA_VISION_SAMPLES names no folder of sample pictures"),
]


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    for kind in ("cards", "tuscany"):
        for path in Path(SAMPLES).glob(f"{kind}_*"):
            (folder / path.name).symlink_to(path.absolute())
    return measure(folder, Options()).figures


def test_columns_of_cards(figures):
    cards = figures["cards"]
    assert cards.n == 18
    assert cards.exact == cards.n
    assert cards.silent_wrong == 0
    assert cards.doubted <= 1


def test_regions_after_an_earlier_picture(figures):
    regions = figures["tuscany"]
    assert regions.n == 8
    assert regions.exact == regions.n
    assert regions.silent_wrong == 0
    assert regions.doubted <= 1


def test_regions_by_hexes_of_others(figures):
    taught = figures["tuscany_taught"]
    assert taught.n == 8
    assert taught.printed_right >= 0.98
    assert taught.hexes_right >= 0.98
    assert taught.silent_share <= 0.02
