"""Sensible players of Torres, and the recorded matches they played.

``python -m tests.engines.torres.players`` writes ``tests/matches/torres_*.match`` anew. A player sees its own
cards and the table, tries what each action leads to, and takes the one that gains most for its action points.
"""

from __future__ import annotations

from itertools import chain, pairwise

from msgspec import Struct
from msgspec.structs import replace

from engines.contract import Choice, Level, Setup
from engines.kit.rulebook import question
from engines.match import Adjustment, Made, Match, Step
from engines.torres.book import BOOK, read_cell
from engines.torres.cells import NAMES, NUMBERS, distance, spread
from engines.torres.scoring import KING, castles_of, has_kings_bonus
from engines.torres.stacks import open_to
from tests.engines import recordings
from tests.engines.torres.shows import shown
from tests.engines.torres.table import GAME

TURNS = 500
"""How many turns a player thinks of before it plays the best, and how many orders of it."""
TIDIED = 60


class Style(Struct, frozen=True):
    """How a player plays: how many cards it likes to hold, how gladly it plays one or takes score steps, what
    a castle that vanishes and the king's castle are worth to it, whether it sorts its stacks itself, how many
    turns it thinks of.
    """

    cards: int = 1
    plays: float = -1.0
    steps: float = 0.9
    razes: float = 0.0
    royal: float = 1.0
    sorts: bool = False
    thinks: int = TURNS


def cells_of(mask):
    return [cell for cell in range(64) if mask >> cell & 1]


def standing(state, seat, style, scored):
    """What a seat would have at the phase's end, and a little for height; ``scored`` if that is past."""
    points = state.total(seat)
    if not scored:
        points += sum(area * level for area, level in castles_of(state, seat))
        points += style.royal * KING[state.phase] * has_kings_bonus(state, seat)
    levels = [state.ground.heights[cell] for cell in cells_of(state.knights[seat])]
    return points + 0.2 * sum(levels) + 0.5 * len(levels) * (state.phase < 3)


def worth(state, seat, style, scored):
    """What the table is worth to ``seat``: its own standing, less a part of the best other one's."""
    others = [one for one in range(state.variant.seats) if one != seat]
    best = max(standing(state, one, Style(), scored) for one in others)
    return standing(state, seat, style, scored) - 0.4 * best


class Player:
    """Chooses for one seat; ``plan`` is what of the turn it thought of is still to be played."""

    def __init__(self, style):
        self.style = style
        self.plan: list[Choice] = []

    def choose(self, state, world, seat, true, rng):
        """One of the ``true`` choices."""
        if question(state) in ("found", "enter", "crown", "starter"):
            return rng.choice(true)
        if question(state) == "king":
            return max(true, key=lambda choice: worth(replace_king(state, choice), seat, self.style, False))
        if not self.plan or self.plan[0] not in true:
            turns = [self._turn(state, world, seat, rng) for _ in range(self.style.thinks)]
            best = max(turns, key=lambda turn: turn[0])[1]
            self.plan = tidy(state, best, world.hands[seat] & ~world.fresh, rng)
        return self.plan.pop(0)

    def _turn(self, state, world, seat, rng):
        """(what it is worth, choices) of a turn made at random, up to its end."""
        turn, here, gain, hand = [], state, 0.0, world.hands[seat] & ~world.fresh
        while True:
            true = BOOK.by_rule(replace(here, holds=hand))
            if question(here) == "action":
                choice = rng.choices(true, [self._weight(here, one, seat) for one in true])[0]
                if choice.token in ("Ttop", "Tbottom"):
                    gain += 2.0
            elif question(here) == "to":
                heights = here.ground.heights
                choice = rng.choices(true, [_tall(heights, one) for one in true])[0]
            else:
                choice = rng.choice(true)
            turn.append(choice)
            after = GAME.rules.apply(here, choice)
            if after.played[seat] != here.played[seat]:
                gain += self.style.plays
            gain += self.style.razes * max(len(here.ground.castles) - len(after.ground.castles), 0)
            over = (after.phase, after.round, after.seat) != (here.phase, here.round, here.seat)
            if over or after.termination or question(after) in ("king", "master"):
                scored = after.phase != state.phase or question(after) != "action"
                return worth(after, seat, self.style, scored) + gain, turn
            here = after

    def _weight(self, state, choice, seat):
        token = choice.token
        if token[0] == "B":
            cell = 1 << read_cell(token)
            near = state.knights[seat] | spread(state.knights[seat])
            mine = any((castle | border) & cell and castle & near for castle, border in _castles(state))
            return 6.0 if mine else 0.7
        if token in ("end", "stacks"):
            wanted = (token == "stacks") == (self.style.sorts and choice_of_stacks(state))
            return wanted * (20.0 if not state.left else 0.01)
        if token in ("Ttop", "Tbottom"):
            wanted = state.hand_size(seat) < self.style.cards and state.phase < 3
            return 12.0 * wanted
        if token[0] == "S":
            return 2.0 * self.style.steps * (int(token[1:]) == 1)
        return {"card": 12.0, "N": 20.0}.get(token, 30.0)


def tidy(state, turn, hand, rng):
    """The same turn as people play it: one thing after the other without running about, and a way of several
    spaces in one go.
    """
    steps, here = [], state
    for choice in turn:
        if question(here) == "action":
            steps.append([])
        steps[-1].append(choice)
        here = GAME.rules.apply(here, choice)
    orders = [steps] + [rng.sample(steps, len(steps)) for _ in range(TIDIED)]
    orders += [merged for order in orders if (merged := _merged(order)) != order]
    fitting = [order for order in orders if _leads_to(state, order, hand) == here]
    return list(chain.from_iterable(min(fitting, key=_trouble)))


