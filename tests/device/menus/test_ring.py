"""The stops of a question: what comes when turning, which of it in one, and that nothing legal is lost."""

from __future__ import annotations

from random import Random

import pytest

from device.menus import grid, ring
from engines.contract import Choice, Domain, Picker, Setup
from engines.match import Step
from tests.device.menus.people import Person
from tests.engines import grid_toy
from tests.engines.torres.table import GAME, at, turn
from tests.engines.torres.walking import SETUPS, busy
from tests.engines.walks import seed, walk


def stops_of(game, state, last=None):
    pending = game.rules.pending(state)
    board = grid.board_for(game, state, pending.domain)
    return board, ring.on_board(game, state, board, game.rules.legal(state), last)


def told(found):
    """The stops from the start on, right and left, as notation; … for what is not listed."""
    names = [" ".join(choice.token for choice in stop) or "…" for stop in found.stops]
    right = names[found.start :] + names[: found.start]
    return right, [right[0], *right[:0:-1]]


# Nothing is lost


def check(game, state, last):
    """All that a ring promises, of one state."""
    board, found = stops_of(game, state, last)
    legal = game.rules.legal(state)
    assert found.stops.count(()) == 1
    assert len(set(found.stops)) == len(found.stops)
    assert found.stops[found.start] or not legal
    begun = [stop for stop in found.stops if stop]
    assert {stop[0] for stop in begun} == set(legal)
    for stop in begun:
        here = state
        for choice in stop:
            assert choice in game.rules.legal(here)
            here = game.rules.apply(here, choice)
        assert found.stops[found.at(stop)] == stop
    for choice in legal:
        after = game.rules.apply(state, choice)
        if choice in found.opened:
            assert board.place(choice.token) is None
            assert (choice,) not in found.stops
            assert {stop[1:] for stop in begun if stop[0] == choice} == {
                (one,) for one in game.rules.legal(after)
            }
        else:
            assert (choice,) in found.stops
    goes_on = [
        choice for choice in legal if board.place(choice.token) is not None and cells(game, state, choice)
    ]
    right = found.stops[: found.stops.index(())]
    whole = [choice for choice in legal if board.place(choice.token) is not None and choice not in goes_on]
    assert sorted(stop[0] for stop in right) == sorted(whole or goes_on or [stop[0] for stop in right])
    if last is not None and (whole or goes_on):
        far = [(game.rules.likely(state, one), board.apart(board.place(one.token), last)) for (one,) in right]
        assert far == sorted(far)
    return found


def cells(game, state, choice):
    """Whether a choice begins an entry that goes on with a cell."""
    asked = game.rules.pending(game.rules.apply(state, choice))
    return asked.open and asked.domain.picker is Picker.GRID


@pytest.mark.parametrize("name", SETUPS)
def test_on_every_board_of_a_match(name):
    rng = Random(f"{seed()} {name}")
    met, opened, pairs = set(), set(), 0
    for made in walk(GAME, SETUPS[name], rng, busy):
        pending = GAME.rules.pending(made.state)
        if pending.domain.picker is Picker.GRID:
            found = check(GAME, made.state, rng.choice([None, *range(64)]))
            met.add(pending.question)
            opened |= {word.token for word in found.opened}
            pairs += any(len(stop) == 2 and stop[0] not in found.opened for stop in found.stops)
    if name == "score":
        assert met == {"final", "final_king", "final_knight"}
    else:
        assert met > {"action", "to", "jump", "jump_to", "king"}
        assert opened == {"N", "card", "stacks"}
        assert pairs


@pytest.mark.parametrize("ground", ["squares", "hexes"])
@pytest.mark.parametrize("number", range(20))
def test_on_every_board_of_another_game(number, ground):
    rng = Random(f"{seed()} {number}")
    for made in walk(grid_toy.GAME, Setup(options=(("ground", ground),)), rng):
        check(grid_toy.GAME, made.state, rng.choice([None, *range(12)]))


# What comes where

STAND = turn("d3=1 c4=1", "a=c3,f6 b=a5 king=h4", left=2)
"""Knights of a on c3, in a castle with d3 and c4, and on f6, alone; two action points."""
C3, C4 = 18, 26


def test_right_the_blocks_left_the_knights_new_knights_and_words():
    right, left = told(stops_of(GAME, at(STAND), C3)[1])
    assert right[:6] == ["Bd3", "Bc4", "Bc2", "Bb3", "Bb4", "Bd4"]  # steps up, then beside the castle
    assert right[-4:] == ["N c4", "N d3", "Mf6", "Mc3"]
    new = [f"N {cell}" for cell in ("d3", "c4", "c2", "b3", "f5", "e6", "g6", "f7")]  # the highest first
    words = ["Tbottom", "Ttop", "S1", "S2", "end"]  # the end of the turn last, as two points are left
    assert left[: left.index("…") + 1] == ["Bd3", "Mc3", "Mf6", *new, *words, "…"]


def test_what_most_likely_ends_on_the_last_cell_is_made_in_one():
    right, left = told(stops_of(GAME, at(STAND), C4)[1])
    assert right[:2] == ["Bc4", "Bd3"]
    assert left[:4] == ["Bc4", "Mc3 c4", "Mc3", "Mf6"]
    lower = at(turn("d3=2 c4=1", "a=c3,f6 b=a5 king=h4", left=2))
    assert "Mc3 c4" not in told(stops_of(GAME, lower, C4)[1])[0]  # from c3 it would rather go up


