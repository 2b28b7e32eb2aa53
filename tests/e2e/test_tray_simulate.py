"""Throws into a simulated tower, through the node's firmware and a whole box, to the number on the screen."""

import pytest

from device.bench.tray import measure


@pytest.mark.pictures
@pytest.mark.timeout(300)
def test_a_few_throws_are_read_and_none_is_wrong_unasked():
    found = measure(3, 4, camera=True, say=print)
    assert found.alone is not None
    for tally in (found, found.alone):
        assert tally.exact + tally.doubted == 4
        assert tally.silent_wrong == 0
    assert found.exact > 0
