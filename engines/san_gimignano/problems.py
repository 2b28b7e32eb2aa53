"""Everything that can be wrong with a state, however it was written down."""

from __future__ import annotations

from engines import bags
from engines.contract import Level, Problem
from engines.kit.rulebook import TURN, question
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.cards import (
    CARDS,
    GIOSTRA,
    KINDS,
    LOW,
    MANIFEST,
    NOBLE_CARDS,
    NOBLE_MANIFEST,
    PIETRA,
    RANKS,
    TOWER_CARDS,
)
from engines.san_gimignano.state import (
    COMPLETED_TO_CLOSE,
    DEALS_PLAYED,
    DOUBLE_PASS,
    HIDDEN,
    NOBODY,
    TARGET_REACHED,
    Nobles,
    State,
    unseen,
)

BOOK.never_waived = frozenset(
    {
        "position.copies",
        "position.total",
        "position.shared",
        "position.noble_copies",
        "position.noble_total",
        "position.noble_shared",
        "position.stones",
        "position.stuck",
    }
)


@BOOK.method
def problems(state: State) -> list[Problem]:
    """Return everything wrong with a state, but for what an overruled clause lets stand."""
    found: list[Problem] = []

    def problem(where: str, check: str, clause: str, **figures: int | str) -> None:
        if BOOK.stands_out(state, check, clause):
            found.append(Problem(where, check, clause, tuple(figures.items())))

    placed = MANIFEST - unseen(state) if _countable(state) else 0
    for rank in RANKS:
        named = _named(state, rank)
        if named > rank:
            problem("cards", "position.copies", "SG-1.1", rank=rank, named=named, copies=rank)
    total = state.deck + bags.total(state.market & TOWER_CARDS) + sum(hand.size for hand in state.hands)
    total += sum(tower.height - len(tower.stones) for side in state.towers for tower in side)
    if total != CARDS:
        problem("deck", "position.total", "SG-1.1", total=total, cards=CARDS)
    elif placed and bags.total(MANIFEST - placed) != _places(state):
        problem("shared", "position.shared", "SG-11.1", shared=bags.total(state.shared))
    for where, check, clause, figures in _noble_problems(state):
        problem(where, check, clause, **figures)
    asked = question(state)
    final = asked.startswith("final")
    if state.marker == NOBODY and not final and sum(map(len, state.towers)) > _unjudged(state):
        problem("marker", "position.marker", "SG-4.1")
    completed = [sum(tower.complete for tower in side) for side in state.towers]
    if state.closer != NOBODY and completed[state.closer] < COMPLETED_TO_CLOSE:
        problem("closer", "position.closer", "SG-3.12", completed=completed[state.closer])
    if state.closer != NOBODY and not state.ending:
        problem("phase", "position.closed", "SG-6.1")
    if state.level is not Level.SCORE and not state.ending and asked not in ("market", "draw"):
        if not state.deck:
            problem("phase", "position.deck", "SG-6.1")
        elif not state.market:
            problem("market", "position.market", "SG-3.4")
    if (state.passes == 2) != _passed(state):
        problem("passes", "position.passes", "SG-2.2", passes=state.passes)
    if state.deals is None and (state.termination in (DEALS_PLAYED, TARGET_REACHED) or asked == "deal"):
        problem("deals", "position.deals", "SG-10.1")
    if not found and (not _may_ask(state) or not (state.termination or BOOK.choices(state))):
        problem("doing", "position.stuck", "SG-2.1", question=asked)
    return found


def _passed(state: State) -> bool:
    """Return True if both have passed, to end a deal."""
    ended = question(state) == "deal" or state.termination in (DEALS_PLAYED, TARGET_REACHED)
    return state.termination == DOUBLE_PASS or (ended and state.level is not Level.SCORE)


Found = tuple[str, str, str, dict[str, int | str]]


