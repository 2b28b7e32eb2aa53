"""What the expansions in the box change at the table (MK-17)."""

from collections import Counter

from tests.engines.marrakesh.true_pieces import COLOURED, DATES, GOODS, SEASONS, counted, written

OFFICES = 6
"""So many exchange offices are in the base game, and as many in the expansion (MK-1.2)."""


class Boxes:
    """The part of a table that lies in the expansions' boxes."""

    def plays(self, option):
        """Return True if an expansion is played."""
        return self.options.get(option) in ("yes", "purple")

    def lay_boxes(self):
        """What of them is on the table at first."""
        self.lay_offices()
        self.lay_stair_tiles()
        self.place_attendants()
        self.lay_towns()

    # Exchange offices (MK-9.2, MK-17.3)

    def lay_offices(self):
        """Three are drawn: each a name, ``base`` for one of the base game, and what its lines give."""
        more = [str(n) for n in range(1, OFFICES + 1)] if self.plays("more_offices") else []
        names = self.rng.sample(["base"] * OFFICES + more, SEASONS)
        self.offices = [(name, self.lines(name)) for name in names]
        self.office_told = set()

    def lines(self, name):
        """Return what an office gives for each of the goods, as letters."""
        if name == "base":
            return {good: Counter(self.rng.choices("wdnvrs", k=self.rng.randint(1, 4))) for good in GOODS}
        return dict(zip(GOODS, map(counted, self.copy[f"office.{name}"]), strict=True))

    def office_line(self, good):
        """Yield what the season's office gives: told of a further one at once, of a base one line by line."""
        name, lines = self.offices[self.season - 1]
        if self.plays("more_offices") and (self.season, name) not in self.office_told:
            yield from self.tell("office", name)
            self.office_told.add((self.season, name))
        if name == "base" and (self.season, good) not in self.office_told:
            self.office_told.add((self.season, good))
            yield from self.tell("line", written(lines[good], "wdnvrs"))
        return lines[good]

    # Spectators (MK-17.4)

    @property
    def sections(self):
        """The spectators of the side of the disc that all play with."""
        return self.copy["purple_disc" if self.plays("spectators") else "disc"]

    # Staircase tiles (MK-17.1)

    def lay_stair_tiles(self):
        """Twelve of twenty, either face up, on the middle spaces."""
        if self.plays("staircase_tiles"):
            tiles = self.shuffled(range(1, 21))[:12]
            self.middle = {f"s{n}": f"{tile:02}{self.rng.choice('ab')}" for n, tile in enumerate(tiles, 1)}
            self.middle_told = set()

    def links(self, line):
        """The bonuses of a line; middle spaces have what the tiles on them show."""
        if not line:
            return []
        if not self.plays("staircase_tiles"):
            return list(self.copy[f"link.{line}"])
        shown = []
        for space in self.copy[f"line_spaces.{line}"]:
            if space in self.middle and space not in self.middle_told:
                yield from self.tell("stair_tile", self.middle[space])
                self.middle_told.add(space)
            face = self.middle.get(space)
            shown.append(self.copy[f"stair_tile.{face}"] if face else space)
        return shown

    # Imam and sultan (MK-17.2)

    def place_attendants(self):
        """By stair: the step on which one waits, or the seat whose pawn one goes with."""
        self.waiting, self.attending = {}, {}
        if self.plays("imam_and_sultan"):
            self.waiting = {"mosque": self.copy["imam_step"], "palace": self.copy["sultan_step"]}

    def attended(self, stair):
        """The own pawn has made a step, and takes along who waits there or goes with one that it passed."""
        here, top = getattr(self.side, stair), self.copy[f"{stair}_steps"]
        holder = self.attending.get(stair)
        if self.waiting.get(stair) == here:
            del self.waiting[stair]
            holder = self.seat
        elif holder is not None and here > getattr(self.sides[holder], stair):
            holder = self.seat
        if holder is None:
            return
        self.attending[stair] = holder
        if holder == self.seat and here == top:
            del self.attending[stair]
            self.left_at_the_top(stair, top)

    def left_at_the_top(self, stair, top):
        """Who stands on the last step goes alone."""
        below = {seat: getattr(side, stair) for seat, side in enumerate(self.sides)}
        below = {seat: step for seat, step in below.items() if step < top}
        highest = max(below.values(), default=top)
        first = [seat for seat, step in below.items() if step == highest]
        if len(first) == 1:
            self.attending[stair] = first[0]
        elif highest + 1 < top:
            self.waiting[stair] = highest + 1

    def spared(self, stair):
        """Return how much less is paid: dates for a scroll with the sultan, goods keshis with the imam."""
        return self.attending.get(stair) == self.seat

    def dates(self, colour):
        """The dates that a scroll costs."""
        return max(0, DATES[colour] - self.spared("palace"))

    # Desert towns (MK-17.5)

    def lay_towns(self):
        """Those displayed."""
        self.towns = self.shuffled(range(1, 13))[: 2 * self.seats - 1] if self.plays("desert_towns") else []

    def paths(self):
        """Return how many places for caravans there are."""
        towns = self.plays("desert_towns")
        return {"start": 2 * (not towns), "left": 3 + towns, "right": 3 + towns}

    def reach_town(self, path):
        """A caravan stands on a fourth place."""
        self.gain("sahara", 4)
        taken = {town for side in self.sides for town in side.towns.values()}
        shown = {f"{town:02}" for town in self.towns}
        left = {f"{town:02}" for town in range(1, 13) if town not in taken} if shown else set()
        token = yield from self.ask("town", shown, left)
        if token:
            self.towns.remove(int(token))
            self.side.towns[f"{path}4"] = int(token)

    def open_towns(self):
        """The places of the own towns that can be claimed."""
        held = self.side.board
        paid = all(held[good] for good in GOODS)
        return [place for place in self.side.towns if place not in self.side.turned and paid]

    def claim_town(self, place):
        """A set of goods keshis is paid; three towns act at once."""
        side = self.side
        side.board -= Counter(GOODS)
        side.turned.add(place)
        word = self.copy[f"town.{side.towns[place]:02}"]
        if word == "prize_scroll":
            yield from self.win_scroll()
        elif word == "prize_good":
            yield from self.win_good()
        elif word == "prize_gate":
            yield from self.win_gate()

    def win_scroll(self):
        """Any displayed scroll."""
        both = [
            {str(tile) for colour in self.scrolls for tile in tiles(colour)} | {"none"}
            for tiles in (lambda colour: self.scrolls[colour].shown(), self.scrolls_left)
        ]
        token = yield from self.ask("learn", *both)
        if token != "none":
            yield from self.take_scroll(int(token))

    def win_good(self):
        """Any displayed luxury good."""
        came = sum(isinstance(tile, str) for tile in self.taken)
        both = set(self.goods.shown()), set(self.goods.left() if came < 5 else ())
        tile = (yield from self.choose_good(both, {"none"})) if both[1] else None
        if tile:
            self.take_good(tile)

    def win_gate(self):
        """Any gate for a guard on the watchtower."""
        if self.side.guards() > 0:
            open_ = {n for n in self.workshops if +self.workshops[n]}
            workshop = yield from self.choose_workshop(open_, {"done"})
            if workshop == "done":
                return
            colour = yield from self.take_gate(workshop)
            yield from self.gate_keshis([colour])

    def claimed_towns(self):
        """Return what the claimed towns of a side do."""
        side = self.side
        return [self.copy[f"town.{side.towns[place]:02}"] for place in sorted(side.turned)]

    def look_at_discs(self):
        """Ask at the end how a disc lies that scores."""
        for _ in self.order():
            if "faced1" in self.claimed_towns():
                yield from self.told_disc(self.side.square)

    def score_towns(self):
        """MK-17.5.2."""
        side = self.side
        people = sum(side.board.values()) - sum(side.board[good] for good in GOODS)
        points = {
            "gate2": 2 * len(side.gates),
            "good2": 2 * len(side.goods),
            "scroll2": 2 * len(side.scrolls),
            "palace1": side.palace,
            "mosque1": side.mosque,
            "keshis3": people // 3,
            "river1": side.fisherman,
            "areas2": 2 * sum(side.board[area] + (area in side.vendors) >= 4 for area in COLOURED),
            "faced1": sum(map(self.spectators, side.square)),
        }
        self.gain("towns", sum(points.get(word, 0) for word in self.claimed_towns()))
