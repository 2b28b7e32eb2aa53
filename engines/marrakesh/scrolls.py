"""Scrolls (MK-12.4): what instant ones do, and which permanent ones somebody owns.

``05`` is an oasis that scores now, a number how many resources are returned for it; ``2w1n`` are resources
that are sold.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engines import bags
from engines.bags import Bag
from engines.contract import Domain, Figures, Multiset, Picker
from engines.kit.checks import Objection
from engines.marrakesh import scoring, tiles
from engines.marrakesh.book import BOOK, effect_of, happens
from engines.marrakesh.facts import known
from engines.marrakesh.state import FRESH_STALL, ONCE, RESOURCES, AnyFrame, Effect, Frame, State

SOLD = 2  # scroll 72
STALL = 3  # water, scroll 57
KINDS = tuple("wdn")
"""Water, dates, dinars, as what is sold is written."""
_COUNTS = tuple(str(n) for n in range(scoring.RETURNED + 1))


# Effects


def _shows(_: State, effect: Effect) -> tuple[str]:
    return (tiles.scroll_fact(int(effect.what)),)


@happens("scroll", what=r"[1-9]|[1-6]\d|7[0-2]", needs=_shows)
def happen_scroll(state: State, effect: Effect) -> State:
    """A scroll just bought: an instant one acts, of any other nothing but its owner changes."""
    word = known(state.copy, tiles.scroll_fact(int(effect.what)))
    return state.doing(effect_of(word, "scrolls", effect.what)) if word in tiles.AT_ONCE else state


@happens("stall")
def happen_stall(state: State, effect: Effect) -> State:
    """A vendor in the souk, who gives water from the next turn on (MK-12.4)."""
    fresh = state.own.fresh | FRESH_STALL
    return state.with_own(stall=True, fresh=fresh).doing(
        Effect("water", n=STALL, why=effect.why, source=effect.source)
    )


@happens("score_oasis")
def happen_score_oasis(state: State, effect: Effect) -> State:
    """One claimed oasis scores now, and may again at the end; void where none is claimed."""
    if not state.own.oases:
        return state
    return BOOK.ask(state, Frame("score_oasis", why=effect.why, source=effect.source))


@happens("score", what="|".join(scoring.NUMBERS), needs=lambda _, effect: [scoring.fact(int(effect.what))])
def happen_score(state: State, effect: Effect) -> State:
    """``score_05``: the oasis with that number scores for the seat that is asked."""
    number = int(effect.what)
    kind = scoring.returns(state, number)
    if kind is None or not state.own.resource(kind):
        return _scored(state, number, 0, effect)
    return BOOK.ask(state, Frame("returned", effect.what, why=effect.why, source=effect.source))


def _scored(state: State, number: int, returned: int, frame: AnyFrame) -> State:
    points = scoring.points(state, state.seat, number, returned)
    kind = scoring.returns(state, number)
    if returned and kind is not None:
        state = state.got(kind, -returned)
    return state.gained(frame.why, points, f"oasis {number:02}")


@happens("sell")
def happen_sell(state: State, effect: Effect) -> State:
    """Resources for VP; void where there are none."""
    if not state.own.resources:
        return state
    return BOOK.ask(state, Frame("sell", why=effect.why, source=effect.source))


# Questions


@lru_cache(4096)
def _for_sale(held: Bag) -> Multiset:
    return Multiset("sell", KINDS, 0, bags.total(held), caps=held)


BOOK.asks(Domain("oasis_number", scoring.NUMBERS), "score_oasis")
BOOK.asks(Domain("count", _COUNTS, Picker.WHEEL), "returned")
BOOK.asks(lambda state: _for_sale(state.own.resources), "sell", every=True)


@BOOK.figures("returned")
def figures_returned(state: State) -> Figures:
    kind = _kind(state)
    return (("n", state.own.resource(kind)), ("variant", RESOURCES[kind]))


def _kind(state: State) -> int:
    """Return the resource that the oasis asked about takes."""
    kind = scoring.returns(state, int(state.frames[-1].what))
    assert kind is not None, "asked of an oasis that takes resources"
    return kind


@BOOK.offers("score_oasis.claimed", "MK-16.2", told="oasis")
def offer_score_oasis(state: State) -> list[str]:
    return [f"{number:02}" for number in sorted(state.own.oases)]


def _held(state: State) -> int:
    """Return how many the seat has of the resource that the oasis asked about takes."""
    return state.own.resource(_kind(state))


@BOOK.offers(
    "returned.there",
    "MK-16.2",
    told=lambda state, _: {"n": _held(state), "resource": RESOURCES[_kind(state)]},
)
def offer_returned(state: State) -> Sequence[str]:
    return _COUNTS[: _held(state) + 1]


@BOOK.check("sell.there", "MK-12.4", "sell", pieces=True)
def check_sell_there(state: State, token: str) -> Objection | None:
    """Nobody sells more than lies there."""
    held = state.own.resources
    sold = _for_sale(held).read(token)
    for kind, copies in bags.items(bags.without(sold, held)):
        there = bags.count(held, kind)
        return Objection({"n": there + copies, "there": there, "resource": RESOURCES[kind]})
    return None


@BOOK.effect("score_oasis")
def effect_score_oasis(state: State, token: str) -> State:
    frame = state.frames[-1]
    return state.answered().doing(Effect("score", token, ONCE, frame.why, frame.source))


@BOOK.effect("returned")
def effect_returned(state: State, token: str) -> State:
    frame = state.frames[-1]
    return _scored(state.answered(), int(frame.what), int(token), frame)


@BOOK.effect("sell")
def effect_sell(state: State, token: str) -> State:
    frame = state.frames[-1]
    sold = _for_sale(state.own.resources).read(token)
    state = state.answered().with_own(resources=state.own.resources - sold)
    return state.gained(frame.why, SOLD * bags.total(sold), frame.source)


# What the pieces allow


@BOOK.fits("returned")
def fits_returned(state: State) -> bool:
    what = state.frames[-1].what
    return what in scoring.NUMBERS and scoring.returns(state, int(what)) is not None


@BOOK.fits("sell")
def fits_sell(state: State) -> bool:
    return bool(state.own.resources)
