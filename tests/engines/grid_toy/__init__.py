"""A toy game on a board of 4 × 3 cells: heights, one piece a seat, questions that are answered with cells.

A turn lays a block on a free cell (``Bb2``; G-1: free, G-2: three at most), takes the own piece a step
further (``Mc1 c2``; G-3: beside it, at most one higher), or passes (``-``). After eight turns each piece
scores the height that it stands on (G-4). Tied, the one further south is ahead, then further west (G-5).

With the option ``ground=hexes`` the cells are hexes of grass and sand and there is no d2; each pass puts a
peg into one of three holes beside the board (``- b1``; G-6: a free one).
"""

import re
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from engines.board import Board, BoardShape, Cell
from engines.contract import (
    SEATS,
    Booking,
    Choice,
    Decide,
    Domain,
    Game,
    Label,
    Level,
    Option,
    Over,
    Picker,
    Positions,
    Refusal,
    Scoring,
    Sight,
    Tie,
)
from engines.errors import BadPosition, Impossible, Malformed
from engines.kit.parts import Open, WordNotation, by_hand, ranked
from engines.kit.rulebook import Rulebook

COLUMNS, ROWS = 4, 3
CELLS = tuple(f"{column}{row}" for row in range(1, ROWS + 1) for column in "abcd")
ACTION = Domain("action", (*(f"{kind}{cell}" for kind in "BM" for cell in CELLS), "-"), Picker.GRID)
TO = Domain("to", CELLS, Picker.GRID)
SQUARES = Board(COLUMNS, ROWS, (Cell(),) * len(CELLS))
GROUNDS = dict(zip(CELLS, "ggssgss_ssgg", strict=True))
HEXES = Board(
    COLUMNS,
    ROWS,
    tuple(None if cell == "d2" else Cell(ground=GROUNDS[cell]) for cell in CELLS),
    BoardShape.HEXES,
)
HEX_ACTION = Domain("action", (*(f"{kind}{cell}" for kind in "BM" for cell in HEXES.names), "-"), Picker.GRID)
HEX_TO = Domain("to", HEXES.names, Picker.GRID)
PEGS = Board(3, 1, (Cell(),) * 3)
HOLE = Domain("hole", PEGS.names, Picker.GRID, "pegs")
TURNS, TALLEST = 8, 3


class Stones(Struct, frozen=True):
    """Heights and where the pieces stand, by place; ``moving`` while it is asked where to."""

    heights: tuple[int, ...] = (0,) * len(CELLS)
    pieces: tuple[int, int] = (0, len(CELLS) - 1)
    turn: int = 0
    moving: bool = False
    adjusted: tuple[int, int] = (0, 0)
    pegs: tuple[int, ...] = ()
    passing: bool = False

    @property
    def ground(self):
        return HEXES if self.pegs else SQUARES

    @property
    def seat(self):
        return self.turn % 2

    @property
    def termination(self):
        return "counted" if self.turn == TURNS else ""


@lru_cache(1 << 12)
def _legal(state, domain):
    choices = [Choice(domain.name, token) for token in domain.tokens]
    return [choice for choice in choices if GAME.rules.why_not(state, choice) is None]


