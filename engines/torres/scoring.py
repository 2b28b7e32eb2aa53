"""Points: the track and its spaces (TO-3.10, TO-3.11), the end of a phase (TO-5), the winner (TO-5.5)."""

from __future__ import annotations

from msgspec.structs import replace

from engines.contract import Booking, Level, Place
from engines.kit import by_hand, ranked
from engines.torres.cells import cells
from engines.torres.ground import castle_at
from engines.torres.state import PhaseGains, State

CATEGORIES = ("track", "steps", "castles", "king", "cards", "bumps")
KING = {1: 5, 2: 10, 3: 15}  # TO-5.3


def counted(state: State) -> tuple[str, ...]:
    """Return the categories that a match can score in with its level and options."""
    first = "track" if state.level is Level.SCORE else "steps"
    return (first, "castles", "king", *["cards"] * state.variant.master_cards, "bumps")


def parts_over(state: State) -> int:
    """Return the number of scored phases; in level score 0 until the board is counted."""
    if state.level is Level.SCORE and not state.termination:
        return 0
    asked = state.frames[-1].question if state.frames else ""
    return state.phase - 1 + (bool(state.termination) or asked in ("king", "starter"))


def skip(points: list[int], seat: int, landing: int) -> int:
    """Return the first space from ``landing`` on that no marker of another seat takes (TO-3.11)."""
    others = points[:seat] + points[seat + 1 :]
    while landing > 0 and landing in others:
        landing += 1
    return landing


def gain(state: State, seat: int, phase: int, **gained: object) -> State:
    """Return the state after a seat gained points in a phase, by fields of :class:`PhaseGains`."""
    line = state.lines[seat][phase - 1]
    grown = replace(line, **{name: getattr(line, name) + more for name, more in gained.items()})
    more = grown.total - line.total
    if more:
        points = state.totals()
        landing = points[seat] + more
        grown = replace(grown, bumps=grown.bumps + skip(points, seat, landing) - landing)
    return _set_line(state, seat, phase, grown)


def score_steps(state: State, steps: int) -> State:
    """Score single steps of the seat to move, each past spaces taken by others (TO-3.10)."""
    seat, points = state.seat, state.totals()
    landing = there = points[seat]
    for _ in range(steps):
        landing = skip(points, seat, landing + 1)
    line = state.lines[seat][state.phase - 1]
    line = replace(line, steps=line.steps + steps, bumps=line.bumps + landing - there - steps)
    return _set_line(state, seat, state.phase, line)


def _set_line(state: State, seat: int, phase: int, line: PhaseGains) -> State:
    lines = state.lines[seat]
    lines = (*lines[: phase - 1], line, *lines[phase:])
    return replace(state, lines=(*state.lines[:seat], lines, *state.lines[seat + 1 :]))


def castles_of(state: State, seat: int) -> tuple[tuple[int, int], ...]:
    """Return (area, level of the highest own knight) of every castle that ``seat`` scores (TO-5.2)."""
    found = []
    for castle in state.ground.castles:
        own = castle & state.knights[seat]
        if own:
            level = 1
            while own & state.ground.above[level]:
                level += 1
            found.append((castle.bit_count(), level))
    return tuple(found)


def has_kings_bonus(state: State, seat: int) -> bool:
    """Return True if a knight of ``seat`` stands in the king's castle at the phase's level (TO-5.3)."""
    if state.king < 0:
        return False
    own = castle_at(state.ground, state.king) & state.knights[seat]
    return any(state.ground.heights[cell] == state.phase for cell in cells(own))


def scoring_order(state: State) -> tuple[int, ...]:
    """Return the seats from the start player clockwise, or from the leader in phases 2 and 3 (TO-5.1)."""
    around = state.order()
    points = state.totals()
    if state.variant.leader_first and state.phase > 1:
        return state.order(max(around, key=lambda seat: points[seat]))
    return around


def score_phase(state: State) -> State:
    """Return the state after the phase is scored: all castles, then the king (TO-5.1)."""
    seats = scoring_order(state)
    for seat in seats:
        state = gain(state, seat, state.phase, castles=castles_of(state, seat))
    for seat in seats:
        if has_kings_bonus(state, seat):
            state = gain(state, seat, state.phase, king=KING[state.phase])
    return state


def last_player(state: State) -> int:
    """Return the seat with the fewest points; at a tie, the later in turn order (TO-5.4)."""
    points = state.totals()
    return min(reversed(state.order()), key=lambda seat: points[seat])


def leader(state: State) -> int:
    """Return the seat with the most points; at a tie, the earlier in turn order (TO-6.2)."""
    points = state.totals()
    return max(state.order(), key=lambda seat: points[seat])


def bookings(state: State) -> tuple[Booking, ...]:
    """Return all points on the track by phase; an unfinished phase has only its score steps."""
    booked = [Booking(s, points, "track", "TO-3.11", "") for s, points in enumerate(state.before) if points]
    for phase in range(len(state.lines[0])):
        for seat, lines in enumerate(state.lines):
            booked += _book_line(seat, phase + 1, lines[phase])
    return (*booked, *by_hand(state.adjusted))


def _book_line(seat: int, phase: int, line: PhaseGains) -> list[Booking]:
    castles = [(area * level, "castles", "TO-5.2", f"{area} × {level}") for area, level in line.castles]
    entries = [
        (line.steps, "steps", "TO-3.10", f"{line.steps} × 1"),
        *castles,
        (line.king, "king", "TO-5.3", f"level {phase}"),
        (line.cards, "cards", "TO-6.3", ""),
        (line.bumps, "bumps", "TO-3.11", f"{line.bumps} taken"),
    ]
    return [
        Booking(seat, points, category, clause, figures, part=phase)
        for points, category, clause, figures in entries
        if points
    ]


def ranking(state: State) -> tuple[Place, ...]:
    """Rank the most points first; seats at the same points share a place (TO-5.5)."""
    return ranked(state.totals(), "TO-5.5")
