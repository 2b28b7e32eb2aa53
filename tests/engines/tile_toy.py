"""A toy game that is read in several places: a display, and a region before each of two or three seats.

A turn takes a tile of the display, the table refills it (a report), and the tile goes to the left or right
of the own region (D-1: each side takes two). It is for readings alone and has no scoring or positions.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from engines.contract import (
    SEATS,
    Choice,
    Decide,
    Domain,
    Game,
    Label,
    Level,
    Over,
    Refusal,
    Report,
    Sight,
)
from engines.errors import Malformed
from engines.kit.parts import WordNotation
from engines.kit.rulebook import Rulebook

COLOURS = ("r", "g", "y")
TAKE, REFILL = Domain("take", COLOURS), Domain("refill", COLOURS)
PLACE = Domain("place", ("left", "right"))
SIDE = 2


class Tiles(Struct, frozen=True):
    """Two tiles on display, the one in hand, and each seat's region: its left and its right side."""

    display: str = "gr"
    regions: tuple[tuple[str, str], ...] = (("", ""),) * 2
    seat: int = 0
    held: str = ""
    termination: str = ""


class Playing(Rulebook[Tiles]):
    def seated(self, state):
        return len(state.regions)

    def pending(self, state):
        if state.termination:
            return Over(state.termination, "D-1")
        if len(state.display) < 2:
            return Report("refill", REFILL)
        return Decide((state.seat,), "place", PLACE) if state.held else Decide((state.seat,), "take", TAKE)

    def legal(self, state, seat=None):
        pending = self.pending(state)
        choices = [Choice(pending.question, token) for token in pending.domain.tokens]
        return [choice for choice in choices if self.why_not(state, choice) is None]

    def why_not(self, state, choice, seat=None):
        if choice.question == "take":
            return None if choice.token in state.display else Refusal("take.display", "D-1")
        if choice.question == "place":
            side = state.regions[state.seat][PLACE.tokens.index(choice.token)]
            return Refusal("place.full", "D-1", (("tiles", len(side)),)) if len(side) == SIDE else None
        return Refusal("refill.yellow", "D-2") if "y" in state.display and choice.token == "y" else None

    def apply(self, state, choice):
        if choice.question == "take":
            return replace(state, held=choice.token, display=state.display.replace(choice.token, "", 1))
        if choice.question == "refill":
            return replace(state, display="".join(sorted(state.display + choice.token)))
        at = PLACE.tokens.index(choice.token)
        own = tuple(side + state.held * (n == at) for n, side in enumerate(state.regions[state.seat]))
        regions = tuple(own if seat == state.seat else one for seat, one in enumerate(state.regions))
        return replace(state, regions=regions, held="", seat=(state.seat + 1) % len(regions))


class Calls(WordNotation):
    def label(self, choice):
        return Label(choice.token)


class Look(Sight):
    """One place or all of them, as the words ``display=gr`` and ``a=r|``."""

    def __init__(self, name, seat=None, questions=("take", "refill", "place")):
        self.name, self.at, self.questions = name, seat, questions

    @property
    def NAME(self):  # noqa: N802
        return self.name

    @property
    def SEAT(self):  # noqa: N802
        return self.at

    def of(self, state):
        words = {"display": state.display}
        words |= {f"region.{SEATS[n]}": "|".join(sides) for n, sides in enumerate(state.regions)}
        return frozenset(words.items() if self.name == "table" else [(self.name, words[self.name])])

    def read(self, text):
        words = text.split()
        if not all("=" in word for word in words):
            raise Malformed(f"{text!r} is not display=gr region.a=r|")
        return frozenset(tuple(word.split("=")) for word in words)

    def differences(self, seen, expected):
        there = [f"+{name}={what}" for name, what in sorted(seen - expected)]
        return (*there, *(f"-{name}={what}" for name, what in sorted(expected - seen)))

    def visible(self, choice):
        return choice.question in self.questions


GAME = Game(
    id="tile_toy",
    title="Tiles",
    seats=(2, 3),
    rules_version=1,
    levels=(Level.FULL,),
    rules=Playing(),
    scoring=None,
    notation=Calls(),
    position=None,
    sights=(
        Look("table"),
        Look("display", questions=("take", "refill")),
        *(Look(f"region.{SEATS[seat]}", seat, ("place",)) for seat in range(3)),
    ),
    worlds=None,
)
