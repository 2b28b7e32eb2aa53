"""What the areas do in which people buy, exchange and claim (MK-9, MK-12 to MK-14)."""

from collections import Counter

from tests.engines.marrakesh.true_pieces import DATES, GATES, GOODS, LETTERS, RESOURCES, SCHOLARS, colour_of


class Trades:
    """The part of a table with souk, madrasa, medina and Sahara."""

    # Souk (MK-9)

    def exchange_goods(self, good, several):
        """MK-9.2; scrolls 18 and 46."""
        while good != "none":
            self.side.board[good] -= 1
            line = yield from self.office_line(good)
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
        """Return True if nobody knows a price yet, so that people may try it (MK-1.8)."""
        return fact not in self.copy.known

    def goods_prices(self, tile):
        """Prices that are there, keshis by colour: with the imam one less, by the colour of that."""
        price = +Counter(dict(zip(GOODS, self.copy[f"good.{tile}"], strict=False)))
        prices = {"": price}
        if self.spared("mosque") and price:
            prices = {good: price - Counter(good) for good in price}
        return {good: each for good, each in prices.items() if each <= self.side.board}

    def payable_goods(self):
        """Luxury goods whose price is there, or unknown but never nothing: (shown, left)."""
        held = self.side.board

        def payable(tile):
            if self.unknown(f"good.{tile}"):
                return self.spared("mosque") or any(held[good] for good in GOODS)
            return bool(self.goods_prices(tile))

        came = sum(isinstance(tile, str) for tile in self.taken)
        both = self.goods.shown(), self.goods.left() if came < 5 else []  # MK-12.3
        return tuple({tile for tile in tiles if payable(tile)} for tiles in both)

    def good(self, tile):
        """Return what a luxury good is called: by what it costs and gives, once that is known."""
        price = zip(self.copy[f"good.{tile}"], "luovwdn", strict=True)
        text = "".join(f"{n}{kind}" for n, kind in price if n) or "0"
        return f"{tile[:-1]}.{'new' if self.unknown(f'good.{tile}') else text}"

    def swap_goods(self, tile, other):
        """Two goods that look alike change their numbers."""
        facts, first, second = self.copy.facts, f"good.{tile}", f"good.{other}"
        facts[first], facts[second] = facts[second], facts[first]
        self.goods.swap(tile, other)

    def choose_good(self, both, stop):
        """A luxury good, known from now on, of those shown and of those left; None for none."""
        called = [{self.good(tile) for tile in tiles} for tiles in both]
        token = yield from self.ask("good", *(tokens | stop for tokens in called))
        if token == "none":
            return None
        tile = min(tile for tile in both[1] if self.good(tile) == token)
        if tile not in both[0]:
            self.swap_goods(tile, next(other for other in both[0] if self.good(other) == token))
        self.copy.known.add(f"good.{tile}")
        return tile

    def take_good(self, tile):
        """A luxury good and what it gives."""
        self.goods.take(tile)
        self.side.goods.append(tile)
        self.came(tile, self.goods)
        vp, water, date, dinar = self.copy[f"good.{tile}"][3:]
        self.gain("souk", vp)
        self.side.has.update(water=water, date=date, dinar=dinar)

    def buy_goods(self, several):
        """MK-9.3; scroll 34. Nobody must (MK-6.5)."""
        stop = {"none"}
        while (both := self.payable_goods())[1]:
            tile = yield from self.choose_good(both, stop)
            if not tile:
                return
            prices = self.goods_prices(tile)
            if not prices:
                continue
            self.take_good(tile)
            self.side.board -= prices["" if "" in prices else (yield from self.ask("spared", prices))]
            if not several or "many_goods" not in self.side.words:
                return

    # Madrasa (MK-12)

    def scroll_price(self, colour, engaged, before=0):
        """Return True if a scroll of a colour can be paid and is supported, after ``before`` dinars."""
        side = self.side
        if side.board["y"] - engaged < SCHOLARS[colour]:
            return False
        return any(left["date"] >= self.dates(colour) for left in self.payments(Counter(dinar=before)))

    def madrasa(self):
        """MK-12.1, MK-12.2."""
        side, engaged, must, rest = self.side, 0, "", {"done"}  # MK-6.5
        while True:
            colours = [must] if must else [c for c in DATES if self.scroll_price(c, engaged)]
            shown = {tile for colour in colours for tile in self.scrolls[colour].shown()}
            left = {tile for colour in colours for tile in self.scrolls_left(colour)}
            turn = set()
            if not side.refreshed and not side.bought:
                turn = {
                    f"turn_{colour}"
                    for colour in self.scrolls
                    if self.scrolls_left(colour) and self.scroll_price(colour, engaged, 1)
                }
            if not left and not turn:
                return
            lies = {each for each in turn if self.scrolls[each[5:]].shown()}
            token = yield from self.ask("scroll", named(shown) | lies | rest, named(left) | turn | rest)
            if token == "done":
                return
            if token.startswith("turn_"):
                must, rest = token[5:], set()
                side.refreshed = True
                yield from self.pay(Counter(dinar=1), dates=self.dates(must))
                self.scrolls[must].turn()
                continue
            number, must, rest = int(token), "", {"done"}
            side.bought = True
            colour = colour_of(number)
            engaged += SCHOLARS[colour]
            side.has["date"] -= self.dates(colour)
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
            n
            for n in self.workshops
            if +self.workshops[n]  # no ninth gate (MK-13.1)
            and (self.unknown(f"workshop.{n}") or self.can_pay(self.gate_price(n)[0]))
        }

    def medina(self):
        """MK-13.1 to MK-13.3; scrolls 36 and 66. Nobody must buy (MK-6.5)."""
        guards, colours = self.side.guards(), []
        while open_ := self.open_workshops(guards):
            workshop = yield from self.choose_workshop(open_, {"done"})
            if workshop == "done":
                break
            price, _ = self.gate_price(workshop)
            if not self.can_pay(price):
                continue
            colours.append((yield from self.take_gate(workshop)))
            yield from self.pay(price)
            guards -= 1
        yield from self.gate_keshis(colours)

    def choose_workshop(self, open_, stop):
        """A workshop, known from now on, of those that are open."""
        true = {n for n in open_ if +self.workshops[n]} | stop
        workshop = yield from self.ask("workshop", true or open_, open_ | stop)
        if workshop != "done":
            self.copy.known.add(f"workshop.{workshop}")
        return workshop

    def take_gate(self, workshop):
        """A gate of a workshop finds its place; its colour."""
        side = self.side
        left = Counter(GATES) - Counter(gate for each in self.sides for gate in each.gates.values())
        free = [str(n) for n in range(1, 9) if n not in side.gates]
        colour = yield from self.ask(
            "gate", +self.workshops[workshop] & left or left, left, after=("workshop",)
        )
        place = yield from self.ask("gate_place", free, after=("workshop", "gate"))
        side.gates[int(place)] = colour
        _, vp = self.gate_price(workshop)
        self.gain("gates", vp + 2 * (self.copy["gate_places"][int(place) - 1] == colour))
        self.workshops[workshop].subtract(colour)
        return colour

    def gate_keshis(self, colours):
        """MK-13.3: what gates give, in any order."""
        if "double_gate" in self.side.words:
            colours *= 2
        if "any_gate_keshi" in self.side.words:
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
            oases = [spot for spot in found if sum(self.side.has.values())]
        else:
            oases = [
                spot
                for spot in found
                if self.unknown(f"price.{spot}") or self.can_pay(self.oasis_price(spot))
            ]
        return oases + self.open_towns()

    def sahara(self):
        """MK-14.3."""
        side, stop = self.side, ["done"]  # MK-6.5
        while spots := self.claimable():
            spot = yield from self.ask("oasis", [*spots, *stop])
            if spot == "done":
                return
            if spot in side.towns:
                yield from self.claim_town(spot)
                continue
            if "cheap_oases" in self.side.words:
                side.claimed.add(spot)
                yield from self.pay_any()
            else:
                self.copy.known.add(f"price.{spot}")
                if not self.can_pay(self.oasis_price(spot)):
                    continue
                side.claimed.add(spot)
                yield from self.pay(self.oasis_price(spot))
            yield from self.claim_oasis(spot)

    def claim_oasis(self, spot):
        """MK-14.4."""
        side = self.side
        side.claimed.add(spot)
        if side.told.pop(spot, None) is None:
            yield from self.oasis_number(side.hidden[spot])
        side.oases.append(side.hidden[spot])
        yield from self.on_track()

    def on_track(self):
        """Yield what the place of the track gives on which the last oasis lies."""
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
