"""Steps as players write them, and as tokens.

============================ =====================================================
written                      tokens
============================ =====================================================
``B 8x3``, ``B 8 8 8``       B, 8, x3
``B 5-7``, ``B 5 6 7``       B, 5-7
``E 8x3 8 8 > d m6``         E, 8x3, +2, d, m6 (also ``E 8x3 +2 d m6``)
``X 8 8 > m6 d``             X, 8, 8, >, m6, d
``C 8x3 5-7``                C, 8x3, 5-7, and ``.`` if more could follow
``10x3* 5-7 . . a``          10, x3, \\*, 5-7, \\|, ., ., a (a final layout)
============================ =====================================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.contract import Choice
from engines.errors import Malformed
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import LEAST_STOREYS

_FINAL = re.compile(r"(\d{1,2})(x\d{1,2})?(-\d{1,2})?([*|]?)")


def tokens(text: str) -> list[str]:
    """The tokens of a step's text; whether they make a step is for the state to say."""
    words = text.split()
    if not words:
        raise Malformed("an empty step")
    if words[0] == q.BUILD:
        return _build(words)
    if words[0] == q.EXTEND:
        return _extend(words)
    final = [_FINAL.fullmatch(word) for word in words]
    starts = len(words) > 1 and (final[0] or words[0] == q.FLIPPED)
    if starts and any(found and (found[2] or found[3] or found[4]) for found in final):
        return [token for word, found in zip(words, final, strict=True) for token in _final(word, found)]
    return words


def _build(words: list[str]) -> list[str]:
    shape = re.fullmatch(r"(\d{1,2})(x\d{1,2})", words[1]) if len(words) == 2 else None
    if shape:
        return [q.BUILD, shape[1], shape[2]]
    cards = words[1:]
    if len(cards) < LEAST_STOREYS or not all(card.isdecimal() for card in cards):
        return words
    laid = sorted(map(int, cards))
    if laid[0] == laid[-1]:
        return [q.BUILD, cards[0], f"x{len(laid)}"]
    if laid != list(range(laid[0], laid[-1] + 1)):
        raise Malformed(f"{' '.join(cards)!r} is neither one rank nor an unbroken run")
    return [q.BUILD, f"{laid[0]}-{laid[-1]}"]


def _extend(words: list[str]) -> list[str]:
    head, rest = words[:2], [word for word in words[2:] if word != q.ENOUGH]
    added = [word for word in rest if word.isdecimal()]
    if not added:
        return head + rest
    tower = re.fullmatch(r"(\d{1,2})([x-])\d{1,2}", head[1])
    if tower:
        low = int(tower[1])
        down = tower[2] == "-"
        fitting = [low - step if down else low for step in range(down, len(added) + down)]
        if sorted(map(int, added), reverse=True) != fitting:
            raise Malformed(f"{' '.join(added)!r} does not go on top of {head[1]}")
    return [*head, f"+{len(added)}", *[word for word in rest if not word.isdecimal()]]


def _final(word: str, found: re.Match[str] | None) -> list[str]:
    if not found:
        return [word]
    rank, height, top, state = found.groups()
    if height:
        return [rank, height, state or q.STANDING]
    return [rank + (top or ""), state or q.STANDING]


def text(choices: Sequence[Choice]) -> str:
    """The canonical text: one space between tokens, towers written whole, a closing ``.`` left out."""
    words: list[str] = []
    for choice in choices:
        token = choice.token
        if choice.question in ("height", "final_height"):
            words[-1] += token
        elif choice.question == "final_state":
            words[-1] += token.strip(q.STANDING)
        elif token != q.FLIPPED or choice.question == "final":
            words.append(token)
    if choices and choices[0].question == "action" and choices[0].token == q.EXCHANGE:
        end = words.index(q.ENOUGH) if q.ENOUGH in words else len(words)
        words[1:end] = sorted(words[1:end], key=int)
    return " ".join(words)
