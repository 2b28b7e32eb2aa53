"""Readings beside the truth, counted."""

import pytest
from msgspec.structs import replace

from device.sensors.readers.bench import PictureOutcome, ReadingCounts, Share, by_stage
from device.sensors.readers.torres.bench import BoardFigures, BoardRead, board_figures, judge_board
from device.sensors.readers.tray.bench import TrayRead, judge_tray
from engines.marrakesh.keshis import keshis
from engines.torres import layouts
from engines.torres.cells import NUMBERS

TRUTH = layouts.read("...2////1/// a=d1,c3 b=f6 king=a5")


def read(text, **more):
    return BoardRead(layouts.read(text), **more)


RIGHT = read(str(TRUTH))
WRONG = read("...1////1/// a=d1,c3 b=f6 king=a5")
"""One block is missing on d1."""


D1 = frozenset({NUMBERS["d1"]})


@pytest.mark.parametrize(
    ("read", "legal", "exact", "asks", "silent", "reported"),
    [
        (RIGHT, True, True, False, False, False),
        (replace(RIGHT, asks=True, doubted=frozenset({5})), True, True, True, False, False),
        (WRONG, True, False, False, True, False),
        (replace(WRONG, asks=True, doubted=D1), True, False, True, False, False),  # it is about that space
        (replace(WRONG, asks=True, doubted=frozenset({NUMBERS["a5"]})), True, False, True, True, False),
        (replace(WRONG, out_of_step=True), True, False, False, False, True),  # which is never silent
        (replace(RIGHT, out_of_step=True), False, True, False, False, True),
        (RIGHT, False, True, False, False, False),
        (BoardRead(None), True, False, True, False, False),
    ],
)
def test_a_reading_beside_the_truth(read, legal, exact, asks, silent, reported):
    judged = judge_board(read, TRUTH, legal)
    assert (judged.outcomes, judged.reported) == ((PictureOutcome(exact, asks, silent),), reported)
    assert (judged.illegal, judged.outcome.exact) == (not legal, not judged.wrong)


def test_which_spaces_and_pieces_are_right():
    assert judge_board(WRONG, TRUTH, legal=True).wrong == D1
    found, missed = judge_board(RIGHT, TRUTH, legal=True), judge_board(BoardRead(None), TRUTH, legal=True)
    assert [(one.right.k, one.right.n, len(one.wrong)) for one in (found, missed)] == [
        (4, 4, 0),
        (0, 4, 64),
    ]


@pytest.mark.parametrize(
    ("text", "right", "of"),
    [
        ("...2////1/// a=d1 b=f6 king=a5", 3, 4),  # one missing
        ("...2////1/// a=d1,c3,h8 b=f6 king=a5", 4, 5),  # one too many
        ("...2////1/// a=d1 b=f6,c3 king=a5", 3, 5),  # one of another colour: one missing, one too many
        ("...2////1/// a=d1,c4 b=f6 king=a5", 3, 5),  # one elsewhere
    ],
)
def test_pieces_missing_and_invented_count_alike(text, right, of):
    judged = judge_board(read(text), TRUTH, legal=True)
    assert (judged.right.k, judged.right.n) == (right, of)
    assert judged.outcome.silent


def test_the_sums_of_some_boards():
    stages = [(("find", 10.0), ("read", float(n))) for n in (5, 1, 3, 2, 40)]
    boards = [
        (RIGHT, True),
        (WRONG, True),
        (read(str(TRUTH), asks=True), False),
        (read(str(TRUTH), out_of_step=True), False),
        (read(str(TRUTH), out_of_step=True), True),
    ]
    judged = [
        judge_board(replace(one, stages=took), TRUTH, legal)
        for (one, legal), took in zip(boards, stages, strict=True)
    ]
    assert board_figures(judged) == BoardFigures(
        n=5,
        exact=4,
        cells_right=(5 * 64 - 1) / (5 * 64),
        pieces_right=1.0,
        doubted=1,
        silent_wrong=1,
        illegal_n=2,
        illegal_reported=1,
        false_alarms=1,
        ms_median=13.0,
        ms_worst=50.0,
    )
    assert by_stage(stages) == ["find: median 10.0, worst 10.0", "read: median 3.0, worst 40.0"]


def test_the_sums_of_nothing():
    found = board_figures([])
    assert (found.n, found.cells_right, found.pieces_right, found.ms_median, found.ms_worst) == (
        (0,) + (None,) * 4
    )
    assert ReadingCounts.of([], []).ms_worst is None


RED = keshis({"red": 2})


@pytest.mark.parametrize(
    ("read", "exact", "asks", "silent"),
    [
        (TrayRead(RED), True, False, False),
        (TrayRead(RED, asks=True), True, True, False),
        (TrayRead(keshis({"red": 1, "pink": 1})), False, False, True),
        (TrayRead(keshis({"red": 1}), asks=True), False, True, False),
        (TrayRead(0), False, False, True),
        (TrayRead(None), False, True, False),
    ],
)
def test_a_tray_beside_the_truth(read, exact, asks, silent):
    judged = judge_tray(read, RED)
    assert (judged.exact, judged.doubted, judged.silent) == (exact, asks, silent)


def test_the_sums_of_some_trays():
    judged = [judge_tray(TrayRead(RED), RED), judge_tray(TrayRead(0), RED), judge_tray(TrayRead(None), RED)]
    found = ReadingCounts.of(judged, [(("read", 1.0),), (("read", 2.0),), (("read", 4.0),)])
    assert (found.n, found.exact, found.doubted, found.silent_wrong) == (3, 1, 1, 1)
    assert (found.ms_median, found.ms_worst) == (2.0, 4.0)


# Shares


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        # Wilson's intervals as published tables have them.
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (95, 100, 0.8882, 0.9785),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilsons_interval(k, n, low, high):
    assert Share(k, n).interval == pytest.approx((low, high), abs=6e-5)


def test_the_share_of_nothing():
    assert (Share(0, 0).value, Share(0, 0).interval, str(Share(0, 0))) == (None, (0.0, 1.0), "0 of 0")


def test_a_share_in_words():
    assert str(Share(19, 20)) == "19 of 20 = 95.0% (76.4% to 99.1%)"
