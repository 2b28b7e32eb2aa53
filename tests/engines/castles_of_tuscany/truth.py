"""The Castles of Tuscany written a second time from its clauses, slowly: every card, tile and pile is there.

:class:`Table` knows what no referee does: hands by colour, piles in their order, the deck. Its
:meth:`Table.play` tells a whole game as the rules do, from the boards to the last card counted, and stops at
every question with an :class:`Ask`. Nothing of the engine is used but the letters that its tokens have.
"""

from collections import Counter
from functools import cache
from itertools import combinations, product

from tests.engines.asked import Ask
from tests.engines.castles_of_tuscany.true_regions import Region, half_a_hex

KINDS = "ctifqvmr"
CASTLE, TOWN, INN, FARM, QUARRY, VILLAGE, MONASTERY, CART = KINDS
WILD = WORKER = "w"
OWN = {"v": 4, "f": 4, "r": 3, "m": 3, "q": 3, "t": 2, "i": 1, "c": 1}
SQUARES = ("cards", "storage", "marble", "worker", "yield")
RANGES = (("g", 9), ("o", 9), ("c", 5), ("m", 3), ("w", 3), ("h", 1))
REWARDS = [*(what + str(n) for what, most in RANGES for n in range(1, most + 1)), "x"]
FINISHED = "finished"


# Pieces


class Copy:
    """What is printed on a copy: the boards by name, the colour bonuses by kind, the cards by colour.

    Of these, and of the ``yields`` there are, ``known`` has what everybody knows: ``board.A2``, ``bonus.v``,
    ``cards``, ``yields``.
    """

    def __init__(self, *, draw, storage, outline, boards, bonus, cards, yields, farms, known):
        self.draw, self.storage, self.outline, self.boards = draw, storage, outline, boards
        self.bonus, self.cards, self.yields, self.farms = bonus, cards, yields, farms
        self.known = known


class Side:
    """What lies before a player."""

    def __init__(self, piles, hand):
        self.boards, self.seams, self.region = [], [], None
        self.filled = {}  # the tile on each occupied space, the starting castle among them
        self.stored, self.piles, self.hand = [], piles, hand
        self.marble = self.workers = self.green = 0
        self.rounds = Counter()  # what went onto the orange track, by round
        self.squares = Counter()

    @property
    def orange(self):
        return self.rounds.total()

    def places(self):
        return 1 + self.squares["storage"]

    def full(self):
        return len(self.stored) >= self.places()

    def room(self, tile):
        """Return where a tile may go (CT-3.7)."""
        return {
            name
            for name, kind in self.region.kinds.items()
            if name not in self.filled
            and tile[0] in (kind, WILD)
            and self.region.beside[name] & self.filled.keys()
        }


