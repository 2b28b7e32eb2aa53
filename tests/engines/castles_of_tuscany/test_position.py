"""States as one line: what is read, what is wrong with one, what a report is about, hands that are told."""

import pytest

from engines.castles_of_tuscany import position
from engines.castles_of_tuscany.facts import Printing, facts_of, printing
from engines.contract import Choice, Level
from engines.errors import BadPosition, Malformed
from engines.facts import lacking
from tests.engines.castles_of_tuscany.table import (
    BOARDS,
    GAME,
    SPLIT,
    at,
    fields,
    play,
    setup,
    start,
    turn,
)


def wrong(text):
    """Return where something is wrong with a position, and what."""
    return [(problem.where, problem.check, problem.clause) for problem in GAME.position.status(text)]


def test_a_region_with_two_boards_of_a_set_is_read_back_where_people_let_it_stand():
    state = GAME.rules.apply(GAME.rules.start(setup(2, 0)), Choice("top_board", "A2"))
    choice = Choice("middle_board", "A3+0")
    assert GAME.rules.why_not(state, choice).check == "board.set"
    state = GAME.rules.overrule(state, choice, "CT-1.5")
    text = GAME.position.write(state)
    assert fields(state)["region.a"] == "A2,A3+0"
    assert GAME.position.read(text, setup().facts) == state
    (problem,) = GAME.position.status(text.replace(" waived=CT-1.5", ""), setup().facts)
    assert (problem.where, problem.check) == ("region.a", "position.set")


def test_a_line_without_a_copy_goes_by_the_one_at_hand():
    copy = setup().facts
    told = turn()
    bare = " ".join(
        word
        for word in told.split()
        if word.split("=")[0]
        not in ("draw", "farms", "outline", "storage", "boards", "bonus", "cards", "yields")
    )
    assert GAME.position.read(bare, copy).copy == printing(facts_of(copy))
    assert GAME.position.read(told, copy).copy.cards == 0
    nothing = position.parse("doing=top_board:new")
    assert nothing.copy == Printing()
    assert lacking(facts_of(())) == "cards_per_draw"


def test_a_deck_left_out_has_the_cards_that_are_nowhere_else():
    assert at(turn(hand_a=7, discards="3v2c")).deck == 122 - 7 - 5 - 5
    assert "deck" not in fields(at(turn(hand_a=7, discards="3v2c")))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("draw=4", "draw: '4' is not a number from 2 to 3"),
        ("outline=5.6", "outline: 5.6 is not 10 hexes in rows"),
        ("boards=A1:icmvvimrrx", "boards: 'A1:icmvvimrrx' is no board like"),
        ("bonus=c6", "bonus: 'c6' is not a kind and its two values"),
        ("cards=9.13.11.19.15.20.17.19", "cards: 9.13.11.19.15.20.17.19 is not a number for each kind"),
        ("yields=g10", "yields: 'g10' is not one of g1, "),
        ("region.a=A2,B1+x", r"region.a: 'B1\+x': above all boards but the first is a seam"),
        ("region.a=D1,A2+1", "region.a: 'D1': a region is one A"),
        ("filled.a=d3", "filled.a: no space 'd3': a board of this region is not known"),
        (turn("b1,z9").replace("farms", "farms"), "has no space 'z9'"),
        (turn(farms_a="d5"), "farms.a: 'd5' is not a space and the farm kinds"),
        (turn(stored="x"), "stored.a: 'x' is not one of c, t, i, fa"),
        ("piles.a=7.7", "piles.a: '7.7' is no row of numbers"),
        ("piles.a=7.7.8", "piles.a: '7.7.8' has a number above 7"),
        ("turned.a=v2", "turned.a: 'v2' is not 0 to 255 of c t i f q v m r like 2v1c"),
        ("gains.a=areas:3:d3", "gains.a: areas:3:d3 is not a part for each round"),
        ("gains.a=areas:d3/-/-", "gains.a: 'areas:d3' is no gain"),
        ("counted.a=84,x", "counted.a: 'x' is not a number"),
        ("doing=pay:x", "doing: 'pay:x' is not a question"),
    ],
)  # fmt: skip
def test_what_cannot_be_read(text, said):
    with pytest.raises(BadPosition, match=said) as caught:
        GAME.position.status(text)
    assert str(caught.value).startswith("position: ")


