"""The stops of a question: where they stand, what they cost, and that nothing is lost or moves."""

from random import Random

import pytest

from device.match import Question
from device.menus import ring
from device.menus.step import Sure
from device.menus.ui import find_shortest_turn
from device.screen import GridPage, ListPage, TextPage
from engines.contract import Choice, Level, Picker, Setup
from engines.match import Step
from engines.san_gimignano import GAME as LISTS
from tests.device.menus.people import Person
from tests.engines import grid_toy
from tests.engines.torres.table import GAME, at, turn
from tests.engines.torres.walking import SETUPS, busy
from tests.engines.walks import seed, walk

VERBS = ("block", "knight", "new_knight", "card", "steps", "take_top", "take_bottom", "end")


def stops_of(game, state, last=None):
    question = Question.at(game, state)
    return question.board, ring.make_board_ring(question, last)


def name_of(found, at):
    """A stop in notation: a verb in capitals, a ring in brackets, … for what is not listed."""
    stop = found.stops[at]
    if at < len(found.verbs):
        return found.verbs[at].upper()
    if isinstance(stop, ring.Ring):
        return f"({len(stop.stops)})"
    return " ".join(choice.token for choice in stop) or "…"


def names(found):
    return [name_of(found, at) for at in range(len(found.stops))]


def made_in(found):
    """All stops that make choices, those of rings within too, and whether each is grey."""
    for number, stop in enumerate(found.stops):
        if isinstance(stop, ring.Ring):
            yield from made_in(stop)
        elif stop:
            yield stop, number in found.grey


def cost(found, choices):
    """Presses and detents until the choices are made."""
    presses = detents = 0
    here = found
    for stop in found.find_way(choices):
        presses, detents = presses + 1, detents + abs(find_shortest_turn(stop - here.start, len(here.stops)))
        here = here.stops[stop]
    return presses, detents


# Nothing is lost


def legal_one_after_the_other(game, state, choices):
    for choice in choices:
        if choice not in game.rules.legal(state):
            return False
        state = game.rules.apply(state, choice)
    return True


def check_stops(game, state, found):
    """What every ring promises: all that is legal; what is grey is not; whatever is left is opened last."""
    pending = game.rules.pending(state)
    legal = game.rules.legal(state)
    made = list(made_in(found))
    assert {stop[0] for stop, grey in made if not grey} == set(legal)
    for stop, grey in made:
        assert legal_one_after_the_other(game, state, stop) != grey
    shown = {stop[0].token for stop, _ in made}
    assert shown <= set(pending.domain.tokens)
    assert (() in found.stops) == (shown != set(pending.domain.tokens))
    assert not legal or found.start not in found.grey


def check(game, state, last):
    board, found = stops_of(game, state, last)
    check_stops(game, state, found)
    every = game.rules.pending(state).domain.tokens
    if not found.verbs:
        assert () not in found.stops  # each cell has its place
        assert {stop[0].token for stop, _ in made_in(found)} == set(every)
    return board, found


EVERY = 4
"""Of the boards of a match, so that many are looked at: one of so many."""


@pytest.mark.parametrize("name", SETUPS)
def test_on_every_board_of_a_match(name):
    """Verbs never move; the cursor starts on one, on the end of the turn only where nothing is left."""
    rng = Random(f"{seed()} {name}")
    met = set()
    for number, made in enumerate(walk(GAME, SETUPS[name], rng, busy)):
        pending = GAME.rules.pending(made.state)
        if pending.domain.picker is not Picker.GRID or (number % EVERY and pending.question in met):
            continue
        _, found = check(GAME, made.state, rng.choice([None, *range(64)]))
        met.add(pending.question)
        if pending.question == "action":
            assert found.verbs == VERBS
            assert found.start < len(VERBS)
            assert made.state.left == 0 or VERBS[found.start] != "end"
    if name == "score":
        assert met == {"final", "final_king", "final_knight"}
    else:
        assert met > {"action", "jump", "jump_to", "king"}


