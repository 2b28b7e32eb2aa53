"""Imam and sultan (MK-17.2 to 17.2.3): each walks beside the foremost pawn of its stair; there luxury goods
or scrolls are cheaper.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS, Domain, Label, Option, Piece, Problem, Zone
from engines.kit import forms, impossible, wrong
from engines.marrakesh import madrasa, souk, stairs
from engines.marrakesh.book import BOOK, Expansion, ask_unknown, expand, find_pieces, keep_pieces
from engines.marrakesh.facts import look_up
from engines.marrakesh.frames import Effect, Spared
from engines.marrakesh.paying import return_keshis
from engines.marrakesh.pieces import GOODS, LETTERS, of_letters
from engines.marrakesh.stairs import MOSQUE, PALACE
from engines.marrakesh.state import State

OPTION = Option("imam_and_sultan", ("no", "yes"), "MK-17.2")
IMAM, SULTAN = "imam", "sultan"
ON = {MOSQUE: IMAM, PALACE: SULTAN}
"""The attendant of each stair."""
PRINTED, GONE = "-", "gone"


class Attendants(msgspec.Struct, frozen=True):
    """The places of both: ``-`` on the printed step, ``7`` waiting on step 7, ``a`` beside seat a's pawn,
    ``gone`` out of play.
    """

    imam: str = PRINTED
    sultan: str = PRINTED


_WHERE = forms.text(rf"-|[{SEATS}]|[1-9]\d?|{GONE}", "{value!r} is no place like -, a, 7, gone")


def _find_place(state: State, name: str) -> str:
    place: str = getattr(find_pieces(state, Attendants), name)
    return place


def _find_goal(state: State, stair: str) -> int | None:
    """Return the step on which a pawn gets the stair's attendant; 0 if none does, None while unknown."""
    name = ON[stair]
    place = _find_place(state, name)
    if place in SEATS:
        return _list_steps(state, stair)[SEATS.index(place)] + 1
    step: int | None = look_up(state.copy, f"{name}_step") if place == PRINTED else 0
    return int(place) if place.isdigit() else step


def _list_steps(state: State, stair: str) -> tuple[int, ...]:
    """Return the steps of the pawns, by seat."""
    return tuple(getattr(side, stair) for side in state.sides)


def walks_with(state: State, name: str) -> bool:
    """Return True if the attendant is beside the asked seat's pawn."""
    return _find_place(state, name) == SEATS[state.seat]


# On the stairs


@stairs.ask_stair.changed_by(OPTION.name)
def change_ask_stair(
    below: Callable[[State, Effect], State | None], state: State, effect: Effect
) -> State | None:
    """Ask for the printed step of the stair's attendant before a pawn moves."""
    name = ON[effect.subject]
    asks = ask_unknown(state, effect, f"{name}_step") if _find_place(state, name) == PRINTED else None
    return asks or below(state, effect)


@stairs.arrive.changed_by(OPTION.name)
def change_arrive(below: Callable[[State, str, int], State], state: State, stair: str, was: int) -> State:
    """Give the attendant to a pawn that reaches it or passes its holder (MK-17.2.1).

    A holder that reaches the last step passes it on.
    """
    state = below(state, stair, was)
    name, there, goal = ON[stair], stairs.find_step(state, stair), _find_goal(state, stair)
    place = found = _find_place(state, name)
    if goal and was < goal <= there:
        place = SEATS[state.seat]
    if place == SEATS[state.seat] and there == stairs.find_last_step(state.copy, stair):
        place = _pass_on(state, stair)
    if place == found:
        return state
    return keep_pieces(state, replace(find_pieces(state, Attendants), **{name: place}))


def _pass_on(state: State, stair: str) -> str:
    """Return the highest pawn below the last step; above several the attendant waits, but not on the last
    step (MK-17.2.2).
    """
    steps, last = _list_steps(state, stair), stairs.find_last_step(state.copy, stair)
    highest = max((step for step in steps if step < last), default=last)
    heirs = [seat for seat, step in enumerate(steps) if step == highest]
    if len(heirs) == 1:
        return SEATS[heirs[0]]
    return str(highest + 1) if highest + 1 < last else GONE


# Lower costs


@madrasa.due.changed_by(OPTION.name)
def change_due(below: Callable[[State, int], int], state: State, dates: int) -> int:
    """Lower each scroll's cost by 1 date with the sultan (MK-17.2.3)."""
    return max(0, below(state, dates) - walks_with(state, SULTAN))


