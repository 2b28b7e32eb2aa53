"""Pictures with their truth: a folder of NAME.json beside the picture that it names.

The truth of a Torres board is what stands there, and what stood there one turn earlier; that of a tray how
many keshis of each colour lie on it, and what they weigh. Pictures of other things are counted and passed
over. A file that is not right is told in one line; the others still count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

import msgspec

from engines.bags import Bag
from engines.marrakesh.keshis import keshis
from engines.torres.cells import NOWHERE, NUMBERS, SIDE
from engines.torres.layout import Layout
from vision.torres.shapes import LEVELS

Seat = Literal["red", "blue", "green", "yellow"]
COLOURS: tuple[Seat, ...] = get_args(Seat)
"""The colours that seats a to d have here."""

Positive = Annotated[float, msgspec.Meta(gt=0)]
Height = Annotated[int, msgspec.Meta(ge=0, le=LEVELS)]
Row = Annotated[tuple[Height, ...], msgspec.Meta(min_length=SIDE, max_length=SIDE)]
Rows = Annotated[tuple[Row, ...], msgspec.Meta(min_length=SIDE, max_length=SIDE)]
Piece = Seat | Literal["king"]
Count = Annotated[int, msgspec.Meta(ge=0, le=255)]


class Camera(msgspec.Struct, frozen=True):
    """The lens as a calibration gives it, in px; ``dist`` is k1 k2 p1 p2 k3."""

    fx: Positive
    fy: Positive
    cx: float
    cy: float
    dist: tuple[float, float, float, float, float]


class Standing(msgspec.Struct, frozen=True):
    """A Torres layout: heights row by row from the north, pieces by the name of their space."""

    heights: Rows
    pieces: dict[str, Piece] = {}

    def __post_init__(self) -> None:
        for cell in self.pieces:
            if cell not in NUMBERS:
                raise ValueError(f"pieces: {cell!r} is no space from a1 to h8")
        if list(self.pieces.values()).count("king") > 1:
            raise ValueError("pieces: there is one king")

    @property
    def layout(self) -> Layout:
        """The layout with the colours as seats, in the order of :data:`COLOURS`."""
        knights, king = [0, 0, 0, 0], NOWHERE
        for cell, piece in self.pieces.items():
            if piece == "king":
                king = NUMBERS[cell]
            else:
                knights[COLOURS.index(piece)] |= 1 << NUMBERS[cell]
        a, b, c, d = knights
        return Layout(bytes(height for row in self.heights for height in row), (a, b, c, d), king)


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where the field lies that a picture shows: its size in mm and its markers; ``picture`` is its file, of
    the truth's name where it is empty.
    """

    field_mm: tuple[Positive, Positive]
    first_marker: Annotated[int, msgspec.Meta(ge=0)]
    marker_gap_mm: Annotated[float, msgspec.Meta(ge=0)]
    camera: Camera
    picture: str = ""


P = TypeVar("P", bound=Place)


class Board(Place, frozen=True, kw_only=True):
    """A Torres board's truth, by the names of the file; ``before`` and ``seat`` are what a match knows."""

    cell_mm: Positive
    block_mm: tuple[Positive, Positive, Positive]
    heights: Rows
    pieces: dict[str, Piece]
    before: Standing
    seat: Seat
    legal: bool = True

    @property
    def layout(self) -> Layout:
        """What stands there."""
        return Standing(self.heights, self.pieces).layout

    def __post_init__(self) -> None:
        Standing(self.heights, self.pieces)


class Tray(Place, frozen=True, kw_only=True):
    """A tray's truth, by the names of the file; ``weight_mg`` and ``piece_mg`` are what a scale knows."""

    keshi_mm: tuple[Positive, Positive]
    counts: dict[str, Count]
    piece_mg: Positive | None = None
    weight_mg: float | None = None

    @property
    def keshis(self) -> Bag:
        """What lies there."""
        return keshis(self.counts)

    def __post_init__(self) -> None:
        _ = self.keshis


class Scene(msgspec.Struct, Generic[P], frozen=True):
    """One picture and its truth."""

    picture: Path
    truth: P


class Found(msgspec.Struct, frozen=True):
    """What a folder holds, by the names of the files without their ends.

    ``more`` are the scenes of other games by game. ``skipped`` counts other kinds of pictures, ``wrong`` are
    the files that are not right, a line each.
    """

    boards: Mapping[str, tuple[Path, Board]]
    trays: Mapping[str, tuple[Path, Tray]]
    more: Mapping[str, Mapping[str, Scene[Any]]]
    skipped: Mapping[str, int]
    wrong: tuple[str, ...]


class Unreadable(Exception):
    """A file that should hold a picture and does not; the message says how so."""


class _Game(msgspec.Struct, frozen=True):
    game: str


def look(folder: Path, more: Mapping[str, type[Place]]) -> Found:
    """Everything in a folder, with the truth of ``more`` games; raises OSError where that cannot be looked
    into.
    """
    boards: dict[str, tuple[Path, Board]] = {}
    trays: dict[str, tuple[Path, Tray]] = {}
    others: dict[str, dict[str, Scene[Any]]] = {game: {} for game in more}
    skipped: Counter[str] = Counter()
    wrong = []
    for path in sorted(one for one in folder.iterdir() if one.suffix == ".json"):
        try:
            text = path.read_bytes()
            game = msgspec.json.decode(text, type=_Game).game
            if game == "torres":
                board = msgspec.json.decode(text, type=Board)
                boards[path.stem] = _picture(path, board.picture), board
            elif game == "marrakesh":
                tray = msgspec.json.decode(text, type=Tray)
                trays[path.stem] = _picture(path, tray.picture), tray
            elif game in more:
                truth = msgspec.json.decode(text, type=more[game])
                others[game][path.stem] = Scene(_picture(path, truth.picture), truth)
            else:
                skipped[game] += 1
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
            wrong.append(f"{path}: {' '.join(str(error).split())}")
        except OSError as error:
            wrong.append(f"{error.filename or path}: {error.strerror or error}")
    return Found(boards, trays, others, dict(skipped), tuple(wrong))


def _picture(path: Path, named: str) -> Path:
    """The picture that a file names, beside it; raises OSError where it is missing."""
    picture = path.with_name(named or f"{path.stem}.jpg")
    picture.stat()
    return picture
