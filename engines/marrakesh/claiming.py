"""Claims from the tray; the places of deployed keshis, and their gains at once (MK-5, MK-14.1, MK-14.2)."""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import combinations

from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS, Choice, Domain, Exact, OutOfStep, Refusal
from engines.kit import Objection, note
from engines.marrakesh import square
from engines.marrakesh import state as s
from engines.marrakesh.book import BOOK, SEAT, Varies, happens
from engines.marrakesh.facts import OASES, SQUARE
from engines.marrakesh.frames import Caravan, Claim, Effect, Spot, Vendor
from engines.marrakesh.pieces import AREAS, BROWN, GREEN, LETTERS, PINK, RED, of_letters
from engines.marrakesh.state import Side, State, list_members

MOST_CLAIMED = 2  # MK-5.1
CLAIMED = "claimed"
"""The cause of keshis that scroll 61 took from the tray."""
_ONE_COLOUR = tuple(f"{n}{letter}" for letter in LETTERS for n in (2, 1))
_PAIRS = tuple(a + b for a, b in combinations(LETTERS, 2))
_PLAIN = Domain("claim", _ONE_COLOUR, written=_PAIRS, laid=True)
_FREE = Domain("claim", (*_ONE_COLOUR, *_PAIRS), laid=True)

BOOK.asks(
    lambda state: _FREE if state.owns("free_claim") else _PLAIN,
    "claim",
    figures=lambda state: (("left", bags.total(state.tray)),),
    fits=lambda state: state.tray > 0 and not state.out >> state.seat & 1,
)


@lru_cache(512)
def spell_claim(token: str) -> str:
    """Return the letters of the keshis that a claim takes."""
    return token[1] * int(token[0]) if token[0].isdigit() else token


@BOOK.lists("claim")
def list_claim(state: State) -> list[Choice]:
    return BOOK.listed("claim", _list_claims(state))


def _list_claims(state: State) -> list[str]:
    side = state.own
    most = {
        LETTERS[kind]: n
        for kind, there in bags.items(state.tray)
        if (n := min(MOST_CLAIMED, there, side.room(kind))) > 0
    }
    if state.owns("free_claim"):
        two = [f"2{each}" for each, n in most.items() if n == MOST_CLAIMED] + [
            a + b for a, b in combinations(most, 2)
        ]
        return two or [f"1{each}" for each in most]
    return [f"{n}{each}" for each, there in most.items() for n in range(there, 0, -1)]


@BOOK.check("claim.lying", "MK-5.1", "claim", pieces=True)
def check_claim_lying(state: State, token: str) -> Objection | None:
    for kind, n in bags.items(of_letters(spell_claim(token))):
        if n > bags.count(state.tray, kind):
            return Objection({"colour": LETTERS[kind], "n": bags.count(state.tray, kind)})
    return None


@BOOK.check("claim.room", "MK-5.2", "claim")
def check_claim_room(state: State, token: str) -> Objection | None:
    for kind, n in bags.items(of_letters(spell_claim(token))):
        if kind != RED and n > state.own.room(kind):
            return Objection({"colour": LETTERS[kind], "n": state.own.room(kind)})
    return None


@BOOK.check("claim.vendors", "MK-5.4", "claim")
def check_claim_vendors(state: State, token: str) -> Objection | None:
    lacking = state.own.room(RED)
    return Objection({"n": lacking}) if spell_claim(token).count(LETTERS[RED]) > lacking else None


@BOOK.check("claim.colour", "MK-5.1", "claim")
def check_claim_colour(state: State, token: str) -> Objection | None:
    mixed = len(set(spell_claim(token))) > 1 and not state.owns("free_claim")
    return Objection({"colours": ",".join(token)}) if mixed else None


@BOOK.check("claim.two", "MK-12.4", "claim")
def check_claim_two(state: State, token: str) -> Objection | None:
    """Refuse a claim of one keshi with scroll 61 if the seat can have two."""
    if len(spell_claim(token)) == MOST_CLAIMED or not state.owns("free_claim"):
        return None
    return Objection({"scroll": 61}) if token not in _list_claims(state) else None


def interpret_left(state: State, number: int) -> Exact | OutOfStep:
    """Interpret the number of keshis left on the tray while a claim is asked (MK-5.1).

    Return the only claim that leaves so many; an empty explanation if none is gone or if several claims do,
    so that people enter theirs; out of step if no claim does.
    """
    there = bags.total(state.tray)
    taken = [one for one in BOOK.legal(state) if len(spell_claim(one.token)) == there - number]
    if number == there or len(taken) > 1:
        return Exact(())
    if taken:
        return Exact((taken[0],))
    check = "claim.more_left" if number > there else "claim.fewer_left"
    figures = (("number", number), ("there", there))
    return OutOfStep((), (f"total {number}",), Refusal(check, "MK-5.1", figures))


@happens("claim", subject=SEAT)
def happen_claim(state: State, _: Effect) -> State:
    """Ask the next seat, from the effect's on, that can claim; if none can, return the rest to the supply
    (MK-5.6).
    """
    seats, out = state.variant.seats, state.out
    for seat in ((state.seat + n) % seats for n in range(seats)):
        if not out >> seat & 1:
            side = state.sides[seat]
            if any(side.has_room(kind) for kind, _ in bags.items(state.tray)):
                return replace(state, seat=seat, out=out, frames=(*state.frames, Claim()))
            out |= 1 << seat
    note((s.NOBODY, Side(board=state.tray), Side()))
    return replace(state, tray=0, out=0)


