"""The rulebook, and what several chapters share: the board's domain, tokens of spaces, common checks.

Tokens of spaces end with the space's name, perhaps behind a letter: ``d3``, ``Bd3``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from engines.contract import Choice, Domain, Figures, Key, Picker
from engines.kit import Objection, Rulebook
from engines.torres.cells import CELLS, NAMES
from engines.torres.state import CARDS, COUNTED, SETTLED, State

GRID = Domain("cell", NAMES, Picker.GRID)
Where = Callable[[State], int]


def squares(letter: str) -> tuple[str, ...]:
    """Return the tokens of all spaces: ``Ba1`` to ``Bh8``."""
    return tuple(f"{letter}{name}" for name in NAMES)


def read_cell(token: str) -> int:
    """Return the space that a token names; the token must end with one."""
    return 8 * (ord(token[-1]) - ord("1")) + ord(token[-2]) - ord("a")


@lru_cache(64)
def _list_by_row(question: str, letter: str) -> tuple[tuple[tuple[Choice, ...], ...], ...]:
    """Return the choices of spaces by row and, there, by the row's eight bits in a set."""
    choices = [Choice(question, token) for token in squares(letter)]
    return tuple(
        tuple(tuple(choices[at + n] for n in range(8) if bits >> n & 1) for bits in range(256))
        for at in range(0, CELLS, 8)
    )


def spaces(question: str, mask: int, letter: str = "") -> list[Choice]:
    """Return the choices of all spaces in ``mask``."""
    one, two, three, four, five, six, seven, eight = mask.to_bytes(8, "little")
    rows = _list_by_row(question, letter)
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
    """The rulebook of Torres."""

    def grid(self, question: str) -> Callable[[Where], Where]:
        """Register the decorated function, which returns a set of spaces, as the fast list of a question."""

        def register(where: Where) -> Where:
            self.lists(question)(lambda state: spaces(question, where(state)))
            return where

        return register

    def stands(self, before: State, choice: Choice) -> bool:
        """Return True if a choice breaks no rule; a block lifted against one shows when it is put down."""
        return choice.question != "move_to" and super().stands(before, choice)

    def fact(self, state: State, key: Key) -> int:
        """Return a fact: ``("hand", seat)`` is the number of cards held, ``("jump", seat)`` 1 if played."""
        name, seat = key
        return state.hand_size(seat) if name == "hand" else state.played[seat] >> CARDS.index(name) & 1


BOOK = Book(ended={COUNTED: "TO-5.1", SETTLED: "TO-5.5"})


def at_cell(state: State) -> Figures:
    """Return the blanks of a turn's question: the action points left, and the space chosen before."""
    cell = state.frames[-1].cell
    return (("left", state.left), ("cell", NAMES[cell] if 0 <= cell < CELLS else "-"))


def check_occupied(state: State, token: str) -> Objection | None:
    """Refuse a space with a piece on it (TO-1.8)."""
    piece = state.piece_on(read_cell(token))
    if not piece:
        return None
    return Objection({"cell": token[-2:], "piece": piece}, names=("cell", "piece"))


def is_free(state: State, token: str) -> bool:
    """Return True if no piece stands there."""
    return not state.taken() >> read_cell(token) & 1
