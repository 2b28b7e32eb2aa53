"""The faults that a state can have."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany import final, kinds, regions
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.facts import CASTLES
from engines.castles_of_tuscany.kinds import KINDS, NUMBERS, WILD, kind_of
from engines.castles_of_tuscany.placing import UNITS, WORKER, area_points, cards_of, purse, units
from engines.castles_of_tuscany.regions import BOARDS, Region
from engines.castles_of_tuscany.state import EFFECT, NOBODY, ROUNDS, Frame, Side, State
from engines.contract import SEATS, Level, Problem
from engines.kit import TURN, impossible, question, wrong

NAMING = ("top_board", "middle_board", "bottom_board", "print")
SET_UP = (*NAMING, "first_castle", "first_square", "display")


@BOOK.method
def problems(state: State) -> list[Problem]:
    """Return the faults of a state that no overruled clause lets stand."""
    asked, followed = question(state), state.level is not Level.SCORE
    found = BOOK.unwaived(state, _check_followed(state))
    if found and followed:
        return found  # spaces of a faulty region have no names
    found += BOOK.unwaived(state, _find_faults(state) if followed else _check_counted(state))
    if not all(_may_ask(state)):
        found.append(impossible("doing", "position.frames", "CT-3.1", question=asked))
    elif not (found or state.termination or BOOK.answerable(state)):
        found.append(impossible("doing", "position.stuck", "CT-3.1", question=asked))
    return found


def _check_followed(state: State) -> Iterator[Problem]:
    """Yield faults of the round, and of the regions of a match that is followed."""
    if (state.round > ROUNDS) != bool(state.termination):
        yield wrong("round", "position.over", "CT-6.4", round=state.round)
    if state.level is not Level.SCORE:
        yield from _check_regions(state)


def _find_faults(state: State) -> Iterator[Problem]:
    """Yield faults of the pieces and of the turn."""
    yield from _check_supplies(state)
    for seat in range(state.variant.seats):
        yield from _check_piles(state, seat)
        yield from _check_laid(state, seat)
    yield from _check_tiles(state)
    yield from _check_display(state)
    if question(state) in SET_UP:
        yield from _check_set_up(state)
        return
    yield from _check_rounds(state)
    yield from _check_bonuses(state)
    if not (state.frames or state.waived):
        for seat in range(state.variant.seats):
            yield from _check_gains(state, seat)
    yield from _check_turn(state)


def _check_regions(state: State) -> Iterator[Problem]:
    """Check one A, one B and one C before each seat, three dark green spaces, no board twice (CT-1.5)."""
    asked, known = question(state), dict(state.copy.boards)
    done = state.order[: state.order.index(state.seat)]
    named = [regions.board(name) for side in state.sides for name in side.boards]
    for name in sorted({name for name in named if named.count(name) > 1}):
        yield impossible("region", "position.board", "CT-1.5", board=name)
    for seat, side in enumerate(state.sides):
        where = f"region.{SEATS[seat]}"
        naming = asked in NAMING and seat not in done
        unknown = [name for name in map(regions.board, side.boards) if name not in known]
        if len(side.boards) < BOARDS and (not naming or (side.boards and seat != state.seat)):
            yield impossible(where, "position.region", "CT-1.5", boards=len(side.boards), all=BOARDS)
        elif unknown and not naming:
            yield impossible("boards", "position.unknown", "CT-1.6", board=unknown[0])
        elif len({name[0] for name in side.boards}) < len(side.boards):
            yield wrong(where, "position.set", "CT-1.5", boards=",".join(side.boards))
        elif not all(
            seam in state.seams_below(above) for above, seam in zip(side.boards, side.seams, strict=False)
        ):
            rows = " ".join(map(str, state.copy.outline))
            yield wrong(where, "position.seam", "CT-1.5", rows=rows)
        elif len(side.boards) == BOARDS and not unknown:
            castles = state.region(seat).kinds.count(kinds.CASTLE)
            if castles != CASTLES:
                yield wrong(where, "position.castles", "CT-1.5", castles=castles, all=CASTLES)


def _check_supplies(state: State) -> Iterator[Problem]:
    """Check the numbers of region cards, marble, workers, wild hexes and square tiles (CT-1.4)."""
    total = sum(side.hand for side in state.sides) + state.deck + bags.total(state.discards)
    if total != kinds.CARDS:
        yield impossible("deck", "position.cards", "CT-1.4", total=total, all=kinds.CARDS)
    for kind, lying, there in bags.excess(state.discards, state.copy.cards) if state.copy.cards else ():
        colour = KINDS[kind]
        yield impossible("discards", "position.discards", "CT-1.4", colour=colour, number=lying, all=there)
    if (left := state.in_supply("marble")) < 0:
        yield impossible("marble", "position.marble", "CT-1.4", number=kinds.MARBLE - left, all=kinds.MARBLE)
    if (left := state.in_supply("workers")) < 0:
        number, there = kinds.WORKERS - left, kinds.WORKERS
        yield impossible("workers", "position.workers", "CT-1.4", number=number, all=there)
    if (left := state.in_supply("wilds")) < 0:
        yield impossible("wild", "position.wilds", "CT-1.4", number=kinds.WILDS - left, all=kinds.WILDS)
    for kind, name in enumerate(kinds.SQUARES):
        if (left := state.squares_left(kind)) < 0:
            number, there = kinds.OF_EACH_SQUARE - left, kinds.OF_EACH_SQUARE
            yield impossible("squares", "position.squares", "CT-1.4", square=name, number=number, all=there)


def _check_piles(state: State, seat: int) -> Iterator[Problem]:
    """Check that own tiles are in the piles or came out of them, left ones first (CT-1.3, CT-3.5)."""
    side, letter = state.sides[seat], SEATS[seat]
    turned, hidden, there = bags.total(side.turned), sum(side.piles), bags.total(kinds.OWN)
    if turned + hidden != there:
        yield impossible(f"piles.{letter}", "position.own", "CT-1.3", piles=hidden, turned=turned, all=there)
    for kind, number, there in bags.excess(side.turned, kinds.OWN):
        where, name = f"turned.{letter}", KINDS[kind]
        yield impossible(where, "position.turned", "CT-1.3", kind=name, number=number, all=there)
    if any(before and after < kinds.IN_PILE for before, after in pairwise(side.piles)):
        yield wrong(f"piles.{letter}", "position.piles", "CT-3.5", piles=" ".join(map(str, side.piles)))


def _check_laid(state: State, seat: int) -> Iterator[Problem]:
    """Check a seat's spaces and storage."""
    side, letter = state.sides[seat], SEATS[seat]
    if len(side.stored) > side.places():
        yield wrong(
            f"stored.{letter}", "position.storage", "CT-3.4", stored=len(side.stored), places=side.places()
        )
    if not side.filled:
        if question(state) not in SET_UP:
            yield wrong(f"filled.{letter}", "position.first_castle", "CT-2.3")
        return
    land = state.region(seat)
    if not side.filled & land.of_kind[NUMBERS[kinds.CASTLE]]:
        yield wrong(f"filled.{letter}", "position.first_castle", "CT-2.3")
    apart = side.filled & ~_find_connected(land, side.filled)
    if apart:
        first = land.names[next(regions.cells(apart))]
        yield wrong(f"filled.{letter}", "position.apart", "CT-3.7", space=first)
    for space in regions.cells(side.wild & ~side.filled):
        yield impossible(f"wild.{letter}", "position.wild", "CT-5.3", space=land.names[space])
    if not _may_mix(state):
        yield from _check_farms(state, side, land, f"farms.{letter}")


