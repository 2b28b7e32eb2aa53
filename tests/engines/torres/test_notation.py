"""Steps as text: canonical form, what is read besides, and each way a text can fail."""

import re
from pathlib import Path

import pytest

from engines import matchfile, notation
from engines.contract import Choice
from engines.errors import Malformed
from engines.match import Step, replay
from tests.engines.torres.table import GAME, at, play, turn
from tests.engines.torres.walking import SETUPS

MATCHES = Path(__file__).parents[2] / "matches"
TABLE = turn("d3=2 c4=3 d4=2", "a=c3,b3 b=f6 king=h4", stacks="3-3-2-2", deck_a=9)


def canonical(position, text):
    choices, _ = notation.read(GAME, at(position), text)
    return GAME.notation.text(choices)


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("Bf8", "B f8"),
        ("  B   f8 ", "B f8"),
        ("M c3 d3", "M c3-d3"),
        ("Mc3 d3", "M c3-d3"),
        ("M b3-b4-b5-b6", "M b3-b6"),
        ("M b3 b4 b5", "M b3-b5"),
        ("Tbottom", "T bottom"),
        ("S3", "S 3"),
        ("stacks 3-3-2", "end 3-3-2"),
        ("jump c3 c4", "jump c3-c4"),
        ("card jump c3 c4", "jump c3-c4"),
        ("under c3", "under c3"),
        ("block f8", "block f8"),
        ("move d1-d2", "move d1-d2"),
    ],
)
def test_steps_are_read_and_written(written, text):
    assert canonical(TABLE, written) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "B",
        "M c3",
        "jump c3",
        "B f8 f8",
        "M z9-e6",
        "end now",
        "T middle",
        "points 12",
        "phase 2",
        "ap8",
        "stacks",
    ],
)
def test_what_is_no_step(text):
    with pytest.raises(Malformed):
        notation.read(GAME, at(TABLE), text)


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


@pytest.mark.parametrize("text", ["5_", "_7", "5_ 7", "5_ _7 _7", "points 5_ _7", "123_ _4", "500"])
def test_points_half_written_are_not_read(text):
    state = at(
        "level=score blocks=...1//..1..1/.......1/1/..1..1//....1 a=a1 b=b1 king=d1 doing=track:c0:n0:new"
    )
    with pytest.raises(Malformed):
        play(state, text)


def test_an_unfinished_step_has_a_text_too():
    assert GAME.notation.text([]) == ""
    assert GAME.notation.text([Choice("action", "Mc4")]) == "M c4"
    assert GAME.notation.text([Choice("action", "card"), Choice("card", "jump")]) == "jump"
    assert GAME.notation.text([Choice("action", "stacks")]) == "stacks"


def test_no_space_differs_is_said_in_two_ways():
    state = play(GAME.rules.start(SETUPS["score"]), "phase 3")
    for text in ("H .", "H"):
        assert GAME.notation.text(notation.read(GAME, state, text)[0]) == "H ."