def test_without_a_cell_before_nothing_is_made_in_one(monkeypatch):
    monkeypatch.setattr(grid_toy, "TO", Domain("to", ("-", *grid_toy.CELLS), Picker.GRID))
    for last in (None, 0):
        found = stops_of(grid_toy.GAME, grid_toy.Stones(), last)[1]
        assert [stop for stop in found.stops if len(stop) > 1] == []


def test_where_every_cell_goes_on_they_are_on_the_right():
    right, left = told(stops_of(GAME, at(turn(stacks="0-0-0-0", left=1)), C3)[1])
    assert (right[:2], left[1]) == (["Mc3", "…"], "Tbottom")
    knights = at(turn(pieces="a=c3,f6 b=a5 king=h4", deck_a="9"), "card diagonal")
    assert told(stops_of(GAME, knights, C3)[1])[0] == ["c3", "f6", "…"]


def test_a_cell_that_goes_on_with_anything_else_stays_among_the_cells(monkeypatch):
    monkeypatch.setattr(grid_toy, "TO", Domain("to", grid_toy.CELLS))
    right, left = told(stops_of(grid_toy.GAME, grid_toy.Stones(), 0)[1])
    assert right[0] == "Ma1"
    assert left[1] == "-"


def test_words_alone_read_downwards():
    right, left = told(stops_of(GAME, at(turn(left=0, stacks="3-2-1-0", deck_a=9)), C3)[1])
    assert right[:2] == ["end", "card block"]
    assert right[-2:] == ["stacks 2-1-0", "…"]
    assert left[:2] == ["end", "…"]


def test_a_word_with_many_answers_is_made_alone():
    many = at(turn("d3=1 c4=1", "a=c3,f6,d7,g2 b=a5 king=h4"))
    right, _ = told(stops_of(GAME, many, C3)[1])
    assert "N" in right
    assert not [name for name in right if name.startswith("N ")]


def test_a_plain_list_keeps_its_order():
    choices = [Choice("q", token) for token in "cab"]
    assert ring.listed(choices).stops == ((choices[0],), (choices[1],), (choices[2],), ())
    assert ring.listed([]).stops == ((),)


def test_the_stop_that_makes_the_most_of_some_choices():
    one, two, three = (Choice("q", token) for token in "abc")
    found = ring.Ring(((one,), (two,), (), (one, two)))
    assert [found.at(made) for made in ([one], [one, two, three], [one, three], [two])] == [0, 3, 0, 1]
    assert found.at([three]) is None
    assert found.at([]) is None


# On the box


@pytest.fixture
def player(box, ticks):
    return Person(box, ticks)


def begin(player, position):
    player.open("torres", position=position)
    return player.box.library.referee


def test_every_stop_can_be_turned_to_either_way(player):
    begin(player, STAND)
    for way in (1, -1):
        seen = {player.page.index}
        for _ in player.items[1:]:
            seen.add(player.turn(way).index)
        assert seen == set(range(len(player.items)))
        player.turn(way)


def test_a_new_knight_and_its_cell_in_one(player):
    match = begin(player, STAND)
    page = player.go("New knight (2) d3")
    assert (page.board.name(page.cursor), page.about) == ("d3", ("▲1",))
    player.ok()
    assert match.replay.match.steps == [Step(0, "N d3")]


def test_a_card_by_its_name_and_one_back_out_of_it(player):
    match = begin(player, turn(pieces="a=c3 b=a5 king=h4", left=2, deck_a="9"))
    page = player.go("Diagonal")
    assert page.cursor == -1
    player.ok()
    assert player.page.prompt == "c3 goes where?"  # the only knight there is
    player.back()
    assert (player.items[player.page.index], player.page.prompt) == ("Diagonal", page.prompt)
    player.ok()
    player.choose("b2")
    assert match.replay.match.steps == [Step(0, "diagonal c3-b2")]


def test_figures_are_said_with_their_word(player):
    begin(player, turn(stacks="3-2-1-1", left=1))
    assert [name for name in player.items if name.startswith("End, sort stacks ")]


def test_what_is_not_listed_leads_into_a_word_whose_answers_are(player):
    match = begin(player, STAND)
    player.choose("…")
    page = player.page
    assert (page.items[-1], page.places[-1]) == ("New knight (2)", -1)
    for item, place in zip(page.items, page.places, strict=True):
        assert place < 0 or item.endswith(page.board.name(place))
    player.choose("New knight (2)")
    assert player.page.prompt == "New knight where?"
    player.choose("…", "e3")
    assert player.page.text.startswith("e3: No own knight stands next to e3.")
    player.read_on()
    player.choose("Let it stand…", "no reason given")
    player.agree(2)
    assert match.replay.match.steps == [Step(0, "N e3", ("TO-3.1",))]


def test_asking_why_not_makes_nothing_even_where_only_one_answer_is_left(player):
    match = begin(player, turn(pieces="a=a1 b=a2 king=h4", left=2))
    assert [name for name in player.items if name.startswith("New knight")] == ["New knight (2) b1"]
    begun = player.page.prompt
    player.choose("…", "New knight (2)")
    assert match.replay.log == []
    assert player.items == ["b1", "…"]
    player.back()
    assert player.page.prompt == begun
