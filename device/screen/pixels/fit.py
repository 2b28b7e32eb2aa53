"""Making text fit a width in px: wrapped into lines, names shortened, and what still is too long cut."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from string import ascii_lowercase

from device.screen.pixels.fonts import Font, tidy
from engines.texts import apart

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
    from the others, that alone, or its first letter and the one that tells it apart.

    Where that leaves two alike, all of them are ``a``, ``b``, ``c`` by their place.
    """
    short = apart(names)
    ends = (name[:1] + name[-1:] for name in short)
    forms = zip(names, apart(names, 3), short, ends, strict=True)
    fitting = [next((name for name in each if font.measure(name) <= width), "") for each in forms]
    if len(set(fitting)) < len(names):
        return tuple(ascii_lowercase[: len(names)])
    return tuple(fitting)


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
