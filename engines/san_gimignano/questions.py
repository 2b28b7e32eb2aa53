"""The questions of San Gimignano and the tokens that answer them.

=========== ==================================================================
token       meaning
=========== ==================================================================
P X B E     Purchase, Exchange, Build, Extend (SG-3); C completes, ``close`` closes
8, 5-7      a plain tower's rank, a colourful tower's run, ``5-7s`` one with stones
x3, +2      a height, a number of storeys added; each ``s`` a stone among them
s4s6        the storeys of a run that are stones, also ``+2s5``
d, m8       a card from the deck, an 8 from the market; ``d2`` the rest from the deck
n, mvia     a card from the noble deck, a Via Francigena from the market
>, .        enough put down, enough flipped
8x3         a standing tower, ``*`` when complete; ``a8x3`` seat a's
via, mura … a noble played, put down or named
tt, tn, nn  two cards under their decks: tower cards (t), nobles (n)
n0, n1      how many nobles among the cards of a Trade
=========== ==================================================================
"""

from __future__ import annotations

from functools import cache

from engines import bags
from engines.contract import SEATS, Choice, Decide, Domain, Figures, Level, Over, Pending, Picker, Report
from engines.san_gimignano.cards import (
    CARDS,
    HIGH,
    KINDS,
    LEAST_STOREYS,
    LOW,
    NOBLE_CARDS,
    NOBLES,
    PIETRA,
    RANKS,
    RUNS,
    STONE_RUNS,
    STONES,
    Tower,
    forced_stones,
    read_tower,
    stone_sets,
    stones_text,
    tower_text,
)
from engines.san_gimignano.scoring import totals
from engines.san_gimignano.state import COUNTED, DOUBLE_PASS, Frame, State

PURCHASE, EXCHANGE, BUILD, EXTEND, COMPLETE, CLOSE, PASS = "P", "X", "B", "E", "C", "close", "pass"
ENOUGH, FLIPPED = ">", "."
DECK, NOBLE_DECK = "d", "n"
USE, DECLINE, GUARD, ALLOW = "use", "decline", "guard", "allow"
STONE = "pietra"
JOUST, GO, BACK, KEEP = "giostra", "go", "back", "keep"
DEAL = "deal"
STANDING, COMPLETED, NO_MARKER = "|", "*", "-"
RETURNS = {"tt": (2, 0), "tn": (1, 1), "nn": (0, 2)}
"""Two cards under their decks: how many tower cards, how many nobles."""

_RANKS = tuple(str(rank) for rank in RANKS)
_RUNS = tuple(f"{low}-{high}" for low, high in RUNS)
_STONE_RUNS = tuple(
    f"{low}-{high}{s}" for low, high in STONE_RUNS for s in ("", "s") if s or not forced_stones(low, high)
)
_SOME_STONES = tuple("s" * n for n in range(STONES + 1))
_MARKET = tuple(f"m{rank}" for rank in RANKS)
_MARKET_NOBLES = ("mpietra", "mvia", "mmonumento", "mgiostra", "mcappella", "mpalazzo", "mmura")
_COUNTED = tuple(f"d{n}" for n in range(1, CARDS + 1))

ACTIONS = Domain("action", (PURCHASE, EXCHANGE, BUILD, EXTEND, COMPLETE, CLOSE, PASS))
SHAPES = Domain("shape", _RANKS + _RUNS)
HEIGHTS = Domain("height", tuple(f"x{n}" for n in range(LEAST_STOREYS, HIGH + 1)), Picker.WHEEL)
STOREYS = Domain("storeys", tuple(f"+{n}" for n in range(1, HIGH + 1)), Picker.WHEEL)
PUT = Domain("put", (*_RANKS, ENOUGH), Picker.WHEEL)
SOURCES = Domain("source", (DECK, *_MARKET))
COUNTED_SOURCES = Domain("source", _COUNTED + _MARKET)
DONATIONS = Domain("donazione", (USE, DECLINE))
ANSWERS = Domain("guard", (GUARD, ALLOW))
TURNED_UP = Domain("rank", _RANKS, Picker.WHEEL)
FINAL_SHAPES = Domain("shape", (*_RANKS, *_RUNS, FLIPPED))
FINAL_STATES = Domain("final_state", (STANDING, COMPLETED))
HOLDERS = Domain("marker", ("a", "b", NO_MARKER))
NEXT_DEAL = Domain("deal", (DEAL,))

