"""Every rule that can refuse, by name and clause: the specification of what is legal.

A check looks at one token in the state that asks for it and either lets it pass or says what is in the way.
The order matters: rule and turn come before what only the referee's knowledge rules out.
"""

from __future__ import annotations

from engines import bags
from engines.contract import Level
from engines.kit.checks import Objection
from engines.san_gimignano import answer_checks, moves, tower_checks
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import (
    GIOSTRA,
    LEAST_STOREYS,
    NOBLES,
    PIETRA,
    RANKS,
    kind_of,
    lane,
)
from engines.san_gimignano.objections import (
    CHECKS,
    beyond_hand,
    fact,
    growing,
    held,
    kinds_of,
    may_lay,
    may_put,
    number_of,
    shapes,
    too_many,
    uncapped,
)
from engines.san_gimignano.state import (
    COMPLETED_TO_CLOSE,
    DECKS_ONLY,
    State,
    cap,
    hand_limit,
    hand_of,
    highest,
)

check = CHECKS.check


# The actions


@check("action.ending", "SG-6.2", "action")
def _(state: State, token: str) -> Objection | None:
    closed = (q.PURCHASE, q.EXCHANGE, q.COMPLETE, q.CLOSE)
    return Objection() if state.ending and token in closed else None


@check("noble.ending", "SG-9.12", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection() if state.ending and token == "via" else None


@check("purchase.hand_limit", "SG-3.2", "action")
def _(state: State, token: str) -> Objection | None:
    taken, limit = 1 if state.deck == 1 else 2, hand_limit(state, state.seat)
    if token != q.PURCHASE or held(state) + taken <= limit:
        return None
    return Objection({"cards": held(state), "taken": taken, "limit": limit})


@check("exchange.two_cards", "SG-3.5", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection({"cards": held(state)}) if token == q.EXCHANGE and held(state) < 2 else None


@check("exchange.supply", "SG-3.7", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.EXCHANGE or any(may_put(state, bags.one(kind)) for kind in kinds_of(state)):
        return None
    hidden = state.nobles.deck if state.nobles else 0
    return Objection({"deck": state.deck + hidden, "market": bags.total(state.market)})


@check("build.three_cards", "SG-3.8", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.BUILD or held(state) >= LEAST_STOREYS:
        return None
    return Objection({"cards": held(state), "least": LEAST_STOREYS})


@check("build.possible", "SG-11.1", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.BUILD or any(may_lay(state, shape) for shape in shapes(state)):
        return None
    return Objection({"cards": held(state)}, (*(("unseen", rank) for rank in RANKS), ("hand", state.seat)))


@check("extend.tower", "SG-3.9", "action")
def _(state: State, token: str) -> Objection | None:
    return None if token != q.EXTEND or growing(state) else Objection()


@check("extend.card", "SG-3.9", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == q.EXTEND and not held(state) else None


@check("extend.cap", "SG-9.10", "action")
def _(state: State, token: str) -> Objection | None:
    limit = cap(state, state.seat)
    if token != q.EXTEND or any(tower.height < limit for tower in growing(state)):
        return None
    return Objection({"cap": limit})


@check("extend.one_more", "SG-9.4", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.EXTEND or any(moves.fitting_rank(tower) for tower in uncapped(state)):
        return None
    return too_many(state, 1)


@check("extend.possible", "SG-11.1", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.EXTEND:
        return None
    hand = hand_of(state, state.seat)
    fitting = sorted({rank for tower in uncapped(state) if (rank := moves.fitting_rank(tower))})
    if hand.stones or any(hand.towers.most(lane(rank)) for rank in fitting):
        return None
    kinds = [*fitting, *[number_of(PIETRA)] * (state.nobles is not None)]
    wanted = [*map(str, fitting), *["pietra"] * (state.nobles is not None)]
    return Objection({"ranks": ", ".join(wanted)}, (*(("unseen", k) for k in kinds), ("hand", state.seat)))


@check("complete.tower", "SG-3.11", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.COMPLETE or any(not tower.complete for tower in state.towers[state.seat]):
        return None
    return Objection()


@check("close.completed", "SG-3.12", "action")
def _(state: State, token: str) -> Objection | None:
    completed = sum(tower.complete for tower in state.towers[state.seat])
    if token != q.CLOSE or completed >= COMPLETED_TO_CLOSE:
        return None
    return Objection({"completed": completed, "needed": COMPLETED_TO_CLOSE})


def _noble(token: str) -> int | None:
    return kind_of(token) if token in NOBLES else None


@check("noble.turn", "SG-9.3", "action")
def _(_: State, token: str) -> Objection | None:
    return Objection({"noble": token}) if _noble(token) in (PIETRA, GIOSTRA) else None


@check("noble.one_more", "SG-9.4", "action")
def _(state: State, token: str) -> Objection | None:
    return too_many(state, 1) if _noble(token) else None


@check("palazzo.two_cards", "SG-9.10", "action")
def _(state: State, token: str) -> Objection | None:
    others, other = held(state) - 1, 1 - state.seat
    if token != "palazzo" or others >= 2 or highest(state, other) > highest(state, state.seat):
        return None
    return Objection({"cards": max(others, 0)})


@check("noble.hand", "SG-11.1", "action")
def _(state: State, token: str) -> Objection | None:
    kind = _noble(token)
    return beyond_hand(state, bags.one(kind), token) if kind else None


# Exchange and draws


@check("exchange.least", "SG-3.5", "put")
def _(state: State, token: str) -> Objection | None:
    put = bags.total(state.frames[-1].put)
    return Objection({"put": put}) if token == q.ENOUGH and put < 2 else None


@check("exchange.hand", "SG-11.1", "put")
def _(state: State, token: str) -> Objection | None:
    if token == q.ENOUGH:
        return None
    return beyond_hand(state, state.frames[-1].put + bags.one(kind_of(token)), token)


@check("exchange.replaced", "SG-3.7", "put")
def _(state: State, token: str) -> Objection | None:
    if token == q.ENOUGH:
        return None
    put = state.frames[-1].put + bags.one(kind_of(token))
    n = bags.total(put)
    if may_put(state, put):
        return None
    eligible = sum(copies for kind, copies in bags.items(state.market) if not bags.count(put, kind))
    hidden = state.nobles.deck if state.nobles else 0
    return Objection({"put": max(n, 2), "deck": state.deck + hidden, "market": eligible})


def _noble_deck(state: State) -> int:
    """How many nobles may be drawn now (SG-9.2)."""
    return state.nobles.deck if state.nobles and state.frames[-1].sources else 0


@check("draw.noble_deck", "SG-9.2", "draw")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token[0] == q.NOBLE_DECK and not state.frames[-1].sources else None


@check("draw.decks_only", "SG-9.6", "draw")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token[0] == "m" and state.frames[-1].sources == DECKS_ONLY else None


@check("draw.deck", "SG-3.1", "draw")
def _(state: State, token: str) -> Objection | None:
    if token[0] == "m":
        return None
    left = state.deck if token[0] == q.DECK else _noble_deck(state)
    return Objection({"deck": left}) if int(token[1:] or 1) > left else None


@check("draw.rest", "SG-3.1", "draw")
def _(state: State, token: str) -> Objection | None:
    if token[0] == "m" or state.level is Level.FULL:
        return None
    left = state.frames[-1].n
    fits = int(token[1:]) <= left if _noble_deck(state) else int(token[1:]) == left
    return None if fits else Objection({"left": left})


@check("draw.market", "SG-3.1", "draw")
def _(state: State, token: str) -> Objection | None:
    if token[0] != "m" or bags.count(state.market, kind_of(token[1:])):
        return None
    return Objection({"rank": token[1:]})


@check("draw.just_put", "SG-3.6", "draw")
def _(state: State, token: str) -> Objection | None:
    if token[0] != "m" or not bags.count(state.frames[-1].put, kind_of(token[1:])):
        return None
    return Objection({"rank": token[1:]})


__all__ = ["CHECKS", "answer_checks", "fact", "tower_checks"]