def test_every_action_is_near():
    """Any block or new knight within 3 presses and 8 detents, or with one press left of the verbs; any way of
    a knight within 3 presses.
    """
    rng, met = Random(f"{seed()} near"), set()
    walked = walk(GAME, SETUPS["two"], rng, busy)
    asked = [made for made in walked if GAME.rules.pending(made.state).question == "action"]
    for made in asked[:: 2 * EVERY]:
        _, found = stops_of(GAME, made.state, rng.randrange(64))
        for choice in GAME.rules.legal(made.state):
            presses, detents = cost(found, [choice])
            assert presses <= 3
            kind = choice.token[0]
            if kind != "M":
                assert detents <= (ring.NEAR_CELLS if presses == 1 else 8)
                met.add(kind)
                continue
            after = GAME.rules.apply(made.state, choice)
            for to in GAME.rules.legal(after):
                way = found.find_way([choice, to])
                assert len(way) <= 3
                met.add("M")
    assert {"B", "M", "N", "S"} <= met


@pytest.mark.parametrize("ground", ["squares", "hexes"])
@pytest.mark.parametrize("number", range(3))
def test_on_every_board_of_another_game(number, ground):
    rng = Random(f"{seed()} {number}")
    for made in walk(grid_toy.GAME, Setup(options=(("ground", ground),)), rng):
        check(grid_toy.GAME, made.state, rng.choice([None, *range(12)]))


# What comes where

STAND = turn("d3=1 c4=1", "a=c3,f6 b=a5 king=h4", left=2)
"""Knights of a on c3, in a castle with d3 and c4, and on f6, alone; two action points."""
C3, C4 = 18, 26


