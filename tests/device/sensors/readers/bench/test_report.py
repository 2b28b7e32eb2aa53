"""The bench over a folder, with readers that say what they are told to."""

import pytest
from msgspec.structs import replace

from device.sensors.readers import bench as vision
from device.sensors.readers.bench import Options, Unreadable
from device.sensors.readers.torres import bench as boards
from device.sensors.readers.torres.bench import SEATS, BoardRead, Standing
from device.sensors.readers.tray.bench import TrayRead
from engines.marrakesh.keshis import keshis
from engines.torres import layouts
from engines.torres.cells import NUMBERS
from tests.device.sensors.readers.bench.pictures import Told, board, heights, put, tray

RIGHT = BoardRead(layouts.read("...1/...1////// a=d1 king=f3"), 60.0, stages=(("find", 1.0), ("read", 9.0)))
WRONG = replace(RIGHT, layout=layouts.read("...1/////// a=d1 king=f3"))


@pytest.fixture
def measure(monkeypatch):
    """The bench over a folder, with readers that say what they are told to; those too."""

    def measured(folder, told=(), prior=False, scale=False):
        readers = Told(told).in_use(monkeypatch)
        return vision.measure(folder, Options(prior, scale)), readers

    return measured


def test_every_picture_is_read_and_judged(measure, tmp_path):
    put(tmp_path, "board_1", board())
    put(tmp_path, "board_2", board())
    put(tmp_path, "tray_1", tray())
    put(tmp_path, "cards", {"game": "scopa"})
    found, readers = measure(tmp_path, {"board_2": WRONG})
    assert [name for name, _, _ in readers.asked] == ["board_1", *("board_1", "board_2"), "tray_1", "tray_1"]
    torres, trays = found.figures["torres"], found.figures["tray"]
    assert (torres.n, torres.exact, torres.silent_wrong) == (2, 1, 1)
    assert (trays.n, trays.exact) == (1, 1)
    assert (found.figures["torres_steep"].n, found.skipped, found.wrong) == (0, {"scopa": 1}, ())
    assert found.pictures == (
        "board_1: right, 10 ms",
        "board_2: wrong, SILENT, 10 ms: -Bd2",
        "tray_1: right, 2 ms",
    )


@pytest.mark.parametrize("wanted", [True, False])
def test_the_readers_are_told_what_they_may_use(measure, tmp_path, wanted):
    put(tmp_path, "b", board())
    put(tmp_path, "t", tray())
    _, readers = measure(tmp_path, prior=wanted, scale=not wanted)
    assert set(readers.asked) == {("b", "prior", wanted), ("t", "scale", not wanted)}


def test_steep_boards_are_judged_apart(measure, tmp_path):
    for name in ("low", "high", "edge"):
        put(tmp_path, name, board())
    told = {"high": replace(WRONG, elevation_deg=70.1), "edge": replace(RIGHT, elevation_deg=70.0)}
    found = measure(tmp_path, told)[0].figures
    boards, steep = found["torres"], found["torres_steep"]
    assert (boards.n, boards.exact, boards.silent_wrong) == (2, 2, 0)
    assert (steep.n, steep.exact, steep.silent_wrong) == (1, 0, 1)


def test_a_reader_that_fails_or_a_file_that_is_none_costs_its_picture_alone(measure, tmp_path):
    for name in ("a", "b", "c", "d"):
        put(tmp_path, name, board())
    put(tmp_path, "e", board(seat="pink"))
    put(tmp_path, "t", tray())
    told = {"a": ValueError("too\nbad"), "b": ZeroDivisionError(), "c": Unreadable("no picture")}
    found, _ = measure(tmp_path, told)
    assert (found.figures["torres"].n, found.figures["tray"].n) == (1, 1)
    assert (len(found.failed), len(found.unreadable)) == (2, 2)
    lines = sorted(found.wrong)
    assert lines.pop(3).startswith(f"{tmp_path / 'e.json'}: ")
    assert lines == [
        f"{tmp_path / 'a.jpg'}: ValueError: too bad",
        f"{tmp_path / 'b.jpg'}: ZeroDivisionError: ",
        f"{tmp_path / 'c.jpg'}: no picture",
    ]


