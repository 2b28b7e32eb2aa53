"""What hands turn up at the end of a turn in Marrakesh is what came in it."""

from collections import Counter

from tests.device.games import MARRAKESH, game_steps, replayed
from tests.engines.walks import seed

SETUP = MARRAKESH["two"].setup


def ends_of_turns(number):
    """By turn of assistants in a random game: what came in it, what hands were told, the state after it."""
    match = replayed(game_steps(number, SETUP, "marrakesh"), SETUP, "marrakesh")
    told, begun = set(), None
    for at in range(len(match.steps)):
        before, after = match.points[at].state, match.points[at + 1].state
        told |= {label.key for label in match.game.telling.hands(before, match.chosen(at), after)}
        begun = begun or before
        if before.in_turn and not (after.in_turn and after.seat == before.seat):
            was, now = begun.sides[before.seat], after.sides[before.seat]
            yield (len(now.scrolls) - len(was.scrolls), len(now.goods) - len(was.goods)), told, after
            told, begun = set(), None


def test_mk_12_3_what_came_in_a_turn_is_turned_up_at_its_end_and_nothing_else():
    seen = Counter()
    for number in range(seed(), seed() + 4):
        for (scrolls, goods), told, after in ends_of_turns(number):
            if after.termination:
                continue
            assert ("hands.new_scrolls" in told) <= (scrolls > 0)
            assert ("hands.new_goods" in told) == (goods > 0)
            seen.update(told)
            seen["scrolls"] += scrolls > 0
    assert seen["hands.new_scrolls"] > 2
    assert seen["hands.new_goods"] > 2
    assert seen["scrolls"] <= seen["hands.new_scrolls"] + 3
    assert seen["hands.halved"] < seen["hands.new_goods"] + seen["hands.new_scrolls"]
