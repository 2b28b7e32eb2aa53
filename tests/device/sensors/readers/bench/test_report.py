"""The bench over a folder, with readers that say what they are told to: a line, sums and a table."""

import pytest
from msgspec.structs import replace

from device.sensors.readers import bench as vision
from device.sensors.readers.bench import Options, Share
from device.sensors.readers.torres import bench as boards
from device.sensors.readers.torres.bench import SEATS, BoardRead, TrueLayout
from device.sensors.readers.tray.bench import TrayRead
from engines.marrakesh.pieces import keshis
from engines.torres import layouts
from engines.torres.cells import NUMBERS
from tests.device.sensors.readers.bench.pictures import Told, board, heights, put, tray


def read(text, **more):
    """A board as it was read, found in 1 ms and read in 9."""
    return BoardRead(layouts.read(text), 60.0, stages=(("find", 1.0), ("read", 9.0)), **more)


TRUE, LOW = "...1/...1////// a=d1 king=f3", "...1/////// a=d1 king=f3"
"""What stands there, and the same without the block on d2."""
RIGHT, WRONG = read(TRUE), read(LOW)
D2, A5 = (frozenset({NUMBERS[cell]}) for cell in ("d2", "a5"))
BOARDS = [
    (RIGHT, "right, 10 ms"),
    (read(TRUE, asks=True, doubted=A5, note="perhaps +Bd2"), "right, doubted, 10 ms: perhaps +Bd2"),
    (read(TRUE, out_of_step=True), "right, out of step, 10 ms"),
    (WRONG, "wrong, SILENT, 10 ms: -Bd2"),
    (read(LOW, asks=True, doubted=D2), "wrong, doubted, 10 ms: -Bd2"),
    (read(LOW, asks=True, doubted=A5), "wrong, doubted, SILENT, 10 ms: -Bd2"),
    (read(LOW, out_of_step=True, note="+Kb4 (TO-5.4)"), "wrong, out of step, 10 ms: +Kb4 (TO-5.4); -Bd2"),
    (read(TRUE.replace(" a=d1", "")), "wrong, SILENT, 10 ms: -ad1"),
    (read(TRUE.replace("d1", "d1,h8")), "wrong, SILENT, 10 ms: +ah8"),
    (read(TRUE.replace("a=d1", "b=d1")), "wrong, SILENT, 10 ms: -ad1 +bd1"),
    (read(TRUE.replace("d1", "c4")), "wrong, SILENT, 10 ms: +ac4 -ad1"),
    (BoardRead(None, note="nothing", stages=(("find", 5.0),)), "not found, 5 ms: nothing"),
]
"""What is said of a board, and the line for it; what it is asked about is never silent."""
TRAYS = [
    (TrayRead(keshis({"red": 2, "white": 1}), stages=(("read", 2.0),)), "right, 2 ms"),
    (TrayRead(keshis({"red": 2, "white": 1}), asks=True), "right, doubted, 0 ms"),
    (TrayRead(keshis({"red": 1, "pink": 1, "white": 1})), "wrong, SILENT, 0 ms: +1 pink; -1 red"),
    (TrayRead(keshis({"red": 2}), asks=True, note="40 %"), "wrong, doubted, 0 ms: 40 %; -1 white"),
    (TrayRead(0), "wrong, SILENT, 0 ms: -1 white; -2 red"),
    (TrayRead(None), "wrong, doubted, 0 ms: no tray found"),
]


@pytest.fixture
def measure(monkeypatch):
    """The bench over a folder, with readers that say what they are told to; those too."""

    def measured(folder, told=(), **options):
        readers = Told(told).in_use(monkeypatch)
        return vision.measure(folder, Options(**({"prior": False, "scale": False} | options))), readers

    return measured


def test_each_picture_has_its_line_and_all_of_them_their_sums(measure, tmp_path):
    told = {f"b{number:02}": answer for number, (answer, _) in enumerate(BOARDS)}
    told |= {f"t{number}": answer for number, (answer, _) in enumerate(TRAYS)}
    for name in told:
        put(tmp_path, name, board() if name.startswith("b") else tray())
    put(tmp_path, "c", {"game": "bocce"})
    found, readers = measure(tmp_path, told)
    lines = [line for _, line in (*BOARDS, *TRAYS)]
    assert [line.partition(": ")[2] for line in found.pictures] == lines
    assert {tuple(what) for _, *what in readers.asked} == {("prior", False), ("scale", False)}
    assert found.figures["torres"] == {
        "n": 12,
        "exact": 3,
        "cells_right": (12 * 64 - 73) / (12 * 64),
        "pieces_right": 19 / 27,
        "doubted": 4,
        "silent_wrong": 6,
        "illegal_n": 0,
        "illegal_reported": 0,
        "false_alarms": 2,
        "ms_median": 10.0,
        "ms_worst": 10.0,
    }
    trays = found.figures["tray"]
    assert (trays["n"], trays["exact"], trays["doubted"], trays["silent_wrong"]) == (6, 2, 3, 2)
    table = list(vision.write_table(found))
    assert table[-1] == "passed over: 1 of bocce"
    assert not any("steep" in line for line in table)
    for line in (
        "torres: exact 3 of 12 = 25.0% (8.9% to 53.2%)",
        "torres: illegal n 0",
        "torres: ms worst 10.0",
        "torres find: median 1.0, worst 5.0",
        "tray read: median 2.0, worst 2.0",
    ):
        assert line in table


