"""A reader for each game and field: the only files of device/ that name a game.

=========== ==============================================================================
module      what it holds
=========== ==============================================================================
``torres``  a Torres board: found, read, judged by the rules, and told
``tray``    the tray of Marrakesh's cube tower, and enrolling a copy's colours
``castles_of_tuscany``  the region before a seat, the display, and teaching a copy's kinds
``san_gimignano``  the towers before a seat, the market, and teaching a copy's deck
``shelf``   what cameras are taught of a copy, kept, and when it holds no more
``reader``  the frame of every reader: a field found, what is read and told of it
``judging`` what the rules make of a reading: a turn, a doubt, or out of step
``bench``   the readers over a folder of pictures with truth, and readings kept from matches
=========== ==============================================================================

To add one: a package with ``open_reader`` (a :class:`.reader.Reader`) and, for a simulated camera, a module
``painting`` with ``field`` and ``painted``; a line in :data:`READERS`, one in :data:`PAINTINGS`. They are
imported where they are used, as they bring OpenCV with them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from device.sensors.lenses import Mount
    from device.sensors.messages import Expected, Taught, Teach
    from device.sensors.sources import PictureFrame, PictureSource

HERE: Final = "device.sensors.readers"
AREAS: Final = ("area1", "area2", "market")
REGIONS: Final = ("region1", "region2", "region3", "region4", "display")

READERS: Final[Mapping[tuple[str, str], str]] = {
    ("torres", "board"): f"{HERE}.torres",
    ("marrakesh", "tray"): f"{HERE}.tray",
    **{("san_gimignano", field): f"{HERE}.san_gimignano.reader" for field in AREAS},
    **{("castles_of_tuscany", field): f"{HERE}.castles_of_tuscany.reader" for field in REGIONS},
}
"""By game and field what reads it."""

PAINTINGS: Final[Mapping[str, str]] = {
    "board": f"{HERE}.torres.painting",
    **dict.fromkeys(("tray", "strip"), f"{HERE}.tray.painting"),
    **dict.fromkeys((*AREAS, "cards"), f"{HERE}.san_gimignano.painting"),
    **dict.fromkeys((*REGIONS, "tiles"), f"{HERE}.castles_of_tuscany.painting"),
}
"""By field or sheet the module that paints a simulated table there: what of it bears the name in capitals, or
all of it.
"""

Size = tuple[float, float] | None
"""The usual width and height of pieces in mm, if there are; ``teach.size`` says what they are."""


class Enrolment(NamedTuple):
    """A lesson about a copy: ``teach.what`` says what is laid out and where. It is learnt by the function
    ``learn`` of a ``module``, with the ``sizes`` of pieces, by name. Its ``SHEET`` is what they are laid on,
    which `podesta markers --field` calls ``sheet``, as does :data:`PAINTINGS`. Its ``Taught`` is what was
    learnt, kept in a ``folder`` of the state directory; the text ``broken`` is said of a file that is none.
    """

    module: str
    sheet: str
    sizes: Mapping[str, Size]
    folder: str
    broken: str


ENROLMENTS: Final[Mapping[str, Enrolment]] = {
    "marrakesh": Enrolment(
        f"{HERE}.tray.enrolment",
        "strip",
        {"keshi": None},
        "palettes",
        "enrol.unreadable",
    ),
    "san_gimignano": Enrolment(
        f"{HERE}.san_gimignano.decks",
        "cards",
        {"area": (300.0, 225.0), "card": (57.0, 87.0)},
        "decks",
        "cards.unreadable",
    ),
    "castles_of_tuscany": Enrolment(
        f"{HERE}.castles_of_tuscany.kinds",
        "tiles",
        {"hex": None},
        "kinds",
        "kinds.unreadable",
    ),
}
"""By game what a camera must be shown of a copy before it can read it."""

ANSWERS: Final = frozenset({("marrakesh", "tray")})
"""Those whose reading answers the question of that name: nothing is to be seen there while it is not
asked."""

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

BENCHES: Final[Mapping[str, str]] = {
    "torres": f"{HERE}.torres.bench",
    "marrakesh": f"{HERE}.tray.bench",
    "san_gimignano": f"{HERE}.san_gimignano.bench",
    "castles_of_tuscany": f"{HERE}.castles_of_tuscany.bench",
    "kept": f"{HERE}.bench",
}
"""By game what sets its readings beside the truth: ``Truth``, ``nothing`` and ``judge``."""

BENCH_JSON: Final = """JSON: one object in one line, the last thing printed.
  torres, torres_steep  boards seen from up to 70 degrees above the table, and from more:
    n, exact, doubted, silent_wrong, illegal_n, illegal_reported, false_alarms  are numbers of boards,
    cells_right, pieces_right  are shares from 0 to 1, of all cells and of all pieces there or read,
    ms_median, ms_worst  are times of one reading
  torres_evening  with --evening: n turns, presses of the table in all, presses_median, exact, silent_wrong,
    false_alarms
  tray  n, exact, doubted, silent_wrong, ms_median, ms_worst  likewise
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


def answering(question: str) -> str:
    """Return the game that asks the table this question."""
    return next(game for game, asked in ANSWERS if asked == question)


def reads(game: str, field: str = "") -> bool:
    """Return True if a camera can read this game: its ``field``, or any of them."""
    return any(game == one and field in ("", there) for one, there in READERS)


def fields(game: str) -> tuple[str, ...]:
    """Return the fields of a game that a camera can read."""
    return tuple(field for there, field in READERS if there == game)


def taught(fields: Collection[str]) -> Iterator[str]:
    """Return the games whose pieces a camera on these fields can be taught; on none, all."""
    return (game for game in ENROLMENTS if not fields or any(reads(game, field) for field in fields))


def learn(lesson: Teach, mount: Mount, source: PictureSource, frame: PictureFrame) -> Taught:
    """Return what a camera's picture shows or teaches."""
    found: Taught = import_module("device.sensors.readers.shelf").learn(lesson, mount, source, frame)
    return found


def watched(expected: Expected, field: str) -> bool:
    """Return True if a camera has anything to look for on its field."""
    return (expected.game, field) not in ANSWERS or expected.question == field


def open_reader(game: str, mount: Mount, source: PictureSource, frame: PictureFrame) -> Any:
    """Open the reader of a game for a camera, by its first picture.

    Raises KeyError if :func:`reads` says no, :class:`device.sensors.LearntError` if the lens or what
    was enrolled is not known.
    """
    return import_module(READERS[game, mount.field]).open_reader(mount, source, frame)


def painting(field: str) -> Any:
    """Return what paints a field of a simulated table, or a sheet with its pieces: ``field(table)`` and
    ``painted(table, view)``.
    """
    module = import_module(PAINTINGS[field])
    return getattr(module, field.upper(), module)