def _noble_problems(state: State) -> list[Found]:
    nobles = state.nobles
    stones = [sum(len(tower.stones) for tower in side) for side in state.towers]
    if nobles is None:
        strange = any(stones) or state.market & ~TOWER_CARDS
        return [("nobles", "position.no_nobles", "SG-9.1", {})] if strange else []
    found: list[Found] = []
    held = [nobles.hands[0].known, nobles.hands[1].known, nobles.shared, nobles.removed, *nobles.used]
    held.append(state.market & ~TOWER_CARDS)
    fits = True
    for kind in range(PIETRA, len(KINDS)):
        named, copies = sum(bags.count(bag, kind) for bag in held), bags.count(NOBLE_MANIFEST, kind)
        if named > copies:
            fits = False
            figures: dict[str, int | str] = {"noble": KINDS[kind], "named": named, "copies": copies}
            found.append(("nobles", "position.noble_copies", "SG-9.1", figures))
    total = sum(map(bags.total, held)) + sum(hand.unknown for hand in nobles.hands) + nobles.deck
    total -= bags.total(nobles.shared)  # they fill unknown places
    if total != NOBLE_CARDS:
        found.append(("nobles", "position.noble_total", "SG-9.1", {"total": total, "cards": NOBLE_CARDS}))
    elif fits and not _noble_places(nobles):
        shared = bags.total(nobles.shared)
        found.append(("nobles.shared", "position.noble_shared", "SG-11.1", {"shared": shared}))
    for seat, field in enumerate(("used.a", "used.b")):
        used, theirs = nobles.used[seat], bags.total(nobles.used[1 - seat])
        if bags.count(used, PIETRA) < stones[seat]:
            found.append((field, "position.stones", "SG-9.5", {"stones": stones[seat]}))
        ahead = bags.total(used) - theirs
        if ahead > 1 + bags.count(used, GIOSTRA) and state.level is not Level.SCORE:
            found.append((field, "position.one_more", "SG-9.4", {"ahead": ahead}))
    if any(len(tower.stones) >= tower.height for side in state.towers for tower in side):
        found.append(("cards", "position.real", "SG-9.5", {}))
    return found


def _noble_places(nobles: Nobles) -> bool:
    free = sum(hand.unknown for hand in nobles.hands) - bags.total(nobles.shared)
    return free >= 0 and nobles.deck >= 0


def _unjudged(state: State) -> int:
    """Return how many towers just built wait for a Giostra before the marker is judged (SG-5.9)."""
    frame = state.frames[-1] if question(state) in ("giostra", "cancel", "remains") else None
    return 1 if frame and frame.tower and frame.tower.height == frame.n else 0


def _may_ask(state: State) -> bool:
    """Return True if what the begun question remembers fits the rest of the state."""
    if not state.frames or state.termination:
        return not state.frames
    asked = question(state)
    if asked == TURN or len(state.frames) > 1 + (asked == "giostra"):
        return False
    final = asked.startswith("final")
    if final and state.level is not Level.SCORE:
        return False
    seated = final or asked in ("guard", "giostra", "cancel")
    return (seated or state.frames[-1].seat == NOBODY) and BOOK.may_ask(state)


def _countable(state: State) -> bool:
    """Return True if no rank is named more often than it exists, so that bags cannot borrow across lanes."""
    return all(_named(state, rank) <= rank for rank in RANKS)


def _named(state: State, rank: int) -> int:
    bag_of_rank = [hand.known for hand in state.hands] + [state.shared, state.market]
    bag_of_rank += [tower.bag for side in state.towers for tower in side]
    return sum(bags.count(held, rank - LOW) for held in bag_of_rank) + (*state.top, *state.bottom).count(rank)


def _places(state: State) -> int:
    """Return how many unknown places are left once the shared cards have theirs; -1 if they have none."""
    free = sum(hand.unknown for hand in state.hands) - bags.total(state.shared)
    hidden = state.middle + state.bottom.count(HIDDEN)
    return free + hidden if free >= 0 and state.middle >= 0 else -1
