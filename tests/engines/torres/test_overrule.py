"""What people may do against the rules: illegal choices that stand, points by hand, a hand told."""

from collections import Counter
from random import Random

import pytest

from engines import search
from engines.contract import ADJUSTMENT, Choice, winners
from engines.errors import Impossible, Malformed
from engines.torres.ground import BLOCKS
from tests.engines.torres.table import (
    GAME,
    answer,
    at,
    blocks,
    fields,
    overruled,
    play,
    points,
    start,
    tokens,
    turn,
)
from tests.engines.torres.walking import SETUPS, busy
from tests.engines.walks import seed, soak, walk


@pytest.mark.parametrize(
    ("position", "path", "token", "then", "expected"),
    [
        # A block away from every castle, one between two of them, one too high, one under a piece.
        (turn(), "", "Bh8", [], {"blocks": blocks("h8=1"), "left": "4", "waived": "TO-3.5"}),
        (turn("d3=1"), "", "Be3", [], {"blocks": blocks("d3=1 e3=1"), "waived": "TO-3.6"}),
        (turn(), "", "Bd1", [], {"blocks": blocks("d1=2"), "waived": "TO-3.7"}),
        (turn(), "", "Bf6", [], {"blocks": blocks("f6=2"), "b": "f6", "waived": "TO-3.5,TO-3.7"}),
        # A fourth block of the turn comes from another stack, a sixth point from nowhere.
        (turn("d3=1 b3=1 c2=1", placed=3, left=2), "", "Bc4", [],
         {"placed": "4", "left": "1", "waived": "TO-3.4"}),
        (turn("d3=1", stacks="0-0-0-0", deck_a=9), "", "Bd4", [], {"waived": "TO-3.4"}),
        (turn(left=0, deck_a=9), "", "Bd3", [], {"placed": "1", "waived": "TO-3.4"}),
        (turn(left=0, deck_a=9), "", "S2", [], {"points.a": "s2/-/-"}),
        (turn(left=1), "", "N", ["d3"], {"a": "c3,d3", "turn": "b"}),
        # A knight where no way leads; one that is shut in
        (turn("d3=1 d4=1 c4=3"), "Mc3", "c4", [], {"a": "c4", "left": "4", "waived": "TO-3.2"}),
        (turn(left=2), "Mc3", "c6", [], {"a": "c6", "turn": "b", "left": None}),
        (turn(pieces="a=a1 b=b1,a2 king=h4"), "", "Ma1", ["h8"], {"a": "h8", "waived": "TO-3.2"}),
        # A third card, one taken this turn played, a second one played
        (turn(fresh=2, deck_a=8, left=3), "", "Ttop", [], {"fresh": "3", "deck.a": "7", "waived": "TO-3.8"}),
        (turn(fresh=1, deck_a=9, left=4), "", "card", ["ap7"],
         {"fresh": None, "played.a": "ap7", "deck.a": "9", "left": "6", "waived": "TO-3.9"}),
        (turn(), "", "card", ["ap7"], {"played.a": "ap7", "deck.a": "9", "left": "7"}),
        (turn(carded="yes", played_a="ap6", deck_a=8), "", "card", ["ap7"], {"played.a": "ap6,ap7"}),
        (turn(deck_a=9), "card", "jump", ["c3", "f8"], {"a": "f8", "played.a": "jump"}),
        (turn(deck_a=9), "card diagonal c3", "h8", [], {"a": "h8", "waived": "TO-4.5"}),
        # Move block: a castle split, the king's own column gone from under him
        (turn("d3=1 d4=1", deck_a=9), "card move", "d3", ["h8"],
         {"blocks": blocks("d4=1 h8=1"), "waived": "TO-4.7"}),
        (turn(deck_a=9), "card move", "h4", ["h8"],
         {"blocks": blocks("h4=0 h8=1"), "king": "h4", "waived": "TO-4.7,TO-5.4"}),
        # Stacks that cannot be
        (turn(stacks="3-3-2-2", left=4, placed=1), "stacks", "3-3-1", [], {"stacks.a": "3-3-1"}),
        # Set-up and the king
        (f"blocks={blocks()} doing=enter:c-1:n0:new", "", "Ea1", [], {"a": "a1", "waived": "TO-1.5"}),
        (f"blocks={blocks(base=('a1', 'd1'))} master=yes doing=found:c-1:n0:new", "", "Fd1", [],
         {"blocks": blocks("d1=2", base=("a1", "d1")), "waived": "TO-3.7,TO-6.1"}),
        (f"blocks={blocks()} a=c3 b=f6 king=h4 round=4 doing=king:c-1:n0:new", "", "Ka1", [],
         {"king": "a1", "waived": "TO-5.4", "phase": "2"}),
    ],
)  # fmt: skip
def test_an_illegal_choice_stands(position, path, token, then, expected):
    state = overruled(position, path, token)
    for word in then:
        choice = answer(state, word)
        refusal = GAME.rules.why_not(state, choice)
        state = (
            GAME.rules.overrule(state, choice, refusal.clause) if refusal else GAME.rules.apply(state, choice)
        )
    shown = fields(state)
    assert {name: shown.get(name) for name in expected} == expected
    assert GAME.position.status(GAME.position.write(state)) == []
    held = sum(map(sum, state.stacks)) - state.placed - state.under
    assert state.ground.blocks + held + state.supply() == BLOCKS
    assert state.supply() >= 0