def _find_connected(land: Region, filled: int) -> int:
    """Return the filled spaces connected with the first filled one, of a castle if there is one."""
    begun = filled & land.of_kind[NUMBERS[kinds.CASTLE]] or filled
    found = begun & -begun
    while more := land.next_to(found) & filled & ~found:
        found |= more
    return found


def _check_farms(state: State, side: Side, land: Region, where: str) -> Iterator[Problem]:
    """Check that every farm tile shows farm kinds, and no other tile does (CT-5.4)."""
    tiles = side.filled & ~side.wild & land.of_kind[NUMBERS[kinds.FARM]]
    spaces = [space for space, _ in side.shown]
    for space in range(regions.SPACES):
        if spaces.count(space) != tiles >> space & 1:
            yield wrong(where, "position.farms", "CT-5.4", space=land.names[space])
    for space, shown in side.shown:
        if not set(shown) <= set(kinds.FARMS[: state.copy.farms]):
            name = land.names[space]
            yield wrong(where, "position.farm_kinds", "CT-5.4", space=name, shown=shown, all=state.copy.farms)


def _may_mix(state: State) -> bool:
    """Return True if an overruled clause allows tiles on spaces of another colour."""
    return not {"CT-2.3", "CT-3.7", "CT-5.1"}.isdisjoint(state.waived)


