"""Presses and detents of a turn, measured on recorded matches with the real menus.

A :class:`Pilot` plays a match's steps through a :class:`~device.menus.Box` like a person who knows what they
want: by the shortest way round each list, or through the legal cells of a board, then OK. It counts all
presses and detents of a player's turn. The bars apply to the medians of a game's turns that begin with the
same question, and to each action by its verb. An OK is *dismissed* if it only dismisses text: it makes no
record, no token, no cursor mode, no menu.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from msgspec.structs import replace

from device.exports import align_columns
from device.keys import Key, KeyEvent, Press, Turn
from device.match import KEYS, Adjust, Give, Header, Library, MatchDoor, Override, Referee
from device.menus import Box, Paged, Play, Sure
from device.screen import PageHeader
from device.screen.pixels import pages_of
from engines import matchfile
from engines.contract import AnyDomain, Domain, Over, Picker, Printed
from engines.match import Adjustment, Fallen, Match, Step
from engines.matchfile import MatchFile

PRESSES, PER_RECORD, DETENTS = 4, 1.25, 12
"""The bars of a turn: the most presses, or presses for each of its records; the most detents."""

ACT_PRESSES, ACT_DETENTS = 3, 8
"""The bars of any one action."""

FEWEST = 1000
"""The detents that are worth a press to somebody who presses as little as possible."""

DISMISSED = 0.1
"""The bar of a game's presses that only dismiss text, as a share."""


class Pilot:
    """A player who turns steps into key events for a box; ``spared`` presses could be saved by turning
    farther.
    """

    def __init__(self, box: Box) -> None:
        """Drive ``box``, which must show a match; it then takes every OK at once, as pilots need no time."""
        self.box = box
        self.spared = 0
        box.moment_ms = 0

    @property
    def _play(self) -> Play:
        view = self.box.stack[-1]
        assert isinstance(view, Play), f"the box shows {type(view).__name__}, not the match"
        return view

    @property
    def referee(self) -> Referee:
        """The referee of the open match."""
        referee = self.box.library.referee
        assert referee
        return referee

    @property
    def match(self) -> Match:
        """The open match."""
        return self.referee.replay.match

    @property
    def question(self) -> str:
        """The name of the match's question."""
        pending = self.match.pending
        return pending.termination if isinstance(pending, Over) else pending.question

    @property
    def domain(self) -> AnyDomain | None:
        """The domain of the question; None once the match is over."""
        pending = self.match.pending
        return None if isinstance(pending, Over) else pending.domain

    def verb(self, step: Step) -> str:
        """Return the verb of a step, or its question if that has no verbs."""
        words, domain = self.box.words_of(self.referee.replay), self.domain
        first = self.match.read(step.text, step.seat).choices[0]
        if not isinstance(domain, Domain):
            return first.question
        for verb in domain.verbs:
            if first.token in verb.tokens:
                return words(f"verb.{verb.name}", self.match.pending.figures)
        return words.choice(first) if domain.picker is Picker.LIST else first.question

    def events(self, step: Step) -> Iterator[KeyEvent]:
        """Yield the events that enter ``step``; each must reach the box before the next one is taken."""
        yield from self.leaving()
        play = self._play
        choices = play.referee.replay.match.read(step.text, step.seat).choices
        base = play.base
        while play.base is base:
            yield from self.leaving()
            left = choices[len(play.drafts[-1].choices) :]
            if not play.picker and not play.outer_rings:
                self.spared += len(play.ring.find_way(left)) - len(play.ring.find_way(left, FEWEST))
            steps = play.count_detents(left)
            for _ in range(abs(steps)):
                yield Turn(1 if steps > 0 else -1)
            yield Press(Key.OK)
            while isinstance(self.box.stack[-1], Sure):
                yield Turn(-1)
                yield Press(Key.OK)

    def leaving(self) -> Iterator[KeyEvent]:
        """Yield the events that leave pages of mere text."""
        while isinstance(self.box.stack[-1], Paged) or self.box.is_for_news(Press(Key.OK)):
            yield Press(Key.OK)

    def enter(self, step: Step) -> Taken:
        """Enter a step; return its cost."""
        question, self.spared = self.verb(step), 0
        taken = self.take(self.events(step))
        taken.question, taken.records, taken.fewest = question, 1, taken.presses - self.spared
        return taken

    def take(self, events: Iterable[KeyEvent]) -> Taken:
        """Press and turn; return the number of both."""
        taken = Taken()
        for event in events:
            before = self._progress
            self.key(event)
            if isinstance(event, Turn):
                taken.detents += 1
            else:
                taken.presses += 1
                taken.dismissed += self._progress == before
        return taken

    def key(self, event: KeyEvent) -> None:
        """Press or turn."""
        self.box.key(event)

    @property
    def _progress(self) -> tuple[object, ...]:
        """The progress of people: records, choices, and each page that is not mere text."""
        play = next(view for view in self.box.stack if isinstance(view, Play))
        pages = (view.page() for view in self.box.stack if not isinstance(view, Paged))
        return self.referee.head, play.drafts[-1].choices, [replace(page, header=PLAIN) for page in pages]


