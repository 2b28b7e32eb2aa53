"""Why not: the reason of a refusal, and what people can ask or do further."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from device.match.words import Words
from device.menus.views import Item, Menu, Reader
from device.screen.pages import Mark
from engines.contract import Choice, Refusal
from engines.rules import load

Evidence = tuple[str, Callable[[], None]]
"""An entry that rules something out: how it is shown, and what opens it."""


class WhyNot(Reader):
    """The reason, what would have to change, what is possible, the rule; then, with OK, what now."""

    def __init__(
        self,
        box: Any,
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
