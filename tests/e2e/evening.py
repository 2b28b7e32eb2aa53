"""Somebody who plays a recorded match at a box with a camera: hands on the table, and on the keys.

What shows of a turn is laid on the table and OK has it recorded, once what the camera proposes is what was
meant; everything else is entered by the keys. Nothing is said at a line.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

from msgspec.structs import replace
from PIL import Image

import engines
from device.bench.presses import Pilot
from device.copy_file import CopyFile
from device.keys.events import Key
from device.match.door import MatchDoor, Proposal
from device.match.journal import read
from device.match.library import Library
from device.match.records import Kind
from device.match.replay import Header
from device.menus import Box
from device.screen import cover, text_lines
from device.screen.pixels import pages_of
from device.sensors.sources.simulated_table import CameraFault, SimulatedTable
from device.texts import Texts
from engines import matchfile, readings
from engines.contract import Exact, Several
from engines.match import Match, Step
from engines.readings import believed
from engines.search import whole_steps
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.keys_driver import PanelFingers, Player
from tests.e2e.watched import opened

SURE = re.compile(r" \(\d+%\)")
LONG = 120
"""Seconds to wait for a camera."""
WAITED_S = 20.0
"""So long people look at the screen before they take what it shows for its last word."""
RESTING_S = 2.0
"""How long a disturbance lasts."""
SETTLED_S = 3.0
"""How long what is no turn is looked at before it is put right."""


class Moment(NamedTuple):
    """A step of the match with the states around it, and whether a camera sees it."""

    step: Step
    before: Any
    after: Any
    shows: bool


class Taken(NamedTuple):
    """Presses and detents."""

    presses: int = 0
    detents: int = 0

    def __add__(self, other: Any) -> Taken:
        return Taken(self.presses + other.presses, self.detents + other.detents)


class Row(NamedTuple):
    """What a turn took: with the camera, of that what shows; by the keys alone, of that what shows; and the
    fewest presses of the keys alone.
    """

    seen: Taken
    shown: Taken
    alone: Taken
    alone_shown: Taken
    fewest: int
    shows: bool


class Hands(Player):
    """Works the keys of a box by what a *shadow* of it shows, which is told what the camera proposes too."""

    def see(self) -> Image.Image:
        """Wait until the screen says what the shadow says; messages go by themselves."""
        assert self.agrees(WAITED_S), (
            f"the screen says {self.said()}, not {self.due()}\n{self.box.log[-2000:]}"
        )
        return self.box.screen()

    def due(self) -> tuple[str, ...]:
        """What the shadow says below its header, without how sure it is."""
        return tuple(SURE.sub("", line) for line in text_lines(cover(self.shadow.page()))[2:])

    def said(self) -> tuple[str, ...]:
        """What the screen says below its header, likewise."""
        return tuple(SURE.sub("", line) for line in self.box.text()[2:])

    def agrees(self, wait_s: float) -> bool:
        """Whether the screen says so within that time."""
        end = time.monotonic() + wait_s
        while self.said() != self.due():
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def looks(self) -> None:
        """Somebody looks at what has just come to the screen."""
        self._entered = time.monotonic()

    def alone(self, key: Key) -> None:
        """Press a key of the box about something that the shadow does not have, and see what it does: a turn
        at once would come before the key is up.
        """
        time.sleep(0.7)
        asked = self.said()
        self.fingers.press(key)
        self.presses += 1
        end = time.monotonic() + WAITED_S
        while self.said() == asked and time.monotonic() < end:
            time.sleep(0.05)

    @property
    def taken(self) -> Taken:
        """All so far."""
        return Taken(self.presses, self.detents)


class Evening:
    """A box with a camera over its table, and a match that is played there."""

    def __init__(
        self,
        folder: Path,
        path: Path,
        table: Callable[[Any], SimulatedTable],
        camera: str,
        facts: dict[str, float],
        seed: int,
    ) -> None:
        """``table`` is what lies there in a state, ``camera`` the camera's settings, ``facts`` are sizes."""
        self.table, self.chance = table, Random(seed)
        self.file = matchfile.read(path.read_text("utf-8"), path.name)
        self.game = engines.game(self.file.game)
        self.box = DaemonProcess(
            folder / "box", config=f'[[camera]]\nsource = "simulated"\n{camera}', simulate=True
        )
        self.aside = folder / "shadow"
        for state in (self.box.state, self.aside):
            state.mkdir()
            if facts:
                CopyFile.of(state, self.file.game, Texts.load("en", self.file.game)).put(facts)
            opened(state, Header(self.file.game, self.file.names, self.file.setup))
        self.put(Match(self.game, self.file.setup).state)
        self.told: Counter[str] = Counter()
        """What the camera told, what disturbed it, and what went wrong."""
        self.rows: list[Row] = []

    # The match

    def turns(self) -> Iterator[list[Moment]]:
        """The turns of the match: all steps of one seat until another's; before the first nobody plays."""
        match, turn, seat = Match(self.game, self.file.setup), list[Moment](), None
        for step in self.file.steps:
            if step.seat not in (None, seat):
                yield turn
                turn, seat = [], step.seat
            before = match.state
            match.play(step.text, step.seat)
            turn.append(Moment(step, before, match.state, self.shows(step, before, match.state)))
        yield turn

    def shows(self, _step: Step, before: Any, after: Any) -> bool:
        """Whether a camera sees any of that; boards that are only laid out are no step to it."""
        old, new = self.table(before), self.table(after)
        return old != new and old.hexes.keys() == new.hexes.keys()

    def play(self, most: int) -> None:
        """Play until so many turns showed something, each turn by the keys alone as well."""
        with self.box as box:
            box.start()
            self.until("online", "True")
            self.hands = Hands(box, PanelFingers(box), self.aside)
            alone = Alone(self)
            for turn in self.turns():
                seen = shown = keys = keys_shown = Taken()
                spared = 0
                for run in runs(turn):
                    took = self.show(run) if run[0].shows else self.enter(run)
                    seen += took
                    for moment in run:
                        typed, less = alone.enter(moment.step)
                        keys, spared = keys + typed, spared + less
                        keys_shown += typed if moment.shows else Taken()
                    shown += took if run[0].shows else Taken()
                shows = any(moment.shows for moment in turn)
                if shows or any(moment.step.seat is not None for moment in turn):
                    self.rows.append(Row(seen, shown, keys, keys_shown, keys.presses - spared, shows))
                if sum(row.shows for row in self.rows) == most:
                    break
            alone.leave()
            self.hands.close()
            assert box.stop() == 0

    # What hands do

    def put(self, state: Any, **more: Any) -> None:
        """What lies on the table now."""
        replace(self.table(state), **more).save(self.box.state / "simulated_table.json")

    def disturb(self, moment: Moment, after: Any) -> None:
        """Something is not as it should be for a while."""
        kind = self.chance.choice(("hand", "lamp", "bump", "misplaced"))
        self.told[kind] += 1
        match kind:
            case "hand":
                self.put(after, faults=frozenset({CameraFault.HAND}))
            case "lamp":
                self.put(after, light=0.85)
            case "bump":
                self.put(after, faults=frozenset({CameraFault.MOVED}))
            case _:
                self.put(self.other(moment))
        time.sleep(SETTLED_S if kind == "misplaced" else RESTING_S)

    def other(self, moment: Moment) -> Any:
        """The state after another choice than the one that is meant, which shows as well; where none does,
        nothing was laid.
        """
        rules = self.game.rules
        shows = [one for one in rules.legal(moment.before) if self.game.sight.visible(one)]
        states = [rules.apply(moment.before, one) for one in shows]
        others = [state for state in states if self.table(state) != self.table(moment.after)]
        return self.chance.choice(others or [moment.before])

    def enter(self, run: Sequence[Moment]) -> Taken:
        """Enter steps by the keys."""
        before = self.hands.taken
        for moment in run:
            self.type(moment.step)
            if self.table(moment.before) != self.table(moment.after):  # what nobody is to see
                self.put(moment.after)
        return minus(self.hands.taken, before)

    def type(self, step: Step) -> None:
        """Enter a step, or what is left of one, by the keys."""
        for event in Pilot(self.hands.shadow).events(step):
            self.hands._do(event)
        self.hands._pay()
        self.agreed()

    def show(self, run: Sequence[Moment]) -> Taken:
        """Do steps on the table, and press what it takes to have them recorded."""
        hands, before = self.hands, self.hands.taken
        self.until("says", "looking")
        known = len(self.records())
        if self.chance.random() < 0.1:
            self.disturb(run[0], run[-1].after)
        self.put(run[-1].after)
        rest, wait = list(run), float(LONG)
        while rest:
            found = self.reading(known, wait)
            if found is None or not (taken := self.accept(rest, found[1])):
                if found is not None:
                    known, wait = found[0], WAITED_S
                    continue  # it may look again: what was misplaced, a hand that went
                self.told["by hand"] += 1
                known = len(self.records())
                if self.asked:
                    hands.alone(Key.BACK)
                self.type(rest[0].step)
                taken = 1
            rest, wait = rest[taken:], WAITED_S
        return minus(hands.taken, before)

    def accept(self, rest: Sequence[Moment], record: Any) -> int:
        """Accept what a reading proposes, if that is meant; how many steps are done with it."""
        state, hands = rest[0].before, self.hands
        seen = readings.read(record.payload)
        try:
            meaning, chance = believed(self.game, state, seen)
        except engines.errors.EngineError:
            return 0
        self.told[type(meaning).__name__] += 1
        at, done = self.place(meaning, rest)
        if not done:
            return 0
        proposal = Proposal(meaning, chance, record.channel, what=seen.what)
        hands.shadow.door.propose(proposal)
        if not hands.agrees(WAITED_S / 2) and self.asked:  # which of two boards it is: the first, perhaps
            self.told["questions"] += 1
            hands.alone(Key.OK)
            answered = Exact(explanations(meaning)[at])
            hands.shadow.door.propose(replace(proposal, meaning=answered, confidence=1.0))
            at = 0
        if not hands.agrees(WAITED_S / 2):
            self.told["otherwise"] += 1
            hands.shadow.door.propose(Proposal(Exact(()), 1.0, record.channel, what=seen.what))
            return 0
        hands.looks()
        if hands.shadow.stack[-1].of_sensor:
            hands.turn(at)
            hands.press(Key.OK)
            self.agreed()
        if hands.shadow.library.referee.replay.match.state != rest[done - 1].after:
            self.type(rest[done - 1].step)  # what the camera could not see
        return done

    def place(self, meaning: Any, rest: Sequence[Moment]) -> tuple[int, int]:
        """Which explanation is meant, and how many steps it does or begins; 0 of them where none is."""
        ways = explanations(meaning)
        for at, choices in enumerate(ways):  # the whole of it, in whatever order it was done
            state = rest[0].before
            for choice in choices:
                state = self.game.rules.apply(state, choice)
            if state == rest[-1].after:
                return at, len(rest)
        texts = [moment.step.text for moment in rest]
        for at, choices in enumerate(ways):
            steps, begun = whole_steps(self.game, rest[0].before, choices)
            start = f"{self.game.notation.text(begun)} " if begun else ""
            whole = steps == texts[: len(steps)] and len(steps) + bool(begun) <= len(rest)
            if choices and whole and (not begun or f"{texts[len(steps)]} ".startswith(start)):
                return at, len(steps) + bool(begun)
        return 0, 0

    # What the box shows

    @property
    def asked(self) -> bool:
        """Whether a sensor asks something."""
        return self.box.status()["asked"] is not None

    def until(self, what: str, value: str) -> None:
        """Wait until the camera's line on the status begins so; it has the processor meanwhile."""
        end = time.monotonic() + LONG
        while not str((found := self.box.status()["sensors"][0])[what]).startswith(value):
            assert time.monotonic() < end, (found, self.box.log[-2000:])
            time.sleep(0.3)

    def records(self) -> list:
        """Everything that was recorded."""
        (path,) = (self.box.state / "matches").glob("*.podesta")
        return read(path).records

    def reading(self, known: int, wait_s: float) -> tuple[int, Any] | None:
        """The next reading that the camera told, and how many records there are then."""
        end = time.monotonic() + wait_s
        while time.monotonic() < end:
            if self.box.status()["recorded"] > known:
                for number, record in enumerate(self.records()[known:], known + 1):
                    if record.kind is Kind.READING:
                        return number, record
            time.sleep(0.2)
        return None

    def agreed(self) -> None:
        """Box and shadow have recorded the same."""
        due = self.hands.shadow.library.referee.replay.match.steps
        end = time.monotonic() + WAITED_S
        while (found := played(self.records())) != [step.text for step in due]:
            assert time.monotonic() < end, (found[-3:], due[-3:])
            time.sleep(0.05)


