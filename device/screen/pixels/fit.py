"""Making text fit a width in px: shortened in the middle, cut at the end, or wrapped into lines."""

from __future__ import annotations

import re
from functools import lru_cache

from device.screen.pixels.fonts import Font, tidy

ELLIPSIS = "…"


def shorten(text: str, font: Font, width: int) -> str:
    """``text`` with its middle replaced by … where it is wider than ``width`` px.

    Both ends stay, because what tells two lines of a list apart is as often at the end as at the start. One
    or two letters left over of a word or number go, too: "Move a…another", not "Move a kn…o another".
    """
    text = tidy(text)
    if font.measure(text) <= width:
        return text
    head, tail = "", ""
    room = width - font.measure(ELLIPSIS)
    rest = list(text)
    while rest:
        from_head = len(head) <= len(tail)
        char = rest.pop(0 if from_head else -1)
        room -= font.measure(char)
        if room < 0:
            break
        if from_head:
            head += char
        else:
            tail = char + tail
    middle = text[len(head) : len(text) - len(tail)]
    if middle[0].isalnum():
        head = re.sub(r"(?<=\W)\w{1,2}$", "", head)
    if middle[-1].isalnum():
        tail = re.sub(r"^\w{1,2}(?=\W)", "", tail)
    whole = head.rstrip() + ELLIPSIS + tail.lstrip()
    return whole if font.measure(whole) <= width else ""


def cut(text: str, font: Font, width: int, mark: str = ELLIPSIS) -> str:
    """``text`` with its end left out where it is wider than ``width`` px.

    ``mark`` shows that something is missing, where at least four letters stand before it.
    """
    text = tidy(text)
    if font.measure(text) <= width:
        return text
    if width < font.measure("nnnn" + mark):
        mark = ""
    while text and font.measure(text + mark) > width:
        text = text[:-1]
    return text.rstrip() + mark


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
