"""Pictures of boards beside the truth: the layout now, and the layout one turn earlier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec

from device.sensors.readers import bench, judging
from device.sensors.readers.torres import (
    Seats,
    colour_layout,
    find_different_cells,
    judge_board,
    layout_of,
)
from engines import game
from engines.contract import SEATS as SEAT_NAMES
from engines.errors import EngineError
from engines.torres import position
from engines.torres.cells import CELLS, NUMBERS, SIDE
from engines.torres.layouts import Layout, differences
from engines.torres.stacks import MOST_BLOCKS, PHASES, rounds
from engines.torres.state import State
from vision.torres import LEVELS, Colour, Coloured, CopySizes
from vision.torres import reading as torres

GAME = game("torres")
UNSEEN = ("T ", "S ", "end")
"""The beginnings of steps that show on no board: cards drawn and chosen, the turn's end."""

KEY, STEEP, EVENING = "torres", "torres_steep", "torres_evening"
SUMS = ("exact", "silent_wrong", "false_alarms")
"""The figures of boards that an evening tells again, beside the presses."""
STEEP_DEG = 70.0
"""Boards seen from higher than this are counted apart: blocks hardly show their sides there."""

Seat = Literal["red", "blue", "green", "yellow"]
COLOURS: tuple[Seat, ...] = get_args(Seat)
"""The colours of seats a to d in these pictures."""

Height = Annotated[int, msgspec.Meta(ge=0, le=LEVELS)]
Row = Annotated[tuple[Height, ...], msgspec.Meta(min_length=SIDE, max_length=SIDE)]
Rows = Annotated[tuple[Row, ...], msgspec.Meta(min_length=SIDE, max_length=SIDE)]
Piece = Seat | Literal["king"]
SEATS: Seats = {colour: seat for seat, colour in enumerate(COLOURS)}


class TrueLayout(msgspec.Struct, frozen=True):
    """A Torres layout: heights row by row from the north, pieces by the name of their space."""

    heights: Rows
    pieces: dict[str, Piece] = {}

    def __post_init__(self) -> None:
        for cell in self.pieces:
            if cell not in NUMBERS:
                raise ValueError(f"pieces: {cell!r} is no space from a1 to h8")
        if list(self.pieces.values()).count("king") > 1:
            raise ValueError("pieces: there is one king")

    def layout(self, seats: Seats) -> Layout:
        """Return the layout with the colours as those seats."""
        pieces = sorted((NUMBERS[cell], piece) for cell, piece in self.pieces.items())
        return layout_of(Coloured(bytes(chain.from_iterable(self.heights)), tuple(pieces)), seats)


class PictureView(msgspec.Struct, frozen=True):
    """A second view of the board, taken at the same time by another camera: the name of its picture and its
    lens.
    """

    picture: str
    camera: bench.LensTruth


class Truth(bench.FieldTruth, frozen=True, kw_only=True):
    """A Torres board's truth, by the names of the file; a match knows ``before`` and ``seat``.

    ``position`` is the whole match before the turn in the game's notation, "" if it was not kept. ``turn``
    are the steps of the turn, ``views`` the views of other cameras.
    """

    cell_mm: bench.Positive
    block_mm: tuple[bench.Positive, bench.Positive, bench.Positive]
    heights: Rows
    pieces: dict[str, Piece]
    before: TrueLayout
    seat: Seat
    legal: bool = True
    position: str = ""
    turn: tuple[str, ...] = ()
    views: tuple[PictureView, ...] = ()

    @property
    def layout(self) -> Layout:
        """The layout now."""
        return TrueLayout(self.heights, self.pieces).layout(self.seats)

    @property
    def state(self) -> State:
        """The match before the turn: the kept one, or else one in which nobody holds a card."""
        if not self.position:
            return state_before(self.before, self.seat)
        state: State = GAME.position.read(self.position)
        return state

    @property
    def seats(self) -> Seats:
        """The seat of each colour: by the knights of a kept position, the others in order."""
        if not self.position:
            return SEATS
        knights = self.state.knights
        found: dict[Colour, int] = {}
        for cell, colour in self.before.pieces.items():
            own = [seat for seat, here in enumerate(knights) if here >> NUMBERS[cell] & 1]
            if colour != "king" and own:
                found[colour] = own[0]
        free = [seat for seat in range(len(COLOURS)) if seat not in found.values()]
        return found | dict(zip([one for one in COLOURS if one not in found], free, strict=True))

    def __post_init__(self) -> None:
        TrueLayout(self.heights, self.pieces)
        try:
            if apart := differences(GAME.sight.of(self.state), self.before.layout(self.seats)):
                raise ValueError(f"position: it is not as before: {' '.join(apart)}")
        except EngineError as error:
            raise ValueError(f"position: {error}") from error


