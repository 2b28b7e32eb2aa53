"""Marrakesh written a second time from its clauses, slowly: every keshi, tile and stack is there.

:class:`Table` knows what no referee does: what is inside the tower, which tiles lie in which stack, what the
oases and provision tiles are before they are turned up. Its :meth:`Table.play` tells a whole game as the
rules do, from the set-up to the last oasis counted, and stops at every question with an :class:`Ask`. Nothing
of the engine is used but the letters that its tokens have, and the words that tiles have in the copy's facts.
"""

from collections import Counter
from itertools import combinations, product

from tests.engines.asked import Ask
from tests.engines.marrakesh.true_areas import Areas
from tests.engines.marrakesh.true_boxes import Boxes
from tests.engines.marrakesh.true_gains import Gains
from tests.engines.marrakesh.true_pieces import (
    COLOURED,
    FACES,
    GATES,
    GOODS,
    LETTERS,
    RESOURCES,
    ROUNDS,
    SCROLLS,
    SEASONS,
    SPOTS,
    Side,
    Stacks,
    Tower,
    written,
)
from tests.engines.marrakesh.true_tiles import Tiles
from tests.engines.marrakesh.true_trades import Trades

FINISHED = "finished"


class Table(Gains, Areas, Trades, Tiles, Boxes):
    """A game at a table."""

    def __init__(self, copy, seats, start, options, rng):
        self.copy, self.seats, self.options, self.rng = copy, seats, options, rng
        self.start = self.holder = self.seat = start
        self.season = self.round = 1
        self.phase = "start"
        self.tower, self.tray = Tower(rng), Counter()
        oases, tiles = self.shuffled(range(1, 31)), self.shuffled(range(1, 13))
        self.spare = oases[6 * seats : 6 * seats + 3]
        self.sides = [
            Side(
                rng.randrange(8),
                dict(zip(SPOTS, oases[6 * seat : 6 * seat + 6], strict=True)),
                tiles[3 * seat : 3 * seat + 3],
            )
            for seat in range(seats)
        ]
        goods = [name.removeprefix("good.") for name in copy.facts if name.startswith("good.")]
        self.goods = Stacks(goods, 5, rng)
        self.scrolls = {colour: Stacks(numbers, 3, rng) for colour, numbers in SCROLLS.items()}
        gates = self.shuffled(letter for letter, copies in GATES.items() for _ in range(copies))
        self.workshops = {str(n + 1): Counter(gates[8 * n : 8 * n + 8]) for n in range(4)}
        self.river = [rng.choice(faces) for faces in FACES]
        self.lay_boxes()
        self.arrivals = 0
        self.in_turn, self.taken = False, []  # scrolls and luxury goods of the turn that goes on (MK-12.3)
        self.termination = ""

    def shuffled(self, things):
        things = list(things)
        self.rng.shuffle(things)
        return things

    @property
    def side(self):
        return self.sides[self.seat]

    def order(self):
        """All seats clockwise from the start player; each is the one asked while it lasts."""
        first = self.start
        for n in range(self.seats):
            self.seat = (first + n) % self.seats
            yield self.seat

    def ask(self, question, true, public=None, **how):
        """The answer; None where there is none."""
        asked = Ask(question, self.seat, true, public, **how)
        return (yield asked) if asked.public else None

    def tell(self, question, told):
        """The table tells something."""
        return (yield Ask(question, self.seat, (), told=told))

    def gain(self, category, points):
        self.side.vp[category] += points

    # The game

    def play(self):
        """The whole game; yields every question and is sent the answer."""
        yield from self.set_up()
        for self.season in range(1, SEASONS + 1):
            for side in self.sides:
                side.behind = set(LETTERS)  # MK-1.7, MK-15.4
            for self.round in range(1, ROUNDS + 1):
                yield from self.play_round()
                if self.round < ROUNDS:
                    self.start = (self.start + 1) % self.seats  # MK-2.2
            yield from self.end_season()
        yield from self.look_at_discs()
        self.termination = FINISHED
        self.count()

    def set_up(self):
        """MK-1.5, MK-1.6."""
        self.phase = "set_up"
        bag = self.shuffled("tgkwybpr")
        wanted = ("keshi", "keshi_of_two") if self.seats == 2 else ("keshi",)
        for _ in self.order():
            places = [n for n, icon in enumerate(self.copy["track"]) if icon in wanted]
            hand, bag = bag[: len(places)], bag[len(places) :]
            for n in places:
                letter = yield from self.ask(
                    "stock", hand, hand + bag, after=("stock",) if self.side.stock else ()
                )
                hand.remove(letter)
                self.side.stock[n] = letter
        for _ in self.order():
            yield from self.turn_up()

    def turn_up(self):
        """MK-1.6, MK-15.3: a tile is called by what it asks for, one that nobody knows yet is new."""
        up = {tile for side in self.sides for tile in side.demands}
        left = {tile: self.demand(tile) for tile in range(1, 13) if tile not in up}
        token = yield from self.ask("turn_up", {left[tile] for tile in self.side.down}, left.values())
        number = min(tile for tile, asks in left.items() if asks == token)
        if number not in self.side.down:
            self.swap(number, next(tile for tile in self.side.down if left[tile] == token))
        self.side.down.remove(number)
        self.side.demands.append(number)
        self.copy.known.add(f"demand.{number}")

    def demand(self, tile):
        """Return what a provision tile asks for, as a token."""
        asks = self.copy[f"demand.{tile}"]
        text = "".join(f"{n}{kind}" for n, kind in zip(asks, "wdn", strict=True) if n) or "0"
        return text if f"demand.{tile}" in self.copy.known else "new"

    def swap(self, tile, other):
        """Two provision tiles that look alike change their numbers."""
        facts, first, second = self.copy.facts, f"demand.{tile}", f"demand.{other}"
        facts[first], facts[second] = facts[second], facts[first]
        numbers = {tile: other, other: tile}
        for side in self.sides:
            side.down = [numbers.get(each, each) for each in side.down]

    # A round

    def play_round(self):
        """MK-2.1."""
        for side in self.sides:
            side.refreshed = side.bought = False
        self.phase = "choose"
        for _ in self.order():
            yield from self.choose()
        yield from self.throw()
        self.phase = "claim"
        yield from self.claim()
        self.phase = "use"
        for _ in self.order():
            yield from self.use()
        self.phase = "end"
        for _ in self.order():
            yield from self.river_bonus()

    def choose(self):
        """MK-3.1 to MK-3.3."""
        side = self.side
        if len(side.behind) == 3:
            side.chosen = list(side.behind)
        while len(side.chosen) < 3:
            after = ("choose",) if side.chosen else ()
            side.chosen.append((yield from self.ask("choose", side.behind - set(side.chosen), after=after)))
        areas = ["s" if letter in GOODS else letter for letter in side.chosen if letter != "r"]
        side.behind -= set(side.chosen)
        side.assistants = areas
        if "r" in side.chosen:
            free = set(COLOURED) - set(areas) | {"s"}
            areas.append((yield from self.ask("red_area", free, after=("choose",))))

    def throw(self):
        """MK-3.4, MK-4."""
        self.seat = self.start
        thrown = [letter for side in self.sides for letter in side.chosen]
        tray, inside = self.tower.throw(thrown)
        yield from self.tell("tray", written(tray, LETTERS))
        self.tower.inside, self.tray = inside, tray
        for side in self.sides:
            side.chosen = []

    # Claiming

    def claim(self):
        """MK-5.1 to MK-5.3, MK-5.6."""
        out = set()
        while self.tray and len(out) < self.seats:
            for seat in self.order():
                if seat in out or not self.tray:
                    continue
                tokens = self.claims()
                if not tokens:
                    out.add(seat)
                    continue
                token = yield from self.ask("claim", tokens, always=True)
                taken = token[1] * int(token[0]) if token[0].isdigit() else token
                self.tray = self.tray - Counter(taken)
                if len(set(taken)) > 1 and {"p", "n"} & set(taken):  # in the owner's order (MK-5.8)
                    first = yield from self.ask("gate_keshi", set(taken))
                    taken = first + taken.replace(first, "")
                for letter in taken:
                    yield from self.deploy(letter)
        self.tray = Counter()

    def claims(self):
        """Return what can be taken; with scroll 61 two that may differ."""
        most = {letter: min(2, n, self.side.room(letter)) for letter, n in self.tray.items()}
        tokens = {f"{n}{letter}" for letter, there in most.items() for n in range(1, there + 1)}
        if "free_claim" in self.side.words:
            there = sorted((letter for letter in most if most[letter] > 0), key=LETTERS.index)
            pairs = {a + b for a, b in combinations(there, 2)}
            twos = {token for token in tokens if token[0] == "2"}
            return pairs | twos or tokens
        return tokens

    # Using

    def use(self):
        """MK-6."""
        side = self.side
        side.fresh, side.stall_fresh = set(), False
        self.in_turn = True
        while side.assistants:
            true, public = set(), set()
            for area in set(side.assistants):
                some, all_some = self.actions(area)
                true |= some
                public |= all_some
            token = yield from self.ask("action", true, public)
            area, _, how = token.partition(".")
            side.assistants.remove(area)
            paid = self.vendor_water(area)
            side.has["water"] += paid
            if how == "leave":
                continue
            if area == "s" and how in GOODS:
                yield from self.deploy(how)
            elif how == "keshi":
                yield from self.deploy(area)
            else:
                if paid and area != "s" and "vendor_points" in side.words:
                    self.gain("scrolls", 2)
                yield from self.act(area if area != "s" else token)
        self.end_turn()

    def vendor_water(self, area):
        """MK-6.2; scrolls 35 and 57."""
        side = self.side
        there = area in side.vendors - side.fresh or (area == "s" and side.stall and not side.stall_fresh)
        return there * (2 if "double_water" in side.words else 1)

    def actions(self, area):
        """Return how an assistant in an area may be used: (as tiles lie, as all know)."""
        side = self.side
        keshi = {f"s.{good}" for good in GOODS} if area == "s" else {f"{area}.keshi"}
        if area != "s" and side.room(area) <= 0:
            keshi = set()
        paid = self.vendor_water(area)
        side.has["water"] += paid
        acts = self.can(area)
        side.has["water"] -= paid
        return tuple(keshi | some or {f"{area}.leave"} for some in acts)

    def end_turn(self):
        """MK-9.4, MK-12.3."""
        self.goods.refill()
        for stacks in self.scrolls.values():
            stacks.refill()
        self.side.fresh, self.side.stall_fresh = set(), False
        self.in_turn, self.taken = False, []

    def came(self, tile, stacks):
        """A scroll or a luxury good was taken: outside a turn the next one is turned up at once (MK-12.3)."""
        if self.in_turn:
            self.taken.append(tile)
        else:
            stacks.refill()

    # Round and season end

    def crossed(self, side):
        """The rapids behind a fisherman, by number, with their bonuses."""
        return {
            n: bonus
            for n, (space, bonus) in enumerate(
                zip(self.copy["rapids"], self.copy["rapid_bonus"], strict=True), 1
            )
            if side.fisherman >= space
        }

    def river_bonus(self):
        """MK-15.1; scroll 69."""
        crossed = self.crossed(self.side)
        if "every_rapid" in self.side.words:
            for bonus in crossed.values():
                yield from self.rapid(bonus)
        elif crossed:
            yield from self.rapid((yield from self.ask("rapid", set(crossed.values()))))

    def rapid(self, bonus):
        """Scroll 60."""
        for _ in range(2 if "double_rapids" in self.side.words else 1):
            if bonus in ("vp", "vp3"):
                self.gain("rapids", 3 if bonus == "vp3" else 1)
            elif bonus == "any":
                yield from self.resource()
            else:
                yield from self.goods_of_choice(1)

    def end_season(self):
        """MK-15.2 to MK-15.4."""
        for _ in self.order():
            if "season_rapids" in self.side.words:  # scroll 28
                for bonus in self.crossed(self.side).values():
                    yield from self.rapid(bonus)
        yield from self.river_tile()
        for _ in self.order():
            yield from self.provision()
        if self.season < SEASONS:
            for _ in self.order():
                yield from self.turn_up()
            self.start = self.holder = (self.holder + 1) % self.seats
            for side in self.sides:
                side.fisherman = self.copy["crocodile"] if side.crocodile else 0
                side.spot = 0

    def standing(self, seat):
        """Return how far a fisherman is: on a shared space the later pawn is behind (MK-7.2, MK-7.3)."""
        side = self.sides[seat]
        return side.fisherman, -side.spot if side.spot else -99, -side.arrived

    def river_tile(self):
        """MK-15.2."""
        moved = [seat for seat in self.order() if self.sides[seat].fisherman]
        moved.sort(key=self.standing, reverse=True)
        if moved:
            self.seat = self.start
            face = self.river[self.season - 1]
            yield from self.tell("river_tile", face)
            yield from self.river_bonuses(self.copy[f"river_tile.{face}"], moved)

    def provision(self):
        """MK-15.3; scrolls 33 and 44."""
        side = self.side
        asked = Counter()
        for tile in side.demands:
            asked.update(dict(zip(RESOURCES, self.copy[f"demand.{tile}"], strict=True)))
        eased = "lenient" in side.words and self.can_pay(Counter(dinar=1), more=len(side.demands))
        if eased and (yield from self.ask("lenient", ("yes", "no"))) == "yes":
            yield from self.pay(Counter(dinar=1))
            for _ in side.demands:
                yield from self.pay_any("part")
            return
        if self.can_pay(asked):
            yield from self.pay(asked)
        else:
            side.has = Counter()
            self.gain("provision", -self.copy["demand_loss"] * len(side.demands))

    # The end

    def count(self):
        """MK-16.1 to MK-16.3."""
        for _ in self.order():
            side = self.side
            self.gain("areas", 10 * sum(side.complete(area) for area in COLOURED))
            self.gain("oases", self.best())
            self.score_towns()

    def best(self):
        """The most that three oases and what is left then give: MK-16.2, MK-16.3."""
        side = self.side
        held = [side.has[kind] for kind in RESOURCES]
        goods = sum(side.board[good] for good in GOODS)
        best = 0
        for three in combinations(side.oases, min(3, len(side.oases))):
            for returned in product(*(range(min(12, n) + 1) for n in held)):
                paid = dict(zip(RESOURCES, returned, strict=True))
                points = sum(self.oasis_points(number, paid) for number in three)
                best = max(best, points + (sum(held) - sum(returned) + goods) // 2)
        return best

    def ranking(self):
        """Groups of seats that share a place, the best first (MK-16.4)."""
        keys = {seat: (-side.vp.total(), -side.palace, -side.mosque) for seat, side in enumerate(self.sides)}
        return [tuple(s for s in keys if keys[s] == key) for key in sorted(set(keys.values()))]
