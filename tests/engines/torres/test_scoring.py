"""The track, the end of a phase, and who is last, first and winner (TO-3.10, TO-3.11, TO-5)."""

import pytest

from engines.contract import Level, winners
from engines.torres.scoring import bump, castles_of, scoring_order
from tests.engines.torres.table import GAME, at, fields, play, points, start, tokens, turn


@pytest.mark.parametrize(
    ("points_", "seat", "landing", "further"),
    [
        ((0, 0), 0, 3, 0),
        ((0, 3), 0, 3, 1),
        ((0, 3, 4), 0, 3, 2),
        ((0, 3, 5), 0, 3, 1),
        ((0, 0, 0), 0, 0, 0),  # the start is shared
        ((3, 4), 0, 4, 1),  # its own space counts for nobody
        ((3, 4), 1, 4, 0),
    ],
)
def test_a_taken_space_is_passed_over(points_, seat, landing, further):
    assert bump(list(points_), seat, landing) == further


def test_each_score_step_is_one_of_its_own():
    state = at(turn(points_b="s1/-/-"))
    after = play(state, "S 1")
    assert after.totals() == [2, 1]
    assert points(after)[0] == {"steps": 1, "bumps": 1}
    assert play(state, "S 3").totals() == [4, 1]
    assert play(state, "S 1", "S 2").lines == play(state, "S 3").lines
    far = at(turn(points_b="s3/-/-"))
    assert play(far, "S 2").totals() == [2, 3]
    assert play(far, "S 3").totals() == [4, 3]


def scored(more, pieces, **fields_):
    """Seat b ends the first phase."""
    text = turn(more, pieces, turn="b", round=4, **fields_).replace("stacks.b=3-3-3-3", "stacks.b=3")
    return play(at(text.replace("stacks.a=3-3-3-3", "stacks.a=-")), "end")


def test_castles_and_the_kings_bonus():
    """a: c3 at level 2 of an area of 3, f3 at 1 of 1; b: f6 at 1 of 1 with the king in f6's castle."""
    state = scored("d3=2 d4=1", "a=d3,c3,f3 b=f6 king=h4")
    assert points(state)[0] == {"castles": 3 * 2 + 1}
    assert points(state)[1] == {"castles": 1}
    booked = [(b.seat, b.category, b.points, b.figures, b.part) for b in GAME.scoring.bookings(state)]
    assert (0, "castles", 6, "3 × 2", 1) in booked
    assert castles_of(state, 0) == ((3, 2), (1, 1))


def test_the_order_of_scoring_is_an_option():
    text = turn(points_a="s1/-/-", points_b="s4/-/-", phase=2)
    assert scoring_order(at(text)) == (0, 1)
    assert scoring_order(at(f"{text} scoring_order=leader_first")) == (1, 0)
    first = turn(points_a="s1/-/-", points_b="s4/-/-", scoring_order="leader_first")
    assert scoring_order(at(first)) == (0, 1)


def test_a_level_king_is_where_the_last_one_moves_him():
    state = scored("", "a=b3 b=f6 king=h4")
    assert GAME.rules.pending(state).seats == (0,)
    after = play(state, "K d1")
    assert (after.king, after.start, after.seat, after.phase, after.round) == (3, 0, 0, 2, 1)
    assert tokens(state)[-1] == "Kstay"


def test_the_last_player_may_choose_who_starts():
    text = turn(turn="b", round=4, next_start="last_chooses").replace("stacks.b=3-3-3-3", "stacks.b=3")
    state = play(at(text.replace("stacks.a=3-3-3-3", "stacks.a=-")), "end", "K stay")
    assert tokens(state) == ["a", "b"]
    assert fields(play(state, "first b"))["turn"] == "b"


def test_in_the_master_version_the_leader_starts_each_round():
    text = turn(turn="b", round=1, master="yes", points_b="s3/-/-")
    text = text.replace("stacks.a=3-3-3-3", "stacks.a=3-3-3")
    state = play(at(text), "end")
    assert (state.round, state.start, state.seat) == (2, 1, 1)
    level = play(at(text.replace("points.b=s3/-/-", "points.b=-/-/-")), "end")
    assert (level.round, level.start, level.seat) == (2, 0, 0)


def test_the_end_and_its_winners():
    text = turn(turn="b", round=4, phase=3).replace("stacks.b=3-3-3-3", "stacks.b=3")
    text = text.replace("stacks.a=3-3-3-3", "stacks.a=-")
    state = play(at(text), "end")
    assert state.termination == "settled"
    assert state.totals() == [1, 2]  # one each for their castles, the second one past the first
    assert winners(GAME, state) == (1,)
    nobody = play(at(text.replace("a=c3 b=f6", "a=b3 b=e6")), "end")
    assert winners(GAME, nobody) == (0, 1)


def test_master_cards_are_entered_in_order():
    text = turn(turn="b", round=4, phase=3, master="yes", master_cards="yes", pieces="a=b3 b=e6 king=h4")
    text = text.replace("stacks.b=3-3-3-3", "stacks.b=3").replace("stacks.a=3-3-3-3", "stacks.a=-")
    state = play(at(text), "end", "points 7", "points 7")
    assert state.totals() == [7, 8]
    assert points(state) == [{"cards": 7}, {"cards": 7, "bumps": 1}]
    assert state.termination == "settled"


def test_a_match_counts_in_what_its_options_and_level_have():
    played = ("steps", "castles", "king", "bumps")
    assert GAME.scoring.counted(start(2)) == played
    assert GAME.scoring.counted(start(3, 0, master="yes")) == played
    carded = start(3, 0, master="yes", master_cards="yes")
    assert GAME.scoring.counted(carded) == ("steps", "castles", "king", "cards", "bumps")
    assert GAME.scoring.counted(start(2, level=Level.SCORE)) == ("track", "castles", "king", "bumps")
