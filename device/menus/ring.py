"""The order in which turning comes to the choices of a question, and where the cursor starts.

On a board each direction has a meaning. Right go the cells that make an entry whole, from the last cell
outwards. Left come the pieces that go on to another cell, then the words. Two choices that mostly follow one
another are one stop: a piece and the cell chosen just before, a word of few answers and one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from engines.board import Board
from engines.contract import Choice, Game, Over, Picker

Stop = tuple[Choice, ...]
"""The choices that OK makes; the empty one opens what is not listed."""

FEW = 10
"""A word with at most so many answers is made together with one of them."""


class Ring(msgspec.Struct, frozen=True):
    """The stops, in a circle; the cursor starts on ``start``.

    ``opened`` are the words that no stop makes alone, because their answers stand in their place.
    """

    stops: tuple[Stop, ...]
    start: int = 0
    opened: tuple[Choice, ...] = ()

    def at(self, choices: Sequence[Choice]) -> int | None:
        """The stop that makes most of these choices, from the first on; None where none does."""
        made = tuple(choices)
        long = [(len(stop), at) for at, stop in enumerate(self.stops) if stop and made[: len(stop)] == stop]
        return max(long)[1] if long else None


def listed(legal: Sequence[Choice]) -> Ring:
    """A plain list: a stop for each choice, and a last one for what is not listed."""
    return Ring((*((choice,) for choice in legal), ()))


def on_board(
    game: Game[Any, Any], state: Any, board: Board, legal: Sequence[Choice], last: int | None
) -> Ring:
    """The stops of a question about cells; ``last`` is the cell chosen before it, None where there is none.

    Right of the start come the cells that make an entry whole, the likeliest first, then the nearest. Left of
    it come the likeliest pairs that end on ``last``, the cells that go on to another, the words answered with
    a cell, and the other words, from the game's last to its first. Where every cell goes on to another, those
    stand right of the start. Every legal choice is a stop or begins one.
    """
    if not legal:
        return listed(legal)
    first = board.place(legal[0].token)
    ways = _Ways(game, board, first if last is None else last)
    whole: list[Stop] = []
    pieces: list[Stop] = []
    onto: list[Stop] = []
    for cell in ways.sorted(state, (one for one in legal if board.place(one.token) is not None)):
        after, targets = ways.after(state, cell, cells=True)
        (pieces if targets else whole).append((cell,))
        if last is not None:
            onto += [(cell, to) for to in ways.likeliest(after, targets) if board.place(to.token) == last]
    placed: list[Stop] = []
    words: list[Stop] = []
    opened: list[Choice] = []
    for word in ways.sorted(state, (one for one in reversed(legal) if board.place(one.token) is None)):
        _, answers = ways.after(state, word)
        if not 0 < len(answers) <= FEW:
            words.append((word,))
            continue
        opened.append(word)
        for answer in answers:
            (words if board.place(answer.token) is None else placed).append((word, answer))
    right = whole or pieces or words
    left = [*onto, *(pieces if whole else ()), *placed, *(words if whole or pieces else ())]
    stops: tuple[Stop, ...] = (*right, (), *reversed(left))
    at_first = last is None and first is None
    start = next(at for at, stop in enumerate(stops) if stop[:1] == (legal[0],)) if at_first else 0
    return Ring(stops, start, tuple(opened))


class _Ways:
    """Sorts choices by how likely they are and how far from a place they lie."""

    def __init__(self, game: Game[Any, Any], board: Board, origin: int | None) -> None:
        self._game = game
        self._board = board
        self._origin = origin

    def sorted(self, state: Any, choices: Iterable[Choice]) -> list[Choice]:
        """The likeliest first, then the nearest, then in reading order; words keep their order."""
        return sorted(
            choices, key=lambda choice: (self._game.rules.likely(state, choice), *self._far(choice))
        )

    def _far(self, choice: Choice) -> tuple[int, ...]:
        place = self._board.place(choice.token)
        if place is None:
            return ()
        return 0 if self._origin is None else self._board.apart(place, self._origin), place

    def after(self, state: Any, choice: Choice, *, cells: bool = False) -> tuple[Any, list[Choice]]:
        """The state after a choice, and the sorted answers to the next question of the same entry.

        There are no answers where the entry is whole, where they are not listed, and, with ``cells``, where
        the next question is not about cells.
        """
        state = self._game.rules.apply(state, choice)
        pending = self._game.rules.pending(state)
        if isinstance(pending, Over) or not pending.open:
            return state, []
        if cells and pending.domain.picker is not Picker.GRID:
            return state, []
        return state, self.sorted(state, self._game.rules.legal(state))

    def likeliest(self, state: Any, choices: Sequence[Choice]) -> list[Choice]:
        """The sorted choices that are as likely as the first."""
        ranks = [self._game.rules.likely(state, choice) for choice in choices]
        return [choice for choice, rank in zip(choices, ranks, strict=True) if rank == ranks[0]]
