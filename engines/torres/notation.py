"""Steps as players write them, as tokens, and as labels.

============================ =====================================================
written                      tokens
============================ =====================================================
``B d3``                     Bd3: a block
``M c4-c6``, ``M c4 c6``     Mc4, c6: a knight, any number of spaces and doors; of a route,
                             ``M c4-c5-c6``, only the end counts
``N c5``                     N, c5: a new knight
``T top``, ``T bottom``      Ttop, Tbottom: a card taken, the others put there
``S 2``                      S2: two score steps
``jump c4-c5``               card, jump, c4, c5; likewise ``doors``, ``diagonal``, ``move``,
                             ``reposition`` and ``leap``
``under c4``, ``block d3``   card, under, c4
``ap6``, ``ap7``             card, ap6
``end``, ``end 3-1``         end; stacks, 3-1 (the other stacks hold 3 and 1)
``F d1``, ``E c3``, ``K h4`` Fd1, Ec3, Kh4 in the set-up; ``K stay`` the king stays
``first b``                  b: the start player of the next phase
``phase 3``                  3: the phase that a final layout ends
``H d1+2 d2+1``              Hd1, +2, Hd2, +1: columns that differ from the start
``E c3 c4``                  Ec3, Ec4: all knights of a player in a final layout
``points 57``                57: points entered by hand; an old form is ``5_ _7``
============================ =====================================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engines.contract import SEATS, Choice, Label
from engines.kit import TURN, question, split
from engines.torres import stacks as piles
from engines.torres.action_cards import CARD
from engines.torres.cells import NUMBERS
from engines.torres.final import ENOUGH
from engines.torres.state import CARDS, State
from engines.torres.turns import END, SCORES, STACKS, STAY, results

_LETTERS = frozenset("BFEKHMTS")
_WORDS = frozenset({"first", "phase"})
_POINTS = re.compile(r"\d{1,3}")
_OLD_POINTS = re.compile(r"(\d{1,2})_ _(\d)")
_COLUMN = re.compile(r"([a-h][1-8])(\+\d{1,2})")


def tokens(text: str) -> list[str]:
    """Return the tokens of a step's text, which a state may not take."""
    words = split(text)
    first, rest = words[0], words[1:]
    if first in CARDS:
        return [CARD, first, *_split_way(rest)]
    if first == "M" and rest:
        source, *targets = _split_way(rest)
        return [f"M{source}", *(targets[-1:] if set(targets) <= NUMBERS.keys() else targets)]
    if first == "H":
        return [token for word in rest for token in _split_column(word)] or [ENOUGH]
    if first in _LETTERS and rest:
        return [f"{first}{word}" if word != ENOUGH else word for word in rest]
    if first == END and rest:
        return [STACKS, *rest]
    if first == "points" and len(rest) == 1 and _POINTS.fullmatch(rest[0]):
        return [str(int(rest[0]))]
    if old := _OLD_POINTS.fullmatch(" ".join(words)):
        return [str(int(old[1] + old[2]))]
    if first in _WORDS and rest:
        return rest
    return words


def fitted(state: State, tokens: list[str]) -> list[str]:
    """Leave out the stacks of ``end 3-3-3`` if there is no choice."""
    if tokens[0] == STACKS and question(state) == TURN and not state.termination:
        found = results(state)
        if len(found) == 1 and tokens[1:] == [piles.text(found[0])]:
            return [END]
    return tokens


def _split_way(words: Sequence[str]) -> list[str]:
    """Split ``c4-c6`` into two words."""
    return [part for word in words for part in word.split("-")]


def _split_column(word: str) -> list[str]:
    found = _COLUMN.fullmatch(word)
    return [f"H{found[1]}", found[2]] if found else [word if word == ENOUGH else f"H{word}"]


def text(choices: Sequence[Choice]) -> str:
    """Return the canonical text; a closing ``.`` is left out unless it stands alone."""
    if not choices:
        return ""
    asked, token = choices[0].question, choices[0].token
    rest = [choice.token for choice in choices[1:]]
    if asked == "action":
        return _write_action(token, rest)
    if asked in ("track", "master"):
        return f"points {token}"
    if asked == "final":
        return _write_columns([choice.token for choice in choices])
    if asked == "starter":
        return f"first {token}"
    if asked == "final_phase":
        return f"phase {token}"
    if asked in ("to", "place", "leave", "final_height"):
        return " ".join([token, *rest])
    if asked == "final_knight":
        return " ".join(["E", *(word[1:] for word in (token, *rest) if word != ENOUGH)])
    return f"{token[0]} {token[1:]}" if token[0] in _LETTERS else " ".join([token, *rest])


def _write_action(token: str, rest: list[str]) -> str:
    if token == CARD:
        return f"{rest[0]} {'-'.join(rest[1:])}".rstrip() if rest else token
    if token == STACKS:
        return " ".join([END, *rest]) if rest else token
    if token[0] == "M":
        return "M " + "-".join([token[1:], *rest])
    if token[0] in "BTS":
        return f"{token[0]} {token[1:]}"
    return " ".join([token, *rest])


def _write_columns(words: list[str]) -> str:
    told = ""
    for word in words:
        told += word if word[0] == "+" else f" {word[1:]}" * (word != ENOUGH)
    return f"H{told}" if told else f"H {ENOUGH}"


def label(choice: Choice) -> Label:
    """Return the label of a choice; spaces and figures need no words."""
    asked, token = choice.question, choice.token
    if asked == "action" and token[1:] in NUMBERS:
        return Label(f"action.{token[0]}", (("cell", token[1:]),))
    if asked == "starter":
        return Label("starter.seat", (("seat", SEATS.index(token)),))
    if token in (ENOUGH, STAY):
        return Label(f"{asked}.{'enough' if token == ENOUGH else 'stay'}")
    if token[1:] in NUMBERS:
        return Label("cell.at", (("cell", token[1:]),))
    if asked == "leave":
        return Label("leave.stacks", (("stacks", token),))
    if token in SCORES:
        return Label("action.S", (("n", int(token[1:])),))
    if asked in ("final_height", "final_phase"):
        return Label(f"{asked}.n", (("n", int(token)),))
    return Label(f"{asked}.{token}", (("token", token),))
