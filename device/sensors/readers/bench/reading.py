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
from device.sensors.sources import CameraError, read_picture
from engines import bags, game
from engines.marrakesh.keshis import EACH, KINDS, keshis
from engines.marrakesh.tower import Seen, reconcile, unnoticed, weighed
from engines.torres.ground import survey
from engines.torres.stacks import MOST, PHASES, rounds
from engines.torres.state import NO_LINES, State, Variant
from vision.field import Field, Sight, find
from vision.lens import Lens, Picture
from vision.torres import reading as torres
from vision.torres.shapes import Copy
from vision.tray import reading as trays
from vision.tray.prism import Keshi

GAME = game("torres")
SEATS: Seats = {colour: seat for seat, colour in enumerate(COLOURS)}
EVERYTHING = sum(bags.one(kind, EACH) for kind in range(KINDS))
SURE = 0.94
"""Contents of a tray less likely right than this are doubted.

From the risk curve with the scale over the 126 trays of :data:`vision.tray.reading.SURE`, 120 of them exact.
Wrong among those undoubted at 0.8: 5 of 120; 0.9: 2 of 111; 0.94: 1 of 107; 0.95: 0 of 105.
"""
AGREES = 0.05
"""A scale that by itself gives the count found less than this has weighed something else."""
UNNOTICED = 2
"""How many keshis on a tray may have escaped the camera."""


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


def _place(picture: Picture, place: Place) -> tuple[Lens, Field, Sight]:
    """The lens, the field, and where that lies in the picture."""
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
            lens, _, sight = _place(pixels, board)
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
            lens, field, sight = _place(pixels, tray)
        with watch("read"):
            reading = trays.read(pixels, lens, field, sight, Keshi(*tray.keshi_mm))
        note = ", ".join(doubt.value for doubt in reading.doubts)
        if trays.Doubt.NO_POSE in reading.doubts:
            return TrayRead(None, asks=True, stages=watch.stages, note=_troubles(sight))
        if not scale or tray.weight_mg is None or tray.piece_mg is None:
            return TrayRead(keshis(reading.counts), not reading.sure, watch.stages, note)
        with watch("reconcile"):
            read = with_scale(reading, tray.weight_mg, tray.piece_mg)
        return msgspec.structs.replace(
            read, stages=watch.stages, note=", ".join(filter(None, (note, read.note)))
        )


def with_scale(reading: trays.TrayReading, weight_mg: float, piece_mg: float) -> TrayRead:
    """What camera and scale say together, where anything may lie on the tray.

    The scale's word counts for the number, also against what troubles the camera: what that did not see
    weighs as well. People are asked where what is likeliest is not likely enough, and where the scale by
    itself finds that number absurd: then something else lies there.
    """
    total = weighed(weight_mg, piece_mg)
    pieces = [Seen(piece.colours, piece.chance) for piece in reading.pieces]
    best = reconcile(EVERYTHING, 0, [*pieces, *[unnoticed(reading.unseen)] * UNNOTICED], total).best
    if best is None:
        return TrayRead(keshis(reading.counts), True, note="nothing agrees with the weight")
    asks = best.chance < SURE or total[bags.total(best.keshis)] < AGREES
    return TrayRead(best.keshis, asks, note=f"{best.chance:.1%} sure")


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
