"""The faults of a state."""

from __future__ import annotations

from collections.abc import Iterator

from engines import bags
from engines.contract import Level, Problem
from engines.kit import TURN, impossible, question, wrong
from engines.san_gimignano import cards as c
from engines.san_gimignano import state as s
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.state import State


@BOOK.method
def problems(state: State) -> list[Problem]:
    """Return all faults of a state that no overruled clause lets stand."""
    found = BOOK.unwaived(state, _find_faults(state))
    if not found and (not _may_ask(state) or not (state.termination or BOOK.legal(state))):
        return [impossible("doing", "position.stuck", "SG-2.1", question=question(state))]
    return found


def _find_faults(state: State) -> Iterator[Problem]:
    """Yield the faults of the cards and towers, and of the turn."""
    placed = c.MANIFEST - state.unseen()
    over = bags.excess(placed, c.MANIFEST)
    for kind, named, copies in over:
        yield impossible("cards", "position.copies", "SG-1.1", rank=kind + c.LOW, named=named, copies=copies)
    total = state.deck + bags.total(state.market & c.TOWER_CARDS) + sum(hand.size for hand in state.hands)
    total += sum(tower.height - len(tower.stones) for side in state.towers for tower in side)
    if total != c.CARDS:
        yield impossible("deck", "position.total", "SG-1.1", total=total, cards=c.CARDS)
    elif placed and not over and bags.total(c.MANIFEST - placed) != _count_places(state):
        yield impossible("shared", "position.shared", "SG-11.1", shared=bags.total(state.shared))
    yield from _check_nobles(state)
    asked = question(state)
    final = asked.startswith("final")
    if state.marker == s.NOBODY and not final and sum(map(len, state.towers)) > _count_unjudged(state):
        yield wrong("marker", "position.marker", "SG-4.1")
    completed = [sum(tower.complete for tower in side) for side in state.towers]
    if state.closer != s.NOBODY and completed[state.closer] < s.COMPLETED_TO_CLOSE:
        yield wrong("closer", "position.closer", "SG-3.12", completed=completed[state.closer])
    if state.closer != s.NOBODY and not state.ending:
        yield wrong("phase", "position.closed", "SG-6.1")
    if state.level is not Level.SCORE and not state.ending and asked not in ("market", "draw"):
        if not state.deck:
            yield wrong("phase", "position.deck", "SG-6.1")
        elif not state.market:
            yield wrong("market", "position.market", "SG-3.4")
    if (state.passes == 2) != _has_passed(state):
        yield wrong("passes", "position.passes", "SG-2.2", passes=state.passes)
    if state.deals is None and (state.termination in (s.DEALS_PLAYED, s.TARGET_REACHED) or asked == "deal"):
        yield wrong("deals", "position.deals", "SG-10.1")


def _has_passed(state: State) -> bool:
    """Return True if a deal has ended because both passed."""
    ended = question(state) == "deal" or state.termination in (s.DEALS_PLAYED, s.TARGET_REACHED)
    return state.termination == s.DOUBLE_PASS or (ended and state.level is not Level.SCORE)


def _check_nobles(state: State) -> Iterator[Problem]:
    """Yield the faults of nobles and stones (SG-9)."""
    nobles = state.nobles
    stones = [sum(len(tower.stones) for tower in side) for side in state.towers]
    if nobles is None:
        if any(stones) or state.market & ~c.TOWER_CARDS:
            yield wrong("nobles", "position.no_nobles", "SG-9.1")
        return
    placed = c.NOBLE_MANIFEST - state.unseen_nobles()
    over = bags.excess(placed, c.NOBLE_MANIFEST)
    for kind, named, copies in over:
        noble = c.KINDS[kind]
        yield impossible("nobles", "position.noble_copies", "SG-9.1", noble=noble, named=named, copies=copies)
    shared, unknown = bags.total(nobles.shared), sum(hand.unknown for hand in nobles.hands)
    total = bags.total(placed) + unknown - shared + nobles.deck  # what is shared fills unknown places
    if total != c.NOBLE_CARDS:
        yield impossible("nobles", "position.noble_total", "SG-9.1", total=total, cards=c.NOBLE_CARDS)
    elif not over and (nobles.deck < 0 or unknown < shared):
        yield impossible("nobles.shared", "position.noble_shared", "SG-11.1", shared=shared)
    for seat, field in enumerate(("used.a", "used.b")):
        used, theirs = nobles.used[seat], bags.total(nobles.used[1 - seat])
        if bags.count(used, c.PIETRA) < stones[seat]:
            yield impossible(field, "position.stones", "SG-9.5", stones=stones[seat])
        ahead = bags.total(used) - theirs
        if ahead > 1 + bags.count(used, c.GIOSTRA) and state.level is not Level.SCORE:
            yield wrong(field, "position.one_more", "SG-9.4", ahead=ahead)
    if any(len(tower.stones) >= tower.height for side in state.towers for tower in side):
        yield wrong("cards", "position.real", "SG-9.5")


def _count_unjudged(state: State) -> int:
    """Return 1 if a Giostra comes before the marker is judged for a new tower, otherwise 0 (SG-5.9)."""
    frame = state.frames[-1] if question(state) in ("giostra", "cancel", "remains") else None
    return 1 if frame and frame.tower and frame.tower.height == frame.n else 0


def _may_ask(state: State) -> bool:
    """Return True if the pending question fits the rest of the state."""
    if not state.frames or state.termination:
        return not state.frames
    asked = question(state)
    if asked == TURN or len(state.frames) > 1 + (asked == "giostra"):
        return False
    final = asked.startswith("final")
    if final and state.level is not Level.SCORE:
        return False
    seated = final or asked in ("guard", "giostra", "cancel")
    return (seated or state.frames[-1].seat == s.NOBODY) and BOOK.fits_at(state)


def _count_places(state: State) -> int:
    """Return the number of unknown places beside those of the shared cards, -1 if there are too few."""
    free = sum(hand.unknown for hand in state.hands) - bags.total(state.shared)
    hidden = state.middle + state.bottom.count(s.HIDDEN)
    return free + hidden if free >= 0 and state.middle >= 0 else -1
