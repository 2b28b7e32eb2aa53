"""The stops of a question: their order of turning, which are grey, where the cursor starts, and their board.

Each verb, word and cell keeps its place; impossible ones stand there grey. OK on a verb with cells leads to
the board. The cursor goes through few cells one by one; among many, people choose the column, then the
row. The likeliest cells stand left of the verbs, each with its verb; every second one belongs to the game's
first verb, the commonest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, TypeAlias

from msgspec.structs import replace

from device.match import Question
from device.menus.ui import Ui
from device.menus.views import Item, Menu
from device.screen import GridPage, PageHeader, Sign
from engines.board import Board, BoardShape
from engines.contract import Choice, Over, Picker
from engines.match import Match, Step
from engines.texts import apart
from engines.words import Words

FEW_CELLS = 13
"""The most cells that the cursor goes through one by one: 6 detents either way."""

FEW_HEXES = 14
"""The same for hexes, whose columns are no straight lines."""

MANY_PAIRS = 200
"""The most pairs of a piece and a cell that are listed; with more, people choose the piece first."""

NEAR_CELLS = 24
"""The most cells that stand left of the verbs."""

PRESS = 3
"""The detents that are worth a press."""

LIST_LINES = 14
"""The most answers of a list that keeps all of them in their places."""

Choices: TypeAlias = tuple[Choice, ...]
Stop: TypeAlias = "Choices | Ring"
"""The choices that OK makes; an empty one opens the unlisted answers, a ring its own stops."""


class Ring:
    """The stops, in a circle; the cursor starts on ``start``.

    No choice of the stops at ``grey`` is legal now. The first stops are those of ``verbs``, if there are any;
    cells follow.
    """

    def __init__(
        self,
        stops: tuple[Stop, ...],
        start: int = 0,
        grey: frozenset[int] = frozenset(),
        verbs: tuple[str, ...] = (),
    ) -> None:
        """Keep the fields; a ring never changes."""
        self.stops = stops
        self.start = start
        self.grey = grey
        self.verbs = verbs

    def find_near(self, at: int) -> int:
        """Return the stop at this place; if it is grey, the next possible one after it, or else before it."""
        possible = [each for each, stop in enumerate(self.stops) if stop and each not in self.grey]
        return min(possible, key=lambda each: (each < at, abs(each - at)), default=at)

    def find_way(self, choices: Sequence[Choice], press: int = PRESS) -> tuple[int, ...]:
        """Return the way to these choices: stops, each in the ring of the one before; empty if there is none.

        The best way makes most of the choices, from the first on, then the fewest others, then takes the
        fewest presses and detents. A ``press`` counts as that many detents.
        """
        return max(self._find_ways(tuple(choices), press), default=(0, 0, 0, ()))[3]

    def _find_ways(self, choices: Choices, press: int) -> Iterable[tuple[int, int, int, tuple[int, ...]]]:
        for at, stop in enumerate(self.stops):
            cost = press + min((at - self.start) % len(self.stops), (self.start - at) % len(self.stops))
            if isinstance(stop, Ring):
                for made, besides, saved, way in stop._find_ways(choices, press):
                    yield made, besides, saved - cost, (at, *way)
            elif both := _count_alike(stop, choices):
                yield both, both - len(stop), -cost, (at,)


def _count_alike(stop: Choices, choices: Choices) -> int:
    """Count the choices that a stop makes; 0 if it makes others."""
    both = min(len(stop), len(choices))
    return both if stop[:both] == choices[:both] else 0


class LazyRing(Ring):
    """A ring that is made on first use."""

    def __init__(self, make: Callable[[], Ring]) -> None:
        """Put the ring off: ``make`` makes it, and is called once."""
        self._make = make

    def __getattr__(self, name: str) -> Any:
        if name == "_make":
            raise AttributeError(name)
        made = self._make()
        super().__init__(made.stops, made.start, made.grey, made.verbs)
        return getattr(self, name)


LEGEND = Ring(())
"""The stop that explains the signs of a board."""


def list_choices(stop: Stop) -> Iterable[Choices]:
    """Yield the choices that a stop or its ring makes."""
    if isinstance(stop, Ring):
        for one in stop.stops:
            yield from list_choices(one)
    elif stop:
        yield stop


def make_list_ring(question: Question) -> Ring:
    """List the answers in the game's order, illegal ones in grey; a long list by its verbs if it has any. A
    wheel, another long list, and a list that mirrors the table hold only legal answers. The cursor starts on
    the first of the likeliest.
    """
    every, legal, domain = question.every, question.legal, question.domain
    fixed = domain and domain.picker is Picker.LIST and not domain.laid
    likely, state = question.game.rules.likely, question.state
    best = min(legal, key=lambda choice: likely(state, choice), default=None)
    if fixed and question.verbs and len(every) > LIST_LINES:
        return _make_verb_ring(question, best)
    shown = every if fixed and len(every) <= LIST_LINES else legal
    found = _make_choice_ring(shown, legal, more=len(shown) < len(every))
    return Ring(found.stops, shown.index(best), found.grey) if best else found


def _make_verb_ring(question: Question, best: Choice | None) -> Ring:
    """Make a stop for each verb, with its only answer or a list; the cursor starts on that of ``best``."""
    there, stops, grey = frozenset(question.legal), [], set()
    for at, choices in enumerate(_group_by_verb(question)):
        stops.append((choices[0],) if len(choices) == 1 else _make_choice_ring(choices, there))
        if there.isdisjoint(choices):
            grey.add(at)
    start = next((at for at, verb in enumerate(question.verbs) if best and best.token in verb.tokens), 0)
    return Ring(tuple(stops), start, frozenset(grey), tuple(verb.name for verb in question.verbs))


def _group_by_verb(question: Question) -> list[list[Choice]]:
    """Return the answers of each verb."""
    name = question.asked.question
    return [[Choice(name, token) for token in verb.tokens] for verb in question.verbs]


def _make_choice_ring(shown: Sequence[Choice], legal: Iterable[Choice], *, more: bool = False) -> Ring:
    """Make a stop for each choice, with the cursor on the first legal one."""
    there = frozenset(legal)
    grey = frozenset(at for at, choice in enumerate(shown) if choice not in there)
    start = next((at for at in range(len(shown)) if at not in grey), 0)
    return Ring((*((choice,) for choice in shown), *(((),) if more or not shown else ())), start, grey)


def make_board_ring(question: Question, last: int | None) -> Ring:
    """Make the stops of a question about cells; ``last`` is the cell chosen before it, None for none.

    The cursor starts on the first possible verb, or on the likeliest cell, the nearest if several are.
    """
    assert question.board
    stops = _Stops(question, question.board, last)
    return stops.make_verb_ring(question) if question.verbs else stops.make_plain_ring(question.every)


class _Stops:
    """The stops of one question about cells."""

    def __init__(self, question: Question, board: Board, last: int | None) -> None:
        self._rules, self._state, self._board = question.game.rules, question.state, board
        self._legal = frozenset(question.legal)
        self._places = board.places([choice.token for choice in (*question.legal, *question.every)])
        places = [self._places[choice.token] for choice in question.legal]
        self._origin = next((at for at in places if at is not None), 0) if last is None else last
        self._ranks: dict[Choices, tuple[int, ...]] = {}
        self._legend: tuple[Stop, ...] = (LEGEND,) if board.grounds else ()

    def make_verb_ring(self, question: Question) -> Ring:
        """Return the verbs and the stop for unlisted answers; left of them the verbs' likeliest cells."""
        stops: list[Stop] = []
        near: list[list[Choices]] = []
        shown: set[Choice] = set()
        grey: set[int] = set()
        habit: list[int] = []
        for at, choices in enumerate(_group_by_verb(question)):
            if self._legal.isdisjoint(choices):
                grey.add(at)
            made = self._list_made(choices)
            cells = sorted([one for one in made if self._ranks[one][-1] >= 0], key=self._ranks.__getitem__)
            stop = self._make_verb_stop(choices, made)
            first = choices if isinstance(stop, LazyRing) else [one[0] for one in list_choices(stop)]
            shown.update(first)
            # A verb with cells is as likely as any; for the others the game says which come later.
            spoken = not cells and at not in grey
            habit.append(min(self._rules.likely(self._state, one) for one in first) if spoken else 0)
            near.append(cells)
            stops.append(stop)
        more = ((),) if not shown.issuperset(question.every) else ()
        start = min(range(len(stops)), key=lambda at: (at in grey, habit[at], at))
        left = reversed(_merge_in_turn(*near)[:NEAR_CELLS])
        names = tuple(verb.name for verb in question.verbs)
        return Ring((*stops, *more, *self._legend, *left), start, frozenset(grey), names)

    def make_plain_ring(self, every: Sequence[Choice]) -> Ring:
        """Return the cells, then the words, of a question without verbs."""
        cells = [one for one in every if self._places[one.token] is not None]
        words = [one for one in every if self._places[one.token] is None]
        made = self._list_made(cells)
        if len(made) > MANY_PAIRS:
            made = [(choice,) for choice in cells if choice in self._legal]
        ring = self._make_cell_ring(made, cells)
        stops = (*ring.stops, *((word,) for word in words))
        start = ring.start if made or not words else len(ring.stops)
        return Ring(stops, start, self._find_grey(stops))

    def _make_verb_stop(self, choices: Sequence[Choice], made: Sequence[Choices]) -> Stop:
        possible = [choice for choice in choices if choice in self._legal]
        if len(choices) == 1 or len(possible) == 1:
            return ((possible or choices)[0],)
        if None not in [self._places[choice.token] for choice in choices]:
            return LazyRing(lambda: self._make_cell_ring(made, choices))
        return _make_choice_ring(choices if len(choices) <= LIST_LINES else possible or choices, self._legal)

    def _make_cell_ring(self, made: Sequence[Choices], choices: Sequence[Choice]) -> Ring:
        """Return few cells singly in reading order, then the way to all others; many by column and row."""
        columns = self._make_column_ring(made, choices)
        few = FEW_CELLS if self._board.shape is BoardShape.SQUARES else FEW_HEXES
        if len(made) > few or not made:
            return columns
        near = sorted(made, key=lambda one: (self._place(one), one))
        more = (columns,) if len(list(list_choices(columns))) > len(near) else ()
        return Ring((*near, *more, *self._legend), near.index(min(made, key=self._rank)))

    def _make_column_ring(self, made: Sequence[Choices], choices: Sequence[Choice]) -> Ring:
        there: dict[int, list[Choices]] = {}
        for one in sorted(made):
            there.setdefault(self._place(one), []).append(one)
        for one in self._list_refused(made, choices):
            here = there.setdefault(self._place(one), [])
            if len(one) == 1 or not any(len(other) > 1 for other in here):
                here.append(one)
        columns: dict[int, list[list[Choices]]] = {}
        for place in sorted(there):
            ways = sorted(there[place], key=self._rank)
            columns.setdefault(place % self._board.columns, []).append(ways)
        rows = [self._make_row_ring(columns[at]) for at in sorted(columns)]
        found = self._make_ring([one.stops[0] if len(one.stops) == 1 else one for one in rows])
        return Ring((*found.stops, *self._legend), found.start, found.grey)

    def _make_row_ring(self, cells: Sequence[Sequence[Choices]]) -> Ring:
        """Return a column: every cell in its likeliest way; after the last the other ways in order."""
        others = sorted((one for ways in cells for one in ways[1:]), key=self._rank)
        return self._make_ring([*(ways[0] for ways in cells), *others])

    def _make_ring(self, stops: Sequence[Stop]) -> Ring:
        """Return a ring of these stops that starts at the likeliest, or at the nearest if none is legal."""
        best = [min(map(self._rank, list_choices(stop))) for stop in stops]
        return Ring(tuple(stops), best.index(min(best)) if best else 0, self._find_grey(stops))

    def _find_grey(self, stops: Sequence[Stop]) -> frozenset[int]:
        return frozenset(
            at
            for at, stop in enumerate(stops)
            if stop not in ((), LEGEND) and not any(map(self._is_legal, list_choices(stop)))
        )

    def _list_made(self, choices: Iterable[Choice]) -> list[Choices]:
        """Return the legal ones of these, each with the cell that it asks for, and rank each."""
        made: list[Choices] = []
        likely = self._rules.likely
        for choice in choices:
            if choice not in self._legal:
                continue
            first = likely(self._state, choice)
            after, asked = self._ask_next(choice)
            targets = self._rules.legal(after) if asked else []
            ways: list[tuple[Choices, int]] = [((choice, to), likely(after, to)) for to in targets]
            for one, second in ways or [((choice,), 0)]:
                self._ranks[one] = (0, first, second, *self._locate(one[-1]))
                made.append(one)
        return made

    def _ask_next(self, choice: Choice) -> tuple[Any, list[Choice]]:
        """Return the state after a choice, and all answers to its next question, if that asks for a cell."""
        after = self._rules.apply(self._state, choice)
        pending = self._rules.pending(after)
        if isinstance(pending, Over) or not pending.open or pending.domain.picker is not Picker.GRID:
            return after, []
        return after, [Choice(pending.question, token) for token in pending.domain.tokens]

    def _list_refused(self, made: Sequence[Choices], choices: Sequence[Choice]) -> Iterable[Choices]:
        """Return the illegal choices, cell by cell; for a cell out of reach, that of the nearest piece."""
        pieces = dict.fromkeys(one[0] for one in made if len(one) > 1)
        pairs = [(piece, to) for piece in pieces for to in self._ask_next(piece)[1]]
        pairs.sort(key=lambda pair: self._locate(pair[1], self._board.place(pair[0].token) or 0)[0])
        return [*((choice,) for choice in choices if choice not in self._legal), *pairs]

    def _is_legal(self, made: Choices) -> bool:
        """Return True if choices are legal one after the other."""
        return made in self._ranks or (len(made) == 1 and made[0] in self._legal)

    def _rank(self, made: Choices) -> tuple[int, ...]:
        """Rank legal choices first, of those the likeliest, then the nearest, then in reading order."""
        return self._ranks.get(made) or (int(not self._is_legal(made)), 0, 0, *self._locate(made[-1]))

    def _locate(self, choice: Choice, origin: int | None = None) -> tuple[int, int]:
        """Return the distance of a choice from ``origin``, by default the cursor's last cell, and its place;
        (0, -1) for a word.
        """
        place, begun = self._board.place(choice.token), self._origin if origin is None else origin
        return (0, -1) if place is None else (self._board.apart(place, begun), place)

    def _place(self, made: Choices) -> int:
        return self._locate(made[-1])[1]


