"""Making text fit a width in px: wrapped into lines, names shortened, and what still is too long cut."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from device.screen.pixels.fonts import Font, tidy
from device.texts import apart

ELLIPSIS = "…"


def cut(text: str, font: Font, width: int) -> str:
    """``text`` with its end replaced by … where it is wider than ``width`` px: the last resort."""
    text = tidy(text)
    if font.measure(text) <= width:
        return text
    while text and font.measure(text + ELLIPSIS) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS if font.measure(ELLIPSIS) <= width else ""


def called(names: Sequence[str], font: Font, width: int) -> tuple[str, ...]:
    """Players' names, each within ``width`` px: whole where it fits, else three letters and what tells it
    from the others, or that alone.
    """
    forms = zip(names, apart(names, 3), apart(names), strict=True)
    fitting = (next((name for name in each if font.measure(name) <= width), each[-1]) for each in forms)
    return tuple(cut(name, font, width) for name in fitting)


@lru_cache(maxsize=64)
def wrap(text: str, font: Font, width: int) -> tuple[str, ...]:
    """``text`` in lines of at most ``width`` px, broken between words, or inside a word that fills a line.

    Line breaks in ``text`` stay. A single character wider than ``width`` gets a line of its own.
    """
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        line = ""
        for word in tidy(paragraph).split():
            joined = f"{line} {word}" if line else word
            if font.measure(joined) <= width:
                line = joined
                continue
            if line:
                lines.append(line)
            *full, line = _slices(word, font, width)
            lines += full
        lines.append(line)
    return tuple(lines)


def balance(text: str, font: Font, width: int) -> tuple[str, ...]:
    """:func:`wrap` with lines of about equal length: as many lines, but no single word left on the last."""
    lines = wrap(text, font, width)
    for narrower in range(width - font.cell, 0, -font.cell):
        tighter = wrap(text, font, narrower)
        if len(tighter) > len(lines) or any(font.measure(word) > narrower for word in text.split()):
            break
        lines = tighter
    return lines


def _slices(word: str, font: Font, width: int) -> list[str]:
    slices = [""]
    for char in word:
        if slices[-1] and font.measure(slices[-1] + char) > width:
            slices.append("")
        slices[-1] += char
    return slices
