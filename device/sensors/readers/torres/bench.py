"""Pictures of boards beside the truth: what stands there, and what stood there one turn earlier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Annotated, Literal, get_args

import msgspec

from device.sensors.readers import bench, judging
from device.sensors.readers.torres import Seats, apart, coloured, layout_of, verdict
from engines import game
from engines.errors import EngineError
from engines.torres.cells import CELLS, NOWHERE, NUMBERS, SIDE, cells
from engines.torres.ground import survey
from engines.torres.layouts import Layout, differences
from engines.torres.stacks import MOST_BLOCKS, PHASES, rounds
from engines.torres.state import NO_LINES, State, Variant
from vision.torres import reading as torres
from vision.torres.shapes import LEVELS, Colour, CopySizes

GAME = game("torres")
UNSEEN = ("T ", "S ", "end")
"""How the steps begin that show on no board: cards drawn and chosen, the turn's end."""

STEEP_DEG = 70.0
"""Boards seen from higher than this are judged apart: blocks hardly show their sides there."""

Seat = Literal["red", "blue", "green", "yellow"]
COLOURS: tuple[Seat, ...] = get_args(Seat)
"""The colours that seats a to d have here."""

Height = Annotated[int, msgspec.Meta(ge=0, le=LEVELS)]
Row = Annotated[tuple[Height, ...], msgspec.Meta(min_length=SIDE, max_length=SIDE)]
Rows = Annotated[tuple[Row, ...], msgspec.Meta(min_length=SIDE, max_length=SIDE)]
Piece = Seat | Literal["king"]
SEATS: Seats = {colour: seat for seat, colour in enumerate(COLOURS)}


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

    def layout(self, seats: Seats) -> Layout:
        """Return the layout, the colours as those seats."""
        knights, king = [0, 0, 0, 0], NOWHERE
        for cell, piece in self.pieces.items():
            if piece == "king":
                king = NUMBERS[cell]
            else:
                knights[seats[piece]] |= 1 << NUMBERS[cell]
        a, b, c, d = knights
        return Layout(bytes(height for row in self.heights for height in row), (a, b, c, d), king)


class View(msgspec.Struct, frozen=True):
    """A second view of the board, taken at the same time by another camera: the picture's name, and that
    camera's lens.
    """

    picture: str
    camera: bench.LensTruth


class Truth(bench.FieldTruth, frozen=True, kw_only=True):
    """A Torres board's truth, by the names of the file; ``before`` and ``seat`` are what a match knows.

    ``position`` is the whole match before the turn, as the game writes it, empty where nobody kept it;
    ``turn`` how the turn was played, ``views`` what other cameras saw.
    """

    cell_mm: bench.Positive
    block_mm: tuple[bench.Positive, bench.Positive, bench.Positive]
    heights: Rows
    pieces: dict[str, Piece]
    before: Standing
    seat: Seat
    legal: bool = True
    position: str = ""
    turn: tuple[str, ...] = ()
    views: tuple[View, ...] = ()

    @property
    def layout(self) -> Layout:
        """Return what stands there."""
        return Standing(self.heights, self.pieces).layout(self.seats)

    @property
    def state(self) -> State:
        """Return the match before the turn: as it was kept, else one in which nobody holds a card."""
        if not self.position:
            return state_before(self.before, self.seat)
        state: State = GAME.position.read(self.position)
        return state

    @property
    def seats(self) -> Seats:
        """Return whose colour is whose: by where the knights of a kept position stand, others in order."""
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
        Standing(self.heights, self.pieces)
        try:
            if apart := differences(GAME.sight.of(self.state), self.before.layout(self.seats)):
                raise ValueError(f"position: it is not as before: {' '.join(apart)}")
        except EngineError as error:
            raise ValueError(f"position: {error}") from error


class BoardRead(msgspec.Struct, frozen=True):
    """The reading of one picture of a board: the best layout, None where no board was found.

    ``doubted`` are the spaces about which people would be asked, ``asks`` whether they would be asked at all;
    ``out_of_step`` says that they would be told that no turn leads there. ``offered`` are the layouts among
    which they would choose. ``note`` is for people.
    """

    layout: Layout | None
    elevation_deg: float = 0.0
    asks: bool = False
    doubted: frozenset[int] = frozenset()
    out_of_step: bool = False
    offered: tuple[Layout, ...] = ()
    stages: bench.Stages = ()
    note: str = ""


