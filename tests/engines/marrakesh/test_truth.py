"""The engine against the rules written a second time (``truth.py``), game by game."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from engines import bags, contract
from engines.contract import Choice, Decide, Over, Setup, totals
from engines.fact_kinds import write_word
from engines.facts import Facts, Standing, sample, with_facts
from engines.marrakesh import GAME
from engines.marrakesh import state as seen
from engines.marrakesh.book import list_options
from engines.marrakesh.facts import LINKS, RAPIDS, SCHEMA, SQUARE
from engines.marrakesh.pieces import OFFICE_LINES
from engines.marrakesh.square import list_sections
from tests.engines.marrakesh.true_pieces import COLOURED, LETTERS, RESOURCES, SPOTS, Copy, colour_of
from tests.engines.marrakesh.truth import FINISHED, Table
from tests.engines.walks import seed, soak

RULES, SCORING = GAME.rules, GAME.scoring

SEATS = (2, 3, 4)
STAIRS = {"mosque": "imam", "palace": "sultan"}
"""Who waits on them."""
SPACES = tuple(f"s{n}" for n in range(1, 13))
GAMES = 2
"""For each number of seats, every day; `make soak` plays thousands."""


# A copy, players


def copy_of(rng, seats):
    """A copy with made-up boards and tiles, of whose tiles people know some."""
    told = sample(SCHEMA)
    facts = {fact.name: told[fact.name] for fact in SCHEMA}
    length = rng.randint(5, 16)
    rapids = sorted(rng.sample(range(1, length + 2), rng.randint(1, 5)))
    icons = ["keshi", "keshi", "keshi_of_two", *rng.choices(("exchange", "scroll"), k=3)]
    facts |= {
        "river_length": length,
        "rapids": tuple(rapids),
        "rapid_bonus": tuple(rng.choices(RAPIDS, k=len(rapids))),
        "jetty": tuple(sorted((rng.randint(0, 9) for _ in range(rng.randint(seats, 6))), reverse=True)),
        "square": tuple(rng.sample(SQUARE, 8)),
        "disc": tuple(rng.choices(range(5), (1, 5, 1, 4, 1), k=8)),
        "purple_disc": tuple(rng.sample((0, 4, *rng.choices((1, 2, 3), k=6)), 8)),
        "gate_places": "".join(rng.choices(LETTERS, k=8)),
        "track": tuple(rng.sample(icons, 6)),
        "demand_loss": rng.randint(0, 6),
        "more_counts": rng.choice(("no", "yes")),
        "crocodile": rng.randint(1, 3),
    }
    for stair, who in STAIRS.items():
        most = rng.randint(6, 18)
        lines = rng.sample(range(1, most + 1), rng.choice((4, 5)))
        facts |= {f"{stair}_steps": most, f"{stair}_lines": tuple(sorted(lines))}
        facts[f"{who}_step"] = rng.randint(1, rng.choice((3, most)))
    sure = {fact.name for fact in SCHEMA if fact.default.standing is Standing.SURE}
    few = {"k": 3, "weights": (5, 4, 1)}
    for name in facts:
        table = name.partition(".")[0]
        if table == "link":
            facts[name] = tuple(rng.sample(LINKS, rng.choice((1, 2, 3, 6))))
        elif table == "workshop":
            facts[name] = (rng.randint(0, 3), rng.randint(-2, 5))
        elif table in ("price", "demand"):
            facts[name] = tuple(rng.choices(range(3), **few))
        elif table == "good":
            price = rng.choice(((0, 0, 1), (0, 2, 0), (1, 1, 0), (3, 0, 0), (1, 1, 1)))
            facts[name] = (*price, rng.randint(0, 5), *rng.choices(range(3), **few))
        elif table == "office":
            facts[name] = tuple(rng.choices(OFFICE_LINES, k=3))
        elif table == "stair_tile":
            facts[name] = rng.choice(LINKS)
        elif table == "line_spaces":
            facts[name] = tuple(rng.sample((*SPACES, *LINKS), rng.choice((1, 2, 3, 6))))
        elif table == "gate_oasis":
            facts[name] = tuple(letter + str(rng.randint(1, 4)) for letter in rng.sample(LETTERS, 2))
    facts["workshop.1"] = (0, -rng.randint(0, 4))
    for table in ("keshi_scroll.", "goods_scroll.", "scroll.", "keshi_oasis.", "resource_oasis.", "oasis."):
        names = [name for name in facts if name.startswith(table) and name not in sure]
        facts |= zip(names, rng.sample([facts[name] for name in names], len(names)), strict=True)
    share = rng.choice((0, 0.7, 1))
    known = {fact.name for fact in SCHEMA if not fact.late or fact.name in sure or rng.random() < share}
    return Copy(facts, known, given=rng.sample(range(1, 73), rng.choice((0, 6, 24))))


def told(copy):
    """Return what the match is told of it."""
    return Facts.of(SCHEMA).confirm({name: copy[name] if name in copy.known else None for name in copy.facts})


class Player:
    """Somebody who plays at random, but likes some actions more."""

    def __init__(self, rng):
        self.rng = rng
        self.acts, self.stops = rng.choice((0.2, 0.5, 0.9)), rng.choice((0.05, 0.2, 0.5))

    def choose(self, ask):
        """One of the true answers."""
        tokens = sorted(ask.true)
        if ask.question == "action":
            acts = [token for token in tokens if token[2:5] in ("act", "buy", "sel")]
            rest = [token for token in tokens if token not in acts]
            tokens = acts if acts and (self.rng.random() < self.acts or not rest) else rest
        stops = [token for token in tokens if token in ("done", "none")]
        goes = [token for token in tokens if token not in stops]
        if goes and stops:
            tokens = stops if self.rng.random() < self.stops else goes
        return self.rng.choice(tokens)


# What everybody sees


def letters(bag):
    return Counter({LETTERS[kind]: n for kind, n in bags.items(bag)})


def spots(mask, names):
    return {name for n, name in enumerate(names) if mask >> n & 1}


def faces(state, turned):
    """The spectators from a disc's section on; a disc may look the same turned by half."""
    return list_sections(state)[turned:] + list_sections(state)[:turned]