PLAIN = PageHeader()


class Taken(msgspec.Struct):
    """The cost of some ``records`` in presses of OK and detents of the knob.

    It is of a turn, by its first question, of an action, by its verb, or of a whole match. ``fewest`` are the
    presses of the way with fewest, ``dismissed`` those that only dismiss text.
    """

    question: str = ""
    records: int = 0
    presses: int = 0
    detents: int = 0
    fewest: int = 0
    dismissed: int = 0

    def add(self, other: Taken) -> None:
        """Add another cost."""
        for name in self.__struct_fields__[1:]:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Cost(msgspec.Struct, frozen=True):
    """Median costs of the turns of a match, or of a game's turns that begin with ``question``."""

    name: str
    question: str
    turns: int
    records: float
    presses: float
    per_record: float
    detents: float
    worst_presses: int
    worst_detents: int
    fewest: float = 0

    @property
    def missed(self) -> tuple[str, ...]:
        """The missed bars in words, with the figures."""
        presses = self.presses > PRESSES and self.per_record > PER_RECORD
        said = (
            f"{self.presses:g} presses, {self.per_record:.2f} a record (bar {PRESSES} or {PER_RECORD})",
            f"{self.detents:g} detents (bar {DETENTS})",
        )
        return tuple(text for text, over in zip(said, (presses, self.detents > DETENTS), strict=True) if over)


class PlayedMatch(msgspec.Struct):
    """A match played through the menus: its cost, the presses of its ``rounds``, its turns and actions.

    A round lasts as long as the ``round`` of the state, if it has one. The set-up ends with the first turn
    whose question begins more turns than there are seats.
    """

    game: str
    seats: int
    taken: Taken
    set_up: int
    rounds: list[int]
    turns: list[Taken]
    actions: list[Taken]


def play(path: Path, pilot_of: Callable[[Box], Pilot] = Pilot) -> PlayedMatch:
    """Play a match file through the menus as :func:`play_match` does."""
    return play_match(matchfile.read(path.read_text("utf-8"), path.name), pilot_of)


def play_match(file: MatchFile, pilot_of: Callable[[Box], Pilot] = Pilot) -> PlayedMatch:
    """Play a match through the menus, with the pilot that ``pilot_of`` makes for the box.

    A turn is all steps of one seat until another's; reports before the first turn belong to none. Facts of
    the copy are entered once for all matches, so they cost no turn. If people went back over reports, the
    file lacks their presses: only the turns before that are measured.
    """
    found: list[Taken] = []
    begun: list[int] = []
    rounds: list[int] = []
    number = 0
    actions: list[Taken] = []
    whole = Taken()
    with TemporaryDirectory() as folder:
        door = MatchDoor(Library(Path(folder)))
        box = Box(door, pages=pages_of)
        box.open(Header(file.game, file.names, file.setup))
        pilot = pilot_of(box)
        seat: Any = None
        for step in file.steps:
            if isinstance(step, Fallen):
                break
            if not isinstance(step, Step) or step.waived or isinstance(pilot.domain, Printed):
                if isinstance(pilot.domain, Printed) and isinstance(step, Step):
                    words = box.words_of(pilot.referee.replay)
                    box.chosen = (words.would(pilot.match, step.seat, step.text),)
                _enter_ruling(door, step)
                continue
            if step.seat is not None and step.seat != seat:
                found.append(Taken(pilot.question))
                begun.append(whole.presses)
                seat = step.seat
            if (now := getattr(pilot.match.state, "round", 0)) != number:
                rounds.append(0)
                number = now
            taken = pilot.enter(step)
            for those in (whole, *found[-1:]):
                those.add(taken)
            if rounds:
                rounds[-1] += taken.presses
            if step.seat is not None:
                actions.append(taken)
        whole.add(pilot.take(pilot.leaving()))
        door.library.leave()
    often, seats = Counter(turn.question for turn in found), len(file.names)
    set_up = next((at for turn, at in zip(found, begun, strict=True) if often[turn.question] > seats), 0)
    if rounds:
        rounds[0] -= set_up
    return PlayedMatch(file.game, seats, whole, set_up, rounds, found, actions)


def compute_cost(name: str, question: str, found: Sequence[Taken]) -> Cost:
    """Return the medians and the worst of some turns, 1 or more."""
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
        statistics.median(turn.fewest for turn in found),
    )


def _enter_ruling(door: MatchDoor, made: Adjustment | Step) -> None:
    """Enter a ruling or a fact of the copy; it belongs to no turn."""
    match made:
        case Adjustment(seat, points, reason, good):
            ruling = Give(seat, points, good, reason) if good else Adjust(seat, points, reason)
            door.rule(ruling, source=KEYS)
        case Step(seat, text, waived):
            door.step(text, seat=seat, source=KEYS, override=Override(waived) if waived else None)


