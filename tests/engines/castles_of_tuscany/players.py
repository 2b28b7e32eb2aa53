"""Sensible players of The Castles of Tuscany, and the recorded matches they played.

``python -m tests.engines.castles_of_tuscany.players`` writes ``tests/matches/castles_of_tuscany_*.match``
anew. A player sees its own cards and the table. It places what scores and what leads on, pays with what it
needs least, takes tiles that fit beside its region and whose cards it holds, and draws where nothing else
helps.
"""

from __future__ import annotations

import re
from collections import Counter

from msgspec import Struct
from msgspec.structs import replace

from engines.castles_of_tuscany.areas import area_points
from engines.castles_of_tuscany.kinds import KINDS, NUMBERS, WILD
from engines.castles_of_tuscany.state import ROUNDS
from engines.contract import Choice, Level
from engines.match import Match
from tests.engines import recordings
from tests.engines.castles_of_tuscany.shows import shown
from tests.engines.castles_of_tuscany.table import GAME, setup

WORTH = {"c": 3.0, "t": 2.5, "i": 1.5, "f": 1.5, "q": 2.0, "v": 1.5, "m": 2.0, "r": 2.0}
"""What a tile's effect is worth, in VP."""
MANY = 8
"""With so many cards a player takes a tile, whatever it is worth: drawing more leads nowhere."""
LIKED = ("yield", "storage", "cards", "marble", "worker")


