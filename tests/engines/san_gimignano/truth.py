"""What is truly open to a player who holds these cards, from the rules alone.

Written against the pieces on the table (real hands, the real deck) by trying every set of hand cards, with
nothing of ``moves``, ``checks`` or ``pools``: an independent witness for the knowledge.
"""

from collections import Counter
from itertools import combinations

from engines.contract import Level

LIMIT, LEAST = 7, 3


def ranks(bag: int) -> list[int]:
    """The cards of a bag by rank."""
    return [kind + 5 for kind in range(6) for _ in range(bag >> 8 * kind & 255)]


def subsets(hand: list, least: int):
    """Every choice of ``least`` or more cards, as sorted tuples, each once."""
    for size in range(least, len(hand) + 1):
        yield from set(combinations(sorted(hand), size))


def next_rank(tower) -> int:
    """Return what goes on top, 0 for nothing."""
    if tower.complete or (tower.low != tower.high and tower.low == 5):
        return 0
    return tower.low if tower.low == tower.high else tower.low - 1


def storeys(tower, hand: list[int]) -> int:
    """Return how many storeys these cards can add."""
    held, top, added = Counter(hand), next_rank(tower), 0
    while top >= 5 and held[top]:
        held[top] -= 1
        added += 1
        top -= tower.low != tower.high
    return added


def replaceable(put: tuple[str, ...], market: list[str], decks: int) -> bool:
    """SG-3.7."""
    return decks + sum(name not in put for name in market) >= len(put)


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
    hand, market, deck = ranks(world.hands[seat]), names(state.market), len(world.deck)
    held = names(world.hands[seat])
    question = frame.question if frame else "action"
    own = state.towers[state.seat]
    stones = min(held.count("pietra"), allowed(state, seat))
    if question == "action":
        return set(_actions(state, held, market, deck, own, stones))
    if question == "put":
        put = tuple(names(frame.put))
        supply = deck + len(world.nobles)
        whole = [
            s for s in subsets(held, 2) if not Counter(put) - Counter(s) and replaceable(s, market, supply)
        ]
        further = {name for s in whole for name in Counter(s) - Counter(put)}
        return further | ({">"} if Counter(put) in map(Counter, whole) else set())
    if question == "draw":
        return _draws(world, state, frame, market, deck)
    if question in ("build", "height", "stones"):
        return _laid(state, frame, question, hand, stones)
    if question == "extend":
        return {str(tower) for tower in own if additions(tower, hand, stones, cap(state))}
    if question == "storeys":
        return additions(frame.tower, hand, stones, cap(state))
    if question == "complete":
        return {str(tower) for tower in own if not tower.complete} | ({"."} if frame.n else set())
    if question == "donazione":
        return {"use", "decline"}
    if question == "target":
        return targets(state)
    if question == "guard":
        stone = bool(state.nobles and state.nobles.pietra_guard and stones)
        return {"allow"} | ({"guard"} if 5 in hand else set()) | ({"pietra"} if stone else set())
    if question == "giostra":
        return {"allow"} | ({"giostra"} if "giostra" in held and allowed(state, seat) else set())
    if question == "cancel":
        laid = [rank for rank in frame.tower.stones if rank < frame.tower.low + frame.n]
        return {f"s{rank}" for rank in laid}
    if question == "remains":
        return {"go", "back"}
    if question == "palazzo":
        backs = Counter("t" if name.isdigit() else "n" for name in held)
        pairs = {token for token in ("tt", "tn", "nn") if not Counter(token) - backs}
        return pairs | ({"keep"} if overtopped(state) else set())
    if question in ("traded", "returned"):
        giver = world.hands[1 - seat if question == "traded" else seat]
        cards = ["t" if name.isdigit() else "n" for name in names(giver)]
        return {f"n{picked.count('n')}" for picked in combinations(cards, frame.n)}
    if question == "deal":
        return {"deal"}
    assert question == "market"
    return {str(world.deck[0])}


NOBLES = ("pietra", "via", "monumento", "giostra", "cappella", "palazzo", "mura")


def names(bag: int) -> list[str]:
    """The cards of a bag by name, both backs."""
    kinds = [*map(str, range(5, 11)), *NOBLES]
    return [name for kind, name in enumerate(kinds) for _ in range(bag >> 8 * kind & 255)]


def allowed(state, seat) -> int:
    """Return how many nobles may be used before the opponent uses one more (SG-9.4)."""
    if state.nobles is None:
        return 0
    used = [len(names(bag)) for bag in state.nobles.used]
    return max(used[1 - seat] + 1 - used[seat], 0)


def cap(state) -> int:
    """SG-9.10 for the seat to move."""
    heights = [tower.height for tower in state.towers[1 - state.seat]]
    ruled = state.nobles is not None and "palazzo" in names(state.nobles.used[1 - state.seat])
    return max(heights) if ruled and heights else 99


def overtopped(state) -> bool:
    """Return True if the opponent has a higher tower than every own one."""
    tallest = [max((tower.height for tower in side), default=0) for side in state.towers]
    return tallest[1 - state.seat] > tallest[state.seat]


def towers_of(hand: list[int], stones: int, limit: int):
    """(shape, height token, stones token) of everything that can be built."""
    for cards in subsets(hand, 1):
        for extra in range(stones + 1):
            n = len(cards) + extra
            if not LEAST <= n <= limit:
                continue
            if len(set(cards)) == 1:
                yield str(cards[0]), f"x{n}{'s' * extra}", ""
            if len(set(cards)) < len(cards):
                continue
            for low in range(4, 12 - n + 1):
                gaps = [rank for rank in range(low, low + n) if rank not in cards]
                if len(gaps) == extra:
                    run = f"{low}-{low + n - 1}"
                    yield run + "s" * bool(extra), "", "".join(f"s{rank}" for rank in gaps)