class Whole(msgspec.Struct, frozen=True):
    """A game's recorded matches: all presses, those that only dismiss text, and the medians of the set-up, by
    number of seats, and of a round for each seat.
    """

    presses: int
    dismissed: int
    set_up: dict[int, float]
    round: float | None


class PressFigures(msgspec.Struct, frozen=True):
    """The costs of the matches played turn by turn, by game and first question, of the turns among them with
    the median number of records, and of single actions by game and verb.
    """

    games: dict[str, Whole]
    matches: list[Cost]
    questions: list[Cost]
    usual: list[Cost]
    verbs: list[Cost]
    missed: list[str]

    def lines(self) -> list[str]:
        """Return the medians of each first question, then of each verb, with the bars."""
        head = ("a turn begins with", "turns", "records", "presses", "a record", "detents", "worst")
        bars = ("bar", "", "", f"{PRESSES}", f"or {PER_RECORD}", f"{DETENTS}", "")
        verb = ("an action", "times", "records", "presses", "a record", "detents", "worst")
        most = ("bar", "", "", "", "", "", f"{ACT_PRESSES} + {ACT_DETENTS}")
        lines = [*_tabulate(head, self.questions, bars), "", *_tabulate(head, self.usual, bars)]
        lines += ["", *_tabulate(verb, self.verbs, most), "", *map(_write_match, self.games.items())]
        return [*lines, *(f"missed: {text}" for text in self.missed)] + ["every bar is met"] * (
            not self.missed
        )


def measure(paths: Sequence[Path]) -> PressFigures:
    """Return the costs of all matches' turns by question, so that many easy ones hide no hard ones."""
    played = [(path.name, play(path)) for path in paths]
    games: dict[str, list[PlayedMatch]] = {}
    for _, match in played:
        games.setdefault(match.game, []).append(match)
    asked = _group_costs((match.game, turn) for _, match in played for turn in match.turns)
    acted = _group_costs((match.game, action) for _, match in played for action in match.actions)
    questions = [compute_cost(*key, found) for key, found in asked.items()]
    missed = [f"{one.name} {one.question}: {text}" for one in questions for text in one.missed]
    for (game, verb), found in acted.items():
        over = sum(one.presses > ACT_PRESSES or one.detents > ACT_DETENTS for one in found)
        if over:
            bar = f"bar {ACT_PRESSES} presses, {ACT_DETENTS} detents"
            missed.append(f"{game} {verb}: {over} of {len(found)} over it ({bar})")
    wholes = {game: _sum_matches(those) for game, those in sorted(games.items())}
    missed += [
        f"{game}: {one.dismissed / one.presses:.0%} dismissed (bar {DISMISSED:.0%})"
        for game, one in wholes.items()
        if one.dismissed > DISMISSED * one.presses
    ]
    return PressFigures(
        wholes,
        [compute_cost(name, "", match.turns) for name, match in played if match.turns],
        questions,
        [compute_cost(*key, alike) for key, found in asked.items() if (alike := _select_usual(found))],
        [compute_cost(*key, found) for key, found in acted.items()],
        missed,
    )


def _group_costs(taken: Iterable[tuple[str, Taken]]) -> dict[tuple[str, str], list[Taken]]:
    """Return costs by game and question, in this order."""
    found: dict[tuple[str, str], list[Taken]] = {}
    for game, one in taken:
        found.setdefault((game, one.question), []).append(one)
    return dict(sorted(found.items()))


def _select_usual(found: Sequence[Taken]) -> list[Taken]:
    """Return the costs with the median number of records, if that is more than one."""
    usual = statistics.median_high(turn.records for turn in found)
    return [turn for turn in found if turn.records == usual > 1]


def _sum_matches(played: Sequence[PlayedMatch]) -> Whole:
    set_up: dict[int, list[int]] = {}
    for one in played:
        if one.set_up:
            set_up.setdefault(one.seats, []).append(one.set_up)
    rounds = [presses / one.seats for one in played for presses in one.rounds]
    return Whole(
        sum(one.taken.presses for one in played),
        sum(one.taken.dismissed for one in played),
        {seats: statistics.median(each) for seats, each in sorted(set_up.items())},
        statistics.median(rounds) if rounds else None,
    )


def _write_match(game: tuple[str, Whole]) -> str:
    name, whole = game
    said = [f"{name}: {whole.presses} presses, {whole.dismissed} of them dismiss what is told"]
    said += [f"set-up for {seats}: {presses:g}" for seats, presses in whole.set_up.items()]
    said += [f"a round and seat: {whole.round:.1f}"] if whole.round else []
    return "; ".join(said)


def _tabulate(head: Sequence[str], costs: Sequence[Cost], bars: Sequence[str]) -> list[str]:
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
    return align_columns([head, *rows, bars])