FOUR = BOARDS.replace("B1:trcf", "B1:crcf")
PAY = "pay:n2:sc1:tm"


@pytest.mark.parametrize(
    ("text", "where", "check", "clause"),
    [
        (turn(deck=111), "deck", "position.cards", "CT-1.4"),
        (turn(copy=SPLIT, discards="10c"), "discards", "position.discards", "CT-1.4"),
        (turn(marble_a=7, marble_b=6), "marble", "position.marble", "CT-1.4"),
        (turn(workers_a=7, workers_b=6), "workers", "position.workers", "CT-1.4"),
        (turn(stored="w,w,w,w,w,w", stored_b="w,w,w,w,w"), "wild", "position.wilds", "CT-1.4"),
        (turn(squares_a="cards,cards,cards", squares_b="cards,cards,cards"),
         "squares", "position.squares", "CT-1.4"),
        (turn(piles_a="6.7.7"), "piles.a", "position.own", "CT-1.3"),
        (turn(turned_a="2c", piles_a="5.7.7"), "turned.a", "position.turned", "CT-1.3"),
        (turn(stored="v", piles_a="7.7.6"), "piles.a", "position.piles", "CT-3.5"),
        (turn(stored="v,m"), "stored.a", "position.storage", "CT-3.4"),
        (turn("-"), "filled.a", "position.first_castle", "CT-2.3"),
        (turn("b1,d1"), "filled.a", "position.apart", "CT-3.7"),
        (turn(wild_a="c1"), "wild.a", "position.wild", "CT-5.3"),
        (turn(farms_a="b1a"), "farms.a", "position.farms", "CT-5.4"),
        (turn("b1,c1,c2,d2,c3,e3").replace("farms.a=e3a", "farms.a=-"),
         "farms.a", "position.farms", "CT-5.4"),
        (turn("b1,c1,c2,d3,e3").replace("farms=4", "farms=1").replace("e3a", "e3b"),
         "farms.a", "position.farm_kinds", "CT-5.4"),
        (turn(neutral="5c"), "neutral", "position.neutral", "CT-1.3"),
        (turn(neutral="4c3t3i3f3q3v3m3r"), "turned", "position.tiles_of", "CT-1.3"),
        (turn(neutral="4c4t4i4f4q4v4m4r", waived="CT-3.7"), "turned", "position.tiles", "CT-1.3"),
        (turn(display="c,t,i,fa,q,v,m,r,r"), "display", "position.display", "CT-2.5"),
        (turn(display="v,v,v,v,v,m,r,r"), "display", "position.alike", "CT-3.6"),
        (turn(**{"region.b": "A1,B2+0,C2+0"}), "region", "position.board", "CT-1.5"),
        (turn(**{"region.b": "A2,B2+0"}).replace("filled.b=a1", "filled.b=-"),
         "region.b", "position.region", "CT-1.5"),
        (turn().replace("A2:cqqmvffmvt,", "").replace("filled.b=a1", "filled.b=-"),
         "boards", "position.unknown", "CT-1.6"),
        (turn().replace(BOARDS, FOUR), "region.a", "position.castles", "CT-1.5"),
        (turn().replace("outline=5.5", "outline=3.4.3").replace("filled.b=a1", "filled.b=-"),
         "region.b", "position.seam", "CT-1.5"),
        (turn(**{"region.b": "A2,B2+0,B3+0"}).replace("filled.b=a1", "filled.b=-"),
         "region.b", "position.set", "CT-1.5"),
        (turn(round=2), "round", "position.round", "CT-6.1"),
        (turn(round=4), "round", "position.over", "CT-6.4"),
        (turn(over="finished"), "round", "position.over", "CT-6.4"),
        (turn(over="finished", round=4, trigger="a"), "trigger", "position.trigger", "CT-6.1"),
        (turn(trigger="a"), "trigger", "position.trigger", "CT-6.1"),
        (turn(gains_a="-/areas:1:d1/-"), "gains.a", "position.gains", "CT-7.2"),
        (turn(taken="1v"), "taken", "position.taken", "CT-4.2"),
        (turn(left=0), "left", "position.left", "CT-3.2"),
        (turn(left=0, marbled="yes"), "left", "position.left", "CT-3.2"),
        (turn(stored="m", doing=PAY, left=1), "left", "position.left", "CT-3.2"),
        (turn(stored="m", doing="pay:n1:sc1:tm:p2m"), "doing", "position.paid", "CT-3.8"),
        (turn(stored="m", doing="pay:n2:sc1:tm:p1m"), "doing", "position.paid", "CT-3.8"),
        (turn(stored="m", doing="pay:n1:sc1:tm:w1"), "doing", "position.paid", "CT-3.8"),
        (turn(stored="m", doing="pay:n3:sc1:tm"), "doing", "position.frames", "CT-3.1"),
        (turn(doing=PAY), "doing", "position.frames", "CT-3.1"),
        (turn(doing="effect:sc1:tm:new"), "doing", "position.frames", "CT-3.1"),
        (turn(doing="square:p1v:new"), "doing", "position.frames", "CT-3.1"),
        (turn(stored="m", hand_a=0, doing=PAY), "doing", "position.stuck", "CT-3.1"),
        (turn("b1", hand_a=6, doing="first_square:new", left=1), "region.a", "position.set_up", "CT-2.2"),
        (turn("b1", round=2, doing="first_square:new", left=1), "round", "position.begun", "CT-2.2"),
        ("level=score counted.a=84,30,2,0,1,3", "counted.a", "position.counted", "CT-7.3"),
        ("level=score doing=final_orange:new counted.b=84", "counted.b", "position.counted", "CT-7.3"),
        ("level=score doing=final_orange:new round=3 counted.a=84", "doing", "position.frames", "CT-3.1"),
        ("level=score counted.a=84,30,7,0,1,3,6 counted.b=84,30,2,0,1,3,6",
         "counted.a", "position.figure", "CT-7.3"),
        ("level=score counted.a=84,30,2,7,1,3,6 counted.b=84,30,2,6,1,3,6",
         "counted", "position.supply", "CT-1.4"),
    ],
)  # fmt: skip
def test_what_may_not_stand(text, where, check, clause):
    found = wrong(text)
    assert (where, check, clause) in found
    with pytest.raises(BadPosition, match=found[0][1]) as caught:
        GAME.position.read(text)
    assert list(caught.value.problems) == GAME.position.status(text)


