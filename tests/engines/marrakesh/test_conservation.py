"""Keshis, resources and VP are neither made nor lost, whatever is answered; a match goes on from any line."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from engines import bags
from engines.contract import Choice, Decide
from engines.kit.rulebook import question
from engines.marrakesh.expanding import EXPANSIONS
from engines.marrakesh.expanding import options as options_of
from engines.marrakesh.keshis import BROWN, EACH, KINDS, PINK, RED
from engines.marrakesh.overlays import Staircase
from engines.marrakesh.problems import current
from engines.marrakesh.scoring import LAST
from engines.marrakesh.state import RESOURCES, START_POINTS
from engines.marrakesh.tower import TRAY, Throw, odometer
from engines.marrakesh.towns import Towns
from tests.engines.marrakesh.lines import GAME, setup
from tests.engines.marrakesh.true_pieces import GATES
from tests.engines.walks import seed, soak

QUICK = 6
SUBSETS = [
    dict(zip((each.name for each in EXPANSIONS), values, strict=True))
    for values in product(*(each.option.values for each in EXPANSIONS))
]
"""Which expansions are played: the values of their options."""
TABLES = list(product(GAME.seats, SUBSETS))
EACH_SUBSET, SOME = 100, 12
"""Games of a subset for a number of seats; of so many in a smoke run."""
MOST = bags.FULL // 2
"""More of a kind than anybody can have; one below 0 would show as more."""


def in_use(state):
    """So many keshis of each colour are in the tower, on the tray, behind screens, on boards."""
    used = state.inside + state.tray
    for side in state.sides:
        used += side.behind + side.chosen + side.board
    letters = Counter("".join(side.stock for side in state.sides))
    return [n + letters[letter] for letter, n in zip(TRAY.kinds, bags.counts(used, KINDS), strict=True)]


def conserved(state):
    """Raise AssertionError where fewer than none are somewhere, or something stands nowhere."""
    for held in (state.inside, state.tray, *(side.board for side in state.sides)):
        assert held >= 0
        assert max(bags.counts(held, KINDS)) < MOST
    for side in state.sides:
        assert side.resources >= 0
        assert max(bags.counts(side.resources, len(RESOURCES))) < MOST
        standing = {BROWN: sum(side.caravans), PINK: side.square.bit_count(), RED: side.vendors.bit_count()}
        asked_where = question(state) in ("caravan", "spot", "vendor")
        assert asked_where or standing == {kind: side.deployed(kind) for kind in standing}


def kept(before, after):
    """Raise AssertionError where keshis were lost between two states in which none waits to be deployed."""
    pairs = list(zip(in_use(before), in_use(after), strict=True))
    asked = question(before), question(after)
    if asked == ("choose", "choose"):
        assert all(new == old for old, new in pairs)
    if asked in (("tray", "claim"), ("claim", "claim")):
        assert all(new >= old for old, new in pairs)  # what is claimed is deployed, what it brings too


def once(state):
    """Raise AssertionError where a tile lies before two seats, or more gates of a colour than there are."""
    for tiles in ("scrolls", "goods", "oases", "demands"):
        there = [tile for side in state.sides for tile in getattr(side, tiles)]
        assert len(there) == len(set(there)), tiles
    gates = Counter("".join(side.gates for side in state.sides).replace("-", ""))
    assert gates <= Counter(GATES)
    assert len(state.tiles) == len(set(state.tiles))
    for each in state.beside:
        if isinstance(each, Towns):
            taken = [town.number for town in each.towns]
            assert len(taken) == len(set(taken)) <= 2 * state.variant.seats - 1
        if isinstance(each, Staircase):
            there = [tile[:-1] for tile in each.stair_tiles if tile]
            assert len(there) == len(set(there))


def booked(state):
    """Raise AssertionError where the VP of a side are not what is booked; 10 were there before all."""
    bookings = GAME.scoring.bookings(state)
    for seat, side in enumerate(state.sides):
        gained, told = Counter(), Counter()
        for season, gain in ((one.season, one) for one in side.gains):
            gained[season, gain.category] += gain.points
        for one in bookings:
            if one.seat == seat and one.category not in (*LAST, "start"):
                told[one.part, one.category] += one.points
        assert told == gained
        assert [one.points for one in bookings if (one.seat, one.category) == (seat, "start")] == [
            START_POINTS
        ]
    assert state.termination or not any(one.category in LAST for one in bookings)


def waiting(state):
    """How many questions and effects stand above what the round has still to come."""
    return len(state.frames) - len(current(state).coming)


def answer(state, rng):
    """Anything that is legal."""
    asked = GAME.rules.pending(state)
    if asked.domain.listed:
        return rng.choice(GAME.rules.legal(state))
    if isinstance(asked, Decide) or rng.random() < 0.5:
        choice = Choice(asked.question, asked.domain.draw(rng))
        if GAME.rules.why_not(state, choice) is None:
            return choice
    return GAME.worlds.answer(GAME.worlds.sample(state, rng), state, rng)


def game(number, seats=0, **options):
    """A match in which anything legal is answered, and now and then taken up from its line; the longest chain
    met and the fewest keshis of a colour that were left. Where nothing else is said, seats and options are by
    chance.
    """
    rng, seats = Random(number), seats or 2 + number % 3
    options = {option.name: rng.choice(option.values) for option in GAME.options} | options
    state = GAME.rules.start(setup(seats, rng.randrange(seats), known=number % 4 != 0, **options))
    throws, inside, longest, fewest, rest = [], 0, 0, EACH, state
    while not state.termination:
        choice = answer(state, rng)
        if choice.question == "tray":
            throws.append(Throw(state.thrown, TRAY.read(choice.token)))
            inside = odometer(throws).inside
        state = GAME.rules.apply(state, choice)
        conserved(state)
        if question(state) in ("choose", "tray", "claim"):
            kept(rest, state)
            rest = state
        assert state.inside == inside
        longest = max(longest, waiting(state) if state.frames else 0)
        fewest = min(fewest, EACH - max(in_use(state)))
        if (state.frames and waiting(state) > 2) or rng.random() < 0.01:
            read = GAME.position.read(GAME.position.write(state))
            assert read == state
            booked(state)
            once(state)
            state = read
    booked(state)
    once(state)
    GAME.scoring.ranking(state)
    return longest, fewest


def test_some_games():
    first = seed()
    longest = max(game(number)[0] for number in range(first, first + QUICK))
    assert longest > 3


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_five_thousand_games():
    first = seed()
    games = soak(5_000, 24)
    found = [game(number) for number in range(first, first + games)]
    longest, fewest = max(one[0] for one in found), min(one[1] for one in found)
    print(f"{games} games: {longest} waiting at most, {fewest} left of a colour at least")
    assert longest > 3 + (games == 5_000)


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_subset_of_the_expansions_starts(seats):
    """With all numbers of seats in `make soak`."""
    for options in SUBSETS[seats % len(GAME.seats) :: len(GAME.seats)]:
        begun = setup(seats, seats - 1, **options)
        state = GAME.rules.start(begun)
        written = GAME.position.write(state)
        assert GAME.position.read(written, begun.facts) == state
        assert GAME.position.status(written, begun.facts) == []
        assert options.items() <= options_of(state.variant).items()


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_every_subset_of_the_expansions_plays_to_its_end():
    """Each is played for each number of seats; smoke size is a game of some."""
    first, games = seed(), soak(EACH_SUBSET, 1)
    tables = Random(first).sample(TABLES, len(TABLES) if games > 1 else SOME)
    for at, (seats, options) in enumerate(tables):
        for number in range(first + at * games, first + (at + 1) * games):
            game(number, seats, **options)
    print(f"{games} games for each of {len(tables)} numbers of seats and subsets")
