"""Set-up (CT-1.5, CT-2): boards and seams, the starting castles, the first square tiles, the display.

Hands and piles are only counted: nobody enters shuffled decks and chosen colours (CT-2.0).

``A2 B1+1 C3-1`` are the boards of a region from the top, with the seams above the second and the third;
``d3`` is the space of the starting castle, ``cards`` a square tile, ``v`` a tile of the display.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany import facts, position, regions
from engines.castles_of_tuscany import state as s
from engines.castles_of_tuscany.book import BOOK, ask_printed, spaces
from engines.castles_of_tuscany.effects import give_square
from engines.castles_of_tuscany.facts import CASTLES, SCHEMA, Printing
from engines.castles_of_tuscany.final import open_count
from engines.castles_of_tuscany.kinds import CARDS, CASTLE, DISPLAY, NUMBERS, kind_of
from engines.castles_of_tuscany.regions import SEAMS, SETS, Outline
from engines.castles_of_tuscany.state import Frame, Side, State, options, sight, variant_of
from engines.castles_of_tuscany.taking import find_tile_domain, show_tile
from engines.contract import Choice, Domain, Level, Setup, Verb
from engines.errors import BadSetup
from engines.facts import lacking
from engines.kit import Objection, of_frame, opening

LEVELS = (Level.FULL, Level.SCORE)
"""``full`` only counts hidden pieces, so ``table`` would be the same."""
SEATS_AT_TABLE = (2, 3, 4)
BOARDS = ("top_board", "middle_board", "bottom_board")
_LIE = tuple(f"{name}{turned}" for name in regions.NAMES for turned in ("", regions.TURNED))
"""The boards, either way up."""


def _make_board_domain(tokens: tuple[str, ...]) -> Domain:
    """Return the domain of boards, with a verb for each name."""
    verbs = (
        Verb(f"board_{name}", tuple(each for each in tokens if each[:2] == name)) for name in regions.NAMES
    )
    return Domain("board", tokens, verbs=tuple(verbs))


@lru_cache(8)
def _make_lower_domain(outline: Outline, rules: int) -> Domain:
    # Version 1 offered every seam, also impossible ones.
    first = SEAMS if rules == 1 else ()
    seams = sorted({*regions.seams(outline), *regions.seams(outline, regions.TURNED), *first})
    return _make_board_domain(tuple(f"{name}{seam:+d}" for name in _LIE for seam in seams))


BOOK.asks(_make_board_domain(_LIE), "top_board")
BOOK.asks(lambda state: _make_lower_domain(state.copy.outline, state.rules), *BOARDS[1:])
BOOK.asks(ask_printed("board"), "print", report=True, figures=of_frame("seat", board="tile"))
BOOK.asks(
    lambda state: spaces("castle", state.land.names, sight(state.seat)),
    "first_castle",
    fits=lambda state: not state.own.filled,
)
BOOK.asks(
    find_tile_domain,
    "display",
    report=True,
    figures=lambda state: (("n", DISPLAY + 1 - state.frames[-1].n), ("all", DISPLAY)),
    fits=lambda state: state.frames[-1].n == DISPLAY - len(state.display),
)


# The first state


@BOOK.method
def start(setup: Setup) -> State:
    """Return the state that asks for the first region or a final table, or that of the set-up's position."""
    chosen, state = opening(
        "The Castles of Tuscany",
        "CT-1.1",
        setup,
        position.read,
        seats=SEATS_AT_TABLE,
        options=s.OPTIONS,
        there=lambda state: options(state.variant),
        levels=LEVELS,
        rules=(*s.EARLIER, s.RULES),
    )
    if state:
        return state
    known = facts.facts_of(setup.facts)
    unknown, counted = lacking(known), setup.level is Level.SCORE
    if unknown and not counted:
        raise BadSetup("the fact {name} must be known first ({clause})", unknown, SCHEMA.fact(unknown).clause)
    seats = setup.seats
    state = State(
        variant=variant_of(seats, chosen),
        copy=Printing() if unknown else facts.printing(known),
        level=setup.level,
        sides=(Side(),) * seats,
        deck=CARDS - seats * s.HAND,
        seat=setup.start,
        start=setup.start,
        adjusted=(0,) * seats,
        rules=setup.rules_version or s.RULES,
    )
    if counted:
        return open_count(replace(state, seat=0))
    return replace(state, frames=(Frame("top_board", open=False),))


# The fast lists


def _find_owners(state: State) -> dict[str, int]:
    """Return the owners of boards by the boards' names."""
    return {regions.board(name): seat for seat, side in enumerate(state.sides) for name in side.boards}


def _may_come(state: State, token: str) -> bool:
    """Return True if a board of this set may come next, this way up (CT-1.5; version 1 was stricter)."""
    if state.rules == 1:
        return token[0] == SETS[len(state.own.boards)] and regions.TURNED not in token
    return token[0] not in {name[0] for name in state.own.boards}


@BOOK.lists("top_board")
def list_top_board(state: State) -> list[Choice]:
    gone = _find_owners(state)
    return BOOK.listed(
        "top_board", [each for each in _LIE if each[:2] not in gone and _may_come(state, each)]
    )


@BOOK.lists("middle_board", "bottom_board")
def list_lower_board(state: State) -> list[Choice]:
    gone = _find_owners(state)
    seams = state.seams_below(state.own.boards[-1])
    free = [each for each in _LIE if each[:2] not in gone and _may_come(state, each)]
    fit = [name for name in free if _count_castles(state, name) in (None, CASTLES)]
    return BOOK.listed(state.frames[-1].question, [f"{name}{seam:+d}" for name in fit for seam in seams])