class Alone:
    """The same match by the keys alone, in memory."""

    def __init__(self, evening: Evening) -> None:
        self._folder = evening.aside.parent / "alone"
        self._folder.mkdir()
        box = Box(MatchDoor(Library(self._folder)), pages=pages_of)
        box.open(Header(evening.file.game, evening.file.names, evening.file.setup))
        self._pilot = Pilot(box)

    def enter(self, step: Step) -> tuple[Taken, int]:
        """Enter a step: what it took, and the presses that could be spared by turning farther."""
        self._pilot.spared = 0
        return Taken(*self._pilot.enter(step)), self._pilot.spared

    def leave(self) -> None:
        """Close the match."""
        self._pilot.box.library.leave()


def explanations(meaning: Any) -> Sequence[Any]:
    """The choices that a reading may mean, the likeliest first."""
    match meaning:
        case Exact():
            return [meaning.choices]
        case Several():
            return meaning.explanations
    return []


def played(records: Sequence[Any]) -> list[str]:
    """The steps and reports among records."""
    return [record.payload for record in records if record.kind in (Kind.STEP, Kind.REPORT)]


def runs(turn: Sequence[Moment]) -> Iterator[list[Moment]]:
    """Steps one after the other that all show, or none of which does."""
    return (list(run) for _, run in groupby(turn, key=lambda moment: moment.shows))