# The advanced game's, where they differ
ACTIONS_9 = Domain("action", (*ACTIONS.tokens[:-1], *NOBLES, PASS))
SHAPES_9 = Domain("shape", _RANKS + _STONE_RUNS)
HEIGHTS_9 = Domain(
    "height",
    tuple(f"x{n}{s}" for n in range(LEAST_STOREYS, HIGH + STONES + 1) for s in _SOME_STONES),
    Picker.WHEEL,
)
STOREYS_9 = Domain(
    "storeys",
    tuple(f"+{n}{s}" for n in range(1, HIGH + 1) for s in _SOME_STONES[: n + 1]),
    Picker.WHEEL,
)
PUT_9 = Domain("put", (*KINDS, ENOUGH), Picker.WHEEL)
SOURCES_9 = Domain("source", (DECK, NOBLE_DECK, *_MARKET, *_MARKET_NOBLES))
COUNTED_SOURCES_9 = Domain(
    "source",
    _COUNTED + tuple(f"n{n}" for n in range(1, NOBLE_CARDS + 1)) + _MARKET + _MARKET_NOBLES,
)
ANSWERS_9 = Domain("guard", (GUARD, STONE, ALLOW))
FINAL_SHAPES_9 = Domain("shape", (*SHAPES_9.tokens, FLIPPED))
JOUSTS = Domain("giostra", (JOUST, ALLOW))
REMAINS = Domain("remains", (GO, BACK))
RETURNED = Domain("palazzo", (*RETURNS, KEEP))
NOBLE_COUNTS = Domain("count", tuple(f"n{n}" for n in range(HIGH + 1)), Picker.WHEEL)

_FIXED = {
    "build": (SHAPES, SHAPES_9),
    "height": (HEIGHTS, HEIGHTS_9),
    "put": (PUT, PUT_9),
    "donazione": (DONATIONS, DONATIONS),
    "market": (TURNED_UP, TURNED_UP),
    "giostra": (JOUSTS, JOUSTS),
    "remains": (REMAINS, REMAINS),
    "palazzo": (RETURNED, RETURNED),
    "traded": (NOBLE_COUNTS, NOBLE_COUNTS),
    "returned": (NOBLE_COUNTS, NOBLE_COUNTS),
    "deal": (NEXT_DEAL, NEXT_DEAL),
    "final": (FINAL_SHAPES, FINAL_SHAPES_9),
    "final_height": (HEIGHTS, HEIGHTS_9),
    "final_state": (FINAL_STATES, FINAL_STATES),
    "final_marker": (HOLDERS, HOLDERS),
    "final_monumento": (HOLDERS, HOLDERS),
    "final_cappella": (HOLDERS, HOLDERS),
    "final_closer": (HOLDERS, HOLDERS),
}
FINAL_HOLDERS = ("final_marker", "final_monumento", "final_cappella", "final_closer")
FINAL = frozenset({"final", "final_height", "final_stones", "final_state", *FINAL_HOLDERS})
REPORTS = FINAL | {"market", "deal"}

CHOICES = {
    (question, token): Choice(question, token)
    for question, domains in [
        ("action", (ACTIONS_9,)),
        ("draw", (SOURCES_9, COUNTED_SOURCES_9)),
        ("storeys", (STOREYS_9,)),
        ("guard", (ANSWERS_9,)),
        *_FIXED.items(),
    ]
    for domain in domains
    for token in domain.tokens
}
QUESTIONS = frozenset(name for name, _ in CHOICES) | {
    "extend",
    "complete",
    "target",
    "stones",
    "cancel",
    "final_stones",
}


