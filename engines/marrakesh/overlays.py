"""Expansions that cover printed parts: staircase tiles, exchange offices, the disc's purple side.

*Staircase tiles* (MK-17.1): twelve of twenty cover the middle bonus spaces between the stairs. A tile has its
owner's number and the letter of the face. The table tells a space's tile when somebody first crosses a line
that passes it, and a face's bonus when it first lies out. ``stair_tiles=07a,-,…`` in a position are the tiles
by space, ``-`` for an unknown one.

*More exchange offices* (MK-17.3): six further ones, by their owner's numbers, whose every line gives a
resource and a bonus; of a base game's office the table tells the lines one by one. ``offices=2,5`` in a
position are the further offices told so far.

*Spectators* (MK-17.4): all play with the purple side of the disc.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from engines.contract import SEATS, Domain, Figures, Label, Option, Piece, Problem, Zone
from engines.kit import forms, impossible, wrong
from engines.marrakesh import souk, square, stairs
from engines.marrakesh.book import BOOK, Expansion, ask_unknown, expand, find_pieces, happens, keep_pieces
from engines.marrakesh.facts import Printing, look_up
from engines.marrakesh.frames import Effect, Line, Office, StairTile
from engines.marrakesh.pieces import GOODS, OFFICES, SPACES, STAIR_TILES
from engines.marrakesh.state import State

STAIRCASE = Option("staircase_tiles", ("no", "yes"), "MK-17.1")


class Staircase(msgspec.Struct, frozen=True):
    """The tiles on the middle bonus spaces, row by row from the lower left: number and face, empty while
    unknown.
    """

    stair_tiles: tuple[str, ...] = ("",) * len(SPACES)


def list_covering(state: State) -> tuple[str, ...]:
    """Return the tiles on the middle spaces, empty for unknown ones."""
    return find_pieces(state, Staircase).stair_tiles


@lru_cache(256)
def _list_spaces(copy: Printing, line: str) -> tuple[int, ...]:
    """Return the middle spaces, from 0, that a line passes; empty while unknown."""
    words = look_up(copy, f"line_spaces.{line}") or ()
    return tuple(SPACES.index(word) for word in words if word in SPACES)


@lru_cache(1024)
def _list_bonuses(copy: Printing, tiles: tuple[str, ...], line: str) -> tuple[str, ...]:
    """Return the bonuses of a line, on tiles and printed; empty while one is unknown."""
    shown = [look_up(copy, f"stair_tile.{tiles[space]}") for space in _list_spaces(copy, line)]
    printed = (word for word in look_up(copy, f"line_spaces.{line}") or () if word not in SPACES)
    return () if None in shown else (*shown, *printed)


BOOK.asks(Domain("stair_tile", STAIR_TILES), "stair_tile", report=True)


@BOOK.figures("stair_tile")
def figures_stair_tile(state: State) -> Figures:
    """Tell the space, and the known bonuses by face."""
    shown = ((face, look_up(state.copy, f"stair_tile.{face}")) for face in STAIR_TILES)
    more = ((f"more.{face}", word) for face, word in shown if word)
    return (("n", state.asked(StairTile).space), *more)


def _tell_space(state: State, face: str) -> dict[str, int | str]:
    """Return a face's tile, and its space."""
    numbers = [tile[:-1] for tile in list_covering(state)]
    return {"tile": face[:-1], "n": numbers.index(face[:-1]) + 1}


@BOOK.offers("stair_tile.once", "MK-17.1", told=_tell_space, pieces=False)
def offer_stair_tile(state: State) -> list[str]:
    there = {tile[:-1] for tile in list_covering(state)}
    return [face for face in STAIR_TILES if face[:-1] not in there]


@stairs.ask_line.changed_by(STAIRCASE.name)
def change_ask_line(_: object, state: State, effect: Effect, line: str) -> State | None:
    """Ask for the spaces that the line passes, then for their tiles, then for the bonuses of these."""
    asks = ask_unknown(state, effect, f"line_spaces.{line}")
    if asks:
        return asks
    tiles, spaces = list_covering(state), _list_spaces(state.copy, line)
    for space in spaces:
        if not tiles[space]:
            return state.asking(effect, StairTile(space + 1))
    return ask_unknown(state, effect, *(f"stair_tile.{tiles[space]}" for space in spaces))


@stairs.list_bonuses.changed_by(STAIRCASE.name)
def change_list_bonuses(_: object, state: State, line: str) -> tuple[str, ...]:
    """Return the bonuses of a line with the tiles that lie on it."""
    return _list_bonuses(state.copy, list_covering(state), line)


@BOOK.effect("stair_tile")
def effect_stair_tile(state: State, token: str) -> State:
    tiles, space = list_covering(state), state.asked(StairTile).space - 1
    tiles = (*tiles[:space], token, *tiles[space + 1 :])
    return keep_pieces(state.answered(), replace(find_pieces(state, Staircase), stair_tiles=tiles))


@BOOK.fits("stair_tile")
def fits_stair_tile(state: State) -> bool:
    space = state.asked(StairTile).space
    return 0 < space <= len(SPACES) and not list_covering(state)[space - 1]