ALL_KNIGHTS = "a=a1,b1,a2,b2,a3,b3 b=f6 king=h4"


@pytest.mark.parametrize(
    ("position", "path", "token"),
    [
        (turn(pieces="a=c3 b=c4 king=h4"), "Mc3", "c4"),  # two knights on a space
        (turn(), "Mc3", "c3"),
        (turn(pieces="a=c3 b=c4 king=h4"), "N", "c4"),
        (turn(pieces=ALL_KNIGHTS), "", "N"),  # a seventh knight
        (turn("d1=44", waived="TO-3.7"), "", "Bd1"),  # taller than all blocks could make it
        (turn(deck_a=0), "", "Ttop"),  # no card there
        (turn(deck_a=8, played_a="ap7"), "card", "ap7"),  # a card that left the game
        (turn(pieces="a=c3 b=d4 king=h4", deck_a=9), "card diagonal c3", "d4"),
        (turn(deck_a=9), "card diagonal", "f6"),  # another one's knight
        (turn(deck_a=9), "card move", "h8"),  # no block there
        (f"blocks={blocks()} a=c3 b=f6 turn=b doing=crown:c-1:n0:new", "", "Kc3"),
        (f"blocks={blocks()} a=c3 b=f6 king=h4 round=4 doing=king:c-1:n0:new", "", "Kf6"),
        (f"level=score blocks={blocks()} king=d1 doing=final_knight:c0:n0:new", "", "Ed1"),
        (f"level=score blocks={blocks('a1=12 a2=12 a3=12 a4=12 a5=12 a6=12 a7=12')}"
         " doing=final_height:c63:n0:open", "", "+2"),
    ],
)  # fmt: skip
def test_what_no_table_can_look_like_does_not_stand(position, path, token):
    with pytest.raises(Impossible) as caught:
        overruled(position, path, token)
    state = at(position, path)
    assert caught.value.refusal == GAME.rules.why_not(state, answer(state, token))


def test_a_block_beyond_the_last_is_impossible():
    """TO-1.1: own stacks and supply are empty."""
    spare = turn("c3=10 d3=12 d4=12 c4=12 d5=12 e5=11", stacks="0-0-0-0", waived="TO-3.7",
                 **{"stacks.b": "3-3-3-3"})  # fmt: skip
    state = at(spare)
    assert state.supply() == 4
    for cell in ("Bh8", "Bg8", "Bh7", "Bg7"):
        refusal = GAME.rules.why_not(state, answer(state, cell))
        assert refusal.check == "block.stack"
        state = GAME.rules.overrule(state, answer(state, cell), refusal.clause)
    assert state.supply() == 0
    state = at(GAME.position.write(state))
    choice = answer(state, "Bf8")
    with pytest.raises(Impossible):
        GAME.rules.overrule(state, choice, GAME.rules.why_not(state, choice).clause)


def test_a_clause_waived_is_passed_over_and_others_are_not():
    text = turn("d1=2", waived="TO-3.7")
    assert GAME.position.status(text) == []
    assert [p.check for p in GAME.position.status(text.replace("TO-3.7", "TO-3.6"))] == ["layout.height"]
    assert [p.check for p in GAME.position.status(turn(pieces="a=c3 b=c3 king=h4", waived="TO-1.8"))] == [
        "layout.two"
    ]


def assert_plays_on(state, rng):
    """Blocks are conserved, the position reads back, and a random playout reaches the end."""
    for made, (after, _, choice) in enumerate(search.playout(GAME, state, rng)):
        if made % 9 == 0:
            text = GAME.position.write(after)
            assert GAME.position.status(text) == [], (text, GAME.position.status(text))
            assert GAME.position.read(text) == after
            assert GAME.rules.why_not(after, choice) is None
            assert after.supply() >= 0
        assert made < 5_000


