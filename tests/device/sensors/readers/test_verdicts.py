"""A reading, what is known of colours and of touches, and the rules give one verdict."""

import msgspec
import pytest

from device.sensors.readers import judging
from device.sensors.readers.judging import Doubted, NoTurnLeads, Proposed
from device.sensors.readers.torres import verdicts
from device.sensors.readers.torres import verdicts as seats
from tests.device.sensors.readers.test_judging import BLOCK, NOW, STATE, board
from tests.engines.torres.table import GAME
from vision.torres.reading import MARGIN_STEEP, TEMPER, BoardReading

SEATS = {"green": 0, "red": 1}
BEHIND = board("d3=1 c2=1")
C2 = frozenset({10})


def reading(best, *others, hidden=frozenset(), unknown=frozenset(), steep=False, known=SEATS):
    """One that has these other boards for as likely."""
    alternatives = tuple((seats.colour_layout(one, known), 0.0) for one in others)
    shown = seats.colour_layout(best, known)
    return BoardReading(shown, alternatives, frozenset(), unknown, frozenset(hidden), steep)


@pytest.fixture
def judged(monkeypatch):
    """The verdict where a picture shows these layouts so well (log odds), and others hardly at all."""

    def judged(seen, reading, known=SEATS, hidden=()):
        painted = {seats.colour_layout(layout, known): odds * TEMPER for layout, odds in seen.items()}
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
    with pytest.raises(seats.NobodysColour, match="blue"):
        judged({BLOCK: 0.0}, msgspec.structs.replace(best, best=blue))
    perhaps = msgspec.structs.replace(best, alternatives=((blue, 0.0),))
    assert isinstance(judged({BLOCK: 0.0}, perhaps), Proposed)