def _merge_in_turn(first: Sequence[Choices], *others: Sequence[Choices]) -> list[Choices]:
    """Merge groups in turn: one of the first between any two of the others."""
    rest = [one for ones in zip_longest(*others) for one in ones if one]
    return [one for ones in zip_longest(first, rest) for one in ones if one]


# The board: the cells of the stops, and the words about the cell under the cursor


def find_place(board: Board, stop: Stop) -> int:
    """Return the cell of a stop: its last choice, or the start of a column; -1 for a word."""
    if isinstance(stop, Ring):
        stop = stop.stops[stop.start] if name_column(board, stop) else ()
    if isinstance(stop, Ring):
        return -1
    place = board.place(stop[-1].token) if stop else None
    return -1 if place is None else place


def name_column(board: Board, stop: Ring) -> str:
    """Return the letter of a ring's column; empty for a ring of several."""
    found = {board.name(place)[0] for made in list_choices(stop) if (place := find_place(board, made)) >= 0}
    return found.pop() if len(found) == 1 else ""


def find_last_cell(match: Match, question: Question) -> int | None:
    """Return the cell chosen last, in the step begun or else by this seat in the match; None if there is
    none.
    """
    board = question.board
    assert board
    for choice in reversed(question.choices):
        if (place := board.place(choice.token)) is not None:
            return place
    for at in range(len(match.steps) - 1, -1, -1):
        made = match.steps[at]
        if isinstance(made, Step) and made.seat == question.seat:
            for choice in reversed(match.points[at + 1].made):
                if (place := board.place(choice.token)) is not None:
                    return place
    return None


