"""The toy game on a board (:mod:`tests.engines.grid_toy`), as if it were one of the house's."""

from __future__ import annotations

import sys

import engines
from device.texts import Texts
from engines.contract import Setup
from engines.rules import Clause, Rules
from engines.rules import load as load_rules
from tests.engines import grid_toy

ID = "grid_toy"
TEXTS = {
    "title": "Stones",
    "question": {"action": "Your action?", "to": "Where to?"},
    "action": {"B": "Block {cell}", "M": "Piece {cell}", "pass": "pass"},
    "category.height": "Height",
    "termination.counted": "All counted.",
    "refused": {
        "to.free": "{cell} is taken.",
        "to.beside": "{cell} is too far.",
        "to.climb": "{cell} is too high.",
        "move.own": "Your piece is not on {cell}.",
        "move.stuck": "The piece on {cell} is stuck.",
        "block.free": "A piece stands on {cell}.",
        "block.high": "{cell} is 3 high.",
    },
}
CLAUSES = tuple(Clause(f"G-{number}", "Stones", f"Clause {number} of the stones.") for number in range(1, 5))
FULL = Setup()


def at(heights: str, turn: int = 0, a: str = "a1", b: str = "d3") -> Setup:
    """A match that stands so; ``heights`` row by row with a / between them."""
    return Setup(position=f"{heights} a={a} b={b} turn={turn} moving=0 by_hand=0,0")


def install(monkeypatch) -> str:
    """Until the test ends; gives the game's id."""
    monkeypatch.setitem(sys.modules, f"engines.{ID}", grid_toy)
    monkeypatch.setattr(engines, "GAMES", (*engines.GAMES, ID))
    load = Texts.load.__func__

    def with_stones(cls, language="en", *games, strict=False):
        texts = load(cls, language, *(game for game in games if game != ID), strict=strict)
        if ID in games:
            texts._texts |= Texts(TEXTS)._texts
        return texts

    def rules(game):
        return Rules(game, "Stones", "", CLAUSES) if game == ID else load_rules(game)

    monkeypatch.setattr(Texts, "load", classmethod(with_stones))
    for module in ("step", "home"):
        monkeypatch.setattr(f"device.menus.{module}.load", rules)
    engines.game.cache_clear()
    return ID