def test_boards_that_no_turn_leads_to_and_steep_ones_are_judged_apart(measure, tmp_path):
    """Without the board before none is known to be illegal."""
    for name in ("told", "untold"):
        put(tmp_path, name, board(legal=False))
    for name in ("edge", "high"):
        put(tmp_path, name, board())
    told = {"told": replace(RIGHT, out_of_step=True), "high": replace(WRONG, elevation_deg=70.1)}
    told["edge"] = replace(RIGHT, elevation_deg=70.0)
    found, readers = measure(tmp_path, told, prior=True)
    assert {tuple(what) for _, *what in readers.asked} == {("prior", True)}
    lines = dict(line.split(": ", 1) for line in found.pictures)
    assert lines["told"] == "right, out of step, 10 ms"
    assert lines["untold"] == "right, 10 ms: no turn leads there, by the truth"
    plain, steep = found.figures["torres"], found.figures["torres_steep"]
    assert (plain["n"], plain["exact"], plain["illegal_n"], plain["illegal_reported"]) == (3, 3, 2, 1)
    assert (steep["n"], steep["exact"], steep["silent_wrong"]) == (1, 0, 1)
    assert measure(tmp_path, told)[0].figures["torres"]["illegal_n"] == 0
    assert measure(tmp_path, told)[0].pictures[-1] == "untold: right, 10 ms"


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        # Wilson's intervals as published tables have them.
        (0, 10, 0.0, 0.2775),
        (95, 100, 0.8882, 0.9785),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilsons_interval(k, n, low, high):
    assert Share(k, n).interval == pytest.approx((low, high), abs=6e-5)


def test_of_nothing_there_is_no_share(measure, tmp_path):
    assert (Share(0, 0).interval, str(Share(0, 0))) == ((0.0, 1.0), "0 of 0")
    nothing = measure(tmp_path)[0].figures["torres"]
    assert (nothing["n"], nothing["cells_right"], nothing["pieces_right"], nothing["ms_median"]) == (
        0,
        None,
        None,
        None,
    )


# An evening


def turns(folder):
    """Three turns of one match, the second of which begins where the first ended, the third elsewhere."""
    one = board()
    put(folder, "turn_1", one, b"one")
    start = {"heights": one["heights"], "pieces": one["pieces"]}
    put(
        folder, "turn_2", board(before=start, heights=heights(d1=1, d2=1, d3=1), turn=["B d3", "end"]), b"two"
    )
    put(folder, "turn_3", board(), b"three")
    return RIGHT.layout, TrueLayout(tuple(map(tuple, heights(d1=1, d2=1, d3=1))), one["pieces"]).layout(SEATS)


def evening(folder, monkeypatch, told, by_keys):
    asked = {}

    def read_board(picture, truth, _options, before=()):
        asked[picture.stem] = [one.stem for one in before]
        return told[picture.stem]

    monkeypatch.setattr(boards, "read_board", read_board)
    options = Options(evening=True, by_keys=by_keys)
    return vision.measure(folder, options), asked


def test_an_evening_counts_what_each_turn_costs_the_table(tmp_path, monkeypatch):
    first, second = turns(tmp_path)
    keyed = []

    def by_keys(game, position, steps):
        keyed.append((game, position.split()[0], steps))
        return 7

    told = {
        "turn_1": BoardRead(first),
        "turn_2": BoardRead(first, asks=True, doubted=frozenset({NUMBERS["d3"]}), offered=(first, second)),
        "turn_3": BoardRead(first, out_of_step=True),
    }
    found, asked = evening(tmp_path, monkeypatch, told, by_keys)
    figures = found.json()["torres_evening"]
    assert (figures["n"], figures["presses"], figures["presses_median"]) == (3, 1 + 2 + 8, 2)
    assert (figures["exact"], figures["silent_wrong"], figures["false_alarms"]) == (2, 0, 1)
    assert keyed == [("torres", "seats=4", ["B d2"])], "what shows on the board alone"
    assert asked == {"turn_1": [], "turn_2": ["turn_1"], "turn_3": []}
    assert "torres_evening: presses 11" in [*vision.write_table(found)]