def _count_castles(state: State, token: str) -> int | None:
    """Return the number of dark green spaces of the own region with its last board; None if it is unknown."""
    known, named = dict(state.copy.boards), (*map(regions.board, state.own.boards), token[:2])
    if len(named) < len(BOARDS) or not all(name in known for name in named):
        return None
    return sum(known[name].count(CASTLE) for name in named)


# Checks


@BOOK.check("board.free", "CT-1.5", *BOARDS, pieces=True)
def check_board_free(state: State, token: str) -> Objection | None:
    name, gone = token[:2], _find_owners(state)
    return Objection({"board": name, "seat": gone[name]}) if name in gone else None


@BOOK.check("board.set", "CT-1.5", *BOARDS)
def check_board_set(state: State, token: str) -> Objection | None:
    """Refuse a second board of a set: a region has one A, one B and one C, in any order."""
    return None if _may_come(state, token) else Objection({"board": token[:2], "set": token[0]})


@BOOK.check("board.seam", "CT-1.5", *BOARDS[1:], pieces=True)
def check_board_seam(state: State, token: str) -> Objection | None:
    """Refuse a seam that does not shift touching rows by half a hex."""
    fits = _read_seam(token) in state.seams_below(state.own.boards[-1])
    return None if fits else Objection({"board": token[:2]})


def _read_seam(token: str) -> int:
    return int(token[2:].removeprefix(regions.TURNED))


@BOOK.check("board.castles", "CT-1.5", BOARDS[-1])
def check_board_castles(state: State, token: str) -> Objection | None:
    castles = _count_castles(state, token)
    return None if castles in (None, CASTLES) else Objection({"board": token[:2], "castles": castles or 0})


@BOOK.check("print.castles", "CT-1.5", "print")
def check_print_castles(state: State, token: str) -> Objection | None:
    """Refuse a board that gives a region of three other than three dark green spaces, or fewer boards more.

    If the other boards have more already, by a ruling, any board passes.
    """
    name, known = state.frames[-1].tile, dict(state.copy.boards)
    others = [known.get(each) for each in map(regions.board, state.own.boards) if each != name]
    there = sum(each.count(CASTLE) for each in others if each)
    castles = there + token.count(CASTLE)
    fits = castles <= CASTLES if None in others else castles == CASTLES
    return None if fits or there > CASTLES else Objection({"board": name, "castles": castles})


@BOOK.check("castle.space", "CT-2.3", "first_castle")
def check_castle_space(state: State, token: str) -> Objection | None:
    kind = state.land.kinds[state.land.number(token)]
    return None if kind == CASTLE else Objection({"space": token, "kind": kind, "colour": kind})


# Effects


@BOOK.effect("top_board")
def effect_top_board(state: State, token: str) -> State:
    return state.with_side(state.seat, boards=(token,), seams=()).answered(Frame("middle_board"))


@BOOK.effect("middle_board", "bottom_board")
def effect_lower_board(state: State, token: str) -> State:
    """Add a board; after the last, go on to unknown boards and the next seat."""
    side, name = state.own, token[: -len("+0")]
    state = state.with_side(state.seat, boards=(*side.boards, name), seams=(*side.seams, _read_seam(token)))
    if len(state.own.boards) < len(BOARDS):
        return state.answered(Frame("bottom_board"))
    return _ask_printed(state)


@BOOK.effect("print")
def effect_print(state: State, token: str) -> State:
    known = (*state.copy.boards, (state.frames[-1].tile, token))
    return _ask_printed(replace(state, copy=replace(state.copy, boards=tuple(sorted(known)))))


def _ask_printed(state: State) -> State:
    """Ask for an unknown board of the own region, or else go on to the next seat and then to the castles."""
    known = dict(state.copy.boards)
    unknown = [name for name in map(regions.board, state.own.boards) if name not in known]
    if unknown:
        return state.answered(Frame("print", tile=unknown[0], open=False))
    return _ask_next(state, "top_board", "first_castle")


def _ask_next(state: State, again: str, then: str, n: int = 0) -> State:
    """Ask the next seat ``again`` or, once all seats have answered, ``then``."""
    state = replace(state, seat=state.clockwise())
    return state.answered(Frame(then if state.seat == state.start else again, n, open=False))


@BOOK.effect("first_castle")
def effect_first_castle(state: State, token: str) -> State:
    """Place the first castle, which gives no VP and has no effect."""
    return _ask_next(
        state.with_side(state.seat, filled=1 << state.land.number(token)), "first_castle", "first_square"
    )


@BOOK.effect("first_square")
def effect_first_square(state: State, token: str) -> State:
    """Give the first square tile, from the start player clockwise (CT-2.4)."""
    state = give_square(state, token)
    if state.clockwise() == state.start:
        return _ask_next(state, "", "display", DISPLAY)
    return _ask_next(state, "first_square", "")


@BOOK.effect("display")
def effect_display(state: State, token: str) -> State:
    """Turn up one of eight tiles (CT-2.5)."""
    left = state.frames[-1].n - 1
    state = replace(state, neutral=state.neutral - bags.one(NUMBERS[kind_of(token)]))
    return show_tile(state.answered(*[Frame("display", left, open=False)] * bool(left)), token)


# Questions that a position may ask


@BOOK.fits(*BOARDS)
def fits_boards(state: State) -> bool:
    return len(state.own.boards) == BOARDS.index(state.frames[-1].question)


@BOOK.fits("print")
def fits_print(state: State) -> bool:
    name, known = state.frames[-1].tile, dict(state.copy.boards)
    return name in map(regions.board, state.own.boards) and name not in known
