"""From a reading to a verdict: which margins propose, doubt, or call a board out of step."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.sensors.readers import judging
from device.sensors.readers.judging import (
    CHANGE,
    ILLEGAL,
    MARGIN,
    MOST,
    Doubted,
    NoTurnLeads,
    Proposed,
    judge,
    select_worth_judging,
)
from engines import contract
from engines.contract import Exact
from engines.search import explain
from tests.engines.torres.table import GAME, at, blocks, turn

STATE = at(turn())


def board(more="", pieces="a=c3 b=f6 king=h4"):
    return GAME.sight.read(f"{blocks(more)} {pieces}")


NOW = board()
BLOCK = board("d3=1")
OTHER = board("d2=1")
JOINING = board("d3=1 e3=1")
"""The block on e3 would join two castles (TO-3.6)."""
WALK = board(pieces="a=c4 b=f6 king=h4")
FOREIGN = board(pieces="a=c3 b=f5 king=h4")
"""Somebody else's knight has moved."""


CHANGES = {BLOCK: 1, OTHER: 1, JOINING: 2, WALK: 1, FOREIGN: 1}
"""How many changes from now each is; those of layouts not here do not matter."""


class Pictured:
    """A picture that shows each layout so well, what changes cost already taken off; others hardly at all."""

    def __init__(self, evidence, rest=-1000.0):
        self.evidence, self.rest, self.asked = evidence, rest, []

    def __call__(self, layouts):
        self.asked.append(list(layouts))
        return [self.evidence.get(layout, self.rest) + CHANGE * CHANGES.get(layout, 0) for layout in layouts]


def see(evidence, unsure=()):
    """The verdict on a picture that shows these layouts so well, read in that order."""
    read = sorted(evidence, key=evidence.get, reverse=True)
    return judge(GAME, STATE, read, Pictured(evidence), unsure=unsure)


def test_what_stands_is_weighed_though_the_reader_did_not_name_it():
    verdict = judge(GAME, STATE, [BLOCK], Pictured({BLOCK: 0.0, NOW: -1.0}))
    assert isinstance(verdict, Doubted)
    assert [candidate.layout for candidate in verdict.candidates] == [BLOCK, NOW]
    assert verdict.places == ("-Bd3",)


@pytest.mark.parametrize("behind", [MARGIN - 0.01, MARGIN + 0.01])
def test_two_turns_nearly_alike_are_a_doubt(behind):
    verdict = see({BLOCK: 5.0, OTHER: 5.0 - behind, WALK: -50.0})
    if behind > MARGIN:
        assert isinstance(verdict, Proposed)
        assert verdict.margin == pytest.approx(behind)
        return
    assert isinstance(verdict, Doubted)
    assert [candidate.layout for candidate in verdict.candidates] == [BLOCK, OTHER]
    assert verdict.places == ("+Bd2", "-Bd3")
    odds = verdict.candidates[0].chance / verdict.candidates[1].chance
    assert odds == pytest.approx(math.exp(behind))
    assert all(isinstance(candidate.meaning, Exact) for candidate in verdict.candidates)


@pytest.mark.parametrize(
    ("ahead", "kind"),
    [
        (ILLEGAL + MARGIN + 0.01, NoTurnLeads),
        (ILLEGAL + MARGIN - 0.01, Doubted),
        (ILLEGAL - MARGIN + 0.01, Doubted),
        (ILLEGAL - MARGIN - 0.01, Proposed),
    ],
)
def test_an_illegal_board_must_look_better_by_a_margin(ahead, kind):
    verdict = see({JOINING: 0.0, BLOCK: -ahead})
    assert isinstance(verdict, kind)
    if kind is Proposed:
        assert verdict.layout == BLOCK


def test_every_single_misreading_is_weighed():
    """Of two blocks that join castles either may be misread, or both."""
    seen = board("d3=1 e3=1 a4=1")
    found = GAME.sight.explain(STATE, seen)
    assert len(found.misread) > 1
    pictured = Pictured({seen: 0.0})
    judge(GAME, STATE, [seen], pictured)
    (asked,) = pictured.asked
    assert {board("d3=1 a4=1"), board("e3=1 a4=1")} <= set(asked)
    for misread in found.misread:
        state = STATE
        for choice in misread.choices:
            state = GAME.rules.apply(state, choice)
        assert GAME.sight.of(state) in asked


