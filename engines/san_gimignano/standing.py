"""Standing towers: Extend, Complete and Close (SG-3.9 to SG-3.12)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec.structs import replace

from engines import bags
from engines.contract import Choice, Domain, Picker
from engines.kit import Objection
from engines.san_gimignano import cards as c
from engines.san_gimignano.book import BOOK, check_hand, check_too_many, hand_asked, number_of, tower_figures
from engines.san_gimignano.building import SOME_STONES, check_over_cap
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.hands import Hand
from engines.san_gimignano.state import COMPLETED_TO_CLOSE, Frame, State
from engines.san_gimignano.turns import CLOSE, COMPLETE, EXTEND, begins, offers, settle


@offers
def offer_extensions(state: State, hand: Hand) -> Iterable[str]:
    tokens = [EXTEND] if _may_extend(state, hand) else []
    if not state.ending:
        own = state.towers[state.seat]
        completed = sum(tower.complete for tower in own)
        if completed < len(own):
            tokens.append(COMPLETE)
        if completed >= COMPLETED_TO_CLOSE:
            tokens.append(CLOSE)
    return tokens


# Extend: which tower


def _make_tower_domain(state: State, *more: str) -> Domain:
    """Return the domain of the towers of the seat whose turn it is; people may also write another's."""
    own, others = (tuple(dict.fromkeys(map(str, state.towers[one]))) for one in (state.seat, 1 - state.seat))
    return Domain("tower", own + more, written=tuple(tower for tower in others if tower not in own))


BOOK.asks(_make_tower_domain, "extend")


def _find_rank(tower: Tower) -> int | None:
    """Return the rank of the card that goes on top next (SG-3.9), None if no card does."""
    if tower.complete:
        return None
    if tower.plain:
        return tower.low
    return tower.low - 1 if tower.low > c.LOW else None


def _takes_stone(tower: Tower) -> bool:
    """Return True if a stone can go on top."""
    return not tower.complete and (tower.plain or tower.low >= c.LOW)


def _may_extend(state: State, hand: Hand) -> list[Tower]:
    if not hand.size:
        return []
    limit = state.cap(state.seat)
    found = []
    for tower in dict.fromkeys(state.towers[state.seat]):
        if tower.height >= limit:
            continue
        rank = _find_rank(tower)
        if (rank is not None and hand.towers.most(rank - c.LOW)) or (hand.stones and _takes_stone(tower)):
            found.append(tower)
    return found


@BOOK.lists("extend")
def list_extend(state: State) -> list[Choice]:
    return BOOK.listed("extend", map(str, _may_extend(state, hand_asked(state))))


def _find_growing(state: State) -> list[Tower]:
    """Return the own towers on which a card or, in the advanced game, a stone can go."""
    own = state.towers[state.seat]
    stones = state.nobles is not None
    return [tower for tower in own if _find_rank(tower) or (stones and _takes_stone(tower))]


def _find_uncapped(state: State) -> list[Tower]:
    """Return the growing towers that the opponent's Palazzo lets rise."""
    return [tower for tower in _find_growing(state) if tower.height < state.cap(state.seat)]


BOOK.needs("extend.tower", "SG-3.9", (EXTEND,), "action", _find_growing)
BOOK.needs("extend.card", "SG-3.9", (EXTEND,), "action", lambda state: state.hand_size(state.seat))


@BOOK.check("extend.cap", "SG-9.10", "action")
def check_extend_cap(state: State, token: str) -> Objection | None:
    limit = state.cap(state.seat)
    if token != EXTEND or any(tower.height < limit for tower in _find_growing(state)):
        return None
    return Objection({"cap": limit})


@BOOK.check("extend.one_more", "SG-9.4", "action")
def check_extend_one_more(state: State, token: str) -> Objection | None:
    if token != EXTEND:
        return None
    towers, hand = _find_uncapped(state), state.hand_of(state.seat)
    fitting = {rank for tower in towers if (rank := _find_rank(tower))}
    if any(hand.towers.most(c.lane(rank)) for rank in fitting):
        return None
    stone = hand.nobles.most(c.PIETRA) and any(map(_takes_stone, towers))
    return check_too_many(state, 1) if stone or not fitting else None


@BOOK.check("extend.possible", "SG-11.1", "action")
def check_extend_possible(state: State, token: str) -> Objection | None:
    if token != EXTEND:
        return None
    hand = state.hand_of(state.seat)
    fitting = sorted({rank for tower in _find_uncapped(state) if (rank := _find_rank(tower))})
    if hand.stones or any(hand.towers.most(c.lane(rank)) for rank in fitting):
        return None
    wanted = [*map(c.lane, fitting), *[c.PIETRA] * (state.nobles is not None)]
    kinds, ranks = map(number_of, wanted), ",".join(c.KINDS[kind] for kind in wanted)
    return Objection({"ranks": ranks}, (*(("unseen", k) for k in kinds), ("hand", state.seat)))


def _read_tower(token: str) -> Tower:
    tower = c.read_tower(token)
    assert tower
    return tower


@BOOK.check("extend.own", "SG-3.9", "extend")
@BOOK.check("complete.own", "SG-3.11", "complete", pieces=True)
def check_own(state: State, token: str) -> Objection | None:
    tower = c.read_tower(token)
    if tower is None or tower in state.towers[state.seat]:
        return None
    return Objection({"tower": tower.figure})


@BOOK.check("extend.complete", "SG-3.11", "extend")
@BOOK.check("complete.flipped", "SG-3.11", "complete")
def check_not_complete(_: State, token: str) -> Objection | None:
    tower = c.read_tower(token)
    return Objection({"tower": tower.figure}) if tower and tower.complete else None


