"""The sample pictures, where ``PODESTA_VISION_SAMPLES`` names their folder.

The readers were tuned on these very pictures: that they are read right says that nothing broke since.
"""

import os
from pathlib import Path

import pytest

from device.sensors.readers.bench import Options, measure

SAMPLES = os.environ.get("PODESTA_VISION_SAMPLES")
pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(not SAMPLES, reason="PODESTA_VISION_SAMPLES names no folder of sample pictures"),
]


def measured(folder, kinds, **options):
    """Return what the bench makes of the samples of some kinds."""
    for kind in kinds:
        for path in Path(SAMPLES).glob(f"{kind}_*"):
            (folder / path.name).symlink_to(path.absolute())
    found = measure(folder, Options(scale=False, **options))
    assert (found.wrong, found.skipped) == ((), {})
    return found


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    kinds = ("torres", "tray", "cards", "tuscany")
    return measured(tmp_path_factory.mktemp("samples"), kinds, prior=True).figures


@pytest.mark.pictures
@pytest.mark.parametrize(
    ("kind", "n", "exact", "doubted"),
    [
        ("torres", 11, 10, 7),
        ("torres_steep", 1, 1, 1),
        ("tray", 16, 13, 7),
        ("cards", 18, 18, 1),
        ("tuscany", 8, 8, 1),
    ],
)
def test_none_is_silently_wrong_and_most_are_exact(figures, kind, n, exact, doubted):
    found = figures[kind]
    assert (found["n"], found["silent_wrong"]) == (n, 0)
    assert found["exact"] >= exact
    assert found["doubted"] <= doubted


@pytest.mark.pictures
def test_boards_are_out_of_step_if_and_only_if_no_turn_leads_there(figures):
    found = figures["torres"]
    assert (found["illegal_n"], found["illegal_reported"], found["false_alarms"]) == (1, 1, 0)


@pytest.mark.pictures
def test_regions_by_hexes_of_others(figures):
    taught = figures["tuscany_taught"]
    assert taught["n"] == 8
    assert taught["printed_right"] >= 0.98
    assert taught["hexes_right"] >= 0.98
    assert taught["silent_share"] <= 0.02


@pytest.mark.soak
def test_boards_without_the_layout_before(tmp_path):
    """One of them shows a row of stacks that looks like another: wrong until stacks have been swapped."""
    found = measured(tmp_path, ["torres"])
    assert found.figures["torres"]["cells_right"] >= 0.95
    assert found.figures["torres"]["silent_wrong"] == 0
    assert any(line.startswith("torres_009: right") for line in found.pictures)
