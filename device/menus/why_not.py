"""Why not: what a refusal says, and what people can do about it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from device.match import Words
from device.menus.ui import Ui, View
from device.menus.views import Item, Menu, Reader
from device.screen import Mark
from engines.contract import Choice, Refusal
from engines.errors import Impossible
from engines.rules import load

Evidence = tuple[str, Callable[[], None]]
"""An entry that rules something out: how it is shown, and what opens it."""


class Asking(View):
    """The question that a choice was refused at: a step being put together."""

    words: Words
    drafts: Sequence[object]
    """The points of the draft, the one that it has reached last."""

    @property
    @abstractmethod
    def options(self) -> list[Choice]:
        """What is legal."""

    @property
    @abstractmethod
    def sealed(self) -> bool:
        """Whether several choose at once, each unseen by the others."""

    @abstractmethod
    def evidence(self, refusal: Refusal) -> list[Evidence]:
        """The entries that a refusal by knowledge rests on."""

    @abstractmethod
    def choose(self, choice: Choice, overruled: str = "") -> None:
        """Take a choice; ``overruled`` is the clause that forbids it, where it is to stand all the same."""


def say(step: Asking, choice: Choice, refusal: Refusal) -> None:
    """Say why, and let people ask further or overrule."""
    step.box.refused()
    overrule = None if step.sealed else _overruling(step, choice, refusal)
    options = [step.words.choice(option) for option in step.options]
    evidence = step.evidence(refusal)
    step.box.push(WhyNot(step.box, step.words, choice, refusal, options, evidence, overrule))


def _overruling(step: Asking, choice: Choice, refusal: Refusal) -> Callable[[], None]:
    draft = step.drafts[-1]

    def act() -> None:
        while step.box.stack[-1] is not step:
            step.box.pop()
        if step.drafts[-1] is not draft:  # entries lost, or made elsewhere, have changed the question
            step.box.toast(step.words("consent.moved_on"))
            return
        try:
            step.choose(choice, refusal.clause)
        except Impossible:
            step.box.refused()
            step.box.toast(step.words("refusal.impossible"), urgent=True)

    return act


class WhyNot(Reader):
    """A refusal: the reason, the remedy, what is possible, the clause; then, with OK, what people can do."""

    def __init__(
        self,
        box: Ui,
        words: Words,
        choice: Choice,
        refusal: Refusal,
        options: Sequence[str],
        evidence: Sequence[Evidence] = (),
        overrule: Callable[[], None] | None = None,
    ) -> None:
        """``options`` are the names of what is legal; ``evidence`` the entries that rule the choice out, each
        with what opens it; ``overrule`` lets the choice stand.
        """
        clause = load(words.game.id).clause(refusal.clause)
        parts = [f"{words.choice(choice)}: {words.refusal(refusal)}", words.remedy(refusal)]
        if evidence:
            parts.append("\n".join([words("play.evidence"), *[label for label, _ in evidence]]))
        if options:
            parts.append(words("play.possible", options=", ".join(options)))
        parts.append(f"{clause.id}: {clause.text}")
        super().__init__(box, refusal.clause, "\n".join(part for part in parts if part), Mark.REFUSED)
        self._words = words
        self._items = [Item(label, act) for label, act in evidence]
        if overrule:
            self._items.append(Item(words("refusal.overrule"), overrule))

    def ok(self) -> None:
        """The next page; after the last, what people can do about it."""
        if self.at + 1 < self.box.pages(self.page()) or not self._items:
            super().ok()
            return
        self.box.pop()
        words = self._words
        items = [Item(words("refusal.leave"), self.box.pop), *self._items]
        self.box.push(Menu(self.box, self.title, words("play.what_now"), items))