class BoardRead(msgspec.Struct, frozen=True):
    """The reading of one picture of a board: the best layout, None if no board was found.

    ``doubted`` are the spaces about which people would be asked, ``asks`` says whether they would be asked at
    all. ``out_of_step`` says that they would be told that no turn leads there. ``offered`` are the layouts
    that they could choose. ``note`` is for people.
    """

    layout: Layout | None
    elevation_deg: float = 0.0
    asks: bool = False
    doubted: frozenset[int] = frozenset()
    out_of_step: bool = False
    offered: tuple[Layout, ...] = ()
    stages: bench.Stages = ()
    note: str = ""


def name_figures(options: bench.Options) -> Mapping[str, Mapping[str, bench.Total]]:
    """Return the figures by key.

    ``silent_wrong`` counts boards with a wrong space that nobody would be asked about. ``cells_right`` and
    ``pieces_right`` are shares of all spaces, and of all pieces there or read. No turn leads to ``illegal_n``
    boards, and people would be told so of ``illegal_reported``, but wrongly of ``false_alarms``.

    Boards seen from above :data:`STEEP_DEG` are counted apart; an evening also counts the presses of the
    table.
    """
    shares = dict.fromkeys(("cells_right", "pieces_right"), bench.sum_shares)
    sums = dict.fromkeys(("illegal_n", "illegal_reported", "false_alarms"), sum)
    boards: Mapping[str, bench.Total] = {**bench.COUNTED, **shares, **sums}
    presses: Mapping[str, bench.Total] = {"n": sum, "presses": sum, "presses_median": bench.take_median}
    evening = {**presses, **dict.fromkeys(SUMS, sum)}
    return {KEY: boards, STEEP: boards} | ({EVENING: evening} if options.evening else {})


def judge(
    scene: bench.PictureWithTruth[Truth], scenes: bench.Scenes[Truth], options: bench.Options
) -> bench.JudgedPicture:
    """Read a board and compare it with its truth.

    It is silent if a wrong space is not among the doubted ones. A board that was not found is wrong
    everywhere, and people are told.
    """
    truth = scene.truth
    read = read_board(scene.picture, truth, options, _find_before(scene, scenes) if options.evening else ())
    # Without the earlier layout nobody can know the boards that no turn leads to.
    legal = truth.legal or not (options.prior or options.evening)
    there, seen = (
        colour_layout(truth.layout, SEATS),
        colour_layout(read.layout, SEATS) if read.layout else None,
    )
    wrong = frozenset(range(CELLS)) if seen is None else seen.differences(there)
    # Out of step is never silent: people look at the board before anything is recorded.
    silent = seen is not None and bool(wrong - read.doubted) and not read.out_of_step
    outcome = bench.PictureOutcome(not wrong, read.asks or seen is None, silent)
    said = ["out of step"] * read.out_of_step + ["doubted"] * read.asks + ["SILENT"] * silent
    notes = [
        read.note,
        " ".join(differences(read.layout, truth.layout)) if read.layout else "",
        "" if legal or read.out_of_step else "no turn leads there, by the truth",
    ]
    pieces, named = set(there.pieces), set(seen.pieces if seen else ())
    figures: bench.Figures = {
        **bench.count_outcomes([outcome], read.stages),
        "cells_right": (CELLS - len(wrong), CELLS),
        "pieces_right": (len(named & pieces), len(named | pieces)),
        "illegal_n": int(not legal),
        "illegal_reported": int(not legal and read.out_of_step),
        "false_alarms": int(legal and read.out_of_step),
    }
    found = {STEEP if read.elevation_deg > STEEP_DEG else KEY: figures}
    if options.evening:
        presses = _count_presses(read, outcome, truth, options.by_keys)
        sums = {name: figures[name] for name in SUMS}
        found[EVENING] = {"n": 1, "presses": presses, "presses_median": presses, **sums}
    return bench.JudgedPicture(
        "not found" if seen is None else ", ".join(["wrong" if wrong else "right", *said]),
        read.stages,
        found,
        "; ".join(filter(None, notes)),
    )


def _find_before(scene: bench.PictureWithTruth[Truth], scenes: bench.Scenes[Truth]) -> tuple[Path, ...]:
    """Return the pictures of the turn before, one a view; none if that turn did not lead here."""
    for was, now in pairwise(scenes[name] for name in sorted(scenes)):
        if now is scene and was.truth.layout == now.truth.before.layout(was.truth.seats):
            return (was.picture, *(was.picture.with_name(view.picture) for view in was.truth.views))
    return ()


