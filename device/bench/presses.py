"""How many presses and detents a turn costs, measured on recorded matches with the real menus.

A :class:`Pilot` plays a match's steps through a :class:`~device.menus.Box` exactly as a person would who
knows what they want: the shortest way round each list, or through the legal cells of a board, then OK. It
counts everything that a player's turn asks of the keys. The bars are held against the medians of a game's
turns that begin with the same question, and against each action by its verb.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from device.keys import Key, KeyEvent, Press, Turn
from device.match import KEYS, Adjust, Desk, Give, Header, Library, Override
from device.menus import Box, PartTable, Play, Sure
from device.screen.pixels import pages_of
from engines import matchfile
from engines.contract import AnyDomain, Domain, Over, Pending, Picker, Printed
from engines.match import Adjustment, Fallen, Step

PRESSES, PER_RECORD, DETENTS = 4, 1.25, 12
"""The bars: so many presses a turn at most, or so many for each of its records; so many detents."""

ACT_PRESSES, ACT_DETENTS = 3, 8
"""The bars of any one action."""


class Pilot:
    """Turns steps into key events for the match that a box shows."""

    def __init__(self, box: Box) -> None:
        """``box`` must show a match. It takes every OK at once: a pilot needs no time to look."""
        self.box = box
        box.moment_ms = 0

    @property
    def _play(self) -> Play:
        view = self.box.stack[-1]
        assert isinstance(view, Play), f"the box shows {type(view).__name__}, not the match"
        return view

    @property
    def pending(self) -> Pending:
        """What the match asks."""
        referee = self.box.library.referee
        assert referee
        return referee.replay.match.pending

    @property
    def question(self) -> str:
        """Its name."""
        return self.pending.termination if isinstance(self.pending, Over) else self.pending.question

    def verb(self, step: Step) -> str:
        """What people call the action that a step is; the question where its answers are no verbs."""
        referee, pending = self.box.library.referee, self.pending
        assert referee
        assert not isinstance(pending, Over)
        words = self.box.words_of(referee.replay)
        domain = pending.domain
        first = referee.replay.match.read(step.text, step.seat).choices[0]
        for verb in domain.verbs if isinstance(domain, Domain) else ():
            if first.token in verb.tokens:
                return words(f"verb.{verb.name}", pending.figures)
        listed = isinstance(domain, Domain) and domain.picker is Picker.LIST
        return words.choice(first) if listed else first.question

    @property
    def domain(self) -> AnyDomain | None:
        """What the question may be answered with; None once the match is over."""
        return None if isinstance(self.pending, Over) else self.pending.domain

    def events(self, step: Step) -> Iterator[KeyEvent]:
        """The events that enter ``step``; each must have reached the box before the next is asked for."""
        while isinstance(self.box.stack[-1], PartTable):
            yield Turn(1)
        play = self._play
        choices = play.referee.replay.match.read(step.text, step.seat).choices
        base = play.base
        while play.base is base:
            steps = play.toward(choices[len(play.drafts[-1].choices) :])
            turn = Turn(1 if steps > 0 else -1)
            if self.box.keeps(turn if steps else Press(Key.OK)):
                yield Press(Key.OK)
                continue
            for _ in range(abs(steps)):
                yield turn
            yield Press(Key.OK)
            while isinstance(self.box.stack[-1], Sure):
                yield Turn(-1)
                yield Press(Key.OK)

    def enter(self, step: Step) -> tuple[int, int]:
        """Enter a step; how many presses and detents it took."""
        presses = detents = 0
        for event in self.events(step):
            self.box.key(event)
            presses += isinstance(event, Press)
            detents += isinstance(event, Turn)
        return presses, detents


class Turned(msgspec.Struct):
    """One turn: the question it begins with, the records that it makes, and what they take."""

    question: str
    records: int = 0
    presses: int = 0
    detents: int = 0


class Cost(msgspec.Struct, frozen=True):
    """What the turns of a match, or those of a game that begin with ``question``, take in the median."""

    name: str
    question: str
    turns: int
    records: float
    presses: float
    per_record: float
    detents: float
    worst_presses: int
    worst_detents: int

    @property
    def missed(self) -> tuple[str, ...]:
        """The bars that are missed, in words with the figures."""
        presses = self.presses > PRESSES and self.per_record > PER_RECORD
        said = (
            f"{self.presses:g} presses, {self.per_record:.2f} a record (bar {PRESSES} or {PER_RECORD})",
            f"{self.detents:g} detents (bar {DETENTS})",
        )
        return tuple(text for text, over in zip(said, (presses, self.detents > DETENTS), strict=True) if over)


def turns(path: Path) -> tuple[str, list[Turned], list[Turned]]:
    """The game of a match file, its turns played through the menus, and the actions in them by verb.

    A turn is all steps of one seat until another's; what is reported before the first belongs to none. What
    is printed on the copy is entered once for all matches, so it costs no turn anything. Where people went
    back over reports, what they pressed is not in the file: the turns before that are measured.
    """
    file = matchfile.read(path.read_text("utf-8"), path.name)
    found: list[Turned] = []
    actions: list[Turned] = []
    with TemporaryDirectory() as folder:
        desk = Desk(Library(Path(folder)))
        box = Box(desk, pages=pages_of)
        box.open(Header(file.game, file.names, file.setup))
        pilot = Pilot(box)
        seat: Any = None
        for step in file.steps:
            if isinstance(step, Fallen):
                break
            if not isinstance(step, Step) or step.waived or isinstance(pilot.domain, Printed):
                _rule(desk, step)
                continue
            if step.seat is not None and step.seat != seat:
                found.append(Turned(pilot.question))
                seat = step.seat
            verb = pilot.verb(step)
            presses, detents = pilot.enter(step)
            if step.seat is not None:
                actions.append(Turned(verb, 1, presses, detents))
            if found:
                found[-1].records += 1
                found[-1].presses += presses
                found[-1].detents += detents
        desk.library.leave()
    return file.game, found, actions


def cost(name: str, question: str, found: Sequence[Turned]) -> Cost:
    """The medians and the worst of some turns, 1 or more."""
    return Cost(
        name,
        question,
        len(found),
        statistics.median(turn.records for turn in found),
        statistics.median(turn.presses for turn in found),
        statistics.median(turn.presses / turn.records for turn in found),
        statistics.median(turn.detents for turn in found),
        max(turn.presses for turn in found),
        max(turn.detents for turn in found),
    )


def _rule(desk: Desk, made: Adjustment | Step) -> None:
    """Enter what people ruled or copied; it is no turn that a budget could be held against."""
    match made:
        case Adjustment(seat, points, reason, good):
            ruling = Give(seat, points, good, reason) if good else Adjust(seat, points, reason)
            desk.rule(ruling, source=KEYS)
        case Step(seat, text, waived):
            desk.step(text, seat=seat, source=KEYS, override=Override(waived) if waived else None)


class Figures(msgspec.Struct, frozen=True):
    """The costs of the matches that are played turn by turn, those by game and first question, and those of
    single actions by game and verb.
    """

    matches: list[Cost]
    questions: list[Cost]
    verbs: list[Cost]
    missed: list[str]


def measure(paths: Sequence[Path]) -> Figures:
    """What the turns of all matches cost; many turns of an easy question must not hide those of another."""
    matches: list[Cost] = []
    asked: dict[tuple[str, str], list[Turned]] = {}
    acted: dict[tuple[str, str], list[Turned]] = {}
    for path in paths:
        game, found, actions = turns(path)
        if found:
            matches.append(cost(path.name, "", found))
        for turn in found:
            asked.setdefault((game, turn.question), []).append(turn)
        for action in actions:
            acted.setdefault((game, action.question), []).append(action)
    questions = [cost(*key, found) for key, found in sorted(asked.items())]
    verbs = [cost(*key, found) for key, found in sorted(acted.items())]
    missed = [f"{one.name} {one.question}: {text}" for one in questions for text in one.missed]
    for (game, verb), found in sorted(acted.items()):
        over = sum(one.presses > ACT_PRESSES or one.detents > ACT_DETENTS for one in found)
        if over:
            bar = f"bar {ACT_PRESSES} presses, {ACT_DETENTS} detents"
            missed.append(f"{game} {verb}: {over} of {len(found)} over it ({bar})")
    return Figures(matches, questions, verbs, missed)


def table(figures: Figures) -> list[str]:
    """The figures in lines: the medians of each first question, then of each verb, beside the bars."""
    head = ("a turn begins with", "turns", "records", "presses", "a record", "detents", "worst")
    bars = ("bar", "", "", f"{PRESSES}", f"or {PER_RECORD}", f"{DETENTS}", "")
    verb = ("an action", "times", "records", "presses", "a record", "detents", "worst")
    most = ("bar", "", "", "", "", "", f"{ACT_PRESSES} + {ACT_DETENTS}")
    lines = [*_columns(head, figures.questions, bars), "", *_columns(verb, figures.verbs, most)]
    return [*lines, *(f"missed: {text}" for text in figures.missed)] + ["every bar is met"] * (
        not figures.missed
    )


def _columns(head: Sequence[str], costs: Sequence[Cost], bars: Sequence[str]) -> list[str]:
    rows = [
        (
            f"{one.name} {one.question}",
            f"{one.turns}",
            f"{one.records:g}",
            f"{one.presses:g}",
            f"{one.per_record:.2f}",
            f"{one.detents:g}",
            f"{one.worst_presses} + {one.worst_detents}",
        )
        for one in costs
    ]
    wide = [max(map(len, column)) for column in zip(head, *rows, bars, strict=True)]
    return [
        "  ".join(
            cell.rjust(wide[at]) if at else cell.ljust(wide[at]) for at, cell in enumerate(row)
        ).rstrip()
        for row in (head, *rows, bars)
    ]
