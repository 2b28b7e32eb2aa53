"""Steps as players write them, as tokens, and as words on a screen.

============================ =====================================================
written                      tokens
============================ =====================================================
``B 8x3``, ``B 8 8 8``       B, 8, x3
``B 5-7``, ``B 5 6 7``       B, 5-7
``B 8x4s``                   B, 8, x4s (one storey is a stone; ``B 8 8 8 pietra``)
``B 4-7s4s6``                B, 4-7s, s4s6 (the 4 and the 6 are stones)
``E 8x3 8 8 > d m6``         E, 8x3, +2, d, m6 (also ``E 8x3 +2 d m6``)
``E 7-9 5 pietra > d n``     E, 7-9, +2s6, d, n
``X 8 via > m6 n``           X, 8, via, >, m6, n
``C 8x3 5-7``                C, 8x3, 5-7, and ``.`` if more could follow
``palazzo tn``               palazzo, tn (a tower card and a noble under their decks)
``10x3* 5-7 . . a``          10, x3, \\*, 5-7, \\|, ., ., a (a final layout)
============================ =====================================================

=========== ==================================================================
token       meaning
=========== ==================================================================
P X B E     Purchase, Exchange, Build, Extend (SG-3); C completes, ``close`` closes
8, 5-7      a plain tower's rank, a colourful tower's run, ``5-7s`` one with stones
x3, +2      a height, a number of storeys added; each ``s`` a stone among them
s4s6        the storeys of a run that are stones, also ``+2s5``
d, m8       a card from the deck, an 8 from the market; ``d2`` the rest from the deck
n, mvia     a card from the noble deck, a Via Francigena from the market
>, .        enough put down, enough flipped
8x3         a standing tower, ``*`` when complete; ``a8x3`` seat a's
via, mura … a noble played, put down or named
tt, tn, nn  two cards under their decks: tower cards (t), nobles (n)
n0, n1      how many nobles among the cards of a Trade
=========== ==================================================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.contract import Choice, Label, Level
from engines.errors import Malformed
from engines.kit import split
from engines.san_gimignano import cards as c
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.donazione import STONE
from engines.san_gimignano.draws import DECK, ENOUGH
from engines.san_gimignano.final import HOLDERS, STANDING
from engines.san_gimignano.standing import THAT_IS_ALL
from engines.san_gimignano.state import State
from engines.san_gimignano.turns import BUILD, EXCHANGE, EXTEND

_FINAL = re.compile(r"(\d{1,2})(?:(x\d{1,2}s*)|(-\d{1,2})((?:s\d{1,2})*))?([*|]?)")
_DRAWN = re.compile(r"d\d{1,2}")
_SHAPE = re.compile(r"(\d{1,2})(x\d{1,2}s*)|(\d{1,2}-\d{1,2})((?:s\d{1,2})+)")


def tokens(text: str) -> list[str]:
    """Return the tokens of a step's text; they need not be a legal step."""
    words = split(text)
    if words[0] == BUILD:
        return _write_build(words)
    if words[0] == EXTEND:
        return _write_extend(words)
    final = [_FINAL.fullmatch(word) for word in words]
    starts = len(words) > 1 and (final[0] or words[0] == THAT_IS_ALL)
    if starts and any(found and (found[2] or found[3] or found[5]) for found in final):
        return [
            token for word, found in zip(words, final, strict=True) for token in _write_final(word, found)
        ]
    return words


def fitted(state: State, tokens: list[str]) -> list[str]:
    """Put the draws from the one deck last and add them up, at the level ``table`` (SG-11.2)."""
    drawn = [token for token in tokens if _DRAWN.fullmatch(token)]
    if not drawn or state.level is Level.FULL or state.nobles:
        return tokens
    others = [token for token in tokens if token not in drawn]
    return [*others, f"d{sum(int(token[1:]) for token in drawn)}"]


def _write_build(words: list[str]) -> list[str]:
    shape = _SHAPE.fullmatch(words[1]) if len(words) == 2 else None
    if shape:
        rank, height, run, stones = shape.groups()
        return [BUILD, rank, height] if rank else [BUILD, f"{run}s", stones]
    laid = words[1:]
    stones = laid.count(STONE)
    cards = [card for card in laid if card != STONE]
    if not cards or not all(card.isdecimal() for card in cards) or len(laid) == 1:
        return words
    if len(laid) < c.LEAST_STOREYS:
        raise Malformed(f"{' '.join(laid)!r} are {len(laid)} cards; a tower takes {c.LEAST_STOREYS} (SG-3.8)")
    ranks = sorted(map(int, cards))
    if ranks[0] == ranks[-1] and (len(ranks) > 1 or not stones):
        return [BUILD, cards[0], f"x{len(laid)}{'s' * stones}"]
    lows = [
        low
        for low in range(c.LOW - 1, c.HIGH + 3 - len(laid))
        if _find_gaps(low, len(laid), ranks) is not None
    ]
    if not stones:
        lows = [ranks[0]] if ranks == list(range(ranks[0], ranks[-1] + 1)) else []
    if not lows:
        raise Malformed(f"{' '.join(laid)!r} is neither one rank nor an unbroken run (SG-3.8)")
    if len(lows) > 1:
        raise Malformed(f"{' '.join(laid)!r}: say which storeys are stones, like 5-7s7")
    run = f"{lows[0]}-{lows[0] + len(laid) - 1}"
    gaps = _find_gaps(lows[0], len(laid), ranks)
    return [BUILD, f"{run}s", c.write_stones(gaps)] if gaps else [BUILD, run]


