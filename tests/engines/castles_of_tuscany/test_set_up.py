"""A starting castle that was let stand (CT-2.3), and a match in which no play is followed."""

from msgspec.structs import replace

from engines.contract import Choice
from tests.engines.castles_of_tuscany.sitting import (
    BOARDS,
    RULES,
    asked,
    play,
    start,
)


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
