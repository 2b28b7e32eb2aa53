"""Whose colour is whose, what stacks hide, and the one verdict of reading and rules."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.sensors.readers import judging
from device.sensors.readers import torres as verdicts
from device.sensors.readers.judging import Doubted, NoTurnLeads, Proposed
from engines.contract import OutOfStep
from engines.torres.cells import NUMBERS
from engines.torres.layouts import read as read_layout
from tests.device.sensors.readers.test_judging import BLOCK, NOW, STATE, board
from tests.engines.torres.table import GAME, at, turn
from vision.torres import Coloured
from vision.torres.reading import MARGIN_STEEP, TEMPER, BoardReading

SEATS = {"green": 0, "red": 1}
BEHIND = board("d3=1 c2=1")
C2 = frozenset({10})


def reading(best, *others, hidden=frozenset(), unknown=frozenset(), steep=False, known=SEATS):
    """One that has these other boards for as likely."""
    alternatives = tuple((verdicts.colour_layout(one, known), 0.0) for one in others)
    shown = verdicts.colour_layout(best, known)
    return BoardReading(shown, alternatives, frozenset(), unknown, frozenset(hidden), steep)


@pytest.fixture
def judged(monkeypatch):
    """The verdict where a picture shows these layouts so well (log odds), and others hardly at all."""

    def judged(seen, reading, known=SEATS, hidden=()):
        painted = {verdicts.colour_layout(layout, known): odds * TEMPER for layout, odds in seen.items()}
        assert len(painted) == len(seen)
        monkeypatch.setattr(
            verdicts, "weigh", lambda scene, layouts: [painted.get(one, -1e4) for one in layouts]
        )
        return verdicts.judge_board(GAME, STATE, None, reading, known, hidden)

    return judged


def test_a_block_behind_a_stack_is_asked_about_where_something_touched_it(judged):
    alike = {BLOCK: 0.0, BEHIND: 0.0}
    verdict = judged(alike, reading(BLOCK, hidden=C2), hidden=C2)
    assert isinstance(verdict, Doubted)
    assert {candidate.layout for candidate in verdict.candidates} == {BLOCK, BEHIND}
    assert verdict.unsure == ()


def test_what_stacks_hide_crowds_out_nothing_that_is_seen(judged):
    """The reader names what may have changed behind a stack first, seven times."""
    behind = [board(f"d3=1 c2={height}") for height in range(1, 8)]
    plain = board("d3=1 e3=1")
    verdict = judged({BLOCK: 0.0, plain: 5.0}, reading(BLOCK, *behind, plain, hidden=C2), hidden=C2)
    assert isinstance(verdict, Doubted)
    assert {candidate.layout for candidate in verdict.candidates} == {BLOCK, plain}


def test_where_nothing_touched_it_a_hidden_space_is_as_it_was(judged):
    """Whether the reader names what could have changed there or not."""
    alike = {BLOCK: 0.0, BEHIND: 0.0}
    for found in (reading(BLOCK, hidden=C2), reading(BLOCK, BEHIND, hidden=C2)):
        verdict = judged(alike, found)
        assert isinstance(verdict, Proposed)
        assert verdict.layout == BLOCK
    assert isinstance(judged(alike, reading(BLOCK, BEHIND)), Doubted)  # in plain sight


def test_what_is_foreign_makes_a_doubt(judged):
    assert judged({BLOCK: 0.0}, reading(BLOCK, unknown=C2)).unsure == (10,)


def test_the_same_margin_for_all_but_a_camera_that_is_too_steep(judged):
    for steep, margin in ((False, judging.MARGIN), (True, MARGIN_STEEP / TEMPER)):
        for ahead, kind in ((margin - 0.1, Doubted), (margin + 0.1, Proposed)):
            verdict = judged({BLOCK: judging.CHANGE + ahead, NOW: 0.0}, reading(BLOCK, steep=steep))
            assert isinstance(verdict, kind), (steep, ahead)


def test_a_seat_without_a_colour_is_judged_all_the_same(judged):
    """Seat b's knight is gone before anybody saw what colour it has."""
    gone = board(pieces="a=c3 b=- king=h4")
    verdict = judged({gone: 0.0, NOW: -50.0}, reading(gone, known={"green": 0}), known={"green": 0})
    assert isinstance(verdict, NoTurnLeads)
    assert verdict.meaning.differences == ("-bf6",)


