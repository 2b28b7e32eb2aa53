"""What is truly open to a player who holds these cards, from the rules alone.

Written against the pieces on the table (real hands, the real deck) by trying every set of hand cards, with
nothing of ``moves``, ``checks`` or ``pools``: an independent witness for the knowledge.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise

from engines.contract import Level

LIMIT, LEAST = 7, 3


def ranks(bag: int) -> list[int]:
    """The cards of a bag by rank."""
    return [kind + 5 for kind in range(6) for _ in range(bag >> 8 * kind & 255)]


def subsets(hand: list[int], least: int):
    """Every choice of ``least`` or more cards, as sorted tuples, each once."""
    for size in range(least, len(hand) + 1):
        yield from set(combinations(sorted(hand), size))


def shape(cards: tuple[int, ...]) -> str:
    """``8`` for a plain tower's cards, ``5-7`` for a colourful one's, empty for no tower."""
    if len(cards) < LEAST:
        return ""
    if len(set(cards)) == 1:
        return str(cards[0])
    steps = {high - low for low, high in pairwise(cards)}
    return f"{cards[0]}-{cards[-1]}" if steps == {1} else ""


def next_rank(tower) -> int:
    """What goes on top, 0 for nothing."""
    if tower.complete or (tower.low != tower.high and tower.low == 5):
        return 0
    return tower.low if tower.low == tower.high else tower.low - 1


def storeys(tower, hand: list[int]) -> int:
    """How many storeys these cards can add."""
    held, top, added = Counter(hand), next_rank(tower), 0
    while top >= 5 and held[top]:
        held[top] -= 1
        added += 1
        top -= tower.low != tower.high
    return added


def replaceable(put: tuple[int, ...], market: list[int], deck: int) -> bool:
    """SG-3.7."""
    return deck + sum(rank not in put for rank in market) >= len(put)


def targets(state) -> set[str]:
    """SG-5.7 for the 10 tower in question."""
    built = state.frames[-1].tower
    others = [("ab"[seat], tower) for seat in (0, 1) for tower in state.towers[seat]]
    others.remove(("ab"[state.seat], built))
    others = [
        (owner, tower)
        for owner, tower in others
        if not tower.complete and tower.height <= built.height and (tower.low, tower.high) != (6, 6)
    ]
    highest = max(tower.height for _, tower in others)
    return {f"{owner}{tower}" for owner, tower in others if tower.height == highest}


def true_tokens(world, state) -> set[str]:
    """Every answer to the pending question that the pieces allow."""
    frame = state.frames[-1] if state.frames else None
    seat = frame.seat if frame and frame.seat >= 0 else state.seat
    hand, market, deck = ranks(world.hands[seat]), ranks(state.market), len(world.deck)
    question = frame.question if frame else "action"
    own = state.towers[state.seat]
    if question == "action":
        return set(_actions(state, hand, market, deck, own))
    if question == "put":
        put = tuple(ranks(frame.put))
        whole = [
            s for s in subsets(hand, 2) if not Counter(put) - Counter(s) and replaceable(s, market, deck)
        ]
        further = {str(rank) for s in whole for rank in Counter(s) - Counter(put)}
        return further | ({">"} if put in whole else set())
    if question == "draw":
        if state.level is Level.FULL:
            hidden = {"d"} if deck else set()
        else:
            hidden = {f"d{frame.n}"} if deck >= frame.n else set()
        return hidden | {f"m{rank}" for rank in market if rank not in ranks(frame.put)}
    if question == "build":
        return {shape(cards) for cards in subsets(hand, LEAST)} - {""}
    if question == "height":
        return {f"x{n}" for n in range(LEAST, hand.count(frame.tower.low) + 1)}
    if question == "extend":
        return {str(tower) for tower in own if storeys(tower, hand)}
    if question == "storeys":
        return {f"+{n}" for n in range(1, storeys(frame.tower, hand) + 1)}
    if question == "complete":
        return {str(tower) for tower in own if not tower.complete} | ({"."} if frame.n else set())
    if question == "donazione":
        return {"use", "decline"}
    if question == "target":
        return targets(state)
    if question == "guard":
        return {"allow"} | ({"guard"} if 5 in hand else set())
    assert question == "market"
    return {str(world.deck[0])}


def _actions(state, hand, market, deck, own):
    yield "pass"
    if any(shape(cards) for cards in set(combinations(sorted(hand), LEAST))):
        yield "B"
    if any(storeys(tower, hand) for tower in own):
        yield "E"
    if state.ending:
        return
    if len(hand) + min(deck, 2) <= LIMIT:
        yield "P"
    if any(replaceable(cards, market, deck) for cards in set(combinations(sorted(hand), 2))):
        yield "X"
    completed = [tower.complete for tower in own]
    if False in completed:
        yield "C"
    if completed.count(True) >= 4:
        yield "close"
