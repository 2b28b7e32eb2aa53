"""The match on the screen: the pending question, the step being put together, refusals, undo, the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from device.box.views import Item, Menu, Reader, Sheet, View
from device.pages import CountsPage, ListPage, Mark, NoticePage, Page, WheelPage
from device.records import Record
from device.referee import CannotUndo, Referee, Undoable
from device.story import Story
from device.words import Words, breakdown, scores
from engines import bags
from engines.contract import Choice, Decide, Multiset, Over, Picker, Refusal
from engines.errors import EngineError
from engines.match import Point
from engines.rules import load

CHANNEL = "keys"
MORE = "…"
BEGUN = 12
"""How many characters fit into the header beside the scores."""


class Drafted(msgspec.Struct, frozen=True):
    """A point of the draft a person can step back to: the state and the choices that led there."""

    state: Any
    choices: tuple[Choice, ...]


class Play(View):
    """The question the match asks; OK by OK a step is put together, and the last OK records it."""

    def __init__(self, box: Any, referee: Referee, words: Words) -> None:
        """Start at the head of the match with an empty draft."""
        super().__init__(box)
        self.referee = referee
        self.words = words
        self._begin()

    def _begin(self) -> None:
        self.base = self.referee.match.points[-1]
        self.channel = CHANNEL
        self.drafts = [Drafted(self.base.state, ())]
        self._ask()

    def _ask(self) -> None:
        """Put the cursor where the answer most likely is."""
        self.index = 0
        self.counts: list[int] = []
        self.editing = False
        self.uncovered = False
        pending = self.pending
        if isinstance(pending, Over):
            return
        if isinstance(pending.domain, Multiset):
            self.counts = [0] * len(pending.domain.kinds)
        last = self.drafts[-1].choices[-1:]
        tokens = [choice.token for choice in self.options]
        if last and last[0].question == pending.question and last[0].token in tokens:
            self.index = tokens.index(last[0].token)

    @property
    def state(self) -> Any:
        """The state the draft has reached."""
        return self.drafts[-1].state

    @property
    def pending(self) -> Any:
        """The question on the screen."""
        if len(self.drafts) == 1:
            return self.referee.match.pending
        return self.referee.game.pending(self.state)

    @property
    def options(self) -> list[Choice]:
        """The choices on the screen, in their order; "not listed" comes after them."""
        pending = self.pending
        seat = pending.seats[0] if isinstance(pending, Decide) else None
        return self.referee.game.legal(self.state, seat)

    # What is shown

    def page(self) -> Page:
        """The question, or how the match ended."""
        pending = self.pending
        if isinstance(pending, Over) or self.referee.abandoned:
            return self._result().page()
        sealed = self._sealed(pending)
        actor = self.words.name(pending.seats[0]) if sealed else self.words.actor(pending)
        header = self.box.header(self._begun(actor))
        prompt = self.words.prompt(pending)
        if sealed and not self.uncovered:
            return NoticePage(header, self.words("play.pass_box", name=actor))
        if isinstance(pending.domain, Multiset):
            labels = tuple(self.words.choice(Choice(pending.question, kind)) for kind in pending.domain.kinds)
            return CountsPage(header, prompt, labels, tuple(self.counts), self.index, self.editing)
        labels = tuple(self.words.choice(choice) for choice in self.options)
        if pending.domain.picker is Picker.WHEEL:
            return WheelPage(header, prompt, (*labels, MORE), self.index)
        return ListPage(header, prompt, (*labels, self.words("play.not_listed")), self.index)

    def _begun(self, actor: str) -> str:
        """Whose turn it is, after what of the step is there already: of a long one its end, and no name."""
        text = self.referee.game.text(self.drafts[-1].choices)
        if len(text) + len(actor) < BEGUN:
            return f"{text} {actor}".lstrip()
        return (text if len(text) <= BEGUN else f"…{text[1 - BEGUN :]}") or actor

    def _sealed(self, pending: Any) -> bool:
        """Whether the choice is made unseen; then the box is passed, and the page covered until OK."""
        asked = self.referee.game.pending(self.state)
        return isinstance(pending, Decide) and isinstance(asked, Decide) and len(asked.seats) > 1

    def _result(self) -> Sheet:
        table = score_table(self.box, self.referee, self.words)
        table.at = self.index
        return table

    # The keys

    def turn(self, steps: int) -> None:
        """Move the cursor, or change the count under it."""
        pending = self.pending
        if isinstance(pending, Over) or self.referee.abandoned:
            table = self._result()
            table.turn(steps)
            self.index = table.at
        elif self._sealed(pending) and not self.uncovered:
            return
        elif self.editing:
            self.counts[self.index] = max(0, min(self.counts[self.index] + steps, bags.FULL))
        elif isinstance(pending.domain, Multiset):
            self.index = (self.index + steps) % (len(self.counts) + 1)
        else:
            self.index = (self.index + steps) % (len(self.options) + 1)

    def ok(self) -> None:
        """Choose what the cursor is on."""
        pending = self.pending
        if isinstance(pending, Over) or self.referee.abandoned:
            self.box.push(self._after())
        elif self._sealed(pending) and not self.uncovered:
            self.uncovered = True
        elif isinstance(pending.domain, Multiset):
            self._count(pending)
        elif self.index < len(options := self.options):
            self._choose(options[self.index])
        else:
            self._wider(pending)

    def back(self) -> None:
        """One choice back; at the start of a step there is nothing to step out of."""
        if self.editing:
            self.editing = False
        elif self.uncovered:
            self._ask()
        elif len(self.drafts) > 1:
            left = self.drafts.pop().choices[len(self.drafts[-1].choices)]
            self._ask()
            if left in self.options:
                self.index = self.options.index(left)
        else:
            self.box.toast(self.words("play.hold_back"))

    def changed(self) -> None:
        """Follow the match; a draft that was begun on an earlier head is dropped, and said to be."""
        if self.referee.match.points[-1] is not self.base:
            if len(self.drafts) > 1:
                self.box.toast(self.words("play.moved_on"))
            self._begin()

    def propose(self, choices: Sequence[Choice], at: Point, channel: str = CHANNEL) -> None:
        """Take over choices that a sensor proposed and people accepted; what it could not see is asked.

        All or none: ``at`` is the point of the match that they start from. ``channel`` is the sensor's where
        people have said beforehand that a sure reading counts.
        """
        if self.referee.match.points[-1] is not at:
            self.box.toast(self.words("play.moved_on"))
            return
        self._begin()
        self.channel = channel
        for number, choice in enumerate(choices):
            if number == len(self.drafts[-1].choices):
                self._choose(choice)

    # Putting a step together

    def _count(self, pending: Any) -> None:
        if self.index < len(self.counts):
            self.editing = not self.editing
            return
        held = sum(bags.one(kind, count) for kind, count in enumerate(self.counts))
        choice = Choice(pending.question, pending.domain.write(held))
        refusal = self.referee.game.why_not(self.state, choice)
        if refusal:
            self.refused(choice, refusal)
        else:
            self._choose(choice)

    def _choose(self, choice: Choice) -> None:
        """Take a choice, then all that follow without a choice, and record the step when it is whole."""
        game = self.referee.game
        choices = (*self.drafts[-1].choices, choice)
        state = self.state
        if not self._sealed(self.pending):
            state = game.apply(state, choice)
            while (pending := game.pending(state)).open and len(only := game.legal(state)) == 1:
                choices = (*choices, only[0])
                state = game.apply(state, only[0])
            if pending.open:
                self.drafts.append(Drafted(state, choices))
                self._ask()
                return
        pending = self.referee.match.pending
        seat = pending.seats[0] if isinstance(pending, Decide) else None
        chosen = len(self.drafts[-1].choices) + 1
        text = game.text(choices)
        del self.drafts[1:]
        try:
            self.referee.step(text, seat=seat, channel=self.channel)
        except EngineError as error:
            self.box.toast(str(error), urgent=True)
            self._begin()
        else:
            if len(choices) > chosen:  # the rest went without saying; here it is said
                self.box.toast(self.words.step(seat, text))

    # Refusals

    def _wider(self, pending: Any) -> None:
        """What is not listed, so that people can ask why not."""
        game, state = self.referee.game, self.state
        seat = pending.seats[0] if isinstance(pending, Decide) else None
        listed = set(self.options)
        items = []
        for token in pending.domain.tokens:
            choice = Choice(pending.question, token)
            if choice not in listed and (refusal := game.why_not(state, choice, seat)):
                items.append(Item(self.words.choice(choice), self._refuse(choice, refusal)))
        if items:
            title = self.words("play.why_not")
            self.box.push(Menu(self.box, title, self.words.prompt(pending), items))
        else:
            self.box.toast(self.words("play.all_listed"))

    def _refuse(self, choice: Choice, refusal: Refusal) -> Any:
        return lambda: self.refused(choice, refusal)

    def refused(self, choice: Choice, refusal: Refusal) -> None:
        """Say why: the reason, the clause, what rules it out, what is possible."""
        self.box.refused()
        parts = [f"{self.words.choice(choice)}: {self.words.refusal(refusal)}"]
        records = self.referee.evidence(refusal)
        if records:
            shown = [_numbered(self.referee, self.words, record) for record in records]
            parts.append("\n".join([self.words("play.evidence"), *shown]))
        legal = [self.words.choice(option) for option in self.options]
        if legal:
            parts.append(self.words("play.possible", options=", ".join(legal)))
        clause = load(self.referee.game.id).clause(refusal.clause)
        parts.append(f"{clause.id}: {clause.text}")
        self.box.push(Reader(self.box, refusal.clause, "\n".join(parts), Mark.REFUSED))

    # Undo and the end

    def undo(self) -> None:
        """Name what an undo would take back, and ask."""
        try:
            offers = self.referee.undoable()
        except CannotUndo as error:
            self.box.refused()
            figures: dict[str, Any] = dict(error.figures)
            self.box.push(Reader(self.box, self.words("undo.title"), self.words(error.key, (), **figures)))
            return
        items = []
        for offer in offers:
            key = "undo.redo" if offer.redo else "undo.step"
            label = self.words(
                key,
                (),
                step=self.words.step(offer.seat, offer.text),
                text=offer.text or self.words("play.sealed"),
            )
            items.append(Item(label, self._undoing(offer)))
        items.append(Item(self.words("undo.keep"), self.box.pop))
        self.box.push(Menu(self.box, self.words("undo.title"), self.words("undo.prompt"), items))

    def _undoing(self, offer: Undoable) -> Any:
        def act() -> None:
            self.box.pop()
            self._begin()
            try:
                self.referee.undo(offer, channel=CHANNEL)
            except EngineError as error:
                self.box.toast(str(error), urgent=True)

        return act

    def _after(self) -> Menu:
        items = [
            Item(self.words("play.rematch"), self.box.rematch),
            Item(
                self.words("play.steps"),
                lambda: self.box.push(steps_menu(self.box, self.referee, self.words)),
            ),
            Item(self.words("home.home"), self.box.home),
        ]
        return Menu(self.box, self.words("play.over"), self.words("play.what_now"), items)

    def menu(self) -> Menu:
        """What a long Back opens during a match."""
        box, referee, words = self.box, self.referee, self.words
        items = [
            Item(words("play.scores"), lambda: box.push(score_table(box, referee, words))),
            Item(words("play.steps"), lambda: box.push(steps_menu(box, referee, words))),
            Item(words("setup.status"), lambda: box.push(box.status())),
            Item(words("play.abandon"), self._abandon),
            Item(words("home.home"), box.home),
        ]
        return Menu(box, words("play.menu"), "", items)

    def _abandon(self) -> None:
        def act() -> None:
            self.referee.abandon(channel=CHANNEL)
            self.box.home()

        items = [Item(self.words("undo.keep"), self.box.pop), Item(self.words("play.abandon"), act)]
        self.box.push(Menu(self.box, self.words("play.abandon"), self.words("play.sure"), items))


def score_table(box: Any, referee: Story, words: Words) -> Sheet:
    """The breakdown by category, totals first."""
    game, state = referee.game, referee.match.state
    points = breakdown(game.bookings(state), game.categories, len(referee.names))
    rows: list[Sequence[str]] = [
        (words(f"category.{category}"), *map(str, row))
        for category, row in zip(game.categories, points, strict=True)
    ]
    title = words("play.standing")
    if state.termination:
        won = game.winners(state)
        key = "play.won" if len(won) == 1 else "play.shared"
        title = words(key, (), name=" + ".join(words.name(seat) for seat in won))
    elif referee.abandoned:
        title = words("play.abandoned")
    return Sheet(box, title, referee.names, rows, tuple(map(str, scores(referee))))


def _numbered(story: Story, words: Words, record: Record) -> str:
    return f"{record.seq} {words.step(record.seat, story.shown(record))}"


def steps_menu(box: Any, referee: Story, words: Words) -> View:
    """The steps that count, the latest first; OK on one tells all about it."""
    if not referee.history:
        return Reader(box, words("play.steps"), words("play.no_steps"))

    def about(record: Record) -> Reader:
        seconds = record.utc_ms // 1000
        lines = [words.step(record.seat, referee.shown(record)), box.time(seconds), record.channel]
        lines += [words("play.simulated")] * record.simulated
        return Reader(box, f"{words('play.record')} {record.seq}", "\n".join(lines))

    # The record itself, not its place: an undo elsewhere may shorten the history under the list.
    def tell(record: Record) -> Any:
        return lambda: box.push(about(record))

    items = [Item(_numbered(referee, words, record), tell(record)) for record in reversed(referee.history)]
    return Menu(box, words("play.steps"), "", items)