def _count_presses(
    read: BoardRead,
    outcome: bench.PictureOutcome,
    truth: Truth,
    by_keys: Callable[[str, str, Sequence[str]], int],
) -> int:
    """Return the table's presses for a turn: one if the proposal stands; two if people point out one space
    and then take its meaning; else one to leave the page, and the turn by keys.
    """
    if outcome.exact and not read.out_of_step and not read.asks:
        return 1
    if truth.layout in read.offered:
        return 2
    before = truth.position or GAME.position.write(truth.state)
    return 1 + by_keys(GAME.id, before, [step for step in truth.turn if not step.startswith(UNSEEN)])


# The reader


def state_before(before: TrueLayout, seat: str) -> State:
    """Return a state with the layout ``before`` in which a turn of ``seat`` begins.

    It has five action points, three blocks, and no action card in anybody's hand.
    """
    at, stacks = (
        SEAT_NAMES[COLOURS.index(seat)],
        " ".join(f"stacks.{one}={MOST_BLOCKS}" for one in SEAT_NAMES),
    )
    when = f"phase={PHASES} round={rounds(len(COLOURS), PHASES)} turn={at} start={at}"
    return position.parse(f"seats={len(COLOURS)} blocks={before.layout(SEATS)} {when} {stacks}")


def read_board(picture: Path, board: Truth, options: bench.Options, before: Sequence[Path] = ()) -> BoardRead:
    """Read a board in its picture and in those of its other views.

    With ``prior`` the rules judge the reading as well. A view without a board is left out. ``before`` are the
    pictures of the turn before, one a view.
    """
    prior, watch, seats = options.prior or options.evening, bench.Stopwatch(), board.seats
    shots = [(picture, board.camera)]
    shots += () if options.one_view else ((picture.with_name(one.picture), one.camera) for one in board.views)
    pictures = [(bench.open_picture(path), camera) for path, camera in shots]
    was = [*map(bench.open_picture, before), *[None] * len(shots)]
    with watch("find"):
        found = [(pixels, *bench.place_of(pixels, board, camera)) for pixels, camera in pictures]
    seen = [
        (pixels, lens, sight.pose, then)
        for (pixels, lens, _, sight), then in zip(found, was, strict=False)
        if sight.pose
    ]
    if not seen:
        return BoardRead(None, asks=True, stages=watch.stages, note=bench.name_troubles(found[0][-1]))
    with watch("scene"):
        standing = colour_layout(board.before.layout(seats), seats) if prior else None
        (pixels, lens, pose, then), copy = seen[0], CopySizes(board.cell_mm, board.block_mm)
        scene = torres.BoardScene.of(pixels, lens, pose, copy, standing, then)
        for other in seen[1:]:
            scene = scene.beside(*other)
    with watch("read"):
        reading = torres.read(scene)
    read = BoardRead(
        layout_of(reading.best, seats),
        min(one.elevation_deg for _, _, one, _ in seen),
        asks=not reading.clear or bool(reading.hidden),
        doubted=reading.doubted | reading.unknown | reading.hidden,
        stages=watch.stages,
    )
    if not prior:
        return read
    if reading.unknown:  # with something foreign on the board nothing is reported: the reader waits
        return msgspec.structs.replace(read, asks=True, doubted=frozenset(range(CELLS)))
    with watch("judge"):
        said = judge_board(GAME, board.state, scene, reading, seats, reading.hidden)
    return _apply_verdict(msgspec.structs.replace(read, stages=watch.stages), said)


def _apply_verdict(read: BoardRead, verdict: judging.Verdict) -> BoardRead:
    """Return the reading with the verdict applied."""
    match verdict:
        case judging.Proposed():
            return msgspec.structs.replace(read, layout=verdict.layout, asks=False, doubted=frozenset())
        case judging.NoTurnLeads():
            refusal = verdict.meaning.refusal
            note = " ".join(verdict.meaning.differences) + (f" ({refusal.clause})" if refusal else "")
            return msgspec.structs.replace(
                read, layout=verdict.layout, asks=False, doubted=frozenset(), out_of_step=True, note=note
            )
    best, *others = (candidate.layout for candidate in verdict.candidates)
    doubted = frozenset(verdict.unsure).union(*(find_different_cells(best, other) for other in others))
    note = f"perhaps {' '.join(verdict.places)}" if verdict.places else ""
    offered = (best, *others)
    return msgspec.structs.replace(read, layout=best, asks=True, doubted=doubted, offered=offered, note=note)
