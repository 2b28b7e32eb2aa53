"""A whole turn seen by a camera: recorded, proposed, and once accepted one group of separate steps."""

from __future__ import annotations

import pytest

from device.match.records import Kind
from device.match.replay import Header
from device.match.undo import undoable
from device.screen.pages import GridPage
from engines.contract import Exact, OutOfStep, Setup, Several
from tests.device.conftest import NAMES
from tests.device.match.test_desk import AtTheLine
from tests.engines.torres.table import blocks, turn

TURN = f"{blocks('d3=1')} a=c4 b=f6 king=h4"
"""A block, and a knight that went to c4."""


@pytest.fixture
def desk(table, ticks):
    desk = AtTheLine(table, ticks)
    desk.box.game_texts["torres"] = desk.box.texts.load("en", "torres", strict=True)
    position = " ".join(turn().split())
    desk.box.play(table.open_match(Header("torres", NAMES, Setup(position=position))))
    desk.box.propose = desk.show
    return desk


def see(desk, layout, confidence=0.9):
    channel = "line:cam#1"
    return desk.run(desk.desk.reading("board", [(confidence, layout)], seat=None, channel=channel))


def steps(desk):
    return [(line.payload, line.group) for line in desk.table.referee.replay.log if line.kind is Kind.STEP]


def test_a_turn_is_recorded_as_steps_of_one_group(desk):
    see(desk, TURN)
    assert steps(desk) == []
    desk.player.ok()
    desk.player.written()
    found = steps(desk)
    assert sorted(text for text, _ in found) == ["B d3", "M c3-c4"]
    assert len({group for _, group in found}) == 1
    referee = desk.table.referee
    assert str(referee.replay.game.sight.of(referee.replay.match.state)) == TURN
    assert referee.replay.match.state.left == 3
    desk.player.later()
    assert desk.player.page.prompt.startswith("Points 3, ")


def test_one_undo_takes_all_of_it_back(desk):
    before = desk.table.referee.replay.match.state
    see(desk, TURN)
    desk.player.ok()
    (offer, *_) = undoable(desk.table.referee.replay)
    desk.table.referee.undo(offer, channel="keys")
    assert desk.table.referee.replay.match.state == before


def test_declined_nothing_is_recorded(desk):
    see(desk, TURN)
    desk.player.choose("no, as it was")
    assert steps(desk) == []
    assert desk.player.page.prompt.startswith("Points 5, ")


def test_of_several_turns_people_choose(desk):
    desk.proposals = []
    desk.box.propose = desk.proposals.append
    layout = f"{blocks()} a=d4,e4 b=f6 king=h4"
    see(desk, layout)
    meaning = desk.proposals[0].meaning
    assert isinstance(meaning, Several)
    desk.show(desk.proposals[0])
    desk.player.turn(1)
    desk.player.ok()
    referee = desk.table.referee
    assert str(referee.replay.game.sight.of(referee.replay.match.state)) == layout
    chosen = meaning.explanations[1]
    assert len(steps(desk)) == sum(choice.question == "action" for choice in chosen)


def test_a_match_that_moved_on_meanwhile_takes_no_part_of_it(desk):
    see(desk, TURN)
    desk.table.referee.step("S 1", channel="line:pad#1")
    desk.player.ok()
    assert [text for text, _ in steps(desk)] == ["S 1"]


def test_what_no_turn_leads_to_is_said_with_its_clause(desk):
    see(desk, f"{blocks('d3=1 e3=1')} a=c3 b=f6 king=h4")
    assert isinstance(desk.player.page, GridPage)
    said = ""
    while desk.player.page.header.left == "Sensor":
        said += desk.player.text
        desk.player.ok()
    assert "+Be3" in said
    assert "TO-3.6" in said
    assert "would join 2 castles" in said
    assert steps(desk) == []


def test_it_is_recorded_before_it_is_explained(desk):
    assert see(desk, TURN) == 1
    (record,) = desk.table.referee.replay.log
    assert (record.kind, record.payload) == (Kind.READING, f"board 0.90 {TURN}")


def test_a_doubt_about_one_space(desk):
    desk.proposals = []
    desk.box.propose = desk.proposals.append
    doubts = [(n, f"{blocks(f'd3=1 d1={high}')} a=c3 b=f6 king=h4") for n, high in ((0.6, 2), (0.4, 1))]
    desk.run(desk.desk.reading("board", doubts, seat=None, channel="line:cam#1"))
    assert isinstance(desk.proposals[0].meaning, Exact)
    desk.run(desk.desk.reading("board", doubts[:1], seat=None, channel="line:cam#1"))
    assert isinstance(desk.proposals[1].meaning, OutOfStep)
    assert desk.proposals[1].meaning.misread
