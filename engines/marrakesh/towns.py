"""Desert towns (MK-17.5): a fourth place on either path, and twelve towns, claimed for goods keshis.

``left4`` is the place of a town at the end of the left path, ``07`` a town's number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS, Booking, Domain, Figures, Label, Option, Piece, Problem, Zone
from engines.kit import Form, Objection, impossible, matching, several
from engines.marrakesh import claiming, frames, madrasa, medina, rounds, sahara, souk, square
from engines.marrakesh.book import (
    BOOK,
    Expansion,
    ask_unknown,
    effect_of,
    expand,
    find_pieces,
    happens,
    keep_pieces,
)
from engines.marrakesh.facts import OASES, SQUARE, look_up
from engines.marrakesh.frames import Effect
from engines.marrakesh.paying import return_keshis
from engines.marrakesh.pieces import AREAS, GOODS, TOWNS, TOWNS_AT_ONCE
from engines.marrakesh.scoring import Worth, multiply
from engines.marrakesh.state import LEFT, ON_PATH, SEASONS, Side, State, list_members

OPTION = Option("desert_towns", ("no", "yes"), "MK-17.5")
NUMBERS = tuple(TOWNS)
"""The numbers of all towns."""
ENDS = ("left4", "right4")
"""The places of towns, at the ends of both paths; the start oasis is covered."""
ON_PATHS = (0, 4, 4)
DISPLAYED = {2: 3, 3: 5, 4: 7}
"""The numbers of towns that lie out, by seats."""
PLACE_VP, AREA_KESHIS, KESHIS_A_POINT = 4, 4, 3
"""The VP of a fourth place; the least keshis of an area that town 08 counts; the keshis for 1 VP of town 06.
"""
PRICE = sum(bags.one(kind) for kind in souk.KINDS_OF_GOODS)
PLACE_SOURCE = "desert town"
"""The source of the VP of a fourth place."""
_GATE_SOURCE = "town"
"""The source of town 12's gate, which costs no dinars."""


class Town(msgspec.Struct, frozen=True):
    """A town in front of a seat, at one of :data:`ENDS`; a ``claimed`` one has its day side up."""

    seat: int
    end: str
    number: str
    claimed: bool = False


class Towns(msgspec.Struct, frozen=True):
    """The taken towns, in order."""

    towns: tuple[Town, ...] = ()


def list_towns(state: State, seat: int) -> tuple[Town, ...]:
    """Return the towns in front of a seat, at most one for each end."""
    return tuple([town for town in find_pieces(state, Towns).towns if town.seat == seat])


def _find_town(state: State, end: str) -> Town | None:
    """Return the asked seat's town at an end."""
    return next((town for town in list_towns(state, state.seat) if town.end == end), None)


def count_left(state: State) -> int:
    """Return the number of towns still on display."""
    return DISPLAYED[state.variant.seats] - len(find_pieces(state, Towns).towns)


def _find_owner(state: State, number: str) -> int | None:
    return next((town.seat for town in find_pieces(state, Towns).towns if town.number == number), None)


def name_fact(number: str) -> str:
    """Return the name of a town's fact."""
    return f"town.{number}"


# A fourth place


@claiming.count_places.changed_by(OPTION.name)
def change_count_places(_below: object, _state: State) -> tuple[int, ...]:
    """Return the places for caravans with the fourth ones; the start oasis has none (MK-17.5)."""
    return ON_PATHS


@claiming.reach_place.changed_by(OPTION.name)
def change_reach_place(below: Callable[[State, int, int], State], state: State, path: int, n: int) -> State:
    """Give 4 VP and a town, if any is left, at the end of a path."""
    if n < ON_PATH[path]:
        return below(state, path, n)
    state = state.gained("sahara", PLACE_VP, PLACE_SOURCE)
    return BOOK.ask(state, frames.Town(ENDS[path - LEFT])) if count_left(state) else state


BOOK.asks(
    Domain("town", NUMBERS, laid=True),
    "town",
    figures=lambda state: (("n", count_left(state)),),
    fits=lambda state: _lacks_town(state, state.seat, state.asked(frames.Town).end),
)


@BOOK.offers(
    "town.taken",
    "MK-1.2",
    told=lambda state, token: {"number": token, "seat": _find_owner(state, token) or 0},
)
def offer_town(state: State) -> list[str]:
    return [number for number in NUMBERS if _find_owner(state, number) is None]