ENDING = {"piles_a": "0.7.7", "turned_a": "4v1c2m", "came": "vvvvcmm", "trigger": "a"}


@pytest.mark.parametrize(
    ("text", "check"),
    [
        (turn(**ENDING), ""),
        (turn(**ENDING, start="b"), ""),
        (turn(**ENDING | {"turn": "b"}), ""),
        (turn(**ENDING | {"turn": "b"}, start="b"), "position.last"),
        (turn(**ENDING | {"turn": "b"}, round_end="at_once"), "position.last"),
        (turn(**ENDING, last=1), "position.last"),
        (turn(**ENDING | {"trigger": "b"}), "position.trigger"),
        (turn(**ENDING | {"trigger": "-"}), "position.trigger"),
        (turn(**ENDING | {"trigger": "-"}, round=2), ""),
        (turn(**ENDING, round=2), "position.trigger"),
    ],
)
def test_who_triggered_a_round_s_end(text, check):
    """CT-6.1, CT-6.2: who emptied its pile, in time for whose turn it is."""
    assert [problem.check for problem in GAME.position.status(text)] == [check] * bool(check)


LAST = {"piles_a": "0.0.0", "turned_a": "4v4f3r3m3q2t1i1c", "came": "vvvvffffrrrmmmqqqttic", "round": 3}


