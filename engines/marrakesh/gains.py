"""Gains of bonuses: resources, VP, keshis of choice; reports of facts; effects of scrolls (MK-12.4); goods
given by hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, partial
from random import Random

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Domain, Figures, Good, Level, Multiset, Picker, Printed
from engines.fact_kinds import read_word, write_word
from engines.facts import FactCheck, sample
from engines.kit import Objection, of_frame, within
from engines.marrakesh import frames, pieces, scoring
from engines.marrakesh.book import BOOK, SOME, asking, effect_of, happens
from engines.marrakesh.facts import SCHEMA, look_up, look_up_any, share
from engines.marrakesh.frames import ONCE, Effect
from engines.marrakesh.pieces import GOODS, LETTERS
from engines.marrakesh.state import FRESH_STALL, RESOURCES, State


@lru_cache
def _make_domain(name: str) -> Printed:
    fact = SCHEMA.fact(name)
    return Printed(name, fact.kind, fact.default.value)


BOOK.asks(Domain("resource", RESOURCES), "resource", figures=of_frame(n="left"), fits=within(left=SOME))
BOOK.asks(Domain("keshi", tuple(LETTERS)), "keshi", "settle")
BOOK.asks(Domain("goods", tuple(GOODS)), "goods")
BOOK.asks(
    lambda state: _make_domain(state.asked(frames.Print).fact),
    "print",
    report=True,
    fits=lambda state: (
        state.asked(frames.Print).fact in {fact.name for fact in SCHEMA}
        and state.asked(frames.Print).fact not in dict(state.copy.known)
    ),
)


@BOOK.figures("print")
def figures_print(state: State) -> Figures:
    """Tell the entry in question: the fact's table is the variant of the question, its key the entry."""
    table, _, key = state.asked(frames.Print).fact.partition(".")
    sections = zip(("mosque", "palace"), key, strict=False)
    return (("variant", table), ("key", key), ("oasis", key), ("good", key), *sections)


def draw_print(state: State, _: Random) -> str:
    """Return the fact's value in the sample."""
    fact = SCHEMA.fact(state.asked(frames.Print).fact)
    return write_word(fact.kind, _sample(SCHEMA)[fact.name])


_sample = cache(sample)


def _contradicts(check: FactCheck, state: State, token: str) -> Objection | None:
    """Return a check's objection to the value told for a fact."""
    asked = state.asked(frames.Print).fact
    if asked not in check.about:
        return None
    value = read_word(SCHEMA.fact(asked).kind, token)
    found = check.fails(*(value if name == asked else look_up_any(state.copy, name) for name in check.about))
    return None if found is None else Objection(dict(found))


_LATE = [check for check in SCHEMA.checks if any(SCHEMA.fact(name).late for name in check.about)]
for _check in _LATE:
    BOOK.check(f"print.{_check.name}", _check.clause, "print", pieces=True)(partial(_contradicts, _check))


@BOOK.figures("keshi", "settle", "goods")
def figures_keshi(state: State) -> Figures:
    return (("n", state.asked(frames.Frame).own_number or 1),)


_OFFERED = {"keshi.offered": "MK-12.4", "keshi.won": "MK-15.2", "keshi.exchanged": "MK-14.5"}
"""The clause by which only some colours are offered, by its check."""


def _check_offered(check: str, state: State, token: str) -> Objection | None:
    """Refuse a colour that the scroll, river tile or exchange sign does not offer."""
    frame = state.asked(frames.Keshi)
    by = {"river_tile": "keshi.won", "": "keshi.exchanged"}.get(frame.why, "keshi.offered")
    if not frame.colours or token in frame.colours or check != ("keshi.offered" if state.rules == 1 else by):
        return None
    return Objection({"colour": token})


for _name, _clause in _OFFERED.items():
    BOOK.check(_name, _clause, "keshi", pieces=True)(partial(_check_offered, _name))


@BOOK.check("keshi.room", "MK-5.7", "keshi", "settle")
def check_keshi_room(state: State, token: str) -> Objection | None:
    return None if state.own.has_room(LETTERS.index(token)) else Objection({"colour": token})


@happens(*RESOURCES)
def happen_resources(state: State, effect: Effect) -> State:
    """Give as many of the resource as the effect's number."""
    return state.got(RESOURCES.index(effect.name), effect.times)


@happens("vp")
def happen_vp(state: State, effect: Effect) -> State:
    """Give as many VP as the effect's number."""
    return state.gained(effect.why, effect.times, effect.source)


happens("any")(asking(lambda effect: frames.Resource(effect.times)))


