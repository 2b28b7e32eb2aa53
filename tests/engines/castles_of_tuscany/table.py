"""A table of The Castles of Tuscany for the tests: positions, and the steps played on them.

Seat a has this region, seat b the boards A2, B2 and C2 straight below each other::

    a1i  b1c  c1m  d1v  e1v
       a2i  b2m  c2r  d2r  e2v
    b3t  c3r  d3c  e3f  f3f
       b4t  c4r  d4v  e4v  f4v
    a5v  b5c  c5q  d5f  e5t
       a6v  b6r  c6q  d6f  e6f
"""

from collections import Counter

from msgspec.structs import replace

from engines import castles_of_tuscany
from engines.castles_of_tuscany import facts, regions
from engines.castles_of_tuscany.kinds import IN_PILE, KINDS, NEUTRAL, OWN, PILES
from engines.contract import Level, Setup
from engines.facts import sample, with_facts
from tests.engines.asked import Asked

GAME = castles_of_tuscany.GAME
_asked = Asked(GAME)
at, answer, play = _asked.at, _asked.answer, _asked.play
tokens, refusal, overruled = _asked.tokens, _asked.refusal, _asked.overruled
fields, points = _asked.fields, _asked.points

SAMPLE = sample(facts.SCHEMA)
HEXES = {name: SAMPLE[f"board.{name}"] for name in regions.NAMES}
REGIONS = {"a": ("A1", "B1", "C1", 1, -1), "b": ("A2", "B2", "C2", 0, 0), "c": ("A3", "B3", "C3", 0, 0)}
DISPLAY = "c,t,i,fa,q,v,m,r"
COPY = "draw=2 farms=4 outline=5.5 storage=2 bonus=" + ",".join(f"{kind}6.3" for kind in KINDS)
BOARDS = "boards=" + ",".join(f"{name}:{kinds}" for name, kinds in HEXES.items())
UNKNOWN = "cards=- yields=-"
SPLIT = "cards=9.13.11.19.15.20.17.18 yields=-"
WHOLE = f"{COPY} {BOARDS} cards=9.13.11.19.15.20.17.18 yields=g2,g3,o2,o3,c2,c3,m1,w1,h1"
"""The whole sample copy as a position has it."""


def land(seat: str) -> regions.Region:
    """The region of a seat."""
    *names, first, second = REGIONS[seat]
    return regions.put_together(tuple(names), (first, second), HEXES, (5, 5))


def turn(filled: str = "b1", stored: str = "-", display: str = DISPLAY, copy: str = UNKNOWN, **more) -> str:
    """A position of two in round 1, seat a to move: what a has placed and stored came out of its piles.

    ``more`` are further fields, ``marble_a`` for ``marble.a``; ``came`` are further own tiles of a that came
    up and have left the game.
    """
    more = {name.replace("_", ".", 1) if name[-2:-1] == "_" else name: str(v) for name, v in more.items()}
    ground, out = land("a"), Counter(more.pop("came", ""))
    out.update(ground.kinds[ground.number(name)] for name in filled.split(",")[1:])
    out.update(tile[0] for tile in stored.split(",") if tile[0] in KINDS)
    shown = Counter(tile[0] for tile in display.split(",") if tile != "-")
    own, neutral = {}, {}
    for number, kind in enumerate(KINDS):
        own[kind] = min(out[kind], OWN >> 8 * number & 255)
        neutral[kind] = (NEUTRAL >> 8 * number & 255) - shown[kind] - (out[kind] - own[kind])
        if neutral[kind] < 0:
            own[kind] -= neutral[kind]
            neutral[kind] = 0
    left = PILES * IN_PILE - sum(own.values())
    piles = [max(0, left - 2 * IN_PILE), min(IN_PILE, max(0, left - IN_PILE)), min(IN_PILE, left)]
    spaces = [] if filled == "-" else filled.split(",")
    farms = [f"{name}a" for name in spaces if ground.kinds[ground.number(name)] == "f"]
    given = {
        "region.a": "A1,B1+1,C1-1",
        "region.b": "A2,B2+0,C2+0",
        "filled.a": filled,
        "farms.a": ",".join(farms) or "-",
        "filled.b": "a1",
        "stored.a": stored,
        "piles.a": ".".join(map(str, piles)),
        "turned.a": _bag(own),
        "display": display,
        "neutral": _bag(neutral),
        "turn": "a",
        "left": "1" if more.get("doing", "first").startswith("first") else "0",
        "rules": "1",  # regions with a seam of one and a half hexes
    } | more
    return " ".join(["seats=2", COPY, BOARDS, copy, *(f"{name}={value}" for name, value in given.items())])


def worded(words: str) -> str:
    """Return the position of such words: ``pick:new filled=b1,c1 stored=v``; a whole position as it is."""
    if words.startswith("seats="):
        return words
    asked = [word for word in words.split() if "=" not in word and word != "action"]
    fields = dict(word.split("=", 1) for word in words.split() if "=" in word)
    fields |= {"doing": asked[0]} if asked else {}
    copy = f"cards={fields.pop('cards', '-')} yields={fields.pop('yields', '-')}"
    return turn(copy=copy, **fields)


def _bag(kinds: dict[str, int]) -> str:
    return "".join(f"{number}{kind}" for kind, number in kinds.items() if number) or "-"


def setup(
    seats: int = 2, first: int = 0, level: Level = Level.FULL, unknown: bool = False, **options
) -> Setup:
    """A set-up on the sample copy; without what may be asked for later where it is ``unknown``."""
    copy = SAMPLE
    if unknown:
        copy = copy.confirm({fact.name: None for fact in facts.SCHEMA if fact.late})
    return with_facts(copy, Setup(seats=seats, start=first, options=tuple(options.items()), level=level))


def start(*args, **named):
    """The first state of a match with such a :func:`setup`, under version 1: its regions have any seam."""
    return GAME.rules.start(replace(setup(*args, **named), rules_version=1))
