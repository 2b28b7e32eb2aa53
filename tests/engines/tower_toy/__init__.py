"""A toy game with a tower: what is thrown in may stay there, and going back does not empty it.

In so many turns as the copy says (P-1) a seat throws pebbles into the tower, red and green. The table
reports what lies on the tray then: no more of a colour than were inside and thrown (P-2). The seat keeps one
colour of the tray (P-3) for as many points a pebble as the copy says (P-4), which is asked for when that
colour first lies there. A turn is several steps: what follows a report waits as a frame of the state.
"""

from msgspec import Struct
from msgspec.structs import replace

from engines import bags
from engines.contract import (
    Booking,
    Choice,
    Decide,
    Domain,
    Exact,
    Game,
    Level,
    Multiset,
    OutOfStep,
    Over,
    Positions,
    Printed,
    Problem,
    Refusal,
    Report,
    Scoring,
    Several,
    Sight,
)
from engines.errors import BadPosition, BadSetup, Impossible, Malformed
from engines.fact_kinds import read_word
from engines.facts import of_match
from engines.kit.forms import standing
from engines.kit.parts import Open, WordNotation, by_hand, ranked
from engines.kit.rulebook import Rulebook
from engines.readings import TOTAL
from tests.engines.tower_toy.facts import COLOURS, SCHEMA, Worth

PEBBLES = Multiset("tray", COLOURS, 0, 20)
THROW = Domain("throw", ("1r", "1g", "2r1g"))
KEEP = Domain("keep", ("r", "g", "-"))
INSIDE = bags.one(0)


class Tower(Struct, frozen=True):
    """``turns`` and ``worth``, by colour, are facts of the copy, a worth None until it is known. ``inside``
    is what all throws ever made left in the tower, ``fallen`` those that people went back before; ``thrown``
    and ``tray`` are this turn's, None before they are known.
    """

    turns: int
    worth: tuple[int | None, ...]
    turn: int = 0
    inside: bags.Bag = INSIDE
    fallen: tuple[str, ...] = ()
    thrown: bags.Bag | None = None
    tray: bags.Bag | None = None
    points: tuple[int, int] = (0, 0)
    adjusted: tuple[int, int] = (0, 0)

    @property
    def seat(self):
        return self.turn % 2

    @property
    def termination(self):
        return "thrown" if self.turn == self.turns else ""

    @property
    def lacking(self):
        """The colour on the tray of which nobody knows yet what it is worth."""
        lying = [kind for kind, _ in bags.items(self.tray or 0)]
        return next((PEBBLES.kinds[kind] for kind in lying if self.worth[kind] is None), "")


def begun(facts, error):
    """Return a match's first state; raises ``error`` if the copy does not say how long it goes on."""
    copy, _ = of_match(SCHEMA, facts)
    if copy["turns"] is None:
        raise error("the fact turns must be known first (P-1)")
    return Tower(copy["turns"], tuple(copy[f"worth.{colour}"] for colour in PEBBLES.kinds))


class Playing(Rulebook[Tower]):
    def start(self, setup):
        if setup.position:
            return GAME.position.read(setup.position, setup.facts)
        return begun(setup.facts, BadSetup)

    def pending(self, state):
        if state.termination:
            return Over(state.termination, "P-1")
        if state.thrown is None:
            return Decide((state.seat,), "throw", THROW)
        if state.tray is None:
            there = state.inside + state.thrown
            domain = replace(PEBBLES, start=state.thrown, caps=there)
            return Report("tray", domain, figures=(("number", state.turn + 1),))
        if state.lacking:
            fact = SCHEMA.fact(f"worth.{state.lacking}")
            return Report("worth", Printed(fact.name, fact.kind), figures=(("colour", state.lacking),))
        return Decide((state.seat,), "keep", KEEP)

    def legal(self, state, seat=None):
        pending = self.pending(state)
        if isinstance(pending, Over):
            return []
        choices = [Choice(pending.question, token) for token in pending.domain.tokens]
        return [choice for choice in choices if not self.why_not(state, choice)]

    def why_not(self, state, choice, seat=None):
        if choice.question == "tray":
            tray, there = PEBBLES.read(choice.token), state.inside + state.thrown
            over = next((k for k, n in bags.items(tray) if n > bags.count(there, k)), None)
            if over is None:
                return None
            figures = (("colour", PEBBLES.kinds[over]), ("inside", bags.count(there, over)))
            return Refusal("tray.conservation", "P-2", figures)
        if choice.question == "keep" and choice.token != "-":
            none = not bags.count(state.tray, PEBBLES.kinds.index(choice.token))
            return Refusal("keep.none", "P-3", (("colour", choice.token),)) if none else None
        return None

    def apply(self, state, choice):
        if choice.question == "throw":
            return replace(state, thrown=PEBBLES.read(choice.token))
        if choice.question == "tray":
            tray, word = PEBBLES.read(choice.token), self.stays(state, choice)
            if word in state.fallen:  # the same throw: it is inside already
                fallen = tuple(one for one in state.fallen if one != word)
                return replace(state, tray=tray, fallen=fallen)
            return replace(state, tray=tray, inside=state.inside + state.thrown - tray)
        if choice.question == "worth":
            at = PEBBLES.kinds.index(state.lacking)
            worth = tuple(read_word(Worth, choice.token) if k == at else w for k, w in enumerate(state.worth))
            return replace(state, worth=worth)
        won = 0
        if choice.token != "-":
            kind = PEBBLES.kinds.index(choice.token)
            won = bags.count(state.tray, kind) * state.worth[kind]
        points = tuple(p + won * (s == state.seat) for s, p in enumerate(state.points))
        return replace(state, turn=state.turn + 1, thrown=None, tray=None, points=points)

    def overrule(self, state, choice, clause, seat=None):
        raise Impossible(self.why_not(state, choice))

    def seen(self, state):
        return state.lacking or f"{state.turn + 1}:{PEBBLES.write(state.thrown)}"

    def stays(self, state, choice):
        return f"{self.seen(state)}/{choice.token}" if choice.question == "tray" else ""

    def remember(self, state, word):
        if word in state.fallen:
            return state
        _, _, throw = word.partition(":")
        thrown, _, tray = throw.partition("/")
        if not (PEBBLES.holds(thrown) and PEBBLES.holds(tray)):
            raise Malformed(f"{word!r} is no throw")
        # A correction further back may leave less than came out: then nobody knows better than none.
        inside = bags.without(state.inside + PEBBLES.read(thrown), PEBBLES.read(tray))
        return replace(state, inside=inside, fallen=(*state.fallen, word))


