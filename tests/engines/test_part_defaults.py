"""A module as a part of a game: what it does not say is as in most games, what it says counts."""

from inspect import signature
from types import SimpleNamespace

import pytest

import engines
from engines import contract

COUNTS = {"CATEGORIES": ("wool",), "bookings": lambda _: (), "ranking": lambda _: ("first",)}
SEES = {"NAME": "sheep", "of": lambda state: state, "read": len, "differences": lambda *_: ()}


def test_a_scoring_counts_nothing_beside_and_has_one_part_and_all_categories():
    part = contract.scoring(SimpleNamespace(**COUNTS))
    assert (part.tallies(0), part.counted(0), part.parts_over(0)) == ((), ("wool",), 0)
    assert (part.CATEGORIES, part.ranking(0)) == (("wool",), ("first",))


def test_what_a_scoring_says_counts():
    part = contract.scoring(SimpleNamespace(**COUNTS, parts_over=lambda state: state))
    assert part.parts_over(3) == 3


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_a_name_of_the_contract_in_a_part_takes_what_the_contract_does(game_id):
    game = engines.game(game_id)
    for part in (game.scoring, game.notation, game.telling):
        protocol = type(part).__mro__[1]
        for name in (name for name in dir(protocol) if name[0] != "_" and callable(getattr(part, name))):
            wanted = len(signature(getattr(protocol, name)).parameters) - 1
            signature(getattr(part, name)).bind(*range(wanted))


def test_a_sight_lies_before_all_and_any_choice_may_show():
    part = contract.sight(SimpleNamespace(**SEES))
    assert (part.NAME, part.SEAT, part.visible(None), part.board(0)) == ("sheep", None, True, None)
    assert (part.explain(0, 0), part.read("abc"), part.fitted(0, 5)) == (None, 3, 5)


@pytest.mark.parametrize(("name", "says"), [("SEAT", 2), ("visible", False), ("board", "meadow")])
def test_what_a_sight_says_counts(name, says):
    part = contract.sight(SimpleNamespace(**SEES, **{name: says if name == "SEAT" else lambda _: says}))
    said = getattr(part, name)
    assert (said if name == "SEAT" else said(0)) == says
