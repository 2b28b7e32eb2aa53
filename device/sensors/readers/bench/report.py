"""`podesta vision bench`: the readers over a folder of pictures with truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from device.sensors.readers import BENCHES
from device.sensors.readers.bench import figures
from device.sensors.readers.bench.figures import (
    BoardFigures,
    BoardJudged,
    BoardRead,
    Share,
    TrayFigures,
    TrayJudged,
    TrayRead,
)
from device.sensors.readers.bench.folder import Board, P, Scene, Tray, Unreadable, look
from device.sensors.readers.bench.section import Section, line
from engines import bags
from engines.bags import Bag
from engines.marrakesh.keshis import COLOURS
from engines.torres.layout import differences

STEEP_DEG = 70.0
"""Boards seen from higher than this are judged apart: blocks hardly show their sides there."""

T = TypeVar("T")
R = TypeVar("R")


class Readers(Protocol):
    """What reads a picture's file; of the truth beside it only what a match knows may be used."""

    def board(self, picture: Path, board: Board, *, prior: bool) -> BoardRead:
        """A board; with ``prior`` the layout before and the seat may be used."""

    def tray(self, picture: Path, tray: Tray, *, scale: bool) -> TrayRead:
        """A tray; with ``scale`` its weight may be used."""


class Report(msgspec.Struct, frozen=True):
    """What a folder's pictures came to; ``torres_steep`` are the boards seen from above 70°, which are not in
    ``torres``, ``more`` the figures of other games by their key. ``skipped`` counts pictures of other things,
    ``unreadable`` files that are not right and ``faults`` pictures at which a reader failed.
    """

    torres: BoardFigures
    torres_steep: BoardFigures
    tray: TrayFigures
    skipped: Mapping[str, int]
    unreadable: int
    faults: int
    more: Mapping[str, msgspec.Struct]

    def json(self) -> dict[str, Any]:
        """Return the report as it is printed, the figures of ``more`` games beside the others."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        return {**found.pop("more"), **found}


class Measured(msgspec.Struct, frozen=True):
    """The report, and for people: a line for each picture, one for each stage, and what went wrong."""

    report: Report
    pictures: tuple[str, ...]
    stages: tuple[str, ...]
    wrong: tuple[str, ...]


def measure(folder: Path, readers: Readers, *, prior: bool, scale: bool) -> Measured:
    """Read all pictures of a folder; raises OSError where it cannot be looked into.

    The first picture of a kind is read twice and the second time counts: what a reader makes ready once in
    its life belongs to no picture.
    """
    kinds = {game: import_module(name) for game, name in BENCHES.items()}
    found = look(folder, {game: kind.Truth for game, kind in kinds.items()})
    unreadable, failed = list(found.wrong), list[str]()

    def read(files: Mapping[str, tuple[Path, T]], one: Callable[[Path, T], R]) -> dict[str, R]:
        first = next(iter(files.values()), None)
        done: dict[str, R] = {}
        for name, (path, truth) in files.items():
            try:
                if (path, truth) == first:
                    one(path, truth)
                done[name] = one(path, truth)
            except Unreadable as error:
                unreadable.append(f"{path}: {error}")
            except Exception as error:
                # One picture's fault must not cost the others: it is told, and the exit status tells too.
                failed.append(f"{path}: {type(error).__name__}: {' '.join(str(error).split())}")
        return done

    boards = read(found.boards, lambda path, board: readers.board(path, board, prior=prior))
    trays = read(found.trays, lambda path, tray: readers.tray(path, tray, scale=scale))
    # Without what stood there before nobody can know the boards to which no turn leads.
    judged_boards = {
        name: figures.judge_board(one, truth.layout, truth.legal or not prior)
        for name, one in boards.items()
        for _, truth in [found.boards[name]]
    }
    judged_trays = {name: figures.judge_tray(one, found.trays[name][1].keshis) for name, one in trays.items()}

    def read_scenes(scenes: Mapping[str, Scene[P]], one: Callable[[Scene[P]], R]) -> dict[str, R]:
        return read(
            {name: (scene.picture, scene) for name, scene in scenes.items()}, lambda _, scene: one(scene)
        )

    sections: list[Section] = [kind.measure(found.more[game], read_scenes) for game, kind in kinds.items()]
    steep = {name for name, one in boards.items() if one.elevation_deg > STEEP_DEG}

    def boards_where(names: Sequence[str]) -> BoardFigures:
        return figures.board_figures(
            [judged_boards[name] for name in names], [boards[name].stages for name in names]
        )

    report = Report(
        torres=boards_where([name for name in boards if name not in steep]),
        torres_steep=boards_where(sorted(steep)),
        tray=figures.tray_figures(list(judged_trays.values()), [one.stages for one in trays.values()]),
        skipped=found.skipped,
        unreadable=len(unreadable),
        faults=len(failed),
        more={key: figures for section in sections for key, figures in section.figures.items()},
    )
    lines = chain(
        (
            line(name, _board_word(judged, boards[name]), boards[name].stages, told)
            for name, judged in judged_boards.items()
            for told in [_board_note(boards[name], found.boards[name][1], judged)]
        ),
        (
            line(name, _tray_word(judged), trays[name].stages, told)
            for name, judged in judged_trays.items()
            for told in [_tray_note(trays[name], found.trays[name][1].keshis)]
        ),
    )
    stages = [f"torres {line}" for line in figures.by_stage(one.stages for one in boards.values())]
    stages += [f"tray {line}" for line in figures.by_stage(one.stages for one in trays.values())]
    for section in sections:
        for key, taken in section.stages.items():
            stages += [f"{key} {line}" for line in figures.by_stage(taken)]
    pictures = (*lines, *chain.from_iterable(section.pictures for section in sections))
    return Measured(report, pictures, tuple(stages), (*unreadable, *failed))


def _board_word(judged: BoardJudged, read: BoardRead) -> str:
    if read.layout is None:
        return "not found"
    word = "right" if judged.exact else "wrong"
    if read.out_of_step:
        word += ", out of step"
    if judged.asks:
        word += ", doubted"
    return f"{word}, SILENT" if judged.silent else word


def _board_note(read: BoardRead, board: Board, judged: BoardJudged) -> str:
    notes = [read.note] if read.note else []
    if read.layout is not None and not judged.exact:
        notes.append(" ".join(differences(read.layout, board.layout)))
    if judged.illegal and not judged.reported:
        notes.append("no turn leads there, by the truth")
    return "; ".join(notes)


def _tray_word(judged: TrayJudged) -> str:
    word = "right" if judged.exact else "wrong"
    return f"{word}, doubted" if judged.asks else f"{word}, SILENT" if judged.silent else word


def _tray_note(read: TrayRead, truth: Bag) -> str:
    notes = [read.note] if read.note else []
    if read.keshis is None:
        notes.append("no tray found")
    else:
        more = {
            colour: bags.count(read.keshis, kind) - bags.count(truth, kind)
            for kind, colour in enumerate(COLOURS)
        }
        notes += [f"{number:+d} {colour}" for colour, number in more.items() if number]
    return "; ".join(notes)


def table(measured: Measured) -> Iterator[str]:
    """The whole of it for people to read, shares with the interval in which the true one lies (95 %)."""
    report = measured.report
    yield from measured.pictures
    for name, boards in (("torres", report.torres), ("torres, steep", report.torres_steep)):
        if boards.n:
            yield f"{name}: boards exact {Share(boards.exact, boards.n)}"
            yield f"{name}: cells right {_percent(boards.cells_right)}"
            yield f"{name}: pieces right {_percent(boards.pieces_right)}"
            yield f"{name}: doubted {Share(boards.doubted, boards.n)}"
            yield f"{name}: silent wrong {Share(boards.silent_wrong, boards.n)}"
            if boards.illegal_n or boards.false_alarms:
                yield f"{name}: illegal told {Share(boards.illegal_reported, boards.illegal_n)}"
                yield f"{name}: false alarms {Share(boards.false_alarms, boards.n - boards.illegal_n)}"
            yield f"{name}: ms median {boards.ms_median}, worst {boards.ms_worst}"
    if report.tray.n:
        yield f"tray: exact {Share(report.tray.exact, report.tray.n)}"
        yield f"tray: doubted {Share(report.tray.doubted, report.tray.n)}"
        yield f"tray: silent wrong {Share(report.tray.silent_wrong, report.tray.n)}"
        yield f"tray: ms median {report.tray.ms_median}, worst {report.tray.ms_worst}"
    for key, figures_ in report.more.items():
        found = msgspec.to_builtins(figures_)
        if found["n"]:
            yield from (f"{key}: {name.replace('_', ' ')} {value}" for name, value in found.items())
    yield from measured.stages
    for kind, number in report.skipped.items():
        yield f"passed over: {number} of {kind}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.2%}"
