"""Goods by hand: what a game says it has comes and goes, and nothing else."""

import pytest

from engines.errors import Malformed
from engines.match import Adjustment, Match, Point
from engines.matchfile import line
from engines.matchfile import read as read_file
from tests.engines.castles_of_tuscany.table import turn
from tests.engines.tables import TABLES, every

GOODS = {
    "castles_of_tuscany": {"card", "marble", "worker", "wild"},
    "marrakesh": {"water", "date", "dinar", "yellow", "purple", "orange"},
    "torres": set(),
    "san_gimignano": set(),
    "toy": set(),
    "tower_toy": set(),
}


@pytest.mark.parametrize("name", every())
def test_what_a_game_says_it_has_comes_and_goes(name):
    """One of each good at every fortieth state, whoever has it; the position of it reads back."""
    game, setup, moved = TABLES[name].game, TABLES[name].setup, set()
    for step in TABLES[name].steps(1)[::40]:
        for seat in range(game.rules.seated(step.after)):
            for good in game.rules.goods(step.after, seat):
                for n in (1, -1) if good.there and good.left else ():
                    try:
                        given = game.rules.give(step.after, seat, good.name, n)
                    except Malformed:
                        continue  # the question asked would have no answer
                    now = {one.name: one.there for one in game.rules.goods(given, seat)}
                    assert now[good.name] == good.there + n
                    assert game.position.read(game.position.write(given), setup.facts) == given
                    moved.add(good.name)
    assert moved <= GOODS.get(game.id, set())
    if "full" in name and GOODS.get(game.id):
        assert len(moved) > len(GOODS[game.id]) // 2


def test_a_card_by_hand_comes_from_the_deck_and_goes_there():
    game = TABLES["castles_of_tuscany full 2"].game
    state = game.position.read(turn("b1,c1", doing="pick:new"))
    for n in (1, -1):
        given = game.rules.give(state, 0, "card", n)
        assert (given.deck, given.sides[0].hand) == (state.deck - n, state.sides[0].hand + n)


@pytest.mark.parametrize(
    ("name", "good"),
    [
        *(("castles_of_tuscany full 2", good) for good in ("card", "marble", "worker", "wild", "gold")),
        *(("marrakesh full 2", good) for good in ("water", "dinar", "yellow", "orange", "gold")),
    ],
)
def test_there_are_no_more_than_there_are(name, good):
    table = TABLES[name]
    match = Match(table.game, table.setup)
    for n in (0, 999, -99):
        with pytest.raises(Malformed, match="can neither get nor return"):
            table.game.rules.give(match.state, 0, good, n)
        with pytest.raises(Malformed, match="can neither get nor return"):
            match.adjust(Adjustment(0, n, good=good))
    assert not match.steps


def test_goods_by_hand_are_a_line_of_a_match_file():
    made = Adjustment(1, 2, "fell off", "worker")
    assert line(made) == "+ b +2 worker fell off"
    table = TABLES["castles_of_tuscany full 2"]
    match = Match(table.game, table.setup)
    with pytest.raises(Malformed):
        match.make(made)
    match.points = [
        Point(next(one.after for one in table.steps(1) if one.after.display and not one.after.frames))
    ]
    match.make(made)
    assert match.state.sides[1].workers == 2
    head = "podesta match 1\ngame: castles_of_tuscany\nseats: Adso, William\n\n"
    assert read_file(f"{head}1 {line(made)}\n").steps == (made,)
