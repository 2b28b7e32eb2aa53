"""Every rule that can refuse, by name and clause: the specification of what is legal.

A check looks at one token in the state that asks for it and either lets it pass or says what is in the way.
The order matters: rule and turn come before what only the referee's knowledge rules out.
"""

from __future__ import annotations

from engines import bags
from engines.bags import Bag
from engines.checks import Checks, Objection
from engines.contract import SEATS, Level
from engines.san_gimignano import moves
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import LEAST_STOREYS, LOW, RANKS, RUNS, Tower, card, cards, lane, read_tower
from engines.san_gimignano.state import (
    COMPLETED_TO_CLOSE,
    HAND_LIMIT,
    State,
    conspiracy_targets,
    reach,
    unseen,
)

CHECKS: Checks[State] = Checks()
check = CHECKS.check


def _hand(state: State) -> int:
    return state.hands[state.seat].size


def _frame_tower(state: State) -> Tower:
    tower = state.frames[-1].tower
    assert tower
    return tower


def _beyond_hand(state: State, need: Bag, asked: str) -> Objection | None:
    """The knowledge check: the hand cannot hold ``need`` (SG-11.1)."""
    hand = reach(state, state.seat)
    if hand.may_hold(need):
        return None
    short = [k for k, copies in bags.items(need) if hand.most(k) < copies]
    kinds = short or [k for k, _ in bags.items(need)]
    figures: dict[str, int | str] = {
        "asked": asked,
        "cards": hand.zone.size,
        "unseen": ", ".join(f"{bags.count(hand.unseen, k)}×{k + LOW}" for k in kinds),
    }
    basis = (*(("unseen", k + LOW) for k in kinds), ("hand", state.seat))
    return Objection(figures, basis)


def _may_put(state: State, put: Bag) -> bool:
    """Whether the hand may hold ``put`` (with another card, if it is one) and deck and market replace it."""
    if bags.total(put) < 2:
        return any(_may_put(state, put + card(rank)) for rank in RANKS)
    barred = sum(copies for kind, copies in bags.items(state.market) if bags.count(put, kind))
    left = state.deck + bags.total(state.market) - barred
    return left >= bags.total(put) and reach(state, state.seat).may_hold(put)


# The actions


@check("action.ending", "SG-6.2", "action")
def _(state: State, token: str) -> Objection | None:
    closed = (q.PURCHASE, q.EXCHANGE, q.COMPLETE, q.CLOSE)
    return Objection() if state.ending and token in closed else None


@check("purchase.hand_limit", "SG-3.2", "action")
def _(state: State, token: str) -> Objection | None:
    taken = 1 if state.deck == 1 else 2
    if token != q.PURCHASE or _hand(state) + taken <= HAND_LIMIT:
        return None
    return Objection({"cards": _hand(state), "taken": taken, "limit": HAND_LIMIT})


