"""The faults that a state can have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engines.contract import SEATS, Level, Problem
from engines.kit import impossible, question, wrong
from engines.torres import layouts
from engines.torres import state as s
from engines.torres.book import BOOK
from engines.torres.ground import BLOCKS
from engines.torres.scoring import KING, castles_of, has_kings_bonus
from engines.torres.stacks import MOST_BLOCKS, can_place, text
from engines.torres.state import PhaseGains, State


@BOOK.method
def problems(state: State, followed: bool = True) -> list[Problem]:
    """Return the faults of a state that no overruled clause lets stand.

    A last board of a match (``followed``) counts as it is reported; one in a line alone must keep the rules.
    """
    found = BOOK.unwaived(state, _find_faults(state, followed))
    if not found and not (state.termination or BOOK.answerable(state)):
        return [impossible("doing", "position.stuck", "TO-2.1", question=question(state))]
    return found


def _find_faults(state: State, followed: bool) -> Iterator[Problem]:
    """Yield faults of the board, of the pieces in front of players, and of the turn."""
    asked = question(state)
    board = layouts.status(layouts.of(state))
    yield from (one for one in board if not followed or _is_counted(state, one))
    if state.supply() < 0:
        yield impossible("stacks", "position.blocks", "TO-1.1", supply=state.supply(), all=BLOCKS)
    for seat in range(state.variant.seats):
        letter = SEATS[seat]
        held, played = state.hand_size(seat), state.played[seat].bit_count()
        if held < (state.fresh if seat == state.seat else 0):
            yield impossible(
                f"deck.{letter}", "position.hand", "TO-1.4", deck=state.decks[seat], played=played, all=s.DECK
            )
        if state.variant.master and state.decks[seat] and state.level is not Level.SCORE:
            yield wrong(f"deck.{letter}", "position.master", "TO-6.2", deck=state.decks[seat])
    if state.termination == s.COUNTED:
        yield from _check_all_there(state)
    elif asked not in s.FINAL:
        yield from _check_turns(state, asked in s.SET_UP)
    if state.termination:
        yield from _check_scored(state)
    points = state.totals()
    for one, other in combinations(range(state.variant.seats), 2):
        if state.adjusted[one] or state.adjusted[other]:
            continue
        for field, there in ((f"points.{SEATS[other]}", points), ("before", state.before)):
            if there[one] == there[other] > 0:
                yield wrong(field, "position.track", "TO-3.11", points=there[one], one=one, other=other)
    if not _may_ask(state):
        yield impossible("doing", "position.frames", "TO-2.1", question=asked)


def _is_counted(state: State, problem: Problem) -> bool:
    """Return True if a fault of a layout is one at this point of a match."""
    asked = question(state)
    if state.level is Level.SCORE:
        no_king = problem.check == "layout.no_king"
        return problem.pieces or (no_king and state.termination == s.COUNTED)
    if problem.check in ("layout.no_king", "layout.castles"):
        return asked not in s.SET_UP
    return True


def _check_all_there(state: State) -> Iterator[Problem]:
    """Check that every seat has a knight on the board."""
    for seat, own in enumerate(state.knights):
        if not own:
            yield wrong(SEATS[seat], "position.no_knight", "TO-1.5", seat=seat)


def _check_scored(state: State) -> Iterator[Problem]:
    """Check that after the end the last phase's castles and king are booked as on the board (TO-5)."""
    for seat, lines in enumerate(state.lines):
        last, field = lines[state.phase - 1], f"points.{SEATS[seat]}"
        castles, king = castles_of(state, seat), KING[state.phase] * has_kings_bonus(state, seat)
        if (sorted(last.castles), last.king) != (sorted(castles), king):
            booked, due = PhaseGains(0, last.castles, last.king), PhaseGains(0, castles, king)
            yield wrong(field, "position.scored", "TO-5.1", seat=seat, booked=booked.total, due=due.total)
        played = sum(line.total for line in lines) - last.total + last.steps + last.cards
        if state.termination == s.COUNTED and played:
            yield wrong(field, "position.played", "TO-5.1", seat=seat, points=played)
        if state.before[seat] < 0:
            yield wrong("before", "position.before", "TO-3.11", seat=seat, points=state.before[seat])


def _check_turns(state: State, setting_up: bool) -> Iterator[Problem]:
    """Check stacks, rounds and the points spent in the turn."""
    seats = state.variant.seats
    if setting_up:
        if any(state.stacks) or state.phase > 1 or state.round > 1:
            yield wrong("stacks", "position.set_up", "TO-2.2")
        return
    yield from _check_all_there(state)
    between = bool(state.termination) or question(state) in ("king", "starter", "master")
    if not 1 <= state.round <= state.rounds():
        yield wrong("round", "position.round", "TO-2.1", round=state.round, rounds=state.rounds())
        return
    done = state.order()[: state.order().index(state.seat)]
    for seat in range(seats):
        stacks = state.stacks[seat]
        number = 0 if between else state.rounds() - state.round + (seat not in done)
        if len(stacks) != number or any(stack > MOST_BLOCKS for stack in stacks):
            where = f"stacks.{SEATS[seat]}"
            yield wrong(
                where, "position.stacks", "TO-3.13", stacks=text(stacks), number=number, most=MOST_BLOCKS
            )
    gained = max((s.MORE_POINTS[k] for k in (s.AP6, s.AP7) if state.played[state.seat] >> k & 1), default=0)
    most = s.POINTS + (gained if state.carded else 0)
    spent = state.placed + state.fresh
    if state.left + spent > most:
        yield wrong("left", "position.left", "TO-3.2", left=state.left, spent=spent, all=most)
    if state.fresh > s.TAKES:
        yield wrong("fresh", "position.fresh", "TO-3.8", taken=state.fresh)
    if state.carded and not state.played[state.seat]:
        yield wrong("carded", "position.carded", "TO-3.9")
    if state.under and not state.carded:
        yield wrong("under", "position.under", "TO-4.2", under=state.under)
    mine = state.stacks[state.seat]
    if state.placed and not can_place(mine, state.placed - 1, state.under):
        yield wrong("placed", "position.placed", "TO-3.4", placed=state.placed, stacks=text(mine))


def _may_ask(state: State) -> bool:
    """Return True if the question in progress fits the rest of the state."""
    if state.termination:
        return not state.frames
    if len(state.frames) > 1:
        return False
    if not state.frames:
        return state.level is not Level.SCORE
    return (question(state) in s.FINAL) == (state.level is Level.SCORE) and BOOK.fits_at(state)
