"""A reason, chosen from a short list rather than typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device.match.words import Words
from device.menus.views import Item, Menu


def reason_menu(box: Any, words: Words, what: str, act: Callable[[str], None]) -> Menu:
    """The reasons that the texts have under ``reason.<what>``, and none; ``act`` gets the one chosen."""

    def give(reason: str) -> Callable[[], None]:
        def chosen() -> None:
            box.pop()
            act(reason)

        return chosen

    items = [Item(reason, give(reason)) for reason in words.texts.all(f"reason.{what}")]
    items.append(Item(words("reason.none"), give("")))
    return Menu(box, words("reason.title"), "", items)