def test_right_the_verbs_left_the_likeliest_cells_every_other_one_of_the_first_verb():
    _, found = stops_of(GAME, at(STAND), C3)
    assert names(found)[: len(VERBS)] == [verb.upper() for verb in VERBS]
    left = names(found)[: -ring.NEAR_CELLS - 1 : -1]
    assert left[:8] == ["Bd3", "Mc3 d3", "Bc4", "N d3", "Bc2", "Mc3 c4", "Bb3", "N c4"]
    assert [stop[0] for stop in left] == list("BMBN" * (ring.NEAR_CELLS // 4))


def test_a_verb_of_a_long_list_shows_what_is_legal(monkeypatch):
    steps = VERBS.index("steps")
    _, found = stops_of(GAME, at(STAND), C3)
    assert (names(found.stops[steps])[:3], len(found.stops[steps].grey) > 0) == (["S1", "S2", "S3"], True)
    monkeypatch.setattr(ring, "LIST_LINES", 4)
    _, found = stops_of(GAME, at(STAND), C3)
    assert (names(found.stops[steps]), found.stops[steps].grey) == (["S1", "S2"], set())
    assert "…" in names(found)  # the others are not listed there


def test_with_nothing_left_the_cursor_starts_on_the_end():
    _, found = stops_of(GAME, at(turn(left=0, stacks="3-2-1-0", deck_a=9)), C3)
    assert found.start == VERBS.index("end")
    assert found.grey == {at for at, verb in enumerate(VERBS) if verb not in ("card", "end")}


# Lists


@pytest.mark.parametrize("number", range(2))
def test_on_every_list_of_a_match(number):
    for made in walk(LISTS, Setup(options=(("nobles", "yes"),)), Random(f"{seed()} {number}")):
        pending = LISTS.rules.pending(made.state)
        found = ring.make_list_ring(Question.at(LISTS, made.state))
        check_stops(LISTS, made.state, found)
        if pending.question == "action":
            assert [stop[0].token for stop in found.stops] == list(pending.domain.tokens)


def test_the_way_to_what_makes_the_most_of_some_choices_with_least_besides():
    one, two, three = (Choice("q", token) for token in "abc")
    inner = ring.Ring(((three, one), (two,), ()))
    found = ring.Ring(((one, two), (two,), (), (one,), inner))
    assert [found.find_way(made) for made in ([one], [one, two, three], [one, three], [two])] == [
        (3,),
        (0,),
        (3,),
        (1,),
    ]
    assert [found.find_way(made) for made in ([three], [three, one])] == [(4, 0), (4, 0)]
    assert found.find_way([Choice("r", "a")]) == ()
    assert found.find_way([]) == ()


def test_a_press_is_worth_some_detents():
    one = (Choice("q", "a"),)
    near, far = (
        ring.Ring((ring.Ring((one,)), *[()] * n, one, *[()] * 9)) for n in (ring.PRESS - 1, ring.PRESS)
    )
    assert [found.find_way(one) for found in (near, far)] == [(ring.PRESS,), (0, 0)]


# On the box


@pytest.fixture
def player(box, ticks):
    return Person(box, ticks)


def begin(player, position):
    return player.open("torres", position=position)


def test_left_of_the_first_verb_one_ok_records(player):
    match = begin(player, STAND)
    page = player.turn(-1)
    assert isinstance(page, GridPage)
    assert (page.items[page.index], page.board.name(page.cursor)) == ("Block d3", "d3")
    player.ok()
    assert match.replay.match.steps == [Step(0, "B d3")]
    assert isinstance(player.page, ListPage)
    assert player.page.index == 0


ONE_WAY = (
    "seats=2 blocks=...11/...1/..1..1/.......1/1/..1/.1...1/....1 a=d6,d7 b=h3,g4,h4 king=c6 turn=b round=3"
    " left=1 stacks.a=3 stacks.b=3-3 deck.a=6 deck.b=9 played.a=move,reposition played.b=reposition"
    " points.a=s4+b1/-/- points.b=s4/-/-"
)
"""The knight on h4 can go to h5 alone."""


def test_ok_on_a_space_too_far_says_why_and_does_not_go_to_the_one_that_is_left(player):
    match = begin(player, ONE_WAY)
    refused = [way for way, called in player.called(player.stops) if called == "Knight h4 → h8"]
    for place in refused[0]:
        player.turn(place - player.box.stack[-1].index)
        player.ok()
    assert match.replay.match.steps == []
    assert isinstance(player.page, TextPage)


def test_the_end_asks_once_where_points_are_left(player):
    match = begin(player, STAND)
    player.go("End the turn")
    player.ok()
    assert isinstance(player.box.stack[-1], Sure)
    assert player.page.prompt == "End with 2 action points left?"
    player.ok()  # the cursor stands on going on
    assert match.replay.match.steps == []
    player.choose("End the turn")
    assert match.replay.match.steps == [Step(0, "end")]


def test_the_end_is_not_asked_any_more_once_the_turn_has_ended(player):
    match = begin(player, STAND)
    player.go("End the turn")
    player.ok()
    match.step("end", channel="line:keypad")
    assert player.notice == "The match has moved on: ask again"
    player.later()
    assert not isinstance(player.box.stack[-1], Sure)


def test_a_pass_with_nothing_else_to_do_is_not_asked(player):
    towers = "a=7x3,7-9,8x4*,9x3,10x3* b=6x3*,7x3,8-10,9x3*,10x3* marker=a market=5,5,6,6,6,8,8,10,10,10"
    player.open("san_gimignano", position=f"{towers} hand.a=5,?2 hand.b=5,?0 deck=?0 turn=b phase=ending")
    player.go("Pass")
    player.ok()
    assert not isinstance(player.box.stack[-1], Sure)


def test_what_no_verb_leads_to_is_behind_the_verbs(player):
    begin(player, STAND)
    player.choose("not listed…", "End, ")
    assert player.page.text.startswith("The turn can end in one way only")


def test_a_height_is_turned_from_what_stands_there(player):
    """A last board is looked at first; the cell goes by column and row, its height from the one entered."""
    player.open("torres", level=Level.SCORE)
    player.choose("phase 3")
    assert isinstance(player.page, GridPage)
    assert "a1 top left" in player.page.prompt
    player.choose("d3")
    assert player.items[player.page.index] == "0"
    player.choose("1", "d3")
    assert player.items[player.page.index] == "1"
    player.choose("4")
    page = player.page
    assert page.board.name(page.cursor) == "d3"
    assert page.board.cells[page.cursor].height == 4
    assert len(set(page.items)) == len(page.items)
