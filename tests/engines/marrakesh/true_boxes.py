"""What the expansions in the box change at the table (MK-17)."""

from __future__ import annotations

from collections import Counter

from tests.engines.marrakesh.true_pieces import GOODS, SEASONS, counted, written

OFFICES = 6
"""So many exchange offices are in the base game, and as many in the expansion (MK-1.2)."""


class Boxes:
    """The part of a table that lies in the expansions' boxes."""

    def plays(self, option):
        """Whether an expansion is played."""
        return self.options[option] in ("yes", "purple")

    # Exchange offices (MK-9.2, MK-17.3)

    def lay_offices(self):
        """Three are drawn: each a name, ``base`` for one of the base game, and what its lines give."""
        more = [str(n) for n in range(1, OFFICES + 1)] if self.plays("more_offices") else []
        names = self.rng.sample(["base"] * OFFICES + more, SEASONS)
        self.offices = [(name, self.lines(name)) for name in names]
        self.office_told = set()

    def lines(self, name):
        """What an office gives for each of the goods, as letters."""
        if name == "base":
            return {good: Counter(self.rng.choices("wdnvrs", k=self.rng.randint(1, 4))) for good in GOODS}
        return dict(zip(GOODS, map(counted, self.copy[f"office.{name}"]), strict=True))

    def office_line(self, good):
        """What the season's office gives: told of a further one at once, of a base one line by line."""
        name, lines = self.offices[self.season - 1]
        if self.plays("more_offices") and (self.season, name) not in self.office_told:
            self.office_told.add((self.season, name))
            yield from self.tell("office", name)
        if name == "base" and (self.season, good) not in self.office_told:
            self.office_told.add((self.season, good))
            yield from self.tell("line", written(lines[good], "wdnvrs"))
        return lines[good]

    # Spectators (MK-17.4)

    @property
    def sections(self):
        """The spectators of the side of the disc that all play with."""
        return self.copy["purple_disc" if self.plays("spectators") else "disc"]
