"""The stops of a question: what comes when turning, which of it in one, and that nothing legal is lost."""

from __future__ import annotations

from random import Random

import pytest

from device.menus import grid, ring
from engines.contract import Choice, Domain, Level, Picker, Setup
from engines.match import Step
from engines.san_gimignano import GAME as LISTS
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
    names = [name_of(stop) for stop in found.stops]
    right = names[found.start :] + names[: found.start]
    return right, [right[0], *right[:0:-1]]


def name_of(stop):
    if isinstance(stop, ring.Ring):
        return "elsewhere"
    return " ".join(choice.token for choice in stop) or "…"


def choices_of(found):
    """All stops that make choices, those of a ring within too."""
    for stop in found.stops:
        if isinstance(stop, ring.Ring):
            yield from choices_of(stop)
        elif stop:
            yield stop


# Nothing is lost


def check_stops(game, state, found):
    """What every ring promises: all that is legal, and nothing else."""
    legal = game.rules.legal(state)
    begun = list(choices_of(found))
    assert found.stops.count(()) == 1
    assert len(set(begun)) == len(begun)
    assert found.stops[found.start] or not legal
    assert {stop[0] for stop in begun} == set(legal)
    for stop in begun:
        here = state
        for choice in stop:
            assert choice in game.rules.legal(here)
            here = game.rules.apply(here, choice)
        at = found.stops[found.at(stop)]
        assert stop in (list(choices_of(at)) if isinstance(at, ring.Ring) else [at])
    for choice in legal:
        if choice in found.opened:
            assert (choice,) not in begun
            after = game.rules.legal(game.rules.apply(state, choice))
            assert {stop[1:] for stop in begun if stop[0] == choice} == {(one,) for one in after}
        else:
            assert (choice,) in begun


def check(game, state, last):
    """All that a ring on a board promises, of one state."""
    board, found = stops_of(game, state, last)
    check_stops(game, state, found)
    end = found.stops.index(())
    right, left = found.stops[:end], found.stops[:end:-1]
    origin = board.place(game.rules.legal(state)[0].token) if last is None else last

    def rank(stop):
        place = board.place(stop[0].token)
        far = 0 if origin is None else board.apart(place, origin)
        return game.rules.likely(state, stop[0]), far, place

    cells = [one for one in game.rules.legal(state) if board.place(one.token) is not None]
    whole = sorted(((one,) for one in cells if not goes_on(game, state, one)), key=rank)
    sides = [[one for one in side if is_cell(board, one)] for side in (right, left)]
    if not [stop for stop in choices_of(found) if len(stop) > 1 or goes_on(game, state, stop[0])]:
        for side in sides:
            assert side == sorted(side, key=rank)
        assert sorted([*sides[0], *sides[1]], key=rank) == whole
        assert sides[0][:1] == whole[:1]
        assert len(sides[0]) - len(sides[1]) in ((1, 2) if whole else (0,))
    elif whole:
        rings = [stop for stop in left if isinstance(stop, ring.Ring)]
        near = sides[0]
        assert near == whole[: len(near)]
        assert sorted(stop for one in rings for stop in choices_of(one)) == sorted(whole[len(near) :])
        assert len(rings) == (len(whole) > ring.NEAR + ring.SURE)
        assert all(len(stop) == 1 for stop in right)
    return found


def is_cell(board, stop):
    return not isinstance(stop, ring.Ring) and stop and board.place(stop[-1].token) is not None


def goes_on(game, state, choice):
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
            pairs += any(len(stop) == 2 and stop[0] not in found.opened for stop in choices_of(found))
    if name == "score":
        assert met == {"final", "final_king", "final_knight"}
    else:
        assert met > {"action", "to", "jump", "jump_to", "king"}
        assert opened > {"N", "card", "stacks"}
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


def test_right_the_blocks_and_words_left_the_knights_and_new_knights():
    right, left = told(stops_of(GAME, at(STAND), C3)[1])
    assert right[:6] == ["Bd3", "Bc4", "Bc2", "Bb3", "Bb4", "Bd4"]  # steps up, then beside the castle
    words = ["Tbottom", "Ttop", "S1", "S2", "end"]  # the end of the turn last, as two points are left
    assert right[ring.NEAR : right.index("…")] == words
    new = [f"N {cell}" for cell in ("d3", "c4", "c2", "b3", "f5", "e6", "g6", "f7")]  # the highest first
    assert left[: left.index("…") + 1] == ["Bd3", "elsewhere", "Mc3", "Mf6", *new, "…"]