@BOOK.effect("claim")
def effect_claim(state: State, token: str) -> State:
    following, letters = SEATS[state.clockwise(state.seat)], spell_claim(token)
    if _order_matters(letters) and not state.compelled:
        each, why = [Effect("gate_keshis", letters, why=CLAIMED)], CLAIMED
    else:
        each, why = [Effect("deploy", letter) for letter in reversed(letters)], ""
    claimed = state.answered(Effect("claim", following, why=why), *each)
    return replace(claimed, tray=state.tray - of_letters(letters))


def _order_matters(letters: str) -> bool:
    """Return True if two keshis differ, and the bonus of one may change the effect of the other (MK-5.8)."""
    return len(set(letters)) > 1 and not {LETTERS[PINK], LETTERS[BROWN]}.isdisjoint(letters)


BOOK.asks(Domain("vendor", tuple(AREAS)), "vendor")
BOOK.asks(Domain("spot", SQUARE), "spot")
BOOK.asks(
    Domain("caravan", s.PATHS),
    "caravan",
    figures=lambda state: tuple(zip(s.PATHS, state.own.caravans, strict=True)),
)


@Varies
def count_places(state: State) -> tuple[int, ...]:
    """Return the places for caravans at the start oasis and on both paths (MK-14.1)."""
    return s.ON_PATH


@BOOK.offers("vendor.free", "MK-5.4", told="area")
def offer_vendor(state: State) -> list[str]:
    return list_members(~state.own.vendors, AREAS)


@BOOK.offers("spot.free", "MK-10.1", told="reward")
def offer_spot(state: State) -> list[str]:
    return list_members(~state.own.square, SQUARE)


@BOOK.lists("caravan")
def list_caravan(state: State) -> list[Choice]:
    there = zip(s.PATHS, state.own.caravans, count_places(state), strict=True)
    return BOOK.listed("caravan", [path for path, n, all_ in there if n < all_])


_FULL = {"caravan.free": "MK-14.1", "caravan.start": "MK-14.2", "caravan.town": "MK-17.5"}
"""The clause with the number of caravans on a path, by its check."""


def _check_full(check: str, state: State, token: str) -> Objection | None:
    """Refuse a full path, by the clause of the start oasis, of the board's paths, or of the desert towns."""
    path = s.PATHS.index(token)
    room = count_places(state)[path]
    by = (
        "caravan.town"
        if room != s.ON_PATH[path]
        else "caravan.start"
        if path == s.START_OASIS
        else "caravan.free"
    )
    if state.own.caravans[path] < room or check != ("caravan.free" if state.rules == 1 else by):
        return None
    return Objection({"path": token, "n": room, **({} if room else {"variant": "caravan.void"})})


for _check, _clause in _FULL.items():
    BOOK.check(_check, _clause, "caravan", pieces=True)(partial(_check_full, _check))


@happens("deploy", subject=f"[{LETTERS}]")
def happen_deploy(state: State, effect: Effect) -> State:
    """Put a keshi of a colour from the supply into its area."""
    return deploy(state, effect.subject)


def deploy(state: State, letter: str) -> State:
    """Put a keshi into its area, with its bonus, or back into the supply if no place is free (MK-5.7)."""
    kind = LETTERS.index(letter)
    if not state.own.has_room(kind):
        note((s.NOBODY, Side(board=bags.one(kind)), Side()))
        return state
    if kind in _PLACES:
        return BOOK.ask(state, _PLACES[kind]())
    state = _place_keshi(state, kind)
    return state.gained("orchard", 1, letter) if kind == GREEN else state


_PLACES = {RED: Vendor, PINK: Spot, BROWN: Caravan}
"""The questions about the places of keshis, by kind."""


def _place_keshi(state: State, kind: int) -> State:
    return state.with_own(board=state.own.board + bags.one(kind))


@BOOK.effect("vendor")
def effect_vendor(state: State, token: str) -> State:
    there = 1 << AREAS.index(token)
    state, side = _place_keshi(state.answered(), RED), state.own
    return state.with_own(vendors=side.vendors | there, fresh=side.fresh | there)


@BOOK.effect("spot")
def effect_spot(state: State, token: str) -> State:
    """Give the bonus of the place once, with scroll 54 also those of its neighbours."""
    side, around = state.own, state.copy.square
    state = _place_keshi(state.answered(), PINK).with_own(square=side.square | 1 << SQUARE.index(token))
    places = [token]
    if state.owns("neighbours"):
        at = around.index(token)
        places += [around[at - 1], around[(at + 1) % s.PLACES]]
        if not state.compelled:
            return square.give_neighbours(state, places)
    return state.doing(*(square.make_bonus(place, 1, "square") for place in places))


@BOOK.effect("caravan")
def effect_caravan(state: State, token: str) -> State:
    """Discover the oasis beside the caravan; the start oasis gives 2 resources, then 2 VP (MK-14.2)."""
    path, side = s.PATHS.index(token), state.own
    n = side.caravans[path]
    caravans = tuple(there + (at == path) for at, there in enumerate(side.caravans))
    return reach_place(_place_keshi(state.answered(), BROWN).with_own(caravans=caravans), path, n)


@Varies
def reach_place(state: State, path: int, n: int) -> State:
    """Return the state after a caravan came to a path behind ``n`` others."""
    if path == s.START_OASIS:
        return state.doing(Effect("vp" if n else "any", number=2, why="sahara", source="start"))
    if state.owns("discovery_points"):
        return state.doing(
            Effect("found", OASES[n + (path - s.LEFT) * s.ON_PATH[s.LEFT]], why="scrolls", source="68")
        )
    return state