class Playing(Rulebook[Stones]):
    def start(self, setup):
        if setup.position:
            return GAME.position.read(setup.position)
        return Stones(pegs=(0, 0, 0)) if dict(setup.options).get("ground") == "hexes" else Stones()

    def pending(self, state):
        if state.termination:
            return Over(state.termination, "G-4")
        domain = self.domain(state)
        return Decide((state.seat,), domain.name, domain, state.moving or state.passing)

    def domain(self, state):
        if state.passing:
            return HOLE
        if state.pegs:
            return HEX_TO if state.moving else HEX_ACTION
        return TO if state.moving else ACTION

    def legal(self, state, seat=None):
        if state.termination:
            return []
        return list(_legal(state, self.domain(state)))

    def why_not(self, state, choice, seat=None):
        token, here = choice.token, state.pieces[state.seat]
        if token == "-":
            return Refusal("pass.full", "G-6") if state.pegs and all(state.pegs) else None
        if choice.question == "hole":
            taken = state.pegs[PEGS.place(token)]
            return Refusal("hole.free", "G-6", (("cell", token),)) if taken else None
        cell = CELLS.index(token[-2:])
        figures = (("cell", CELLS[cell]),)
        if choice.question == "to":
            if cell in state.pieces:
                return Refusal("to.free", "G-1", figures)
            if cell not in state.ground.beside(here):
                return Refusal("to.beside", "G-3", figures)
            climb = state.heights[cell] > state.heights[here] + 1
            return Refusal("to.climb", "G-3", figures) if climb else None
        if token[0] == "M":
            if cell != here:
                return Refusal("move.own", "G-3", figures)
            begun = replace(state, moving=True)
            stuck = all(self.why_not(begun, Choice("to", token)) for token in state.ground.names)
            return Refusal("move.stuck", "G-3", figures) if stuck else None
        if cell in state.pieces:
            return Refusal("block.free", "G-1", figures)
        return Refusal("block.high", "G-2", figures) if state.heights[cell] >= TALLEST else None

    def apply(self, state, choice):
        if choice.question == "hole":
            pegs = tuple(peg or place == PEGS.place(choice.token) for place, peg in enumerate(state.pegs))
            return replace(state, pegs=tuple(map(int, pegs)), passing=False, turn=state.turn + 1)
        if choice.token == "-":
            return replace(state, passing=True) if state.pegs else replace(state, turn=state.turn + 1)
        cell = CELLS.index(choice.token[-2:])
        if choice.question == "to":
            pieces = tuple(cell if s == state.seat else place for s, place in enumerate(state.pieces))
            return replace(state, pieces=pieces, moving=False, turn=state.turn + 1)
        if choice.token[0] == "M":
            return replace(state, moving=True)
        heights = tuple(height + (place == cell) for place, height in enumerate(state.heights))
        return replace(state, heights=heights, turn=state.turn + 1)

    def overrule(self, state, choice, clause, seat=None):
        refusal = self.why_not(state, choice)
        if refusal.check in ("to.free", "block.free", "move.own", "move.stuck"):
            raise Impossible(refusal)
        return self.apply(state, choice)

    def adjust(self, state, seat, points):
        return replace(state, adjusted=tuple(p + points * (s == seat) for s, p in enumerate(state.adjusted)))

    def exposes(self, state, choice):
        return False

    def fact(self, state, key):
        return 0