@BOOK.effect("resource")
def effect_resource(state: State, token: str) -> State:
    left = state.asked(frames.Resource).left - 1
    after = state.answered(*[frames.Resource(left, open=True)] * bool(left))
    return after.got(RESOURCES.index(token))


@happens("keshi", subject=f"[{LETTERS}]*")
def happen_keshi(state: State, effect: Effect) -> State:
    """Ask for keshis of choice, or of some colours; each is deployed before the next is chosen."""
    if effect.number > 1:
        return state.doing(*[replace(effect, number=ONCE)] * effect.number)
    return BOOK.ask(state, frames.Keshi(effect.subject, why=effect.why, source=effect.source))


happens("alike")(asking(lambda effect: frames.Keshi("", effect.times, why=effect.why, source=effect.source)))


@BOOK.effect("keshi")
def effect_keshi(state: State, token: str) -> State:
    frame = state.asked(frames.Keshi)
    effect = Effect("deploy", token, ONCE, frame.why, frame.source)
    return state.answered().doing(*[effect] * (frame.alike or 1))


happens("settle")(asking(lambda effect: frames.Settle(why=effect.why, source=effect.source)))
"""A keshi of choice, then the action of its area, or of the area of a new vendor (scroll 64)."""


@BOOK.effect("settle")
def effect_settle(state: State, token: str) -> State:
    before = state.own.vendors or ONCE
    return state.answered().doing(
        Effect("deploy", token, why="scrolls", source="64"), Effect("act", token, before, "scrolls", "64")
    )


happens("goods")(asking(lambda effect: frames.Goods(effect.times)))


@BOOK.effect("goods")
def effect_goods(state: State, token: str) -> State:
    return state.answered().doing(*[Effect("deploy", token)] * state.asked(frames.Goods).number)


@happens("each", subject="good")
@happens("pair", subject=f"[{GOODS}]{{2}}")
def happen_pair(state: State, effect: Effect) -> State:
    """Give a goods keshi of each colour, or of the two named ones."""
    return state.doing(
        *(Effect("deploy", good) for good in (GOODS if effect.name == "each" else effect.subject))
    )


@happens("one", subject="each")
def happen_one(state: State, effect: Effect) -> State:
    """Give one of each resource."""
    return state.doing(*map(Effect, RESOURCES))


@BOOK.effect("print")
def effect_print(state: State, token: str) -> State:
    """Add the fact to the copy's known ones."""
    name = state.asked(frames.Print).fact
    known = {**dict(state.copy.known), name: read_word(SCHEMA.fact(name).kind, token)}
    copy = share(replace(state.copy, known=tuple(sorted(known.items()))))
    return replace(state.answered(), copy=copy)


# Scrolls (MK-12.4)

SOLD = 2  # scroll 72
STALL = 3  # water, scroll 57
_SOLD = tuple("wdn")
"""The letters of water, dates and dinars."""
_COUNTS = tuple(str(n) for n in range(scoring.RETURNED + 1))


@happens(
    "scroll",
    subject=r"[1-9]|[1-6]\d|7[0-2]",
    needs=lambda _, effect: [pieces.name_scroll_fact(int(effect.subject))],
)
def happen_scroll(state: State, effect: Effect) -> State:
    """Do the effect of a new scroll if it is an instant one."""
    word = look_up(state.copy, pieces.name_scroll_fact(int(effect.subject)))
    return state.doing(effect_of(word, "scrolls", effect.subject)) if word in pieces.AT_ONCE else state


@happens("stall")
def happen_stall(state: State, effect: Effect) -> State:
    """Put a vendor in the souk, which gives water from the next turn on (MK-12.4)."""
    fresh = state.own.fresh | FRESH_STALL
    return state.with_own(stall=True, fresh=fresh).doing(
        Effect("water", number=STALL, why=effect.why, source=effect.source)
    )


@happens("score_oasis")
def happen_score_oasis(state: State, effect: Effect) -> State:
    """Ask for a claimed oasis that scores now, and perhaps again at the end; void without a claimed one."""
    if not state.own.oases:
        return state
    return BOOK.ask(state, frames.ScoreOasis(why=effect.why, source=effect.source))


@happens(
    "score",
    subject="|".join(scoring.NUMBERS),
    needs=lambda _, effect: [scoring.name_fact(int(effect.subject))],
)
def happen_score(state: State, effect: Effect) -> State:
    """Score the oasis with a number (``score_05``) for the asked seat."""
    number = int(effect.subject)
    kind = scoring.find_returned(state, number)
    if kind is None or not state.own.resource(kind):
        return _score(state, number, 0, effect)
    return BOOK.ask(state, frames.Returned(effect.subject, why=effect.why, source=effect.source))