class Style(Struct, frozen=True):
    """How a player plays: which square tiles it likes, the best first, how many cards it gathers before it
    takes a tile, whether it hurries to empty its piles, how often it declines a castle's pick, whether it
    returns a marble before it acts.
    """

    likes: tuple[str, ...] = LIKED
    cards: int = 2
    hurries: bool = False
    declines: float = 0.0
    early: bool = False


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
        """How many more units of a price are lacking, 0 where it can be paid."""
        units = min(self.hand[kind], 2) + self.side.workers
        units += sum(number // 2 for other, number in self.hand.items() if other != kind)
        return max(0, 2 - units)

    def worth(self, space):
        """What placing on a space gains, roughly."""
        kind, area = self.land.kinds[space], self.land.area(space)
        left = (area & self.empty).bit_count()
        gain = WORTH[kind] + (area_points(area.bit_count()) if left == 1 else 1.0 / left)
        of_kind = self.land.of_kind[NUMBERS[kind]] & self.empty
        if of_kind.bit_count() == 1 and self.state.taken[NUMBERS[kind]] < 2:
            gain += 3
        return gain

    def ready(self):
        """Whether a stored tile can be placed and paid for."""
        return any(self.open_spaces(tile[0]) and not self.price(tile[0]) for tile in self.side.stored)

    def stuck(self):
        """Whether some stored tile has no space to go to."""
        return any(not self.open_spaces(tile[0]) for tile in self.side.stored)

    def tile_worth(self, tile):
        """What having a tile is worth: the best space for it, less for cards that are lacking."""
        spaces = [space for space in range(len(self.land.kinds)) if self.open_spaces(tile[0]) >> space & 1]
        if not spaces:
            return -3.0
        best = max(map(self.worth, spaces)) + 0.3 * (len(tile) - 1)
        kinds = [tile[0]] if tile != WILD else sorted({self.land.kinds[space] for space in spaces})
        return best - 1.5 * min(map(self.price, kinds))


PLAIN = Style()


def sensible(style=PLAIN):
    """A ``choose`` for walks, of one style for all seats."""
    return by_seat([style] * 4)


def by_seat(styles):
    """The same with each seat's own style."""

    def choose(game, state, world, seat, true, rng):
        return Choice(true[0].question, _answer(styles[seat], game, state, world, seat, true, rng))

    return choose


def _answer(style, game, state, world, seat, true, rng):
    tokens = [choice.token for choice in true]
    question = true[0].question
    if question in ("square", "first_square"):
        return min(tokens, key=lambda token: style.likes.index(token) + rng.random() * 2)
    if question.endswith("_board"):
        return rng.choice(tokens)
    view = View(game, state, world, seat)
    if question == "first_castle":
        return max(tokens, key=lambda token: _around(view, token))
    if question == "action":
        return _action(style, view, tokens, rng)
    if question in ("discard", "wild"):
        held = [token for token in tokens if token != "points"]
        worst = min(held, key=view.tile_worth)
        keep = question == "wild" and (view.tile_worth(worst) > 1 or not state.wilds_left())
        return "points" if keep else worst
    if question == "tile":
        return min(tokens, key=lambda token: token == WILD)
    if question == "pay":
        return min(tokens, key=lambda token: _cost(view, state, token))
    if question == "pick":
        spaces = [token for token in tokens if token != "none"]
        if rng.random() < style.declines:
            return "none"
        return max(spaces, key=lambda token: view.worth(view.land.number(token)))
    return max(tokens, key=len)  # pick_tile: the farm that shows most


def _around(view, name):
    """How many different kinds lie beside a space."""
    beside = view.land.beside[view.land.number(name)]
    return len({view.land.kinds[space] for space in range(30) if beside >> space & 1})


def _action(style, view, tokens, rng):
    places = [token for token in tokens if token[0] == "P"]
    takes = [token for token in tokens if token[0] == "T"]
    if "end" in tokens:
        return "marble" if "marble" in tokens and (view.ready() or view.state.round == ROUNDS) else "end"
    if style.early and "marble" in tokens and (view.ready() or view.state.round == ROUNDS):
        return "marble"
    if places:
        return max(places, key=lambda token: view.worth(view.land.number(token[1:])) + rng.random() / 2)
    room = view.side.places() - len(view.side.stored)
    if takes and (room > 0 or view.stuck()):
        best = max(takes, key=lambda token: view.tile_worth(token[1:]) + rng.random() / 2)
        cards = view.hand.total()
        if style.hurries or cards >= MANY or (cards >= style.cards and view.tile_worth(best[1:]) > 0):
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
    return _SENSIBLE(game, state, world, seat, true, rng)


_SENSIBLE = sensible(Style(declines=0.1))


class Recording(Struct, frozen=True):
    """A match file to be written: who plays how, and what the match shows is its note."""

    name: str
    names: tuple[str, ...]
    setup: object
    styles: tuple[Style, ...]
    seed: int
    counted: bool = False

    def file(self):
        """The match played and written down."""
        match = recordings.record(GAME, self.setup, by_seat(self.styles), self.seed)
        if self.counted:
            match = final_table(match)
        return recordings.file(match, self.names, "; ".join(shown(match)))


def final_table(match):
    """The end of a match as it is told where no play was followed: seat by seat the figures of CT-7.3."""
    told = replace(match.setup, level=Level.SCORE, start=0)
    counted, end = Match(GAME, told), match.state
    for side in end.sides:
        green = sum(gain.points for gain in side.gains if not gain.orange)
        orange = sum(gain.points * (3 - gain.round if not gain.orange else 1) for gain in side.gains)
        figures = (orange, green, len(side.stored), side.marble, side.workers, side.hand)
        for figure in (*figures, 30 - side.filled.bit_count()):
            asked = GAME.rules.pending(counted.state).question
            counted.play(GAME.notation.text([Choice(asked, str(figure))]))
    return counted


HASTY = Style(hurries=True, cards=1)
RICH = Style(likes=("cards", "storage", "yield", "worker", "marble"), cards=4)
EARLY = Style(likes=("marble", "worker", "yield", "cards", "storage"), early=True)
WARY = Style(likes=("storage", "yield", "cards", "marble", "worker"), declines=0.5)
RECORDINGS = (
    Recording("two", ("Bice", "Vieri"), setup(2), (PLAIN, HASTY), 265),
    Recording("three", ("Ciuta", "Duccio", "Lapa"), setup(3, 1), (PLAIN, EARLY, HASTY), 282),
    Recording(
        "three_at_once",
        ("Ghita", "Manno", "Telda"),
        setup(3, 2, round_end="at_once", inn_may_discard="yes"),
        (HASTY, WARY, RICH),
        383,
    ),
    Recording(
        "four",
        ("Ermengarda", "Niccolo", "Oretta", "Spinello"),
        setup(4, 1, extra_on_cards="no", all_green="yes"),
        (PLAIN, RICH, PLAIN, HASTY),
        16,
    ),
    Recording(
        "three_rules_1",
        ("Ciuta", "Duccio", "Lapa"),
        replace(setup(3, 1), rules_version=1),
        (PLAIN, EARLY, HASTY),
        222,
    ),
    Recording("two_told", ("Arrigo", "Berta"), setup(2, 1, unknown=True), (EARLY, PLAIN), 16),
    Recording("final_table", ("Bice", "Vieri"), setup(2), (PLAIN, HASTY), 265, counted=True),
)
if __name__ == "__main__":
    recordings.keep({f"castles_of_tuscany_{one.name}": one.file() for one in RECORDINGS})