def test_a_space_that_cannot_be_seen_makes_a_doubt():
    verdict = see({BLOCK: 0.0}, unsure=(9, 3))
    assert isinstance(verdict, Doubted)
    assert verdict.unsure == (3, 9)
    assert [candidate.layout for candidate in verdict.candidates] == [BLOCK]
    assert verdict.places == ()
    assert isinstance(see({JOINING: 0.0}, unsure=(9,)), NoTurnLeads)


def test_evidence_is_asked_for_once_and_every_layout_once():
    pictured = Pictured({BLOCK: 0.0, OTHER: -90.0, NOW: -100.0})
    judge(GAME, STATE, [BLOCK, OTHER, BLOCK, NOW], pictured)
    assert pictured.asked == [[BLOCK, OTHER, NOW]]


def test_only_so_many_layouts_are_looked_at():
    read = [board(f"{column}{row}=1") for row in (5, 8) for column in "bcdfgh"]
    pictured = Pictured({layout: -float(at) for at, layout in enumerate(read)})
    judge(GAME, STATE, read, pictured)
    assert set(pictured.asked[0]) & set(read[MOST:]) == set()
    assert set(read[:MOST]) <= set(pictured.asked[0])


@pytest.mark.parametrize(("behind", "asked"), [(MARGIN - 0.1, [BLOCK, JOINING]), (MARGIN + 0.1, [BLOCK])])
def test_only_what_a_turn_could_bring_near_is_thought_through(monkeypatch, behind, asked):
    """Whatever else is known by then not to be legal."""
    thought = []

    def watched(game, sight, state, layout):
        thought.append(layout)
        return explain(game, sight, state, layout)

    monkeypatch.setattr(judging, "explain", watched)
    verdict = see({BLOCK: 0.0, JOINING: -behind, OTHER: -MARGIN - 0.2})
    assert thought == asked
    assert verdict.margin == pytest.approx(min(behind + ILLEGAL * (len(asked) - 1), MARGIN + 0.2))


def test_what_is_out_of_the_question_is_not_worth_judging():
    """However legal: an illegal best would still be ahead by the margin."""
    others = [(OTHER, -(ILLEGAL + MARGIN - 0.01)), (WALK, -(ILLEGAL + MARGIN + 0.01)), (NOW, -1.0)]
    assert select_worth_judging(BLOCK, others) == [BLOCK, OTHER, NOW]
    assert select_worth_judging(BLOCK, others, margin=MARGIN + 1) == [BLOCK, OTHER, WALK, NOW]


@given(
    st.dictionaries(
        st.sampled_from([NOW, BLOCK, OTHER, WALK, JOINING, FOREIGN]), st.floats(-30, 0), min_size=1
    )
)
def test_whatever_the_evidence_a_proposal_is_legal_and_far_ahead(evidence):
    verdict = see(evidence)
    if isinstance(verdict, Doubted):
        assert len(verdict.candidates) > 1
        assert math.fsum(candidate.chance for candidate in verdict.candidates) <= 1 + 1e-9
        ranked = [candidate.chance for candidate in verdict.candidates]
        assert ranked == sorted(ranked, reverse=True)
        return
    assert verdict.margin >= MARGIN
    legal = not isinstance(GAME.sight.explain(STATE, verdict.layout), contract.OutOfStep)
    assert isinstance(verdict, Proposed) == legal
    best = max(evidence.values())
    # No board that explains the picture better was passed over, but for an illegal one by its price.
    assert evidence[verdict.layout] >= best - (ILLEGAL if legal else 0)


@pytest.mark.parametrize("evidence", [[], [0.0], [math.nan] * 2, [0.0, math.inf]])
def test_evidence_that_is_none_is_refused(evidence):
    with pytest.raises(ValueError, match="evidence"):
        judge(GAME, STATE, [BLOCK], lambda layouts: evidence)