def assert_same(state, table):
    """What lies on the table is what the engine says lies there."""
    assert (state.season, state.round, state.start, state.holder) == (
        table.season,
        table.round,
        table.start,
        table.holder,
    )
    assert letters(state.inside) == Counter(table.tower.inside)
    assert letters(state.tray) == +table.tray
    for side, true in zip(state.sides, table.sides, strict=True):
        assert letters(side.behind) == Counter(true.behind)
        assert letters(side.chosen) == Counter(true.chosen)
        assert sorted(side.assistants) == sorted(true.assistants)
        assert letters(side.board) == +true.board
        assert spots(side.vendors, COLOURED) == true.vendors
        assert side.stall == true.stall
        assert spots(side.square, SQUARE) == true.square
        assert side.caravans == tuple(true.caravans[path] for path in ("start", "left", "right"))
        assert spots(side.claimed, SPOTS) == true.claimed
        assert list(side.oases) == true.oases
        assert side.stock == "".join(true.stock.get(n, "-") for n in range(6))
        assert side.gates == "".join(true.gates.get(n, "-") for n in range(1, 9))
        assert side.fisherman == true.fisherman
        if side.fisherman > state.copy.river_length:
            assert side.spot == true.spot
        assert side.disc == -1 or faces(state, side.disc) == faces(state, -true.disc % 8)
        assert (side.mosque, side.palace, side.lines) == (true.mosque, true.palace, true.lines)
        assert {kind: bags.count(side.resources, n) for n, kind in enumerate(RESOURCES)} == {
            kind: true.has[kind] for kind in RESOURCES
        }
        assert sorted(side.scrolls) == sorted(true.scrolls)
        assert sorted(side.goods) == sorted(true.goods)
        assert sorted(side.demands) == sorted(true.demands)
        points = Counter(start=seen.START_POINTS)
        for gain in side.gains:
            points[gain.category] += gain.points
        if not table.termination:
            assert {c: n for c, n in points.items() if n} == {c: n for c, n in true.vp.items() if n}


def assert_same_beside(fields, table):
    """So does what expansions keep, by the fields of a position; one that is not there is as at first."""
    if table.plays("staircase_tiles"):
        tiles = (tile if space in table.middle_told else "-" for space, tile in table.middle.items())
        assert fields.get("stair_tiles", ",".join("-" * len(table.middle))) == ",".join(tiles)
    for stair, who in STAIRS.items():
        if table.plays("imam_and_sultan"):
            seat, step = table.attending.get(stair), table.waiting.get(stair, "gone")
            there = fields.get(who, str(table.copy[f"{who}_step"]))
            assert there == (str(step) if seat is None else contract.SEATS[seat])
    if table.plays("more_offices"):
        further = [name for _, name in sorted(table.office_told) if name.isdigit()]
        assert fields.get("offices", "-") == (",".join(further) or "-")
    if table.plays("desert_towns"):
        towns = {
            f"{letter}.{place}.{number:02}{'+' * (place in side.turned)}"
            for letter, side in zip(contract.SEATS, table.sides, strict=False)
            for place, number in side.towns.items()
        }
        assert set(fields.get("towns", "").split(",")) - {""} == towns


def assert_answers(state, ask, before):
    """The question is the same; what is true is legal, and all that is legal may be true."""
    asked = RULES.pending(state)
    goes_on = before is not None and before.seat == ask.seat and before.question in ask.after
    assert asked.open == goes_on
    assert (asked.question, isinstance(asked, Decide)) == (ask.question, ask.told is None)
    if isinstance(asked, Decide):
        assert asked.seats == (ask.seat,)

    def fits(token):
        return RULES.why_not(state, Choice(ask.question, token)) is None

    if ask.told is not None:
        assert fits(ask.told)
        return
    assert ask.true
    assert ask.true <= ask.public
    if asked.domain.listed:
        assert {choice.token for choice in RULES.legal(state)} == ask.public
        assert set(filter(fits, asked.domain.tokens)) == ask.public
    else:
        drawn = asked.domain.draw(Random(len(ask.true)))
        assert set(filter(fits, {drawn, *ask.true})) == ask.true


