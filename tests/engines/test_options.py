"""What an option says it needs is what it needs, in every game."""

from itertools import product

import pytest

import engines
from engines.contract import Option, Setup
from engines.errors import BadSetup
from engines.facts import playable, schema

GAMES = [engines.game(game_id) for game_id in engines.GAMES]
CASES = [
    pytest.param(game, option, id=f"{game.id}-{option.name}") for game in GAMES for option in game.options
]


def opening(game, chosen):
    """The first state of a match with these options, None where there is no such match."""
    try:
        return game.rules.start(
            playable(schema(game.id), Setup(game.seats[0], options=tuple(chosen.items())))
        )
    except BadSetup:
        return None


def beside(game, option):
    """All choices of the option that this one needs, or none."""
    if option.needs is None:
        return [{}]
    name = option.needs[0]
    return [{name: value} for other in game.options if other.name == name for value in other.values]


@pytest.mark.parametrize(("game", "option"), CASES)
def test_an_option_makes_a_difference_exactly_where_it_says_so(game, option):
    defaults = {one.name: one.values[0] for one in game.options}
    for other, value in product(beside(game, option), option.values[1:]):
        plain, changed = opening(game, other), opening(game, {**other, option.name: value})
        assert plain is not None
        if option.matters(defaults | other):
            assert changed not in (None, plain), (other, value)
        else:
            assert changed in (None, plain), (other, value)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_what_is_needed_is_an_option_before_it(game):
    """A form shows the options in their order: what one needs is chosen first."""
    before: dict[str, Option] = {}
    for option in game.options:
        if option.needs:
            name, values = option.needs
            assert set(values) < set(before[name].values)
        before[option.name] = option
