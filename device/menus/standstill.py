"""Standstills of the match: a pause, a called judge, or entries that the disk did not take.

A page shows the reason and the time so far. A call counts from the moment that the key was held; a reason may
follow. People read a judge's word from the event's desk at the box, and it is recorded once everybody agrees.
Anybody who disagrees calls the judge again; the record has either answer. The players' clock has a page of
its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from typing import ClassVar

from device.match import (
    JUDGE,
    KEYS,
    Abandon,
    Adjust,
    Answered,
    Call,
    ChessClock,
    ClockState,
    ClockTimes,
    Draft,
    Judged,
    Kind,
    Override,
    Pause,
    Record,
    Referee,
    Resume,
    Ruling,
    Source,
    parse_ruling,
    say_ruling,
    tell_unread,
)
from device.menus import consent
from device.menus.consent import Consent, Vote
from device.menus.rules import make_rules_menu
from device.menus.ui import Ui, View, list_asked_seats
from device.menus.undoing import tell_effect
from device.menus.views import Item, Menu, Paged, attempt, close, leave, read
from device.screen import Page, TablePage, WheelPage
from device.texts import in_words
from engines.errors import EngineError
from engines.match import Match
from engines.words import Words


def follow(box: Ui) -> None:
    """Put the page of the match's standstill on the stack, and remove every other one."""
    affairs, kind = box.referee.replay.affairs, None
    if not affairs.abandoned and (affairs.call or affairs.paused):
        kind = CallPage if affairs.call else PausePage
    shown = [view for view in box.stack if isinstance(view, Standstill)]
    if shown and (over := [view for view in shown if type(view) is not kind]):
        close(box, *over)
    if kind and not any(type(view) is kind for view in shown):
        # Below a page about lost entries: until people have decided on those, nothing can be answered.
        top = next((at for at, view in enumerate(box.stack) if isinstance(view, LostEntries)), len(box.stack))
        box.stack.insert(top, kind(box))


def call(box: Ui) -> None:
    """Call a judge: the clocks stop at once. While a call is open, only show its page."""
    if not box.referee.replay.affairs.call:
        attempt(box, lambda: box.door.rule(Call(), source=KEYS))
    follow(box)


