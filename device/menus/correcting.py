"""Corrections: choose an entry, say what it should have been, see the effect on later ones, agree.

A draft stays on the box until it is recorded or people give it up: a no and Back lead to it again. People
correct a later entry that no longer fits in the same draft.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from device.match import (
    KEYS,
    Amend,
    Correction,
    Insert,
    Likely,
    Line,
    Misfit,
    Override,
    Question,
    Replay,
    Strike,
    Tried,
    find_likeliest,
    find_place,
    list_alternatives,
    tell_line,
    tell_numbered,
)
from device.menus import consent
from device.menus.ring import Choices
from device.menus.step import StepView
from device.menus.ui import Ui, View
from device.menus.views import Act, Item, Menu, TextReader, ask, make_reason_menu, show
from device.screen import HeaderMark
from device.texts import reason
from engines.contract import Over
from engines.errors import EngineError, Refused
from engines.match import Match, Step
from engines.words import Words, scores_of

StepTaker = Callable[[Question], None]
"""A function that takes a complete step."""


def make_lines_menu(
    box: Ui,
    replay: Replay,
    words: Words,
    title: str,
    choose: Callable[[Line], None],
    *,
    every: bool = False,
) -> View:
    """List the steps and reports that count, or ``every`` entry that counts, the latest first."""
    lines = [line for line in reversed(replay.history) if every or line.play]
    if not lines:
        return TextReader(box, title, words("play.no_steps"))
    # Keep the line, not its place: an undo elsewhere may shorten the history under the list.
    items = [Item(tell_numbered(replay, words, line), partial(choose, line)) for line in lines]
    return Menu(box, title, "", items)


def tell_change(box: Ui, before: Sequence[int], after: Sequence[int]) -> str:
    """Return a line with the points of each player whose points change."""
    words = box.words
    changed = [
        words("correct.score", name=words.name(seat), before=old, after=new)
        for seat, (old, new) in enumerate(zip(before, after, strict=True))
        if old != new
    ]
    return words.texts.by_commas(changed) or words("correct.level")


def tell_next(words: Words, match: Match) -> str:
    """Say in a line who is asked what next."""
    pending = match.pending
    return words("correct.then", who=words.actor(pending), question=words.prompt(pending))


class Correcting:
    """One draft and its pages, above the earlier views.

    The draft stays with the box until it is recorded or given up: people who come back continue it.
    """

    def __init__(self, box: Ui) -> None:
        """Continue the pending draft, or take an empty one; :meth:`correct` or :meth:`choose` begins it."""
        self.box, self.words, self.replay = box, box.words, box.referee.replay
        self.draft = box.draft or Correction(self.replay)

    def choose(self) -> None:
        """Ask which entry was wrong; with a pending draft, ask what to do with that."""
        if self.draft.edits:
            self._keep()
        else:
            title = self.words("correct.which")
            self.box.push(make_lines_menu(self.box, self.replay, self.words, title, self.correct))

    def correct(self, line: Line) -> None:
        """Ask what an entry should have been; with a pending draft, ask what to do with that."""
        at = find_place(self.replay.history, line.seq)
        if self.draft.edits:
            self._keep()
        elif at is None:
            self.box.toast(self.words("correct.gone"))
        elif self._may_show(line):
            self._ask(line, self.replay.match.branch(at))

    def _may_show(self, line: Line) -> bool:
        """Return True if an entry may be read; the alternatives would reveal its choice."""
        shown = bool(self.replay.write_public(line))
        if not shown:
            self.box.toast(self.words("correct.sealed"))
        return shown

    def _ask(self, line: Line, match: Match, stuck: Likely | None = None) -> None:
        """Ask about ``line``; ``match`` stands just before it. ``stuck`` is the likeliest fix of a line that
        no longer fits there; a page before the question says why.
        """
        words, box = self.words, self.box
        pending = match.pending
        fits, amend = line.seat in getattr(pending, "seats", (None,)), self.draft.amend
        texts = list_alternatives(match, line.made) if fits and isinstance(line.made, Step) else ()
        items = [
            Item(words.would_say(match, line.seat, text), partial(self._edit, amend, line, line.seat, text))
            for text in texts
        ]
        likely = {Likely.NEVER: 1, Likely.MISSING: 2}
        start = len(items) + likely[stuck] if stuck in likely else 0
        why = words("correct.over") if isinstance(pending, Over) else ""
        items += [
            Item(words("correct.other"), self._enter(line, match, amend, fits and not stuck), why),
            Item(words("correct.never"), partial(self._edit, self.draft.strike, line)),
            Item(words("correct.missing"), self._enter(line, match, self.draft.insert), why),
            self._give_up(),
        ]
        back = self._keep if self.draft.edits else box.pop
        menu = Menu(box, self._tell_title(line), tell_line(self.replay, words, line), items, start, back)
        if stuck:
            box.push(menu)
        else:
            ask(box, menu)

    # The future of a draft

    def _keep(self) -> None:
        """Ask what to do with a draft that nobody agreed to yet: continue it, or give it up."""
        words, box = self.words, self.box

        def put_off() -> None:
            box.show_match()
            box.toast(words("correct.later"))

        items = [
            Item(words("correct.go_on"), self._go_on),
            Item(words("correct.more"), self._choose_another),
            self._give_up(),
        ]
        box.show_match()
        box.push(Menu(box, words("correct.draft"), words("correct.kept"), items, 0, put_off))

    def _give_up(self) -> Item:
        """Return the line that leaves without a correction, and gives up a draft."""
        begun = bool(self.draft.edits)

        def give_up() -> None:
            self.box.draft = None
            self.box.show_match()
            if begun:
                self.box.toast(self.words("correct.given_up"))

        return Item(self.words("correct.give_up" if begun else "correct.leave"), give_up)

    def _choose_another(self) -> None:
        """Ask which other entry was wrong, in the match that the draft makes."""
        tried = self.draft.attempt()
        lines = tried.lines[: len(tried.match.steps)]

        def correct(at: int) -> None:
            if self._may_show(lines[at]):
                self._ask(lines[at], tried.match.branch(at))

        played = [at for at in reversed(range(len(lines))) if lines[at].play]
        items = [Item(self._tell_listed(tried, at), partial(correct, at)) for at in played]
        self.box.push(Menu(self.box, self.words("correct.which"), "", items))

    def _tell_listed(self, tried: Tried, at: int) -> str:
        """Tell an entry of the draft: by its number, or as an added one."""
        line = tried.lines[at]
        shown = self.replay.write_public(line)
        said = self.words.made(tried.match, at) if shown else self.words.by(line.seat, "")
        return self.words("correct.added", entry=said) if self._is_new(line) else f"{line.seq} {said}"

    def _is_new(self, line: Line) -> bool:
        """Return True if only the draft has the line, which then has no number that people know."""
        return line.seq > len(self.replay.log)

    def _tell_title(self, line: Line) -> str:
        return self.words("correct.new" if self._is_new(line) else "correct.number", number=line.seq)

    def _enter(self, line: Line, match: Match, edit: Callable[..., object], near: bool = False) -> Act:
        """Return an act that asks for a step at that point and adds it to the draft as an ``edit``. With
        ``near`` it begins at the entry, and the same step again is no correction.
        """
        was: Choices = ()
        if near and isinstance(line.made, Step):
            with suppress(EngineError):  # an edit of the draft may have changed what fits there
                was = match.read(line.text, line.seat, line.made.waived).choices

        def take_step(step: Question) -> None:
            if step.choices == was and not step.waived:
                self.box.toast(self.words("correct.same"))
                return

            def add(*reason: str) -> None:
                self._edit(edit, line, step.seat, step.text, *(Override(step.waived, why) for why in reason))

            if step.waived:
                self.box.push(make_reason_menu(self.box, "override", add))
            else:
                add()

        seat = line.seat if edit == self.draft.amend else None
        return show(self.box, AnotherStep, match, take_step, was, seat)

    def _edit(self, edit: Callable[..., object], *given: object) -> None:
        edit(*given)
        self._go_on()

    # The effect on the rest

    def _go_on(self) -> None:
        """Try the draft; ask next about the first entry that no longer fits, or else for consent."""
        box = self.box
        box.show_match()
        tried = self.draft.attempt()
        box.draft = self.draft if self.draft.edits else None
        if not self.draft.edits:
            return
        if stuck := tried.stuck:
            box.play_refusal()
            self._ask(stuck, tried.match, find_likeliest(self.replay, tried))
            why = self._tell_stuck(tried, stuck)
            box.push(TextReader(box, self._tell_title(stuck), why, HeaderMark.REFUSED))
            return
        what = self._tell_effect(tried)
        consent.ask(box, what, self._record, joint=True, decline=self._keep)

    def _tell_stuck(self, tried: Tried, stuck: Line) -> str:
        """Say which entry no longer fits, and why."""
        words, pending = self.words, tried.match.pending
        if isinstance(tried.error, Refused):
            why = words.refusal(tried.error.refusal)
        elif isinstance(pending, Over):
            why = words("correct.over")
        else:
            why = words("correct.asked", who=words.actor(pending), question=words.prompt(pending))
        return words("correct.stuck", entry=tell_line(self.replay, words, stuck), why=why)

    def _tell_effect(self, tried: Tried) -> str:
        """Return the corrections; then the score and the next question, in a line."""
        words, replay = self.words, self.replay
        parts: list[str] = []
        before = 0  # the record that the last inserted entry stands before
        for edit in self.draft.edits:
            match edit:
                case Amend(seq, text):
                    parts.append(f"{self._tell_entry(seq)} → {self._tell_new(tried, seq) or text}")
                case Strike(seq):
                    parts.append(words("correct.struck", entry=self._tell_entry(seq)))
                case Insert(seq, seat, text):
                    said = words.by(seat, self._tell_new(tried, str(edit)) or text)
                    if seq == before:
                        parts[-1] += f"; {said}"
                    else:
                        parts.append(words("correct.inserted", number=seq, entry=said))
                case _:
                    parts.append(words("correct.although", clauses=words.clauses(edit.clauses)))
            before = edit.record if isinstance(edit, Insert) else 0
        parts += self._tell_carried_along(tried)
        points = [scores_of(replay.game, one.state, len(replay.names)) for one in (replay.match, tried.match)]
        after = words.texts.sentences([tell_change(self.box, *points), tell_next(words, tried.match)])
        return "\n".join([*parts, after])

    def _tell_carried_along(self, tried: Tried) -> Iterator[str]:
        """Yield the entries that nobody edited but that the edits make do something else, in words."""
        replay, match, words = self.replay, tried.match, self.words
        edited = {edit.record for edit in self.draft.edits if not isinstance(edit, Override)}
        was = {line.seq: at for at, line in enumerate(replay.history)}
        for at, line in enumerate(tried.lines[: len(match.steps)]):
            here = was.get(line.seq) if line.seq not in edited and replay.write_public(line) else None
            if here is not None and words.made(match, at) != words.made(replay.match, here):
                yield f"{self._tell_entry(line.seq)} → {self._tell_new(tried, line.seq)}"

    def _tell_new(self, tried: Tried, entry: int | str) -> str:
        """Tell an entry's new words: one of the log by its number, an inserted one by its ruling."""
        lines = enumerate(tried.lines)
        at = next((at for at, line in lines if entry in (line.seq, line.record.payload)), None)
        if at is None:
            return ""
        line = tried.lines[at]
        waived = line.made.waived if isinstance(line.made, Step) else ()
        return self.words.would_say(tried.match.branch(at), line.seat, line.text, waived)

    def _tell_entry(self, seq: int) -> str:
        at = find_place(self.replay.history, seq)
        return tell_numbered(self.replay, self.words, self.replay.history[at]) if at is not None else str(seq)

    def _record(self, by: str) -> None:
        try:
            self.box.door.rule(*self.draft.edits, source=KEYS, by=by)
            self.box.draft = None
        except Misfit:
            self.box.toast(self.words("correct.moved_on"))
            self._go_on()
        except EngineError as error:
            self.box.toast(reason(error, self.box.texts), urgent=True)


class AnotherStep(StepView):
    """A step put together at an earlier point of the match."""

    def __init__(self, box: Ui, match: Match, take_step: StepTaker, was: Choices, seat: int | None) -> None:
        """Ask ``seat`` for a step where ``match`` stands, the cursor on what it ``was``."""
        super().__init__(box)
        self._match, self._take_step, self._was = match, take_step, was
        self.drafts, self.revealed = [Question.at(match.game, match.state, seat=seat)], match.state
        self.restart_question()

    def restart_question(self) -> None:
        """Begin to ask the question anew, with the cursor on the earlier answer."""
        super().restart_question()
        made = self.question.choices
        if self._was[: len(made)] == made and len(made) < len(self._was):
            self._move_to(self._was[len(made) :])

    @property
    def match(self) -> Match:
        """The match up to that point."""
        return self._match

    def take_step(self, step: Question) -> None:
        """Hand the step over."""
        self._take_step(step)
