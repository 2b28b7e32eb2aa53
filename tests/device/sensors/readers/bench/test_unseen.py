"""Boards that no reader was tuned on, read with the layout before; ``pytest -m soak -s`` prints the table."""

import pytest

from device.sensors.readers.bench import Options, measure, write_table
from tests.device.sensors.readers.bench.unseen import paint
from tests.engines.walks import seed, soak


@pytest.mark.soak
def test_soak_boards_nobody_tuned_on_are_hardly_ever_silently_wrong(tmp_path):
    boards = soak(200, 4)
    paint(tmp_path, boards, seed())
    report = measure(tmp_path, Options(prior=True, scale=False))
    print(*write_table(report), sep="\n")
    found = report.figures["torres"]
    assert found["n"] == boards
    assert found["silent_wrong"] <= 1 + boards // 100
    assert found["false_alarms"] <= 1 + boards // 100
    assert found["illegal_reported"] >= 0.95 * found["illegal_n"] - 1
    assert found["exact"] >= 0.88 * boards - 2