def _check_tiles(state: State) -> Iterator[Problem]:
    """Check that no more tiles lie open than came up (CT-1.3), by kind unless colours may be mixed."""
    for kind, number, there in bags.excess(state.neutral, kinds.NEUTRAL):
        yield impossible("neutral", "position.neutral", "CT-1.3", kind=KINDS[kind], number=number, all=there)
    up = bags.without(kinds.NEUTRAL, state.neutral) + sum(side.turned for side in state.sides)
    up += bags.one(NUMBERS[kinds.CASTLE], sum(side.filled > 0 for side in state.sides))
    lying = bags.bag(NUMBERS[kind_of(tile)] for tile in state.display)
    for seat, side in enumerate(state.sides):
        lying += bags.bag(NUMBERS[kind_of(tile)] for tile in side.stored if tile != WILD)
        for space in regions.cells(side.filled & ~side.wild):
            lying += bags.one(NUMBERS[state.region(seat).kinds[space]])
    if _may_mix(state):
        number, there = bags.total(lying), bags.total(up)
        if number > there:
            yield impossible("turned", "position.tiles", "CT-1.3", number=number, all=there)
        return
    for kind, number, there in bags.excess(lying, up):
        yield wrong("turned", "position.tiles_of", "CT-1.3", kind=KINDS[kind], number=number, all=there)


def _check_display(state: State) -> Iterator[Problem]:
    """Check the display's eight tiles (CT-2.5, CT-3.6).

    There are fewer only while some are to come or if none are left; five are alike only while neutral ones
    come up.
    """
    shown = len(state.display)
    coming = sum(_count_coming(frame) for frame in state.frames)
    neutral = sum(frame.n for frame in state.frames if frame.question == "neutral")
    gaps = bags.total(state.neutral) <= neutral or any(not any(side.piles) for side in state.sides)
    due = 0 if question(state) in SET_UP[: SET_UP.index("display")] else kinds.DISPLAY - coming
    if shown > due or (shown < due and not gaps):
        yield wrong("display", "position.display", "CT-2.5", number=shown, all=due)
    for kind in KINDS:
        alike = sum(kind_of(tile) == kind for tile in state.display)
        if alike >= kinds.TOO_MANY and not neutral:
            yield wrong("display", "position.alike", "CT-3.6", kind=kind, number=alike)


def _count_coming(frame: Frame) -> int:
    """Return the number of tiles that a question will turn up."""
    return {"refill": 1, "neutral": frame.n, "display": frame.n}.get(frame.question, 0)


def _check_set_up(state: State) -> Iterator[Problem]:
    """Check that the set-up of CT-2 is all that has happened before the first turn."""
    asked = question(state)
    done = state.order[: state.order.index(state.seat)]
    for seat, side in enumerate(state.sides):
        castle = asked in ("first_square", "display") or (asked == "first_castle" and seat in done)
        square = asked == "display" or (asked == "first_square" and seat in done)
        blank = Side(side.boards, side.seams, side.filled, squares=side.squares, gains=side.gains)
        counts = side.filled.bit_count(), bags.total(side.squares)
        if side != blank or counts != (castle, square):
            yield wrong(f"region.{SEATS[seat]}", "position.set_up", "CT-2.2", seat=seat)
    if state.round > 1 or state.discards or any(state.taken) or (state.left, state.marbled) != (1, False):
        yield wrong("round", "position.begun", "CT-2.2")