@pytest.mark.parametrize(
    ("read", "line"),
    [
        (RIGHT, "x: right, 10 ms"),
        (replace(RIGHT, asks=True, note="perhaps +Bd2"), "x: right, doubted, 10 ms: perhaps +Bd2"),
        (replace(WRONG, asks=True, doubted=frozenset({11})), "x: wrong, doubted, 10 ms: -Bd2"),
        (
            replace(WRONG, out_of_step=True, note="+Kb4 (TO-5.4)"),
            "x: wrong, out of step, 10 ms: +Kb4 (TO-5.4); -Bd2",
        ),
        (BoardRead(None, note="nothing", stages=(("find", 5.0),)), "x: not found, 5 ms: nothing"),
    ],
)
def test_the_line_of_a_board(measure, tmp_path, read, line):
    put(tmp_path, "x", board())
    assert measure(tmp_path, {"x": read})[0].pictures == (line,)


@pytest.mark.parametrize(
    ("read", "line"),
    [
        (TrayRead(keshis({"red": 1, "pink": 1, "white": 1})), "x: wrong, SILENT, 0 ms: +1 pink; -1 red"),
        (TrayRead(keshis({"red": 2}), asks=True, note="40 %"), "x: wrong, doubted, 0 ms: 40 %; -1 white"),
        (TrayRead(None), "x: wrong, doubted, 0 ms: no tray found"),
    ],
)
def test_the_line_of_a_tray(measure, tmp_path, read, line):
    put(tmp_path, "x", tray())
    assert measure(tmp_path, {"x": read})[0].pictures == (line,)


def test_an_illegal_board_that_is_not_told_is_pointed_out(measure, tmp_path):
    put(tmp_path, "told", board(legal=False))
    put(tmp_path, "untold", board(legal=False))
    found, _ = measure(tmp_path, {"told": replace(RIGHT, out_of_step=True)}, prior=True)
    assert found.pictures[0] == "told: right, out of step, 10 ms"
    assert found.pictures[1] == "untold: right, 10 ms: no turn leads there, by the truth"
    assert (found.figures["torres"].illegal_n, found.figures["torres"].illegal_reported) == (2, 1)
    assert "torres: illegal reported 1" in list(vision.table(found))


def test_without_the_board_before_no_board_is_illegal(measure, tmp_path):
    put(tmp_path, "x", board(legal=False))
    assert measure(tmp_path)[0].figures["torres"].illegal_n == 0
    assert measure(tmp_path)[0].pictures == ("x: right, 10 ms",)


def test_the_table_has_every_figure_with_its_interval(measure, tmp_path):
    put(tmp_path, "b1", board())
    put(tmp_path, "b2", board())
    put(tmp_path, "t", tray())
    put(tmp_path, "c", {"game": "bocce"})
    lines = list(vision.table(measure(tmp_path, {"b1": WRONG})[0]))
    assert "torres: exact 1 of 2 = 50.0% (9.5% to 90.5%)" in lines
    assert "torres: cells right 99.22%" in lines
    assert "torres: pieces right 100.00%" in lines
    assert "torres: silent wrong 1 of 2 = 50.0% (9.5% to 90.5%)" in lines
    assert "torres: illegal n 0" in lines
    assert "torres: ms worst 10.0" in lines
    assert "tray: exact 1 of 1 = 100.0% (20.7% to 100.0%)" in lines
    assert "torres find: median 1.0, worst 1.0" in lines
    assert "tray read: median 2.0, worst 2.0" in lines
    assert lines[-1] == "passed over: 1 of bocce"
    assert not any("steep" in line for line in lines)


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
    return RIGHT.layout, Standing(tuple(map(tuple, heights(d1=1, d2=1, d3=1))), one["pieces"]).layout(SEATS)


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
    assert "torres_evening: presses 11" in [*vision.table(found)]