@check("exchange.two_cards", "SG-3.5", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection({"cards": _hand(state)}) if token == q.EXCHANGE and _hand(state) < 2 else None


@check("exchange.supply", "SG-3.7", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.EXCHANGE or any(_may_put(state, card(rank)) for rank in RANKS):
        return None
    return Objection({"deck": state.deck, "market": bags.total(state.market)})


@check("build.three_cards", "SG-3.8", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.BUILD or _hand(state) >= LEAST_STOREYS:
        return None
    return Objection({"cards": _hand(state), "least": LEAST_STOREYS})


@check("build.possible", "SG-11.1", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.BUILD:
        return None
    hand = reach(state, state.seat)
    shapes = [card(rank, LEAST_STOREYS) for rank in RANKS]
    shapes += [cards(list(range(low, high + 1))) for low, high in RUNS]
    if any(hand.may_hold(shape) for shape in shapes):
        return None
    return Objection({"cards": _hand(state)}, (*(("unseen", rank) for rank in RANKS), ("hand", state.seat)))


@check("extend.tower", "SG-3.9", "action")
def _(state: State, token: str) -> Objection | None:
    growing = any(moves.fitting_rank(tower) for tower in state.towers[state.seat])
    return None if token != q.EXTEND or growing else Objection()


@check("extend.card", "SG-3.9", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == q.EXTEND and not _hand(state) else None


@check("extend.possible", "SG-11.1", "action")
def _(state: State, token: str) -> Objection | None:
    if token != q.EXTEND:
        return None
    hand = reach(state, state.seat)
    fitting = sorted({rank for tower in state.towers[state.seat] if (rank := moves.fitting_rank(tower))})
    if any(hand.most(lane(rank)) for rank in fitting):
        return None
    basis = (*(("unseen", rank) for rank in fitting), ("hand", state.seat))
    return Objection({"ranks": ", ".join(map(str, fitting))}, basis)


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


# Exchange and draws


@check("exchange.least", "SG-3.5", "put")
def _(state: State, token: str) -> Objection | None:
    put = bags.total(state.frames[-1].put)
    return Objection({"put": put}) if token == q.ENOUGH and put < 2 else None


@check("exchange.hand", "SG-11.1", "put")
def _(state: State, token: str) -> Objection | None:
    if token == q.ENOUGH:
        return None
    return _beyond_hand(state, state.frames[-1].put + card(int(token)), token)


@check("exchange.replaced", "SG-3.7", "put")
def _(state: State, token: str) -> Objection | None:
    if token == q.ENOUGH:
        return None
    put = state.frames[-1].put + card(int(token))
    n = bags.total(put)
    if _may_put(state, put):
        return None
    eligible = sum(copies for kind, copies in bags.items(state.market) if not bags.count(put, kind))
    return Objection({"put": max(n, 2), "deck": state.deck, "market": eligible})


@check("draw.deck", "SG-3.1", "draw")
def _(state: State, token: str) -> Objection | None:
    if token[0] != "d":
        return None
    return Objection({"deck": state.deck}) if int(token[1:] or 1) > state.deck else None


@check("draw.rest", "SG-3.1", "draw")
def _(state: State, token: str) -> Objection | None:
    if token[0] != "d" or state.level is Level.FULL or int(token[1:]) == state.frames[-1].n:
        return None
    return Objection({"left": state.frames[-1].n})


@check("draw.market", "SG-3.1", "draw")
def _(state: State, token: str) -> Objection | None:
    if token[0] == "d" or bags.count(state.market, lane(int(token[1:]))):
        return None
    return Objection({"rank": token[1:]})


@check("draw.just_put", "SG-3.6", "draw")
def _(state: State, token: str) -> Objection | None:
    if token[0] == "d" or not bags.count(state.frames[-1].put, lane(int(token[1:]))):
        return None
    return Objection({"rank": token[1:]})


# Building, extending, completing


@check("build.hand", "SG-11.1", "build")
def _(state: State, token: str) -> Objection | None:
    low, _, high = token.partition("-")
    if high:
        return _beyond_hand(state, cards(list(range(int(low), int(high) + 1))), token)
    return _beyond_hand(state, card(int(token), LEAST_STOREYS), f"{token}x{LEAST_STOREYS}")


@check("height.copies", "SG-1.1", "height", "final_height")
def _(state: State, token: str) -> Objection | None:
    rank = _frame_tower(state).low
    return Objection({"rank": rank}) if int(token[1:]) > rank else None


@check("height.hand", "SG-11.1", "height")
def _(state: State, token: str) -> Objection | None:
    rank = _frame_tower(state).low
    return _beyond_hand(state, card(rank, int(token[1:])), f"{rank}{token}")


@check("extend.complete", "SG-3.11", "extend")
def _(state: State, token: str) -> Objection | None:
    tower = read_tower(token)
    return Objection({"tower": token}) if tower and tower.complete else None


@check("extend.top", "SG-3.9", "extend")
def _(state: State, token: str) -> Objection | None:
    tower = read_tower(token)
    return Objection({"tower": token}) if tower and moves.fitting_rank(tower) is None else None


@check("extend.hand", "SG-11.1", "extend")
def _(state: State, token: str) -> Objection | None:
    tower = read_tower(token)
    rank = tower and moves.fitting_rank(tower)
    return _beyond_hand(state, card(rank), str(rank)) if rank else None


@check("storeys.run", "SG-3.9", "storeys")
def _(state: State, token: str) -> Objection | None:
    tower = _frame_tower(state)
    if tower.plain or tower.low - int(token[1:]) >= LOW:
        return None
    return Objection({"tower": str(tower), "most": tower.low - LOW})


@check("storeys.copies", "SG-1.1", "storeys")
def _(state: State, token: str) -> Objection | None:
    tower = _frame_tower(state)
    if not tower.plain or tower.height + int(token[1:]) <= tower.low:
        return None
    return Objection({"rank": tower.low})


@check("storeys.hand", "SG-11.1", "storeys")
def _(state: State, token: str) -> Objection | None:
    tower, n = _frame_tower(state), int(token[1:])
    added = [tower.low] * n if tower.plain else list(range(tower.low - n, tower.low))
    return _beyond_hand(state, cards(added), " ".join(map(str, added)))


@check("complete.flipped", "SG-3.11", "complete")
def _(state: State, token: str) -> Objection | None:
    tower = read_tower(token)
    return Objection({"tower": token}) if tower and tower.complete else None


@check("complete.one", "SG-3.11", "complete")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == q.FLIPPED and not state.frames[-1].n else None


# Donazione


@check("guard.hand", "SG-11.1", "guard")
def _(state: State, token: str) -> Objection | None:
    seat = state.frames[-1].seat
    if token != q.GUARD or reach(state, seat).most(lane(LOW)):
        return None
    return Objection({}, (("unseen", LOW), ("hand", seat)))


def _named(token: str) -> tuple[int, Tower]:
    named = q.read_owned(token)
    assert named
    return named


@check("target.complete", "SG-5.7", "target")
def _(state: State, token: str) -> Objection | None:
    _, tower = _named(token)
    return Objection({"tower": str(tower)}) if tower.complete else None


@check("target.contract", "SG-5.3", "target")
def _(state: State, token: str) -> Objection | None:
    _, tower = _named(token)
    return Objection({"tower": str(tower)}) if tower.plain and tower.low == 6 else None


@check("target.itself", "SG-5.7", "target")
def _(state: State, token: str) -> Objection | None:
    owner, tower = _named(token)
    built = _frame_tower(state)
    alike = owner == state.seat and tower == built
    return Objection({"tower": str(tower)}) if alike and state.towers[owner].count(built) == 1 else None


@check("target.height", "SG-5.7", "target")
def _(state: State, token: str) -> Objection | None:
    _, tower = _named(token)
    built = _frame_tower(state)
    figures: dict[str, int | str] = {"tower": str(tower), "height": tower.height, "built": built.height}
    return Objection(figures) if tower.height > built.height else None


@check("target.highest", "SG-5.7", "target")
def _(state: State, token: str) -> Objection | None:
    owner, tower = _named(token)
    targets = conspiracy_targets(state, _frame_tower(state))
    if (owner, tower) in targets:
        return None
    return Objection({"tower": str(tower), "highest": targets[0][1].height})


# What the table reports


@check("market.unseen", "SG-11.1", "market")
def _(state: State, token: str) -> Objection | None:
    if bags.count(unseen(state), lane(int(token))):
        return None
    return Objection({"rank": token}, (("unseen", int(token)),))


@check("final.cards", "SG-11.1", "final", "final_height")
def _(state: State, token: str) -> Objection | None:
    left = unseen(state)
    if token == q.FLIPPED:
        return None
    low, _, high = token.partition("-")
    if high:
        need = cards(list(range(int(low), int(high) + 1)))
    elif token[0] == "x":
        need = card(_frame_tower(state).low, int(token[1:]))
    else:
        need = card(int(token), LEAST_STOREYS)
    short = [k for k, copies in bags.items(need) if bags.count(left, k) < copies]
    if not short:
        return None
    figures: dict[str, int | str] = {"unseen": ", ".join(f"{bags.count(left, k)}×{k + LOW}" for k in short)}
    return Objection(figures, tuple(("unseen", k + LOW) for k in short))


@check("final.marker", "SG-4.1", "final_marker")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == q.NO_MARKER and any(state.towers) else None


def fact(state: State, name: str, number: int) -> int:
    """Unseen copies of a rank, or the size of a seat's hand."""
    if name == "unseen":
        return bags.count(unseen(state), lane(number))
    if name == "hand":
        return state.hands[number].size
    raise KeyError(f"no fact {name!r}; seats are {SEATS[:2]}")
