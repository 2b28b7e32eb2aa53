"""The engine against the rules written a second time (``truth.py``), game by game."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany import GAME
from engines.castles_of_tuscany import state as seen
from engines.castles_of_tuscany.facts import SCHEMA
from engines.castles_of_tuscany.kinds import YIELDS
from engines.castles_of_tuscany.regions import cells, is_outline, put_together, seams
from engines.contract import Choice, Decide, Level, Over, Setup, totals
from engines.facts import Facts, with_facts
from tests.engines.castles_of_tuscany.true_regions import Region, half_a_hex
from tests.engines.castles_of_tuscany.truth import (
    CASTLE,
    FARM,
    FINISHED,
    KINDS,
    OWN,
    REWARDS,
    SQUARES,
    WILD,
    Copy,
    Table,
)
from tests.engines.walks import seed, soak

RULES, SCORING = GAME.rules, GAME.scoring

OUTLINES = [
    outline for rows in (2, 3) for outline in product(range(1, 10), repeat=rows) if is_outline(outline)
]
SEATS = (2, 3, 4)
GAMES = 4
"""For each number of seats, every day."""
QUESTIONS = {name for name in RULES.questions if not name.startswith("final")}
RARE = {"wild", "pick_tile", "bonus", "tile"}
VARIANTS = [
    {option.name: value for option, value in zip(seen.OPTIONS, values, strict=True)}
    for values in product(*(option.values for option in seen.OPTIONS))
]


# A copy, players


def copy_of(rng, outline):
    """A copy with made-up boards, cards and rewards, of which people know some."""
    castles = rng.choice([(1, 1, 1), (0, 1, 2), (2, 1, 0), (0, 3, 0)])
    colours = rng.sample(KINDS[1:], rng.choice((2, 5, 7)))  # with few there are large areas
    boards = {}
    for letter, number in zip("ABC", castles, strict=True):
        for n in range(1, 5):
            kinds = [CASTLE] * number + rng.choices(colours, k=10 - number)
            boards[f"{letter}{n}"] = "".join(rng.sample(kinds, 10))
    cards = Counter(KINDS) + Counter(rng.choices(KINDS, rng.choices((1, 2, 6), k=8), k=122 - 8))
    facts = {f"board.{name}" for name in boards} | {f"bonus.{kind}" for kind in KINDS} | {"cards", "yields"}
    return Copy(
        draw=rng.choice((2, 3)),
        storage=rng.choice((2, 2, 5)),
        outline=outline,
        boards=boards,
        bonus={kind: (rng.randint(0, 9), rng.randint(0, 5)) for kind in KINDS},
        cards=cards,
        yields=rng.sample(REWARDS, rng.randint(1, 8)) + ["h1"] * rng.randint(0, 1),
        farms="abcdef"[: rng.randint(1, 6)],
        known={fact for fact in sorted(facts) if rng.random() < 0.8},
    )


def told(copy):
    """Return what the match is told of it."""
    facts = {f"board.{name}": kinds for name, kinds in copy.boards.items()}
    facts |= {f"bonus.{kind}": values for kind, values in copy.bonus.items()}
    known = {name: value for name, value in facts.items() if name in copy.known}
    if "cards" in copy.known:
        known |= {f"cards.{kind}": copy.cards[kind] for kind in KINDS}
    if "yields" in copy.known:
        known["yields"] = tuple(sorted(set(copy.yields)))
    known |= {"cards_per_draw": copy.draw, "storage_points": copy.storage, "outline": copy.outline}
    return Facts.of(SCHEMA).confirm({**known, "farms": tuple(f"farm {each}" for each in copy.farms)})


class Player:
    """Somebody who plays at random, but likes some actions more; a few draw all the cards there are."""

    def __init__(self, rng):
        self.rng = rng
        weights = {"D": (1, 2, 3, 9), "T": (2, 4), "P": (6, 60), "m": (0.02, 1, 6), "e": (1,)}
        self.weights = {verb: rng.choice(some) for verb, some in weights.items()}
        self.tidy = rng.random() < 0.8

    def choose(self, ask, table):
        """One of the true answers."""
        tokens = sorted(ask.true)
        if ask.question == "action":
            verbs = sorted({token[0] for token in tokens})
            waits = any(table.side.room(tile) for tile in table.side.stored) and table.side.full()
            weights = [self.weights[v] / (20 if v == "T" and self.tidy and waits else 1) for v in verbs]
            verb = self.rng.choices(verbs, weights)[0]
            tokens = [token for token in tokens if token[0] == verb]
            fit = [token for token in tokens if verb == "T" and table.side.room(token[1:])]
            tokens = fit if fit and self.tidy else tokens
        if ask.question in ("first_square", "square") and "storage" in tokens and self.rng.random() < 0.3:
            return "storage"
        if ask.question == "pick" and len(tokens) > 1 and self.tidy:
            tokens.remove("none")
        return self.rng.choice(tokens)


# What everybody sees


def by_kind(bag, names=KINDS):
    return Counter({name: bags.count(bag, n) for n, name in enumerate(names)}) + Counter()


def assert_same(state, table):
    """What lies on the table is what the engine says lies there."""
    assert (state.round, state.start) == (table.round, table.start)
    assert state.termination == table.termination
    assert state.seat == table.seat
    assert (state.left, state.marbled) == (table.left, table.marbled)
    assert state.trigger == (seen.NOBODY if table.trigger is None else table.trigger)
    last = table.last or 0
    assert state.last == (0 if last > table.seats else last)  # counted once everybody has one turn to come
    assert Counter(state.display) == Counter(table.display)
    assert by_kind(state.neutral) == Counter(tile[0] for tile in table.neutral)
    assert by_kind(state.discards) == +table.discards
    assert state.deck == len(table.deck)
    assert state.yields % YIELDS == len(table.yields) % YIELDS  # they may be shuffled early
    assert state.taken == tuple(table.bonus_taken[kind] for kind in KINDS)
    assert state.in_supply("marble") == table.marble
    assert state.in_supply("workers") == table.workers
    assert state.in_supply("wilds") == table.wilds
    assert {kind: state.squares_left(n) for n, kind in enumerate(SQUARES)} == table.squares
    for seat, (side, true) in enumerate(zip(state.sides, table.sides, strict=True)):
        assert (side.boards, side.seams) == (tuple(true.boards), tuple(true.seams))
        assert Counter(side.stored) == Counter(true.stored)
        assert (side.hand, side.marble, side.workers) == (true.hand.total(), true.marble, true.workers)
        assert by_kind(side.squares, SQUARES) == +true.squares
        assert side.piles == tuple(map(len, true.piles))
        assert by_kind(side.turned) + Counter(t[0] for pile in true.piles for t in pile) == Counter(OWN)
        assert sum(gain.points for gain in side.gains if not gain.orange) == true.green
        if true.region is not None and {name[:2] for name in side.boards} <= {
            name for name, _ in state.copy.boards
        }:
            names = state.region(seat).names
            tiles = {names[n]: "" for n in cells(side.filled)}
            tiles |= {names[n]: WILD for n in cells(side.wild)}
            tiles |= {names[n]: FARM + shown for n, shown in side.shown}
            shown = {n: t if t[0] in (FARM, WILD) else "" for n, t in true.filled.items()}
            assert tiles == shown
    booked = [Counter() for _ in table.sides]
    for booking in SCORING.bookings(state):
        booked[booking.seat][booking.part] += booking.points
    assert booked == [+side.rounds for side in table.sides]
    assert [place.seats for place in SCORING.ranking(state)] == table.ranking()
    green = {tally.name: tally.figures for tally in SCORING.tallies(state)}["green"]
    assert green == tuple(side.green for side in table.sides)


def assert_answers(state, ask, table):
    """The question is the same; what is true is legal, what is refused not true, and a hand told decides."""
    asked = RULES.pending(state)
    assert (asked.question, asked.open) == (ask.question, ask.begun)
    if isinstance(asked, Decide):
        assert asked.seats == (ask.seat,)
    assert isinstance(asked, Decide) == (ask.told is None)
    if not asked.domain.listed:
        assert RULES.why_not(state, Choice(ask.question, ask.told)) is None
        return
    assert ask.true
    assert ask.true <= ask.public
    assert {choice.token for choice in RULES.legal(state)} == ask.public
    assert ask.public <= set(asked.domain.tokens)
    for token in asked.domain.tokens:
        refusal = RULES.why_not(state, Choice(ask.question, token))
        assert (refusal is None) == (token in ask.public), (token, refusal)
    if ask.told is None:
        held = "".join(f"{copies}{kind}" for kind, copies in (+table.side.hand).items()) or "-"
        assert {choice.token for choice in RULES.legal_for(state, ask.seat, held)} == ask.true


# Games


SCARCE = {
    "marble": lambda table: table.marble,
    "worker": lambda table: table.workers,
    "wild hex": lambda table: table.wilds,
    "card": lambda table: table.deck or table.discards,
    "yield card": lambda table: table.yields,
    "neutral tile": lambda table: table.neutral,
    "tile on display": lambda table: table.display,
    "tile in a pile": lambda table: any(table.side.piles),
    "square tile of a kind": lambda table: all(table.squares.values()),
    "bonus of a kind": lambda table: max(table.bonus_taken.values(), default=0) < 2,
}
"""What may run out, and what tells how much of it there is."""


def endowed(state, table, rng):
    """The state after all were given of the supplies, in some games whatever there is; so is the table."""
    most = rng.choice((0, 0, 2, 25))
    for side in rng.sample(table.sides, len(table.sides)):
        for kind in SQUARES:
            number = rng.randint(0, min(most, table.squares[kind]))
            table.squares[kind] -= number
            side.squares[kind] += number
        marble, workers = (rng.randint(0, min(most, left)) for left in (table.marble, table.workers))
        wilds = rng.randint(0, min(most, side.places(), table.wilds))
        side.marble, side.workers, side.stored = marble, workers, [WILD] * wilds
        table.marble -= marble
        table.workers -= workers
        table.wilds -= wilds
    return replace(
        state,
        sides=tuple(
            replace(
                old,
                squares=bags.bag(SQUARES.index(kind) for kind in side.squares.elements()),
                marble=side.marble,
                workers=side.workers,
                stored=tuple(side.stored),
            )
            for old, side in zip(state.sides, table.sides, strict=True)
        ),
    )


def play(number):
    """One game in both; returns how often each question was asked and what became scarce."""
    rng = Random(number)
    seats = SEATS[number % len(SEATS)]
    outline = (5, 5) if rng.random() < 0.5 else rng.choice(OUTLINES)
    options, start = VARIANTS[number % len(VARIANTS)], rng.randrange(seats)
    table = Table(copy_of(rng, outline), seats, start, options, rng)
    player = Player(rng)
    setup = with_facts(told(table.copy), Setup(seats=seats, start=start, options=tuple(options.items())))
    state = RULES.start(setup)
    game, answer, happened = table.play(), None, Counter()
    while True:
        try:
            ask = game.send(answer)
        except StopIteration:
            break
        if ask.question == "display" and not happened["display"]:
            state = endowed(state, table, rng)
        happened[ask.question] += 1
        happened.update(name for name, left in SCARCE.items() if not left(table))
        table.assert_conserved()
        if not ask.begun:
            assert_same(state, table)
        if ask.question != "display" and happened.total() % 31 == 0:  # reading is slow
            assert GAME.position.read(GAME.position.write(state), setup.facts) == state
        assert_answers(state, ask, table)
        answer = player.choose(ask, table) if ask.told is None else ask.told
        state = RULES.apply(state, Choice(ask.question, answer))
    table.assert_conserved()
    assert_same(state, table)
    assert RULES.pending(state) == Over(FINISHED, "CT-6.4")
    assert_counted(table, setup)
    return happened


def assert_counted(table, setup):
    """CT-7.3: who only tells what lies there at the end comes to the same points and places."""
    state = RULES.start(replace(setup, level=Level.SCORE))
    while not state.termination:
        side = table.sides[state.seat]
        stored, cards, empty = len(side.stored), side.hand.total(), 30 - len(side.filled)
        numbers = {
            "final_orange": side.orange - side.green - stored - side.marble - side.workers - cards // 3,
            "final_green": side.green,
            "final_stored": stored,
            "final_marble": side.marble,
            "final_workers": side.workers,
            "final_cards": cards,
            "final_empty": empty,
        }
        asked = RULES.pending(state).question
        choice = Choice(asked, str(numbers[asked]))
        assert RULES.why_not(state, choice) is None
        state = RULES.apply(state, choice)
    assert totals(SCORING.bookings(state), table.seats) == [side.orange for side in table.sides]
    assert [place.seats for place in SCORING.ranking(state)] == table.ranking()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_engine_and_truth_play_the_same_games(seats):
    first = seed()
    asked = Counter()
    for number in range(first, first + GAMES * len(SEATS)):
        if SEATS[number % len(SEATS)] == seats:
            asked += play(number)
    assert asked >= Counter(QUESTIONS - RARE)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_thousands_of_games():
    """Every question is asked, and everything runs out in some game."""
    first, happened = seed(), Counter()
    for number in range(first, first + soak(4000, 9)):
        happened += play(number)
    if soak(4000) == 4000:
        assert happened >= Counter(QUESTIONS | SCARCE.keys())


@pytest.mark.parametrize("outline", OUTLINES, ids=str)
def test_regions_are_true(outline):
    """CT-1.5: names, kinds, neighbours and areas of every region there can be."""
    boards = copy_of(Random(seed()), outline).boards
    names = ("B2", "A1", "C3")
    for turned in product((False, True), repeat=3):
        lying = tuple(f"{name}{chr(39) * up}" for name, up in zip(names, turned, strict=True))
        below = [seams(outline, name) for name in lying[:2]]
        assert below == [tuple(half_a_hex(outline, up)) for up in turned[:2]]
        assert all(len(each) == 2 for each in below)
        for shifts in product(*below):
            same_region(lying, shifts, turned, boards, outline)


def same_region(lying, shifts, turned, boards, outline):
    """One of those regions, in both writings."""
    three = [boards[name[:2]] for name in lying]
    found, true = put_together(lying, shifts, boards, outline), Region(three, shifts, outline, turned)
    assert dict(zip(found.names, found.kinds, strict=True)) == true.kinds
    for space, name in enumerate(found.names):
        assert {found.names[n] for n in cells(found.beside[space])} == true.beside[name]
        assert {found.names[n] for n in cells(found.area(space))} == true.area(name)