@souk.count_less.changed_by(OPTION.name)
def change_count_less(below: Callable[[State], int], state: State) -> int:
    """Spare one keshi of a luxury good's price with the imam (MK-17.2.3)."""
    return below(state) + walks_with(state, IMAM)


@souk.pay_good.changed_by(OPTION.name)
def change_pay_good(
    below: Callable[[State, tuple[int, ...]], State], state: State, cost: tuple[int, ...]
) -> State:
    """Spare a lacking keshi with the imam, or else one of the buyer's choice (MK-17.2.3)."""
    price = "".join(colour * n for colour, n in zip(GOODS, cost, strict=True))
    if not price or not walks_with(state, IMAM):
        return below(state, cost)
    for kind, _ in bags.items(bags.without(of_letters(price), state.own.board)):
        return _pay_without(state, price, LETTERS[kind])
    return BOOK.ask(state, Spared(price))


def _pay_without(state: State, price: str, colour: str) -> State:
    return return_keshis(state, of_letters(price.replace(colour, "", 1)))


BOOK.asks(Domain("spared", tuple(GOODS)), "spared")


@BOOK.offers("spared.price", "MK-17.2.3", told="colour")
def offer_spared(state: State) -> list[str]:
    return [colour for colour in GOODS if colour in state.asked(Spared).price]


@BOOK.effect("spared")
def effect_spared(state: State, token: str) -> State:
    return _pay_without(state.answered(), state.asked(Spared).price, token)


@BOOK.fits("spared")
def fits_spared(state: State) -> bool:
    price = state.asked(Spared).price
    if OPTION.name not in state.variant.expansions or set(price) - set(GOODS) or len(set(price)) < 2:
        return False
    return walks_with(state, IMAM) and bags.within(of_letters(price), state.own.board)


# Faults


def _find_faults(state: State) -> Iterator[Problem]:
    """Yield attendants whom a pawn below the last step has reached or passed.

    An attendant on an unknown step may wait on any step up to the last.
    """
    for stair, name in ON.items():
        place, steps = _find_place(state, name), _list_steps(state, stair)
        last = stairs.find_last_step(state.copy, stair)
        if place in SEATS[state.variant.seats :]:
            yield impossible(name, "position.attendant_seat", "MK-17.2", attendant=name)
            continue
        goal = last if (found := _find_goal(state, stair)) is None else found
        met = any(step >= goal for step in steps if step < last or place == PRINTED)
        if goal and (met or goal > last - place.isdigit()):
            yield wrong(name, "position.attendant", "MK-17.2", attendant=name, step=goal)
        if (place == GONE or place.isdigit()) and last not in steps:
            yield wrong(name, "position.attendant_left", "MK-17.2.1", attendant=name, last=last)


# In words


def _tell_hands(before: State, after: State, seat: int) -> Iterator[Label]:
    """Tell the moves of attendants after a pawn moved on their stair."""
    for stair, name in ON.items():
        was, place = _find_place(before, name), _find_place(after, name)
        if (
            getattr(before.sides[seat], stair) == getattr(after.sides[seat], stair)
            or place == was != SEATS[seat]
        ):
            continue
        if place in SEATS:
            key = "over" if place != SEATS[seat] else "joins" if place != was else "along"
            yield Label(f"hands.{name}_{key}", (("seat", SEATS.index(place)),))
        else:
            key = "gone" if place == GONE else "waits"
            yield Label(f"hands.{name}_{key}", (("n", _find_goal(after, stair) or 0),))


def _list_zones(state: State, seat: int | None) -> Iterator[Zone]:
    """Yield the places of both attendants."""
    if seat is None:
        yield Zone("attendants", None, tuple(_show_attendant(state, stair) for stair in ON))


def _show_attendant(state: State, stair: str) -> Piece:
    name = ON[stair]
    place = _find_place(state, name)
    if place in SEATS:
        return Piece(Label(f"lies.{name}_with", (("seat", SEATS.index(place)),)))
    goal = _find_goal(state, stair)
    key = "printed" if goal is None else "waits" if goal else "gone"
    return Piece(Label(f"lies.{name}_{key}", (("n", goal or 0),)))


EXPANSION = expand(
    Expansion(
        option=OPTION,
        keeps=Attendants,
        fields={IMAM: _WHERE, SULTAN: _WHERE},
        problems=_find_faults,
        zones=_list_zones,
        questions=("spared",),
        hands=_tell_hands,
    )
)
