"""Steps as players write them, as tokens, and as words on a screen.

A step is the word of its first question, then the answers; :mod:`.frames` has one of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from engines.contract import Choice, Label
from engines.kit import question, split
from engines.marrakesh import pieces
from engines.marrakesh.book import BOOK
from engines.marrakesh.facts import OASES as PLACES
from engines.marrakesh.frames import Choose
from engines.marrakesh.pieces import AREAS, CHOSEN, GOODS, LETTERS, RED, SOUK, letters
from engines.marrakesh.scoring import TABLES
from engines.marrakesh.state import State

_WORDS = {
    "action": "",
    "resource": "take",
    "part": "pay",
    "red_area": "red",
    "workshop": "gate",
    "gate_keshi": "deploy",
    "oasis_number": "tile",
    "river_tile": "river",
    "river_choice": "bonus",
    "score_oasis": "score",
    "returned": "return",
}
"""The words before the answer to a question, so that a line of a match file can be read; other questions have
their names.
"""
_CALLED = {
    **dict.fromkeys(("stock", "tray", "keshi", "settle", "goods", "gate", "gate_keshi"), "colour"),
    **dict.fromkeys(("give_back", "sell_more", "spared", "colour"), "colour"),
    **dict.fromkeys(("vendor", "red_area", "back_from"), "area"),
    **dict.fromkeys(("spot", "spectators", "link", "rapid"), "reward"),
    **dict.fromkeys(("instead", "part"), "resource"),
    **dict.fromkeys(("harvest", "line", "sell"), "count"),
}
"""The tables of texts with the names of a question's answers."""
_COUNTED = {"w": "water", "d": "date", "n": "dinar", "v": "vp", "r": "river_steps", "s": "stair_steps"}
"""The texts of the letters of a count of gains."""
_AMOUNTS = {"w": "water", "d": "date", "n": "dinar", "v": "vp", "r": "river_step", "s": "stair_step"}
_AMOUNT = re.compile(r"(-?\d+)([a-z])")


def tokens(text: str) -> list[str]:
    """Return the tokens of a step's text; whether they make a step is for the state to say."""
    words = split(text)
    return words[1:] if words[1:] and words[0] in _list_words() else words


@cache
def _list_words() -> frozenset[str]:
    return frozenset(_WORDS.get(asked, asked) for asked in BOOK.questions)


def fitted(state: State, tokens: list[str]) -> list[str]:
    """Add the last keshis to those named: ``choose l`` is ``choose l u o``."""
    if state.termination or question(state) != "choose" or state.asked(Choose).colours:
        return tokens
    behind = letters(state.own.behind)
    named = 0
    while named < len(tokens) and tokens[named] in behind:
        behind = behind[behind.index(tokens[named]) + 1 :]
        named += 1
    chosen = [*tokens[:named], *behind]
    others = tokens[named:]
    if behind and named and len(chosen) == CHOSEN and len(others) <= (LETTERS[RED] in chosen):
        return chosen + others
    return tokens


def text(choices: Sequence[Choice]) -> str:
    """Return the canonical text: a word for the question, then the answer; keshis in their order."""
    asked = choices[0].question if choices else ""
    word = _WORDS.get(asked, asked)
    keshis = [choice.token for choice in choices if choice.question == "choose"]
    rest = [choice.token for choice in choices[len(keshis) :]]
    return " ".join([word] * bool(word) + sorted(keshis, key=LETTERS.index) + rest)


def label(choice: Choice) -> Label:
    """Return a person's name for the choice."""
    asked, token = choice.question, choice.token
    table = _CALLED.get(asked, "")
    if table == "area" and asked == "back_from" and token not in AREAS:
        table = "reward"
    if table in ("reward", "resource") or token in _TOKENS.get(table, ()):
        return Label(f"{table}.{_COUNTED[token] if table == 'count' else token}")
    if asked in _NUMBERS and token.isdigit():
        return Label(f"{asked}.n", (("n", int(token)),))
    told = _TOLD.get(asked)
    return (told and told(token)) or Label(f"{asked}.{token}", (("token", token),))


_TOKENS = {"colour": frozenset(LETTERS), "area": frozenset(AREAS + SOUK), "count": frozenset(_COUNTED)}
"""The answers that a table has; others are in the table of their question."""
_NUMBERS = frozenset({"returned", "workshop", "gate_place", "office"})
"""Questions that are answered with a number, which their table names ``n``."""


def split_counts(token: str) -> str:
    """Write ``2t1g`` as ``2t,1g``, for names one by one."""
    return ",".join(one[0] for one in _AMOUNT.finditer(token))


