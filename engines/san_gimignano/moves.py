"""The fast list of what is legal: certain by what is known, or possible. No check is run here.

``checks.py`` says the same thing slowly and with reasons; a property test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS, Choice, Level
from engines.pools import Reach
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import LEAST_STOREYS, LOW, RANKS, RUNS, Tower, card, lane
from engines.san_gimignano.state import (
    COMPLETED_TO_CLOSE,
    HAND_LIMIT,
    Frame,
    State,
    conspiracy_targets,
    reach,
    unseen,
)

List = Callable[[State, Reach], list[Choice]]


def legal(state: State, hand: Reach | None = None) -> list[Choice]:
    """Every legal choice in the domain's order.

    ``hand`` is what the hand asked about may hold, by default what the referee knows of it; a hand of known
    cards only gives the list of somebody who sees it.
    """
    if state.termination:
        return []
    asked = state.frames[-1] if state.frames else _NO_FRAME
    hand = hand or reach(state, state.seat if asked.seat < 0 else asked.seat)
    return _LIST[asked.question](state, hand)


_NO_FRAME = Frame("action")


def _listed(question: str, tokens: list[str]) -> list[Choice]:
    return [q.CHOICES[question, token] for token in tokens]


def supplies_exchange(state: State, put: Bag, n: int) -> bool:
    """Whether deck and eligible market cards can replace the ``n`` cards of ``put`` (SG-3.7)."""
    eligible = state.deck
    if eligible >= n:
        return True
    for kind, copies in bags.items(state.market):
        if not bags.count(put, kind):
            eligible += copies
    return eligible >= n


def can_exchange(state: State, hand: Reach) -> bool:
    """Whether some two cards that the hand may hold can be exchanged."""
    if state.deck >= 2:
        return hand.zone.size >= 2  # the deck replaces whatever two cards they are
    return any(may_put(state, hand, card(rank), 1) for rank in RANKS)


def may_put(state: State, hand: Reach, put: Bag, n: int) -> bool:
    """Whether ``put`` (of ``n`` cards) may be laid down and completed to an exchange."""
    if not hand.may_hold(put):
        return False
    if n >= 2:
        return supplies_exchange(state, put, n)
    if state.deck >= 2:
        return hand.zone.size >= 2  # whatever the second card is, the deck replaces both
    return any(
        supplies_exchange(state, put + card(rank), 2) and hand.may_hold(put + card(rank)) for rank in RANKS
    )


def _shapes(hand: Reach) -> Iterator[str]:
    """Tokens of the shapes that the hand may hold three storeys of."""
    zone = hand.zone
    if zone.size < LEAST_STOREYS:
        return
    most = [hand.most(kind) for kind in range(len(RANKS))]
    for kind, copies in enumerate(most):
        if copies >= LEAST_STOREYS:
            yield q.SHAPES.tokens[kind]
    hidden = [not zone.known >> shift & bags.FULL for shift in _SHIFTS]
    fresh = [
        hide and not hand.shared >> shift & bags.FULL for hide, shift in zip(hidden, _SHIFTS, strict=True)
    ]
    for span, token in _SPANS:
        if all(most[span]) and sum(hidden[span]) <= zone.unknown and sum(fresh[span]) <= hand.free:
            yield token


_SHIFTS = tuple(bags.LANE * lane(rank) for rank in RANKS)
_SPANS = [
    (slice(lane(low), lane(high) + 1), token)
    for (low, high), token in zip(RUNS, q.SHAPES.tokens[len(RANKS) :], strict=True)
]


def fitting_rank(tower: Tower) -> int | None:
    """The rank that goes on top next (SG-3.9), None if nothing can."""
    if tower.complete:
        return None
    if tower.plain:
        return tower.low
    return tower.low - 1 if tower.low > LOW else None


def _may_extend(state: State, hand: Reach) -> list[Tower]:
    if not hand.zone.size:
        return []
    found = []
    for tower in dict.fromkeys(state.towers[state.seat]):
        rank = fitting_rank(tower)
        if rank is not None and hand.most(rank - LOW):
            found.append(tower)
    return found


def _actions(state: State, hand: Reach) -> list[Choice]:
    own = state.towers[state.seat]
    tokens = []
    if not state.ending:
        taken = 1 if state.deck == 1 else 2
        if hand.zone.size + taken <= HAND_LIMIT:
            tokens.append(q.PURCHASE)
        if can_exchange(state, hand):
            tokens.append(q.EXCHANGE)
    if next(_shapes(hand), None):
        tokens.append(q.BUILD)
    if _may_extend(state, hand):
        tokens.append(q.EXTEND)
    if not state.ending:
        completed = sum(tower.complete for tower in own)
        if completed < len(own):
            tokens.append(q.COMPLETE)
        if completed >= COMPLETED_TO_CLOSE:
            tokens.append(q.CLOSE)
    tokens.append(q.PASS)
    return _listed("action", tokens)


def _build(_: State, hand: Reach) -> list[Choice]:
    return _listed("build", list(_shapes(hand)))


def _height(state: State, hand: Reach) -> list[Choice]:
    tower = state.frames[-1].tower
    assert tower
    most = hand.most(lane(tower.low))
    return _listed("height", [f"x{n}" for n in range(LEAST_STOREYS, most + 1)])


def _put(state: State, hand: Reach) -> list[Choice]:
    put = state.frames[-1].put
    n = bags.total(put)
    tokens = [str(rank) for rank in RANKS if may_put(state, hand, put + card(rank), n + 1)]
    return _listed("put", tokens + [q.ENOUGH] * (n >= 2))


def _draw(state: State, _: Reach) -> list[Choice]:
    frame = state.frames[-1]
    if state.level is Level.FULL:
        tokens = [q.DECK] if state.deck else []
    else:
        tokens = [f"d{frame.n}"] if state.deck >= frame.n else []
    tokens += [f"m{k + LOW}" for k, _ in bags.items(state.market) if not bags.count(frame.put, k)]
    return _listed("draw", tokens)


def _extend(state: State, hand: Reach) -> list[Choice]:
    return [Choice("extend", str(tower)) for tower in _may_extend(state, hand)]


def most_storeys(hand: Reach, tower: Tower) -> int:
    """How many storeys the hand may add to ``tower``."""
    if tower.plain:
        return hand.most(lane(tower.low))
    need, storeys = 0, 0
    for rank in range(tower.low - 1, LOW - 1, -1):
        need += card(rank)
        if not hand.may_hold(need):
            break
        storeys += 1
    return storeys


def _storeys(state: State, hand: Reach) -> list[Choice]:
    tower = state.frames[-1].tower
    assert tower
    return _listed("storeys", [f"+{n}" for n in range(1, most_storeys(hand, tower) + 1)])


def _complete(state: State, _: Reach) -> list[Choice]:
    towers = [str(tower) for tower in dict.fromkeys(state.towers[state.seat]) if not tower.complete]
    return [Choice("complete", token) for token in towers + [q.FLIPPED] * (state.frames[-1].n > 0)]


def _target(state: State, _: Reach) -> list[Choice]:
    tower = state.frames[-1].tower
    assert tower
    return [Choice("target", q.owned(owner, target)) for owner, target in conspiracy_targets(state, tower)]


def _guard(_: State, hand: Reach) -> list[Choice]:
    return _listed("guard", [q.GUARD] * bool(hand.most(0)) + [q.ALLOW])


def _market(state: State, _: Reach) -> list[Choice]:
    hidden = unseen(state)
    return _listed("market", [str(rank) for rank in RANKS if bags.count(hidden, lane(rank))])


def _final(state: State, _: Reach) -> list[Choice]:
    left = unseen(state)
    tokens = [str(rank) for rank in RANKS if bags.count(left, lane(rank)) >= LEAST_STOREYS]
    for low, high in RUNS:
        if all(bags.count(left, lane(rank)) for rank in range(low, high + 1)):
            tokens.append(f"{low}-{high}")
    return _listed("final", [*tokens, q.FLIPPED])


def _final_height(state: State, _: Reach) -> list[Choice]:
    tower = state.frames[-1].tower
    assert tower
    most = bags.count(unseen(state), lane(tower.low))
    return _listed("final_height", [f"x{n}" for n in range(LEAST_STOREYS, most + 1)])


def _final_marker(state: State, _: Reach) -> list[Choice]:
    return _listed("final_marker", [*SEATS[:2]] + [q.NO_MARKER] * (not any(state.towers)))


def _all(question: str, tokens: tuple[str, ...]) -> List:
    choices = _listed(question, list(tokens))
    return lambda _state, _hand: choices.copy()


_LIST: dict[str, List] = {
    "action": _actions,
    "build": _build,
    "height": _height,
    "put": _put,
    "draw": _draw,
    "extend": _extend,
    "storeys": _storeys,
    "complete": _complete,
    "donazione": _all("donazione", q.DONATIONS.tokens),
    "target": _target,
    "guard": _guard,
    "market": _market,
    "final": _final,
    "final_height": _final_height,
    "final_state": _all("final_state", q.FINAL_STATES.tokens),
    "final_marker": _final_marker,
}
