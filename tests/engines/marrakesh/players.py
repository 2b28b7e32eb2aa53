"""Sensible players of Marrakesh, and the recorded matches they played.

``python -m tests.engines.marrakesh.players`` writes ``tests/matches/marrakesh_*.match`` anew. A player
gathers keshis where it likes to act, acts there once they pay, buys what it can and declines nothing.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from engines.contract import Choice
from engines.marrakesh.keshis import AREAS, CHOSEN, LETTERS
from tests.engines import recordings
from tests.engines.marrakesh.lines import EVERYTHING, GAME, setup
from tests.engines.marrakesh.shows import shown

DECLINED = ("none", "done", "no", "go")
ENOUGH = 3
"""With so many keshis in an area a player acts there rather than take one more."""


class Style(Struct, frozen=True):
    """The colours that a player likes, the best first, and how often it declines what it is offered."""

    likes: str = "tykwbnpgrluo"
    declines: float = 0.1

    def rank(self, letter):
        """How much a colour is liked, 0 for the most."""
        return (self.likes + LETTERS).index(letter)


PLAIN = Style()


def sensible(style=PLAIN):
    """A ``choose`` for walks, of one style for all seats."""
    return by_seat([style] * 4)


def by_seat(styles):
    """The same with each seat's own style."""

    def choose(game, state, world, seat, true, rng):
        style, question = styles[seat], true[0].question
        tokens = told_in_order(state, true) if question == "choose" else [choice.token for choice in true]
        wanted = [token for token in tokens if token not in DECLINED]
        if wanted and len(wanted) < len(tokens) and rng.random() >= style.declines:
            tokens = wanted
        rate = RATES.get(question)
        if question == "choose" and len(tokens) == 1:
            return Choice(question, tokens[0])
        if not rate:
            return Choice(question, rng.choice(tokens))
        return Choice(question, min(tokens, key=lambda token: rate(style, state, token) + 2 * rng.random()))

    return choose


def told_in_order(state, true):
    """The keshis that come after those named and leave enough behind them; all where none does."""
    after = LETTERS.index((state.frames[-1].what or "t")[-1])
    later = [choice.token for choice in true if LETTERS.index(choice.token) >= after]
    enough = later[: len(later) - CHOSEN + len(state.frames[-1].what) + 1]
    return enough or [choice.token for choice in true]


def _action(style, state, token):
    area, _, use = token.partition(".")
    if area == "s":
        return 4 if use in ("l", "u", "o") else 0
    there = state.own.deployed(AREAS.index(area))
    return (style.rank(area) if use == "keshi" else 0) + (ENOUGH - there if use == "act" else 0)


def _claim(style, state, token):
    letters = token[1] if token[0].isdigit() else token
    return sum(map(style.rank, letters)) / len(letters) - 3 * (token[0] == "2")


def _scroll(style, state, token):
    return -int(token) / 10 if token.isdigit() else 0


RATES = {
    "choose": lambda style, state, token: style.rank(token),
    "action": _action,
    "claim": _claim,
    "keshi": lambda style, state, token: style.rank(token),
    "scroll": _scroll,
    "learn": _scroll,
}
_SENSIBLE = sensible()


def busy(game, state, world, seat, true, rng):
    """Mostly sensible, at times anything: walks that do much and still try what nobody would."""
    return rng.choice(true) if rng.random() < 0.2 else _SENSIBLE(game, state, world, seat, true, rng)


class Recording(Struct, frozen=True):
    """A match file to be written: who plays how, and what the match shows is its note."""

    name: str
    names: tuple[str, ...]
    setup: object
    styles: tuple[Style, ...]
    seed: int

    def file(self):
        """The match played and written down."""
        match = recordings.record(GAME, self.setup, by_seat(self.styles), self.seed)
        return recordings.file(match, self.names, "; ".join(shown(match)))


SCHOLAR = Style("ygtkwbnprluo")
TRADER = Style("luobnprtgykw")
CLIMBER = Style("kwygtbnprluo")
RECORDINGS = (
    Recording("two", ("Amira", "Basim"), setup(2), (SCHOLAR, TRADER), 44),
    Recording(
        "three",
        ("Amira", "Basim", "Chadia"),
        setup(3, 1, river_shared_space="yes"),
        (PLAIN, SCHOLAR, CLIMBER),
        8,
    ),
    Recording(
        "four",
        ("Amira", "Basim", "Chadia", "Driss"),
        setup(4, 2, oasis_exchange_goods="no"),
        (TRADER, CLIMBER, SCHOLAR, Style("bnpyrtgkwluo")),
        37,
    ),
    Recording(
        "everything",
        ("Amira", "Basim", "Chadia", "Driss"),
        setup(4, 3, **EVERYTHING),
        (TRADER, CLIMBER, SCHOLAR, Style("bnpyrtgkwluo")),
        64,
    ),
    Recording(
        "three_rules_1",
        ("Amira", "Basim", "Chadia"),
        replace(setup(3, 1, river_shared_space="yes"), rules_version=1),
        (PLAIN, SCHOLAR, CLIMBER),
        8,
    ),
    Recording("two_told", ("Amira", "Basim"), setup(2, 1, known=False), (SCHOLAR, Style("bnytpgkwrluo")), 1),
)
if __name__ == "__main__":
    recordings.keep({f"marrakesh_{one.name}": one.file() for one in RECORDINGS})
