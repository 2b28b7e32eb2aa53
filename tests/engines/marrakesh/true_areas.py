"""What is gained, paid and deployed at the table, and what the nine areas do (MK-5.4 to MK-14)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

from tests.engines.marrakesh.true_pieces import (
    COLOURED,
    DATES,
    GATES,
    GOODS,
    LETTERS,
    RESOURCES,
    SCHOLARS,
    colour_of,
    counted,
    written,
)

PLAIN = ("water", "dinar", "vp2", "date", "goods")


class Areas:
    """The part of a table that players act on."""

    # Gains and prices

    def resource(self, number=1):
        """So many resources of choice."""
        for n in range(number):
            after = ("resource",) if n else ()
            self.side.has[(yield from self.ask("resource", RESOURCES, after=after))] += 1

    def goods_of_choice(self, number):
        """So many goods keshis of one colour."""
        self.side.board[(yield from self.ask("goods", GOODS))] += number

    def keshis(self, number=1, colours=LETTERS, alike=1):
        """So many times a colour is chosen, and ``alike`` keshis of it deployed."""
        for _ in range(number):
            letter = yield from self.ask("keshi", [each for each in colours if self.side.room(each) > 0])
            for _ in range(alike if letter else 0):
                yield from self.deploy(letter)

    def can_pay(self, price, more=0):
        """Whether a price can be paid, and ``more`` resources of any kind after it."""
        return any(sum(left.values()) >= more for left in self.payments(price))

    def payments(self, price):
        """What would be left after each way to pay: dinars first, scroll 33 for those that lack."""
        left = Counter({kind: self.side.has[kind] - price[kind] for kind in RESOURCES})
        lacking = max(0, -left["dinar"])
        if lacking and "pay_otherwise" not in self.side.words:
            return
        left["dinar"] += lacking
        for water in range(lacking + 1):
            paid = left - Counter(water=water, date=lacking - water)
            if left["water"] >= water and left["date"] >= lacking - water:
                yield paid

    def pay(self, price, more=0, dates=0):
        """A price is paid, such that ``more`` resources and so many dates are left."""
        ways = [left for left in self.payments(price) if sum(left.values()) >= more and left["date"] >= dates]
        lacking = max(0, price["dinar"] - self.side.has["dinar"])
        self.side.has -= price - Counter(dinar=lacking)
        has = self.side.has
        for n in range(lacking):
            kinds = {kind for kind in ("water", "date") if any(left[kind] < has[kind] for left in ways)}
            kind = yield from self.ask("instead", kinds, after=("instead",) if n else ())
            has[kind] -= 1
            ways = [left for left in ways if left[kind] <= has[kind]]

    def pay_any(self, question="instead"):
        """One resource of choice is paid (scrolls 44 and 45)."""
        kind = yield from self.ask(question, [kind for kind in RESOURCES if self.side.has[kind]])
        self.side.has[kind] -= 1

    # Deploying (MK-5.4 to MK-5.8)

    def deploy(self, letter):
        side = self.side
        if side.room(letter) <= 0:
            return
        if letter == "p":
            spot = yield from self.ask("spot", set(self.copy["square"]) - side.square)
        elif letter == "n":
            paths = {"start": 2, "left": 3, "right": 3}
            path = yield from self.ask(
                "caravan", [path for path, n in paths.items() if side.caravans[path] < n]
            )
        elif letter == "r":
            area = yield from self.ask("vendor", set(COLOURED) - side.vendors)
            side.vendors.add(area)
            if self.phase == "use":
                side.fresh.add(area)
        side.board[letter] += 1
        if letter == "g":
            self.gain("orchard", 1)
        elif letter == "p":
            yield from self.entertainer(spot)
        elif letter == "n":
            yield from self.caravan(path)

    def entertainer(self, spot):
        """MK-5.5, MK-10.1; scroll 54."""
        around = self.copy["square"]
        self.side.square.add(spot)
        at = around.index(spot)
        yield from self.square_bonus(spot, 1)
        if "neighbours" in self.side.words:
            yield from self.square_bonus(around[(at - 1) % 8], 1)
            yield from self.square_bonus(around[(at + 1) % 8], 1)

    def caravan(self, path):
        """MK-14.1, MK-14.2; scroll 68."""
        side = self.side
        side.caravans[path] += 1
        if path == "start":
            if side.caravans[path] == 1:
                yield from self.resource(2)
            else:
                self.gain("sahara", 2)
        elif "discovery_points" in side.words:
            yield from self.discovery(f"{path}{side.caravans[path]}")

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
            does = any(self.scroll_price(colour, 0) for colour in DATES if self.scrolls[colour].left())
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

    # Souk (MK-9)

    def exchange_goods(self, good, several):
        """MK-9.2; scrolls 18 and 46."""
        while good != "none":
            self.side.board[good] -= 1
            line = self.offices[self.season - 1][good]
            if (self.season, good) not in self.office_told:
                self.office_told.add((self.season, good))
                yield from self.tell("line", written(line, "wdnvrs"))
            self.side.has.update(water=line["w"], date=line["d"], dinar=line["n"])
            if "more_exchange" in self.side.words:
                yield from self.resource()
            self.gain("offices", line["v"])
            yield from self.sail(line["r"])
            if line["s"]:
                yield from self.climb((yield from self.ask("stair", ("mosque", "palace"))), line["s"])
            if not several or "many_exchanges" not in self.side.words:
                return
            more = [each for each in GOODS if self.side.board[each]]
            good = (yield from self.ask("sell_more", [*more, "none"])) if more else "none"

    def unknown(self, fact):
        """Whether nobody knows a price yet, so that people may try it (MK-1.8)."""
        return fact not in self.copy.known

    def goods_price(self, tile):
        """Keshis by colour."""
        return Counter(dict(zip(GOODS, self.copy[f"good.{tile}"], strict=False)))

    def payable_goods(self):
        """Luxury goods whose price is there, or unknown but never nothing: (shown, left)."""

        held = self.side.board

        def payable(tile):
            known = not self.unknown(f"good.{tile}")
            return self.goods_price(tile) <= held if known else any(held[good] for good in GOODS)

        both = self.goods.shown(), self.goods.left()
        return tuple({tile for tile in tiles if payable(tile)} for tiles in both)

    def buy_goods(self, several):
        """MK-9.3; scroll 34."""
        stop = set()
        while (both := self.payable_goods())[1]:
            tile = yield from self.ask("good", *(tiles | stop for tiles in both))
            if tile == "none":
                return
            stop = {"none"}
            price = self.goods_price(tile)
            self.copy.known.add(f"good.{tile}")
            if not price <= self.side.board:
                continue
            self.side.board -= price
            self.goods.take(tile)
            self.side.goods.append(tile)
            vp, water, date, dinar = self.copy[f"good.{tile}"][3:]
            self.gain("souk", vp)
            self.side.has.update(water=water, date=date, dinar=dinar)
            if not several or "many_goods" not in self.side.words:
                return

    # Square (MK-10)

    def square(self):
        """Scroll 65."""
        for _ in range(2 if "double_square" in self.side.words else 1):
            yield from self.turned()

    def told_disc(self, matters):
        """How far the disc is turned is told when it first matters."""
        side = self.side
        if matters and not side.disc_told:
            side.disc_told = True
            yield from self.tell("disc", str(-side.disc % 8))

    def spectators(self, place):
        """How many face a place, after scroll 31."""
        return self.facing(place) + ("more_spectators" in self.side.words)

    def facing(self, place):
        """How many the disc shows before a place."""
        at = self.copy["square"].index(place)
        return self.copy["disc"][(at - self.side.disc) % 8]

    def turned(self):
        """The disc is turned and a place chosen; scrolls 29, 31 and 51."""
        side = self.side
        yield from self.told_disc(side.square or side.words & {"two_vp", "two_vp_each", "ones"})
        side.disc = (side.disc + 1) % 8
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

    def square_bonuses(self, places):
        """Several places of the square, so often each, by a scroll; plain ones first."""
        plain = [place for place in PLAIN if place in places]
        for place in plain:
            yield from self.square_bonus(place, places[place], "scrolls")
        others = {place for place, number in places.items() if number} - set(plain)
        while others:
            place = yield from self.ask("spectators", others)
            others.remove(place)
            yield from self.square_bonus(place, places[place], "scrolls")

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
            if at + 1 in self.copy[f"{stair}_lines"]:
                yield from self.line()

    def line(self):
        """MK-11.2; scrolls 13 to 16 and 63."""
        side = self.side
        side.lines += 1
        side.has["dinar"] += 1
        for kind in RESOURCES:
            side.has[kind] += f"line_{kind}" in side.words
        shown = self.links()
        if "line_river" in side.words:
            yield from self.sail(1)
        for _ in range(2 if "two_links" in side.words else 1):
            link = yield from self.ask("link", shown)
            if link:
                shown.remove(link)
                yield from self.do(link, "connections")

    def links(self):
        """The bonuses on the line that joins both pawns."""
        sections = [self.section(stair) for stair in ("mosque", "palace")]
        return list(self.copy["link.{}{}".format(*sections)]) if all(sections) else []

    def section(self, stair):
        lines = self.copy[f"{stair}_lines"]
        crossed = sum(line <= getattr(self.side, stair) for line in lines)
        return min(5, crossed + (len(lines) == 4))

    # Madrasa (MK-12)

    def scroll_price(self, colour, engaged, before=0):
        """Whether a scroll of a colour can be paid and is supported, after ``before`` dinars."""
        side = self.side
        if side.board["y"] - engaged < SCHOLARS[colour]:
            return False
        return any(left["date"] >= DATES[colour] for left in self.payments(Counter(dinar=before)))

    def madrasa(self):
        """MK-12.1, MK-12.2."""
        side, engaged, must, rest = self.side, 0, "", set()
        while True:
            colours = [must] if must else [c for c in DATES if self.scroll_price(c, engaged)]
            shown = {tile for colour in colours for tile in self.scrolls[colour].shown()}
            left = {tile for colour in colours for tile in self.scrolls[colour].left()}
            turn = set()
            if not side.refreshed and not side.bought:
                turn = {
                    f"turn_{colour}" for colour in DATES if shown and self.scroll_price(colour, engaged, 1)
                }
                turn = {token for token in turn if self.scrolls[token[5:]].left()}
            if not left and not turn:
                return
            token = yield from self.ask("scroll", named(shown) | turn | rest, named(left) | turn | rest)
            if token == "done":
                return
            if token.startswith("turn_"):
                must = token[5:]
                side.refreshed = True
                yield from self.pay(Counter(dinar=1), dates=DATES[must])
                self.scrolls[must].turn()
                continue
            number, must, rest = int(token), "", {"done"}
            side.bought = True
            colour = colour_of(number)
            engaged += SCHOLARS[colour]
            side.has["date"] -= DATES[colour]
            yield from self.take_scroll(number)

    # Medina (MK-13)

    def gate_price(self, workshop):
        """Dinars and VP; scrolls 22 and 32."""
        words = self.side.words
        dinars, vp = self.copy[f"workshop.{workshop}"]
        dinars = max(0, dinars - ("cheap_gates" in words))
        if workshop == "1" and not dinars and "left_gate_free" in words:
            vp = max(0, vp)
        return Counter(dinar=dinars), vp

    def open_workshops(self, guards):
        """The workshops that a gate can be bought at."""
        if guards <= 0 or len(self.side.gates) == 8:
            return set()
        return {
            n for n in self.workshops if self.unknown(f"workshop.{n}") or self.can_pay(self.gate_price(n)[0])
        }

    def medina(self):
        """MK-13.1 to MK-13.3; scrolls 36 and 66. Who acts here buys a gate."""
        side, guards, colours = self.side, self.side.guards(), []
        while open_ := self.open_workshops(guards):
            stop = {"done"} if colours else set()
            true = {n for n in open_ if +self.workshops[n]} | stop
            workshop = yield from self.ask("workshop", true or open_, open_ | stop)
            if workshop == "done":
                break
            self.copy.known.add(f"workshop.{workshop}")
            price, vp = self.gate_price(workshop)
            if not self.can_pay(price):
                continue
            left = Counter(GATES) - Counter(gate for each in self.sides for gate in each.gates.values())
            free = [str(n) for n in range(1, 9) if n not in side.gates]
            colour = yield from self.ask(
                "gate", +self.workshops[workshop] & left or left, left, after=("workshop",)
            )
            place = yield from self.ask("gate_place", free, after=("workshop", "gate"))
            side.gates[int(place)] = colour
            self.gain("gates", vp + 2 * (self.copy["gate_places"][int(place) - 1] == colour))
            yield from self.pay(price)
            self.workshops[workshop].subtract(colour)
            guards -= 1
            colours.append(colour)
        if "double_gate" in side.words:
            colours *= 2
        if "any_gate_keshi" in side.words:
            yield from self.keshis(len(colours))
            return
        while len(set(colours)) > 1:
            colour = yield from self.ask("gate_keshi", colours)
            colours.remove(colour)
            yield from self.deploy(colour)
        for colour in colours:
            yield from self.deploy(colour)

    # Sahara (MK-14)

    def oasis_price(self, spot):
        """Scroll 45: any one resource."""
        return Counter(dict(zip(RESOURCES, self.copy[f"price.{spot}"], strict=True)))

    def claimable(self):
        """Discovered oases whose price is there."""
        found = self.side.discovered()
        if "cheap_oases" in self.side.words:
            return [spot for spot in found if sum(self.side.has.values())]
        return [
            spot for spot in found if self.unknown(f"price.{spot}") or self.can_pay(self.oasis_price(spot))
        ]

    def sahara(self):
        """MK-14.3."""
        side, stop = self.side, []
        while spots := self.claimable():
            spot = yield from self.ask("oasis", [*spots, *stop])
            if spot == "done":
                return
            if "cheap_oases" in self.side.words:
                side.claimed.add(spot)
                yield from self.pay_any()
            else:
                self.copy.known.add(f"price.{spot}")
                stop = ["done"]
                if not self.can_pay(self.oasis_price(spot)):
                    continue
                side.claimed.add(spot)
                yield from self.pay(self.oasis_price(spot))
            stop = ["done"]
            yield from self.claim_oasis(spot)

    def claim_oasis(self, spot):
        """MK-14.4."""
        side = self.side
        side.claimed.add(spot)
        yield from self.oasis_number(side.hidden[spot])
        side.oases.append(side.hidden[spot])
        yield from self.on_track()

    def on_track(self):
        """What the place of the track gives on which the last oasis lies."""
        side = self.side
        at = len(side.oases) - 1
        icon = self.copy["track"][at] if at < 6 else ""
        if at in side.stock:
            yield from self.deploy(side.stock.pop(at))
        elif icon == "exchange":
            yield from self.give_back()
        elif icon == "scroll":
            yield from self.learn("yellow")

    def give_back(self):
        """MK-14.5."""
        side = self.side
        letters = [letter for letter in LETTERS if side.board[letter] and letter != "n"]
        if side.guards() <= 0 and "b" in letters:
            letters.remove("b")
        letter = yield from self.ask("give_back", [*letters, "none"])
        if letter in (None, "none"):
            return
        if letter == "r":
            area = yield from self.ask("back_from", side.vendors, after=("give_back",))
            side.vendors.remove(area)
            side.fresh.discard(area)
        if letter == "p":
            side.square.remove((yield from self.ask("back_from", side.square, after=("give_back",))))
        side.board[letter] -= 1
        others = set(LETTERS) - {letter}
        if letter in GOODS:
            others &= set(GOODS)
        elif self.options["oasis_exchange_goods"] == "no":
            others -= set(GOODS)
        yield from self.keshis(1, others)


def named(numbers):
    return {str(number) for number in numbers}
