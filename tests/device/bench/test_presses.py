"""The pilot plays what it is given, and what it counts is what it pressed. How many is no pass or fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from device.bench.presses import Cost, Pilot, cost, measure
from device.keys.events import Press, Turn
from device.match.replay import Header
from engines import matchfile
from engines.contract import Setup
from engines.match import Step
from tests.device import stones
from tests.device.conftest import MATCHES, NAMES


@pytest.fixture
def pilot(box):
    position = "market=6,8,8,9 hand.a=?5 hand.b=?5"
    box.open(Header("san_gimignano", NAMES, Setup(position=position)))
    return Pilot(box)


def test_the_shortest_way_round_each_list(pilot):
    """Pass is fourth of five lines: two detents back over the end, then OK."""
    events = list(pilot_events(pilot, Step(0, "pass")))
    assert events == [Turn(-1), Turn(-1), Press("ok")]


def pilot_events(pilot, step):
    for event in pilot.events(step):
        yield event
        pilot.box.key(event)


def test_a_step_of_several_choices(pilot):
    assert pilot.enter(Step(0, "P m8 d")) == (3, 4)  # P; two on to m8; two back to d
    assert pilot.box.library.referee.replay.match.steps == [Step(0, "P m8 d")]


def test_levels_with_one_choice_cost_nothing(box):
    position = "market=6,8 hand.a=8,8,8 hand.b=?5"
    box.open(Header("san_gimignano", NAMES, Setup(position=position)))
    presses, _ = Pilot(box).enter(Step(0, "B 8x3"))
    assert presses == 1


def test_it_plays_only_while_the_match_is_shown(pilot):
    pilot.box.home()
    with pytest.raises(AssertionError, match="the box shows Home, not the match"):
        pilot.enter(Step(0, "pass"))


@pytest.fixture
def game(grid_toy):
    return grid_toy


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("Bb1", [0]),  # the cursor starts there
        ("Bc2", [3]),  # c1, a2; d1 and b2 between them are too high
        ("Bd2", [5]),
        ("-", [-2]),  # back over the piece
        ("Bc3", [-4]),  # seven on
        ("Ma1 b1", [-1, 0]),
        ("Ma1 a2", [-1, 1]),  # b1 is as near and comes first
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


def test_the_next_step_starts_where_the_last_one_was(game, box):
    box.open(Header(game, NAMES, stones.at("0123/0300/0001")))
    pilot = Pilot(box)
    assert pilot.enter(Step(0, "Bc3")) == (1, 4)  # from b1 back over the piece, pass and the rest
    assert pilot.enter(Step(1, "Ba2")) == (1, 2)  # William's a1 is taken
    assert pilot.enter(Step(0, "Bc3")) == (1, 0)
    assert pilot.enter(Step(1, "Ba3")) == (1, 1)
    assert pilot.enter(Step(0, "-")) == (1, 2)
    assert pilot.enter(Step(1, "-")) == (1, 2)


def test_what_one_press_makes_costs_one(game, box):
    box.open(Header(game, NAMES, stones.at("0123/0300/0001")))
    pilot = Pilot(box)
    pilot.enter(Step(0, "Ba2"))
    pilot.enter(Step(1, "-"))
    assert pilot.enter(Step(0, "Ma1 a2")) == (1, 1)


@pytest.mark.parametrize("name", ["torres_two", "torres_final_board"])
def test_a_match_on_a_board_through_the_keys(box, name):
    file = matchfile.read((MATCHES / f"{name}.match").read_text("utf-8"))
    box.open(Header(file.game, file.names, file.setup))
    pilot = Pilot(box)
    for step in file.steps:
        pilot.enter(step)
    assert tuple(box.library.referee.replay.match.steps) == file.steps


def test_what_a_match_costs(tmp_path):
    """Two turns of one press each; the report before them belongs to nobody's turn, the one after does."""
    path = tmp_path / "short.match"
    setup = Setup(position="market=6,8 hand.a=?5 hand.b=?5 turn=a")
    steps = (Step(0, "P m6 m8"), Step(None, "5 6 7 8"), Step(1, "pass"), Step(0, "pass"))
    path.write_text(matchfile.write(matchfile.MatchFile("san_gimignano", 1, NAMES, setup, steps)))
    found = cost(path)
    assert found == Cost(
        "short.match",
        "san_gimignano",
        turns=3,
        presses=1,
        detents=found.detents,
        worst_presses=3 + 4,
        worst_detents=found.worst_detents,
    )
    assert found.worst_detents >= found.detents > 0


def test_the_shape_of_what_is_measured():
    paths = [MATCHES / f"{name}.match" for name in ("closed", "figure_2", "torres_final_board", "torres_two")]
    figures = measure(paths)
    assert json.loads(json.dumps(figures)) == figures
    assert [one["match"] for one in figures["matches"]] == [path.name for path in paths]
    assert set(figures) == {
        *("matches", "games", "presses_median", "detents_median", "budget", "within_budget")
    }
    assert set(figures["games"]) == {"san_gimignano", "torres"}
    assert figures["budget"] == {"presses": 4, "detents": 20}
    assert isinstance(figures["within_budget"], bool)
    played = [one for one in figures["matches"] if one["turns"]]
    assert 0 < len(played) < len(paths)
    assert min(one["presses"] for one in played) <= figures["presses_median"]
    assert all(one["worst_presses"] >= one["presses"] > 0 for one in played)


@pytest.mark.parametrize(
    ("few", "many", "within"),
    [((4, 20), (3, 2), True), ((5, 20), (3, 2), False), ((4, 20.5), (3, 2), False), ((3, 2), (5, 2), False)],
)
def test_every_game_must_meet_the_budget(monkeypatch, few, many, within):
    def cost_of(path):
        presses, detents = few if path.name == "few" else many
        return Cost(path.name, path.name, 9 * (path.name != "unplayed"), presses, detents, 9, 99)

    monkeypatch.setattr("device.bench.presses.cost", cost_of)
    figures = measure([Path(name) for name in ("few", "many", "many", "unplayed")])
    assert figures["games"] == {
        "few": {"presses": few[0], "detents": few[1]},
        "many": {"presses": many[0], "detents": many[1]},
    }
    assert (figures["presses_median"], figures["detents_median"]) == many
    assert figures["within_budget"] is within


def test_nothing_to_measure():
    assert measure([])["matches"] == []