# Games


def endowed(state, table, rng):
    """The state after all got resources, keshis, scrolls and steps, in some games many; so is the table."""
    most, sides = rng.choice((0, 2, 4, 7)), []
    for old, side in zip(state.sides, table.sides, strict=True):
        side.has.update({kind: rng.randint(0, rng.choice((0, 2 * most))) for kind in RESOURCES})
        side.board.update({letter: rng.randint(0, most) for letter in "tgkwybluo"})
        side.vendors = set(rng.sample(COLOURED, rng.randint(0, most)))
        side.square = set(rng.sample(SQUARE, rng.randint(0, most)))
        side.caravans.update(left=rng.randint(0, most // 2), right=rng.randint(0, most // 2))
        side.board.update(r=len(side.vendors), p=len(side.square), n=side.caravans.total())
        for stair, who in STAIRS.items():
            untaken = table.waiting.get(stair, most) - 1 if f"{who}_step" in table.copy.known else 0
            setattr(side, stair, min(rng.randint(0, most) // 2, untaken if stair in table.waiting else most))
        side.scrolls = [n for n in table.copy.given if rng.random() < 0.4]
        side.words = {table.copy[table.copy.scroll(n)] for n in side.scrolls}
        table.copy.given = [n for n in table.copy.given if n not in side.scrolls]
        for number in side.scrolls:
            table.scrolls[colour_of(number)].drop(number)
        for stair in STAIRS:
            side.lines += sum(line <= getattr(side, stair) for line in table.copy[f"{stair}_lines"])
        sides.append(
            replace(
                old,
                board=bags.bag(LETTERS.index(letter) for letter in side.board.elements()),
                resources=bags.bag(RESOURCES.index(kind) for kind in side.has.elements()),
                vendors=mask(side.vendors, COLOURED),
                square=mask(side.square, SQUARE),
                caravans=(0, side.caravans["left"], side.caravans["right"]),
                mosque=side.mosque,
                palace=side.palace,
                lines=side.lines,
                scrolls=tuple(side.scrolls),
            )
        )
    return replace(state, sides=tuple(sides))


def mask(chosen, names):
    return sum(1 << names.index(name) for name in chosen)


def play(number):
    """One game in both; returns how often each question was asked."""
    rng = Random(number)
    seats = SEATS[number % len(SEATS)]
    options = {option.name: rng.choice(option.values) for option in list_options()}
    start = rng.randrange(seats)
    copy = copy_of(rng, seats)
    table = Table(copy, seats, start, options, rng)
    players = [Player(rng) for _ in range(seats)]
    setup = with_facts(told(copy), Setup(seats=seats, start=start, options=tuple(options.items())))
    state = RULES.start(setup)
    game, answer, before, happened = table.play(), None, None, Counter()
    while True:
        try:
            ask = game.send(answer)
        except StopIteration:
            break
        if ask.question == "choose" and not happened["choose"]:
            state = endowed(state, table, rng)
        if ask.by_itself:
            (answer,) = ask.public
            continue
        if (known := printed(state, copy)) is not state:
            state, before = known, None  # a step of its own
        happened[ask.question] += 1
        if not RULES.pending(state).open:
            assert_same(state, table)
            if happened.total() % 17 == 0:  # reading is slow
                written = GAME.position.write(state)
                assert GAME.position.read(written, setup.facts) == state
                assert_same_beside(dict(field.split("=", 1) for field in written.split()), table)
        assert_answers(state, ask, before)
        before = ask
        answer = players[ask.seat].choose(ask) if ask.told is None else ask.told
        state = RULES.apply(state, Choice(ask.question, answer))
    state = printed(state, copy)
    assert_same(state, table)
    assert RULES.pending(state) == Over(FINISHED, "MK-16.4")
    assert totals(SCORING.bookings(state), seats) == [side.vp.total() for side in table.sides]
    assert [place.seats for place in SCORING.ranking(state)] == table.ranking()
    return happened


def printed(state, copy):
    """The state after all that it asks of the copy was told."""
    while not state.termination and (asked := RULES.pending(state)).question == "print":
        name = asked.domain.name
        copy.known.add(name)
        choice = Choice("print", write_word(SCHEMA.fact(name).kind, copy[name]))
        assert RULES.why_not(state, choice) is None
        state = RULES.apply(state, choice)
    return state


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_engine_and_truth_play_the_same_games(seats):
    first = seed()
    for number in range(first, first + GAMES * len(SEATS)):
        if SEATS[number % len(SEATS)] == seats:
            play(number)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_thousands_of_games():
    """Every question is asked in some game."""
    first, happened = seed(), Counter()
    for number in range(first, first + soak(2000, 12)):
        happened += play(number)
    if soak(2000) == 2000:
        assert RULES.questions - {"print"} <= happened.keys()