class Counting(Scoring):
    CATEGORIES = ("height",)

    def points(self, state):
        return [state.heights[place] for place in state.pieces]

    def bookings(self, state):
        stood = [Booking(s, p, "height", "G-4") for s, p in enumerate(self.points(state)) if p]
        return (*stood, *by_hand(state.adjusted))

    def ranking(self, state):
        totals = [sum(pair) for pair in zip(self.points(state), state.adjusted, strict=True)]
        row, column = (
            [at(place) for place in state.pieces] for at in (lambda p: p // COLUMNS, lambda p: p % COLUMNS)
        )
        south = Tie("south", "G-5", tuple(enumerate(row)))
        return ranked(totals, "G-5", south, Tie("west", "G-5", tuple(enumerate(column)), least=True))


class Calls(WordNotation):
    def label(self, choice):
        if choice.token == "-":
            return Label("action.pass")
        if choice.question in ("to", "hole"):
            return Label("cell", (("cell", choice.token),))
        return Label(f"action.{choice.token[0]}", (("cell", choice.token[1:]),))


class Lines(Positions):
    def write(self, state):
        by_hand = ",".join(map(str, state.adjusted))
        line = f"{write(GAME.sight.of(state))} turn={state.turn} moving={int(state.moving)} by_hand={by_hand}"
        return f"{line} pegs={Pegs().write(state.pegs)}{'-' * state.passing}" if state.pegs else line

    def read(self, text, facts=()):
        try:
            line, _, pegs = text.partition(" pegs=")
            holes = Pegs().read(pegs.removesuffix("-")) if pegs else ()
            *layout, turn, moving, by_hand = line.split()
            heights, pieces = GAME.sight.read(" ".join(layout))
            heights = tuple(height or 0 for height in heights)
            first, second = map(int, by_hand.removeprefix("by_hand=").split(","))
            number, asked = int(turn.removeprefix("turn=")), moving == "moving=1"
        except (ValueError, Malformed) as error:
            raise BadPosition(f"{text!r} is no position of stones") from error
        return Stones(heights, pieces, number, asked, (first, second), holes, pegs.endswith("-"))

    def status(self, text, facts=()):
        self.read(text)
        return []


class Look(Sight):
    NAME = "board"

    def of(self, state):
        there = zip(state.heights, state.ground.cells, strict=True)
        return tuple(height if cell else None for height, cell in there), state.pieces

    def read(self, text):
        try:
            rows, first, second = text.split()
            heights = tuple(None if height == "." else int(height) for height in rows.replace("/", ""))
            pieces = CELLS.index(first.removeprefix("a=")), CELLS.index(second.removeprefix("b="))
        except ValueError as error:
            raise Malformed(f"{text!r} is no layout of stones") from error
        if len(heights) != len(CELLS):
            raise Malformed(f"{rows!r} is not {ROWS} rows of {COLUMNS} heights")
        return heights, pieces

    def differences(self, seen, expected):
        found = []
        for place, cell in enumerate(CELLS):
            more = (seen[0][place] or 0) - (expected[0][place] or 0)
            if more:
                found.append(f"{'+' if more > 0 else '-'}{abs(more) if abs(more) > 1 else ''}B{cell}")
        for seat, (there, wanted) in enumerate(zip(seen[1], expected[1], strict=True)):
            if there != wanted:
                found += [f"+{SEATS[seat]}{CELLS[there]}", f"-{SEATS[seat]}{CELLS[wanted]}"]
        return tuple(found)

    def board(self, state, seen=None):
        heights, pieces = seen or self.of(state)
        letters = {place: SEATS[seat] for seat, place in enumerate(pieces)}
        ground = HEXES if None in heights else SQUARES
        cells = tuple(
            None if height is None else Cell(height, letters.get(place, ""), cell.ground)
            for place, (height, cell) in enumerate(zip(heights, ground.cells, strict=True))
        )
        return Board(COLUMNS, ROWS, cells, ground.shape)


class Pegs(Sight):
    NAME = "pegs"

    def of(self, state):
        return state.pegs

    def read(self, text):
        if not re.fullmatch("[01]{3}", text):
            raise Malformed(f"{text!r} are no three holes")
        return tuple(map(int, text))

    def write(self, layout):
        return "".join(map(str, layout))

    def differences(self, seen, expected):
        pairs = zip(PEGS.names, seen, expected, strict=False)
        return tuple(f"{'+' if there else '-'}{name}" for name, there, wanted in pairs if there != wanted)

    def visible(self, choice):
        return choice.question == "hole" or choice.token == "-"

    def board(self, state, seen=None):
        layout = seen or self.of(state)
        return Board(PEGS.columns, PEGS.rows, tuple(map(Cell, layout))) if layout else None


RULES = Playing()
GAME = Game(
    id="grid_toy",
    title="Stones",
    seats=(2,),
    rules_version=1,
    options=(Option("ground", ("squares", "hexes"), "G-6"),),
    levels=(Level.FULL,),
    rules=RULES,
    scoring=Counting(),
    notation=Calls(),
    position=Lines(),
    sights=(Look(), Pegs()),
    worlds=Open(RULES),
)


def write(layout):
    heights, (first, second) = layout
    signs = ["." if height is None else str(height) for height in heights]
    rows = "/".join("".join(signs[at : at + COLUMNS]) for at in range(0, len(CELLS), COLUMNS))
    return f"{rows} a={CELLS[first]} b={CELLS[second]}"
