"""Sensible players of San Gimignano, and the recorded matches they played.

``python -m tests.engines.players`` writes ``tests/matches/*.match`` anew. A player sees its own cards and the
table; it builds and extends what scores, keeps what it may need, completes what it cannot better.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

import engines
from engines.contract import Choice, Level, Setup
from engines.san_gimignano.cards import read_owned, read_tower
from tests.engines import recordings
from tests.engines.san_gimignano.truth import NOBLES, names, next_rank, ranks, storeys

GAME = engines.game("san_gimignano")


class Style(Struct, frozen=True):
    """How a player plays: ``stops`` passes from that turn on, ``closes`` as soon as it leads by so much,
    ``waits`` for a gain of so many points before it builds.
    """

    stops: int = 99
    closes: int = 99
    waits: int = 6


BOLD = 0.8
"""How often a noble is played as soon as it may be."""
CURIOUS = 0.3
"""How often a card is drawn from the noble deck where it may be."""


class View(Struct, frozen=True):
    """What a player knows when it is asked."""

    state: object
    seat: int
    hand: Counter
    cards: list

    @property
    def own(self):
        return self.state.towers[self.seat]

    @property
    def theirs(self):
        return self.state.towers[1 - self.seat]

    def plain_gain(self, rank, height):
        """Points by a plain tower of so many storeys, its effect guessed."""
        rival = max((t.height for t in self.theirs if t.plain and t.low == rank), default=0)
        best = max((t.height for t in self.own if t.plain and t.low == rank), default=0)
        gain = rank if height >= rival and best < max(rival, 1) else 0
        gain += 2 * height if rank == 7 else 0
        return gain + self.marker_gain(height)

    def marker_gain(self, height):
        if self.state.marker == self.seat:
            return 0
        return 6 if all(t.height < height for t in (*self.own, *self.theirs)) else 0

    def run_gain(self, height):
        """Points by one more colourful tower."""
        runs = [t.height for t in self.own if not t.plain]
        return (len(runs) + 1) * (sum(runs) + height) - len(runs) * sum(runs) + self.marker_gain(height)

    def build_gain(self, shape):
        low, _, high = shape.rstrip("s").partition("-")
        if high:
            return self.run_gain(int(high) - int(low) + 1)
        height = self.hand[int(low)]
        effect = {"8": height, "9": 2, "10": 4}.get(shape, 0)
        return self.plain_gain(int(low), height) + (0 if self.state.ending else effect)

    def extend_gain(self, tower):
        added = storeys(tower, list(self.hand.elements()))
        higher = tower.height + added
        if not tower.plain:
            return added * sum(not t.plain for t in self.own) + self.marker_gain(higher)
        rival = max((t.height for t in self.theirs if t.plain and t.low == tower.low), default=0)
        gain = tower.low if tower.height < rival <= higher else 0
        return gain + (2 * added if tower.low == 7 else 0) + self.marker_gain(higher) + 1

    def wish(self, rank):
        """How much a card of this rank helps."""
        near = sum(self.hand[other] > 0 for other in (rank - 1, rank + 1))
        fits = any(next_rank(tower) == rank for tower in self.own)
        return 2 * self.hand[rank] + near * (self.hand[rank] == 0) + 3 * fits + (rank == 7)


def player(styles):
    """A ``choose`` for :func:`walk`: seat 0 plays ``styles[0]``, seat 1 ``styles[1]``."""
    turns = [0, 0]

    def choose(game, state, world, seat, true, rng):
        view = View(state, seat, Counter(ranks(world.hands[seat])), names(world.hands[seat]))
        tokens = [choice.token for choice in true]
        question = true[0].question
        if question == "action":
            turns[seat] += 1
            token = _action(view, tokens, styles[seat], turns[seat], rng)
        else:
            token = _ANSWERS[question](view, tokens, rng)
        return Choice(question, token)

    return choose


def _action(view, tokens, style, turn, rng):
    """What to do this turn; the questions that follow decide anew from the same view."""
    state = view.state
    if turn >= style.stops:
        return "pass"
    totals = [sum(b.points for b in GAME.scoring.bookings(state) if b.seat == seat) for seat in (0, 1)]
    if "close" in tokens and totals[view.seat] - totals[1 - view.seat] >= style.closes:
        return "close"
    nobles = [token for token in tokens if token in NOBLES]
    if nobles and rng.random() < BOLD:
        return rng.choice(nobles)
    if "pietra" in view.cards and "B" in tokens and rng.random() < BOLD / 2:
        return "B"
    building = max((view.build_gain(shape) for shape in _shapes(view)), default=0) if "B" in tokens else 0
    growing = [tower for tower in view.own if next_rank(tower)] if "E" in tokens else []
    extending = max(map(view.extend_gain, growing), default=0)
    enough = 0 if state.ending else style.waits
    if max(building, extending) > enough:
        return "B" if building >= extending else "E"
    unfinished = sum(not tower.complete for tower in view.own)
    if "C" in tokens and (unfinished >= 3 or ("P" not in tokens and unfinished)):
        return "C"
    if "P" in tokens:
        return "P"
    if "X" in tokens and rng.random() < 0.8:
        return "X"
    for token, worth in (("B", building), ("E", extending)):
        if worth > 0:
            return token
    return "X" if "X" in tokens else "pass"


def _shapes(view):
    held = view.hand
    for rank in range(5, 11):
        if held[rank] >= 3:
            yield str(rank)
        for high in range(rank + 2, 11):
            if all(held[r] for r in range(rank, high + 1)):
                yield f"{rank}-{high}"


def _extend(view, tokens, rng):
    return max(tokens, key=lambda token: view.extend_gain(read_tower(token)))


def _put(view, tokens, rng):
    laid = Counter(ranks(view.state.frames[-1].put))
    left = view.hand - laid
    useless = [token for token in tokens if token.isdigit() and left[int(token)]]
    useless.sort(key=lambda token: (view.wish(int(token)), token))
    if ">" in tokens and (not useless or view.wish(int(useless[0])) > 3 or laid.total() >= 3):
        return ">"
    return useless[0] if useless else tokens[0]


def _draw(view, tokens, rng):
    market = [token for token in tokens if token[0] == "m"]
    nobles = [token for token in tokens if token[0] == "n"]
    if nobles and rng.random() < CURIOUS:
        return nobles[0]
    market = [token for token in market if token[1:].isdigit()]
    best = max(market, key=lambda token: view.wish(int(token[1:])), default="")
    hidden = next((token for token in tokens if token[0] == "d"), "")
    chosen = best if best and (not hidden or view.wish(int(best[1:])) >= 4) else hidden
    return chosen or tokens[0]


def _donazione(view, tokens, rng):
    tower = view.state.frames[-1].tower
    if tower.low != 10:
        return "use"
    mine = [t.height for t in view.own if not t.complete and t != tower and t.height <= tower.height]
    yours = [t.height for t in view.theirs if not t.complete and t.height <= tower.height and t.low != 6]
    return "use" if max(yours, default=0) >= max(mine, default=0) and yours else "decline"


def _build(view, tokens, rng):
    stones = [token for token in tokens if token[-1] == "s"]
    if stones and rng.random() < BOLD:
        return max(stones, key=view.build_gain)
    return max(tokens, key=view.build_gain)


def _target(view, tokens, rng):
    theirs = [token for token in tokens if read_owned(token)[0] != view.seat]
    return (theirs or tokens)[0]


def _complete(view, tokens, rng):
    return next((token for token in tokens if token != "."), ".")


_ANSWERS = {
    "build": _build,
    "stones": lambda view, tokens, rng: rng.choice(tokens),
    "giostra": lambda view, tokens, rng: tokens[0],
    "cancel": lambda view, tokens, rng: tokens[0],
    "remains": lambda view, tokens, rng: tokens[0],
    "palazzo": lambda view, tokens, rng: tokens[-1],
    "traded": lambda view, tokens, rng: tokens[-1],
    "returned": lambda view, tokens, rng: tokens[0],
    "height": lambda view, tokens, rng: tokens[-1],
    "storeys": lambda view, tokens, rng: tokens[-1],
    "extend": _extend,
    "put": _put,
    "draw": _draw,
    "donazione": _donazione,
    "target": _target,
    "guard": lambda view, tokens, rng: tokens[0],
    "complete": _complete,
}


class Recording(Struct, frozen=True):
    """A match file to be written: who plays how, and what the match shows."""

    name: str
    names: tuple[str, str]
    setup: Setup
    styles: tuple[Style, Style]
    seed: int
    note: str

    def file(self):
        """The match played and written down."""
        match = recordings.record(GAME, self.setup, player(self.styles), self.seed)
        return recordings.file(match, self.names, self.note)


MUST = (("donazione", "must"),)
NOBLES_IN = (("nobles", "yes"),)
RECORDINGS = (
    Recording(
        "both_stop_early",
        ("Adso", "William"),
        Setup(start=1),
        (Style(stops=15), Style(stops=16)),
        11,
        "a double pass before any ending phase; income; trade; conspiracy; conspiracy guarded; target named",
    ),
    Recording(
        "deck_runs_out",
        ("Bianca", "Corso"),
        Setup(),
        (Style(), Style()),
        6,
        "the deck runs out; income; trade; trade guarded; conspiracy guarded; target named; exchange",
    ),
    Recording(
        "closed",
        ("Fina", "Guido"),
        Setup(start=1),
        (Style(closes=1), Style(closes=1, waits=4)),
        9,
        "a player closes; income; trade guarded; conspiracy; target named; exchange",
    ),
    Recording(
        "must_donate",
        ("Lapo", "Nella"),
        Setup(start=1, options=MUST),
        (Style(), Style(waits=4)),
        11,
        "the deck runs out; every donazione happens; trade; trade guarded; conspiracy; conspiracy guarded",
    ),
    Recording(
        "table_level",
        ("Ubertino", "Severin"),
        Setup(level=Level.TABLE),
        (Style(), Style(closes=4)),
        4,
        "public steps only; the deck runs out; income; trade; trade guarded; conspiracy",
    ),
    Recording(
        "nobles",
        ("Beatrice", "Dino"),
        Setup(options=NOBLES_IN),
        (Style(), Style(waits=4)),
        9,
        "every noble is played; a stone is cancelled; backs are chosen",
    ),
    Recording(
        "palazzo_removed",
        ("Ezio", "Lia"),
        Setup(options=NOBLES_IN),
        (Style(), Style(waits=4)),
        4,
        "a palazzo is removed at once; backs are chosen",
    ),
    Recording(
        "stones_may_guard",
        ("Neri", "Tessa"),
        Setup(start=1, options=(*NOBLES_IN, ("pietra_guard", "yes"))),
        (Style(), Style(closes=4)),
        10,
        "stones may guard; a stone is cancelled; the rest goes on",
    ),
    Recording(
        "two_deals",
        ("Orso", "Pia"),
        Setup(options=(("deals", "2"),)),
        (Style(closes=-9, waits=3), Style(closes=-9, waits=3)),
        6,
        "two deals; a player closes; the closer's penalty",
    ),
    Recording(
        "to_a_target",
        ("Rina", "Sandro"),
        Setup(options=(("deals", "target"), ("target", "80"))),
        (Style(closes=1), Style()),
        4,
        "the target is reached; the closer's penalty",
    ),
)


if __name__ == "__main__":
    recordings.keep({recording.name: recording.file() for recording in RECORDINGS})
