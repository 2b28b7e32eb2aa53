"""Steps as players write them, as tokens, and as labels.

============================ =====================================================
written                      tokens
============================ =====================================================
``D``                        D: draw region cards
``T v``, ``T v > i``         Tv; Tv, i: take a village; a stored inn leaves the game
``P d3 v qq``                Pd3, v, qq: place on d3, paid with a card of its colour and two grey ones
``P d3 fb f w``              Pd3, fb, f, w: one of several farms, for a card and a worker
``marble``, ``end``          one more action, the end of the turn
``A2 B1'+1 C3+0``            A2, B1'+1, C3+0: the boards of a region, B1 turned; two seams
``first d3``                 d3: the space of the starting castle
``square cards``             cards: a square tile
``pick d3``, ``pick d3 fb``  d3; d3, fb: a castle's pick; ``pick none``
``wild points``, ``wild v``  points, v: VP, or the tile that leaves for a wild hex
``show fa``                  fa: a tile of the first display
``refill v``, ``neutral v``  v: a tile turned up, from the own pile or a neutral one
``yield g2``, ``yield + w1 o2``  g2: the reward on a yield card; +, w1, o2: those of a new card
``print icmvvimrrv``         icmvvimrrv: the ten hexes of a board
``bonus 6,3``                6,3: the two sides of a colour bonus tile
``orange 84``, ``green 30``  84, 30: a final table; also ``stored``, ``marble_left``, ``workers_left``,
                             ``cards_left`` and ``empty``
============================ =====================================================

=========== ==================================================================
token       meaning
=========== ==================================================================
c t i f     castle, town, inn, farm (``fa``, ``fbc`` with its farm kinds);
q v m r     quarry, village, monastery, cart; paid, a card of that colour
cc tt …     two cards of another colour, for one of the price
w           a wild hex; paid, a worker
g2 o2 c2    rewards: VP on the green and the orange track, cards,
m1 w1 h1 x  marble, workers, a wild hex, something else
=========== ==================================================================
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.castles_of_tuscany import regions
from engines.castles_of_tuscany.kinds import FARM, JOINED, KINDS, OTHER, WILD, kind_of
from engines.castles_of_tuscany.state import State
from engines.castles_of_tuscany.taking import LEAVES, TAKE, has_place
from engines.contract import Choice, Label
from engines.errors import Malformed
from engines.kit import TURN, question, split
from engines.notation import CLOSING

_VERBS = "TP"
_WORDS = {
    "first_castle": "first",
    "first_square": "square",
    "square": "square",
    "display": "show",
    "refill": "refill",
    "neutral": "neutral",
    "pick": "pick",
    "wild": "wild",
    "yield": "yield",
    "print": "print",
    "bonus": "bonus",
    "final_orange": "orange",
    "final_green": "green",
    "final_stored": "stored",
    "final_marble": "marble_left",
    "final_workers": "workers_left",
    "final_cards": "cards_left",
    "final_empty": "empty",
}
"""The word before the answer to a question, so that people can read a match file."""
_KNOWN = frozenset(_WORDS.values())
_TILES = frozenset({"display", "refill", "neutral", "discard", "tile", "pick_tile", "wild"})
_SEAMS = {"": "top", "-1": "left", "+0": "level", "+1": "right"}


def tokens(text: str) -> list[str]:
    """Return the tokens of a step's text, which a state may not take."""
    words = [word for word in split(text) if word != LEAVES]
    if not words:
        raise Malformed(f"{text!r} names nothing that leaves")
    first, rest = words[0], words[1:]
    if not rest:
        return words
    if first in _VERBS:
        return [first + rest[0], *rest[1:]]
    return rest if first in _KNOWN else words


def fitted(state: State, tokens: list[str]) -> list[str]:
    """Join ``T v > q`` into one answer while a place is free; CT-3.4 then refuses it."""
    asked = not state.termination and question(state) == TURN and has_place(state)
    swap = asked and len(tokens) > 1 and tokens[0][0] == TAKE
    return [f"{tokens[0]}{LEAVES}{tokens[1]}", *tokens[2:]] if swap else tokens


def text(choices: Sequence[Choice]) -> str:
    """Return the canonical text: a word for the question, then the answers."""
    words = [choice.token for choice in choices if choice.token != CLOSING]
    asked = choices[0].question if choices else ""
    if asked in _WORDS:
        words.insert(0, _WORDS[asked])
    elif asked == "action" and words[0][0] in _VERBS:
        words[:1] = [words[0][0], *words[0][1:].split(LEAVES)]
        if words[0] == TAKE and words[2:]:
            words.insert(2, LEAVES)
    return " ".join(words)


def label(choice: Choice) -> Label:
    """Return the label of a choice; spaces and numbers need no words."""
    asked, token = choice.question, choice.token
    if asked == "action" and token[0] == "T":
        return tile(token[1:].partition(LEAVES)[0], "take")
    if asked == "action" and token[0] == "P":
        return Label("action.P", (("space", token[1:]),))
    if asked in _TILES and token[0] in KINDS + WILD:
        return tile(token)
    if asked == "pay":
        return paid(token)
    if asked in ("yield", "reward"):
        return reward(token)
    if asked in ("first_square", "square"):
        return Label(f"square.{token}")
    if token[:2] in regions.NAMES:
        turned, seam = regions.TURNED in token, token[2:].removeprefix(regions.TURNED)
        way = _SEAMS.get(seam, "left" if seam.startswith("-") else "right")
        return Label(f"seam.{way}{'_turned' * turned}", (("board", token[:2]),))
    return Label(f"{asked}.{token}", (("token", token),))


def tile(token: str, table: str = "tile") -> Label:
    """Name a tile or a wild hex: ``village``, ``farm (A, B)``."""
    if token == WILD:
        return Label(f"{table}.wild")
    if kind_of(token) == FARM and token[1:]:
        return Label(f"{table}.farm", (("farms", ",".join(token[1:])),))
    return Label(f"{table}.kind", (("kind", kind_of(token)),))


def paid(token: str) -> Label:
    """Name a unit of a price: ``1 orange card``, ``2 grey cards``, ``1 worker``; ``no more``."""
    if token in (WILD, CLOSING):
        return Label("pay.worker" if token == WILD else "pay.short")
    return Label("pay.card" if len(token) == 1 else "pay.pair", (("colour", token[0]),))


def reward(token: str) -> Label:
    """Name a reward: ``2 VP on the green track``, ``1 worker, 2 VP on the orange track``."""
    if token in (OTHER, CLOSING):
        return Label(f"reward.{'other' if token == OTHER else 'all'}")
    if JOINED in token:
        return Label("reward.several", (("reward", token.replace(JOINED, ",")),))
    n = int(token[1:] or 0)
    return Label(f"reward.{token[0]}", (("n", n),))