def test_a_piece_of_nobodys_colour_is_named_and_costs_no_other_reading(judged):
    best = reading(BLOCK)
    blue = msgspec.structs.replace(best.best, pieces=(*best.best.pieces, (63, "blue")))
    with pytest.raises(verdicts.NobodysColour, match="blue"):
        judged({BLOCK: 0.0}, msgspec.structs.replace(best, best=blue))
    perhaps = msgspec.structs.replace(best, alternatives=((blue, 0.0),))
    assert isinstance(judged({BLOCK: 0.0}, perhaps), Proposed)


# Seats

EMPTY = "/".join([""] * 8)
BELIEVED = read_layout(f"{EMPTY} a=c4,d5 b=f6 king=h4")


def pieces(**pieces):
    """Colours by space: ``c4="green"``."""
    return Coloured(bytes(64), tuple(sorted((NUMBERS[cell], colour) for cell, colour in pieces.items())))


def test_each_seat_has_the_colour_that_stands_where_it_should():
    assert verdicts.learn_seats(BELIEVED, pieces(c4="green", d5="green", f6="red", h4="king"), {}) == SEATS


def test_what_shows_no_colour_clearly_is_left_out():
    assert verdicts.learn_seats(BELIEVED, pieces(c4="green", d5="red", f6="red"), {}) == {"red": 1}
    assert verdicts.learn_seats(BELIEVED, pieces(c4="green", f6="red"), {}) == {"red": 1}
    assert verdicts.learn_seats(BELIEVED, pieces(), {}) == {}


def test_one_colour_on_the_spaces_of_two_is_neithers():
    assert verdicts.learn_seats(BELIEVED, pieces(c4="red", d5="red", f6="red"), {}) == {}


def test_what_is_known_is_not_learnt_again():
    assert verdicts.learn_seats(BELIEVED, pieces(c4="red", d5="red", f6="green"), {"red": 1}) == {}
    assert verdicts.learn_seats(BELIEVED, pieces(c4="green", d5="green", f6="blue"), {"red": 1}) == {
        "green": 0
    }


def test_a_new_colour_is_that_of_the_seat_to_move_or_of_the_only_one_without():
    newcomer = pieces(c4="green", f6="blue")
    assert verdicts.add_newcomer({"green": 0}, newcomer, 1, 3) == {"green": 0, "blue": 1}
    assert verdicts.add_newcomer({"green": 0}, newcomer, 0, 2) == {"green": 0, "blue": 1}
    assert verdicts.add_newcomer({"green": 0}, newcomer, 0, 3) == {"green": 0}
    assert verdicts.add_newcomer(SEATS, newcomer, 0, 2) == SEATS
    assert verdicts.add_newcomer({"green": 0}, pieces(f6="blue", g6="red"), 1, 2) == {"green": 0}


def test_a_seat_without_a_colour_is_painted_in_one_that_nobody_has():
    assert verdicts.colour_layout(BELIEVED, {"green": 0}) == pieces(
        c4="green", d5="green", f6="red", h4="king"
    )
    assert verdicts.colour_layout(BELIEVED, {"red": 0}) == pieces(c4="red", d5="red", f6="blue", h4="king")
    four = read_layout(f"{EMPTY} a=a1 b=a2 c=a3 d=a4")
    for known in ({}, {"yellow": 0}, {"blue": 2, "red": 3}):
        painted = dict(verdicts.colour_layout(four, known).pieces)
        assert len(set(painted.values())) == 4
        assert all(painted[8 * seat] == colour for colour, seat in known.items())


