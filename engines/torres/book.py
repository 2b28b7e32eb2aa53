"""The book that the chapters register in, what is asked, and what several chapters are written with.

A token that ends with a space belongs there on a picture of the board, whatever letter comes before it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from engines.contract import Choice, Domain, Figures, Key, Picker
from engines.kit import Objection, Rulebook
from engines.torres.cards import CARDS
from engines.torres.cells import CELLS, NAMES
from engines.torres.state import COUNTED, SETTLED, State

GRID = Domain("cell", NAMES, Picker.GRID)
Where = Callable[[State], int]


def squares(letter: str) -> tuple[str, ...]:
    """Return the tokens of all spaces: ``Ba1`` to ``Bh8``."""
    return tuple(f"{letter}{name}" for name in NAMES)


def read_cell(token: str) -> int:
    """Return the space that a token names; the token must end with one."""
    return 8 * (ord(token[-1]) - ord("1")) + ord(token[-2]) - ord("a")


@lru_cache(64)
def _by_row(question: str, letter: str) -> tuple[tuple[tuple[Choice, ...], ...], ...]:
    """Return the choices for spaces by row, and there by the row's eight bits in a set."""
    choices = [Choice(question, token) for token in squares(letter)]
    return tuple(
        tuple(tuple(choices[at + n] for n in range(8) if bits >> n & 1) for bits in range(256))
        for at in range(0, CELLS, 8)
    )


def spaces(question: str, mask: int, letter: str = "") -> list[Choice]:
    """Return the choices of all spaces in ``mask``."""
    one, two, three, four, five, six, seven, eight = mask.to_bytes(8, "little")
    rows = _by_row(question, letter)
    return [
        *rows[0][one],
        *rows[1][two],
        *rows[2][three],
        *rows[3][four],
        *rows[4][five],
        *rows[5][six],
        *rows[6][seven],
        *rows[7][eight],
    ]


class Book(Rulebook[State]):
    """The rulebook, and what of it is registered by spaces."""

    def grid(self, question: str) -> Callable[[Where], Where]:
        """Register the decorated function, a set of spaces by state, as the fast list of a question."""

        def register(where: Where) -> Where:
            self.lists(question)(lambda state: spaces(question, where(state)))
            return where

        return register

    def stands(self, before: State, choice: Choice) -> bool:
        """Return True if a step breaks no more; a block lifted wrongly shows only when it is put down."""
        return choice.question != "move_to" and super().stands(before, choice)

    def fact(self, state: State, key: Key) -> int:
        """Return ``("hand", seat)`` cards held, ``("jump", seat)`` 1 if that card was played."""
        name, seat = key
        return state.hand_size(seat) if name == "hand" else state.played[seat] >> CARDS.index(name) & 1


BOOK = Book(ended={COUNTED: "TO-5.1", SETTLED: "TO-5.5"})


def at_cell(state: State) -> Figures:
    """Return the blanks of a question of the turn: the action points left, and the space it goes out from."""
    cell = state.frames[-1].cell
    return (("left", state.left), ("cell", NAMES[cell] if 0 <= cell < CELLS else "-"))


def occupied(state: State, token: str) -> Objection | None:
    """Refuse by TO-1.8 a space with a piece on it for another piece or a block."""
    piece = state.piece_on(read_cell(token))
    if not piece:
        return None
    return Objection({"cell": token[-2:], "piece": piece}, names=("cell", "piece"))


def is_free(state: State, token: str) -> bool:
    """Return True if a piece could stand there at all."""
    return not state.taken() >> read_cell(token) & 1
