"""A toy game for the contract's rarer parts: sealed simultaneous guesses, and questions too large to list.

Each of three rounds both seats secretly guess whether the next handful of beans is odd or even, or sit out,
once a match (T-1). Then the table reports the handful; beans do not return to the bag (T-2). A right guess
scores one point; tied, who may still sit out is ahead (T-5).

With the option ``stakes`` each seat first names a stake, 0 to 250, another than was named (T-3); the lower
one scores a point. Who guesses wrong pays one or two of the own beans, two red and a green at first (T-4).
With the option ``fists`` both guess by a fist of up to three beans, as many as come (T-6).
"""

from msgspec import Struct
from msgspec.structs import replace

from engines import bags
from engines.contract import (
    Booking,
    Choice,
    Decide,
    Domain,
    Game,
    Label,
    Level,
    Multiset,
    Number,
    Option,
    Over,
    Positions,
    Refusal,
    Report,
    Scoring,
    Sight,
    Tally,
    Telling,
    Tie,
    Worlds,
    totals,
)
from engines.errors import BadPosition, Impossible
from engines.kit import options
from engines.kit.parts import WordNotation, by_hand, ranked
from engines.kit.rulebook import Rulebook

GUESSES = Domain("guess", ("odd", "even", "sit"))
BEANS = Multiset("beans", ("r", "g"), 0, 3)
FIST = Multiset("guess", ("r", "g"), 0, 3)
BAG = bags.one(0, 4) + bags.one(1, 5)
ROUNDS = 3
OPTIONS = (Option("stakes", ("no", "yes"), "T-3"), Option("fists", ("no", "yes"), "T-6"))
STAKE = Number("stake", 0, 250)
PURSE = bags.one(0, 2) + bags.one(1)


class Beans(Struct, frozen=True):
    """What is known: beans left in the bag, who sat out already, points, the guesses of this round."""

    round: int = 0
    left: bags.Bag = BAG
    sat: tuple[bool, bool] = (False, False)
    points: tuple[int, int] = (0, 0)
    guesses: tuple[str, ...] = ()
    adjusted: tuple[int, int] = (0, 0)
    stakes: tuple[int, ...] | None = None
    purses: tuple[bags.Bag, bags.Bag] = (0, 0)
    owing: tuple[int, ...] = ()
    fists: bool = False

    @property
    def seat(self):
        return None

    @property
    def termination(self):
        return "counted" if self.round == ROUNDS and not self.owing else ""


def payment(state):
    """Return what the first that owes may pay, beginning with what is plainest."""
    purse = state.purses[state.owing[0]]
    return Multiset("pay", BEANS.kinds, 1, 2, start=bags.one(next(bags.elements(purse))), caps=purse)


def right(guess, beans):
    """Return True if that is what came."""
    if guess in GUESSES.tokens:
        return guess == ("even", "odd")[bags.total(beans) % 2]
    return bags.total(FIST.read(guess)) == bags.total(beans)


class Playing(Rulebook[Beans]):
    def start(self, setup):
        if setup.position:
            return GAME.position.read(setup.position)
        chosen = options.chosen("Odds and beans", OPTIONS, setup)
        fists = chosen["fists"] == "yes"
        if chosen["stakes"] == "yes":
            return Beans(stakes=(), purses=(PURSE, PURSE), fists=fists)
        return Beans(fists=fists)

    def pending(self, state):
        if state.termination:
            return Over(state.termination, "T-2")
        if state.stakes is not None and len(state.stakes) < 2:
            return Decide((len(state.stakes),), "stake", STAKE)
        if state.owing:
            return Decide(state.owing[:1], "pay", payment(state))
        if state.guesses:
            return Report("beans", BEANS)
        return Decide((0, 1), "guess", FIST if state.fists else GUESSES)

    def legal(self, state, seat=None):
        pending = self.pending(state)
        if not isinstance(pending, Decide) or pending.domain is not GUESSES:
            return []
        return [Choice("guess", token) for token in GUESSES.tokens if token != "sit" or not state.sat[seat]]

    def why_not(self, state, choice, seat=None):
        if choice.question == "guess":
            return Refusal("guess.sat", "T-1") if choice.token == "sit" and state.sat[seat] else None
        if choice.question == "stake":
            same = state.stakes and state.stakes[0] == int(choice.token)
            return Refusal("stake.same", "T-3", (("stake", choice.token),)) if same else None
        if choice.question == "pay":
            purse = state.purses[state.owing[0]]
            paid = bags.items(BEANS.read(choice.token))
            short = [(BEANS.kinds[k], bags.count(purse, k)) for k, n in paid if n > bags.count(purse, k)]
            figures = tuple(zip(("kind", "held"), short[0], strict=True)) if short else ()
            return Refusal("pay.held", "T-4", figures) if short else None
        over = [k for k, n in bags.items(BEANS.read(choice.token)) if n > bags.count(state.left, k)]
        basis = tuple((BEANS.kinds[kind], 0) for kind in over)
        return Refusal("beans.left", "T-2", (("left", bags.total(state.left)),), basis) if over else None

    def apply(self, state, choice):
        if choice.question == "stake":
            return replace(state, stakes=(*state.stakes, int(choice.token)))
        beans = BEANS.read(choice.token)
        if choice.question == "pay":
            seat, *others = state.owing
            purses = tuple(held - beans * (s == seat) for s, held in enumerate(state.purses))
            return replace(state, purses=purses, owing=tuple(others))
        points = tuple(p + right(g, beans) for p, g in zip(state.points, state.guesses, strict=True))
        wrong = (s for s, guess in enumerate(state.guesses) if guess != "sit" and not right(guess, beans))
        owing = tuple(seat for seat in wrong if state.purses[seat])
        left = state.left - beans
        return replace(state, round=state.round + 1, left=left, points=points, guesses=(), owing=owing)

    def overrule(self, state, choice, clause, seat=None):
        raise Impossible(self.why_not(state, choice, seat))

    def adjust(self, state, seat, points):
        return replace(state, adjusted=tuple(p + points * (s == seat) for s, p in enumerate(state.adjusted)))

    def reveal(self, state, choices):
        sat = tuple(old or choice.token == "sit" for old, choice in zip(state.sat, choices, strict=True))
        return replace(state, sat=sat, guesses=tuple(choice.token for choice in choices))

    def seen(self, state):
        return GAME.position.write(state)

    def exposes(self, state, choice):
        return choice.question == "beans"

    def fact(self, state, key):
        return bags.count(state.left, BEANS.kinds.index(key[0]))