def listed(question: str, tokens: list[str]) -> list[Choice]:
    """The choices of these tokens."""
    return [CHOICES[question, token] for token in tokens]


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


@cache
def stones_of_run(low: int, high: int) -> Domain:
    """Which storeys of a run with stones are stones."""
    return Domain("stones", tuple(stones_text(chosen) for chosen in stone_sets(low, high) if chosen))


@cache
def storeys_of_run(low: int) -> Domain:
    """Storeys, stones among them, that a run whose top is ``low`` may be given."""
    tokens = [
        f"+{low - top}{stones_text(chosen)}"
        for top in range(low - 1, LOW - 2, -1)
        for chosen in stone_sets(top, low - 1)
    ]
    return Domain("storeys", tuple(tokens))


def laid_stones(frame: Frame) -> tuple[int, ...]:
    """The stones among the storeys of ``frame.tower`` that were laid in this step."""
    assert frame.tower
    if frame.tower.plain:
        return (frame.tower.low,) * bags.count(frame.put, PIETRA)
    return tuple(rank for rank in frame.tower.stones if rank < frame.tower.low + frame.n)


def domain(state: State) -> Domain:
    """Every token that the question asked may be answered with."""
    advanced = state.nobles is not None
    if not state.frames:
        return ACTIONS_9 if advanced else ACTIONS
    frame = state.frames[-1]
    tower = frame.tower
    match frame.question:
        case "draw":
            if state.level is Level.FULL:
                return SOURCES_9 if advanced else SOURCES
            return COUNTED_SOURCES_9 if advanced else COUNTED_SOURCES
        case "extend":
            return own_towers(state)
        case "complete":
            return Domain("tower", (*own_towers(state).tokens, FLIPPED))
        case "target":
            return all_towers(state)
        case "guard":
            return ANSWERS_9 if state.nobles and state.nobles.pietra_guard else ANSWERS
        case "stones" | "final_stones":
            assert tower
            return stones_of_run(tower.low, tower.high)
        case "cancel":
            return Domain("stones", tuple(stones_text([rank]) for rank in laid_stones(frame)))
        case "storeys":
            assert tower
            if not advanced:
                return STOREYS
            return STOREYS_9 if tower.plain else storeys_of_run(tower.low)
    return _FIXED[frame.question][advanced]


_CLAUSES = {DOUBLE_PASS: "SG-2.2", COUNTED: "SG-7.2"}


def pending(state: State) -> Pending:
    """The question as the contract has it."""
    if state.termination:
        return Over(state.termination, _CLAUSES.get(state.termination, "SG-10.1"))
    if not state.frames:
        return Decide((state.seat,), "action", domain(state))
    frame = state.frames[-1]
    name = frame.question
    answers = domain(state)
    if name in REPORTS:
        return Report(name, answers, frame.open, figures=_report_figures(state, frame))
    figures: Figures = ()
    if name == "guard":
        figures = (("variant", 10), ("tower", tower_text(frame.tower))) if frame.tower else (("variant", 9),)
    elif name in ("draw", "traded", "returned"):
        figures = (("n", frame.n),)
    elif name == "giostra":
        figures = (("noble", _played(frame)),)
    elif frame.tower and name not in ("extend", "complete", "target"):
        figures = (("tower", tower_text(frame.tower)), ("rank", frame.tower.low))
    seat = frame.seat if name in ("guard", "giostra", "cancel") else state.seat
    return Decide((seat,), name, answers, frame.open, figures)


def _played(frame: Frame) -> str:
    """The noble that a Giostra could cancel."""
    return next(KINDS[kind] for kind, _ in bags.items(frame.put) if kind >= PIETRA)


def _report_figures(state: State, frame: Frame) -> Figures:
    if frame.question == "deal":
        assert state.deals
        points = totals(state)
        following = (("n", state.deals.number + 1), ("seat", 1 - state.deals.dealer))
        return (*following, ("points_a", points[0]), ("points_b", points[1]))
    rank = frame.tower.low if frame.tower else 0
    return (("n", frame.n), ("seat", frame.seat), ("rank", rank))