@BOOK.effect("town")
def effect_town(state: State, token: str) -> State:
    there = Town(state.seat, state.asked(frames.Town).end, token)
    return keep_pieces(state.answered(), Towns((*find_pieces(state, Towns).towns, there)))


def _lacks_town(state: State, seat: int, end: str) -> bool:
    """Return True if a seat must still take a town: an end is reached and without one, and some are left."""
    if end not in ENDS or count_left(state) <= 0 or any(town.end == end for town in list_towns(state, seat)):
        return False
    return _is_filled(state.sides[seat], end)


def _is_filled(side: Side, end: str) -> bool:
    path = LEFT + ENDS.index(end)
    return side.caravans[path] == ON_PATHS[path]


# Claims

_CLAIMS = Domain("oasis", (*OASES, *ENDS, sahara.DONE))


@sahara.make_claims.changed_by(OPTION.name)
def change_make_claims(_below: object, _state: State) -> Domain:
    """Add the places of towns."""
    return _CLAIMS


@sahara.list_places.changed_by(OPTION.name)
def change_list_places(below: Callable[[State], list[str]], state: State) -> list[str]:
    """Add the seat's unclaimed towns."""
    ends = [town.end for town in list_towns(state, state.seat) if not town.claimed]
    return [*below(state), *(end for end in ENDS if end in ends)] if ends else below(state)


@sahara.tell_gone.changed_by(OPTION.name)
def change_tell_gone(below: Callable[[State, str], str], state: State, place: str) -> str:
    """Return the text of the refusal if there is no town to claim at an end."""
    if place not in ENDS:
        return below(state, place)
    town = _find_town(state, place)
    if town is None:
        return "oasis.none_left" if _is_filled(state.own, place) else "oasis.no_town"
    return "oasis.claimed" if town.claimed else ""


@sahara.tell_costs.changed_by(OPTION.name)
def change_tell_costs(below: Callable[[State], Figures], state: State) -> Figures:
    """Add the price and the names of towns, and the variant of the question if one can be claimed."""
    price = ",".join(f"1{good}" for good in GOODS)
    own = list_towns(state, state.seat)
    named = ((f"as.{one.end}", f"claim_town:{_write_figures(state, one)}") for one in own)
    asked = any(place in ENDS and sahara.can_afford(state, place) for place in sahara.list_places(state))
    return (
        *below(state),
        *((f"more.{end}", price) for end in ENDS),
        *named,
        *((("variant", "town"),) if asked else ()),
    )


def _write_figures(state: State, town: Town) -> str:
    """Write ``07.river1``: the town's number and its effect."""
    return ".".join(str(told) for _, told in _list_figures(state, town.number))


@sahara.tell_claim.changed_by(OPTION.name)
def change_tell_claim(below: Callable[[State, str], Label], state: State, place: str) -> Label:
    """Tell a town by its effect."""
    town = _find_town(state, place)
    return Label("said.claim_town", _list_figures(state, town.number)) if town else below(state, place)


@sahara.can_afford.changed_by(OPTION.name)
def change_can_afford(below: Callable[[State, str], bool], state: State, place: str) -> bool:
    """Return True for a town if the seat has a goods keshi of each colour, also with scroll 45."""
    return bags.within(PRICE, state.own.board) if place in ENDS else below(state, place)


@BOOK.check("oasis.town", "MK-17.5.1", "oasis")
def check_oasis_town(state: State, token: str) -> Objection | None:
    """Refuse a town if the seat lacks a goods keshi of some colour."""
    paid = token in ENDS and not sahara.is_free(state)
    return Objection() if paid and not sahara.can_afford(state, token) else None


# A free claim is none of a town (scroll 62, river tile 15).
BOOK.needs("oasis.free", "MK-17.5.1", ENDS, "oasis", lambda state: not sahara.is_free(state))


@sahara.claim.changed_by(OPTION.name)
def change_claim(below: Callable[[State, str], State], state: State, place: str) -> State:
    """Turn a town over and return the keshis of its price (MK-17.5.1)."""
    return return_keshis(sahara.take_oasis(state, place), PRICE) if place in ENDS else below(state, place)


