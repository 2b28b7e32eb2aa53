"""Staircase tiles (MK-17.1): twelve of twenty cover the middle bonus spaces between the stairs.

``stair_tile 07a`` is the tile on a space by a number of its owner and the letter of the face that shows.
Which lies where is told when a line is first crossed that passes its space, what a face shows when it first
lies out. ``stair_tiles=07a,-,…`` in a position are the tiles by space, ``-`` for one not told yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from engines.contract import Choice, Domain, Figures, Label, Option, Piece, Zone
from engines.errors import Malformed
from engines.kit.checks import Objection
from engines.marrakesh import stairs
from engines.marrakesh.book import BOOK, Effect, once_known
from engines.marrakesh.expanding import Expansion, Tell, keeping, kept
from engines.marrakesh.expansions.tiles import SPACES, STAIR_TILES
from engines.marrakesh.facts import Printing, known
from engines.marrakesh.forms import Form, one_of
from engines.marrakesh.state import Frame, State, answered, asking

OPTION = Option("staircase_tiles", ("no", "yes"), "MK-17.1")


class Staircase(msgspec.Struct, frozen=True):
    """What covers the middle bonus spaces, row by row from the lower left: a tile's number and face, empty
    until somebody tells.
    """

    stair_tiles: tuple[str, ...] = ("",) * len(SPACES)


def covering(state: State) -> tuple[str, ...]:
    """The tiles on the middle spaces as far as they are told."""
    return kept(state, Staircase).stair_tiles


@lru_cache(256)
def _spaces(copy: Printing, line: str) -> tuple[int, ...]:
    """The middle spaces, from 0, that a line passes; none while nobody knows."""
    words = known(copy, f"line_spaces.{line}") or ()
    return tuple(SPACES.index(word) for word in words if word in SPACES)


@lru_cache(1024)
def _bonuses(copy: Printing, tiles: tuple[str, ...], line: str) -> tuple[str, ...]:
    """What the tiles on a line show, and what stays printed; nothing while some of it is unknown."""
    shown = [known(copy, f"stair_tile.{tiles[space]}") for space in _spaces(copy, line)]
    printed = (word for word in known(copy, f"line_spaces.{line}") or () if word not in SPACES)
    return () if None in shown else (*shown, *printed)


def _lies(state: State, face: str) -> int | None:
    """The space, from 0, on which a tile lies, either face up; None where none is told."""
    numbers = [tile[:-1] for tile in covering(state)]
    return numbers.index(face[:-1]) if face[:-1] in numbers else None


BOOK.asks(Domain("stair_tile", STAIR_TILES), "stair_tile", report=True)


@BOOK.figures("stair_tile")
def figures_stair_tile(state: State) -> Figures:
    """The space, and of each face what it gives, as far as that is known."""
    shown = ((face, known(state.copy, f"stair_tile.{face}")) for face in STAIR_TILES)
    more = ((f"more.{face}", word) for face, word in shown if word)
    return (("n", state.frames[-1].n), *more)


# The fast list


@BOOK.lists("stair_tile")
def list_stair_tile(state: State, _: None) -> list[Choice]:
    there = {tile[:-1] for tile in covering(state)}
    return BOOK.listed("stair_tile", [face for face in STAIR_TILES if face[:-1] not in there])


# Checks


@BOOK.check("stair_tile.once", "MK-17.1", "stair_tile")
def check_stair_tile_once(state: State, token: str) -> Objection | None:
    space = _lies(state, token)
    return None if space is None else Objection({"tile": token[:-1], "n": space + 1})


# Effects


@stairs.asked_of_line.changed_by(OPTION.name)
def change_asked_of_line(_: object, state: State, effect: Effect, line: str) -> State | None:
    """What the line passes, then the tile on each of its spaces, then what their faces show."""
    asks = once_known(state, effect, f"line_spaces.{line}")
    if asks:
        return asks
    tiles, spaces = covering(state), _spaces(state.copy, line)
    for space in spaces:
        if not tiles[space]:
            return asking(state, effect.frame, Frame("stair_tile", n=space + 1))
    return once_known(state, effect, *(f"stair_tile.{tiles[space]}" for space in spaces))


@stairs.bonuses.changed_by(OPTION.name)
def change_bonuses(_: object, state: State, line: str) -> tuple[str, ...]:
    """Return the bonuses of a line with the tiles that lie on it."""
    return _bonuses(state.copy, covering(state), line)


@BOOK.effect("stair_tile")
def effect_stair_tile(state: State, token: str) -> State:
    tiles, space = covering(state), state.frames[-1].n - 1
    tiles = (*tiles[:space], token, *tiles[space + 1 :])
    return keeping(answered(state), replace(kept(state, Staircase), stair_tiles=tiles))


# What the pieces allow


@BOOK.fits("stair_tile")
def fits_stair_tile(state: State) -> bool:
    n = state.frames[-1].n
    return 0 < n <= len(SPACES) and not covering(state)[n - 1]


def _problems(state: State, problem: Tell) -> None:
    numbers = [tile[:-1] for tile in covering(state) if tile]
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        problem("stair_tiles", "position.stair_tile", "MK-17.1", tile=number)


# In words


def _zones(state: State, seat: int | None) -> Iterator[Zone]:
    """The tiles that are told, for all to see."""
    if seat is None:
        tiles = ((space, tile) for space, tile in enumerate(covering(state), 1) if tile)
        yield Zone("stair_tiles", None, tuple(_piece(state, space, tile) for space, tile in tiles))


def _piece(state: State, space: int, tile: str) -> Piece:
    shown = known(state.copy, f"stair_tile.{tile}")
    if shown is None:
        return Piece(Label("lies.stair_tile_face", (("n", space), ("face", tile))))
    return Piece(Label("lies.stair_tile", (("n", space), ("reward", shown))))


def _label(face: str) -> Label:
    return Label("stair_tile.face", (("face", face),))


def _said(state: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Which tile, and what it shows unless that is asked next."""
    yield from (Label("said.stair_tile", (("n", state.frames[-1].n),)), _label(tokens[0]))
    if shown := known(state.copy, f"stair_tile.{tokens[0]}"):
        yield Label("said.stair_tile_shows", (("reward", shown),))


def _read(value: str) -> tuple[str, ...]:
    words = value.split(",")
    if len(words) != len(SPACES):
        raise Malformed(f"{value!r} is not what lies on each of {len(SPACES)} spaces, like 07a,-")
    return tuple("" if word == "-" else one_of(word, STAIR_TILES) for word in words)


EXPANSION = Expansion(
    option=OPTION,
    laid=lambda _: Label("laid.staircase"),
    keeps=lambda _: Staircase(),
    fields={"stair_tiles": Form(lambda tiles: ",".join(tile or "-" for tile in tiles), _read)},
    problems=_problems,
    zones=_zones,
    words={"stair_tile": "stair_tile"},
    labels={"stair_tile": _label},
    said={"stair_tile": _said},
    about=("stair_tile",),
    seen={"stair_tile": lambda state: f"stair_tile:{state.frames[-1].n}"},
)