class Counting(Scoring):
    CATEGORIES = ("guesses", "stakes")

    def counted(self, state):
        return self.CATEGORIES[: 1 + (state.stakes is not None)]

    def bookings(self, state):
        guessed = [Booking(s, p, "guesses", "T-1") for s, p in enumerate(state.points) if p]
        if state.stakes and len(state.stakes) == 2:
            guessed.append(Booking(state.stakes.index(min(state.stakes)), 1, "stakes", "T-3"))
        return (*guessed, *by_hand(state.adjusted))

    def ranking(self, state):
        return ranked(
            totals(self.bookings(state), 2), "T-5", Tie("rests", "T-5", tuple(enumerate(rests(state))))
        )

    def tallies(self, state):
        return (Tally("rests", "T-1", rests(state)),)


def rests(state):
    """Return how often each may still sit out."""
    return tuple(int(not out) for out in state.sat)


class Calls(WordNotation):
    def label(self, choice):
        return Label(choice.token)


def numbers(word):
    return () if word == "-" else tuple(map(int, word.split(",")))


class Lines(Positions):
    def write(self, state):
        sat = "".join(letter for letter, out in zip("ab", state.sat, strict=True) if out)
        points = ",".join(map(str, state.points))
        words = [
            str(state.round),
            BEANS.write(state.left),
            sat or "-",
            points,
            ",".join(state.guesses) or "-",
        ]
        words.append(",".join(map(str, state.adjusted)))
        if state.stakes is not None:
            purses = ",".join(map(BEANS.write, state.purses))
            words += [",".join(map(str, state.stakes)) or "-", purses, ",".join(map(str, state.owing)) or "-"]
        return " ".join([*words, "fists"] if state.fists else words)

    def read(self, text, facts=()):
        fists = text.endswith(" fists")
        text = text.removesuffix(" fists")
        try:
            number, left, sat, points, guesses, *more = text.split()
            first, second = numbers(points)
            by_hand = numbers(more[0]) if more else (0, 0)
            stakes, owing = (numbers(more[1]), numbers(more[3])) if more[1:] else (None, ())
            purses = tuple(map(BEANS.read, more[2].split(","))) if more[1:] else (0, 0)
            told = int(number), BEANS.read(left)
        except (ValueError, IndexError) as error:
            raise BadPosition(f"{text!r} is no position of beans") from error
        guessed = tuple(guesses.split(",")) if guesses != "-" else ()
        seated_out = "a" in sat, "b" in sat
        known = *told, seated_out, (first, second), guessed, by_hand
        return Beans(*known, stakes, purses, owing, fists)

    def status(self, text, facts=()):
        self.read(text)
        return []


class Look(Sight):
    NAME = "beans_left"

    def of(self, state):
        return state.left

    def read(self, text):
        return BEANS.read(text)

    def differences(self, seen, expected):
        return () if seen == expected else (BEANS.write(seen),)


class Truth(Worlds):
    def sample(self, state, rng):
        return state.left

    def true(self, world, state, choice, seat=None):
        return True

    def answer(self, world, state, rng):
        held = list(bags.elements(world))
        return Choice("beans", BEANS.write(bags.bag(rng.sample(held, min(len(held), rng.randrange(4))))))

    def advance(self, world, state, choice, rng):
        return world - BEANS.read(choice.token) if choice.question == "beans" else world


class Says(Telling):
    """Who takes points, and when the last round begins."""

    def hands(self, before, choices, after):
        won = [seat for seat in (0, 1) if after.points[seat] > before.points[seat]]
        return tuple(Label("hands.point", (("seat", seat),)) for seat in won)

    def news(self, before, after):
        last = before.round < after.round == ROUNDS - 1
        return (Label("news.last"),) if last else ()


GAME = Game(
    id="toy",
    title="Odds and beans",
    seats=(2,),
    rules_version=1,
    options=OPTIONS,
    levels=(Level.FULL,),
    rules=Playing(),
    scoring=Counting(),
    notation=Calls(),
    position=Lines(),
    sights=(Look(),),
    worlds=Truth(),
    telling=Says(),
)