class Evening(msgspec.Struct, frozen=True):
    """The cost to the table of turns of one match: ``presses`` in all of ``n``, and in the
    ``presses_median``; so many were ``exact`` and ``silent_wrong``, and of so many people were told that no
    turn leads there though one did (``false_alarms``).
    """

    n: int
    presses: int
    presses_median: float | None
    exact: int
    silent_wrong: int
    false_alarms: int


class BoardJudged(bench.JudgedPicture, frozen=True, kw_only=True):
    """One board's reading beside the truth; it is ``right`` by its pieces.

    ``wrong`` are the spaces that are not as read. It is silent where something is wrong about which nobody
    would be asked: a wrong space that is not among the doubted ones. An ``illegal`` board is one to which no
    turn leads; ``reported`` where that would be said, with whatever layout.
    """

    wrong: frozenset[int]
    illegal: bool = False
    reported: bool = False

    @property
    def outcome(self) -> bench.PictureOutcome:
        """The part that is counted."""
        return self.outcomes[0]


def judge_board(read: BoardRead, truth: Layout, legal: bool) -> BoardJudged:
    """Compare a reading with the truth.

    Of a board that was not found everything is wrong, and people are told.
    """
    found, there = read.layout is not None, _by_cell(truth)
    seen = [(-1, "")] * CELLS if read.layout is None else _by_cell(read.layout)
    wrong = frozenset(cell for cell in range(CELLS) if seen[cell] != there[cell])
    # Out of step is never silent: people look at the board before anything is recorded.
    silent = found and bool(wrong - read.doubted) and not read.out_of_step
    said = ["out of step"] * read.out_of_step + ["doubted"] * read.asks + ["SILENT"] * silent
    notes = [
        read.note,
        "" if read.layout is None else " ".join(differences(read.layout, truth)),
        "" if legal or read.out_of_step else "no turn leads there, by the truth",
    ]
    named, true = ({(at, piece) for at, (_, piece) in enumerate(one) if piece} for one in (seen, there))
    return BoardJudged(
        ", ".join(["wrong" if wrong else "right", *said]) if found else "not found",
        (bench.PictureOutcome(not wrong, read.asks or not found, silent),),
        read.stages,
        "; ".join(filter(None, notes)),
        bench.Share(len(named & true), len(named | true)),
        wrong=wrong,
        illegal=not legal,
        reported=read.out_of_step,
    )


def _by_cell(layout: Layout) -> list[tuple[int, str]]:
    pieces = [""] * CELLS
    for seat, own in enumerate(layout.knights):
        for cell in cells(own):
            pieces[cell] = "abcd"[seat]
    if layout.king >= 0:
        pieces[layout.king] = "K"
    return list(zip(layout.heights, pieces, strict=True))


class BoardFigures(bench.ReadingCounts, frozen=True, kw_only=True):
    """Figures of boards, ``silent_wrong`` where a space is wrong that nobody would be asked about.

    ``cells_right`` and ``pieces_right`` are shares, 0 to 1: of all spaces, and of all pieces there or read.
    To ``illegal_n`` boards no turn leads, and people would be told so of ``illegal_reported``;
    ``false_alarms`` are others of which they would be told so.
    """

    cells_right: float | None
    pieces_right: float | None
    illegal_n: int
    illegal_reported: int
    false_alarms: int


def measure(
    scenes: Mapping[str, bench.PictureWithTruth[Truth]], read: bench.Each, options: bench.Options
) -> bench.ReportSection:
    """Read all boards of a folder; those seen from above :data:`STEEP_DEG` are counted apart."""
    before = _before(scenes) if options.evening else {}
    boards = read(
        scenes, lambda scene: read_board(scene.picture, scene.truth, options, before.get(scene.picture, ()))
    )
    # Without what stood there before nobody can know the boards to which no turn leads.
    judged = {
        name: judge_board(one, truth.layout, truth.legal or not (options.prior or options.evening))
        for name, one in boards.items()
        for truth in [scenes[name].truth]
    }
    presses = {
        name: _presses(one, judged[name].outcome, scenes[name].truth, options.by_keys)
        for name, one in boards.items()
        if options.evening
    }
    steep = {name for name, one in boards.items() if one.elevation_deg > STEEP_DEG}
    high, low = (
        board_figures([one for name, one in judged.items() if (name in steep) is above])
        for above in (True, False)
    )
    found = bench.section("torres", judged, low)
    found += bench.ReportSection({"torres_steep": high}, table=bench.lines("torres, steep", high))
    if options.evening:
        evening = Evening(
            len(presses),
            sum(presses.values()),
            median(presses.values()) if presses else None,
            sum(one.outcome.exact for one in judged.values()),
            sum(one.outcome.silent for one in judged.values()),
            sum(one.reported for one in judged.values() if not one.illegal),
        )
        found += bench.ReportSection(
            {"torres_evening": evening}, table=bench.lines("torres_evening", evening)
        )
    return found