def _score(state: State, number: int, returned: int, frame: Effect | frames.Returned) -> State:
    points = scoring.count_worth(state, state.seat, number, returned).points
    kind = scoring.find_returned(state, number)
    if returned and kind is not None:
        state = state.got(kind, -returned)
    return state.gained(frame.why, points, f"oasis {number:02}")


@happens("sell")
def happen_sell(state: State, effect: Effect) -> State:
    """Ask for resources to sell for VP; void without any."""
    if not state.own.resources:
        return state
    return BOOK.ask(state, frames.Sell(why=effect.why, source=effect.source))


@lru_cache(4096)
def _cap_sale(held: Bag) -> Multiset:
    return Multiset("sell", _SOLD, 0, bags.total(held), caps=held)


BOOK.asks(Domain("oasis_number", scoring.NUMBERS), "score_oasis")
BOOK.asks(Domain("count", _COUNTS, Picker.WHEEL), "returned")
BOOK.asks(lambda state: _cap_sale(state.own.resources), "sell", fits=lambda state: bool(state.own.resources))


@BOOK.figures("returned")
def figures_returned(state: State) -> Figures:
    kind = _find_kind(state)
    return (("n", state.own.resource(kind)), ("variant", RESOURCES[kind]))


def _find_kind(state: State) -> int:
    """Return the resource that the oasis in question takes."""
    kind = scoring.find_returned(state, int(state.asked(frames.Returned).oasis))
    assert kind is not None, "asked of an oasis that takes resources"
    return kind


@BOOK.offers("score_oasis.claimed", "MK-16.2", told="oasis")
def offer_score_oasis(state: State) -> list[str]:
    return [f"{number:02}" for number in sorted(state.own.oases)]


def _count_held(state: State) -> int:
    """Return the number of such resources that the seat has."""
    return state.own.resource(_find_kind(state))


@BOOK.offers(
    "returned.there",
    "MK-16.2",
    told=lambda state, _: {"n": _count_held(state), "resource": RESOURCES[_find_kind(state)]},
)
def offer_returned(state: State) -> Sequence[str]:
    return _COUNTS[: _count_held(state) + 1]


@BOOK.check("sell.there", "MK-12.4", "sell", pieces=True)
def check_sell_there(state: State, token: str) -> Objection | None:
    """Refuse to sell more resources than the seat has."""
    held = state.own.resources
    sold = _cap_sale(held).read(token)
    for kind, copies in bags.items(bags.without(sold, held)):
        there = bags.count(held, kind)
        return Objection({"n": there + copies, "there": there, "resource": RESOURCES[kind]})
    return None


@BOOK.effect("score_oasis")
def effect_score_oasis(state: State, token: str) -> State:
    frame = state.asked(frames.ScoreOasis)
    return state.answered().doing(Effect("score", token, ONCE, frame.why, frame.source))


@BOOK.effect("returned")
def effect_returned(state: State, token: str) -> State:
    frame = state.asked(frames.Returned)
    return _score(state.answered(), int(frame.oasis), int(token), frame)


@BOOK.effect("sell")
def effect_sell(state: State, token: str) -> State:
    frame = state.asked(frames.Sell)
    sold = _cap_sale(state.own.resources).read(token)
    state = state.answered().with_own(resources=state.own.resources - sold)
    return state.gained(frame.why, SOLD * bags.total(sold), frame.source)


@BOOK.fits("returned")
def fits_returned(state: State) -> bool:
    oasis = state.asked(frames.Returned).oasis
    return oasis in scoring.NUMBERS and scoring.find_returned(state, int(oasis)) is not None


# By hand

MOST_GIVEN = 99
"""The most that people may give at once: the supply never ends."""
KESHIS = {"yellow": GOODS[0], "purple": GOODS[1], "orange": GOODS[2]}


@BOOK.method
def goods(state: State, seat: int) -> tuple[Good, ...]:
    """Return the seat's resources and goods keshis."""
    if state.level is not Level.FULL or state.termination:
        return ()
    side = state.sides[seat]
    return (
        *(Good(name, side.resource(kind), MOST_GIVEN) for kind, name in enumerate(RESOURCES)),
        *(Good(name, side.deployed(LETTERS.index(kind)), MOST_GIVEN) for name, kind in KESHIS.items()),
    )


@BOOK.method
def given(state: State, seat: int, good: str, n: int) -> State:
    """Move goods from the supply to a seat, or back."""
    whose = replace(state, seat=seat)
    if good in RESOURCES:
        after = whose.got(RESOURCES.index(good), n)
    else:
        after = whose.with_own(board=whose.own.board + bags.one(LETTERS.index(KESHIS[good]), n))
    return replace(after, seat=state.seat)
