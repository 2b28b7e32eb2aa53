"""Marks that several games draw on their tables (:mod:`engines.contract.scene`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from engines.contract import Label, Mark, Shape

Words = str | Label


def outlined(shape: Shape, x: float, y: float, w: float, h: float = 0, fill: str = "", **more: Any) -> Mark:
    """Return a mark with an outline, to a tenth of a pixel; ``more`` are further fields of :class:`Mark`."""
    return Mark(shape=shape, x=_round(x), y=_round(y), w=_round(w), h=_round(h), fill=fill, **more)


def _round(pixels: float) -> float:
    """Return a length to a tenth; a whole one as an int, which takes fewer letters in JSON."""
    near = round(pixels, 1)
    return int(near) if near == int(near) else near


rect = partial(outlined, Shape.RECT)
disc = partial(outlined, Shape.ROUND)
octagon = partial(outlined, Shape.OCTAGON)
hexagon = partial(outlined, Shape.HEX)
arch = partial(outlined, Shape.ARCH)


def path(x: float, y: float, d: str, **more: Any) -> Mark:
    """Return the mark of a path from ``x``, ``y``; ``more`` are further fields of :class:`Mark`."""
    return outlined(Shape.PATH, x, y, 0, path=d, **more)


def sign(seat: int, x: float, y: float, w: float, **more: Any) -> Mark:
    """Return a seat's sign with its letter; the ``text`` " " leaves the letter out."""
    return outlined(Shape.SEAT, x, y, w, seat=seat, edge="ink", **more)


def icon(name: str, x: float, y: float, w: float, ink: str = "ink", **more: Any) -> Mark:
    """Return a pictogram by itself."""
    return Mark(icon=name, x=x, y=y, w=w, ink=ink, **more)


def title(seat: int, x: float = 16, y: float = 36, size: float = 36, room: float = 320) -> Iterator[Mark]:
    """Yield a seat's sign and name, side by side from ``x`` on; the name is no wider than ``room``."""
    yield sign(seat, x + 22, y, 44)
    yield Mark(x=x + 56, y=y, w=room, seat=seat, size=size, bold=True, align="start")


def said(x: float, y: float, text: Words, size: float = 26, ink: str = "quiet", **more: Any) -> Mark:
    """Return words in one line, which begins at ``x`` and has its middle at ``y``."""
    return Mark(x=x, y=y, text=text, size=size, ink=ink, **{"align": "start", **more})


def figure(x: float, y: float, text: Words, size: float = 44, **more: Any) -> Mark:
    """Return a bold figure, which ends at ``x`` and has its middle at ``y``."""
    return Mark(x=x, y=y, text=text, size=size, **{"ink": "ink", "bold": True, "align": "end", **more})


def line(x: float, y: float, width: float) -> Mark:
    """Return a thin horizontal line."""
    return path(x, y, f"M0 0H{width:g}", edge="line")


def pile(x: float, y: float, w: float, h: float, count: int, back: str, **more: Any) -> Iterator[Mark]:
    """Yield a pile of cards face down, with their number on the top one; a dashed place for an empty pile."""
    for under in range(min(count, 3) - 1, 0, -1):
        yield rect(x - 4 * under, y + 4 * under, w, h, back, edge="ink")
    if count:
        yield rect(x, y, w, h, back, edge="ink", text=str(count), size=h * 0.36, bold=True, **more)
    else:
        yield rect(x, y, w, h, edge="line", dashed=True, **more)


def spread(count: int, middle: float, step: float) -> Sequence[float]:
    """Return ``count`` places, ``step`` apart, around ``middle``."""
    return [middle + (at - (count - 1) / 2) * step for at in range(count)]
