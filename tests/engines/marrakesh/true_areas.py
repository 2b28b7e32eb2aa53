"""What the areas do in which people move (MK-6.3 to MK-8, MK-10, MK-11)."""

from collections import Counter
from itertools import combinations_with_replacement

from tests.engines.marrakesh.true_pieces import DATES, GOODS, RESOURCES, counted, written

PLAIN = ("water", "dinar", "vp2", "date", "goods")
"""Bonuses of the square that several come first of, in this order."""


class Areas:
    """The part of a table with river, orchard, square and stairs."""

    # What an assistant can do

    def can(self, area):
        """Ways to act in an area: (as tiles lie, as all know)."""
        side = self.side
        if area == "s":
            sells = {f"s.sell_{good}" for good in GOODS if side.board[good]}
            return tuple(sells | {"s.buy" for _ in goods} for goods in self.payable_goods())
        if area == "p":
            does = True
        elif area == "y":
            paid = [colour for colour in DATES if self.scroll_price(colour, 0)]
            shown = any(self.scrolls[colour].shown() for colour in paid)
            left = any(self.scrolls_left(colour) for colour in paid)
            return {"y.act"} if shown else set(), {"y.act"} if left else set()
        elif area == "b":
            does = bool(self.open_workshops(side.guards()))
        elif area == "n":
            does = bool(self.claimable())
        else:
            does = side.board[area] > 0
        acts = {f"{area}.act"} if does else set()
        return acts, acts

    def act(self, area, several=True):
        """The action of an area; of the souk by its token, once without an assistant (MK-12.5)."""
        number = self.side.board[area]
        if area == "t":
            yield from self.sail(number)
        elif area == "g":
            yield from self.harvest(number)
        elif area == "k":
            yield from self.climb("mosque", number)
        elif area == "w":
            yield from self.climb("palace", number)
        elif area == "y":
            yield from self.madrasa()
        elif area == "b":
            yield from self.medina()
        elif area == "n":
            yield from self.sahara()
        elif area == "p":
            yield from self.square()
        elif area == "s.buy":
            yield from self.buy_goods(several)
        else:
            yield from self.exchange_goods(area[-1], several)

    # River (MK-7)

    def sail(self, number):
        """Some steps, and more for water."""
        if not number:
            return
        side, length = self.side, self.copy["river_length"]
        jetty = length + 1
        ends = {self.space(side.fisherman + number + water): water for water in range(side.has["water"] + 1)}
        token = yield from self.ask("sail", ends)
        side.has["water"] -= ends[token]
        end = side.fisherman + number + ends[token]
        before = self.crossed(side)
        if side.fisherman < jetty <= end:
            others = {other.spot for other in self.sides if other.spot}
            free = [n for n in range(1, len(self.copy["jetty"]) + 1) if n not in others]
            side.spot = min(free, default=0)
            self.gain("river", self.copy["jetty"][side.spot - 1] if free else 0)
        self.gain("river", max(0, end - jetty) * (2 if "top_jetty" in side.words else 1))
        end = min(end, jetty)
        taken = {other.fisherman for other in self.sides if other is not side} - {0, jetty}
        if self.options["river_shared_space"] == "no":
            while end in taken:
                end -= 1
        if end != side.fisherman:
            self.arrivals += 1
            side.arrived = self.arrivals
        side.fisherman = end
        if "rapids_at_once" in side.words:
            for n, bonus in self.crossed(side).items():
                if n not in before:
                    yield from self.rapid(bonus)

    def space(self, steps):
        """The name of the space so many steps from the start."""
        jetty = self.copy["river_length"] + 1
        if steps < jetty:
            return str(steps)
        return "jetty" + (f"+{steps - jetty}" if steps > jetty or self.side.fisherman == jetty else "")

    # Orchard (MK-8)

    def harvest(self, number):
        """Scrolls 23 to 25."""
        kinds = "d"
        kinds += "".join(
            kind
            for kind, word in zip("wnv", ("harvest_water", "harvest_dinar", "harvest_vp"), strict=True)
            if word in self.side.words
        )
        tokens = {written(Counter(each), kinds) for each in combinations_with_replacement(kinds, number)}
        token = yield from self.ask("harvest", tokens)
        got = counted(token)
        self.side.has.update(water=got["w"], date=got["d"], dinar=got["n"])
        self.gain("orchard", got["v"])

    # Square (MK-10)

    def square(self):
        """Scroll 65."""
        for _ in range(2 if "double_square" in self.side.words else 1):
            yield from self.turned()

    def told_disc(self, matters):
        """Ask how far the disc is turned when it first matters."""
        side = self.side
        if matters and not side.disc_told:
            side.disc_told = True
            faces = (self.sections[(n - side.disc) % 8] for n in range(8))
            yield from self.tell("disc", "".join(map(str, faces)))

    def spectators(self, place):
        """Return how many face a place, after scroll 31."""
        return self.facing(place) + ("more_spectators" in self.side.words)

    def facing(self, place):
        """Return how many the disc shows before a place."""
        at = self.copy["square"].index(place)
        return self.sections[(at - self.side.disc) % 8]

    def turned(self):
        """The disc is turned and a place chosen; scrolls 29, 31 and 51."""
        side = self.side
        side.disc = (side.disc + 1) % 8
        yield from self.told_disc(side.square or side.words & {"two_vp", "two_vp_each", "ones"})
        place = yield from self.ask("spectators", side.square)
        if place:
            yield from self.square_bonus(place, self.spectators(place))
        if "two_vp" in side.words:
            self.gain("scrolls", 2)
        if "two_vp_each" in side.words:
            self.gain("scrolls", 2 * self.spectators("vp2"))
        if "ones" in side.words:
            yield from self.all_that_show(1)

    def all_that_show(self, number):
        """Scrolls 47 and 51: every place before a section with so many spectators."""
        counts = self.spectators if self.copy["more_counts"] == "yes" else self.facing
        places = [place for place in self.copy["square"] if counts(place) == number]
        yield from self.square_bonuses(dict.fromkeys(places, number))

    def square_bonuses(self, places, why="scrolls"):
        """Several places of the square, so often each, by a scroll; plain ones first."""
        plain = [place for place in PLAIN if place in places]
        for place in plain:
            yield from self.square_bonus(place, places[place], why)
        others = {place for place, number in places.items() if number} - set(plain)
        while others:
            place = yield from self.ask("spectators", others)
            others.remove(place)
            yield from self.square_bonus(place, places[place], why)

    def square_bonus(self, place, number, why="square"):
        """MK-10.2."""
        if not number:
            return
        if place in RESOURCES:
            self.side.has[place] += number
        elif place == "vp2":
            self.gain(why, 2 * number)
        elif place == "river":
            yield from self.sail(number)
        elif place == "goods":
            yield from self.goods_of_choice(number)
        else:
            yield from self.climb(place, number)

    # Stairs (MK-11)

    def climb(self, stair, number):
        """A move of some steps; scrolls 26, 27, 48, 49 and 52."""
        side = self.side
        if not number:
            return
        number += "longer_stair" in side.words
        kinds = {kind for kind in ("date", "water") if f"climb_{kind}" in side.words}
        while kinds:
            token = yield from self.ask("climb", {"go"} | {kind for kind in kinds if side.has[kind]})
            if token == "go":
                break
            side.has[token] -= 1
            number += 1
        for _ in range(number):
            at = getattr(side, stair)
            if at == self.copy[f"{stair}_steps"]:
                self.gain(stair, 2 if f"top_{stair}" in side.words else 1)
                continue
            setattr(side, stair, at + 1)
            self.attended(stair)
            if at + 1 in self.copy[f"{stair}_lines"]:
                yield from self.line()

    def line(self):
        """MK-11.2; scrolls 13 to 16 and 63."""
        side = self.side
        side.lines += 1
        side.has["dinar"] += 1
        for kind in RESOURCES:
            side.has[kind] += f"line_{kind}" in side.words
        line = self.line_between()
        first = "river"
        if "line_river" in side.words:
            if line:  # in the owner's order (MK-5.8)
                first = yield from self.ask("first", ("link", "river"))
            if first == "river":
                yield from self.sail(1)
        shown = yield from self.links(line)
        for _ in range(2 if "two_links" in side.words else 1):
            link = yield from self.ask("link", dict.fromkeys(shown))
            if link:
                shown = [each for each in shown if each != link]
                yield from self.do(link, "connections")
        if first == "link":
            yield from self.sail(1)

    def line_between(self):
        """The line that joins both pawns, by its sections; empty for none."""
        sections = [self.section(stair) for stair in ("mosque", "palace")]
        return "{}{}".format(*sections) if all(sections) else ""

    def section(self, stair):
        lines = self.copy[f"{stair}_lines"]
        crossed = sum(line <= getattr(self.side, stair) for line in lines)
        return min(5, crossed + (len(lines) == 4))