@BOOK.check("extend.top", "SG-3.9", "extend")
def check_extend_top(state: State, token: str) -> Objection | None:
    tower = _read_tower(token)
    return None if tower in _find_growing(state) else Objection({"tower": tower.figure, "rank": tower.low})


@BOOK.check("extend.tower_cap", "SG-9.10", "extend")
def check_extend_tower_cap(state: State, token: str) -> Objection | None:
    tower = _read_tower(token)
    return check_over_cap(state, tower.height + 1, tower.figure)


@BOOK.check("extend.stone", "SG-9.4", "extend")
def check_extend_stone(state: State, token: str) -> Objection | None:
    rank, hand = _find_rank(_read_tower(token)), state.hand_of(state.seat)
    if rank and (hand.towers.most(c.lane(rank)) or not hand.nobles.most(c.PIETRA)):
        return None
    return check_too_many(state, 1)


@BOOK.check("extend.hand", "SG-11.1", "extend")
def check_extend_hand(state: State, token: str) -> Objection | None:
    rank = _find_rank(_read_tower(token))
    if state.hand_of(state.seat).stones:
        return None
    return check_hand(state, c.card(rank) if rank else bags.one(c.PIETRA))


@BOOK.effect("extend")
def effect_extend(state: State, token: str) -> State:
    return replace(state, frames=(Frame("storeys", tower=_read_tower(token)),))


@BOOK.possible("extend")
def possible_extend(state: State, token: str) -> bool:
    tower = _read_tower(token)
    return tower in state.towers[state.seat] and (tower.plain or tower.low >= c.LOW)


# Extend: the storeys on top

_STOREYS = Domain("storeys", tuple(f"+{n}" for n in range(1, c.HIGH + 1)), Picker.WHEEL)
_STOREYS_9 = Domain(
    "storeys",
    tuple(f"+{n}{s}" for n in range(1, c.HIGH + 1) for s in SOME_STONES[: n + 1]),
    Picker.WHEEL,
)


@cache
def _make_run_domain(low: int) -> Domain:
    """Return the domain of storeys, stones among them, for a run with the top storey ``low``."""
    tokens = [
        f"+{low - top}{c.write_stones(chosen)}"
        for top in range(low - 1, c.LOW - 2, -1)
        for chosen in c.stone_sets(top, low - 1)
    ]
    return Domain("storeys", tuple(tokens))


def _find_storeys_domain(state: State) -> Domain:
    tower = state.tower
    if not state.nobles:
        return _STOREYS
    return _STOREYS_9 if tower.plain else _make_run_domain(tower.low)


BOOK.asks(
    _find_storeys_domain,
    "storeys",
    figures=tower_figures,
    fits=lambda state: state.frames[-1].tower in state.towers[BOOK.asked(state)],
)


@BOOK.lists("storeys")
def list_storeys(state: State) -> list[Choice]:
    hand, tower = hand_asked(state), state.tower
    room = state.cap(state.seat) - tower.height
    if tower.plain:
        most, stones = hand.towers.most(c.lane(tower.low)), hand.stones
        tokens = [
            f"+{n}{'s' * s}"
            for n in range(1, min(room, c.HIGH, most + stones) + 1)
            for s in range(max(0, n - most), min(stones, n) + 1)
        ]
    else:
        tokens = [
            f"+{tower.low - top}{c.write_stones(chosen)}"
            for top in range(tower.low - 1, max(c.LOW - 1, tower.low - room) - 1, -1)
            for chosen in c.stone_sets(top, tower.low - 1, hand.stones)
            if hand.towers.may_hold(c.real_cards(top, tower.low - 1, chosen))
        ]
    return BOOK.listed("storeys", tokens)


# Complete and Close

THAT_IS_ALL = "."
"""The end of the towers that are flipped or reported."""
BOOK.asks(lambda state: _make_tower_domain(state, THAT_IS_ALL), "complete")


@BOOK.lists("complete")
def list_complete(state: State) -> list[Choice]:
    towers = [str(tower) for tower in dict.fromkeys(state.towers[state.seat]) if not tower.complete]
    return BOOK.listed("complete", towers + [THAT_IS_ALL] * (state.frames[-1].n > 0))


BOOK.needs(
    *("complete.tower", "SG-3.11", (COMPLETE,), "action"),
    lambda state: not all(tower.complete for tower in state.towers[state.seat]),
)
BOOK.needs("complete.one", "SG-3.11", (THAT_IS_ALL,), "complete", lambda state: state.frames[-1].n)


@BOOK.check("close.completed", "SG-3.12", "action")
def check_close_completed(state: State, token: str) -> Objection | None:
    completed = sum(tower.complete for tower in state.towers[state.seat])
    if token != CLOSE or completed >= COMPLETED_TO_CLOSE:
        return None
    return Objection({"completed": completed, "needed": COMPLETED_TO_CLOSE})


@BOOK.effect("complete")
def effect_complete(state: State, token: str) -> State:
    if token == THAT_IS_ALL:
        return settle(state)
    tower = _read_tower(token)
    state = state.change_towers(state.seat, tower, replace(tower, complete=True))
    if all(standing.complete for standing in state.towers[state.seat]):
        return settle(state)
    return replace(state, frames=(Frame("complete", 1),))


@begins(CLOSE)
def begin_close(state: State, _: str) -> State:
    return settle(replace(state, ending=True, closer=state.seat))