def minus(now: Taken, before: Taken) -> Taken:
    """What was taken between."""
    return Taken(now.presses - before.presses, now.detents - before.detents)


def table(name: str, rows: Sequence[Row]) -> str:
    """What turns took, with the camera and by the keys alone: medians, and the most."""
    shown, hidden = ([row for row in rows if row.shows == shows] for shows in (True, False))
    said = [f"{name}: presses + detents, median (most)    with the camera    keys alone    fewest presses"]
    columns = (
        ("turns that show", shown, lambda row: row.seen, lambda row: row.alone, lambda row: row.fewest),
        ("of them what shows", shown, lambda row: row.shown, lambda row: row.alone_shown, None),
        ("turns that do not", hidden, lambda row: row.seen, lambda row: row.alone, lambda row: row.fewest),
    )
    for title, some, with_camera, alone, fewest in columns:
        cells = [_spread([one(row) for row in some]) for one in (with_camera, alone)]
        cells += [f"{median(map(fewest, some)):g}" if fewest and some else ""]
        said.append(f"  {title:20} {len(some):4}    " + "    ".join(cell.rjust(20) for cell in cells))
    return "\n".join(said)


def _spread(taken: Sequence[Taken]) -> str:
    if not taken:
        return "–"
    presses, detents = zip(*taken, strict=True)
    return f"{median(presses):g} + {median(detents):g} ({max(presses)} + {max(detents)})"
