"""Scrolls (MK-12.4): what instant ones do, and which permanent ones somebody owns.

``05`` is an oasis that scores now, a number how many resources are returned for it; ``2w1n`` are resources
that are sold.
"""

from __future__ import annotations

from functools import lru_cache

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Domain, Figures, Multiset, Picker
from engines.kit.checks import Objection
from engines.marrakesh import scoring, tiles
from engines.marrakesh.book import BOOK, effect_of, happens, once_known
from engines.marrakesh.facts import known
from engines.marrakesh.state import FRESH_STALL, ONCE, RESOURCES, AnyFrame, Effect, Frame, State

SOLD = 2  # scroll 72
STALL = 3  # water, scroll 57
KINDS = tuple("wdn")
"""Water, dates, dinars, as what is sold is written."""
_COUNTS = tuple(str(n) for n in range(scoring.RETURNED + 1))


# Effects


@happens("scroll", what=r"[1-9]|[1-6]\d|7[0-2]")
def happen_scroll(state: State, effect: Effect) -> State:
    """A scroll just bought: an instant one acts, of any other nothing but its owner changes."""
    name = tiles.scroll_fact(int(effect.what))
    if asks := once_known(state, effect, name):
        return asks
    word = known(state.copy, name)
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


@happens("score", what="|".join(scoring.NUMBERS))
def happen_score(state: State, effect: Effect) -> State:
    """``score_05``: the oasis with that number scores for the seat that is asked."""
    number = int(effect.what)
    if asks := once_known(state, effect, scoring.fact(number)):
        return asks
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
BOOK.asks(lambda state: _for_sale(state.own.resources), "sell")
BOOK.lists("sell")(lambda _state, _held: [])


@BOOK.figures("returned")
def figures_returned(state: State) -> Figures:
    kind = _kind(state)
    return (("n", state.own.resource(kind)), ("variant", RESOURCES[kind]))


def _kind(state: State) -> int:
    """Return the resource that the oasis asked about takes."""
    kind = scoring.returns(state, int(state.frames[-1].what))
    assert kind is not None, "asked of an oasis that takes resources"
    return kind


@BOOK.lists("score_oasis")
def list_score_oasis(state: State, _: Bag | None) -> list[Choice]:
    return BOOK.listed("score_oasis", (f"{number:02}" for number in sorted(state.own.oases)))


@BOOK.lists("returned")
def list_returned(state: State, _: Bag | None) -> list[Choice]:
    return BOOK.listed("returned", _COUNTS[: state.own.resource(_kind(state)) + 1])


@BOOK.check("score_oasis.claimed", "MK-16.2", "score_oasis")
def check_score_oasis_claimed(state: State, token: str) -> Objection | None:
    return None if int(token) in state.own.oases else Objection({"oasis": token})


@BOOK.check("returned.there", "MK-16.2", "returned")
def check_returned_there(state: State, token: str) -> Objection | None:
    there = state.own.resource(_kind(state))
    return None if int(token) <= there else Objection({"n": there, "resource": RESOURCES[_kind(state)]})


@BOOK.check("sell.there", "MK-12.4", "sell")
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


@BOOK.possible("score_oasis")
def possible_score_oasis(state: State, token: str, _: Bag | None) -> bool:
    return int(token) in state.own.oases


@BOOK.possible("returned")
def possible_returned(state: State, token: str, _: Bag | None) -> bool:
    return int(token) <= state.own.resource(_kind(state))


@BOOK.possible("sell")
def possible_sell(state: State, token: str, _: Bag | None) -> bool:
    held = state.own.resources
    return bags.within(_for_sale(held).read(token), held)


@BOOK.fits("score_oasis")
def fits_score_oasis(state: State) -> bool:
    return bool(state.own.oases)


@BOOK.fits("returned")
def fits_returned(state: State) -> bool:
    what = state.frames[-1].what
    return what in scoring.NUMBERS and scoring.returns(state, int(what)) is not None


@BOOK.fits("sell")
def fits_sell(state: State) -> bool:
    return bool(state.own.resources)