@sahara.take_oasis.changed_by(OPTION.name)
def change_take_oasis(below: Callable[[State, str], State], state: State, place: str) -> State:
    """Turn a town over; three act now."""
    town = _find_town(state, place)
    if town is None:
        return below(state, place)
    there = find_pieces(state, Towns).towns
    turned = tuple(replace(one, claimed=one.claimed or one == town) for one in there)
    return keep_pieces(state, Towns(turned)).doing(Effect("town", town.number))


@happens("town", subject="|".join(NUMBERS), needs=lambda _, effect: [name_fact(effect.subject)])
def happen_town(state: State, effect: Effect) -> State:
    """Do the effect of a claimed town if it acts at once."""
    word = look_up(state.copy, name_fact(effect.subject))
    return state.doing(effect_of(word)) if word in TOWNS_AT_ONCE else state


@happens("prize", subject="scroll|good|gate")
def happen_prize(state: State, effect: Effect) -> State:
    """Ask for a displayed scroll without scholars and dates, a luxury good, or a gate without dinars."""
    if effect.subject == "scroll":
        return BOOK.ask(state, frames.Learn(madrasa.ANY))
    return souk.ask_won(state) if effect.subject == "good" else medina.ask_won(state, _GATE_SOURCE)


@medina.terms.changed_by(OPTION.name)
def change_terms(
    below: Callable[[State, str], tuple[int, int] | None], state: State, workshop: str
) -> tuple[int, int] | None:
    """Return terms without dinars for a gate that a town gives."""
    found = below(state, workshop)
    asked = (frame for frame in state.frames[-2:] if isinstance(frame, frames.Workshop))
    return (0, found[1]) if found and any(frame.source == _GATE_SOURCE for frame in asked) else found


# The end


def count_worth(state: State, seat: int, number: str) -> Worth:
    """Return the VP of a claimed town with their sum; 0 if it acted at once or is unknown."""
    shown = look_up(state.copy, name_fact(number))
    return Worth(0, "unknown") if shown is None else _WORTH[shown](state, seat)


def _make_count(vp: int, what: str, count: Callable[[Side], int]) -> Callable[[State, int], Worth]:
    return lambda state, seat: multiply(vp, count(state.sides[seat]), what)


