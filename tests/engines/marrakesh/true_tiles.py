"""What scrolls, oases and river tiles do at the table (MK-12.4, MK-14.6, MK-15.2, MK-16.2)."""

import re
from collections import Counter
from itertools import product

from tests.engines.marrakesh.true_pieces import (
    COLOURED,
    GOODS,
    LETTERS,
    RESOURCES,
    colour_of,
    counted,
    written,
)


class Tiles:
    """The part of a table that has tiles with effects."""

    # Scrolls

    def take_scroll(self, number):
        """A scroll is taken: what it does happens, or holds from now on (MK-12.4)."""
        side = self.side
        stacks = self.scrolls[colour_of(number)]
        stacks.take(number)
        side.scrolls.append(number)
        self.came(number, stacks)
        word = self.copy[self.copy.scroll(number)]
        self.copy.known.add(self.copy.scroll(number))
        side.words.add(word)
        yield from self.do(word, "scrolls")

    def scrolls_left(self, colour):
        """Scrolls of a colour that may lie open: in a turn each of three stacks gives one (MK-12.3)."""
        came = sum(colour_of(number) == colour for number in self.taken if isinstance(number, int))
        return self.scrolls[colour].left() if came < 3 else []

    def learn(self, colour, dates=0):
        """MK-14.6 and scroll 58: a displayed scroll whose scholars are not needed."""
        dates = max(0, dates - self.spared("palace"))
        if self.side.has["date"] < dates:
            return
        shown, left = self.scrolls[colour].shown(), self.scrolls_left(colour)
        token = yield from self.ask("learn", {"none"} | set(map(str, shown)), {"none"} | set(map(str, left)))
        if token != "none":
            self.side.has["date"] -= dates
            yield from self.take_scroll(int(token))

    def do(self, word, why):
        """Yield what a word of a tile or of a line does; a permanent one does nothing by itself."""
        side = self.side
        name, number = re.fullmatch(r"(.*?)(\d*)", word).groups()
        number = int(number or 1)
        if name in RESOURCES:
            side.has[name] += number
        elif name == "vp":
            self.gain(why, number)
        elif name == "any":
            yield from self.resource(number)
        elif name == "keshi":
            yield from self.keshis(number)
        elif name == "keshi_pnb":
            yield from self.keshis(1, "pnb")
        elif name == "alike":
            yield from self.keshis(1, alike=number)
        elif name.startswith("deploy_"):
            yield from self.deploy(name[-1])
        elif name.startswith("pair_"):
            side.board.update(name[5:])
        elif name == "one_each":
            side.has.update(RESOURCES)
        elif name == "each_good":
            side.board.update(GOODS)
        elif name == "river":
            yield from self.sail(number)
        elif name == "stair":
            yield from self.climb((yield from self.ask("stair", ("mosque", "palace"))), number)
        elif name == "both_stairs":
            first = yield from self.ask("stair", ("mosque", "palace"))
            yield from self.climb(first, 3)
            yield from self.climb("mosque" if first == "palace" else "palace", 3)
        elif name == "all_links":
            shown = yield from self.links(self.line_between())
            while shown:
                link = yield from self.ask("link", dict.fromkeys(shown))
                shown.remove(link)
                yield from self.do(link, "scrolls")
        elif name == "threes":
            yield from self.told_disc(True)
            yield from self.all_that_show(3)
        elif name == "entertainers":
            yield from self.told_disc(side.square)
            yield from self.square_bonuses({place: self.spectators(place) for place in side.square})
        elif name == "square":
            for _ in range(number):
                yield from self.square()
        elif name == "act":
            yield from self.act_anywhere(COLOURED + "s")
        elif name == "settle":
            yield from self.settle()
        elif name == "learn":
            yield from self.learn("orange", 1)
        elif name == "oases":
            yield from self.free_oases(number)
        elif name == "stall":
            side.stall, side.stall_fresh = True, True
            side.has["water"] += 3
        elif name == "score_oasis":
            yield from self.score_one()
        elif name == "sell":
            yield from self.sell()
        elif name == "spare_oasis":
            yield from self.spare_one()
        elif name == "crocodile":
            side.crocodile = True
        elif word in ("gates", "greens", "pinks", "reds", "four", "goods"):
            self.last_tile(word)

    def act_anywhere(self, areas):
        """Scroll 53, river 01: an area's action without an assistant."""
        ways = [self.can(area) for area in areas]
        true, public = ({token for tokens in some for token in tokens} for some in zip(*ways, strict=True))
        token = yield from self.ask("sector", true | {"none"}, public | {"none"})
        if token != "none":
            yield from self.act(token.removesuffix(".act"), several=False)

    def settle(self):
        """Scroll 64."""
        letter = yield from self.ask("settle", [each for each in LETTERS if self.side.room(each) > 0])
        before = set(self.side.vendors)
        yield from self.deploy(letter)
        if letter == "r":
            areas = self.side.vendors - before
            letter = min(areas)
        if letter in GOODS or letter == "y":
            yield from self.act_anywhere("y" if letter == "y" else "s")
        elif self.can(letter)[1]:
            yield from self.act(letter)

    def sell(self):
        """Scroll 72."""
        has = self.side.has
        threes = product(*(range(has[kind] + 1) for kind in RESOURCES))
        tokens = [written(dict(zip("wdn", three, strict=True)), "wdn") for three in threes]
        got = counted((yield from self.ask("sell", tokens)))
        has.subtract(water=got["w"], date=got["d"], dinar=got["n"])
        self.gain("scrolls", 2 * got.total())

    # Oases

    def oasis_number(self, number):
        """The number of an oasis is named."""
        left = self.unclaimed()
        yield from self.ask("oasis_number", {f"{number:02}"}, {f"{n:02}" for n in left})

    def unclaimed(self):
        """Numbers that an oasis may have of which nobody told yet."""
        return set(range(1, 31)) - {n for side in self.sides for n in (*side.oases, *side.told.values())}

    def free_oases(self, number):
        """Scroll 62, river 15."""
        for _ in range(number):
            spots = self.side.discovered()
            spot = (yield from self.ask("oasis", [*spots, "done"])) if spots else "done"
            if spot == "done":
                return
            yield from self.claim_oasis(spot)

    def spare_one(self):
        """River 02."""
        left = {f"{n:02}" for n in self.unclaimed()} | {"none"}
        token = yield from self.ask("oasis_number", {f"{n:02}" for n in self.spare} | {"none"}, left)
        if token != "none":
            self.side.oases.append(int(token))
            yield from self.on_track()

    def discovery(self, spot):
        """Scroll 68."""
        number = self.side.hidden[spot]
        yield from self.oasis_number(number)
        self.side.told[spot] = number
        yield from self.score(number)

    def score_one(self):
        """Scroll 71."""
        token = yield from self.ask("score_oasis", [f"{n:02}" for n in self.side.oases])
        if token:
            yield from self.score(int(token))

    def score(self, number):
        """One oasis is scored at once."""
        returned = Counter()
        if 19 <= number <= 21:
            kind = self.copy[self.copy.oasis(number)]
            most = min(12, self.side.has[kind])
            returned[kind] = int((yield from self.ask("returned", map(str, range(most + 1)))))
            self.side.has -= returned
        self.gain("scrolls", self.oasis_points(number, returned))

    def oasis_points(self, number, returned):
        """MK-16.2: what an oasis scores, some resources being returned."""
        side, printed = self.side, self.copy[self.copy.oasis(number)]
        gates = Counter(side.gates.values())
        if number <= 4:
            return sum(int(each[1:]) * gates[each[0]] for each in printed)
        if number <= 13:
            return 3 + side.board[printed]
        if number <= 18:
            return int(printed[-1]) * sum(tile.startswith(printed[:-1]) for tile in side.goods)
        if number <= 21:
            return 3 + returned[printed]
        return {
            "goods": 3 + len(side.goods),
            "scrolls": 3 + len(side.scrolls),
            "small_areas": 4 * sum(side.board[area] <= 3 for area in COLOURED),
            "full_areas": 4 * sum(side.complete(area) for area in COLOURED),
            "oases": 3 * len(side.oases),
            "mosque_top": 7 * (side.mosque == self.copy["mosque_steps"]),
            "palace_top": 7 * (side.palace == self.copy["palace_steps"]),
            "lines": 7 * (side.lines >= 5),
            "jetty": 7 * (side.fisherman == self.copy["river_length"] + 1),
        }[printed]

    # River tiles

    def river_bonuses(self, word, moved):
        """MK-15.2: for the winner, and in season 3 for the second, not with two players."""
        second = moved[1] if len(moved) > 1 and self.seats > 2 and self.season == 3 else None
        words = [word]
        if self.season == 3:
            words = word.split("_or_")
            if len(words) == 2:
                self.seat = moved[0]
                if (yield from self.ask("river_choice", ("first", "second"))) == "second":
                    words.reverse()
            else:
                words = word.split("_")
        for seat, bonus in zip((moved[0], second), words, strict=False):
            if seat is not None:
                self.seat = seat
                yield from self.do(bonus, "river_tile")

    def last_tile(self, word):
        """Season 3's tiles with a choice: 12, 17 and 18."""
        side = self.side
        board = side.board
        if word == "gates":
            self.gain("river_tile", len(side.gates))
        elif word == "greens":
            self.gain("river_tile", board["g"])
        elif word == "pinks":
            side.has.update(date=board["p"], dinar=board["p"])
        elif word == "reds":
            side.has.update(water=board["r"], date=board["r"])
        elif word == "four":
            self.gain("river_tile", sum(board.values()) // 4)
        else:
            self.gain("river_tile", 2 * len(side.goods))
