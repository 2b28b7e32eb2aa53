"""What a choice does (SG-3 to SG-6). Every function here trusts that its choice is legal."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Choice
from engines.pools import Zone, take
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import LOW, Tower, card, plain, ranks, read_tower, run
from engines.san_gimignano.state import (
    COUNTED,
    DOUBLE_PASS,
    MARKET,
    Frame,
    State,
    conspiracy_targets,
    reach,
    tallest_rival,
)

Pair = tuple[Zone, Zone]


def apply(state: State, choice: Choice) -> State:
    """The state after ``choice``."""
    return _PLAY[choice.question](state, choice.token)


def settle(state: State) -> State:
    """What follows once an action's cards are drawn: refill, ending phase, the other's turn.

    SG-3.4, SG-6.3; dealing the first market (SG-1.2) is the same refill.
    """
    if not state.ending and not state.market and state.deck:
        state = _turn_up(state, min(MARKET, state.deck), opened=False)
        if state.frames:
            return state
    ending = state.ending or state.deck == 0
    return replace(state, seat=1 - state.seat, passes=0, frames=(), ending=ending)


def _turn_up(state: State, n: int, *, opened: bool) -> State:
    """Turn ``n`` cards up into the market; those not known are asked for one by one."""
    while n:
        if state.top:
            state = replace(state, market=state.market + card(state.top[0]), top=state.top[1:])
        elif state.middle:
            return replace(state, frames=(Frame("market", n, open=opened),))
        else:
            state = replace(state, market=state.market + card(state.bottom[0]), bottom=state.bottom[1:])
        n -= 1
    return replace(state, frames=())


def _with_hand(hands: Pair, seat: int, hand: Zone) -> Pair:
    return (hand, hands[1]) if seat == 0 else (hands[0], hand)


def _show(state: State, seat: int, shown: Bag) -> State:
    """Cards leave a hand in the open."""
    hand, shared = take(state.hands[seat], state.shared, shown)
    return replace(state, hands=_with_hand(state.hands, seat, hand), shared=shared)


def _action(state: State, token: str) -> State:
    if token == q.PASS:
        if state.passes:
            return replace(state, passes=2, termination=DOUBLE_PASS)
        return replace(state, passes=1, seat=1 - state.seat)
    if token == q.PURCHASE:
        return replace(state, frames=(Frame("draw", 1 if state.deck == 1 else 2),))  # SG-3.3
    if token == q.CLOSE:
        return settle(replace(state, ending=True, closer=state.seat))
    return replace(state, frames=(_FIRST[token],))


_FIRST = {
    q.EXCHANGE: Frame("put"),
    q.BUILD: Frame("build"),
    q.EXTEND: Frame("extend"),
    q.COMPLETE: Frame("complete"),
}


def _draw(state: State, token: str) -> State:
    frame = state.frames[-1]
    hand = state.hands[state.seat]
    drawn = 1
    if token[0] == "m":
        rank = card(int(token[1:]))
        state = replace(state, market=state.market - rank)
        hand = Zone(hand.known + rank, hand.unknown)
    else:
        drawn = int(token[1:] or 1)
        for _ in range(drawn):
            if state.top:
                hand = Zone(hand.known + card(state.top[0]), hand.unknown)
                state = replace(state, top=state.top[1:])
            elif state.middle:
                hand = Zone(hand.known, hand.unknown + 1)
                state = replace(state, middle=state.middle - 1)
            else:
                hand = Zone(hand.known + card(state.bottom[0]), hand.unknown)
                state = replace(state, bottom=state.bottom[1:])
    state = replace(state, hands=_with_hand(state.hands, state.seat, hand))
    if frame.n > drawn:
        return replace(state, frames=(replace(frame, n=frame.n - drawn, open=True),))
    return settle(state)


def _draw_up_to(state: State, n: int, *, opened: bool) -> State:
    """Draw ``n`` cards, fewer where deck and market hold fewer (SG-3.10, SG-5.5)."""
    n = min(n, state.deck + bags.total(state.market))
    return replace(state, frames=(Frame("draw", n, open=opened),)) if n else settle(state)


def _put(state: State, token: str) -> State:
    put = state.frames[-1].put
    if token != q.ENOUGH:
        return replace(state, frames=(Frame("put", put=put + card(int(token))),))
    state = _show(state, state.seat, put)
    return replace(state, market=state.market + put, frames=(Frame("draw", bags.total(put), put),))


def _build(state: State, token: str) -> State:
    low, _, high = token.partition("-")
    if high:
        return _lay(state, run(int(low), int(high)))
    return replace(state, frames=(Frame("height", tower=plain(int(low), 1)),))


def _height(state: State, token: str) -> State:
    tower = state.frames[-1].tower
    assert tower
    return _lay(state, plain(tower.low, int(token[1:])))


def _change_towers(state: State, owner: int, old: Tower | None, new: Tower | None) -> State:
    side = list(state.towers[owner])
    if old:
        side.remove(old)
    if new:
        side.append(new)
        side.sort()
    towers = (tuple(side), state.towers[1]) if owner == 0 else (state.towers[0], tuple(side))
    return replace(state, towers=towers)


def _judge_marker(state: State, tower: Tower) -> State:
    if tower.height > tallest_rival(state, state.seat, tower):  # SG-4.1, SG-4.2
        return replace(state, marker=state.seat)
    return state


def _lay(state: State, tower: Tower) -> State:
    """A new tower and what it sets off, in the order of SG-5.9."""
    state = _change_towers(_show(state, state.seat, tower.bag), state.seat, None, tower)
    state = replace(_judge_marker(state, tower), frames=())
    gives = tower.plain and tower.low >= 8 and not state.ending
    if not gives or (tower.low == 10 and not conspiracy_targets(state, tower)):
        return settle(state)
    if state.must_donate:
        return _donate(state, tower, opened=False)
    return replace(state, frames=(Frame("donazione", tower.height, tower=tower, open=False),))


def _donazione(state: State, token: str) -> State:
    tower = state.frames[-1].tower
    assert tower
    state = replace(state, frames=())
    return _donate(state, tower, opened=True) if token == q.USE else settle(state)


def _donate(state: State, tower: Tower, *, opened: bool) -> State:
    if tower.low == 8:  # SG-5.5
        return _draw_up_to(state, tower.height, opened=opened)
    if tower.low == 9:  # SG-5.6
        other = 1 - state.seat
        if reach(state, other).most(0):
            return replace(state, frames=(Frame("guard", tower.height, seat=other, open=False),))
        return _trade(state, tower.height)
    targets = conspiracy_targets(state, tower)  # SG-5.7
    if len(targets) == 1:
        return _threaten(state, *targets[0])
    return replace(state, frames=(Frame("target", tower=tower, open=opened),))


def _target(state: State, token: str) -> State:
    named = q.read_owned(token)
    assert named
    return _threaten(state, *named)


def _threaten(state: State, owner: int, tower: Tower) -> State:
    if reach(state, owner).most(0):  # SG-5.2: asked whenever the hand may hold a 5
        return replace(state, frames=(Frame("guard", tower=tower, seat=owner, open=False),))
    return _destroy(state, owner, tower)


def _guard(state: State, token: str) -> State:
    frame = state.frames[-1]
    if token == q.GUARD:
        state = _show(state, frame.seat, card(LOW))
        return settle(replace(state, bottom=(*state.bottom, LOW)))
    return _destroy(state, frame.seat, frame.tower) if frame.tower else _trade(state, frame.n)


def _trade(state: State, n: int) -> State:
    """Draw ``n`` unseen, give back ``n - 1`` unseen: every known copy may have moved (SG-5.6, SG-11.1)."""
    taker, giver = state.hands[state.seat], state.hands[1 - state.seat]
    drawn = min(n, giver.size)
    back = min(n - 1, taker.size + drawn)
    sizes = taker.size + drawn - back, giver.size - drawn + back
    hands = (Zone(0, sizes[0]), Zone(0, sizes[1]))
    return settle(
        replace(
            state,
            hands=hands if state.seat == 0 else (hands[1], hands[0]),
            shared=state.shared + taker.known + giver.known,
        )
    )


def _destroy(state: State, owner: int, tower: Tower) -> State:
    state = _change_towers(state, owner, tower, None)
    return settle(replace(state, top=(*ranks(tower.bag), *state.top)))  # SG-5.8


def _extend(state: State, token: str) -> State:
    return replace(state, frames=(Frame("storeys", tower=read_tower(token)),))


def _storeys(state: State, token: str) -> State:
    old, n = state.frames[-1].tower, int(token[1:])
    assert old
    new = plain(old.low, old.height + n) if old.plain else run(old.low - n, old.high)
    state = _show(state, state.seat, new.bag - old.bag)
    state = _judge_marker(_change_towers(state, state.seat, old, new), new)
    if state.ending:
        return settle(state)
    return _draw_up_to(state, n, opened=True)


def _complete(state: State, token: str) -> State:
    if token == q.FLIPPED:
        return settle(state)
    tower = read_tower(token)
    assert tower
    state = _change_towers(state, state.seat, tower, replace(tower, complete=True))
    if all(standing.complete for standing in state.towers[state.seat]):
        return settle(state)
    return replace(state, frames=(Frame("complete", 1),))


def _market(state: State, token: str) -> State:
    n = state.frames[-1].n - 1
    state = replace(state, market=state.market + card(int(token)), middle=state.middle - 1)
    state = _turn_up(state, n, opened=True)
    return state if state.frames else settle(state)


def _final(state: State, token: str) -> State:
    seat = state.frames[-1].seat
    if token == q.FLIPPED:
        frame = Frame("final", seat=1) if seat == 0 else Frame("final_marker")
        return replace(state, frames=(frame,))
    low, _, high = token.partition("-")
    if high:
        return replace(state, frames=(Frame("final_state", tower=run(int(low), int(high)), seat=seat),))
    return replace(state, frames=(Frame("final_height", tower=plain(int(low), 1), seat=seat),))


def _final_height(state: State, token: str) -> State:
    frame = state.frames[-1]
    assert frame.tower
    tower = plain(frame.tower.low, int(token[1:]))
    return replace(state, frames=(Frame("final_state", tower=tower, seat=frame.seat),))


def _final_state(state: State, token: str) -> State:
    frame = state.frames[-1]
    assert frame.tower
    tower = replace(frame.tower, complete=token == q.COMPLETED)
    state = replace(state, middle=state.middle - tower.height, frames=(Frame("final", seat=frame.seat),))
    return _change_towers(state, frame.seat, None, tower)


def _final_marker(state: State, token: str) -> State:
    marker = ("a", "b").index(token) if token != q.NO_MARKER else -1
    return replace(state, marker=marker, ending=True, frames=(), termination=COUNTED)


_PLAY: dict[str, Callable[[State, str], State]] = {
    "action": _action,
    "draw": _draw,
    "put": _put,
    "build": _build,
    "height": _height,
    "donazione": _donazione,
    "target": _target,
    "guard": _guard,
    "extend": _extend,
    "storeys": _storeys,
    "complete": _complete,
    "market": _market,
    "final": _final,
    "final_height": _final_height,
    "final_state": _final_state,
    "final_marker": _final_marker,
}