class Standstill(View):
    """A page with the time since the match stopped."""

    title: ClassVar[str]
    begin: ClassVar[type]
    end: ClassVar[type]

    def __init__(self, box: Ui) -> None:
        """Show that the match stands still since the record that began this."""
        super().__init__(box)
        self._words = box.words
        self._given: list[tuple[Record, Ruling]] = []
        self.follow()

    def follow(self) -> None:
        """Read the records of this standstill from the log; once it is over the last ones stay."""
        given: list[tuple[Record, Ruling]] = []
        for record, ruled in self.box.referee.replay.log.standing:
            if isinstance(ruled, self.begin):
                given.append((record, ruled))
            elif isinstance(ruled, self.end):
                given = []
        self._given = given or self._given

    def page(self) -> Page:
        """Show the start, the reason, and the time so far, large."""
        title = self._words(self.title, time=self.box.write_time(self._since.utc_ms // 1000)[11:16])
        return WheelPage(self.box.header(title), self._tell_prompt(), (write_ms(self.passed_ms),), 0)

    def _tell_prompt(self) -> str:
        raise NotImplementedError

    @property
    def _since(self) -> Record:
        return self._given[0][0]

    @property
    def passed_ms(self) -> int:
        """The time for which the match has stood still, in ms."""
        now, since = self.box.library.stamp(), self._since
        if now.boot_id == since.boot_id:
            return max(0, now.mono_ms - since.mono_ms)
        return max(0, now.utc_ms - since.utc_ms)

    def due_ms(self) -> float:
        """Return the time until the page changes by itself."""
        return 1000 - self.passed_ms % 1000

    def back(self) -> None:
        """Stay: the page goes when the match goes on."""
        self.box.toast(self._words("play.hold_back"))

    def _end(self, ruling: Ruling, by: str = "") -> None:
        if attempt(self.box, lambda: self.box.door.rule(ruling, source=KEYS, by=by)):
            follow(self.box)


class PausePage(Standstill):
    """A pause; OK ends it."""

    title, begin, end = "standstill.paused", Pause, Resume

    def _tell_prompt(self) -> str:
        return self._words("standstill.go_on")

    def ok(self) -> None:
        """Go on."""
        if self.considered:
            self._end(Resume())


class CallPage(Standstill):
    """A call; OK opens its menu."""

    title, begin, end = "standstill.called", Call, Answered

    @property
    def reason(self) -> str:
        """The last reason given; empty without one."""
        reasons = [ruled.reason for _, ruled in self._given if isinstance(ruled, Call) and ruled.reason]
        return self._words.texts.recall("reason", reasons[-1]) if reasons else ""

    def _tell_prompt(self) -> str:
        return self.reason or self._words("standstill.ask")

    def ok(self) -> None:
        """Ask whether it is settled, or for the reason."""
        if not self.considered:
            return
        box, words = self.box, self._words
        t = words.texts
        items = [
            Item(words("standstill.open"), box.pop),
            Item(words("standstill.settled"), leave(box, self._settle)),
            *(Item(t(key), leave(box, self._give_reason, t.original(key))) for key in t.under("reason.call")),
        ]
        box.push(Menu(box, words("standstill.call"), self.reason or words("reason.none"), items))

    def _settle(self) -> None:
        box, words = self.box, self._words
        if box.referee.replay.header.refereed:
            what = words("standstill.answered", reason=self.reason or words("reason.none"))
            consent.ask(box, what, partial(self._end, Answered()))
        else:
            self._end(Answered())

    def _give_reason(self, reason: str) -> None:
        attempt(self.box, lambda: self.box.door.rule(Call(reason), source=KEYS))
        if reason == self._words("reason.call.rule"):
            self.box.push(make_rules_menu(self.box, self._words.game.id))


class LostEntries(Menu):
    """Entries that did not reach the disk: try again, or leave them out."""

    first = "lost.first"

    def __init__(self, box: Ui, referee: Referee) -> None:
        """Show the entries and the reason of ``referee.lost``."""
        lost = referee.lost
        assert lost
        t = box.texts
        self.referee = referee
        match = referee.replay.match
        drafts = [draft for group in lost.drafts for draft in group]
        texts = _tell_lost(box.words_of(referee.replay), match.branch(len(match.steps)), drafts)
        sure = getattr(lost.why, "sure", True)
        detail = "\n".join(
            [t("lost.detail" if sure else "lost.unsure"), *texts, in_words(tell_unread(lost.why), t)]
        )
        items = [
            Item(t("lost.retry"), leave(box, referee.retry)),
            Item(t("lost.what"), read(box, t(lost.title), detail)),
            Item(t("lost.drop"), leave(box, referee.forget_lost)),
        ]
        super().__init__(box, t(lost.title), t(lost.reason), items)

    def back(self) -> None:
        """Do nothing: people must settle this first."""

    def follow(self) -> None:
        """Close once the entries were sent to the disk again, or dropped."""
        if self.referee.lost is None:
            close(self.box, self)


def _tell_lost(words: Words, match: Match, drafts: Iterable[Draft]) -> Iterator[str]:
    """Tell lost entries, each as it would follow those before; the payload of kinds that have no words."""
    waived: tuple[str, ...] = ()
    for draft in drafts:
        ruled = parse_ruling(draft.payload) if draft.kind is Kind.RULING else None
        if draft.visibility != "public":
            yield words.texts("play.sealed")
        elif not ruled:
            yield words.would(match, draft.seat, draft.payload, waived)
            with suppress(EngineError):
                match.play(draft.payload, draft.seat, waived)
        elif isinstance(ruled, Override):
            yield words("correct.although", clauses=words.clauses(ruled.clauses))
        else:
            yield say_ruling(words, ruled, draft.payload)
        waived = ruled.clauses if isinstance(ruled, Override) else ()


class JudgesWord(Consent):
    """The word of ``judge``; it stays until people have said whether they agree."""

    first = "standstill.first"

    def __init__(self, box: Ui, judge: str, ruling: Ruling, source: Source) -> None:
        self.source, words = source, box.words
        vote = Vote(words("consent.all"), words("consent.not_all"))
        agree = partial(self._record_word, judge, ruling)
        decline = partial(self._rule, Call(words.texts.original("reason.declined.word")))
        super().__init__(box, _tell_word(box, judge, ruling), [vote], agree, decline)

    def back(self) -> None:
        """Go from the question to the text, in the text a page back; on the first page stay."""
        if self._reading and not self._index:
            self.box.toast(self._words(self.first))
        else:
            super().back()

    def _record_word(self, judge: str, ruling: Ruling) -> None:
        rulings, replay = [ruling], self.box.referee.replay
        if isinstance(ruling, Judged):
            settled = [Answered()] if replay.affairs.call else []
            end = [] if replay.over else [Abandon(ruling.reason)]
            rulings = [*settled, ruling, *end]
        self._rule(*rulings, by=f"{JUDGE} {judge}")

    def _rule(self, *rulings: Ruling, by: str = "") -> None:
        attempt(self.box, lambda: self.box.door.rule(*rulings, source=self.source, by=by))
        follow(self.box)


def _tell_word(box: Ui, judge: str, ruling: Ruling) -> str:
    """Return a judge's word with the judge's name and its effect."""
    words = box.words
    if isinstance(ruling, Adjust):
        said = tell_effect(box, ruling)
    elif isinstance(ruling, Answered) and ruling.reason:
        said = ruling.reason
    else:
        said = say_ruling(words, ruling)
    told = [words("standstill.word", judge=judge, said=said)]
    if isinstance(ruling, Judged) and not box.referee.replay.over:
        told.append(words("standstill.ends"))
    return "\n".join(told)


RUNNING = "▶"


def write_ms(ms: int) -> str:
    """Write a time as a clock shows it: ``75:03``."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02}"


class ClockPage(Paged):
    """A row for each seat with its turn and its total, then the table's time and the breaks."""

    def __init__(self, box: Ui) -> None:
        """Show the players' clock of the open match."""
        super().__init__(box, box.words("clock.title"))
        self._words, self._replay = box.words, box.referee.replay
        self.follow()

    def follow(self) -> None:
        """Read the clock from the log again."""
        self._clock = ChessClock(self._replay.log)

    @property
    def times(self) -> ClockTimes:
        """The clock now."""
        return self._clock.read(self.box.library.stamp(), list_asked_seats(self._replay))

    def page(self) -> Page:
        """Show the clock now."""
        words, times = self._words, self.times
        turns = times.present
        runs = turns if times.state is ClockState.RUNS else {}
        rows = [
            (
                RUNNING * (seat in runs) + name,
                write_ms(turns[seat]) if seat in turns else "",
                write_ms(times.seats[seat]),
            )
            for seat, name in enumerate(words.names)
        ]
        table = RUNNING * (times.state is ClockState.RUNS and not turns) + words("clock.table")
        rows += [(table, "", write_ms(times.table)), (words("clock.admin"), "", write_ms(times.admin))]
        columns = words("clock.turn"), words("clock.total")
        return TablePage(self.box.header(self._tell_state(times)), columns, tuple(rows), page=self.at)

    def _tell_state(self, times: ClockTimes) -> str:
        """Say whose clock runs, or why none does."""
        words = self._words
        if times.state is not ClockState.RUNS:
            return words(f"clock.stand.{times.state.value}")
        names = [words.name(seat) for seat in times.present] or [words("clock.table")]
        return RUNNING + " + ".join(names)

    def due_ms(self) -> float | None:
        """Return the time until a figure changes by itself; None once the match has ended."""
        times = self.times
        if times.state in (ClockState.OVER, ClockState.ABANDONED):
            return None
        if times.state is not ClockState.RUNS:
            running = [times.admin]
        elif times.present:
            running = [ms for seat, turn in times.present.items() for ms in (turn, times.seats[seat])]
        else:
            running = [times.table]
        return min(1000 - ms % 1000 for ms in running)
