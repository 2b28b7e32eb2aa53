"""Correcting an entry: which one, what it should have been, what that does to later ones, agreed?

A draft stays on the box until it is recorded. A later entry that no longer fits is shown and corrected in the
same draft, or the whole draft is given up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from device.match import (
    KEYS,
    Amend,
    Correction,
    Insert,
    Line,
    Misfit,
    Referee,
    Replay,
    Strike,
    Tried,
    Words,
    alternatives,
    numbered,
    place,
    scores_of,
    told,
)
from device.menus import consent
from device.menus.step import Drafted, StepView
from device.menus.ui import Ui
from device.menus.views import Item, Menu, Reader, reason_menu
from device.menus.why_not import Evidence
from device.screen import Mark
from engines.contract import Over, Refusal
from engines.errors import EngineError, Refused
from engines.match import Match, Step


def lines_menu(
    box: Ui, replay: Replay, words: Words, title: str, choose: Callable[[Line], None]
) -> Menu | Reader:
    """The steps and reports that count, the latest first."""
    lines = [line for line in reversed(replay.history) if line.play]
    if not lines:
        return Reader(box, title, words("play.no_steps"))

    # Keep the line, not its place: an undo elsewhere may shorten the history under the list.
    def act(line: Line) -> Callable[[], None]:
        return lambda: choose(line)

    return Menu(box, title, "", [Item(numbered(replay, words, line), act(line)) for line in lines])


def change(words: Words, before: Sequence[int], after: Sequence[int]) -> str:
    """What becomes of the score, in a line: of each player whose points change."""
    changed = [
        words("correct.score", name=words.name(seat), before=old, after=new)
        for seat, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
    ]
    return ", ".join(changed) or words("correct.level")


def then(words: Words, match: Match) -> str:
    """Who is asked what next, in a line."""
    pending = match.pending
    return words("correct.then", who=words.actor(pending), question=words.prompt(pending))


class Correcting:
    """One draft and its pages, on top of whatever was shown before."""

    def __init__(self, box: Ui, referee: Referee, words: Words) -> None:
        """An empty draft; :meth:`entry` or :meth:`choose` begins it."""
        self.box = box
        self.referee = referee
        self.words = words
        self.draft = Correction(referee.replay)

    def choose(self) -> None:
        """Ask which entry was wrong."""
        title = self.words("correct.which")
        self.box.push(lines_menu(self.box, self.referee.replay, self.words, title, self.entry))

    def entry(self, line: Line) -> None:
        """Ask what an entry should have been."""
        at = place(self.referee.replay.history, line.seq)
        if at is None:
            self.box.toast(self.words("correct.gone"))
            return
        if not self.referee.replay.shown(line):  # the alternatives would give away what was chosen
            self.box.toast(self.words("correct.sealed"))
            return
        self._ask(line, self.referee.replay.match.branch(at))

    def _ask(self, line: Line, match: Match) -> None:
        """Ask about ``line``; ``match`` stands just before it."""
        words, box = self.words, self.box
        pending = match.pending
        fits = line.seat in getattr(pending, "seats", (None,))
        items = []
        if fits and isinstance(line.made, Step):
            for text in alternatives(match, line.made):
                said = words.would_say(match, line.seat, text)
                items.append(Item(said, self._amended(line, line.seat, text)))
        why = words("correct.over") if isinstance(pending, Over) else ""
        items += [
            Item(words("correct.other"), lambda: self._enter(line, match, self._other(line)), why),
            Item(words("correct.never"), lambda: self._struck(line)),
            Item(words("correct.missing"), lambda: self._enter(line, match, self._missing(line)), why),
            Item(words("correct.leave"), self._leave),
        ]
        title = words("correct.number", number=line.seq)
        box.push(Menu(box, title, told(self.referee.replay, words, line), items))

    def _enter(self, line: Line, match: Match, whole: Callable[[int | None, str, Drafted], None]) -> None:
        self.box.push(AnotherStep(self.box, self.words, self.referee, match, whole))

    # What was chosen

    def _amended(self, line: Line, seat: int | None, text: str) -> Callable[[], None]:
        def act() -> None:
            self.draft.amend(line, seat, text)
            self._go_on()

        return act

    def _other(self, line: Line) -> Callable[[int | None, str, Drafted], None]:
        def whole(seat: int | None, text: str, drafted: Drafted) -> None:
            self._with_reason(
                drafted, lambda reason: self.draft.amend(line, seat, text, drafted.waived, reason)
            )

        return whole

    def _missing(self, line: Line) -> Callable[[int | None, str, Drafted], None]:
        def whole(seat: int | None, text: str, drafted: Drafted) -> None:
            self._with_reason(
                drafted, lambda reason: self.draft.insert(line, seat, text, drafted.waived, reason)
            )

        return whole

    def _with_reason(self, drafted: Drafted, act: Callable[[str], None]) -> None:
        def given(reason: str) -> None:
            act(reason)
            self._go_on()

        if drafted.waived:
            self.box.push(reason_menu(self.box, self.words, "override", given))
        else:
            given("")

    def _struck(self, line: Line) -> None:
        self.draft.strike(line)
        self._go_on()

    def _leave(self) -> None:
        self.box.show_match()

    # What it does to the rest

    def _go_on(self) -> None:
        """Try the draft; ask next about the first entry that no longer fits, or else for consent."""
        self._leave()
        tried = self.draft.attempt()
        if not self.draft.edits:
            return
        if tried.stuck and tried.error:
            self.box.refused()
            self._ask(tried.stuck, tried.match)
            title = self.words("correct.number", number=tried.stuck.seq)
            self.box.push(Reader(self.box, title, self._why(tried, tried.stuck), Mark.REFUSED))
            return
        consent.ask(self.box, self.referee, self.words, self._summary(tried), self._record, joint=True)

    def _why(self, tried: Tried, stuck: Line) -> str:
        """Which entry no longer fits, and why."""
        words, pending = self.words, tried.match.pending
        if isinstance(tried.error, Refused):
            why = words.refusal(tried.error.refusal)
        elif isinstance(pending, Over):
            why = words("correct.over")
        else:
            why = words("correct.asked", who=words.actor(pending), question=words.prompt(pending))
        return words("correct.stuck", entry=told(self.referee.replay, words, stuck), why=why)

    def _summary(self, tried: Tried) -> str:
        """What is corrected, the score, who is asked next."""
        words, replay = self.words, self.referee.replay
        parts = []
        for edit in self.draft.edits:
            match edit:
                case Amend(seq, text):
                    parts.append(f"{self._named(seq)} → {self._now(tried, seq) or text}")
                case Strike(seq):
                    parts.append(words("correct.struck", entry=self._named(seq)))
                case Insert(seq, seat, text):
                    said = words.by(seat, self._now(tried, str(edit)) or text)
                    parts.append(words("correct.inserted", number=seq, entry=said))
                case _:
                    parts.append(words("correct.although", clauses=words.clauses(edit.clauses)))
        points = [scores_of(replay.game, one.state, len(replay.names)) for one in (replay.match, tried.match)]
        return "\n".join([*parts, change(words, *points), then(words, tried.match)])

    def _now(self, tried: Tried, entry: int | str) -> str:
        """In words what an entry would say: one of the log by its number, one put in by its ruling."""
        lines = enumerate(tried.lines)
        at = next((at for at, line in lines if entry in (line.seq, line.record.payload)), None)
        if at is None:
            return ""
        line = tried.lines[at]
        waived = line.made.waived if isinstance(line.made, Step) else ()
        return self.words.would_say(tried.match.branch(at), line.seat, line.text, waived)

    def _named(self, seq: int) -> str:
        replay = self.referee.replay
        at = place(replay.history, seq)
        return numbered(replay, self.words, replay.history[at]) if at is not None else str(seq)

    def _record(self, by: str) -> None:
        try:
            self.box.desk.rule(*self.draft.edits, source=KEYS, by=by)
        except Misfit:
            self.box.toast(self.words("correct.moved_on"))
            self._go_on()
        except EngineError as error:
            self.box.toast(str(error), urgent=True)


class AnotherStep(StepView):
    """A step put together at an earlier point of the match."""

    def __init__(
        self,
        box: Ui,
        words: Words,
        referee: Referee,
        match: Match,
        whole: Callable[[int | None, str, Drafted], None],
    ) -> None:
        """``match`` stands at that point; ``whole`` gets who, the notation and the draft."""
        super().__init__(box, words)
        self._match = match
        self._referee = referee
        self._whole = whole
        self.begin()

    @property
    def match(self) -> Match:
        """The match up to that point."""
        return self._match

    def whole(self, text: str, seat: int | None, draft: Drafted) -> None:
        """Hand it over."""
        self._whole(seat, text, draft)

    def evidence(self, refusal: Refusal) -> list[Evidence]:
        """None: entries are corrected one at a time, so none opens from here."""
        return []
