"""Pieces are neither made nor lost, whatever is answered (CT-1.3, CT-1.4); a match goes on from any line."""

from random import Random

import pytest

from engines import bags
from engines.castles_of_tuscany import GAME
from engines.castles_of_tuscany.kinds import CARDS, MARBLE, NEUTRAL, OF_EACH_SQUARE, OWN, WILD, WILDS, WORKERS
from engines.contract import Choice, Domain
from tests.engines.castles_of_tuscany.table import setup
from tests.engines.walks import seed, soak

QUICK = 12


def conserved(state):
    """Raise AssertionError where a piece is missing or too many."""
    assert sum(side.hand for side in state.sides) + state.deck + bags.total(state.discards) == CARDS
    for seat, side in enumerate(state.sides):
        assert bags.total(side.turned) + sum(side.piles) == bags.total(OWN), seat
        assert bags.within(side.turned, OWN), seat
        assert not side.wild & ~side.filled, seat
    assert bags.within(state.neutral, NEUTRAL)
    placed = sum((side.filled & ~side.wild).bit_count() for side in state.sides)
    stored = sum(len(side.stored) - side.stored.count(WILD) for side in state.sides)
    came = sum(bags.total(side.turned) + bool(side.filled) for side in state.sides)
    came += bags.total(NEUTRAL) - bags.total(state.neutral)
    assert placed + stored + len(state.display) <= came  # the others have left the game
    assert 0 <= state.marble_left() <= MARBLE
    assert 0 <= state.workers_left() <= WORKERS
    assert 0 <= state.wilds_left() <= WILDS
    assert all(0 <= state.squares_left(kind) <= OF_EACH_SQUARE for kind in range(5))


def game(number):
    """A match in which anything legal is answered, and now and then taken up from its line; its chains."""
    rng, seats = Random(number), 2 + number % 3
    options = {option.name: rng.choice(option.values) for option in GAME.options}
    state = GAME.rules.start(setup(seats, rng.randrange(seats), unknown=number % 4 == 0, **options))
    longest = stuck = 0
    while not state.termination:
        asked = GAME.rules.pending(state)
        if isinstance(asked.domain, Domain):
            legal = GAME.rules.legal(state)
            # With the display empty before the last pile, all can only draw: no clause ends that match.
            stuck = stuck + 1 if [choice.token for choice in legal] == ["D"] else 0
            if stuck == ONLY_DRAWING:
                return longest
            # Placing is what leads on; anybody who answers at random mostly cannot pay for it.
            lead = [choice for choice in legal if choice.token[0] == "P"]
            choice = rng.choice(lead if lead and rng.random() < 0.8 else legal)
        elif asked.question == "print":
            choice = Choice("print", rng.choice([kinds for name, kinds in BOARDS if name[0] == tile(state)]))
        else:
            choice = Choice(asked.question, asked.domain.draw(rng))
        state = GAME.rules.apply(state, choice)
        conserved(state)
        longest = max(longest, len(state.frames))
        if len(state.frames) > 1 or rng.random() < 0.01:
            read = GAME.position.read(GAME.position.write(state))
            assert read == state
            state = read
    GAME.scoring.ranking(state)
    return longest


ONLY_DRAWING = 400
BOARDS = tuple((name, kinds) for name, kinds in GAME.rules.start(setup()).copy.boards)


def tile(state):
    """The set, A to C, of the board that is asked for."""
    return state.frames[-1].tile[0]


def test_some_games():
    first = seed()
    assert max(game(number) for number in range(first, first + QUICK)) > 1


@pytest.mark.soak
def test_twenty_thousand_games():
    first = seed()
    games = soak(20_000)
    longest = max(game(number) for number in range(first, first + games))
    assert longest > 1 + (games == 20_000)  # in some of so many an effect waits for another's