# Boards that differ where stacks hide it


def cells(*cells):
    return [NUMBERS[cell] for cell in cells]


def differences(layouts, read=NOW):
    return [" ".join(GAME.sight.differences(layout, read)) for layout in layouts]


def test_a_new_knight_may_stand_behind_a_stack():
    """The own one may as well have walked from c3 to d3, both hidden: of that nothing at all would show, and
    nothing else was done.
    """
    assert differences(verdicts.find_hidden_boards(STATE, [NOW], cells("c3", "d3"))) == ["+Bd3", "+ad3"]


def test_what_the_rules_forbid_or_nobody_may_move_is_not_thought_of():
    assert verdicts.find_hidden_boards(STATE, [NOW], []) == ()
    assert verdicts.find_hidden_boards(STATE, [NOW], cells("f6", "h4")) == ()  # other people's
    assert (
        verdicts.find_hidden_boards(STATE, [NOW], cells("h8")) == ()
    )  # no castle beside it, and too far for a knight
    assert "+Be3" not in differences(
        verdicts.find_hidden_boards(STATE, [board("d3=1")], cells("e3")), board("d3=1")
    )


def test_a_knight_that_is_gone_may_stand_hidden():
    """The board as read is illegal, for no knight leaves the board."""
    read = board(pieces="a=- b=f6 king=h4")
    assert isinstance(GAME.sight.explain(STATE, read), OutOfStep)
    assert differences(verdicts.find_hidden_boards(STATE, [read], cells("c4", "h8")), read) == ["+ac4"]


def test_a_knight_may_have_walked_from_one_hidden_space_to_another_where_more_was_done():
    read = board("d2=1")
    found = differences(verdicts.find_hidden_boards(STATE, [read], cells("c3", "d3")), read)
    assert found == ["+ad3", "+ad3 -ac3"]
    assert (
        differences(verdicts.find_hidden_boards(STATE, [read], cells("c3", "h8")), read) == []
    )  # too far to walk


def test_of_two_knights_that_came_into_view_one_may_have_left_a_hidden_space():
    read = board(pieces="a=c3,c4,d2 b=f6 king=h4")
    assert differences(verdicts.find_hidden_boards(STATE, [read], cells("c3")), read) == ["-ac3"]


def test_of_two_knights_that_came_one_may_be_hidden():
    read = board(pieces="a=c3,c4 b=f6 king=h4")
    assert "+ad3" in differences(verdicts.find_hidden_boards(STATE, [read], cells("d3")), read)
    three = board(pieces="a=c3,c4,d2 b=f6 king=h4")  # six points
    assert "+ad3" not in differences(verdicts.find_hidden_boards(STATE, [three], cells("d3")), three)


def test_only_so_many_are_told():
    free = [cell for cell in range(64) if not NOW.heights[cell]]
    assert len(verdicts.find_hidden_boards(STATE, [NOW], free)) == verdicts.MOST


def test_in_the_middle_of_a_step_nothing_is_thought_of():
    assert verdicts.find_hidden_boards(at(turn(), "Mc3"), [NOW], cells("d3")) == ()


@given(
    st.sets(st.integers(0, 63), max_size=6),
    st.sampled_from([NOW, board("d3=1"), board(pieces="a=c4 b=f6 king=h4")]),
)
def test_each_is_legal_and_differs_in_one_hidden_space_or_by_one_walk(cells, read):
    found = verdicts.find_hidden_boards(STATE, [read], cells)
    assert len(set(found)) == len(found)
    for layout in found:
        assert not isinstance(GAME.sight.explain(STATE, layout), OutOfStep) or layout == NOW
        words = GAME.sight.differences(layout, read)
        assert len(words) == 1 or [word[:-2] for word in words] == ["+a", "-a"]
        assert {NUMBERS[word[-2:]] for word in words} <= cells