def try_overruling(number, every):
    """Let illegal choices of a random match stand here and there; what came of them, by check."""
    rng, came = Random(number), Counter()
    setup = SETUPS[sorted(SETUPS)[number % len(SETUPS)]]
    for made in walk(GAME, setup, rng, busy):
        if rng.random() > 1 / every:
            continue
        pending = GAME.rules.pending(made.state)
        listed = {choice.token for choice in GAME.rules.legal(made.state)}
        refused = [token for token in pending.domain.tokens if token not in listed]
        if not refused:
            continue
        choice = Choice(pending.question, rng.choice(refused))
        refusal = GAME.rules.why_not(made.state, choice)
        try:
            after = GAME.rules.overrule(made.state, choice, refusal.clause)
        except Impossible:
            came[refusal.check, "impossible"] += 1
            continue
        came[refusal.check, "stands"] += 1
        text = GAME.position.write(after)
        assert refusal.clause in after.waived
        assert GAME.position.status(text) == [], (text, GAME.position.status(text))
        assert GAME.position.read(text) == after
        assert_plays_on(after, rng)
    return came


def test_everything_goes_on_from_an_overruled_step():
    came, first = Counter(), seed()
    for number in range(first, first + 5):
        came += try_overruling(number, 12)
    assert {what for _, what in came} == {"stands", "impossible"}
    assert len({check for check, what in came if what == "stands"}) >= 12


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_soak_overruling():
    first = seed()
    for number in range(first, first + soak(3_000)):
        try_overruling(number, 12)


# Points by hand


def test_points_by_hand_are_booked_and_count():
    state = GAME.rules.adjust(GAME.rules.adjust(at(turn()), 1, 5), 0, -3)
    assert points(state) == [{ADJUSTMENT: -3}, {ADJUSTMENT: 5}]
    assert state.totals() == [-3, 5]
    assert winners(GAME, state) == (1,)
    assert GAME.scoring.bookings(state)[-1].category == ADJUSTMENT
    assert GAME.position.status(GAME.position.write(state)) == []
    assert GAME.position.read(GAME.position.write(state)) == state


def test_the_track_knows_points_by_hand():
    """Seat b was moved to 2: a's second score step goes past it (TO-3.11)."""
    state = play(GAME.rules.adjust(at(turn()), 1, 2), "S 2")
    assert state.totals() == [3, 2]


def test_two_markers_may_share_a_space_by_hand_alone():
    state = GAME.rules.adjust(play(at(turn()), "S 2"), 1, 2)
    assert state.totals() == [2, 2]
    assert GAME.position.status(GAME.position.write(state)) == []
    text = turn(points_a="s2/-/-", points_b="s2/-/-")
    assert [p.check for p in GAME.position.status(text)] == ["position.track"]


def test_they_still_may_once_the_points_by_hand_are_taken_back():
    state = at(turn(points_a="s2/-/-", points_b="s2/-/-", adjusted="0,1"))
    state = GAME.rules.adjust(state, 1, -1)
    assert (state.totals(), state.adjusted) == ([2, 2], (0, 0))
    assert GAME.position.status(GAME.position.write(state)) == []


# A hand told by its player


def test_who_sees_the_cards_sees_which_can_be_played():
    state = at(turn(deck_a=8, fresh=1, left=4))
    assert "card" in tokens(state)
    assert "card" in [c.token for c in GAME.rules.legal_for(state, 0, "ap7,+jump")]
    asked = at(turn(deck_a=8, fresh=1, left=4), "card")
    assert [c.token for c in GAME.rules.legal_for(asked, 0, "ap7,+jump")] == ["ap7"]
    assert "card" not in [c.token for c in GAME.rules.legal_for(state, 0, "jump,+ap7")]
    assert GAME.rules.legal_for(state, 1, "-") == []


@pytest.mark.parametrize("held", ["ap7", "ap7,jump", "+ap7,+jump", "ap7,+ap7", "ap7,+trump", "ap6,+jump", ""])
def test_a_hand_that_cannot_be(held):
    state = at(turn(deck_a=7, fresh=1, left=4, played_a="ap6"))
    with pytest.raises(Malformed):
        GAME.rules.legal_for(state, 0, held)


def test_the_start_has_nothing_to_tell():
    assert GAME.rules.legal_for(start(), 0, "-") == GAME.rules.legal(start())