def _merged(order):
    """``M a-b`` and ``M b-c`` as one, and score steps counted together."""
    merged: list[list[Choice]] = []
    for step in order:
        last = merged[-1] if merged else None
        if last and len(step) > 1 and len(last) > 1 and step[0].token == f"M{last[1].token}":
            merged[-1] = [last[0], step[1]]
        elif last and step[0].token[0] == "S" and last[0].token[0] == "S":
            both = int(step[0].token[1:]) + int(last[0].token[1:])
            merged[-1] = [Choice("action", f"S{min(both, 7)}")]
        else:
            merged.append(step)
    return merged


def _leads_to(state, order, hand):
    for choice in chain.from_iterable(order):
        if choice not in BOOK.by_rule(replace(state, holds=hand)):
            return None
        state = GAME.rules.apply(state, choice)
    return state


def _trouble(order):
    """How many things are done, and how far they are from each other."""
    spaces = [read_cell(c.token) for c in chain.from_iterable(order) if c.token[-2:] in NUMBERS]
    return 4 * len(order) + sum(distance(one, other) for one, other in pairwise(spaces))


def choice_of_stacks(state):
    """Whether the end of the turn leaves one."""
    return open_to(state.stacks[state.seat], state.placed, state.under)[1]


def _castles(state):
    return zip(state.ground.castles, state.ground.borders, strict=True)


def _tall(heights, choice):
    return 1 + 4 * heights[read_cell(choice.token)] ** 2


def replace_king(state, choice):
    """The state with the king where ``choice`` puts him, the phase as it will be."""
    king = state.king if choice.token == "Kstay" else read_cell(choice.token)
    return replace(state, king=king, phase=state.phase + 1)


def player(styles):
    """A ``choose`` for :func:`walk`: each seat plays its style."""
    players = [Player(style) for style in styles]
    return lambda game, state, world, seat, true, rng: players[seat].choose(state, world, seat, true, rng)


class Recording(Struct, frozen=True):
    """A match file to be written: who plays how, what people ruled, and what the match shows."""

    name: str
    names: tuple[str, ...]
    setup: Setup
    styles: tuple[Style, ...]
    seed: int
    rulings: tuple[tuple[int, Made], ...] = ()
    counted: bool = False

    def file(self):
        """The match played and written down."""
        match = recordings.record(GAME, self.setup, player(self.styles), self.seed, self.rulings)
        if self.counted:
            match = final_board(match)
        return recordings.file(match, self.names, "; ".join(shown(match)))


PLAIN = Style(plays=0)
KEEN = Style(cards=2, plays=1)
RAZING = Style(cards=2, plays=1, razes=12)
ROYAL = Style(royal=2)
SORTING = Style(sorts=True)
HASTY = Style(plays=0, thinks=15)
RECORDINGS = (
    Recording("two", ("Adso", "William"), Setup(), (RAZING, KEEN), 11),
    Recording("two_again", ("Bianca", "Corso"), Setup(start=1), (PLAIN, ROYAL), 4),
    Recording("three", ("Fina", "Guido", "Lapo"), Setup(seats=3, start=1), (SORTING, KEEN, ROYAL), 5),
    Recording(
        "four", ("Nella", "Orso", "Pia", "Rocco"), Setup(seats=4, start=2), (PLAIN, KEEN, ROYAL, KEEN), 3
    ),
    Recording(
        "four_later_edition",
        ("Sandro", "Tessa", "Ugo", "Vanna"),
        Setup(
            seats=4,
            options=(
                ("doors", "descend"),
                ("scoring_order", "leader_first"),
                ("next_start", "last_chooses"),
            ),
        ),
        (KEEN, PLAIN, PLAIN, ROYAL),
        2,
    ),
    Recording(
        "master",
        ("Zita", "Aldo", "Berta"),
        Setup(seats=3, options=(("master", "yes"), ("master_cards", "yes"))),
        (PLAIN, ROYAL, PLAIN),
        5,
    ),
    Recording("final_board", ("Elio", "Gemma"), Setup(), (RAZING, KEEN), 11, counted=True),
)

RULED = Recording(
    "ruled",
    ("Cino", "Dina"),
    Setup(),
    (HASTY, HASTY),
    8,
    (
        (20, Adjustment(0, -3, "slow play")),
        (22, Step(None, "B h1", ("TO-3.5",))),
        (29, Adjustment(1, 4, "a bonus forgotten")),
    ),
)
"""A match in which people ruled; it is played anew where it is wanted, as keys alone cannot enter it."""


def final_board(match):
    """The end of a match as it is reported where no play was followed: the board, then the track."""
    end, names = match.state, [NAMES[cell] for cell in range(64)]
    score = GAME.rules.start(Setup(match.setup.seats, match.setup.start, level=Level.SCORE))
    columns = [
        f"{name}+{there}"
        for name, there, at_first in zip(names, end.ground.heights, score.ground.heights, strict=True)
        if there != at_first
    ]
    before = [match.points[-2].state.total(seat) for seat in range(match.setup.seats)]
    texts = ["phase 3", " ".join(["H", *columns]), f"K {names[end.king]}"]
    texts += [" ".join(["E", *(names[cell] for cell in cells_of(own))]) for own in end.knights]
    texts += [f"points {points}" for points in before]
    counted = Match(GAME, Setup(match.setup.seats, match.setup.start, level=Level.SCORE))
    for text in texts:
        counted.play(text)
    return counted


if __name__ == "__main__":
    recordings.keep({f"torres_{recording.name}": recording.file() for recording in RECORDINGS})