class Counting(Scoring):
    CATEGORIES = ("pebbles",)

    def bookings(self, state):
        kept = [Booking(s, p, "pebbles", "P-3") for s, p in enumerate(state.points) if p]
        return (*kept, *by_hand(state.adjusted))

    def ranking(self, state):
        return ranked([sum(pair) for pair in zip(state.points, state.adjusted, strict=True)], "P-3")


class Lines(Positions):
    def write(self, state):
        drawn = ["?" if held is None else PEBBLES.write(held) for held in (state.thrown, state.tray)]
        worth = ",".join("?" if each is None else str(each) for each in state.worth)
        words = [str(state.turn), worth, PEBBLES.write(state.inside), ",".join(state.fallen) or "-", *drawn]
        return " ".join([*words, ",".join(map(str, state.points)), ",".join(map(str, state.adjusted))])

    def parse(self, text, facts):
        try:
            turn, worth, inside, fallen, thrown, tray, points, adjusted = text.split()
            first, second = map(int, points.split(","))
            by_hand = tuple(map(int, adjusted.split(",")))
            return Tower(
                begun(facts, BadPosition).turns,
                tuple(None if each == "?" else int(each) for each in worth.split(",")),
                int(turn),
                PEBBLES.read(inside),
                tuple(fallen.split(",")) if fallen != "-" else (),
                *[None if held == "?" else PEBBLES.read(held) for held in (thrown, tray)],
                (first, second),
                by_hand,
            )
        except ValueError as error:
            raise BadPosition(f"{text!r} is no position of pebbles") from error

    def read(self, text, facts=()):
        return standing(self.parse(text, facts), self.problems)

    def status(self, text, facts=()):
        return self.problems(self.parse(text, facts))

    def problems(self, state):
        over = (("turn", state.turn), ("turns", state.turns))
        return [Problem("turn", "turns", "P-1", over)] if state.turn > state.turns else []


class Look(Sight):
    NAME = "tray"

    def of(self, state):
        return state.tray or 0

    def read(self, text):
        """Return what lies there, or a number of pebbles as a text."""
        if PEBBLES.holds(text):
            return PEBBLES.read(text)
        if TOTAL.fullmatch(text):
            return text
        raise Malformed(f"{text!r} is no tray")

    def explain(self, state, seen):
        """Return all trays with a number, each as likely; None if no tray is asked for."""
        if not isinstance(seen, str):
            return None
        if state.thrown is None or state.tray is not None:
            return Exact(())
        there = bags.counts(state.inside + state.thrown, len(PEBBLES.kinds))
        number = int(seen.removeprefix("total "))
        found = [PEBBLES.write(bags.one(0, n) + bags.one(1, number - n)) for n in range(number + 1)]
        found = [one for one in found if bags.within(PEBBLES.read(one), state.inside + state.thrown)]
        if not found:
            return OutOfStep((), (seen,), Refusal("tray.total", "P-2", (("number", sum(there)),)))
        return Several(tuple((Choice("tray", one),) for one in found), (1 / len(found),) * len(found))

    def differences(self, seen, expected):
        return () if seen == expected else (seen if isinstance(seen, str) else PEBBLES.write(seen),)


class Truth(Open):
    def answer(self, world, state, rng):
        if state.lacking:
            return Choice("worth", str(rng.randrange(10)))
        there = bags.elements(state.inside + state.thrown)
        return Choice("tray", PEBBLES.write(bags.bag(kind for kind in there if rng.random() < 0.6)))


RULES = Playing()
GAME = Game(
    id="tower_toy",
    title="Tower",
    seats=(2,),
    rules_version=1,
    levels=(Level.FULL,),
    rules=RULES,
    scoring=Counting(),
    notation=WordNotation(),
    position=Lines(),
    sights=(Look(),),
    worlds=Truth(RULES),
)
