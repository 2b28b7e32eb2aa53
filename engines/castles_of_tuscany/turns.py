"""Turns, rounds and the end (CT-3.1, CT-3.2, CT-6, CT-7.2).

``D`` draws, ``Tv`` takes, ``Pd3`` places, ``marble`` returns one for another action, ``end`` ends a turn that
could still use a marble.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany import placing, taking
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.effects import NONE, draw, resolve_effects
from engines.castles_of_tuscany.kinds import NUMBERS, WILD, kind_of
from engines.castles_of_tuscany.state import EFFECT, FINISHED, NOBODY, ROUNDS, State, sight
from engines.castles_of_tuscany.taking import TAKE, list_takes, take
from engines.contract import Choice, Domain, Good, Level, Picker, Verb
from engines.kit import Objection

DRAW, MARBLE, END = "D", "marble", "end"


@lru_cache
def _make_actions(farms: int, names: tuple[str, ...], sight: str, free: bool) -> Domain:
    take, place = taking.takes(farms), placing.places(names)
    verbs = (
        Verb("draw", (DRAW,)),
        Verb("take", take),
        Verb("place", place),
        Verb("marble", (MARBLE,)),
        Verb("end", (END,)),
    )
    tokens, written = (DRAW, *take, *place, MARBLE, END), taking.swaps(farms) if free else ()
    return Domain("action", tokens, Picker.GRID, sight, written, verbs)


@lru_cache
def _make_one_more(farms: int, names: tuple[str, ...]) -> Domain:
    """Return the domain after the action; further actions can be written, but not picked."""
    return Domain("more", (MARBLE, END), written=(DRAW, *taking.takes(farms), *placing.places(names)))


def _find_domain(state: State) -> Domain:
    if not state.left:
        return _make_one_more(state.copy.farms, state.land.names)
    return _make_actions(state.copy.farms, state.land.names, sight(state.seat), taking.has_place(state))


BOOK.asks(
    _find_domain,
    "action",
    figures=lambda state: (
        ("variant", min(state.left, 2)),
        ("left", state.left),
        ("marble", state.own.marble),
    ),
    fits=lambda state: bool(state.own.boards),
)


# The fast list

_DRAW, _MARBLE, _END = BOOK.listed("action", (DRAW, MARBLE, END))


@BOOK.lists("action")
def list_action(state: State) -> list[Choice]:
    found = [_DRAW, *list_takes(state), *placing.list_places(state)] if state.left else []
    if _has_marble(state):
        found.append(_MARBLE)
    if not state.left:
        found.append(_END)
    return found


def _has_marble(state: State) -> bool:
    """Return True if a marble may be returned this turn (CT-3.2)."""
    return not state.marbled and state.own.marble > 0


# Checks


@BOOK.check("action.left", "CT-3.1", "action", whole=True)
def check_action_left(state: State, token: str) -> Objection | None:
    if state.left or token in (MARBLE, END):
        return None
    return Objection({"remedy": "action.marble"})


BOOK.needs("marble.once", "CT-3.2", (MARBLE,), "action", lambda state: not state.marbled)
BOOK.needs("marble.none", "CT-3.2", (MARBLE,), "action", lambda state: state.own.marble, pieces=True)


@BOOK.check("end.action", "CT-3.1", "action")
def check_end_action(state: State, token: str) -> Objection | None:
    return Objection({"left": state.left}) if token == END and state.left else None


# Effects


@BOOK.effect("action")
def effect_action(state: State, token: str) -> State:
    if token == END:
        return next_turn(state)
    if token == MARBLE:
        marble = state.own.marble - 1
        return replace(state, left=state.left + 1, marbled=True).with_side(state.seat, marble=marble)
    state = replace(state, left=max(state.left - 1, 0))
    if token == DRAW:
        return draw(state)
    if token[0] == TAKE:
        return take(state, token[1:])
    return placing.place(state, placing.space_of(state, token))


@BOOK.method
def settled(state: State) -> State:
    """Do the effects that come next; end a turn in which nothing is left to decide."""
    if state.frames:
        if state.frames[-1].question != EFFECT:
            return state
        state = resolve_effects(state)
    if state.frames or state.left or state.termination or _has_marble(state):
        return state
    return next_turn(state)


def next_turn(state: State) -> State:
    """Go on to the next seat's turn, to the next round, or to the end (CT-6)."""
    if state.last:
        state = replace(state, last=state.last - 1)
        if not state.last:
            return replace(state, round=ROUNDS + 1, trigger=NOBODY, termination=FINISHED)
    elif state.trigger != NOBODY and (state.variant.at_once or state.clockwise() == state.start):
        state = _end_round(state)
    return replace(state, seat=state.clockwise(), left=1, marbled=False)


