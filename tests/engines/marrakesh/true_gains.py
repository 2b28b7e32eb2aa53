"""What is gained, paid and deployed at the table, by whatever cause (MK-5.4 to MK-5.8)."""

from collections import Counter

from tests.engines.marrakesh.true_pieces import COLOURED, GOODS, LETTERS, RESOURCES


class Gains:
    """The part of a table that bonuses and prices act on."""

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
        """Return True if a price can be paid, and ``more`` resources of any kind after it."""
        return any(sum(left.values()) >= more for left in self.payments(price))

    def payments(self, price):
        """Yield what would be left after each way to pay: dinars first, scroll 33 for those that lack."""
        left = Counter({kind: self.side.has[kind] - price[kind] for kind in RESOURCES})
        lacking = max(0, -left["dinar"])
        if lacking and "pay_otherwise" not in self.side.words:
            return
        left["dinar"] += lacking
        for water in range(lacking + 1):
            paid = left - Counter(water=water, date=lacking - water)
            if left["water"] >= water and left["date"] >= lacking - water:
                yield paid

    def pay(self, price, dates=0):
        """A price is paid, such that so many dates are left. With scroll 33 the owner chooses what each dinar
        is paid with (MK-5.8); what has one way happens by itself (MK-6.5).
        """
        due, has = price["dinar"], self.side.has
        if "pay_otherwise" not in self.side.words:
            has -= price
            return
        has -= price - Counter(dinar=due)
        for n in range(due, 0, -1):
            there = {kind: has[kind] - dates * (kind == "date") for kind in RESOURCES}
            there = {kind: number for kind, number in there.items() if number > 0}
            if sum(there.values()) <= n:
                has -= Counter(there)
                return
            kind = yield from self.ask("instead", there, after=("instead",) if n < due else ())
            has[kind] -= 1

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
            free = [path for path, n in self.paths().items() if side.caravans[path] < n]
            path = yield from self.ask("caravan", free)
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
        if "neighbours" in self.side.words:  # in the owner's order (MK-5.8)
            three = (spot, around[(at - 1) % 8], around[(at + 1) % 8])
            yield from self.square_bonuses(dict.fromkeys(three, 1), "square")
        else:
            yield from self.square_bonus(spot, 1)

    def caravan(self, path):
        """MK-14.1, MK-14.2; scroll 68."""
        side = self.side
        side.caravans[path] += 1
        if path == "start":
            if side.caravans[path] == 1:
                yield from self.resource(2)
            else:
                self.gain("sahara", 2)
        elif side.caravans[path] > 3:
            yield from self.reach_town(path)
        elif "discovery_points" in side.words:
            yield from self.discovery(f"{path}{side.caravans[path]}")
