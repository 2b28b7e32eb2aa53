"""A reader for each game and field: the only files of device/ that name a game.

=========== ==============================================================================
module      what it holds
=========== ==============================================================================
``torres``  a Torres board: found, read, judged by the rules, and reported
``tray``    the tray of Marrakesh's cube tower, and teaching a copy's colours
``castles_of_tuscany``  the region before a seat, the display, and teaching a copy's kinds
``san_gimignano``  the towers before a seat, the market, and teaching a copy's deck
``shelf``   the teachings of a copy: kept by camera, stale in another light or lens
``reader``  the frame of every reader: find a field, read it, judge it, report the finding
``paintings`` the fields of a simulated table, painted as a camera sees them
``judging`` the rules' judgement of a reading: a turn, a doubt, or out of step
``bench``   readings of a folder's pictures beside the truth, also of pictures kept from matches
=========== ==============================================================================

To add one, add a line to :data:`GAMES` and a package with ``bench`` and ``reader``, whose ``open_reader``
returns a :class:`.reader.Reader`; for a simulated camera add a line to ``paintings``. They bring OpenCV, so
they are imported only where they are used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from device.sensors.learnt import Mount
    from device.sensors.messages import Expected, Taught, Teach
    from device.sensors.sources import FieldPainting, PictureFrame, PictureSource

AREAS: Final = ("area1", "area2")
"""The fields before the seats of San Gimignano."""
MARKET: Final = "market"
REGIONS: Final = ("region1", "region2", "region3", "region4")
"""The fields before the seats of The Castles of Tuscany."""
DISPLAY: Final = "display"

Size = tuple[float, float] | None
"""The usual width and height of pieces in mm, None without one; the text ``teach.size`` names them."""
Sizes = Mapping[str, tuple[float, float]]
"""Width and height of pieces in mm, by name."""


class Enrolment(NamedTuple):
    """A lesson about a copy: the text ``teach.what`` tells people what to lay where.

    ``learn`` in the game's module ``teaching`` learns it, with the ``sizes`` of pieces by name. Its ``SHEET``
    is the sheet under the pieces, which `podesta markers --field` and ``paintings`` call ``sheet``. Its
    ``Taught`` is the result, kept in a ``folder`` of the state directory.
    """

    sheet: str
    sizes: Mapping[str, Size]
    folder: str


class CameraGame(NamedTuple):
    """A game that cameras read: its ``package`` here, and the ``fields`` that can be read."""

    package: str
    fields: tuple[str, ...]
    lesson: Enrolment | None = None


GAMES: Final[Mapping[str, CameraGame]] = {
    "torres": CameraGame("torres", ("board",)),
    "marrakesh": CameraGame("tray", ("tray",), Enrolment("strip", {"keshi": None}, "palettes")),
    "san_gimignano": CameraGame(
        "san_gimignano",
        (*AREAS, MARKET),
        Enrolment("cards", {"area": (300.0, 225.0), "card": (57.0, 87.0)}, "decks"),
    ),
    "castles_of_tuscany": CameraGame(
        "castles_of_tuscany", (*REGIONS, DISPLAY), Enrolment("tiles", {"hex": None}, "kinds")
    ),
}
ENROLMENTS: Final = {game: one.lesson for game, one in GAMES.items() if one.lesson}
"""The lesson that a camera needs about a copy before it can read, by game."""

ANSWERS: Final = frozenset({("marrakesh", "tray")})
"""Pairs of game and field whose reading answers the question of that name: unless it is asked, the camera has
nothing to see there.
"""

FIELDS: Final[Mapping[str, tuple[int, float]]] = {
    "torres": (0, 4.0),
    "tray": (4, 12.0),
    "region1": (8, 4.0),
    "region2": (12, 4.0),
    "region3": (16, 4.0),
    "region4": (20, 4.0),
    "area1": (24, 4.0),
    "area2": (28, 4.0),
    "market": (32, 4.0),
    "display": (36, 4.0),
}
"""The fields on a table by name, with their first marker and the gap between field and marker in mm."""

BENCHES: Final = (*GAMES, "kept")
"""The kinds of pictures whose readings are compared with their truth."""

BENCH_JSON: Final = """JSON: one object in one line, the last thing printed.
  torres, torres_steep  boards seen from up to 70 degrees above the table, and from more:
    n, exact, doubted, silent_wrong, illegal_n, illegal_reported, false_alarms  are numbers of boards,
    cells_right, pieces_right  are shares from 0 to 1, of all cells and of all pieces there or read,
    ms_median, ms_worst  are times of one reading
  torres_evening  with --evening: n turns, presses of the table in all, presses_median, exact, silent_wrong,
    false_alarms
  tray, tray_outside  trays seen from 70 degrees above the table and more, and from less: n, exact, doubted,
    silent_wrong, ms_median, ms_worst
  cards  columns of San Gimignano, taught by the picture that each names: n, exact, doubted, silent_wrong,
    cards_right (a share of those face up), ms_median, ms_worst
  tuscany  pictures of a region beside an earlier one with its truth: n, exact, doubted, silent_wrong,
    hexes_right (a share), ms_median, ms_worst
  tuscany_taught  pictures of a region taught by three others: n, printed_right (a share of the hexes without
    a wild one), hexes_right (empty, tile or wild), silent_share, doubted_share, ms_median, ms_worst
  kept  readings of matches that were kept: n, exact, doubted, silent_wrong, ms_median, ms_worst
  skipped  pictures of other things by game; unreadable  files; faults  pictures a reader failed at