def tell_place(words: Words, board: Board, place: int) -> tuple[str, ...]:
    """Tell a cell's height, ground and piece in words; empty for a word. Cut a ground's name before the
    language's comma, and a player's to what distinguishes it.
    """
    cell = board.cells[place] if place >= 0 else None
    if not cell:
        return ()
    height = words("grid.height", height=cell.height) if any(c and c.height for c in board.cells) else ""
    short = dict(zip(words.names, apart(words.names, 4), strict=True))
    comma = words("list.comma").rstrip()
    return (
        *filter(None, [height]),
        *(short.get(text, text).partition(comma)[0] for text in words.stands(cell)),
    )


def tell_cell(words: Words, board: Board, cell: str) -> str:
    """Tell a named cell's height, ground and piece in words, "empty" if there is none of them."""
    place = board.place(cell)
    return " ".join(tell_place(words, board, -1 if place is None else place)) or words("grid.empty")


def tell_legend(words: Words, board: Board) -> str:
    """Return the legend of a board with grounds."""
    cells = [cell for cell in board.cells if cell]
    others = dict.fromkeys(words.piece(cell.piece) for cell in cells if cell.piece and not cell.covered)
    lines = [
        *(f"{sign.upper()} {words(f'ground.{sign}')}" for sign in sorted(board.grounds)),
        words("grid.legend_signs"),
        words("grid.legend_other", pieces=words.texts.by_commas(others)) if others else "",
        words("grid.legend_can"),
    ]
    return "\n".join(filter(None, lines))


