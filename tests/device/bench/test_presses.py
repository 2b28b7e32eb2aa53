"""The pilot plays what it is given, and what it counts is what it pressed. How many is no pass or fail."""

from pathlib import Path

import pytest

from device.bench.presses import Pilot, PlayedMatch, Taken, compute_cost, measure, play
from device.keys import Press, Turn
from device.match import KEYS
from device.match.replay import Header
from device.match.rulings import Adjust
from device.menus.play import Play
from engines import matchfile
from engines.contract import Setup
from engines.match import Step
from tests.device import stones
from tests.device.conftest import NAMES


@pytest.fixture
def pilot(box):
    position = "market=6,8,8,9 hand.a=?5 hand.b=?5"
    box.open(Header("san_gimignano", NAMES, Setup(position=position)))
    return Pilot(box)


def pilot_events(pilot, step):
    for event in pilot.events(step):
        yield event
        pilot.box.key(event)


@pytest.fixture
def game(grid_toy):
    return grid_toy


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("Bb1", [0]),  # the cursor starts there
        ("Bc2", [5]),  # a1 to b1, c1, a2, a1 to a2 lie between
        ("Bd2", [6]),
        ("-", [-1]),
        ("Ma1 b1", [1]),
        ("Ma1 a2", [4]),
    ],
)
def test_on_a_board_the_shortest_way_through_the_legal_cells(game, box, text, turns):
    box.open(Header(game, NAMES, stones.at("0123/0300/0001")))
    pilot = Pilot(box)
    expected = []
    for steps in turns:
        expected += [Turn(1 if steps > 0 else -1)] * abs(steps) + [Press("ok")]
    assert list(pilot_events(pilot, Step(0, text))) == expected
    assert box.library.referee.replay.match.steps == [Step(0, text)]


def short(tmp_path):
    """Two turns of one press each; the report between them belongs to the first, none to nobody."""
    path = tmp_path / "short.match"
    setup = Setup(position="market=6,8 hand.a=?5 hand.b=?5 turn=a")
    steps = (Step(0, "P m6 m8"), Step(None, "5 6 7 8"), Step(1, "pass"), Step(0, "pass"))
    path.write_text(matchfile.write(matchfile.MatchFile("san_gimignano", 1, NAMES, setup, steps)))
    return path


def test_what_turns_take(tmp_path):
    played = play(short(tmp_path))
    actions = [(one.question, one.presses) for one in played.actions]
    assert actions == [("Purchase", 3), ("Pass", 2), ("Pass", 2)]
    assert (played.game, played.seats, played.rounds) == ("san_gimignano", 2, [])
    found = played.turns
    assert [(one.question, one.records, one.presses) for one in found] == [
        ("action", 2, 3 + 4),  # P, m6, m8; four cards turned up
        ("action", 1, 2),  # pass, and yes
        ("action", 1, 2),
    ]
    assert all(one.detents > 0 for one in found)


def test_what_fell_on_the_table_ends_what_can_be_measured(tmp_path):
    path = short(tmp_path)
    lines = path.read_text("utf-8").splitlines()
    assert lines[-1].endswith("pass")
    path.write_text("\n".join([*lines[:-1], "4 ~ throw", "5 a pass"]) + "\n", "utf-8")
    assert len(play(path).turns) == 2


def test_what_only_dismisses_a_text_is_counted_as_that(pilot):
    """A page that is told by itself costs an OK for each of its screens; a yes that is asked for does not."""
    pilot.box.door.rule(Adjust(1, -3, "slow play " * 7), source=KEYS)
    taken = pilot.take(pilot.events(Step(0, "pass")))
    assert (taken.presses, taken.dismissed) == (4, 2)
    assert isinstance(pilot.box.stack[-1], Play)
    taken = pilot.take(pilot.events(Step(1, "pass")))
    assert taken.presses == 2 + taken.dismissed


def test_a_game_is_the_sum_of_its_matches(monkeypatch):
    """Set-up by number of seats, a round for each seat, both in the median."""
    whole = {
        "a": PlayedMatch("one", 2, Taken("", 0, 30, 9, dismissed=3), 8, [10, 20], [Taken("go", 1, 1, 1)], []),
        "b": PlayedMatch("one", 3, Taken("", 0, 20, 9, dismissed=1), 12, [36], [], []),
        "c": PlayedMatch("one", 2, Taken("", 0, 10, 9, dismissed=2), 0, [], [], []),
    }
    monkeypatch.setattr("device.bench.presses.play", lambda path: whole[path.name])
    figures = measure([Path(name) for name in whole])
    game = figures.games["one"]
    assert (game.presses, game.dismissed, game.set_up, game.round) == (60, 6, {2: 8, 3: 12}, 10)
    assert not [text for text in figures.missed if "dismissed" in text]
    whole["a"].taken.dismissed += 1
    assert "one: 12% dismissed (bar 10%)" in measure([Path(name) for name in whole]).missed


@pytest.mark.parametrize(
    ("presses", "records", "detents", "missed"),
    [
        (4, 1, 12, []),
        (5, 4, 12, []),  # 1.25 for each
        (5, 3, 3, ["5 presses, 1.67 a record (bar 4 or 1.25)"]),
        (4, 1, 13, ["13 detents (bar 12)"]),
        (9, 2, 40, ["9 presses, 4.50 a record (bar 4 or 1.25)", "40 detents (bar 12)"]),
    ],
)
def test_which_bar_is_missed(presses, records, detents, missed):
    assert list(compute_cost("game", "q", [Taken("q", records, presses, detents)]).missed) == missed


def test_turns_are_told_apart_by_the_question_that_they_begin_with(monkeypatch):
    played = {
        "easy": (
            "one",
            [Taken("action", 1, 1, 1)] * 9 + [Taken("king", 2, 9, 1)],
            [Taken("go", 1, 1, 1), Taken("go", 1, 1, 9), Taken("leap", 1, 4, 1), Taken("sit", 1, 3, 8)],
        ),
        "other": ("two", [Taken("action", 1, 2, 14)], []),
        "unplayed": ("two", [], []),
    }

    def play(path):
        game, turns, actions = played[path.name]
        return PlayedMatch(game, 2, Taken(), 0, [], turns, actions)

    monkeypatch.setattr("device.bench.presses.play", play)
    figures = measure([Path(name) for name in played])
    assert [one.name for one in figures.matches] == ["easy", "other"]
    assert [(one.name, one.question, one.turns) for one in figures.questions] == [
        ("one", "action", 9),
        ("one", "king", 1),
        ("two", "action", 1),
    ]
    assert figures.missed == [
        "one king: 9 presses, 4.50 a record (bar 4 or 1.25)",
        "two action: 14 detents (bar 12)",
        "one go: 1 of 2 over it (bar 3 presses, 8 detents)",
        "one leap: 1 of 1 over it (bar 3 presses, 8 detents)",
    ]
    assert [(one.question, one.turns) for one in figures.verbs] == [("go", 2), ("leap", 1), ("sit", 1)]
    lines = figures.lines()
    assert lines[0].split()[4:6] == ["turns", "records"]
    assert lines[2].split() == ["one", "king", "1", "2", "9", "4.50", "1", "9", "+", "1"]
    assert lines[-4:] == [f"missed: {text}" for text in figures.missed]
