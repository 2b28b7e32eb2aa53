"""The stops of a question: in which order turning comes to its choices, and where the cursor starts.

Two questions with few answers are one stop of the knob: it makes a choice together with the answer to what
that asks. On a board each direction has a meaning: right stands what makes an entry whole, the cells before
the words, and left what asks further.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from engines.board import Board
from engines.contract import Choice, Game, Over, Picker

FEW = 10
"""So many answers at most stand in the place of a word, and pairs in the place of all pieces on a board."""

LINES = 12
"""A list is merged with what ends its entries where that makes at most so many lines."""

SURE = 3
"""So many of the likeliest cells at most are made together with the piece that goes there."""

NEAR = 8
"""So many cells stand beside pieces and words; where there are more, the others are a ring of their own."""

Made: TypeAlias = tuple[Choice, ...]
Stop: TypeAlias = "Made | Ring"
"""The choices that OK makes; the empty one opens what is not listed, a ring its own stops."""

_Ranked = tuple[int, Choice]


class Ring(msgspec.Struct, frozen=True):
    """The stops, in a circle; the cursor starts on ``start``.

    ``opened`` are the choices that no stop makes alone, because their answers stand in their place.
    """

    stops: tuple[Stop, ...]
    start: int = 0
    opened: Made = ()

    def at(self, choices: Sequence[Choice]) -> int | None:
        """The stop that makes most of these choices, from the first on, and least besides; None for none."""
        made = [_made(stop, tuple(choices)) for stop in self.stops]
        best = max(made)
        return made.index(best) if best[0] else None


def _made(stop: Stop, choices: Made) -> tuple[int, int]:
    """How many of the choices a stop makes, none where it makes others; less how many it makes besides."""
    if isinstance(stop, Ring):
        return max(_made(one, choices) for one in stop.stops)
    both = min(len(stop), len(choices))
    return (both if stop[:both] == choices[:both] else 0), both - len(stop)


def plain(legal: Sequence[Choice]) -> Ring:
    """A stop for each choice, and a last one for what is not listed."""
    return Ring((*((choice,) for choice in legal), ()))


def listed(game: Game[Any, Any], state: Any, legal: Sequence[Choice]) -> Ring:
    """A list in the game's order, merged with what its choices ask where that makes few lines.

    A line that is two choices makes the entry whole, and nothing hidden is shown between them.
    """
    if any(game.rules.exposes(state, choice) for choice in legal):
        return plain(legal)
    lines: list[Made] = []
    opened = []
    for choice in legal:
        answers = _finishing(game, state, choice)
        lines += [(choice, answer) for answer in answers] or [(choice,)]
        opened += [choice] if answers else []
        if len(lines) > LINES:
            return plain(legal)
    return Ring((*lines, ()), 0, tuple(opened))


def _finishing(game: Game[Any, Any], state: Any, choice: Choice) -> list[Choice]:
    """The answers to what a choice asks, if each makes the entry whole."""
    after, answers = _asked(game, state, choice, (Picker.LIST, Picker.WHEEL))
    whole = (not game.rules.pending(game.rules.apply(after, answer)).open for answer in answers)
    return answers if all(whole) else []


def on_board(
    game: Game[Any, Any], state: Any, board: Board, legal: Sequence[Choice], last: int | None
) -> Ring:
    """The stops of a question about cells; ``last`` is the cell chosen before it, None where there is none.

    The likeliest cells come first, then the nearest; words come from the game's last to its first. Right of
    the start stand the cells that make an entry whole, then the words that have a stop of their own. Left
    stands what asks further: the likeliest cells together with the piece that goes there, those on ``last``
    first; the ring of the cells further off; pieces; words with the cell that they ask for; words with other
    answers. Where no cell makes an entry whole, the pieces stand right.

    Where nothing asks further, the cells stand on both sides, the words left before them. Where there are
    words alone, they read downwards. Every legal choice is a stop or begins one.
    """
    if not legal:
        return plain(legal)
    first = board.place(legal[0].token)
    ways = _Ways(game, board, first if last is None else last)
    cells = ways.ranked(state, (one for one in legal if board.place(one.token) is not None))
    words = ways.ranked(state, (one for one in reversed(legal) if board.place(one.token) is None))
    moves = {cell: to for _, cell in cells if (to := ways.answers(state, cell, (Picker.GRID,)))}
    told = {word: to for _, word in words if 0 < len(to := ways.answers(state, word, tuple(Picker))) <= FEW}
    whole: list[Stop] = [(cell,) for _, cell in cells if cell not in moves]
    said: list[Stop] = [(word,) for _, word in words if word not in told]
    if not moves and not told:
        ring = _both_ways(whole, said)
    else:
        pairs, alone = _pieces(board, moves, last)
        far: list[Stop] = [_both_ways(whole[NEAR:], [])] if len(whole) > NEAR + SURE else []
        near = whole[:NEAR] if far else whole
        ahead: list[Stop] = [*pairs, *far, *alone]
        answered = [(word, answer) for word, answers in told.items() for _, answer in answers]
        answered.sort(key=lambda pair: board.place(pair[1].token) is None)
        right, left = ([*near, *said], [*ahead, *answered]) if whole else ([*ahead, *said], [*answered])
        stops = (*right, (), *reversed(left)) if cells else (*said, *answered, ())
        ring = Ring(stops, 0, (*([] if alone else moves), *told))
    begun = first is not None or last is not None
    return ring if begun else replace(ring, start=ring.at(legal[:1]) or 0)


def _pieces(
    board: Board, moves: dict[Choice, list[_Ranked]], last: int | None
) -> tuple[list[Made], list[Made]]:
    """The pairs of a piece and a cell that are one stop, and the pieces that have one of their own.

    Where all pairs are few they are all there is. Where they are many a piece has a stop of its own, and one
    with each cell that is as likely as any, and with the cell chosen last where it has none likelier.
    """
    if sum(map(len, moves.values())) <= FEW:
        pairs = [(piece, cell) for piece, cells in moves.items() for _, cell in cells]
        alone: list[Made] = []
    else:
        pairs = [(piece, cell) for piece, cells in moves.items() for cell in _sure(board, cells, last)]
        alone = [(piece,) for piece in moves]
    return sorted(pairs, key=lambda pair: board.place(pair[1].token) != last), alone


def _sure(board: Board, cells: Sequence[_Ranked], last: int | None) -> list[Choice]:
    """The cells as likely as any if they are few, else the last one if no other is likelier."""
    sure = [cell for rank, cell in cells if not rank]
    if 0 < len(sure) <= SURE:
        return sure
    return [cell for rank, cell in cells if rank == cells[0][0] and board.place(cell.token) == last]


def _both_ways(cells: Sequence[Stop], words: Sequence[Stop]) -> Ring:
    """The first cell, the next ones in turn to its right and its left; the words left before those."""
    if not cells:
        return Ring((*words, ()))
    return Ring((cells[0], *cells[1::2], (), *reversed([*words, *cells[2::2]])))


def _asked(
    game: Game[Any, Any], state: Any, choice: Choice, pickers: Sequence[Picker]
) -> tuple[Any, list[Choice]]:
    """The state after a choice, and the listed answers to what it asks within the same entry.

    There are none where the entry is whole, where they are not listed or picked in none of these ways.
    """
    state = game.rules.apply(state, choice)
    pending = game.rules.pending(state)
    if isinstance(pending, Over) or not pending.open or pending.domain.picker not in pickers:
        return state, []
    return state, game.rules.legal(state)


class _Ways:
    """Sorts choices by how likely they are and how far from a place they lie."""

    def __init__(self, game: Game[Any, Any], board: Board, origin: int | None) -> None:
        self._game = game
        self._board = board
        self._origin = origin

    def ranked(self, state: Any, choices: Iterable[Choice]) -> list[_Ranked]:
        """The likeliest first, then the nearest, then in reading order; words keep their order."""
        ranks = [(self._game.rules.likely(state, choice), choice) for choice in choices]
        return sorted(ranks, key=lambda ranked: (ranked[0], *self._far(ranked[1])))

    def answers(self, state: Any, choice: Choice, pickers: Sequence[Picker]) -> list[_Ranked]:
        """What :func:`_asked` gives, ranked."""
        return self.ranked(*_asked(self._game, state, choice, pickers))

    def _far(self, choice: Choice) -> tuple[int, ...]:
        place = self._board.place(choice.token)
        if place is None:
            return ()
        return 0 if self._origin is None else self._board.apart(place, self._origin), place
