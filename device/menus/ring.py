"""What comes when turning: the stops of a question, and where the cursor stands at first.

On a board each direction has a meaning. Turned right, the cursor goes through the cells that make an entry
whole, from the last cell outwards. Turned left, it comes to the pieces that go on to another cell, and then
to the words. What mostly follows is made in one with what it follows: that a piece goes to the cell chosen
just before, and the answers to a word that has few.
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
    """The stops, round and round; ``start`` is the one where the cursor stands at first.

    ``opened`` are the words that no stop makes alone, because their answers stand in their place.
    """

    stops: tuple[Stop, ...]
    start: int = 0
    opened: tuple[Choice, ...] = ()

    def at(self, choices: Sequence[Choice]) -> int | None:
        """Where the stop is that makes most of these choices, from the first on; None where none does."""
        made = tuple(choices)
        long = [(len(stop), at) for at, stop in enumerate(self.stops) if stop and made[: len(stop)] == stop]
        return max(long)[1] if long else None


def listed(legal: Sequence[Choice]) -> Ring:
    """The choices of a plain list, one a stop, and after them what is not listed."""
    return Ring((*((choice,) for choice in legal), ()))


def on_board(
    game: Game[Any, Any], state: Any, board: Board, legal: Sequence[Choice], last: int | None
) -> Ring:
    """The stops of a question about cells; ``last`` is the cell chosen before it, None where there is none.

    Right of the start come the cells, the likeliest and of these the nearest first. Left of it, unless all
    cells go on to another, come those that do, behind such pairs as most likely end on ``last``; then the
    answers to words that are cells; then the words, from the game's last to its first. No legal choice is
    lost: one that is no stop alone begins some.
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
    """Choices as they lie round a place."""

    def __init__(self, game: Game[Any, Any], board: Board, origin: int | None) -> None:
        self._game = game
        self._board = board
        self._origin = origin

    def sorted(self, state: Any, choices: Iterable[Choice]) -> list[Choice]:
        """The likeliest first, of these the nearest, of these as one reads; words keep their order."""
        return sorted(choices, key=lambda choice: (self._game.likely(state, choice), *self._far(choice)))

    def _far(self, choice: Choice) -> tuple[int, ...]:
        place = self._board.place(choice.token)
        if place is None:
            return ()
        return 0 if self._origin is None else self._board.apart(place, self._origin), place

    def after(self, state: Any, choice: Choice, *, cells: bool = False) -> tuple[Any, list[Choice]]:
        """The state after a choice, and the sorted answers to what the entry begun asks then.

        There are none where the entry is whole or the answers are not listed, and with ``cells`` where the
        question is not about cells.
        """
        state = self._game.apply(state, choice)
        pending = self._game.pending(state)
        if isinstance(pending, Over) or not pending.open:
            return state, []
        if cells and pending.domain.picker is not Picker.GRID:
            return state, []
        return state, self.sorted(state, self._game.legal(state))

    def likeliest(self, state: Any, choices: Sequence[Choice]) -> list[Choice]:
        """Those of sorted choices that are as likely as the first."""
        ranks = [self._game.likely(state, choice) for choice in choices]
        return [choice for choice, rank in zip(choices, ranks, strict=True) if rank == ranks[0]]
