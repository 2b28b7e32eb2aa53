"""Claiming from the tray (MK-5.1 to MK-5.6): ``2t`` takes two fish; ``tg`` one each, with scroll 61."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS, Choice, Domain, Exact, Figures, OutOfStep, Refusal
from engines.kit.checks import Objection
from engines.kit.noting import note
from engines.marrakesh import scrolls
from engines.marrakesh.book import BOOK, SEAT, Effect, happens
from engines.marrakesh.keshis import AREAS, BROWN, LETTERS, PINK, RED, of_letters
from engines.marrakesh.state import (
    NOBODY,
    PLACES,
    Frame,
    Side,
    State,
    answered,
    asking,
    clockwise,
    compelled,
    deployed,
    doing,
    has_room,
    own,
    seat_named,
)

MOST = 2  # MK-5.1
CLAIMED = "claimed"
"""Why keshis are deployed that scroll 61 took from the tray."""
_ONE_COLOUR = tuple(f"{n}{letter}" for letter in LETTERS for n in (2, 1))
_PAIRS = tuple(a + b for a, b in combinations(LETTERS, 2))
_PLAIN = Domain("claim", _ONE_COLOUR, written=_PAIRS, laid=True)
_FREE = Domain("claim", (*_ONE_COLOUR, *_PAIRS), laid=True)

BOOK.asks(lambda state: _FREE if scrolls.owns(state, "free_claim") else _PLAIN, "claim")


@BOOK.figures("claim")
def figures_claim(state: State) -> Figures:
    return (("left", bags.total(state.tray)),)


@lru_cache(512)
def colours(token: str) -> str:
    """The letters of the keshis that a token takes."""
    return token[1] * int(token[0]) if token[0].isdigit() else token


def free(side: Side, kind: int) -> int:
    """How many more of a colour may be claimed (MK-5.2, MK-5.4); goods without end."""
    if kind == RED:
        return len(AREAS) - side.vendors.bit_count()
    return PLACES - deployed(side, kind) if kind < RED else PLACES


# The fast list


@BOOK.lists("claim")
def list_claim(state: State, _: None) -> list[Choice]:
    return BOOK.listed("claim", _claims(state))


def _claims(state: State) -> list[str]:
    side = own(state)
    most = {
        LETTERS[kind]: n
        for kind, there in bags.items(state.tray)
        if (n := min(MOST, there, free(side, kind))) > 0
    }
    if scrolls.owns(state, "free_claim"):
        two = [f"2{each}" for each, n in most.items() if n == MOST] + [
            a + b for a, b in combinations(most, 2)
        ]
        return two or [f"1{each}" for each in most]
    return [f"{n}{each}" for each, there in most.items() for n in range(there, 0, -1)]


# Checks


@BOOK.check("claim.lying", "MK-5.1", "claim")
def check_claim_lying(state: State, token: str) -> Objection | None:
    for kind, n in bags.items(of_letters(colours(token))):
        if n > bags.count(state.tray, kind):
            return Objection({"colour": LETTERS[kind], "n": bags.count(state.tray, kind)})
    return None


@BOOK.check("claim.room", "MK-5.2", "claim")
def check_claim_room(state: State, token: str) -> Objection | None:
    for kind, n in bags.items(of_letters(colours(token))):
        if kind != RED and n > free(own(state), kind):
            return Objection({"colour": LETTERS[kind], "n": free(own(state), kind)})
    return None


@BOOK.check("claim.vendors", "MK-5.4", "claim")
def check_claim_vendors(state: State, token: str) -> Objection | None:
    lacking = free(own(state), RED)
    return Objection({"n": lacking}) if colours(token).count(LETTERS[RED]) > lacking else None


@BOOK.check("claim.colour", "MK-5.1", "claim")
def check_claim_colour(state: State, token: str) -> Objection | None:
    mixed = len(set(colours(token))) > 1 and not scrolls.owns(state, "free_claim")
    return Objection({"colours": ",".join(token)}) if mixed else None


@BOOK.check("claim.two", "MK-12.4", "claim")
def check_claim_two(state: State, token: str) -> Objection | None:
    """Scroll 61 takes two wherever two can be had."""
    if len(colours(token)) == MOST or not scrolls.owns(state, "free_claim"):
        return None
    return Objection({"scroll": 61}) if token not in _claims(state) else None


def left(state: State, number: int) -> Exact | OutOfStep:
    """What it means that so many keshis are left while a claim is asked (MK-5.1).

    The only claim that leaves them; nothing where none is gone, and where several leave as many: people enter
    theirs where they stand. Out of step where no claim does.
    """
    there = bags.total(state.tray)
    taken = [one for one in BOOK.legal(state) if len(colours(one.token)) == there - number]
    if number == there or len(taken) > 1:
        return Exact(())
    if taken:
        return Exact((taken[0],))
    check = "claim.more_left" if number > there else "claim.fewer_left"
    figures = (("number", number), ("there", there))
    return OutOfStep((), (f"total {number}",), Refusal(check, "MK-5.1", figures))


# Effects


@happens("claim", what=SEAT)
def happen_claim(state: State, effect: Effect) -> State:
    """The next seat, from the one named, that can take something; else what is left goes back (MK-5.6)."""
    seat = seat_named(effect.what)
    for _n in range(state.variant.seats):
        state = replace(state, seat=seat)
        if not state.out >> seat & 1:
            side = own(state)
            if any(has_room(side, kind) for kind, _ in bags.items(state.tray)):
                return asking(state, Frame("claim"))
            state = replace(state, out=state.out | 1 << seat)
        seat = clockwise(state, seat)
    note((NOBODY, Side(board=state.tray), Side()))
    return replace(state, tray=0, out=0)


@BOOK.effect("claim")
def effect_claim(state: State, token: str) -> State:
    state = replace(answered(state), tray=state.tray - of_letters(colours(token)))
    following, letters = SEATS[clockwise(state, state.seat)], colours(token)
    if _order_matters(letters) and not compelled(state):
        return doing(state, [f"gate_keshis_{letters}", f"claim_{following}"], CLAIMED)
    return doing(state, [*(f"deploy_{each}" for each in letters), f"claim_{following}"])


def _order_matters(letters: str) -> bool:
    """Whether two keshis differ, and one brings what may change what the other does (MK-5.8)."""
    return len(set(letters)) > 1 and not {LETTERS[PINK], LETTERS[BROWN]}.isdisjoint(letters)


# What the pieces allow


@BOOK.possible("claim")
def possible_claim(state: State, token: str, _: None) -> bool:
    return bags.within(of_letters(colours(token)), state.tray)


@BOOK.fits("claim")
def fits_claim(state: State) -> bool:
    return state.tray > 0 and not state.out >> state.seat & 1