def name_keshis(token: str) -> Label | None:
    """Name ``2 turquoise``."""
    found = _AMOUNT.fullmatch(token)
    return Label("claim.alike", (("n", int(found[1])), ("colour", found[2]))) if found else None


def name_amount(token: str) -> Label | None:
    """Name ``1 date``, ``3 dinars``, ``1 yellow``."""
    found = _AMOUNT.fullmatch(token)
    if not found or found[2] in GOODS:
        return name_keshis(token)
    n = int(found[1])
    return Label(f"amount.{_AMOUNTS[found[2]]}", (("n", n),))


def name_demand(token: str) -> Label | None:
    """Name ``1 water, 2 dinars``."""
    return Label("turn_up.asks", (("rewards", split_counts(token)),)) if split_counts(token) else None


def name_use(token: str) -> Label:
    """Return a way to use an assistant: ``river: 1 turquoise``, ``souk: exchange 1 yellow``."""
    area, _, way = token.partition(".")
    if way == "keshi" or way in tuple(GOODS):
        return Label("use.keshi", (("area", area), ("colour", way if area == SOUK else area)))
    if way.startswith("sell_"):
        return Label("use.sell", (("colour", way.removeprefix("sell_")),))
    if way == "leave":
        return Label("use.leave", (("area", area),))
    return Label(f"use.{'buy' if way == 'buy' else area}")


def name_scroll(token: str) -> Label | None:
    """Name ``23: date pickers: dates or water``, by public lists."""
    return _name_numbered("scroll", token, "reward", find_effect(int(token))) if token.isdigit() else None


def find_effect(number: int) -> str:
    """Return the word of a scroll's effect by public lists, ``shown_keshi`` if only the scroll shows it."""
    key = f"{number:02}"
    if key in pieces.KESHI_SCROLLS or key in pieces.GOODS_SCROLLS:
        return "shown_keshi" if key in pieces.KESHI_SCROLLS else "shown_goods"
    known = pieces.SCROLLS.get(key)
    return (known and known.value) or "two_vp_shown"


def name_oasis(token: str) -> Label | None:
    """Name ``24: 4 an area of 3 or fewer``."""
    return _name_numbered("oasis_number", token, "tile", find_oasis_form(token)) if token.isdigit() else None


def find_oasis_form(number: str) -> str:
    """Return the word of the things that an oasis counts."""
    if number in pieces.OASES:
        word: str = pieces.OASES[number].value
        return word
    return f"per_{TABLES[number].removesuffix('_oasis')}" if number in TABLES else ""


def _name_numbered(table: str, token: str, name: str, word: str) -> Label:
    return Label(f"{table}.named", (("number", token), (name, word)))


def _name_goal(token: str) -> Label | None:
    goal, _, over = token.partition("+")
    if goal.isdigit():
        return Label("sail.space", (("n", int(goal)),))
    return Label("sail.over" if over else "sail.jetty", (("n", int(over or 0)),))


def _name_good(token: str) -> Label | None:
    """Name ``slipper: 1 orange for 2 VP, 1 water``, or the good alone while its price is unknown."""
    kind, _, shown = token.partition(".")
    if token == "none" or not shown:
        return None if token == "none" else Label("good.kind", (("kind", kind[:-1]),))
    if shown == "new":
        return Label("good.new", (("kind", kind),))
    amounts = [one[0] for one in _AMOUNT.finditer(shown)]
    costs, gains = ([one for one in amounts if (one[-1] in GOODS) is paid] for paid in (True, False))
    figures = (("colours", ",".join(costs) or "0"), ("rewards", ",".join(gains) or "0"))
    return Label("good.shown", (("kind", kind), *figures))


_TOLD: dict[str, Callable[[str], Label | None]] = {
    "claim": lambda token: name_keshis(token) or Label("claim.apart", (("colours", ",".join(token)),)),
    "colour": name_keshis,
    "reward": name_amount,
    "turn_up": name_demand,
    "action": name_use,
    "sector": name_use,
    "scroll": name_scroll,
    "learn": name_scroll,
    "oasis_number": name_oasis,
    "score_oasis": name_oasis,
    "river_tile": lambda token: _name_numbered("river_tile", token, "reward", pieces.RIVER[token].value),
    "sail": _name_goal,
    "oasis": lambda token: Label(f"oasis.{token[:-1]}", (("n", token[-1]),)) if token in PLACES else None,
    "good": _name_good,
    "disc": lambda token: Label("disc.faces", (("spectators", " ".join(token)),)),
    "stair_tile": lambda token: Label("stair_tile.face", (("face", token),)),
    "town": lambda token: _name_numbered("town", token, "tile", pieces.TOWNS[token].value),
    "claim_town": lambda token: Label(
        "town.claim", tuple(zip(("number", "tile"), token.split("."), strict=True))
    ),
}
