"""Putting a step together, question by question: the same whether it is played now or corrected later."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import msgspec

from device.box.refusals import Evidence, WhyNot
from device.box.views import Item, Menu, View
from device.pages import CountsPage, ListPage, NoticePage, Page, WheelPage
from device.words import Words
from engines import bags
from engines.contract import Choice, Decide, Multiset, Over, Picker, Refusal
from engines.errors import Impossible
from engines.match import Match

CHANNEL = "keys"
MORE = "…"
BEGUN = 12
"""How many characters fit into the header beside the scores."""


class Drafted(msgspec.Struct, frozen=True):
    """A point of the draft a person can step back to: the state, the choices that led there, and the clauses
    that forbid some of them and are to be overruled.
    """

    state: Any
    choices: tuple[Choice, ...] = ()
    waived: tuple[str, ...] = ()


class StepView(View):
    """The question a match asks; OK by OK a step is put together, and the last OK makes it whole."""

    def __init__(self, box: Any, words: Words) -> None:
        """Whoever extends this calls :meth:`begin` once its match is there."""
        super().__init__(box)
        self.words = words

    @property
    @abstractmethod
    def match(self) -> Match:
        """The match that the step is made in; it stands where the step begins."""

    @abstractmethod
    def whole(self, text: str, seat: int | None, draft: Drafted) -> None:
        """The step is complete: its notation, who makes it, and the last point of the draft."""

    @abstractmethod
    def evidence(self, refusal: Refusal) -> list[Evidence]:
        """The entries that a refusal by knowledge rests on."""

    def leave(self) -> None:
        """Back was pressed where there is nothing of the step to step out of."""
        self.box.pop()

    def begin(self) -> None:
        """Start with an empty draft."""
        self.drafts = [Drafted(self.match.state)]
        self.ask()

    def ask(self) -> None:
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
            return self.match.pending
        return self.match.game.pending(self.state)

    @property
    def seat(self) -> int | None:
        """Who is asked, None for the table."""
        pending = self.pending
        return pending.seats[0] if isinstance(pending, Decide) else None

    @property
    def options(self) -> list[Choice]:
        """The choices on the screen, in their order; "not listed" comes after them."""
        return self.match.game.legal(self.state, self.seat)

    # What is shown

    def page(self) -> Page:
        """The question."""
        pending = self.pending
        sealed = self.sealed
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
        text = self.match.game.text(self.drafts[-1].choices)
        if len(text) + len(actor) < BEGUN:
            return f"{text} {actor}".lstrip()
        return (text if len(text) <= BEGUN else f"…{text[1 - BEGUN :]}") or actor

    @property
    def sealed(self) -> bool:
        """Whether the choice is made unseen; then the box is passed, and the page covered until OK."""
        asked = self.match.game.pending(self.state)
        return isinstance(self.pending, Decide) and isinstance(asked, Decide) and len(asked.seats) > 1

    # The keys

    def turn(self, steps: int) -> None:
        """Move the cursor, or change the count under it."""
        pending = self.pending
        if self.sealed and not self.uncovered:
            return
        if self.editing:
            self.counts[self.index] = max(0, min(self.counts[self.index] + steps, bags.FULL))
        elif isinstance(pending.domain, Multiset):
            self.index = (self.index + steps) % (len(self.counts) + 1)
        else:
            self.index = (self.index + steps) % (len(self.options) + 1)

    def ok(self) -> None:
        """Choose what the cursor is on."""
        pending = self.pending
        if self.sealed and not self.uncovered:
            self.uncovered = True
        elif isinstance(pending.domain, Multiset):
            self._count(pending)
        elif self.index < len(options := self.options):
            self.choose(options[self.index])
        else:
            self._wider(pending)

    def back(self) -> None:
        """One choice back."""
        if self.editing:
            self.editing = False
        elif self.uncovered:
            self.ask()
        elif len(self.drafts) > 1:
            left = self.drafts.pop().choices[len(self.drafts[-1].choices)]
            self.ask()
            if left in self.options:
                self.index = self.options.index(left)
        else:
            self.leave()

    # Putting it together

    def _count(self, pending: Any) -> None:
        if self.index < len(self.counts):
            self.editing = not self.editing
            return
        held = sum(bags.one(kind, count) for kind, count in enumerate(self.counts))
        choice = Choice(pending.question, pending.domain.write(held))
        refusal = self.match.game.why_not(self.state, choice)
        if refusal:
            self.refused(choice, refusal)
        else:
            self.choose(choice)

    def choose(self, choice: Choice, overruled: str = "") -> None:
        """Take a choice, then all that follow without a choice.

        ``overruled`` is the clause that forbids it, where it is to stand all the same.
        """
        game, draft = self.match.game, self.drafts[-1]
        choices, state, waived = (*draft.choices, choice), draft.state, draft.waived
        if not self.sealed:
            if overruled:
                state = game.overrule(state, choice, overruled, self.seat)
                waived = tuple(dict.fromkeys((*waived, overruled)))
            else:
                state = game.apply(state, choice)
            while (pending := game.pending(state)).open and len(only := game.legal(state)) == 1:
                choices = (*choices, only[0])
                state = game.apply(state, only[0])
            if pending.open:
                self.drafts.append(Drafted(state, choices, waived))
                self.ask()
                return
        pending = self.match.pending
        seat = pending.seats[0] if isinstance(pending, Decide) else None
        self.whole(game.text(choices), seat, Drafted(state, choices, waived))

    # Refusals

    def _wider(self, pending: Any) -> None:
        """What is not listed, so that people can ask why not."""
        game, state = self.match.game, self.state
        listed = set(self.options)
        items = []
        for token in pending.domain.tokens:
            choice = Choice(pending.question, token)
            if choice not in listed and (refusal := game.why_not(state, choice, self.seat)):
                items.append(Item(self.words.choice(choice), self._refuse(choice, refusal)))
        if items:
            title = self.words("play.why_not")
            self.box.push(Menu(self.box, title, self.words.prompt(pending), items))
        else:
            self.box.toast(self.words("play.all_listed"))

    def _refuse(self, choice: Choice, refusal: Refusal) -> Callable[[], None]:
        return lambda: self.refused(choice, refusal)

    def refused(self, choice: Choice, refusal: Refusal) -> None:
        """Say why, and let people ask further or overrule."""
        self.box.refused()
        overrule = None if self.sealed else self._overruling(choice, refusal)
        options = [self.words.choice(option) for option in self.options]
        evidence = self.evidence(refusal)
        self.box.push(WhyNot(self.box, self.words, choice, refusal, options, evidence, overrule))

    def _overruling(self, choice: Choice, refusal: Refusal) -> Callable[[], None]:
        def act() -> None:
            while self.box.stack[-1] is not self:
                self.box.pop()
            try:
                self.choose(choice, refusal.clause)
            except Impossible:
                self.box.refused()
                self.box.toast(self.words("refusal.impossible"), urgent=True)

        return act
