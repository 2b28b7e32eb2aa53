"""The readers as a folder's pictures need them: a picture and what may be known of it in, a reading out.

The truth stays outside: a board is handed over with the layout before and the seat, or with neither, and a
tray with its weight, or without.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import msgspec

from device.sensors.readers import judging
from device.sensors.readers.bench.figures import BoardRead, Stages, TrayRead
from device.sensors.readers.bench.folder import COLOURS, Board, Place, Standing, Tray, Unreadable
from device.sensors.readers.torres import Seats, apart, coloured, layout_of, verdict
from device.sensors.readers.tray import judge
from device.sensors.sources import CameraError, read_picture
from engines import game
from engines.torres.ground import survey
from engines.torres.stacks import MOST, PHASES, rounds
from engines.torres.state import NO_LINES, State, Variant
from vision.field import Field, Sight, find
from vision.lens import Lens, Picture
from vision.scale.calibration import Calibration
from vision.scale.counting import NOISE_MG, counted
from vision.torres import reading as torres
from vision.torres.shapes import Copy
from vision.tray import reading as trays
from vision.tray.prism import Keshi

GAME = game("torres")
SPREAD = 0.05
"""How much a piece's mass varies in the folders of trays, as a share of the mean."""
SEATS: Seats = {colour: seat for seat, colour in enumerate(COLOURS)}


class Stopwatch:
    """What takes how long, stage by stage."""

    def __init__(self) -> None:
        self._found: list[tuple[str, float]] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Take the time of what is done meanwhile."""
        begin = perf_counter()
        yield
        self._found.append((name, round(1000 * (perf_counter() - begin), 2)))

    @property
    def stages(self) -> Stages:
        """All stages so far."""
        return tuple(self._found)


def open_picture(path: Path) -> Picture:
    """The picture in a file; raises :class:`.Unreadable`."""
    try:
        return read_picture(path)
    except CameraError as error:
        raise Unreadable(str(error).removeprefix(f"{path}: ")) from error


def place_of(picture: Picture, place: Place) -> tuple[Lens, Field, Sight]:
    """Return the lens, the field, and where that lies in the picture."""
    height, width = picture.shape[:2]
    camera = place.camera
    lens = Lens((width, height), camera.fx, camera.fy, camera.cx, camera.cy, camera.dist)
    field = Field(*place.field_mm, place.first_marker, place.marker_gap_mm)
    return lens, field, find(picture, lens, field)


def state_before(before: Standing, seat: str) -> State:
    """A state in which ``before`` stands and a turn of ``seat`` begins: five action points, three blocks, and
    no action card in anybody's hand.
    """
    layout = before.layout
    return State(
        Variant(len(SEATS)),
        ground=survey(layout.heights),
        knights=layout.knights,
        king=layout.king,
        seat=COLOURS.index(seat),
        start=COLOURS.index(seat),
        phase=PHASES,
        round=rounds(len(SEATS), PHASES),
        stacks=((MOST,),) * len(SEATS),
        decks=(10,) * len(SEATS),
        played=(0,) * len(SEATS),
        lines=(NO_LINES,) * len(SEATS),
        before=(0,) * len(SEATS),
        adjusted=(0,) * len(SEATS),
    )


class CameraReaders:
    """The readers in use, as the camera's process calls them."""

    def board(self, picture: Path, board: Board, *, prior: bool) -> BoardRead:
        """A board; with ``prior`` what is said of it follows the rules as well."""
        pixels, watch = open_picture(picture), Stopwatch()
        with watch("find"):
            lens, _, sight = place_of(pixels, board)
        if sight.pose is None:
            return BoardRead(None, asks=True, stages=watch.stages, note=_troubles(sight))
        with watch("scene"):
            before = coloured(board.before.layout, SEATS) if prior else None
            scene = torres.Scene.of(pixels, lens, sight.pose, Copy(board.cell_mm, board.block_mm), before)
        with watch("read"):
            reading = torres.read(scene)
        read = BoardRead(
            layout_of(reading.best, SEATS),
            sight.pose.elevation_deg,
            asks=not reading.sure or bool(reading.hidden),
            doubted=frozenset(doubt.cell for doubt in reading.doubts) | reading.unknown | reading.hidden,
            stages=watch.stages,
        )
        if not prior:
            return read
        with watch("judge"):
            state = state_before(board.before, board.seat)
            found = verdict(GAME, state, scene, reading, SEATS, reading.hidden)
        return _with_verdict(msgspec.structs.replace(read, stages=watch.stages), found)

    def tray(self, picture: Path, tray: Tray, *, scale: bool) -> TrayRead:
        """A tray; nothing is known of the tower, so any number of each colour may lie there."""
        pixels, watch = open_picture(picture), Stopwatch()
        with watch("find"):
            lens, field, sight = place_of(pixels, tray)
        with watch("read"):
            reading = trays.read(pixels, lens, field, sight, Keshi(*tray.keshi_mm))
        if trays.Doubt.NO_POSE in reading.doubts:
            return TrayRead(None, asks=True, stages=watch.stages, note=_troubles(sight))
        with watch("judge"):
            total = None
            if scale and tray.weight_mg is not None and tray.piece_mg is not None:
                pieces = Calibration.exact(tray.piece_mg, SPREAD)
                total = counted(tray.weight_mg, NOISE_MG, pieces)
            judged = judge(reading, total=total)
        told = ", ".join(
            (*(key.partition(".")[2] for key, _ in judged.why), f"{judged.contents[0].chance:.1%} sure")
        )
        return TrayRead(judged.best, bool(judged.why), watch.stages, told)


def _with_verdict(read: BoardRead, verdict: judging.Verdict) -> BoardRead:
    """The reading as the verdict has it."""
    match verdict:
        case judging.Proposed():
            return msgspec.structs.replace(read, layout=verdict.layout, asks=False, doubted=frozenset())
        case judging.OutOfStep():
            refusal = verdict.meaning.refusal
            note = " ".join(verdict.meaning.differences) + (f" ({refusal.clause})" if refusal else "")
            return msgspec.structs.replace(
                read, layout=verdict.layout, asks=False, doubted=frozenset(), out_of_step=True, note=note
            )
    best, *others = (candidate.layout for candidate in verdict.candidates)
    doubted = frozenset(verdict.unsure).union(*(apart(best, other) for other in others))
    note = f"perhaps {' '.join(verdict.places)}" if verdict.places else ""
    return msgspec.structs.replace(read, layout=best, asks=True, doubted=doubted, note=note)


def _troubles(sight: Sight) -> str:
    return ", ".join(trouble.kind.name.lower() for trouble in sight.troubles)
