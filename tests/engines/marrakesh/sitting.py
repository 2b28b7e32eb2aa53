"""Seats at a table of Marrakesh with the made-up copy, states built by hand for tests of single clauses."""

import re

from msgspec.structs import replace

import engines.marrakesh  # noqa: F401, its chapters fill the book
from engines import bags
from engines.contract import Choice
from engines.facts import sample
from engines.kit.rulebook import question
from engines.marrakesh.book import BOOK, EXPANSIONS, effect_of
from engines.marrakesh.facts import SCHEMA, read_printing
from engines.marrakesh.frames import QUESTIONS, Resource
from engines.marrakesh.pieces import COLOURS, LETTERS
from engines.marrakesh.state import RESOURCES, Side, State, Variant

COPY = read_printing(sample(SCHEMA))
"""Everything of it is known."""
RESOURCE = Resource(1)
"""What is asked in the end, for states that somebody must be able to play on from."""


def named(held):
    """The number of each colour in a bag of keshis, by name."""
    return {COLOURS[kind]: count for kind, count in bags.items(held)}


def told(copy=COPY, **values):
    """The copy with boards and tiles so: ``link={"12": ("vp1",)}`` is the fact ``link.12``."""
    boards = {name: value for name, value in values.items() if hasattr(copy, name)}
    known = dict(copy.known)
    for name in values.keys() - boards.keys():
        table = values[name] if isinstance(values[name], dict) else None
        known |= {name: values[name]} if table is None else {f"{name}.{key}": table[key] for key in table}
    return replace(copy, **boards, known=tuple(sorted(known.items())))


def unknown(copy=COPY, *names):
    """The copy of which nobody has confirmed these facts yet; without a name none that is late."""
    return replace(copy, known=tuple(pair for pair in copy.known if names and pair[0] not in names))


def held(resources="", board=""):
    """Return what :class:`Side` has of ``1w2d3n`` (water, dates, dinars) and of keshis ``2t1g``."""
    return {"resources": _bag(resources, "wdn"), "board": _bag(board, LETTERS)}


def _bag(text, letters):
    pairs = re.findall(r"(\d+)([a-z])", text)
    return sum(bags.one(letters.index(letter), int(number)) for number, letter in pairs)


def before(resources="", board="", **fields):
    """Return what lies before a seat."""
    return Side(**held(resources, board), **fields)


def table(own, *others, copy=COPY, shared=False, **fields):
    """Seat a, which is asked, with these things before it; then other seats, one if none is told."""
    sides = (own, *(others or (Side(),)))
    fields = {"adjusted": (0,) * len(sides)} | fields
    return State(Variant(len(sides), shared), copy, sides=sides, **fields)


def playing(state, *names):
    """Return the same in a match with the expansions of these names; what they keep is as at first."""
    beside = tuple(each.keeps() for each in EXPANSIONS if each.name in names and each.keeps)
    return replace(state, variant=replace(state.variant, expansions=frozenset(names)), beside=beside)


def seated(*others, copy=COPY, shared=False, **own):
    """Return the same with seat a's things by name: ``resources="1w2d3n"``, ``board="2t1g"``, fields of a
    side.
    """
    return table(before(**own), *others, copy=copy, shared=shared)


def under_1(state):
    """Return the same under version 1 of the rules."""
    return replace(state, rules=1)


def after(state, *words, why="scrolls", source="1"):
    """The state once these effects happened, up to the first question."""
    return BOOK.settled(state.doing(*(effect_of(word, why, source) for word in words)))


def play(state, steps):
    """The state after these tokens, each of them legal."""
    for token in steps.split():
        choice = Choice(question(state), token)
        assert BOOK.why_not(state, choice) is None, BOOK.why_not(state, choice)
        state = BOOK.apply(state, choice)
    return state


def asked(state):
    """The question that a state asks, empty for none."""
    return state.frames[-1].question if state.frames else ""


def tokens(state):
    """Return what may be answered."""
    return [choice.token for choice in BOOK.legal(state)]


def refused(state, token):
    """The check and the clause that refuse an answer, and the figures of the refusal."""
    refusal = BOOK.why_not(state, Choice(question(state), token))
    return (refusal.check, refusal.clause, dict(refusal.figures)) if refusal else None


def frame(question, text="", number=0):
    """A question with its own text and number, as a position has them."""
    return QUESTIONS[question].of(text, number)


def fits(state, *frames):
    """Return True if a position may ask the last of these questions."""
    return BOOK.fits_at(replace(state, frames=frames))


def overruled(state, token):
    """The state after an answer whose refusal was overruled; then a resource is taken."""
    choice, state = Choice(question(state), token), replace(state, frames=(RESOURCE, *state.frames))
    return BOOK.overrule(state, choice, BOOK.why_not(state, choice).clause)


def gains(state, seat=0):
    """Return what a seat gained: category, VP, what gave them."""
    return [(gain.category, gain.points, gain.source) for gain in state.sides[seat].gains]


def resources(state, seat=0):
    """The resources before a seat as ``1w2d3n``."""
    there = zip("wdn", bags.counts(state.sides[seat].resources, len(RESOURCES)), strict=True)
    return "".join(f"{number}{letter}" for letter, number in there if number)


def keshis(state, seat=0):
    """The deployed keshis of a seat as ``2t1g``."""
    return "".join(f"{number}{LETTERS[kind]}" for kind, number in bags.items(state.sides[seat].board))


def agreed(state):
    """Return True if the list holds what no check refuses, in order, and a position may ask it."""
    assert BOOK.fits_at(state)
    every = BOOK.domain(state).tokens
    return tokens(state) == [token for token in every if refused(state, token) is None]