@pytest.mark.parametrize(
    ("turn_of", "last", "round_end", "fine"),
    [
        ("a", 2, "go_around", True),
        ("b", 1, "go_around", True),
        ("a", 1, "go_around", False),
        ("b", 2, "at_once", True),
        ("a", 1, "at_once", True),
        ("a", 2, "at_once", False),
        ("b", 0, "at_once", False),
    ],
)
def test_turns_still_to_come(turn_of, last, round_end, fine):
    """CT-6.4: one more turn each, in the order of both readings."""
    text = turn(**LAST, trigger="a", last=last, round_end=round_end).replace("turn=a", f"turn={turn_of}")
    assert wrong(text) == ([] if fine else [("last", "position.last", "CT-6.2")])


def test_five_alike_stand_while_new_tiles_come_up():
    """CT-3.6: so do gaps that nothing is left to fill."""
    new = turn(display="v,v,v,v,v,m,r", neutral="1c", doing="neutral:n1:new")
    assert not {"position.alike", "position.display"} & {check for _, check, _ in wrong(new)}
    short = turn(display="v,m,r", neutral="2c", doing="neutral:n2:new")
    assert "position.display" not in {check for _, check, _ in wrong(short)}
    assert "position.display" in {check for _, check, _ in wrong(short.replace("neutral=2c", "neutral=3c"))}


def test_a_report_is_told_by_what_lies_face_down():
    """Whatever else differs: what was turned up stays so where people go back."""
    seen = GAME.rules.seen
    refill = turn(stored="v", display="c,t,i,fa,q,m,r", doing="refill:new")
    assert seen(at(refill)) == seen(at(refill + " hand.a=9 workers.b=2")) == "refill a 20"
    fewer = refill.replace("1v", "1v1t").replace("6.7.7", "5.7.7")
    assert seen(at("!" + fewer)) == "refill a 19"
    neutral = turn(display="t,i,fa,q,v,m", doing="neutral:n2:new")
    assert seen(at("!" + neutral)) == "neutral 26"
    assert seen(at("!" + neutral.replace("neutral=4c", "neutral=3c"))) == "neutral 25"
    now = "A1,B1+1,C1+0"
    assert seen(at(turn(doing="yield:n1:new", rules=2, region_a=now))) == "yield 27"
    assert seen(at(turn(doing="yield:n2:new", yields_left=20, rules=2, region_a=now))) == "yield 20"
    again = turn(doing="yield:n2:new", yields_left=20, reshuffled="yes", rules=2, region_a=now)
    assert seen(at(again)) == ""  # another card than the one that lay over 19 before
    assert seen(at(turn(doing="yield:n2:new", yields_left=20))) == ""  # version 1 does not know
    assert seen(play(start(2, 0, unknown=True), "A2 B1+1 C3-1")) == "print A2"
    bonus = turn(doing="bonus:tv:new").replace("v6.3,", "")
    assert seen(at("!" + bonus)) == "bonus v"
    told = start(2, 0, level=Level.SCORE)
    assert seen(told) != seen(play(told, "orange 84"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4v", "cannot be the hand of a: 5 cards among 1c"),
        ("2c3v", "cannot be the hand of a: 5 cards among 1c"),
        ("v5", "is not 0 to 255 of"),
        ("5x", "is not 0 to 255 of"),
    ],
)
def test_what_cannot_be_a_hand(text, said):
    with pytest.raises(Malformed, match=said):
        GAME.rules.seen_by(at(turn(copy=SPLIT, discards="8c")), 0, text)


@pytest.mark.parametrize("doing", ["pick_tile:new", "pick:w1:new", "pick:p1c:new"])
def test_a_question_without_its_space_or_with_a_payment_is_none(doing):
    with pytest.raises(BadPosition, match=r"position\.frames"):
        GAME.position.read(turn("b1,c1,d1,d2,d3,e3", doing=doing))
