"""Castles, tiles and payments that stand where people overruled (CT-2.3, CT-3.7, CT-3.8); a cart (CT-5.8)."""

import pytest
from msgspec.structs import replace

from engines import bags, notation
from engines.contract import Choice
from engines.errors import Impossible, Malformed, Refused
from tests.engines.castles_of_tuscany.sitting import (
    BOARDS,
    RULES,
    asked,
    bag,
    having,
    play,
    seated,
    squares,
    start,
)
from tests.engines.castles_of_tuscany.table import GAME, tokens, turn


def paid(*units, workers=0, hand=6):
    """The state after a quarry on c5 was paid so."""
    state = having(seated(), filled="c4", stored="q", hand=hand, workers=workers)
    return play(state, " ".join(("Pc5", *units)))


def let_stand(state, token, paid):
    choice = Choice("action", token)
    return play(RULES.overrule(state, choice, RULES.why_not(state, choice).clause), paid)


@pytest.mark.parametrize(
    ("filled", "shown_there", "points"),
    [
        ("c4", {}, [2]),
        ("c4 d5", {"d5": "a"}, [1]),
        ("c4 d5", {"d5": "ab"}, []),
    ],
)
def test_ct_5_4_a_farm_tile_let_stand_on_a_grey_space_shows_its_kinds(filled, shown_there, points):
    """Those that the light green areas beside it do not show before; no marble comes from it."""
    state = having(replace(seated(), rules=2), filled=filled, stored="fab")
    ground = state.region(state.seat)
    laid = tuple((ground.number(name), kinds) for name, kinds in shown_there.items())
    state = state.with_side(state.seat, shown=laid)
    after = let_stand(state, "Pc5", "q q")
    assert [gain.points for gain in after.sides[0].gains if gain.category == "farms"] == points
    assert after.sides[0].marble == 0
    of_before = let_stand(replace(state, rules=1), "Pc5", "q q")
    assert of_before.sides[0].marble == 2  # the quarry's, and an extra one


@pytest.mark.parametrize(
    ("hand", "text", "left"), [(5, "P c1", 5), (5, "P c1 m", 4), (1, "P c1 m", 0), (0, "P c1", 0)]
)
def test_a_short_payment_that_all_agree_to_stands(hand, text, left):
    """What was put down is paid, the monastery gives 3 cards; the words need not name what is not paid."""
    state = GAME.position.read(turn("b1", stored="m", hand_a=hand))
    with pytest.raises((Refused, Malformed)):
        notation.read(GAME, state, text)
    choices, after = notation.read(GAME, state, text, waived=("CT-3.8",))
    assert choices[-1] == Choice("pay", ".")
    assert GAME.notation.text(choices) == text
    assert (after.sides[0].filled.bit_count(), after.sides[0].stored) == (2, ())
    assert (bags.total(after.discards), after.sides[0].hand) == (hand - left, left + 3)
    assert GAME.position.read(GAME.position.write(after)) == after


def test_what_is_not_there_is_not_paid_though_the_price_was_let_off():
    state = GAME.position.read(turn("b1", stored="m", hand_a=1))
    with pytest.raises(Impossible):
        notation.read(GAME, state, "P c1 tt", waived=("CT-3.8",))
    begun = RULES.overrule(state, Choice("action", "Pc1"), "CT-3.8")
    assert tokens(begun) == ["m", "."]
    assert tokens(RULES.apply(begun, Choice("pay", "m"))) == ["."]


def test_a_payment_with_cards_that_cannot_be_there_stands_where_it_was_overruled():
    """All grey cards lie in the discards by the split that was told: the record was wrong, or the split."""
    state = having(seated(), filled="c4", stored="q", hand=4)
    state = play(replace(state, discards=bag("q" * 15)), "Pc5")
    choice = Choice("pay", "q")
    refusal = RULES.why_not(state, choice)
    assert refusal.check == "pay.unseen"
    state = play(RULES.overrule(state, choice, refusal.clause), "vv")
    assert state.copy.cards == 0  # what was told of the split is no longer gone by
    assert state.discards == bag("q" * 16 + "vv")
    assert state.sides[0].hand == 1


def test_a_space_of_a_kind_that_does_not_lie_out_may_be_picked_where_it_is_overruled():
    """The tile is asked for; a space that is taken stays impossible."""
    state = GAME.position.read(turn("b1,c1", display="c,t,i,fa,q,v,r,r", doing="pick:new"))
    asked_for = RULES.overrule(state, Choice("pick", "b2"), "CT-5.1")
    assert RULES.pending(asked_for).question == "pick_tile"
    with pytest.raises(Impossible):
        RULES.overrule(state, Choice("pick", "b1"), "CT-3.7")


@pytest.mark.parametrize(("rules", "kept"), [(1, False), (2, True)])
def test_ct_5_8_an_empty_pile_is_reshuffled_which_version_1_does_not_keep(rules, kept):
    state = having(seated(), filled="c1", stored="r", squares=squares("yield yield"), hand=5)
    state = replace(play(state, "Pc2 r r"), yields=1, rules=rules)
    after = play(state, "g2 g2")
    assert (after.yields, after.reshuffled) == (26, kept)


def test_ct_2_3_a_castle_that_was_let_stand_on_the_only_space_of_a_colour_gives_no_bonus():
    """So the colour is full and nobody took its bonus: the position is none to complain of, now or later."""
    state = play(start(), f"A2 B2+0 C1+0 {BOARDS[2]}")
    lands = [state.region(seat) for seat in (0, 1)]
    (only,) = [name for name, kind in zip(lands[0].names, lands[0].kinds, strict=True) if kind == "i"]
    castle = lands[1].names[lands[1].kinds.index("c")]
    choice = Choice("first_castle", only)
    refusal = RULES.why_not(state, choice)
    assert (refusal.check, refusal.clause) == ("castle.space", "CT-2.3")
    state = play(
        RULES.overrule(state, choice, refusal.clause), f"{castle} yield cards {' '.join('ctifqvmr')}"
    )
    assert (asked(state), state.taken, state.waived) == ("action", (0,) * 8, ("CT-2.3",))
    assert RULES.problems(state) == []
    assert RULES.problems(replace(state, taken=(0, 0, 2, 0, 0, 0, 0, 0)))[0].check == "position.taken"