def _end_round(state: State) -> State:
    """Begin the next round, or the last turns after the third (CT-6.3, CT-6.4)."""
    if state.round == ROUNDS:
        return replace(state, last=state.variant.seats)
    state = replace(state, round=state.round + 1, trigger=NOBODY)
    empty = [seat for seat, side in enumerate(state.sides) if not side.piles[state.round - 1]]
    return replace(state, trigger=empty[0]) if empty else state


# What the pieces allow


@BOOK.possible("action")
def possible_action(state: State, token: str) -> bool:
    if token[0] == TAKE:
        _, *leaves = token.split(taking.LEAVES)
        return all(tile in state.own.stored for tile in leaves)
    return token[0] != placing.PLACE or placing.may_place(state, token)


# Answers by habit

_COPIES = 4
"""The most tiles of a kind among own or neutral ones (CT-1.3)."""


@BOOK.method
def likely(state: State, choice: Choice) -> int:
    """Rank answers by habit; without habits all answers have rank 0.

    For a price, two own cards come first, then one, workers last. A marble, a wild hex and no pick come after
    the others. For a tile that comes up, the kind with most hidden tiles comes first.
    """
    asked, token = choice.question, choice.token
    if asked == "pay":
        full = 2 * placing.priced(state)
        return 3 if token == placing.WORKER else (1, 0 if token == full else 2)[len(token) - 1]
    if asked in ("refill", "display", "neutral"):
        hidden = bags.count(taking.hidden_tiles(state, asked), NUMBERS[kind_of(token)])
        return max(_COPIES - hidden, 0)
    return int(
        (asked == "action" and token == MARBLE)
        or (asked == "pick" and token == NONE)
        or (asked in ("tile", "discard", "wild") and token == WILD)
    )


# Goods that people give or take by hand without a rule


@BOOK.method
def goods(state: State, seat: int) -> tuple[Good, ...]:
    """Return cards, marble, workers and stored wild hexes of a seat; none before the display is there."""
    if state.level is not Level.FULL or state.termination or not state.display:
        return ()
    side = state.sides[seat]
    room = side.places() - len(side.stored)
    return (
        Good("card", side.hand, state.deck + bags.total(state.discards)),
        Good("marble", side.marble, state.in_supply("marble")),
        Good("worker", side.workers, state.in_supply("workers")),
        Good("wild", side.stored.count(WILD), max(0, min(room, state.in_supply("wilds")))),
    )


@BOOK.method
def given(state: State, seat: int, good: str, n: int) -> State:
    """Give goods as in play, or take them back: cards to the deck, others to the supply."""
    side = state.sides[seat]
    if good == "card" and n > 0:
        return replace(replace(state, seat=seat).drawn(n), seat=state.seat)
    if good == "card":
        return replace(state, deck=state.deck - n).with_side(seat, hand=side.hand + n)
    if good == "wild":
        others = tuple(tile for tile in side.stored if tile != WILD)
        return state.with_side(seat, stored=(*others, *[WILD] * (side.stored.count(WILD) + n)))
    what = "marble" if good == "marble" else "workers"
    return state.with_side(seat, **{what: side.held(what) + n})
