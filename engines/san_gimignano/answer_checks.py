"""The checks on answers to an effect or a noble, and on what the table reports."""

from __future__ import annotations

from engines import bags
from engines.bags import Bag
from engines.contract import SEATS
from engines.kit.checks import Objection
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import (
    GIOSTRA,
    LOW,
    PIETRA,
    Tower,
    card,
    lane,
    read_stones,
    real_cards,
)
from engines.san_gimignano.layout_moves import stones_left
from engines.san_gimignano.objections import (
    CHECKS,
    frame_tower,
    number_of,
    shown,
    ways,
)
from engines.san_gimignano.state import (
    COMPLETED_TO_CLOSE,
    State,
    conspiracy_targets,
    highest,
    more_nobles,
    noble_reach,
    reach,
    unseen,
)

check = CHECKS.check


# Donazione


@check("guard.hand", "SG-11.1", "guard")
def _(state: State, token: str) -> Objection | None:
    seat = state.frames[-1].seat
    if token != q.GUARD or reach(state, seat).most(lane(LOW)):
        return None
    return Objection({}, (("unseen", LOW), ("hand", seat)))


def _one_more_out_of_turn(state: State) -> Objection | None:
    """SG-9.4 for a noble of whoever is asked."""
    seat = state.frames[-1].seat
    if more_nobles(state, seat) >= 1:
        return None
    assert state.nobles
    mine, theirs = bags.total(state.nobles.used[seat]), bags.total(state.nobles.used[1 - seat])
    return Objection({"used": mine, "theirs": theirs, "more": 1})


def _not_held_out_of_turn(state: State, kind: int) -> Objection | None:
    """SG-11.1 for a noble of whoever is asked."""
    seat = state.frames[-1].seat
    if noble_reach(state, seat).most(kind):
        return None
    return Objection({}, (("unseen", number_of(kind)), ("hand", seat)))


@check("guard.one_more", "SG-9.4", "guard")
def _(state: State, token: str) -> Objection | None:
    return _one_more_out_of_turn(state) if token == q.STONE else None


@check("guard.stone", "SG-11.1", "guard")
def _(state: State, token: str) -> Objection | None:
    return _not_held_out_of_turn(state, PIETRA) if token == q.STONE else None


@check("giostra.one_more", "SG-9.4", "giostra")
def _(state: State, token: str) -> Objection | None:
    return _one_more_out_of_turn(state) if token == q.JOUST else None


@check("giostra.hand", "SG-11.1", "giostra")
def _(state: State, token: str) -> Objection | None:
    return _not_held_out_of_turn(state, GIOSTRA) if token == q.JOUST else None


@check("palazzo.keep", "SG-9.10", "palazzo")
def _(state: State, token: str) -> Objection | None:
    theirs, mine = highest(state, 1 - state.seat), highest(state, state.seat)
    return Objection({"theirs": theirs, "mine": mine}) if token == q.KEEP and theirs <= mine else None


@check("palazzo.backs", "SG-9.10", "palazzo")
def _(state: State, token: str) -> Objection | None:
    assert state.nobles
    towers, nobles = state.hands[state.seat].size, state.nobles.hands[state.seat].size
    if token == q.KEEP or (token.count("t") <= towers and token.count("n") <= nobles):
        return None
    return Objection({"towers": towers, "nobles": nobles})


@check("trade.backs", "SG-9.2", "traded", "returned")
def _(state: State, token: str) -> Objection | None:
    assert state.nobles
    frame = state.frames[-1]
    giver = state.seat if frame.question == "returned" else 1 - state.seat
    towers, nobles = state.hands[giver].size, state.nobles.hands[giver].size
    chosen = int(token[1:])
    if chosen <= nobles and 0 <= frame.n - chosen <= towers:
        return None
    return Objection({"n": frame.n, "towers": towers, "nobles": nobles})


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
    built = frame_tower(state)
    alike = owner == state.seat and tower == built
    return Objection({"tower": str(tower)}) if alike and state.towers[owner].count(built) == 1 else None


@check("target.height", "SG-5.7", "target")
def _(state: State, token: str) -> Objection | None:
    _, tower = _named(token)
    built = frame_tower(state)
    figures: dict[str, int | str] = {"tower": str(tower), "height": tower.height, "built": built.height}
    return Objection(figures) if tower.height > built.height else None


@check("target.highest", "SG-5.7", "target")
def _(state: State, token: str) -> Objection | None:
    owner, tower = _named(token)
    targets = conspiracy_targets(state, frame_tower(state))
    if (owner, tower) in targets:
        return None
    return Objection({"tower": str(tower), "highest": targets[0][1].height})


# What the table reports


@check("market.unseen", "SG-11.1", "market")
def _(state: State, token: str) -> Objection | None:
    if bags.count(unseen(state), lane(int(token))):
        return None
    return Objection({"rank": token}, (("unseen", int(token)),))


def _layout_need(state: State, token: str) -> list[tuple[Bag, int]]:
    """Every way to have such a tower: its tower cards and how many stones."""
    tower = state.frames[-1].tower
    if token[0] == "x":
        n, stones = shown(token)
        return [(card(frame_tower(state).low, n - len(stones)), len(stones))]
    if token[0] == "s":
        assert tower
        return [(real_cards(tower.low, tower.high, read_stones(token)), len(read_stones(token)))]
    return ways(token)


@check("final.stones", "SG-9.1", "final", "final_height", "final_stones")
def _(state: State, token: str) -> Objection | None:
    if token == q.FLIPPED:
        return None
    left = stones_left(state)
    return (
        None if any(stones <= left for _, stones in _layout_need(state, token)) else Objection({"left": left})
    )


@check("final.cards", "SG-11.1", "final", "final_height", "final_stones")
def _(state: State, token: str) -> Objection | None:
    if token == q.FLIPPED:
        return None
    left, stones = unseen(state), stones_left(state)
    ways = [need for need, laid in _layout_need(state, token) if laid <= stones]
    if any(bags.within(need, left) for need in ways):
        return None
    short = [k for k, copies in bags.items(ways[0]) if bags.count(left, k) < copies]
    figures: dict[str, int | str] = {"unseen": ", ".join(f"{bags.count(left, k)}×{k + LOW}" for k in short)}
    return Objection(figures, tuple(("unseen", k + LOW) for k in short))


@check("final.marker", "SG-4.1", "final_marker")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == q.NO_MARKER and any(state.towers) else None


@check("final.closer", "SG-3.12", "final_closer")
def _(state: State, token: str) -> Objection | None:
    if token == q.NO_MARKER:
        return None
    completed = sum(tower.complete for tower in state.towers[SEATS.index(token)])
    if completed >= COMPLETED_TO_CLOSE:
        return None
    return Objection({"completed": completed, "needed": COMPLETED_TO_CLOSE})
