"""Text made to fit a width in px: wrapped into lines, names shortened, and the rest cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_lowercase

from device.screen.pixels.fonts import Font, tidy
from engines.texts import apart

ELLIPSIS = "…"

_NEVER_FIRST = "。、，．）」』】〉》？！：；…ー〜・々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ:)"
_NEVER_LAST = "（「『【〈《"
_WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef〓"
_PIECE = re.compile(
    f"[{_NEVER_LAST}]*(?:"
    f"[\u30a0-\u30ff\u3400-\u9fff々〓\uf900-\ufaff]|[^\\s{_WIDE}]"  # katakana, kanji, letters, figures
    ")*"
    f"[\u3041-\u309f{_NEVER_FIRST}]*|."  # hiragana and closing marks cling to the signs before them
)
_REST = re.compile(r"(?<=・)|(?<=[。、？！]|(?<=.)[はがを])(?=[\u3041-\u309f])(?![っらりるれろんずか])")
"""Behind ・; within hiragana behind a mark, or a particle that is no part of a word (ながら, はず)."""


def cut(text: str, font: Font, width: int) -> str:
    """Replace the end of ``text`` by … if it is wider than ``width`` px: the last resort."""
    text = tidy(text)
    if font.measure(text) <= width:
        return text
    while text and font.measure(text + ELLIPSIS) > width:
        text = text[:-1]
    return text.rstrip() + ELLIPSIS if font.measure(ELLIPSIS) <= width else ""


def shorten_names(names: Sequence[str], font: Font, width: int) -> tuple[str, ...]:
    """Shorten players' names to ``width`` px each.

    A name that fits stays whole. Otherwise it is three letters and the part that distinguishes it, that part
    alone, or its first letter and the distinguishing one. If two are then alike, all are ``a``, ``b``, ``c``
    in order.
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
    """Break ``text`` into lines of at most ``width`` px, between words, or inside a word that fills a line.

    Japanese breaks between phrases (:func:`split_phrases`). Line breaks in ``text`` stay. A single character
    wider than ``width`` gets a line of its own.
    """
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        line = ""
        for space, word in _split_words(tidy(paragraph)):
            joined = f"{line}{space}{word}" if line else word
            if font.measure(joined) <= width + _measure_hanging(word, font):
                line = joined
                continue
            if line:
                lines.append(line)
            *full, line = _slice(word, font, width)
            lines += full
        lines.append(line)
    return tuple(lines)


def is_tall(*texts: str) -> bool:
    """Return True if a text has kana or kanji, which fill their lines: these cannot stand closer."""
    return max("".join(texts), default="") >= "\u2e80"


def unwrap(lines: Sequence[str]) -> str:
    """Join lines: with a space, but without one at a Japanese line end or start, unless after a colon."""
    text = ""
    for line in lines:
        joined = not text or (is_tall(text[-1], line[:1]) and text[-1] != ":")
        text += line if joined else f" {line}"
    return text


def split_phrases(word: str) -> tuple[str, ...]:
    """Split Japanese where a line may end: before a run of kanji, katakana, letters and figures; hiragana
    stays with the signs before it, up to a mark or particle. No sign ends or starts a line that must not
    (kinsoku).

    >>> split_phrases("手札6枚。2枚取ると")
    ('手札6枚。', '2枚取ると')
    >>> split_phrases("使えるものがありません。")
    ('使えるものが', 'ありません。')
    >>> split_phrases("サン・ジミニャーノの塔")
    ('サン・', 'ジミニャーノの', '塔')
    """
    return tuple(filter(None, (part for piece in _PIECE.findall(word) for part in _REST.split(piece))))


def _split_words(paragraph: str) -> Iterator[tuple[str, str]]:
    """Yield the unbreakable parts of a line, each behind the space before it."""
    for word in paragraph.split():
        if word.isascii():
            yield " ", word
            continue
        for at, piece in enumerate(split_phrases(word)):
            yield ("" if at else " "), piece


def _measure_hanging(word: str, font: Font) -> int:
    """Return the px that a line may be wider: those right of the ink of a closing mark at its end."""
    if word[-1] not in "。、」）":
        return 0
    glyph = font.glyph(word[-1])
    ink = glyph.getbbox()
    return glyph.width - ink[2] if ink else 0


def balance(text: str, font: Font, width: int) -> tuple[str, ...]:
    """Wrap ``text`` (:func:`wrap`) into as few lines, of about equal length: no single word on the last."""
    lines = wrap(text, font, width)
    for narrower in range(width - font.cell, 0, -font.cell):
        tighter = wrap(text, font, narrower)
        if len(tighter) > len(lines) or any(
            font.measure(word) > narrower for _, word in _split_words(tidy(text))
        ):
            break
        lines = tighter
    return lines


def _slice(word: str, font: Font, width: int) -> list[str]:
    slices = [""]
    for char in word:
        if slices[-1] and font.measure(slices[-1] + char) > width + _measure_hanging(char, font):
            last = slices[-1][-1]
            fits = font.measure(last + char) <= width + _measure_hanging(char, font)
            moved = last if char in _NEVER_FIRST and slices[-1][1:] and fits else ""
            slices[-1] = slices[-1].removesuffix(moved)
            slices.append(moved)
        slices[-1] += char
    return slices