def _find_gaps(low: int, storeys: int, ranks: Sequence[int]) -> list[int] | None:
    """Return the ranks of the storeys from ``low`` up that ``ranks`` lacks, None if those do not fit."""
    span = range(low, low + storeys)
    fits = len(set(ranks)) == len(ranks) and all(rank in span for rank in ranks)
    return [rank for rank in span if rank not in ranks] if fits else None


def _write_extend(words: list[str]) -> list[str]:
    head, rest = words[:2], [word for word in words[2:] if word != ENOUGH]
    cut = words.index(ENOUGH) if ENOUGH in words else len(words)
    added = [word for word in words[2:cut] if word.isdecimal() or word == STONE]
    if not added:
        return head + rest
    drawn = [word for word in rest if not word.isdecimal() and word != STONE]
    if ENOUGH in words:
        drawn = words[cut + 1 :]
    tower = re.fullmatch(r"(\d{1,2})([x-])\d{1,2}[s\d]*", head[1])
    n, stones = len(added), added.count(STONE)
    token = f"+{n}{'s' * stones}"
    if tower:
        ranks = [int(word) for word in added if word != STONE]
        low = int(tower[1])
        if tower[2] == "x":
            fits = set(ranks) <= {low}
        else:
            gaps = _find_gaps(low - n, n, ranks)
            fits, token = gaps is not None, f"+{n}{c.write_stones(gaps or [])}"
        if not fits:
            raise Malformed(f"{' '.join(added)!r} does not go on top of {head[1]} (SG-3.9)")
    return [*head, token, *drawn]


def _write_final(word: str, found: re.Match[str] | None) -> list[str]:
    if not found:
        return [word]
    rank, height, top, stones, state = found.groups()
    if height:
        return [rank, height, state or STANDING]
    if stones:
        return [f"{rank}{top}s", stones, state or STANDING]
    return [rank + (top or ""), state or STANDING]


def text(choices: Sequence[Choice]) -> str:
    """Return the canonical text: a space between tokens, but not within a tower, and no closing ``.``."""
    words: list[str] = []
    for choice in choices:
        token = choice.token
        if choice.question in ("height", "final_height"):
            words[-1] += token
        elif choice.question in ("stones", "final_stones"):
            words[-1] = words[-1].removesuffix("s") + token
        elif choice.question == "final_state":
            words[-1] += token.strip(STANDING)
        elif token != THAT_IS_ALL or choice.question == "final":
            words.append(token)
    if choices and choices[0].question == "action" and choices[0].token == EXCHANGE:
        end = words.index(ENOUGH) if ENOUGH in words else len(words)
        words[1:end] = sorted(words[1:end], key=c.kind_of)
    return " ".join(words)


def label(choice: Choice) -> Label:
    """Return a person's name for the choice."""
    asked, token = choice.question, choice.token
    figures = (("token", token),)
    if asked == "draw":
        return _name_source(token)
    if asked in ("build", "final") and token.isdecimal():
        return Label("shape.plain", (("rank", token),))
    if asked in ("build", "final") and token[-1] == "s":
        return Label("shape.stones", (("run", token[:-1]),))
    if asked in ("height", "final_height", "storeys"):
        return _name_storeys("storeys" if asked == "storeys" else "height", token[1:])
    if asked in ("stones", "final_stones", "cancel"):
        return Label("stones.at", (("ranks", token[1:].replace("s", ",")),))
    if asked == "target" and (named := c.read_owned(token)):
        owner, tower = named
        return Label(f"tower.of{_write_completed(tower)}", (("seat", owner), ("tower", tower.figure)))
    if asked in ("extend", "complete") and (one := c.read_tower(token)):
        return Label(f"tower.standing{_write_completed(one)}", (("tower", one.figure),))
    if asked in ("traded", "returned"):
        return Label("count.nobles", (("n", int(token[1:])),))
    if asked == "tower" and (shape := c.read_tower(token)):
        return _name_tower(shape)
    if token in c.NOBLES and asked != "giostra":
        return Label(f"card.{token}", figures)
    if asked in HOLDERS:
        return Label(f"final_marker.{token}", figures)
    return Label(f"{asked}.{token}", figures)


def _name_tower(tower: Tower) -> Label:
    """Name a tower as players do: ``8 × 3``, ``8 × 4 (1 Buona Pietra)``, ``4-7 (4, 6: Buona Pietra)``."""
    stones = len(tower.stones) if tower.plain else ",".join(map(str, tower.stones))
    key = f"tower.{'plain' if tower.plain else 'run'}{'_stones' * bool(tower.stones)}"
    return Label(key, (("low", tower.low), ("high", tower.high), ("n", tower.height), ("stones", stones)))


def _write_completed(tower: Tower) -> str:
    return "_completed" if tower.complete else ""


def _name_source(token: str) -> Label:
    if token[0] == "m":
        return Label("source.market", (("card", token[1:]),))
    if token[1:]:
        return Label("source.deck_rest" if token[0] == DECK else "source.nobles_rest", (("n", token[1:]),))
    return Label("source.deck" if token[0] == DECK else "source.nobles")


def _name_storeys(table: str, storeys: str) -> Label:
    """Name a number of storeys, and the stones among them by rank or by number."""
    number, *stones = storeys.split("s")
    ranks = ",".join(rank for rank in stones if rank)
    key = "at" if ranks else "stones" if stones else "plain"
    return Label(f"{table}.{key}", (("n", number), ("stones", ranks or len(stones))))
