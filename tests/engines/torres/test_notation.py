"""Steps as text: canonical form, what is read besides, and each way a text can fail."""

import re
from pathlib import Path
from random import Random

import pytest

from engines import matchfile, notation
from engines.contract import Choice
from engines.errors import Malformed, OutOfTurn, Refused, Stale
from engines.match import Match, Step, replay
from tests.engines.torres.table import GAME, at, play, start, turn
from tests.engines.torres.walking import SETUPS, busy
from tests.engines.walks import walk

MATCHES = Path(__file__).parents[2] / "matches"
TABLE = turn("d3=2 c4=3 d4=2", "a=c3,b3 b=f6 king=h4", stacks="3-3-2-2", deck_a=9)


def canonical(position, text):
    choices, _ = notation.read(GAME, at(position), text)
    return GAME.notation.text(choices)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("B f8", "B f8"),
        ("Bf8", "B f8"),
        ("  B   f8 ", "B f8"),
        ("M c3-d3", "M c3-d3"),
        ("M c3 d3", "M c3-d3"),
        ("Mc3 d3", "M c3-d3"),
        ("M b3-b6", "M b3-b6"),
        ("M b3-b4-b5-b6", "M b3-b6"),
        ("M b3 b4 b5", "M b3-b5"),
        ("N b4", "N b4"),
        ("T top", "T top"),
        ("Tbottom", "T bottom"),
        ("S 3", "S 3"),
        ("S3", "S 3"),
        ("end", "end"),
        ("end 3-3-2", "end 3-3-2"),
        ("stacks 3-3-2", "end 3-3-2"),
        ("jump c3-c4", "jump c3-c4"),
        ("jump c3 c4", "jump c3-c4"),
        ("card jump c3 c4", "jump c3-c4"),
        ("under c3", "under c3"),
        ("block f8", "block f8"),
        ("move d1-d2", "move d1-d2"),
        ("leap c3-a3", "leap c3-a3"),
        ("ap6", "ap6"),
    ],
)
def test_steps_are_read_and_written(written, text):
    assert canonical(TABLE, written) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "Q",
        "B",
        "M",
        "M c3",
        "N",
        "jump",
        "jump c3",
        "card",
        "B f8 f8",
        "B z9",
        "M c3-d3-z9",
        "M z9-e6",
        "end now",
        "S",
        "S 0",
        "S 8",
        "T",
        "T middle",
        "points 12",
        "K d1",
        "E d1",
        "first b",
        "phase 2",
        "H d1+1",
        "ap8",
        "stacks",
    ],
)
def test_what_is_no_step(text):
    with pytest.raises(Malformed):
        notation.read(GAME, at(TABLE), text)


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("B c3", "block.free"),
        ("M f6-e6", "move.knight"),
        ("M h8-h7", "move.knight"),
        ("M b3-c4", "to.way"),
        ("N d2", "place.next"),
        ("end 3-3-0", "leave.result"),
        ("S 6", "steps.points"),
        ("jump b3-c3", "jump.stuck"),
    ],
)
def test_what_is_refused(text, check):
    with pytest.raises(Refused) as caught:
        notation.read(GAME, at(TABLE), text)
    assert caught.value.refusal.check == check


def test_the_only_way_to_end_may_be_told():
    state = at(turn())
    only, told = notation.read(GAME, state, "end 3-3-3")
    assert GAME.notation.text(only) == "end"
    assert told == play(state, "end")
    last = at(turn(stacks="3", stacks_b="3", round=4))
    assert GAME.notation.text(notation.read(GAME, last, "end -")[0]) == "end"
    with pytest.raises(Refused, match=r"stacks\.choice"):
        notation.read(GAME, state, "end 3-3")
    with pytest.raises(Refused, match=r"stacks\.none"):
        notation.read(GAME, last, "end 1")


def test_set_up_and_the_king():
    state = play(start(2, 0, master="yes"), "F a1", "F d1", "F g1", "F b3", "F e3", "F h3", "F c5", "F f5")
    state = play(state, "E a1", "E d1", "K g1")
    assert GAME.notation.text([Choice("enter", "Ea1")]) == "E a1"
    assert GAME.notation.text([Choice("king", "Kstay")]) == "K stay"
    assert GAME.notation.text([Choice("starter", "b")]) == "first b"
    assert state.king == 6


def test_reports():
    state = GAME.rules.start(SETUPS["score"])
    steps = ["phase 2", "H d1+2 d2+1", "K h4", "E c3 d1", "E f3", "E a5", "E c6"]
    steps += ["points 0", "points 12", "points 130", "points 499"]
    match = Match(GAME, SETUPS["score"])
    for text in steps:
        assert match.play(text).step.text == text
    assert match.state.termination == "counted"
    assert play(state, *steps) == match.state
    with pytest.raises(Stale):
        match.play("H .")
    with pytest.raises(Refused, match=r"track\.taken"):
        play(state, *steps[:-1], "points 12")
    with pytest.raises(Malformed, match="'500' does not answer 'track'; try 0 to 499"):
        play(state, *steps[:-1], "points 500")


@pytest.mark.parametrize("name", ["torres_final_board", "torres_master"])
def test_points_as_they_were_written_once_are_read_to_the_same_states(name):
    file = matchfile.read((MATCHES / f"{name}.match").read_text("utf-8"))
    points = re.compile(r"points (\d*)(\d)")
    old = [
        Step(step.seat, points.sub(lambda told: f"{told[1] or 0}_ _{told[2]}", step.text))
        for step in file.steps
    ]
    assert sum("_ _" in step.text for step in old) in (2, 3)
    assert replay(GAME, file.setup, old).points == matchfile.play(file).points


@pytest.mark.parametrize("text", ["5_", "_7", "5_ 7", "5 _7", "5_ _7 _7", "points 5_ _7", "123_ _4"])
def test_points_half_written_are_not_read(text):
    state = at(
        "level=score blocks=...1//..1..1/.......1/1/..1..1//....1 a=a1 b=b1 king=d1 doing=track:c0:n0:new"
    )
    with pytest.raises(Malformed):
        play(state, text)


def test_a_layout_that_is_the_starting_one():
    assert (
        canonical(f"{GAME.position.write(play(GAME.rules.start(SETUPS['score']), 'phase 3'))}", "H .")
        == "H ."
    )
    assert (
        canonical(f"{GAME.position.write(play(GAME.rules.start(SETUPS['score']), 'phase 3'))}", "H") == "H ."
    )


def test_another_seat_is_out_of_turn():
    match = Match(GAME, SETUPS["two"])
    with pytest.raises(OutOfTurn):
        match.play("E c3", 1)


def test_an_unfinished_step_has_a_text_too():
    for made in walk(GAME, SETUPS["two"], Random(4), busy):
        for choice in GAME.rules.legal(made.state):
            assert GAME.notation.text([choice])
    assert GAME.notation.text([]) == ""
    assert GAME.notation.text([Choice("action", "Mc4")]) == "M c4"
    assert GAME.notation.text([Choice("action", "card"), Choice("card", "jump")]) == "jump"
    assert GAME.notation.text([Choice("track", "57")]) == "points 57"
    assert GAME.notation.text([Choice("action", "stacks")]) == "stacks"