def test_the_cells_further_off_are_a_ring_of_their_own():
    found = stops_of(GAME, at(STAND), C3)[1]
    (further,) = [stop for stop in found.stops if isinstance(stop, ring.Ring)]
    right, left = told(further)
    assert (right[:3], left[:3]) == (["Bg6", "Bf7", "Ba4"], ["Bg6", "Bc1", "Bb5"])  # nearest on either side
    assert found.stops[found.at([Choice("action", "Bb5")])] is further
    assert further.stops[further.at([Choice("action", "Bb5")])] == (Choice("action", "Bb5"),)
    assert further.at([Choice("action", "Bd3")]) is None


def test_what_most_likely_ends_on_the_last_cell_is_made_in_one():
    right, left = told(stops_of(GAME, at(STAND), C4)[1])
    assert right[:2] == ["Bc4", "Bd3"]
    assert left[:5] == ["Bc4", "Mc3 c4", "elsewhere", "Mc3", "Mf6"]


def test_a_way_up_is_made_in_one_with_its_knight():
    lower = at(turn("d3=2 c4=1", "a=c3,f6 b=a5 king=h4", left=2))
    for last in (C3, C4):
        right, left = told(stops_of(GAME, lower, last)[1])
        assert left[1:5] == ["Mc3 d3", "elsewhere", "Mc3", "Mf6"]
        assert "Mc3 c4" not in right  # from c3 it would rather go up


def test_where_pairs_are_few_they_are_all_there_is():
    right, _ = told(stops_of(GAME, at(turn(stacks="0-0-0-0", left=1)), C3)[1])
    assert right == ["Mc3 c2", "Mc3 b3", "Mc3 d3", "Mc3 c4", "Tbottom", "Ttop", "S1", "end", "…"]
    knights = at(turn(pieces="a=c3,f6 b=a5 king=h4", deck_a="9"), "card diagonal")
    found = stops_of(GAME, knights, C3)[1]
    assert [name.split()[0] for name in told(found)[0]] == [*["c3"] * 4, *["f6"] * 4, "…"]
    assert [piece.token for piece in found.opened] == ["c3", "f6"]


def test_where_pairs_are_many_every_piece_has_its_stop():
    moved = at(turn("d3=2", "a=c3,f6 b=a5 king=h4", deck_a="9"), "card move")
    found = stops_of(GAME, moved, C3)[1]
    assert {len(stop) for stop in choices_of(found)} == {1}
    assert found.opened == ()


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


# Lists


def test_a_list_keeps_its_order():
    choices = [Choice("q", token) for token in "cab"]
    assert ring.plain(choices).stops == ((choices[0],), (choices[1],), (choices[2],), ())
    assert ring.plain([]).stops == ((),)


COMPLETING = "market=7,8 hand.a=6,9 hand.b=?5 a=6x3 marker=a"


def listed(position, *tokens):
    state = LISTS.position.read(position)
    for token in tokens:
        state = LISTS.rules.apply(state, Choice(LISTS.rules.pending(state).question, token))
    found = ring.listed(LISTS, state, LISTS.rules.legal(state))
    return told(found)[0], [choice.token for choice in found.opened]


def test_a_list_is_merged_with_what_ends_its_entries():
    assert listed(COMPLETING) == (["P", "X", "E", "C 6x3", "pass", "…"], ["C"])


def test_what_asks_on_has_a_line_of_its_own():
    assert listed("market=7,8 hand.a=6,9 hand.b=?5 a=6x3,7x3 marker=a")[1] == []


def test_a_card_is_seen_before_the_next_is_chosen():
    assert listed(COMPLETING, "P") == (["d", "m7", "m8", "…"], [])


def test_no_list_is_longer_for_it(monkeypatch):
    monkeypatch.setattr(ring, "LINES", 4)
    assert listed(COMPLETING) == (["P", "X", "E", "C", "pass", "…"], [])