def _find_staircase_faults(state: State) -> Iterator[Problem]:
    numbers = [tile[:-1] for tile in list_covering(state) if tile]
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        yield wrong("stair_tiles", "position.stair_tile", "MK-17.1", tile=number)


# In words


def _list_staircase_zones(state: State, seat: int | None) -> Iterator[Zone]:
    """Yield the known tiles, in front of all."""
    if seat is not None:
        return
    pieces = []
    for space, tile in enumerate(list_covering(state), 1):
        shown = look_up(state.copy, f"stair_tile.{tile}")
        what = ("reward", shown) if shown else ("face", tile)
        key = "lies.stair_tile" if shown else "lies.stair_tile_face"
        pieces += [Piece(Label(key, (("n", space), what)))] * bool(tile)
    yield Zone("stair_tiles", None, tuple(pieces))


expand(
    Expansion(
        option=STAIRCASE,
        keeps=Staircase,
        fields={
            "stair_tiles": forms.row(
                len(SPACES), STAIR_TILES.__contains__, "{value!r} is not a face for each space, like 07a,-"
            )
        },
        problems=_find_staircase_faults,
        zones=_list_staircase_zones,
        questions=("stair_tile",),
    )
)


MORE_OFFICES = Option("more_offices", ("no", "yes"), "MK-17.3")
BASE = "base"


class Offices(msgspec.Struct, frozen=True):
    """The further offices told so far."""

    offices: tuple[str, ...] = ()


BOOK.asks(
    Domain("office", (*OFFICES, BASE)),
    "office",
    report=True,
    fits=lambda state: state.asked(Office).colour in tuple(GOODS) and not any(state.lines),
)


@BOOK.figures("office")
def figures_office(state: State) -> Figures:
    """Tell the known lines by office."""
    found = ((each, look_up(state.copy, f"office.{each}")) for each in OFFICES)
    more = ((f"more.{each}", ",".join(lines)) for each, lines in found if lines)
    return (("season", state.season), *more)


@BOOK.offers("office.gone", "MK-17.3", told="n", pieces=False)
def offer_office(state: State) -> list[str]:
    """List the offices left: three are drawn at set-up, one for each season, and leave after it."""
    gone = find_pieces(state, Offices).offices
    return [office for office in (*OFFICES, BASE) if office not in gone]


@souk.ask_office.changed_by(MORE_OFFICES.name)
def change_ask_office(below: Callable[[State, str], State], state: State, colour: str) -> State:
    """Ask once a season for the office; ask for a base game's lines when they matter."""
    return below(state, colour) if any(state.lines) else state.asking(Office(colour))


@BOOK.effect("office")
def effect_office(state: State, token: str) -> State:
    colour, state = state.asked(Office).colour, state.answered()
    if token == BASE:
        return state.asking(Line(colour))
    state = keep_pieces(state, Offices((*find_pieces(state, Offices).offices, token)))
    return state.doing(Effect("office", f"{token}{colour}"))


@happens(
    "office",
    subject=f"({'|'.join(OFFICES)})[{GOODS}]",
    needs=lambda _, effect: [f"office.{effect.subject[:-1]}"],
)
def happen_office(state: State, effect: Effect) -> State:
    """Set all lines of the season's office, and give the gains of the one in question."""
    number, colour = effect.subject[:-1], effect.subject[-1]
    lines: tuple[str, ...] = look_up(state.copy, f"office.{number}")
    return souk.give_line(replace(state, lines=lines), colour, lines[GOODS.index(colour)])


def _find_office_faults(state: State) -> Iterator[Problem]:
    there = find_pieces(state, Offices).offices
    if len(there) > state.season:
        yield impossible("offices", "position.offices", "MK-17.3", number=len(there), season=state.season)
    for office in sorted({each for each in there if there.count(each) > 1}):
        yield wrong("offices", "position.office", "MK-17.3", n=office)


expand(
    Expansion(
        option=MORE_OFFICES,
        keeps=Offices,
        fields={"offices": forms.several(forms.word(*OFFICES))},
        problems=_find_office_faults,
        questions=("office",),
    )
)


SPECTATORS = Option("spectators", ("pink", "purple"), "MK-17.4")


@square.list_sections.changed_by(SPECTATORS.name)
def change_list_sections(_: object, state: State) -> tuple[int, ...]:
    """Return the sections of the purple side (MK-17.4), empty while unknown."""
    return look_up(state.copy, "purple_disc") or ()


@square.ask_disc.changed_by(SPECTATORS.name)
def change_ask_disc(below: Callable[[State, Effect], State], state: State, effect: Effect) -> State:
    """Ask for the sections of the purple side before the disc is turned."""
    return ask_unknown(state, effect, "purple_disc") or below(state, effect)


def _find_disc_faults(state: State) -> Iterator[Problem]:
    """Yield discs with a known turn but unknown sections."""
    for seat, side in enumerate(state.sides):
        if side.disc >= 0 and not square.list_sections(state):
            yield impossible(f"disc.{SEATS[seat]}", "position.disc", "MK-17.4")


expand(Expansion(option=SPECTATORS, problems=_find_disc_faults))
