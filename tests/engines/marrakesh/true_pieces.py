"""The pieces of Marrakesh on a table: what a copy shows, what is before a player, tower, stacks."""

import re
from collections import Counter

LETTERS = "tgkwybnprluo"
COLOURED = "tgkwybnp"  # the areas that have a colour
GOODS = "luo"
SEASONS, ROUNDS = 3, 4
RESOURCES = ("water", "date", "dinar")
SPOTS = ("left1", "left2", "left3", "right1", "right2", "right3")
GATES = dict.fromkeys("uolb", 2) | dict.fromkeys("gywkptnr", 3)
SCROLLS = {"gray": range(1, 22), "yellow": range(22, 43), "pink": range(43, 61), "orange": range(61, 73)}
SCHOLARS = {"gray": 1, "yellow": 3, "pink": 5, "orange": 7}
DATES = {"gray": 1, "yellow": 1, "pink": 2, "orange": 3}
FACES = (("01", "02", "07", "08", "13", "14"), ("03", "04", "09", "10", "15", "16"))
FACES += (("05", "06", "11", "12", "17", "18"),)


def colour_of(scroll):
    """The colour of a scroll's back."""
    return next(colour for colour, numbers in SCROLLS.items() if scroll in numbers)


class Copy:
    """What is printed on a copy, by the name of the fact; ``known`` are those that everybody knows, and what
    the scrolls do that are ``given`` to players before the game.
    """

    def __init__(self, facts, known, given=()):
        self.facts, self.known, self.given = dict(facts), set(known), list(given)
        self.known.update(self.scroll(number) for number in given)

    def __getitem__(self, name):
        return self.facts[name]

    def scroll(self, number):
        """The name of the fact that tells what a scroll does."""
        if number <= 12:
            return f"keshi_scroll.{number:02}"
        return f"goods_scroll.{number}" if 37 <= number <= 42 else f"scroll.{number}"

    def oasis(self, number):
        """The name of the fact that tells what an oasis scores."""
        kinds = ((4, "gate_oasis"), (13, "keshi_oasis"), (18, "good_oasis"), (21, "resource_oasis"))
        kind = next((kind for last, kind in kinds if number <= last), "oasis")
        return f"{kind}.{number:02}"


class Side:
    """What lies before a player, and what stands on the common boards for it."""

    def __init__(self, disc, hidden, tiles):
        self.behind, self.chosen = set(), []
        self.assistants = []
        self.board = Counter()
        self.vendors, self.fresh = set(), set()
        self.stall = self.stall_fresh = False
        self.square = set()
        self.disc, self.disc_told = disc, False  # how often it was turned clockwise
        self.caravans = Counter()
        self.hidden = hidden  # the number of the oasis at each spot
        self.claimed, self.oases, self.stock = set(), [], {}
        self.told = {}  # numbers of oases that were told and lie there still, by spot (scroll 68)
        self.towns, self.turned = {}, set()  # towns by place, and places whose towns are claimed
        self.gates = {}
        self.fisherman = self.spot = self.arrived = 0
        self.crocodile = False
        self.mosque = self.palace = self.lines = 0
        self.has = Counter(dict.fromkeys(RESOURCES, 1))
        self.scrolls, self.words = [], set()
        self.refreshed = self.bought = False
        self.goods = []
        self.down, self.demands = tiles, []
        self.vp = Counter(start=10)

    def guards(self):
        """Guards on the watchtower (MK-13.1)."""
        return self.board["b"] - len(self.gates)

    def room(self, letter):
        """Return how many more keshis of a colour find a place (MK-5.2, MK-5.4, MK-13.5)."""
        if letter in GOODS:
            return 10**6
        return 8 - (len(self.vendors) if letter == "r" else self.board[letter])

    def discovered(self):
        """Oases that lie open and are not claimed (MK-14.1)."""
        return [
            spot for spot in SPOTS if int(spot[-1]) <= self.caravans[spot[:-1]] and spot not in self.claimed
        ]

    def complete(self, area):
        """MK-5.2, MK-13.4, MK-16.1."""
        return self.board[area] == 8 and area in self.vendors


class Stacks:
    """Face-down stacks with a tile shown beside each (MK-1.3)."""

    def __init__(self, tiles, number, rng):
        tiles = list(tiles)
        rng.shuffle(tiles)
        self.rng = rng
        self.down = [tiles[n::number] for n in range(number)]
        self.up = [stack.pop() for stack in self.down]

    def shown(self):
        """The tiles that can be taken."""
        return [tile for tile in self.up if tile is not None]

    def left(self):
        """All tiles that nobody took."""
        return self.shown() + [tile for stack in self.down for tile in stack]

    def swap(self, tile, other):
        """Two tiles change their places, as those do that look alike."""
        places = {tile: other, other: tile}
        for stack in (self.up, *self.down):
            stack[:] = [places.get(each, each) for each in stack]

    def take(self, tile):
        """A tile is taken; its place stays empty until :meth:`refill`."""
        self.up[self.up.index(tile)] = None

    def drop(self, tile):
        """A tile leaves before the game."""
        if tile in self.up:
            self.take(tile)
            self.refill()
        else:
            next(stack for stack in self.down if tile in stack).remove(tile)

    def turn(self):
        """MK-12.2: the tops go under their stacks, new ones are turned up."""
        for n, tile in enumerate(self.up):
            if tile is not None:
                self.down[n].insert(0, tile)
                self.up[n] = self.down[n].pop()

    def refill(self):
        """MK-9.4, MK-12.3: an emptied stack takes the lower half of the largest, then tops are turned up."""
        for n, tile in enumerate(self.up):
            if tile is None and not self.down[n]:
                sizes = [len(stack) + (up is not None) for stack, up in zip(self.down, self.up, strict=True)]
                largest = self.rng.choice([m for m, size in enumerate(sizes) if size == max(sizes)])
                half = sizes[largest] // 2
                self.down[n], self.down[largest] = self.down[largest][:half], self.down[largest][half:]
        for n, tile in enumerate(self.up):
            if tile is None and self.down[n]:
                self.up[n] = self.down[n].pop()


class Tower:
    """The cube tower: what is thrown in comes out, or sticks for a while (MK-4.1)."""

    def __init__(self, rng):
        self.rng, self.inside = rng, []
        self.keeps = rng.choice((0.05, 0.2, 0.5))

    def throw(self, keshis):
        """Return what comes out, and what stays inside."""
        there = self.inside + list(keshis)
        inside = [letter for letter in there if self.rng.random() < self.keeps]
        return Counter(there) - Counter(inside), inside


def written(counts, kinds):
    """A bag as its token, ``2d1w``."""
    return "".join(f"{counts[kind]}{kind}" for kind in kinds if counts[kind]) or "0"


def counted(token):
    """A bag's token as counts."""
    return Counter({kind: int(number) for number, kind in re.findall(r"(\d+)([a-z])", token)})
