"""The questions of San Gimignano and the tokens that answer them.

======== =====================================================================
token    meaning
======== =====================================================================
P X B E  Purchase, Exchange, Build, Extend (SG-3); C completes, ``close`` closes
8, 5-7   a plain tower's rank, a colourful tower's run
x3, +2   a height, a number of storeys added
d, m8    a card from the deck, an 8 from the market; ``d2`` the rest from the deck
>, .     enough put down, enough flipped
8x3      a standing tower, ``*`` when complete; ``a8x3`` seat a's
======== =====================================================================
"""

from __future__ import annotations

from engines.contract import SEATS, Choice, Decide, Domain, Figures, Level, Over, Pending, Picker, Report
from engines.san_gimignano.cards import CARDS, HIGH, LEAST_STOREYS, RANKS, RUNS, Tower, read_tower, tower_text
from engines.san_gimignano.state import COUNTED, State

PURCHASE, EXCHANGE, BUILD, EXTEND, COMPLETE, CLOSE, PASS = "P", "X", "B", "E", "C", "close", "pass"
ENOUGH, FLIPPED = ">", "."
DECK = "d"
USE, DECLINE, GUARD, ALLOW = "use", "decline", "guard", "allow"
STANDING, COMPLETED, NO_MARKER = "|", "*", "-"

_RANKS = tuple(str(rank) for rank in RANKS)
_RUNS = tuple(f"{low}-{high}" for low, high in RUNS)
_MARKET = tuple(f"m{rank}" for rank in RANKS)

ACTIONS = Domain("action", (PURCHASE, EXCHANGE, BUILD, EXTEND, COMPLETE, CLOSE, PASS))
SHAPES = Domain("shape", _RANKS + _RUNS)
HEIGHTS = Domain("height", tuple(f"x{n}" for n in range(LEAST_STOREYS, HIGH + 1)), Picker.WHEEL)
STOREYS = Domain("storeys", tuple(f"+{n}" for n in range(1, HIGH + 1)), Picker.WHEEL)
PUT = Domain("put", (*_RANKS, ENOUGH), Picker.WHEEL)
SOURCES = Domain("source", (DECK, *_MARKET))
COUNTED_SOURCES = Domain("source", tuple(f"d{n}" for n in range(1, CARDS + 1)) + _MARKET)
DONATIONS = Domain("donazione", (USE, DECLINE))
ANSWERS = Domain("guard", (GUARD, ALLOW))
TURNED_UP = Domain("rank", _RANKS, Picker.WHEEL)
FINAL_SHAPES = Domain("shape", (*_RANKS, *_RUNS, FLIPPED))
FINAL_STATES = Domain("final_state", (STANDING, COMPLETED))
HOLDERS = Domain("marker", ("a", "b", NO_MARKER))

_FIXED = {
    "build": SHAPES,
    "height": HEIGHTS,
    "storeys": STOREYS,
    "put": PUT,
    "donazione": DONATIONS,
    "guard": ANSWERS,
    "market": TURNED_UP,
    "final": FINAL_SHAPES,
    "final_height": HEIGHTS,
    "final_state": FINAL_STATES,
    "final_marker": HOLDERS,
}
FINAL = frozenset({"final", "final_height", "final_state", "final_marker"})
REPORTS = FINAL | {"market"}

CHOICES = {
    (question, token): Choice(question, token)
    for question, domain in [
        ("action", ACTIONS),
        ("draw", SOURCES),
        ("draw", COUNTED_SOURCES),
        *_FIXED.items(),
    ]
    for token in domain.tokens
}


def question(state: State) -> str:
    """The name of the question the state asks."""
    return state.frames[-1].question if state.frames else "action"


def own_towers(state: State) -> Domain:
    """The towers of the seat whose turn it is."""
    return Domain("tower", tuple(dict.fromkeys(map(tower_text, state.towers[state.seat]))))


def owned(owner: int, tower: Tower) -> str:
    """A tower's token where both sides' towers are asked about."""
    return f"{SEATS[owner]}{tower_text(tower)}"


def read_owned(token: str) -> tuple[int, Tower] | None:
    """(owner, tower) of a token like ``b8x3``, None if it is not written so."""
    tower = read_tower(token[1:])
    return (SEATS.index(token[0]), tower) if token[:1] in ("a", "b") and tower else None


def all_towers(state: State) -> Domain:
    """The standing towers of both sides."""
    sides = enumerate(state.towers)
    return Domain("target", tuple(dict.fromkeys(owned(owner, t) for owner, side in sides for t in side)))


def pending(state: State) -> Pending:
    """The question as the contract has it."""
    figures: Figures
    if state.termination:
        return Over(state.termination, "SG-7.2" if state.termination == COUNTED else "SG-2.2")
    if not state.frames:
        return Decide((state.seat,), "action", ACTIONS)
    frame = state.frames[-1]
    name = frame.question
    if name in REPORTS:
        rank = frame.tower.low if frame.tower else 0
        figures = (("n", frame.n), ("seat", frame.seat), ("rank", rank))
        return Report(name, _FIXED[name], frame.open, figures=figures)
    if name == "guard":
        threat = (("variant", 10), ("tower", tower_text(frame.tower))) if frame.tower else (("variant", 9),)
        return Decide((frame.seat,), name, ANSWERS, frame.open, threat)
    if name == "draw":
        domain = SOURCES if state.level is Level.FULL else COUNTED_SOURCES
        return Decide((state.seat,), name, domain, frame.open, (("n", frame.n),))
    if name in ("extend", "complete"):
        tokens = own_towers(state).tokens + (FLIPPED,) * (name == "complete")
        return Decide((state.seat,), name, Domain("tower", tokens), frame.open)
    if name == "target":
        return Decide((state.seat,), name, all_towers(state), frame.open)
    figures = ()
    if frame.tower:
        figures = (("tower", tower_text(frame.tower)), ("rank", frame.tower.low))
    return Decide((state.seat,), name, _FIXED[name], frame.open, figures)