def _laid(state, frame, question, hand, stones) -> set[str]:
    everything = set(towers_of(hand, stones, cap(state)))
    if question == "build":
        return {shape for shape, _, _ in everything}
    if question == "height":
        return {height for shape, height, _ in everything if shape == str(frame.tower.low)}
    run = f"{frame.tower.low}-{frame.tower.high}s"
    return {gaps for shape, _, gaps in everything if shape == run}


def additions(tower, hand: list[int], stones: int, limit: int) -> set[str]:
    """Every way to put storeys on a tower (SG-3.9, SG-9.5)."""
    if tower.complete:
        return set()
    found = set()
    for cards in [(), *subsets(hand, 1)]:
        for extra in range(stones + 1):
            n = len(cards) + extra
            if not n or tower.height + n > limit:
                continue
            if tower.low == tower.high:
                if set(cards) <= {tower.low}:
                    found.add(f"+{n}{'s' * extra}")
            elif tower.low - n >= 4 and len(set(cards)) == len(cards):
                gaps = [rank for rank in range(tower.low - n, tower.low) if rank not in cards]
                if len(gaps) == extra:
                    found.add(f"+{n}" + "".join(f"s{rank}" for rank in gaps))
    return found


def _draws(world, state, frame, market, deck) -> set[str]:
    nobles = len(world.nobles) if frame.sources else 0
    if state.level is Level.FULL:
        hidden = ({"d"} if deck else set()) | ({"n"} if nobles else set())
    elif nobles:
        hidden = {f"d{n}" for n in range(1, min(frame.n, deck) + 1)}
        hidden |= {f"n{n}" for n in range(1, min(frame.n, nobles) + 1)}
    else:
        hidden = {f"d{frame.n}"} if deck >= frame.n else set()
    if frame.sources == "via":
        return hidden
    return hidden | {f"m{name}" for name in market if name not in names(frame.put)}


def _actions(state, held, market, deck, own, stones):
    yield "pass"
    hand, limit = [int(name) for name in held if name.isdigit()], cap(state)
    if any(True for _ in towers_of(hand, stones, min(limit, LEAST))):
        yield "B"
    if any(additions(tower, hand, stones, limit) for tower in own):
        yield "E"
    yield from _nobles(state, held)
    if state.ending:
        return
    walled = state.nobles is not None and "mura" in names(state.nobles.used[state.seat])
    if len(held) + min(deck, 2) <= (9 if walled else LIMIT):
        yield "P"
    supply = deck + (state.nobles.deck if state.nobles else 0)
    if any(replaceable(cards, market, supply) for cards in set(combinations(sorted(held), 2))):
        yield "X"
    completed = [tower.complete for tower in own]
    if False in completed:
        yield "C"
    if completed.count(True) >= 4:
        yield "close"


def _nobles(state, held):
    if not allowed(state, state.seat):
        return
    yield from {"monumento", "cappella", "mura"} & set(held)
    if "via" in held and not state.ending:
        yield "via"
    if "palazzo" in held and (len(held) > 2 or overtopped(state)):
        yield "palazzo"


def scores(table) -> list[dict[str, int]]:
    """SG-8 and SG-9.7, SG-9.9 by seat and category, counted storey by storey off the towers' texts."""
    sides = [[_storeys(str(tower)) for tower in side] for side in table.towers]
    points: list[dict[str, int]] = [{}, {}]
    for seat, side in enumerate(sides):
        mine = points[seat]
        mine["completion"] = 5 * sum(done for _, done in side)
        plains = [stack for stack, _ in side if len(set(stack)) == 1]
        runs = [stack for stack, _ in side if len(set(stack)) > 1]
        mine["blessing"] = 2 * sum(stack.count(7) for stack in plains)
        rivals = [stack for stack, _ in sides[1 - seat] if len(set(stack)) == 1]
        mine["plain"] = 0
        for rank in range(5, 11):
            best = max((stack.count(rank) for stack in plains), default=0)
            if best and best >= max((stack.count(rank) for stack in rivals), default=0):
                mine["plain"] += rank
        mine["colourful"] = len(runs) * sum(map(len, runs))
        mine["highest"] = 10 * (table.marker == seat)
        mine["monumento"] = 7 * ("monumento" in names(table.used[seat]))
        cappella = "cappella" in names(table.used[seat])
        mine["cappella"] = 5 * cappella * sum(len(stack) >= 5 for stack, _ in side)
    if table.closer >= 0:
        totals = [sum(mine.values()) for mine in points]
        other = 1 - table.closer
        beaten = totals[table.closer] < totals[other]
        if beaten or (totals[0] == totals[1] and table.marker == other):
            points[table.closer]["penalty"] = -10
    return points


def _storeys(text: str) -> tuple[list[int], bool]:
    """Every storey by the rank it stands for, and whether the tower is flipped."""
    body = text.rstrip("*")
    name = body.split("s")[0]
    if "x" in name:
        rank, height = map(int, name.split("x"))
        return [rank] * height, text.endswith("*")
    low, high = map(int, name.split("-"))
    return list(range(low, high + 1)), text.endswith("*")
