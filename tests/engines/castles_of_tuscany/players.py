"""Sensible players of The Castles of Tuscany: at random, hardly a tile would be paid for.

A player sees its own cards and the table. It places what scores and what leads on, pays with what it needs
least, takes tiles that fit beside its region and whose cards it holds, and draws where nothing else helps.
"""

import re
from collections import Counter

from engines.castles_of_tuscany.kinds import KINDS, NUMBERS, WILD
from engines.castles_of_tuscany.placing import area_points
from engines.castles_of_tuscany.state import ROUNDS
from engines.contract import Choice

WORTH = {"c": 3.0, "t": 2.5, "i": 1.5, "f": 1.5, "q": 2.0, "v": 1.5, "m": 2.0, "r": 2.0}
"""What a tile's effect is worth, in VP."""
MANY = 8
"""With so many cards a player takes a tile, whatever it is worth: drawing more leads nowhere."""
LIKED = ("yield", "storage", "cards", "marble", "worker")
DECLINES = 0.1
"""How often a castle's pick is declined."""
ENOUGH = 2
"""So many cards a player gathers before it takes a tile."""


class View:
    """What a player knows when it is asked."""

    def __init__(self, game, state, world, seat):
        held = re.findall(rf"(\d+)([{KINDS}])", game.worlds.held(world, state, seat))
        self.state, self.side, self.land = state, state.sides[seat], state.region(seat)
        self.hand = Counter({kind: int(number) for number, kind in held})
        self.empty = ~self.side.filled & (1 << len(self.land.kinds)) - 1
        self.near = self.land.next_to(self.side.filled) & self.empty

    def open_spaces(self, kind):
        """Empty spaces of a colour beside the own region."""
        return self.near & (self.land.of_kind[NUMBERS[kind]] if kind != WILD else -1)

    def price(self, kind):
        """Return how many more units of a price are lacking, 0 where it can be paid."""
        units = min(self.hand[kind], 2) + self.side.workers
        units += sum(number // 2 for other, number in self.hand.items() if other != kind)
        return max(0, 2 - units)

    def worth(self, space):
        """Return what placing on a space gains, roughly."""
        kind, area = self.land.kinds[space], self.land.area(space)
        left = (area & self.empty).bit_count()
        gain = WORTH[kind] + (area_points(area.bit_count()) if left == 1 else 1.0 / left)
        of_kind = self.land.of_kind[NUMBERS[kind]] & self.empty
        if of_kind.bit_count() == 1 and self.state.taken[NUMBERS[kind]] < 2:
            gain += 3
        return gain

    def ready(self):
        """Return True if a stored tile can be placed and paid for."""
        return any(self.open_spaces(tile[0]) and not self.price(tile[0]) for tile in self.side.stored)

    def stuck(self):
        """Return True if some stored tile has no space to go to."""
        return any(not self.open_spaces(tile[0]) for tile in self.side.stored)

    def tile_worth(self, tile):
        """Return what having a tile is worth: the best space for it, less for cards that are lacking."""
        spaces = [space for space in range(len(self.land.kinds)) if self.open_spaces(tile[0]) >> space & 1]
        if not spaces:
            return -3.0
        best = max(map(self.worth, spaces)) + 0.3 * (len(tile) - 1)
        kinds = [tile[0]] if tile != WILD else sorted({self.land.kinds[space] for space in spaces})
        return best - 1.5 * min(map(self.price, kinds))


def _answer(game, state, world, seat, true, rng):
    tokens = [choice.token for choice in true]
    question = true[0].question
    if question in ("square", "first_square"):
        return min(tokens, key=lambda token: LIKED.index(token) + rng.random() * 2)
    if question.endswith("_board"):
        return rng.choice(tokens)
    view = View(game, state, world, seat)
    if question == "first_castle":
        return max(tokens, key=lambda token: _around(view, token))
    if question == "action":
        return _action(view, tokens, rng)
    if question in ("discard", "wild"):
        held = [token for token in tokens if token != "points"]
        worst = min(held, key=view.tile_worth)
        keep = question == "wild" and (view.tile_worth(worst) > 1 or not state.in_supply("wilds"))
        return "points" if keep else worst
    if question == "tile":
        return min(tokens, key=lambda token: token == WILD)
    if question == "pay":
        return min(tokens, key=lambda token: _cost(view, state, token))
    if question == "pick":
        spaces = [token for token in tokens if token != "none"]
        if rng.random() < DECLINES:
            return "none"
        return max(spaces, key=lambda token: view.worth(view.land.number(token)))
    return max(tokens, key=len)  # pick_tile: the farm that shows most


def _around(view, name):
    """Return how many different kinds lie beside a space."""
    beside = view.land.beside[view.land.number(name)]
    return len({view.land.kinds[space] for space in range(30) if beside >> space & 1})


def _action(view, tokens, rng):
    places = [token for token in tokens if token[0] == "P"]
    takes = [token for token in tokens if token[0] == "T"]
    if "end" in tokens:
        return "marble" if "marble" in tokens and (view.ready() or view.state.round == ROUNDS) else "end"
    if places:
        return max(places, key=lambda token: view.worth(view.land.number(token[1:])) + rng.random() / 2)
    room = view.side.places() - len(view.side.stored)
    if takes and (room > 0 or view.stuck()):
        best = max(takes, key=lambda token: view.tile_worth(token[1:]) + rng.random() / 2)
        cards = view.hand.total()
        if cards >= MANY or (cards >= ENOUGH and view.tile_worth(best[1:]) > 0):
            return best
    return "D" if "D" in tokens else rng.choice(tokens)


def _cost(view, state, token):
    """Both own cards first, then one, then pairs of what is held most, then workers."""
    own = view.land.kinds[state.frames[-1].space]
    if token == 2 * own:
        return -1
    if token == "w":
        return 20
    if token == own:
        return 0
    return 10 - view.hand[token[0]]


def busy(game, state, world, seat, true, rng):
    """Mostly sensible, at times anything: random walks that place much and still try what nobody would."""
    if rng.random() < 0.15:
        return rng.choice(true)
    return Choice(true[0].question, _answer(game, state, world, seat, true, rng))