doubted: people would be asked. silent_wrong: something is wrong that nobody would be asked about.
illegal_n: boards to which no turn leads; illegal_reported: told so. Values of nothing are null."""


def find_game_asking(question: str) -> str:
    """Return the game that asks the table this question."""
    return next(game for game, asked in ANSWERS if asked == question)


def load_part(game: str, name: str) -> Any:
    """Return a module of a game's package: ``reader``, ``teaching`` or ``bench``; raises KeyError."""
    return import_module(f"{__name__}.{GAMES[game].package}.{name}")


def reads(game: str, field: str = "") -> bool:
    """Return True if a camera can read this game: its ``field``, or any of them if that is empty."""
    return game in GAMES and field in ("", *GAMES[game].fields)


def list_fields(game: str) -> tuple[str, ...]:
    """Return the fields of a game that a camera can read."""
    return GAMES[game].fields if game in GAMES else ()


def list_teachable(fields: Collection[str]) -> Iterator[str]:
    """Return the games whose pieces a camera on these fields can be taught; without fields, all games."""
    return (game for game in ENROLMENTS if not fields or any(reads(game, field) for field in fields))


def learn(lesson: Teach, mount: Mount, source: PictureSource, frame: PictureFrame) -> Taught:
    """Return a lesson's answer from a camera's picture."""
    found: Taught = import_module(f"{__name__}.shelf").learn(lesson, mount, source, frame)
    return found


def is_watched(expected: Expected, field: str) -> bool:
    """Return True if a camera has anything to look for on its field."""
    return (expected.game, field) not in ANSWERS or expected.question == field


def open_reader(game: str, mount: Mount, source: PictureSource, frame: PictureFrame) -> Any:
    """Open the reader of a game for a camera with its first picture.

    Raises KeyError if :func:`reads` says no, :class:`device.sensors.learnt.LearntError` if the lens or a
    needed teaching is unknown.
    """
    return load_part(game, "reader").open_reader(mount, source, frame)


def load_painting(field: str) -> FieldPainting:
    """Return the painter of a field of a simulated table, or of a sheet with its pieces."""
    found: FieldPainting = import_module(f"{__name__}.paintings").PAINTINGS[field]
    return found
