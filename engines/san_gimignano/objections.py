"""What the checks have in common: their register, and the objections that several of them raise."""

from __future__ import annotations

from collections.abc import Iterable

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS
from engines.kit.checks import Checks, Objection
from engines.pools import Reach
from engines.san_gimignano import moves
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import (
    HIGH,
    KINDS,
    LEAST_STOREYS,
    LOW,
    RANKS,
    TOWER_CARDS,
    Tower,
    card,
    real_cards,
    stone_sets,
)
from engines.san_gimignano.state import (
    State,
    cap,
    hand_of,
    hand_size,
    more_nobles,
    noble_reach,
    reach,
    unseen,
    unseen_nobles,
)

CHECKS: Checks[State] = Checks()


def held(state: State) -> int:
    """How many cards the seat to move holds."""
    return hand_size(state, state.seat)


def frame_tower(state: State) -> Tower:
    """The tower in question."""
    tower = state.frames[-1].tower
    assert tower
    return tower


def beyond_hand(state: State, need: Bag, asked: str) -> Objection | None:
    """The knowledge check: the hand cannot hold ``need`` (SG-11.1)."""
    towers = need & TOWER_CARDS
    return beyond(state, reach(state, state.seat), towers, asked) or (
        beyond(state, noble_reach(state, state.seat), need - towers, asked) if need != towers else None
    )


def beyond(state: State, hand: Reach, need: Bag, asked: str) -> Objection | None:
    """The same for cards of one back."""
    if hand.may_hold(need):
        return None
    short = [k for k, copies in bags.items(need) if hand.most(k) < copies]
    kinds = short or [k for k, _ in bags.items(need)]
    figures: dict[str, int | str] = {
        "asked": asked,
        "cards": hand.zone.size,
        "unseen": ", ".join(f"{bags.count(hand.unseen, k)}×{KINDS[k]}" for k in kinds),
    }
    return Objection(figures, (*(("unseen", number_of(k)) for k in kinds), ("hand", state.seat)))


def number_of(kind: int) -> int:
    """How a fact names a kind: tower cards by rank, nobles from 11 on."""
    return kind + LOW


def kinds_of(state: State) -> range:
    """Every kind of card in the game."""
    return range(len(KINDS)) if state.nobles else range(len(RANKS))


def may_put(state: State, put: Bag) -> bool:
    """Whether the hand may hold ``put`` (with another card, if it is one) and decks and market replace it."""
    if bags.total(put) < 2:
        return any(may_put(state, put + bags.one(kind)) for kind in kinds_of(state))
    barred = sum(copies for kind, copies in bags.items(state.market) if bags.count(put, kind))
    left = state.deck + bags.total(state.market) - barred + (state.nobles.deck if state.nobles else 0)
    return left >= bags.total(put) and hand_of(state, state.seat).may_hold(put)


def _more(state: State) -> int:
    """How many nobles may be used now (SG-9.4)."""
    return more_nobles(state, state.seat) if state.nobles else 0


def shown(token: str) -> tuple[int, tuple[int, ...]]:
    """A number of storeys and the stones among them, by rank where the token names them."""
    number, *stones = token[1:].split("s")
    return int(number), tuple(int(rank or 0) for rank in stones)


def over_cap(state: State, height: int, tower: str = "") -> Objection | None:
    """SG-9.10 against a tower of that height."""
    limit = cap(state, state.seat)
    if height <= limit:
        return None
    return Objection({"height": height, "cap": limit, "tower": tower})


def too_many(state: State, nobles: int) -> Objection | None:
    """SG-9.4 against so many more nobles of the seat to move."""
    if not nobles or nobles <= _more(state):
        return None
    assert state.nobles
    mine, theirs = (bags.total(state.nobles.used[seat]) for seat in (state.seat, 1 - state.seat))
    return Objection({"used": mine, "theirs": theirs, "more": nobles})


def growing(state: State) -> list[Tower]:
    """The own towers that a card or, in the advanced game, a stone can go on top of."""
    own = state.towers[state.seat]
    stones = state.nobles is not None
    return [tower for tower in own if moves.fitting_rank(tower) or (stones and moves.takes_stone(tower))]


def uncapped(state: State) -> list[Tower]:
    """Those of them that may rise under the opponent's Palazzo."""
    return [tower for tower in growing(state) if tower.height < cap(state, state.seat)]


def shapes(state: State) -> Iterable[str]:
    """Every shape that can be asked for."""
    return q.SHAPES_9.tokens if state.nobles else q.SHAPES.tokens


def ways(token: str) -> list[tuple[Bag, int]]:
    """Every way to lay a shape: its tower cards and how many stones; the least height of a plain one."""
    low, _, high = token.rstrip("s").partition("-")
    if not high:
        return [(card(int(low), LEAST_STOREYS - stones), stones) for stones in range(LEAST_STOREYS)]
    ways = []
    for chosen in stone_sets(int(low), int(high)):
        if len(chosen) < int(high) - int(low) + 1 and bool(chosen) == (token[-1] == "s"):
            ways.append((real_cards(int(low), int(high), chosen), len(chosen)))
    return ways


def may_lay(state: State, token: str) -> bool:
    """Whether the hand may hold a shape and the rules for nobles let it be laid."""
    low, _, high = token.rstrip("s").partition("-")
    if high and int(high) - int(low) >= cap(state, state.seat):
        return False
    hand = hand_of(state, state.seat)
    return any(stones <= hand.stones and hand.may_hold(need) for need, stones in ways(token))


def fact(state: State, name: str, number: int) -> int:
    """Unseen copies of a rank, of a noble (numbered from 11 on), or the size of a seat's hand."""
    if name == "unseen":
        left = unseen(state) if number <= HIGH else unseen_nobles(state)
        return bags.count(left, number - LOW)
    if name == "hand":
        return hand_size(state, number)
    raise KeyError(f"no fact {name!r}; seats are {SEATS[:2]}")
