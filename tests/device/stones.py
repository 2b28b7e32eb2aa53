"""Matches of the toy game on a board (:mod:`tests.engines.grid_toy`)."""

from engines.contract import Setup

HEXES = Setup(options=(("ground", "hexes"),))


def at(heights: str, turn: int = 0, a: str = "a1", b: str = "d3", pegs: str = "") -> Setup:
    """A match that stands so; ``heights`` row by row with a / between them, ``pegs`` on hexes only."""
    line = f"{heights} a={a} b={b} turn={turn} moving=0 by_hand=0,0"
    return Setup(position=f"{line} pegs={pegs}" if pegs else line)
