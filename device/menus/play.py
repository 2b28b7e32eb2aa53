"""The match on the screen: the pending question, the step being put together, undo, the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from device.match import KEYS, Held, Line, Override, Question, Source, Unconfirmed, tell_numbered
from device.menus import consent
from device.menus.match_menu import make_line_menu, make_steps_menu
from device.menus.new_match import rematch
from device.menus.scores import PartTable, TheEnd, make_score_table, make_why_menu
from device.menus.step import Evidence, StepView
from device.menus.ui import Ui, View
from device.menus.undoing import make_undo_menu
from device.menus.views import (
    FigureSheet,
    Item,
    Menu,
    Onward,
    TextReader,
    ask,
    attempt,
    close,
    make_reason_menu,
    show,
)
from device.screen import Page
from device.texts import reason
from engines import notation
from engines.contract import Choice, Decide, Over, Pending, Refusal
from engines.errors import EngineError
from engines.match import Match, Point
from engines.search import whole_steps


class Play(StepView):
    """The question that the match asks; each OK adds a choice to the step, and the last records it."""

    def __init__(self, box: Ui) -> None:
        """Start at the head of the match with an empty draft."""
        super().__init__(box)
        self.referee = box.referee
        self.begin()

    def begin(self) -> None:
        """Begin an empty draft at the head, with the choices that the table has already shown."""
        self.base = self.match.points[-1]
        self.source = KEYS
        self.agreed = self.begun_by_sensor = False
        super().begin()
        seen, whole = self.referee.replay.find_remembered()
        if not whole:  # the referee itself enters a whole step
            for choice in seen:
                self.choose(choice)

    @property
    def match(self) -> Match:
        """The match as it is now."""
        return self.referee.replay.match

    @property
    def over(self) -> bool:
        """True if there is no further question."""
        return isinstance(self.question.pending, Over) or self.referee.replay.abandoned

    # The page

    def page(self) -> Page:
        """Show the question, or the result of the match."""
        return self._make_result_table().page() if self.over else super().page()

    def tell_question(self, pending: Pending) -> str:
        """Return the question, with the number that a sensor counted."""
        prompt = super().tell_question(pending)
        if not self.picker or not (counted := self.box.door.counted):
            return prompt
        return self.words("reading.counted", prompt=prompt, number=max(counted, key=counted.__getitem__))

    def _try(self, choice: Choice) -> None:
        """Record a choice; warn people first of counts that a scale contradicts."""

        def make_choice() -> None:
            self.box.show_match()
            super(Play, self)._try(choice)

        if not (miscounted := self.box.door.find_miscount(choice)):
            make_choice()
            return
        number, entered = miscounted
        told = (self.words(f"reading.{key}", number=number, entered=entered) for key in ("otherwise", "same"))
        text = self.words.texts.sentences(told)
        self.box.play_refusal()
        self.box.push(Onward(self.box, self.words("reading.title"), text, make_choice))

    def _make_result_table(self) -> FigureSheet:
        table = make_score_table(self.box, self.referee.replay, self.words)
        table.at = self.index
        return table

    # The keys

    def turn(self, steps: int) -> None:
        """Move the cursor, or change the count under it."""
        if self.over:
            table = self._make_result_table()
            table.turn(steps)
            self.index = table.at
        else:
            super().turn(steps)

    def ok(self) -> None:
        """Choose what the cursor is on; at the end turn the table's pages, then show what can be done."""
        if not self.over:
            super().ok()
        elif self.index + 1 < self.box.pages(self.page()):
            self.index += 1
        else:
            self.box.push(self._make_after_menu())

    def leave(self) -> None:
        """Say that there is nothing to step out of at the start of a step."""
        self.box.toast(self.words("play.hold_back"))

    def follow(self) -> None:
        """Follow the match; drop a draft begun on an earlier head, with a message if others moved on."""
        match = self.match
        if match.points[-1] is not self.base:
            if read := [one for one in self.box.stack if one.of_sensor and isinstance(one, TextReader)]:
                close(self.box, *read)
            if len(self.drafts) > 1 and self.referee.replay.log[-1].channel != KEYS.channel:
                self.box.toast(self.words("play.moved_on"))
            over = match.game.scoring.parts_over
            before = over(self.base.state)
            self.begin()
            if not self.over and over(match.state) > before:
                self.box.push(PartTable(self.box, self.referee.replay, self.words, before + 1))

    def propose(self, choices: Sequence[Choice], at: Point, channel: str = KEYS.channel) -> None:
        """Enter choices that a sensor proposed and people accepted; ask for what it could not see.

        They start from the point ``at``; none is entered once the match has moved on. ``channel`` is the
        sensor's if a policy accepts the reading without asking.
        """
        if self.match.points[-1] is not at:
            self.box.toast(self.words("play.moved_on"))
            return
        self.begin()
        self.source = Source(channel)
        self.agreed = True
        steps, begun = whole_steps(self.match.game, self.match.state, choices)
        if len(steps) > 1 or (steps and begun):
            if not self._record_all(steps):
                return
            choices = begun
        for number, choice in enumerate(choices):
            if number == len(self.question.choices):
                self.choose(choice)

    def overrule(self, tokens: Sequence[str], clause: str, source: Source) -> None:
        """Begin a step that ``source`` wants to stand although ``clause`` forbids the last of its tokens."""
        self.begin()
        self.source = source
        for token in tokens[len(self.question.choices) : -1]:
            self.choose(self.question.read(token))
        self.choose(self.question.read(tokens[-1]), clause)

    def _record_all(self, texts: Sequence[str]) -> bool:
        """Record several steps as one group, which is undone together; return True if they were taken."""
        source = self.source
        if source.channel == KEYS.channel:
            self.box.chosen = tuple(self._tell_steps(texts))
        try:
            self.box.door.step(*texts, source=source, confirmed=True)
        except EngineError as error:
            self.box.toast(reason(error, self.box.texts), urgent=True)
            self.begin()
            return False
        self.begin()
        self.source, self.agreed = source, True
        return True

    def _tell_steps(self, texts: Sequence[str]) -> Iterator[str]:
        """Yield what each step does, in words."""
        game, state = self.match.game, self.match.state
        for text in texts:
            pending = game.rules.pending(state)
            choices, _ = notation.read(game, state, text)
            yield self.words.by(
                pending.seats[0] if isinstance(pending, Decide) else None, self.words.said(state, choices)
            )
            for choice in choices:
                state = game.rules.apply(state, choice)

    # A whole step

    def take_step(self, step: Question) -> None:
        """Record the step, after the consent that it needs.

        If people decline a forbidden step, they see again the question at which it was refused.
        """
        if step.waived and not step.sealed:
            self.drafts = [one for one in self.drafts if not one.waived]
            self.restart_question()
            self._ask_to_overrule(step)
            return
        del self.drafts[1:]
        if self.source.channel == KEYS.channel and not step.sealed:
            self.box.chosen = (self.words.by(step.seat, self.words.said(step.before, step.made)),)
        if not self._record(step.text, step.seat, confirmed=self.agreed and not step.sealed):
            self.restart_question()
            self._move_to(step.choices)  # the cursor stays in its place, in case they decline

    def _record(
        self,
        text: str,
        seat: int | None,
        *,
        confirmed: bool = False,
        override: Override | None = None,
        by: str = "",
    ) -> bool:
        """Record a step; return False if people are asked first."""
        try:
            self.box.door.step(
                text, seat=seat, source=self.source, confirmed=confirmed, override=override, by=by
            )
        except Held:
            return False
        except EngineError as error:
            self.box.toast(reason(error, self.box.texts), urgent=True)
            self.begin()
        return True

    def _ask_to_overrule(self, step: Question) -> None:
        """Ask for a reason and for consent, then record a step that the rules forbid."""
        words, base, text, clauses = self.words, self.base, step.text, step.waived

        def record(why: str, by: str) -> None:
            if self.base is base:
                del self.drafts[1:]
                self.restart_question()
                self._record(text, step.seat, override=Override(clauses, why), by=by)

        def ask_consent(why: str) -> None:
            would = words.would(self.match, step.seat, text, clauses)
            what = words("refusal.stands", step=would)
            if why:
                what = words("ruling.reason", ruling=what, reason=words.texts.recall("reason", why))
            against = words.texts.sentences(map(words.refusal, step.against))
            cited = words.texts.by_commas(clauses)
            what = f"{what}\n{words('refusal.against', why=against, clauses=cited)}"
            consent.ask(self.box, what, partial(record, why))

        reasons = make_reason_menu(self.box, "override", ask_consent)
        reasons.moved_on = lambda: self.base is not base
        self.box.push(reasons)

    def list_evidence(self, refusal: Refusal) -> list[Evidence]:
        """Return the entries behind a refusal by knowledge; each opens and can be corrected."""
        replay = self.referee.replay

        def look(line: Line) -> None:
            ask(self.box, make_line_menu(self.box, replay, self.words, line))

        lines = replay.find_evidence(refusal)
        return [(tell_numbered(replay, self.words, line), partial(look, line)) for line in lines]

    # Undo and the end

    def undo(self, above: View | None = None) -> None:
        """Name what can be taken back, and offer the ways to put right earlier entries; an unanswered
        question ``above`` goes first.
        """
        drop, dropped = self.begin, self._offer_begun()
        if above:
            drop, dropped = partial(close, self.box, above), self.words("undo.asked", what=above.asked)
        self.box.push(make_undo_menu(self.box, drop, dropped))

    def _offer_begun(self) -> str:
        """Offer to take back the step begun, in words; empty if only things that the table has already shown
        are chosen.
        """
        seen, _ = self.referee.replay.find_remembered()
        choices = self.question.choices
        if self.over or len(choices) <= len(seen):
            return ""
        return self.words("undo.begun", step=self.words.said(self.question.before, choices))

    def _make_after_menu(self) -> Menu:
        box, replay, words = self.box, self.referee.replay, self.words
        others = [
            Item(words("play.rematch"), partial(rematch, box)),
            Item(words("why.title"), show(box, make_why_menu, replay, words)),
            Item(words("play.steps"), show(box, make_steps_menu, replay, words)),
            Item(words("undo.title"), self.undo),
            Item(words("home.home"), box.go_home),
        ]
        if self.match.state.termination:
            return TheEnd(box, others)
        return Menu(box, words("play.over"), words("play.what_now"), others)


class ConfirmingEntry(Menu):
    """The question whether an entry is right, before it counts.

    With the policy ``other`` it asks the player after the one who made it, ``whom``, by name; otherwise
    ``whom`` is None, and it asks anybody at the box.
    """

    def __init__(
        self,
        box: Ui,
        words: Callable[..., str],
        tell: Callable[[Any], str],
        waiting: Unconfirmed,
        names: Sequence[str],
    ) -> None:
        """Ask about a waiting entry; ``tell`` tells it in the words of any language, ``names`` are the
        players.
        """
        other = waiting.policy == "other" and waiting.seat is not None
        self.whom = ((waiting.seat or 0) + 1) % len(names) if other else None
        self.tell = tell
        self._waiting = waiting
        items = [Item(words("confirm.yes"), self.accept), Item(words("confirm.no"), self.decline)]
        super().__init__(
            box, words("confirm.title") if self.whom is None else names[self.whom], tell(words), items
        )
        self.asked = self.prompt
        self.asks_others = waiting.policy == "other"
        self.moved_on = waiting.moved_on

    def accept(self) -> None:
        """Let the entry count."""
        close(self.box, self)
        attempt(self.box, self._waiting.record)

    def decline(self) -> None:
        """Drop the entry."""
        close(self.box, self)