@pytest.mark.parametrize("number", range(5))
def test_on_every_list_of_a_match(number):
    merged = 0
    for made in walk(LISTS, Setup(options=(("nobles", "yes"),)), Random(f"{seed()} {number}")):
        found = ring.listed(LISTS, made.state, LISTS.rules.legal(made.state))
        check_stops(LISTS, made.state, found)
        assert len(found.stops) - 1 <= ring.LINES or not found.opened
        merged += bool(found.opened)
    assert merged


def test_the_stop_that_makes_the_most_of_some_choices():
    one, two, three = (Choice("q", token) for token in "abc")
    found = ring.Ring(((one, two), (two,), (), (one,), ring.Ring(((three, one), ()))))
    assert [found.at(made) for made in ([one], [one, two, three], [one, three], [two])] == [3, 0, 3, 1]
    assert [found.at(made) for made in ([three], [three, one])] == [4, 4]  # alone it only begins a stop
    assert found.at([three, two]) is None
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
    page = player.go("New knight d3")
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


def test_cells_further_off_are_opened_and_left_again(player):
    match = begin(player, STAND)
    page = player.go("Block elsewhere")
    assert page.cursor == -1
    further = page.further
    page = player.ok()
    assert further == tuple(place for place in page.cells if place >= 0)
    assert page.items == (
        *(f"Block {page.board.name(place)}" if place >= 0 else "…" for place in page.cells),
    )
    player.back()
    assert player.items[player.page.index] == "Block elsewhere"
    player.ok()
    player.choose("Block b5")
    assert match.replay.match.steps == [Step(0, "B b5")]


def test_a_climb_is_said_with_its_knight(player):
    match = begin(player, turn("d3=2 c4=1", "a=c3,f6 b=a5 king=h4", left=2))
    page = player.go("Knight c3 → d3")
    assert (page.board.name(page.cursor), page.about) == ("d3", ("▲2",))
    player.ok()
    assert match.replay.match.steps == [Step(0, "M c3-d3")]


def test_no_line_is_merged_that_would_not_fit(player, monkeypatch):
    player.open("san_gimignano", position=COMPLETING)
    assert "Complete 6x3" in player.items
    monkeypatch.setattr("device.menus.step.LINE", len("Complete 6x3") - 1)
    player.open("san_gimignano", position=COMPLETING)
    assert player.items == ["Purchase", "Exchange", "Extend", "Complete", "Pass", "not listed…"]


def test_a_report_is_entered_one_question_after_the_other(player):
    player.open("san_gimignano", level=Level.SCORE)
    player.choose("no more")
    assert player.page.prompt == "Tower of William?"
    player.choose("no more")
    assert player.page.prompt == "Who has the marker?"


def test_figures_are_said_with_their_word(player):
    begin(player, turn(stacks="3-2-1-1", left=1))
    assert [name for name in player.items if name.startswith("End, say which stacks ")]


def test_what_is_not_listed_leads_into_a_word_whose_answers_are(player):
    match = begin(player, STAND)
    player.choose("…")
    page = player.page
    assert (page.items[-1], page.places[-1]) == ("New knight", -1)
    for item, place in zip(page.items, page.places, strict=True):
        assert place < 0 or item.endswith(page.board.name(place))
    player.choose("New knight")
    assert player.page.prompt == "New knight where?"
    player.choose("…", "e3")
    assert player.page.text.startswith("e3: No own knight stands next to e3.")
    player.read_on()
    player.choose("Let it stand…", "no reason given")
    player.agree(2)
    assert match.replay.match.steps == [Step(0, "N e3", ("TO-3.1",))]


def test_asking_why_not_makes_nothing_even_where_only_one_answer_is_left(player):
    match = begin(player, turn(pieces="a=a1 b=a2 king=h4", left=2))
    assert [name for name in player.items if name.startswith("New knight")] == ["New knight b1"]
    begun = player.page.prompt
    player.choose("…", "New knight")
    assert match.replay.log == []
    assert player.items == ["b1", "…"]
    player.back()
    assert player.page.prompt == begun