def board_figures(judged: Sequence[BoardJudged]) -> BoardFigures:
    """Return the sums over some boards."""
    illegal = [one for one in judged if one.illegal]
    return BoardFigures.over(
        judged,
        cells_right=bench.Share(sum(CELLS - len(one.wrong) for one in judged), CELLS * len(judged)).value,
        pieces_right=bench.right_share(judged),
        illegal_n=len(illegal),
        illegal_reported=sum(one.reported for one in illegal),
        false_alarms=sum(one.reported for one in judged if not one.illegal),
    )


def _before(scenes: Mapping[str, bench.PictureWithTruth[Truth]]) -> dict[Path, tuple[Path, ...]]:
    """Return by picture those of the turn before, one a view; none if that turn did not lead here."""
    found: dict[Path, tuple[Path, ...]] = {}
    for was, now in pairwise(scenes[name] for name in sorted(scenes)):
        if was.truth.layout == now.truth.before.layout(was.truth.seats):
            others = (was.picture.with_name(view.picture) for view in was.truth.views)
            found[now.picture] = (was.picture, *others)
    return found


def _presses(
    read: BoardRead,
    outcome: bench.PictureOutcome,
    truth: Truth,
    by_keys: Callable[[str, str, Sequence[str]], int],
) -> int:
    """Return what a turn costs the table: one press where what is proposed stands; two where people point out
    what a space shows and then take what that means; else one that leaves the page, and the turn by keys.
    """
    if outcome.exact and not read.out_of_step and not read.asks:
        return 1
    if truth.layout in read.offered:
        return 2
    position = truth.position or GAME.position.write(truth.state)
    return 1 + by_keys(GAME.id, position, [step for step in truth.turn if not step.startswith(UNSEEN)])


# The reader


def state_before(before: Standing, seat: str) -> State:
    """Return a state in which ``before`` stands and a turn of ``seat`` begins.

    It has five action points, three blocks, and no action card in anybody's hand.
    """
    layout = before.layout(SEATS)
    return State(
        Variant(len(SEATS)),
        ground=survey(layout.heights),
        knights=layout.knights,
        king=layout.king,
        seat=COLOURS.index(seat),
        start=COLOURS.index(seat),
        phase=PHASES,
        round=rounds(len(SEATS), PHASES),
        stacks=((MOST_BLOCKS,),) * len(SEATS),
        decks=(10,) * len(SEATS),
        played=(0,) * len(SEATS),
        lines=(NO_LINES,) * len(SEATS),
        before=(0,) * len(SEATS),
        adjusted=(0,) * len(SEATS),
    )


def read_board(picture: Path, board: Truth, options: bench.Options, before: Sequence[Path] = ()) -> BoardRead:
    """Read a board in its picture and in those of its other views.

    With ``prior`` what is said of it follows the rules as well. A view in which no board is found is left
    out. ``before`` are the pictures of the turn before, one a view.
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
        return BoardRead(None, asks=True, stages=watch.stages, note=bench.troubles_of(found[0][-1]))
    with watch("scene"):
        standing = coloured(board.before.layout(seats), seats) if prior else None
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
    if reading.unknown:  # nothing is told of the board while something foreign lies there: it is waited for
        return msgspec.structs.replace(read, asks=True, doubted=frozenset(range(CELLS)))
    with watch("judge"):
        said = verdict(GAME, board.state, scene, reading, seats, reading.hidden)
    return _with_verdict(msgspec.structs.replace(read, stages=watch.stages), said)


def _with_verdict(read: BoardRead, verdict: judging.Verdict) -> BoardRead:
    """Return the reading as the verdict has it."""
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
    doubted = frozenset(verdict.unsure).union(*(apart(best, other) for other in others))
    note = f"perhaps {' '.join(verdict.places)}" if verdict.places else ""
    offered = (best, *others)
    return msgspec.structs.replace(read, layout=best, asks=True, doubted=doubted, offered=offered, note=note)
