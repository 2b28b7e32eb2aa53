"""The checks on towers: laid, extended and flipped (SG-3.8 to SG-3.11, SG-9.5, SG-9.10)."""

from __future__ import annotations

from engines import bags
from engines.bags import Bag
from engines.kit.checks import Objection
from engines.san_gimignano import moves
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import (
    KINDS,
    LEAST_STOREYS,
    LOW,
    PIETRA,
    RANKS,
    Tower,
    card,
    cards,
    forced_stones,
    read_stones,
    read_tower,
    real_cards,
)
from engines.san_gimignano.objections import (
    CHECKS,
    beyond,
    beyond_hand,
    frame_tower,
    growing,
    held,
    may_lay,
    number_of,
    over_cap,
    shown,
    too_many,
)
from engines.san_gimignano.state import (
    State,
    hand_of,
    noble_reach,
    unseen,
    unseen_nobles,
)

check = CHECKS.check


def _added(tower: Tower, token: str) -> tuple[Bag, int]:
    """The tower cards and the number of stones that a token of storeys adds."""
    n, stones = shown(token)
    if tower.plain:
        return card(tower.low, n - len(stones)), len(stones)
    added = [rank for rank in range(tower.low - n, tower.low) if rank not in stones]
    return cards([rank for rank in added if rank in RANKS]), len(stones)


def _beyond_stones(state: State, stones: int) -> Objection | None:
    """SG-11.1 against so many Buona Pietra in the hand."""
    return beyond(state, noble_reach(state, state.seat), bags.one(PIETRA, stones), f"{stones} pietra")


@check("build.cap", "SG-9.10", "build")
def _(state: State, token: str) -> Objection | None:
    low, _, high = token.rstrip("s").partition("-")
    return over_cap(state, int(high) - int(low) + 1) if high else None


@check("build.one_more", "SG-9.4", "build")
def _(state: State, token: str) -> Objection | None:
    low, _, high = token.rstrip("s").partition("-")
    if token[-1] != "s":
        return None
    return too_many(state, max(len(forced_stones(int(low), int(high))), 1))


@check("build.hand", "SG-11.1", "build")
def _(state: State, token: str) -> Objection | None:
    if may_lay(state, token):
        return None
    low, _, high = token.rstrip("s").partition("-")
    if token[-1] == "s":
        kinds = [rank for rank in range(int(low), int(high) + 1) if rank in RANKS] + [number_of(PIETRA)]
        left = unseen(state) + unseen_nobles(state)
        figures: dict[str, int | str] = {
            "asked": token,
            "cards": held(state),
            "unseen": ", ".join(f"{bags.count(left, k - LOW)}×{KINDS[k - LOW]}" for k in kinds),
        }
        return Objection(figures, (*(("unseen", kind) for kind in kinds), ("hand", state.seat)))
    if high:
        return beyond_hand(state, real_cards(int(low), int(high)), token)
    return beyond_hand(state, card(int(token), LEAST_STOREYS), f"{token}x{LEAST_STOREYS}")


@check("height.copies", "SG-1.1", "height", "final_height")
def _(state: State, token: str) -> Objection | None:
    rank, (n, stones) = frame_tower(state).low, shown(token)
    return Objection({"rank": rank}) if n - len(stones) > rank else None


@check("height.real", "SG-9.5", "height", "final_height")
def _(_: State, token: str) -> Objection | None:
    n, stones = shown(token)
    return Objection() if len(stones) >= n else None


@check("height.cap", "SG-9.10", "height")
def _(state: State, token: str) -> Objection | None:
    return over_cap(state, shown(token)[0])


@check("height.one_more", "SG-9.4", "height")
def _(state: State, token: str) -> Objection | None:
    return too_many(state, len(shown(token)[1]))


@check("height.hand", "SG-11.1", "height")
def _(state: State, token: str) -> Objection | None:
    rank, (n, stones) = frame_tower(state).low, shown(token)
    need = card(rank, n - len(stones)) + bags.one(PIETRA, len(stones))
    return beyond_hand(state, need, f"{rank}{token}")


@check("stones.real", "SG-9.5", "stones", "final_stones")
def _(state: State, token: str) -> Objection | None:
    return Objection() if len(read_stones(token)) >= frame_tower(state).height else None


@check("stones.one_more", "SG-9.4", "stones")
def _(state: State, token: str) -> Objection | None:
    return too_many(state, len(read_stones(token)))


@check("stones.hand", "SG-11.1", "stones")
def _(state: State, token: str) -> Objection | None:
    tower, stones = frame_tower(state), read_stones(token)
    need = real_cards(tower.low, tower.high, stones) + bags.one(PIETRA, len(stones))
    return beyond_hand(state, need, f"{tower.low}-{tower.high}{token}")


def _tower(token: str) -> Tower:
    tower = read_tower(token)
    assert tower
    return tower


@check("extend.complete", "SG-3.11", "extend")
def _(_: State, token: str) -> Objection | None:
    return Objection({"tower": token}) if _tower(token).complete else None


@check("extend.top", "SG-3.9", "extend")
def _(state: State, token: str) -> Objection | None:
    tower = _tower(token)
    return None if tower in growing(state) else Objection({"tower": token, "rank": tower.low})


@check("extend.tower_cap", "SG-9.10", "extend")
def _(state: State, token: str) -> Objection | None:
    return over_cap(state, _tower(token).height + 1, token)


@check("extend.stone", "SG-9.4", "extend")
def _(state: State, token: str) -> Objection | None:
    return None if moves.fitting_rank(_tower(token)) else too_many(state, 1)


@check("extend.hand", "SG-11.1", "extend")
def _(state: State, token: str) -> Objection | None:
    rank = moves.fitting_rank(_tower(token))
    if hand_of(state, state.seat).stones:
        return None
    return beyond_hand(state, card(rank), str(rank)) if rank else _beyond_stones(state, 1)


@check("storeys.run", "SG-3.9", "storeys")
def _(state: State, token: str) -> Objection | None:
    tower, (n, stones) = frame_tower(state), shown(token)
    if tower.plain or tower.low - n >= LOW - len(stones):
        return None
    return Objection({"tower": str(tower), "most": tower.low - LOW})


@check("storeys.copies", "SG-1.1", "storeys")
def _(state: State, token: str) -> Objection | None:
    tower, (n, stones) = frame_tower(state), shown(token)
    if not tower.plain or tower.height + n - len(tower.stones) - len(stones) <= tower.low:
        return None
    return Objection({"rank": tower.low})


@check("storeys.cap", "SG-9.10", "storeys")
def _(state: State, token: str) -> Objection | None:
    return over_cap(state, frame_tower(state).height + shown(token)[0])


@check("storeys.one_more", "SG-9.4", "storeys")
def _(state: State, token: str) -> Objection | None:
    return too_many(state, len(shown(token)[1]))


@check("storeys.hand", "SG-11.1", "storeys")
def _(state: State, token: str) -> Objection | None:
    need, stones = _added(frame_tower(state), token)
    need += bags.one(PIETRA, stones)
    return beyond_hand(state, need, " ".join(KINDS[kind] for kind in bags.elements(need)))


@check("complete.flipped", "SG-3.11", "complete")
def _(state: State, token: str) -> Objection | None:
    tower = read_tower(token)
    return Objection({"tower": token}) if tower and tower.complete else None


@check("complete.one", "SG-3.11", "complete")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == q.FLIPPED and not state.frames[-1].n else None
