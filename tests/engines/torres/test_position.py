"""States as one line: what is read, what is wrong with one, and setting one by hand."""

import pytest

from engines.contract import Level, Setup
from engines.errors import BadPosition, BadSetup
from tests.engines.torres.table import GAME, at, blocks, play, start, turn


@pytest.mark.parametrize(
    "text",
    [
        "seats=2 c=c3",
        "blocks=1/2",
        "a=z9",
        "a=c3,c3",
        "phase=4",
        "round=5",
        "left=x",
        "stacks.a=3,3",
        "deck.a=11",
        "played.a=trump",
        "played.a=jump,jump",
        "points.a=s1",
        "points.a=s1/-/-/-",
        "before=1",
        "doing=action:c-1:n0:new",
    ],
)
def test_what_cannot_be_read(text):
    with pytest.raises(BadPosition, match="position"):
        GAME.position.status(text)


MANY = "1.1.1.1/.1.1.1.1/1.1.1.1/.1.1.1.1/1.1.1.1/.1.1.1.1/1/"


@pytest.mark.parametrize(
    ("text", "where", "check", "clause"),
    [
        (turn("d1=2"), "d1", "layout.height", "TO-3.7"),
        (turn().replace(blocks(), MANY), "board", "layout.founded", "TO-3.5"),
        (turn("d1=0 c3=0 f3=0"), "board", "layout.castles", "TO-4.7"),
        (turn(pieces="a=a1,b1,a2,b2,a3,b3,c3 b=f6 king=h4"), "board", "layout.knights", "TO-1.1"),
        (turn(pieces="a=c3 b=c3 king=h4"), "c3", "layout.two", "TO-1.8"),
        (turn(pieces="a=c3 b=f6"), "board", "layout.no_king", "TO-1.5"),
        (turn(pieces="a=c3 b=f6 king=h5"), "h5", "layout.king", "TO-5.4"),
        (turn(pieces="a=c3 king=h4"), "b", "position.no_knight", "TO-1.5"),
        (turn("d3=12 d4=12 c3=12 c4=12 d5=12 d6=12", waived="TO-3.7"), "stacks", "position.blocks", "TO-1.1"),
        (turn(deck_a=8, played_a="jump,leap,ap7"), "deck.a", "position.hand", "TO-1.4"),
        (turn(fresh=1), "deck.a", "position.hand", "TO-1.4"),
        (turn(master="yes", deck_a=1), "deck.a", "position.master", "TO-6.2"),
        (turn(points_a="s2/-/-", points_b="s2/-/-"), "points.b", "position.track", "TO-3.11"),
        (turn(doing="enter:c-1:n0:new"), "stacks", "position.set_up", "TO-2.2"),
        (turn(phase=2, round=4).replace("seats=2", "seats=3") + " seats=3 c=e8 stacks.c=-",
         "round", "position.round", "TO-2.1"),
        (turn(stacks="3-3-3"), "stacks.a", "position.stacks", "TO-3.13"),
        (turn(left=6), "left", "position.left", "TO-3.2"),
        (turn("d3=1", left=5, placed=1), "left", "position.left", "TO-3.2"),
        (turn(left=2, fresh=3, deck_a=7), "fresh", "position.fresh", "TO-3.8"),
        (turn(carded="yes"), "carded", "position.carded", "TO-3.9"),
        (turn("d3=1", under=1), "under", "position.under", "TO-4.2"),
        (turn(placed=4, left=1), "placed", "position.placed", "TO-3.4"),
        (turn(doing="to:c0:n0:open"), "doing", "position.frames", "TO-2.1"),
        ("blocks=1/////// doing=found:c-1:n0:new", "doing", "position.frames", "TO-2.1"),
        (f"master=yes blocks={blocks()} doing=found:c-1:n0:new", "doing", "position.frames", "TO-2.1"),
        (turn(doing="to:c18:n0:open/to:c18:n0:open"), "doing", "position.frames", "TO-2.1"),
        (turn(over="settled", doing="to:c18:n0:open"), "stacks.a", "position.stacks", "TO-3.13"),
        (turn(pieces="a=a1 b=b1,a2 king=h4", doing="to:c0:n0:open"), "doing", "position.stuck", "TO-2.1"),
        (f"level=score blocks={blocks()} a=d1 b=c3", "board", "layout.no_king", "TO-1.5"),
        (f"level=score blocks={blocks()} a=d1 king=h4", "b", "position.no_knight", "TO-1.5"),
        (f"level=score over=counted phase=3 blocks={blocks()} a=d1 b=d1 king=h4",
         "d1", "layout.two", "TO-1.8"),
        (f"level=score blocks={blocks()} before=5,5 a=e1 b=c1 king=h4",
         "points.b", "position.track", "TO-3.11"),
        (f"level=score blocks={blocks()} before=5,5 a=c3 b=c1 king=h4",
         "before", "position.track", "TO-3.11"),
        (f"level=score blocks={blocks('d1=5')} a=c3 b=f6 king=h4", "d1", "layout.height", "TO-3.7"),
        (f"level=score blocks={blocks()} a=c3 b=f6 king=a1", "a1", "layout.king", "TO-5.4"),
        (f"level=score blocks={blocks()} a=c3 b=f6 king=h4 before=-1,0",
         "before", "position.before", "TO-3.11"),
        (f"level=score blocks={blocks()} a=c3 b=f6 king=h4 points.a=s3/-/-",
         "points.a", "position.played", "TO-5.1"),
        (f"level=score over=counted phase=3 blocks={blocks()} a=c3 b=f6 king=h4 points.b=-/-/c1x1",
         "points.a", "position.scored", "TO-5.1"),
        (f"level=score over=counted phase=3 blocks={blocks()} a=c3 b=f6 king=f6 "
         "points.a=-/-/c1x1 points.b=-/-/c1x1+k15", "points.b", "position.scored", "TO-5.1"),
        (turn(stacks="-", stacks_b="-", phase=3, round=4, over="settled", points_a="-/-/c1x1+s1"),
         "points.b", "position.scored", "TO-5.1"),
        (turn(doing="move_to:c31:n0:open", deck_a=9), "doing", "position.frames", "TO-2.1"),
    ],
)  # fmt: skip
def test_what_may_not_stand(text, where, check, clause):
    found = [(problem.where, problem.check, problem.clause) for problem in GAME.position.status(text)]
    assert (where, check, clause) in found
    with pytest.raises(BadPosition, match=found[0][1]) as caught:
        GAME.position.read(text)
    assert list(caught.value.problems) == GAME.position.status(text)