class Table:
    """A game at a table."""

    def __init__(self, copy, seats, start, options, rng):
        self.copy, self.seats, self.start, self.options, self.rng = copy, seats, start, options, rng
        self.deck = self.shuffled(copy.cards.elements())
        self.discards = Counter()
        self.neutral = self.shuffled(self.tile(kind) for kind in KINDS for _ in range(4))
        self.display, self.gone = [], []
        self.yields, self.yields_out = self.shuffled(rng.choice(copy.yields) for _ in range(27)), []
        self.squares = dict.fromkeys(SQUARES, 5)
        self.marble = self.workers = 12
        self.wilds = 10
        self.bonus_taken = Counter()
        self.known = set(copy.known)
        self.sides = [self._side() for _ in range(seats)]
        self.seat, self.round, self.trigger, self.last = start, 1, None, None
        self.left, self.marbled = 1, False
        self.termination = ""

    def _side(self):
        tiles = self.shuffled(self.tile(kind) for kind, copies in OWN.items() for _ in range(copies))
        return Side([tiles[:7], tiles[7:14], tiles[14:]], Counter(self.deck.pop() for _ in range(5)))

    def shuffled(self, things):
        things = list(things)
        self.rng.shuffle(things)
        return things

    def tile(self, kind):
        """A tile of a kind; a farm shows some of the farm kinds."""
        if kind != FARM:
            return kind
        return FARM + "".join(
            sorted(self.rng.sample(self.copy.farms, self.rng.randint(1, len(self.copy.farms))))
        )

    @property
    def side(self):
        return self.sides[self.seat]

    # The game

    def play(self):
        """The whole game; yields every question and is sent the answer."""
        yield from self.set_up()
        while not self.termination:
            yield from self.turn()
            self.next_turn()

    def set_up(self):
        """CT-2."""
        for first in (self.choose_boards, self.place_castle, lambda: self.take_square("first_square")):
            for n in range(self.seats):
                self.seat = (self.start + n) % self.seats
                yield from first()
        self.seat = self.start
        for _ in range(8):
            yield from self.turn_up_neutral("display")

    def place_castle(self):
        """CT-2.3."""
        castle = yield Ask("first_castle", self.seat, self.side.region.of_kind(CASTLE))
        self.side.filled[castle] = CASTLE

    def choose_boards(self):
        """CT-1.5, CT-1.6."""
        taken = {name[:2] for side in self.sides for name in side.boards}
        sets = set("ABC")
        for question in ("top_board", "middle_board", "bottom_board"):
            free = {f"{letter}{n}" for letter in sets for n in range(1, 5)} - taken
            lying = {name + turned for name in free for turned in ("", "'")}
            seams = [""]
            if self.side.boards:
                seams = [f"{seam:+d}" for seam in half_a_hex(self.copy.outline, "'" in self.side.boards[-1])]
            token = yield Ask(question, self.seat, {n + s for n in lying for s in seams}, begun=len(sets) < 3)
            sets.remove(token[0])
            self.side.boards.append(token[:-2] if len(sets) < 2 else token)
            if len(sets) < 2:
                self.side.seams.append(int(token[-2:]))
        names = [name[:2] for name in self.side.boards]
        for name in names:
            if f"board.{name}" not in self.known:
                yield Ask("print", self.seat, (), told=self.copy.boards[name])
                self.known.add(f"board.{name}")
        boards = [self.copy.boards[name] for name in names]
        turned = ["'" in name for name in self.side.boards]
        self.side.region = Region(boards, self.side.seams, self.copy.outline, turned)

    # Turns

    def turn(self):
        """CT-3.1 to CT-3.2."""
        self.left, self.marbled = 1, False
        while self.left or (not self.marbled and self.side.marble):
            token = yield Ask("action", self.seat, self.actions(self.payments), self.actions(self.thinkable))
            if token == "end":
                break
            if token == "marble":
                self.side.marble -= 1
                self.marble += 1
                self.marbled = True
                self.left += 1
                continue
            self.left -= 1
            if token == "D":
                self.draw(self.copy.draw + self.side.squares["cards"])
            elif token[0] == "T":
                yield from self.take(token[1:])
            else:
                yield from self.place(token[1:])

    def actions(self, payments):
        if not self.marbled and self.side.marble:
            yield "marble"
        if not self.left:
            yield "end"
            return
        yield "D"
        for tile in self.display:
            yield "T" + tile
        spaces = {space for tile in self.side.stored for space in self.side.room(tile)}
        kinds = {self.side.region.kinds[space] for space in spaces}
        payable = {kind for kind in kinds if any(payments(kind))}
        yield from ("P" + space for space in spaces if self.side.region.kinds[space] in payable)

    def draw(self, number):
        """CT-3.3."""
        for _ in range(number):
            if not self.deck:
                self.deck, self.discards = self.shuffled(self.discards.elements()), Counter()
            if self.deck:
                self.side.hand[self.deck.pop()] += 1

    def take(self, tile):
        """CT-3.4, CT-3.5."""
        if self.side.full():
            leaves = yield Ask("discard", self.seat, self.side.stored, begun=True)
            self.leave(leaves)
        self.display.remove(tile)
        self.side.stored.append(tile)
        yield from self.refill()

    def leave(self, tile):
        """A stored tile leaves the game, a wild hex goes back to the supply."""
        self.side.stored.remove(tile)
        if tile == WILD:
            self.wilds += 1
        else:
            self.gone.append(tile)

    def refill(self):
        """CT-3.5, CT-3.6, CT-6.1."""
        for number, pile in enumerate(self.side.piles, 1):
            if pile:
                kinds = {tile[0] for one in self.side.piles for tile in one}
                yield Ask("refill", self.seat, [pile[-1]], self.faces(kinds), told=pile[-1])
                self.display.append(pile.pop())
                if not pile and number == self.round and self.trigger is None:
                    self.trigger = self.seat
                yield from self.five_alike()
                break

    def five_alike(self):
        while True:
            alike = [kind for kind in KINDS if sum(tile[0] == kind for tile in self.display) >= 5]
            if not alike:
                return
            leaving = [tile for tile in self.display if tile[0] == alike[0]]
            self.gone += leaving
            self.display = [tile for tile in self.display if tile[0] != alike[0]]
            for _ in range(min(len(leaving), len(self.neutral))):
                yield from self.turn_up_neutral("neutral")

    def turn_up_neutral(self, question):
        kinds = {tile[0] for tile in self.neutral}
        yield Ask(question, self.seat, [self.neutral[-1]], self.faces(kinds), told=self.neutral[-1])
        self.display.append(self.neutral.pop())

    def faces(self, kinds):
        """Every tile of these kinds, whatever farm kinds it shows."""
        for kind in kinds:
            if kind != FARM:
                yield kind
                continue
            for most in range(1, len(self.copy.farms) + 1):
                for shown in combinations(self.copy.farms, most):
                    yield FARM + "".join(shown)

    # Placing

    def place(self, space):
        """CT-3.7, CT-3.8."""
        fitting = {tile for tile in self.side.stored if space in self.side.room(tile)}
        tile = min(fitting)
        if len(fitting) > 1:
            tile = yield Ask("tile", self.seat, fitting, begun=True)
        kind = self.side.region.kinds[space]
        unit = yield Ask(
            "pay",
            self.seat,
            self.first_units(kind, self.payments(kind)),
            self.first_units(kind, self.thinkable(kind)),
            begun=True,
        )
        both = unit == 2 * kind
        unit = unit[: len(unit) - both]
        seconds = {pair[1] for pair in self.payments(kind) if pair[0] == unit}
        thinkable = {pair[1] for pair in self.thinkable(kind) if pair[0] == unit}
        other = kind if both else (yield Ask("pay", self.seat, seconds, thinkable, begun=True))
        for paid in (unit, other):
            if paid == WORKER:
                self.side.workers -= 1
                self.workers += 1
            else:
                self.side.hand -= Counter(paid)
                self.discards += Counter(paid)
        self.side.stored.remove(tile)
        yield from self.put(space, tile)
        yield from self.effect(space, tile)

    @staticmethod
    def first_units(kind, pairs):
        """Return what is paid first: a unit, or both as cards of the tile's own colour."""
        pairs = list(pairs)
        return {pair[0] for pair in pairs} | {2 * kind for pair in pairs if set(pair) == {kind}}

    def payments(self, kind):
        """The pairs of units that the hand and the workers allow."""
        return self.affordable(kind, self.side.hand)

    def thinkable(self, kind):
        """Return those that some hand of that size allows: cards in the discards are in no hand (CT-3.8)."""
        unseen = self.copy.cards - self.discards
        return self.affordable(kind, unseen if "cards" in self.known else Counter(dict.fromkeys(KINDS, 4)))

    def affordable(self, kind, cards):
        size = self.side.hand.total()
        for workers, price, pair in _prices(kind):
            there = all(cards[colour] >= n for colour, n in price.items())
            if there and price.total() <= size and workers <= self.side.workers:
                yield pair

    def put(self, space, tile):
        """A tile is on its space: CT-4.1, CT-4.2."""
        side, kind = self.side, self.side.region.kinds[space]
        side.filled[space] = tile
        area = side.region.area(space)
        if area <= side.filled.keys():
            side.green += sum(range(1, len(area) + 1))
        if side.region.of_kind(kind) <= side.filled.keys() and self.bonus_taken[kind] < 2:
            if f"bonus.{kind}" not in self.known:
                yield Ask("bonus", self.seat, (), told="{},{}".format(*self.copy.bonus[kind]))
                self.known.add(f"bonus.{kind}")
            side.green += self.copy.bonus[kind][self.bonus_taken[kind]]
            self.bonus_taken[kind] += 1

    # Effects

    def effect(self, space, tile):
        """CT-5, by the space's colour."""
        side, kind = self.side, self.side.region.kinds[space]
        if kind == CASTLE:
            yield from self.pick()
        elif kind == TOWN:
            if any(self.squares.values()):
                yield from self.take_square("square")
        elif kind == INN:
            yield from self.take_wild()
        elif kind == FARM:
            before = {
                shown for name in side.region.area(space) - {space} for shown in side.filled.get(name, "")[1:]
            }
            side.green += len(set(tile[1:]) - before)
        elif kind == QUARRY:
            self.gain_marble(1 + side.squares["marble"])
        elif kind == VILLAGE:
            self.gain_workers(1 + side.squares["worker"])
        elif kind == MONASTERY:
            self.draw(3)
        elif kind == CART:
            for _ in range(1 + side.squares["yield"]):
                yield from self.turn_up_yield()

    def pick(self):
        """CT-5.1."""
        spaces = {space for tile in self.display for space in self.side.room(tile)}
        if not spaces:
            return
        space = yield Ask("pick", self.seat, spaces | {"none"})
        if space == "none":
            return
        fitting = {tile for tile in self.display if space in self.side.room(tile)}
        tile = min(fitting)
        if len(fitting) > 1:
            tile = yield Ask("pick_tile", self.seat, fitting, begun=True)
        self.display.remove(tile)
        yield from self.put(space, tile)
        yield from self.refill()
        yield from self.effect(space, tile)

    def take_square(self, question):
        """CT-2.4, CT-5.2, CT-5.9."""
        square = yield Ask(question, self.seat, [kind for kind in SQUARES if self.squares[kind]])
        self.squares[square] -= 1
        self.side.squares[square] += 1
        if square == "storage":
            self.side.green += self.copy.storage

    def take_wild(self):
        """CT-5.3."""
        if not self.wilds:
            return
        if self.side.full():
            leaves = "points"
            if self.options["inn_may_discard"] == "yes":
                leaves = yield Ask("wild", self.seat, ["points", *self.side.stored])
            if leaves == "points":
                self.gain_orange(2)
                return
            self.leave(leaves)
        self.wilds -= 1
        self.side.stored.append(WILD)

    def gain_orange(self, points):
        """CT-7.1."""
        if self.options["all_green"] == "yes":
            self.side.green += points
        else:
            self.side.rounds[self.round] += points

    def gain_marble(self, number):
        number = min(number, self.marble)
        self.marble -= number
        self.side.marble += number

    def gain_workers(self, number):
        number = min(number, self.workers)
        self.workers -= number
        self.side.workers += number

    def turn_up_yield(self):
        """CT-5.8, CT-5.5."""
        if not self.yields:
            self.yields, self.yields_out = self.shuffled(self.yields_out), []
        reward = self.yields[-1]
        there = [*self.copy.yields, "x"] if "yields" in self.known else REWARDS
        there = [*there, "+"]  # another card than those on the list, told reward by reward
        if len(self.yields) % 5:
            yield Ask("yield", self.seat, [reward], there, told=reward)
        else:
            yield Ask("yield", self.seat, ["+"], there, told="+")
            yield Ask("reward", self.seat, [reward], REWARDS, begun=True, told=reward)
            others = [other for other in REWARDS if other[0] != reward[0]]
            yield Ask("reward", self.seat, ["."], [".", *others], begun=True, told=".")
        self.yields_out.append(self.yields.pop())
        what, number = reward[0], int(reward[1:] or 0)
        extra = self.options["extra_on_cards"] == "yes"
        if what == "g":
            self.side.green += number
        elif what == "o":
            self.gain_orange(number)
        elif what == "c":
            self.draw(number)
        elif what == "m":
            self.gain_marble(number + extra * self.side.squares["marble"])
        elif what == "w":
            self.gain_workers(number + extra * self.side.squares["worker"])
        elif what == "h":
            yield from self.take_wild()

    # Rounds and the end

    def next_turn(self):
        """CT-6.1 to CT-6.4."""
        following = (self.seat + 1) % self.seats
        around = self.options["round_end"] == "go_around"
        if self.last is not None:
            self.last -= 1
        elif self.trigger is not None and self.round == 3:
            # To the start player's right neighbour, then once around; or once around at once.
            self.last = ((self.start - following) % self.seats if around else 0) + self.seats
        elif self.trigger is not None and (not around or following == self.start):
            self.end_round()
        if self.last == 0:
            self.end_round()
            for side in self.sides:
                cards = side.hand.total() // 3
                side.rounds[3] += len(side.stored) + side.marble + side.workers + cards  # CT-7.3
            self.termination = FINISHED
        else:
            self.seat = following

    def end_round(self):
        """CT-7.2."""
        for side in self.sides:
            side.rounds[self.round] += side.green
        self.round += 1
        self.trigger = None

    def ranking(self):
        """Groups of seats that share a place, the best first (CT-7.4)."""
        keys = {
            seat: (-side.orange, len(side.filled), side.green, side.hand.total())
            for seat, side in enumerate(self.sides)
        }
        return [tuple(s for s in keys if keys[s] == key) for key in sorted(set(keys.values()))]

    # What is never lost

    def assert_conserved(self):
        """CT-1.3, CT-1.4: nothing is lost, nothing comes from nowhere."""
        placed = [tile for side in self.sides for tile in side.filled.values()]
        stored = [tile for side in self.sides for tile in side.stored]
        piled = [tile for side in self.sides for pile in side.piles for tile in pile]
        castles = sum(not side.filled for side in self.sides)  # starting castles not placed yet
        tiles = [t for t in (*placed, *stored) if t != WILD] + piled + self.display + self.gone + self.neutral
        assert len(tiles) + castles == 22 * self.seats + 32
        assert placed.count(WILD) + stored.count(WILD) + self.wilds == 10
        cards = sum((side.hand for side in self.sides), Counter(self.deck) + self.discards)
        assert cards == self.copy.cards
        assert cards.total() == 122
        assert self.marble + sum(side.marble for side in self.sides) == 12
        assert self.workers + sum(side.workers for side in self.sides) == 12
        assert sum(self.squares.values()) + sum(side.squares.total() for side in self.sides) == 25
        assert len(self.yields) + len(self.yields_out) == 27
        assert min(self.marble, self.workers, self.wilds, *self.squares.values()) >= 0
        for side in self.sides:
            assert min(side.marble, side.workers) >= 0
            assert len(side.stored) <= side.places()


@cache
def _prices(kind):
    """(workers, cards by colour, units) of every pair of units that pays for a colour (CT-3.8)."""
    units = [kind, WORKER, *(2 * other for other in KINDS if other != kind)]
    pairs = product(units, units)
    return [(pair.count(WORKER), Counter("".join(pair).replace(WORKER, "")), pair) for pair in pairs]