def _count_keshis(state: State, seat: int) -> Worth:
    """Count all deployed keshis except goods, with vendors and guards at gates."""
    board = state.sides[seat].board
    keshis = bags.total(board) - sum(bags.count(board, kind) for kind in souk.KINDS_OF_GOODS)
    return Worth(keshis // KESHIS_A_POINT, f"{keshis} keshis ÷ {KESHIS_A_POINT}")


def _count_busy_areas(side: Side) -> int:
    """Count areas with enough keshis, the red one among them."""
    return sum(side.deployed(kind) + (side.vendors >> kind & 1) >= AREA_KESHIS for kind in range(len(AREAS)))


def _count_faced(state: State, seat: int) -> Worth:
    """Count the spectators who face the own entertainers."""
    if _is_disc_unknown(state.sides[seat]):
        return Worth(0, "unknown")
    state, there = replace(state, seat=seat), state.sides[seat].square
    each = [square.count_spectators(state, place) for place in list_members(there, SQUARE)]
    who = "spectator" if each == [1] else "spectators"
    return Worth(sum(each), f"{' + '.join(map(str, each)) or 0} {who}")


def _is_disc_unknown(side: Side) -> bool:
    return side.square != 0 and side.disc < 0


_WORTH: dict[str, Callable[[State, int], Worth]] = {
    "gate2": _make_count(2, "gates", lambda side: side.standing),
    "good2": _make_count(2, "luxury goods", lambda side: len(side.goods)),
    "scroll2": _make_count(2, "scrolls", lambda side: len(side.scrolls)),
    "palace1": _make_count(1, "palace steps", lambda side: side.palace),
    "mosque1": _make_count(1, "mosque steps", lambda side: side.mosque),
    "keshis3": _count_keshis,
    "river1": _make_count(1, "river steps", lambda side: side.fisherman),
    "areas2": _make_count(2, f"areas with {AREA_KESHIS} keshis", _count_busy_areas),
    "faced1": _count_faced,
    **dict.fromkeys(TOWNS_AT_ONCE, lambda _state, _seat: Worth(0, "at once")),
}
"""The score of a town, by its effect."""


def _book_towns(state: State, seat: int) -> Iterator[Booking]:
    for town in list_towns(state, seat):
        points, figures = count_worth(state, seat, town.number)
        if town.claimed and points:
            yield Booking(seat, points, "towns", "MK-17.5.2", f"town {town.number}: {figures}", SEASONS)


@rounds.ask_at_end.changed_by(OPTION.name)
def change_ask_at_end(
    below: Callable[[State, Effect], State | None], state: State, effect: Effect
) -> State | None:
    """Ask for the unknown facts of claimed towns, and for the disc's turn if one counts spectators."""
    claimed = [town for town in find_pieces(state, Towns).towns if town.claimed]
    asks = below(state, effect) or ask_unknown(state, effect, *(name_fact(town.number) for town in claimed))
    if asks:
        return asks
    for town in claimed:
        shown = look_up(state.copy, name_fact(town.number))
        if shown == "faced1" and _is_disc_unknown(state.sides[town.seat]):
            return square.ask_disc(replace(state, seat=town.seat), effect)
    return None


# A position


def _write_town(town: Town) -> str:
    return f"{SEATS[town.seat]}.{town.end}.{town.number}{'+' * town.claimed}"


def _read_town(word: str) -> Town:
    pattern = rf"[{SEATS}]\.({'|'.join(ENDS)})\.({'|'.join(NUMBERS)})\+?"
    told = matching(word, pattern, "{value!r} is no town like a.left4.07 or a.left4.07+")
    seat, end, number = told.split(".")
    return Town(SEATS.index(seat), end, number.rstrip("+"), number.endswith("+"))


def _find_faults(state: State) -> Iterator[Problem]:
    """Check that each town lies once, at an end that its owner reached, and that no reached end lacks one."""
    there, displayed = find_pieces(state, Towns).towns, DISPLAYED[state.variant.seats]
    if len(there) > displayed:
        yield impossible("towns", "position.towns", "MK-17.5", number=len(there), all=displayed)
    for at, town in enumerate(there):
        before = there[:at]
        if any(
            town.number == one.number or (town.seat == one.seat and town.end == one.end) for one in before
        ):
            yield impossible("towns", "position.town_twice", "MK-1.2", number=town.number)
        if town.seat >= state.variant.seats or not _is_filled(state.sides[town.seat], town.end):
            yield impossible("towns", "position.town", "MK-17.5", number=town.number)
    asked = {(state.seat, frame.end) for frame in state.frames if isinstance(frame, frames.Town)}
    for seat in range(state.variant.seats):
        for end in ENDS:
            if (seat, end) not in asked and _lacks_town(state, seat, end):
                yield impossible("towns", "position.town_due", "MK-17.5", seat=seat, oasis=end)


# In words


def _list_figures(state: State, number: str) -> Figures:
    """Return the figures of a town: its number, and its effect, by public lists while unknown."""
    return (("number", number), ("tile", look_up(state.copy, name_fact(number)) or TOWNS[number].value))


def _tell_hands(before: State, after: State, seat: int) -> Iterator[Label]:
    """Tell towns taken or turned over, and reached ends for which no town is left."""
    old, new = list_towns(before, seat), list_towns(after, seat)
    for town in new:
        was = next((one for one in old if one.end == town.end), None)
        if was is None:
            yield Label("hands.town", (("number", town.number),))
        if town.claimed and not (was and was.claimed):
            yield Label("hands.turn_town", (("number", town.number),))
    for end in ENDS:
        reached = _is_filled(after.sides[seat], end) and not _is_filled(before.sides[seat], end)
        if reached and not count_left(before):
            yield Label("hands.no_town")


def _list_zones(state: State, seat: int | None) -> Iterator[Zone]:
    if seat is None:
        yield Zone("display", None, (Piece(Label("lies.town"), n),) if (n := count_left(state)) else ())
        return
    for name, claimed in (("towns", False), ("claimed_towns", True)):
        there = [town.number for town in list_towns(state, seat) if town.claimed == claimed]
        yield Zone(name, seat, tuple(Piece(Label("town.named", _list_figures(state, one))) for one in there))


EXPANSION = expand(
    Expansion(
        option=OPTION,
        laid=lambda seats: (("n", DISPLAYED[seats]), ("all", len(NUMBERS))),
        keeps=Towns,
        fields={"towns": several(Form(_write_town, _read_town))},
        problems=_find_faults,
        bookings=_book_towns,
        zones=_list_zones,
        questions=("town",),
        hands=_tell_hands,
    )
)