def _check_rounds(state: State) -> Iterator[Problem]:
    """Check that an empty pile ended each round, and that the trigger emptied this one's (CT-6)."""
    for number in range(1, min(state.round, ROUNDS + 1)):
        if all(side.piles[number - 1] for side in state.sides):
            yield wrong("round", "position.round", "CT-6.1", round=state.round, pile=number)
    for seat, side in enumerate(state.sides):
        if any(gain.round > state.round for gain in side.gains):
            yield wrong(f"gains.{SEATS[seat]}", "position.gains", "CT-7.2", round=state.round)
    if state.termination:
        if state.trigger != NOBODY or state.last:
            yield wrong("trigger", "position.trigger", "CT-6.1", round=state.round)
        return
    empty = [seat for seat, side in enumerate(state.sides) if not side.piles[state.round - 1]]
    if bool(empty) != (state.trigger != NOBODY) or state.trigger not in (NOBODY, *empty):
        yield wrong("trigger", "position.trigger", "CT-6.1", round=state.round)
    elif state.trigger != NOBODY and not _comes_in_time(state):
        yield wrong("last", "position.last", "CT-6.2", last=state.last)


def _comes_in_time(state: State) -> bool:
    """Return True if the seat to move can come after the one that triggered the round's end (CT-6.2)."""
    seats = state.variant.seats
    if state.last:
        left = (
            (state.trigger - state.seat) % seats + 1
            if state.variant.at_once
            else (seats - state.order.index(state.seat))
        )
        return state.round == ROUNDS and state.last == left
    if state.variant.at_once:
        return state.seat == state.trigger
    return state.order.index(state.seat) >= state.order.index(state.trigger)


def _check_bonuses(state: State) -> Iterator[Problem]:
    """Check that the first seats to fill a colour took its bonus (CT-4.2); a starting castle gains none."""
    asked = {frame.tile for frame in state.frames if frame.question == "bonus"}
    for number, kind in enumerate(KINDS):
        full = 0
        for seat, side in enumerate(state.sides):
            there = state.region(seat).of_kind[number]
            full += bool(there) and not there & ~side.filled
        due = min(full, kinds.BONUS_SIDES) - (kind in asked)
        least, taken = 0 if "CT-2.3" in state.waived else due, state.taken[number]
        if not least <= taken <= due:
            yield wrong("taken", "position.taken", "CT-4.2", colour=kind, number=taken, full=full)


def _check_gains(state: State, seat: int) -> Iterator[Problem]:
    """Check that a seat's points for areas, farms and colours, and its square tiles, fit its filled spaces.

    Before the end it may have gained less: people may enter a table in mid-play with its totals.
    """
    side, land, letter = state.sides[seat], state.region(seat), SEATS[seat]
    where = f"gains.{letter}"
    for gain in side.gains:
        space = land.number(gain.what) if gain.category in ("areas", "farms") else 0
        if gain.category in ("areas", "farms") and (space < 0 or not side.filled >> space & 1):
            yield wrong(where, "position.gain_empty", "CT-4.1", space=gain.what, points=gain.points)
            return
        if gain.category == "bonus" and land.of_kind[NUMBERS[gain.what]] & ~side.filled:
            yield wrong(where, "position.gain_bonus", "CT-4.2", colour=gain.what)
    points: dict[int, list[int]] = {area: [] for area in land.areas}
    for gain in side.gains:
        if gain.category == "areas":
            points[land.area(land.number(gain.what))].append(gain.points)
    for area, got in points.items():
        full, worth = not area & ~side.filled, area_points(area.bit_count())
        first = worth == 1 and area & land.of_kind[NUMBERS[kinds.CASTLE]]  # the first castle may be alone
        less = not got and (first or not state.termination)
        if got != [worth] * full and not less:
            name = land.names[next(regions.cells(area))]
            yield wrong(
                where, "position.gain_area", "CT-4.1", space=name, number=sum(got), points=worth * full
            )
    towns = (side.filled & land.of_kind[NUMBERS["t"]]).bit_count()
    if state.termination and bags.total(side.squares) > 1 + towns:
        number = bags.total(side.squares)
        yield wrong(f"squares.{letter}", "position.squares_of", "CT-5.2", number=number, all=1 + towns)