def make_board_page(
    words: Words,
    header: PageHeader,
    prompt: str,
    board: Board,
    items: Sequence[str],
    stops: Sequence[Stop],
    index: int,
    grey: Sequence[int],
) -> GridPage:
    """Show the board with the stop under the cursor; for a column also its other legal cells."""
    places = tuple(find_place(board, stop) for stop in stops)
    at = stops[index]
    legal = [one for n, one in enumerate(at.stops) if n not in at.grey] if isinstance(at, Ring) else []
    shown = GridPage(header, prompt, board, tuple(items), places, index, grey=tuple(grey))
    further = tuple(place for one in legal if (place := find_place(board, one)) >= 0)
    return replace(shown, about=tell_place(words, board, places[index]), further=further)


class GridMenu(Menu):
    """A menu beside a board that shows the items with cells."""

    def __init__(
        self,
        box: Ui,
        words: Words,
        title: str,
        prompt: str,
        items: Sequence[Item],
        board: Board,
        places: Sequence[int],
        signs: tuple[tuple[int, Sign], ...] = (),
    ) -> None:
        """Show ``items`` on a board, ``places`` as in :class:`.screen.GridPage`."""
        super().__init__(box, title, prompt, items)
        self._words = words
        self._board = board
        self._places = tuple(places)
        self._signs = signs

    def page(self) -> GridPage:
        """Show the board with the cursor."""
        header = self.box.header(self.title)
        shown = GridPage(header, self.prompt, self._board, self.labels, self._places, self.index)
        told = tell_place(self._words, self._board, self._places[self.index])
        return replace(shown, about=told, signs=self._signs, grey=self.grey)