def test_a_board_to_be_counted_is_scored():
    """What is entered step by step where no play was followed, in one line."""
    towers = blocks("d1=2 e1=2 d2=1")
    pieces = "a=d1 b=e8 c=d2 king=e1"
    state = at(f"level=score seats=3 phase=2 turn=b start=b blocks={towers} {pieces} before=40,31,30")
    score = play(start(3, 1, level=Level.SCORE), "phase 2", "H d1+2 e1+2 d2+1", "K e1")
    score = play(score, "E d1", "E e8", "E d2", "points 40", "points 31", "points 30")
    assert state == score
    booked = GAME.scoring.bookings(state)
    assert [sum(b.points for b in booked if b.seat == seat) for seat in range(3)] == [56, 32, 33]
    assert GAME.position.read(GAME.position.write(state)) == state


def test_a_board_that_a_match_reported_is_counted_as_it_lies():
    score = play(start(2, 0, level=Level.SCORE), "phase 3", "H d1+5", "K h4", "E d1", "E e8")
    score = play(score, "points 20", "points 30")
    assert GAME.position.status(GAME.position.write(score)) == []
    told = f"level=score blocks={blocks('d1=5')} a=d1 b=e8 king=h4 before=20,30 phase=3"
    assert [problem.check for problem in GAME.position.status(told)] == ["layout.height"]
    assert GAME.position.status(f"{told} waived=TO-3.7") == []


@pytest.mark.parametrize(
    "setup",
    [
        Setup(seats=5),
        Setup(seats=2, start=2),
        Setup(options=(("master_cards", "yes"),)),
        Setup(level=Level.TABLE),
        Setup(seats=3, position=turn()),
        Setup(position=turn(), options=(("doors", "descend"),)),
    ],
)
def test_what_cannot_be_set_up(setup):
    with pytest.raises(BadSetup):
        GAME.rules.start(setup)


def test_a_position_is_short():
    assert GAME.position.write(at(turn())) == f"seats=2 blocks={blocks()} a=c3 b=f6 king=h4 turn=a " + (
        "stacks.a=3-3-3-3 stacks.b=3-3-3-3"
    )