def _check_turn(state: State) -> Iterator[Problem]:
    """Check the actions of a turn: one, and one more for a marble (CT-3.1, CT-3.2)."""
    if state.termination:
        return
    if state.frames:
        may_be = (0, 1) if state.marbled else (0,)
    elif state.marbled:
        may_be = (1, 2)
    else:
        may_be = (0, 1) if state.own.marble else (1,)
    if state.left not in may_be:
        yield wrong("left", "position.left", "CT-3.2", left=state.left)
    for frame in state.frames:
        if frame.question == "pay" and (frame.paid, frame.workers) not in _find_paid(state, frame):
            yield impossible("doing", "position.paid", "CT-3.8", left=frame.n, all=UNITS)


def _find_paid(state: State, frame: Frame) -> list[tuple[Bag, int]]:
    """Return the cards and workers that may have been paid before the units left (CT-3.8)."""
    if frame.n == UNITS or frame.space < 0:
        return [(0, 0)]
    kind = state.region(state.seat).kinds[frame.space]
    return [(cards_of(unit), unit == WORKER) for unit in units(purse(state), kind)]


def _check_counted(state: State) -> Iterator[Problem]:
    """Check that a final table is entered seat by seat, with possible figures (CT-1.4, CT-7.3)."""
    asked = question(state)
    for seat, side in enumerate(state.sides):
        told = len(final.TOLD) if seat < state.seat or state.termination else 0
        if seat == state.seat and asked in final.TOLD:
            told = list(final.TOLD).index(asked)
        if len(side.counted) != told:
            yield wrong(
                f"counted.{SEATS[seat]}", "position.counted", "CT-7.3", number=len(side.counted), all=told
            )
        for figure, number in zip(side.counted, final.TOLD.values(), strict=False):
            if not number.least <= figure <= number.most:
                where, what, most = f"counted.{SEATS[seat]}", number.name, number.most
                yield wrong(where, "position.figure", "CT-7.3", what=what, number=figure, all=most)
    for at, most in final.SHARED.items():
        there = sum(final.list_told(state, at))
        if there > most:
            what = [*final.TOLD.values()][at].name
            yield wrong("counted", "position.supply", "CT-1.4", what=what, number=there, all=most)
    more = final.count_more_stored(final.list_told(state, final.STORED))
    if more > kinds.OF_EACH_SQUARE:
        yield wrong("counted", "position.stored_all", "CT-5.9", number=more, all=kinds.OF_EACH_SQUARE)
    for seat, side in enumerate(state.sides):
        where = f"counted.{SEATS[seat]}"
        if len(side.counted) > final.GREEN and state.variant.all_green:
            orange, most = side.counted[final.ORANGE], 2 * side.counted[final.GREEN]
            if orange > most:
                yield wrong(where, "position.orange", "CT-7.2", number=orange, all=most)
        full = side.counted[final.EMPTY :] == (0,)
        if full and (green := side.counted[final.GREEN]) < final.FULL_REGION:
            yield wrong(where, "position.green", "CT-4.1", number=green, all=final.FULL_REGION)


def _may_ask(state: State) -> Iterator[bool]:
    """Yield conditions that the questions in progress and the effects to come must fulfil."""
    if state.termination:
        yield not state.frames
        return
    yield state.level is Level.FULL or bool(state.frames)
    yield question(state) in BOOK.questions
    yield BOOK.fits_at(state)
    for number, frame in enumerate(state.frames):
        if frame.question == EFFECT:
            yield frame.space >= 0 and bool(state.own.filled >> frame.space & 1) and bool(frame.tile)
        else:
            yield number == 0 or frame.question not in SET_UP
            yield frame.question.startswith("final") == (state.level is Level.SCORE)
            yield frame.question == "pay" or not (frame.paid or frame.workers)
            yield BOOK.fits_at(replace(state, frames=state.frames[: number + 1]))
    if not state.frames:
        yield TURN in BOOK.questions and BOOK.fits_at(state)
