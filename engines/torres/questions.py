"""The questions of Torres and the tokens that answer them.

=============== ==================================================================
token           meaning
=============== ==================================================================
Bd3             a block on d3 (TO-3.4)
Mc4             the own knight on c4 moves; then where to: ``c6`` (TO-3.2, TO-3.3)
N               a new knight; then its space (TO-3.1)
Ttop, Tbottom   take an action card, the others go on top of the deck or under it
S2              two score steps (TO-3.10)
card            play an action card; then which, and its spaces
end             the turn is over; the smallest stack that suffices was used
stacks          the turn is over; then what the other stacks hold: ``3-1``
Fd1 Ec3 Kh4     set-up: a castle founded, a knight entered, the king's space
Kstay           the king stays
Hd3 +4 .        a final layout: a column, its height, enough
5_ _7           57 points entered by hand
=============== ==================================================================

A token that ends with a space belongs there on a picture of the board, whatever letter comes before it.
"""

from __future__ import annotations

from functools import lru_cache

from engines.contract import SEATS, Choice, Decide, Domain, Figures, Over, Pending, Picker, Report
from engines.torres import stacks as piles
from engines.torres.cards import CARDS, TWO_PLACES
from engines.torres.cells import CELLS, NAMES, cells
from engines.torres.ground import TALLEST
from engines.torres.state import COUNTED, SET_UP, State, order

NEW, CARD, END, STACKS = "N", "card", "end", "stacks"
TOP, BOTTOM = "Ttop", "Tbottom"
STAY = "Kstay"
ENOUGH = "."
MOST_STEPS = 7
SCORES = tuple(f"S{n}" for n in range(MOST_STEPS, 0, -1))
TENS = 50
"""Points entered by hand go up to 499 a seat."""

_WORDS = (*SCORES, STACKS, TOP, BOTTOM, CARD, NEW, END)
"""The end of the list, and so a few turns back from its beginning: the most likely last."""
GRID = Domain("cell", NAMES, Picker.GRID)
FOUND = Domain("found", tuple(f"F{name}" for name in NAMES), Picker.GRID)
ENTER = Domain("enter", tuple(f"E{name}" for name in NAMES), Picker.GRID)
CROWN = Domain("king", tuple(f"K{name}" for name in NAMES), Picker.GRID)
KING = Domain("king", (*CROWN.tokens, STAY), Picker.GRID)
NAMED = Domain("card", CARDS)
COLUMNS = Domain("column", (ENOUGH, *(f"H{name}" for name in NAMES)), Picker.GRID)
STANDING = Domain("standing", (ENOUGH, *ENTER.tokens), Picker.GRID)
HEIGHTS = Domain("height", tuple(f"+{n}" for n in range(TALLEST + 1)), Picker.WHEEL)
FINAL_PHASE = Domain("phase", ("3", "2", "1"))
TENS_OF_POINTS = Domain("tens", tuple(f"{n}_" for n in range(TENS)), Picker.WHEEL)
ONES_OF_POINTS = Domain("ones", tuple(f"_{n}" for n in range(10)), Picker.WHEEL)

_FIXED = {
    "to": GRID,
    "place": GRID,
    "card": NAMED,
    "under": GRID,
    "block": GRID,
    **dict.fromkeys(TWO_PLACES, GRID),
    **{f"{name}_to": GRID for name in TWO_PLACES},
    "found": FOUND,
    "enter": ENTER,
    "crown": CROWN,
    "king": KING,
    "final": COLUMNS,
    "final_height": HEIGHTS,
    "final_king": CROWN,
    "final_knight": STANDING,
    "final_phase": FINAL_PHASE,
    "track": TENS_OF_POINTS,
    "track_ones": ONES_OF_POINTS,
    "master": TENS_OF_POINTS,
    "master_ones": ONES_OF_POINTS,
}
FINAL = frozenset(
    {"final", "final_height", "final_king", "final_knight", "final_phase", "track", "track_ones"}
)
REPORTS = FINAL | {"master", "master_ones"}
QUESTIONS = frozenset(_FIXED) | {"action", "leave", "starter"}

_BLOCKS = tuple(f"B{name}" for name in NAMES)
_MOVES = tuple(f"M{name}" for name in NAMES)
CHOICES = {
    (question, token): Choice(question, token)
    for question, tokens in [
        ("action", (*_BLOCKS, *_MOVES, *_WORDS)),
        *[(question, domain.tokens) for question, domain in _FIXED.items()],
        ("starter", tuple(SEATS)),
    ]
    for token in tokens
}
_PREFIX = {"found": "F", "enter": "E", "crown": "K", "king": "K"}
_PREFIX |= {"final": "H", "final_king": "K", "final_knight": "E"}


@lru_cache(64)
def by_row(question: str, prefix: str = "") -> tuple[tuple[tuple[Choice, ...], ...], ...]:
    """The choices for spaces by row, and there by the row's eight bits in a set."""
    letter = prefix or _PREFIX.get(question, "")
    names = [[CHOICES[question, letter + NAMES[at + n]] for n in range(8)] for at in range(0, CELLS, 8)]
    return tuple(
        tuple(tuple(row[n] for n in range(8) if bits >> n & 1) for bits in range(256)) for row in names
    )


def question(state: State) -> str:
    """The name of the question the state asks."""
    return state.frames[-1].question if state.frames else "action"


@lru_cache(1024)
def _actions(own: int) -> Domain:
    return Domain("action", (*(_MOVES[cell] for cell in cells(own)), *_BLOCKS, *_WORDS), Picker.GRID)


@lru_cache
def _leave(number: int) -> Domain:
    return Domain("stacks", tuple(map(piles.text, piles.spreads(number))))


@lru_cache
def _starter(seats: int) -> Domain:
    return Domain("starter", tuple(SEATS[:seats]))


def domain(state: State) -> Domain:
    """Every token that the question asked may be answered with."""
    if not state.frames:
        return _actions(state.knights[state.seat])
    asked = state.frames[-1].question
    if asked == "leave":
        return _leave(len(state.stacks[state.seat]) - 1)
    if asked == "starter":
        return _starter(state.variant.seats)
    return _FIXED[asked]


def read_cell(token: str) -> int:
    """The space that a token names; the token must end with one."""
    return 8 * (ord(token[-1]) - ord("1")) + ord(token[-2]) - ord("a")


def pending(state: State) -> Pending:
    """The question as the contract has it."""
    if state.termination:
        return Over(state.termination, "TO-5.1" if state.termination == COUNTED else "TO-5.5")
    answers = domain(state)
    if not state.frames:
        return Decide((state.seat,), "action", answers, figures=(("left", state.left),))
    frame = state.frames[-1]
    name = frame.question
    if name in REPORTS:
        figures: Figures = (("n", frame.n), ("seat", max(frame.cell, 0)))
        if name == "final_height":
            figures = (("cell", NAMES[frame.cell]),)
        return Report(name, answers, frame.open, figures=figures)
    figures = (("left", state.left), ("cell", NAMES[frame.cell] if 0 <= frame.cell < CELLS else "-"))
    if name in SET_UP or name in ("king", "starter"):
        figures = (("phase", state.phase),)
    return Decide((state.seat,), name, answers, frame.open, figures)


def is_last(state: State) -> bool:
    """Whether the seat to move is the last of its round."""
    return state.seat == order(state)[-1]
