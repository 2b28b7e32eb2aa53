"""Matches of the toy game on a board (:mod:`tests.engines.grid_toy`)."""

from __future__ import annotations

from engines.contract import Setup

FULL = Setup()


def at(heights: str, turn: int = 0, a: str = "a1", b: str = "d3") -> Setup:
    """A match that stands so; ``heights`` row by row with a / between them."""
    return Setup(position=f"{heights} a={a} b={b} turn={turn} moving=0 by_hand=0,0")
