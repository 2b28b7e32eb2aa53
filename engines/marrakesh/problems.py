"""The faults of a state, first of all those of its frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from engines import bags
from engines.contract import SEATS, Problem
from engines.kit import impossible, question, wrong
from engines.marrakesh import state as s
from engines.marrakesh.assistants import IN_SOUK
from engines.marrakesh.book import BOOK, EXPANSIONS, list_played
from engines.marrakesh.claiming import count_places
from engines.marrakesh.facts import OASES
from engines.marrakesh.frames import AnyFrame, Effect, Frame, OasisNumber, SourcedFrame
from engines.marrakesh.medina import GATES, OF_WORKSHOP
from engines.marrakesh.pieces import (
    BEIGE,
    BROWN,
    CHOSEN,
    DRAWN,
    KINDS,
    LETTERS,
    PINK,
    RED,
    RIVER_EFFECTS,
    SEASON_FACES,
    SOUK,
)
from engines.marrakesh.rounds import CHOICES, list_round, list_season_end
from engines.marrakesh.scoring import PLAYED
from engines.marrakesh.state import Side, State
from engines.marrakesh.tower import TRAY

_AGAIN = ("oasis", "scroll", "workshop", "good", "sell_more")
"""The questions that are asked again after the frames above them."""
_ABOVE = {
    **dict.fromkeys(_AGAIN, ("again",)),
    "workshop": ("again", "gate", "gate_place", "shop"),
    "good": ("again", "good"),
    "oasis_number": ("instead",),
}
"""The frames that may stand above a waiting question."""
_ASKING = {"again": _AGAIN, "shop": ("workshop",), "good": ("good",)}
"""The questions below an effect that needs one."""
_GOING_ON = ("spectators", "link")
"""The waiting questions that may have any frame above them."""
_BOOKED = {
    *("vp", "link", "all_links", "spectators", "threes", "entertainers"),
    *("score", "score_oasis", "returned", "sell"),
}
"""The effects and questions that may give VP, and so need a category."""
_SECONDS = {*RIVER_EFFECTS, *(f"taken_{half}" for halves in CHOICES.values() for half in halves)}


class Now(NamedTuple):
    """The current effect of the set-up, round or season's end, and those to come after it."""

    going: Effect
    coming: tuple[Effect, ...]


def find_current(state: State) -> Now | None:
    """Return the progress of the match, None if the waiting effects are no rest of a set-up, of a round or of
    a season's end (MK-2.1).
    """
    over, finish = Effect("season_over"), Effect("finish")
    if state.termination:
        return Now(finish, ())
    season, claim = Effect("season"), Effect("claim", SEATS[state.start])
    set_up = (*state.by_seat("stock", "turn_up"), season)
    stages = (set_up, list_round(state), list_season_end(state), (over, finish))
    below = [isinstance(frame, Effect) and Effect(frame.name, frame.subject) for frame in state.frames]
    stage = next((stage for stage in stages if stage[-1] == below[0]), None)
    if stage is None or (stage is set_up and (state.season, state.round) != (1, 1)):
        return None
    if stage in stages[2:] and state.round < s.ROUNDS:
        return None
    pairs = enumerate(zip_longest(below, reversed(stage)))
    there = next((at for at, (one, due) in pairs if one != due), len(stage))
    others = {each.name for each in (*stage, season, finish)} - {claim.name}
    above = (frame.name for frame in state.frames[there:] if isinstance(frame, Effect))
    if there == len(stage) or not others.isdisjoint(above):
        return None
    coming, going = stage[len(stage) - there :], stage[len(stage) - there - 1]
    if going.name == "throw" and question(state) != "tray":  # the start player claims again
        going, coming = claim, coming[1:]
    elsewhere = going.subject and going != claim and going.subject != SEATS[state.seat]
    return None if elsewhere else Now(going, coming)


def fit(state: State) -> Iterator[bool]:
    """Yield True or False for each condition that the frames must fulfil, one by one and on top of each
    other.
    """
    below: AnyFrame | None = None
    for number, frame in enumerate(state.frames, 1):
        name = frame.name if isinstance(frame, Effect) else frame.question
        if isinstance(below, Frame):
            yield name in _ABOVE.get(below.question, ()) or below.question in _GOING_ON
        if isinstance(frame, Effect | SourcedFrame) and name in _BOOKED:
            yield frame.why in PLAYED
        if isinstance(frame, Frame):
            yield not any(name in each.questions for each in EXPANSIONS if each not in list_played(state))
            yield BOOK.fits_at(replace(state, frames=state.frames[:number]))
        elif name in _ASKING:
            yield below is not None and below.question in _ASKING[name]
        elif name == "claim":
            yield frame.subject in SEATS[: state.variant.seats]
        elif name == "won":
            yield frame.source in state.tiles
        elif name == "second":
            yield frame.why in _SECONDS and frame.source in state.tiles
        below = frame
    yield isinstance(below, Frame)


SPARE = "02"
"""The river tile that gives a seventh oasis."""
CROCODILE = "09"
"""The river tile whose winner starts the last season further on."""


@BOOK.method
def problems(state: State) -> list[Problem]:
    """Return all faults of a state that no overruled clause lets stand."""
    if bool(state.termination) != (not state.frames):
        return [impossible("over", "position.over", "MK-2.1", season=state.season)]
    now = find_current(state)
    if now is None:
        return [impossible("doing", "position.stack", "MK-2.1", season=state.season, round=state.round)]
    return BOOK.unwaived(state, _check_pieces(state, now)) or [*_check_frames(state)]


def _check_pieces(state: State, now: Now) -> Iterator[Problem]:
    """Yield the faults of all pieces."""
    yield from _check_trackers(state)
    yield from _check_keshis(state, now)
    yield from _check_tower(state, now)
    for seat, side in enumerate(state.sides):
        yield from _check_areas(state, side, SEATS[seat])
        yield from _check_pawns(state, seat)
        yield from _check_oases(state, seat, now)
        yield from _check_demands(state, seat, now)
    yield from _check_river(state)
    yield from _check_tiles(state, now)
    for each in list_played(state):
        yield from each.problems(state)


def _check_frames(state: State) -> Iterator[Problem]:
    """Yield the faults of the frames."""
    if state.termination:
        return
    if not all(fit(state)):
        yield impossible("doing", "position.frames", "MK-2.1", question=question(state))
    elif not BOOK.answerable(state):
        yield impossible("doing", "position.stuck", "MK-2.1", question=question(state))


def _check_trackers(state: State) -> Iterator[Problem]:
    """Check that the round tracker's seat follows from the season's (MK-2.2)."""
    start = (state.holder + state.round - 1) % state.variant.seats
    if state.start != start:
        yield wrong("start", "position.start", "MK-2.2", seat=state.start, round=state.round, due=start)
    for seat, side in enumerate(state.sides):
        if any(gain.season > state.season for gain in side.gains):
            yield wrong(f"gains.{SEATS[seat]}", "position.gains", "MK-2.1", season=state.season)


# Keshis


def _count_due(state: State, seat: int, now: Now) -> tuple[int, int, range]:
    """Return the numbers of keshis behind a screen and revealed, and the possible numbers of assistants
    (MK-3).
    """
    name = SEATS[seat]
    if Effect("season") in now.coming:
        return 0, 0, range(1)
    left = (s.ROUNDS - state.round) * CHOSEN
    asked = state.seat == seat and question(state)
    if Effect("choose", name) in now.coming or asked == "choose":
        return left + CHOSEN, 0, range(1)
    if Effect("throw") in (now.going, *now.coming):
        without = asked == "red_area"
        return left, CHOSEN, range(CHOSEN - without, CHOSEN - without + 1)
    if Effect("use", name) in now.coming:
        return left, 0, range(CHOSEN, CHOSEN + 1)
    return left, 0, range(CHOSEN + 1 if now.going == Effect("use", name) else 1)


def _check_keshis(state: State, now: Now) -> Iterator[Problem]:
    """Check twelve keshis a season, one of each colour, three a round, and the assistants that they send."""
    for seat, side in enumerate(state.sides):
        name = SEATS[seat]
        behind, chosen, standing = _count_due(state, seat, now)
        if (number := bags.total(side.behind)) != behind:
            yield impossible(f"behind.{name}", "position.behind", "MK-3.1", number=number, due=behind)
        if (number := bags.total(side.chosen)) != chosen:
            yield impossible(f"chosen.{name}", "position.chosen", "MK-3.1", number=number, due=chosen)
        for kind, number in bags.items(side.behind + side.chosen):
            if number > 1:
                colour = LETTERS[kind]
                yield impossible(f"behind.{name}", "position.alike", "MK-3.1", colour=colour, number=number)
        if len(side.assistants) not in standing:
            number, due = len(side.assistants), standing[-1]
            yield impossible(f"assistants.{name}", "position.assistants", "MK-3.2", number=number, due=due)
        for area, number in Counter(side.assistants).items():
            where, most = f"assistants.{name}", IN_SOUK if area == SOUK else 1
            if number > most:
                yield wrong(where, "position.area", "MK-3.2", area=area, number=number, most=most)
        sent = Counter(
            LETTERS[kind] if kind < RED else SOUK for kind, _ in bags.items(side.chosen) if kind != RED
        )
        for area in sorted((sent - Counter(side.assistants)).keys()):
            yield wrong(f"assistants.{name}", "position.sent", "MK-3.2", area=area)


def _check_tower(state: State, now: Now) -> Iterator[Problem]:
    """Check that no more keshis are inside and on the tray than thrown, and none before a throw (MK-4)."""
    claiming = now.going.name == "claim"
    if state.tray and not claiming:
        yield wrong("tray", "position.tray", "MK-4.3", number=bags.total(state.tray))
    if (state.out and not claiming) or state.out >> state.variant.seats:
        yield wrong("out", "position.out", "MK-5.3")
    falls = sum(TRAY.read(word.partition(":")[2].partition("/")[0]) for word in state.fallen)
    seasons = state.season - (Effect("season") in now.coming)
    for kind in range(KINDS):
        kept = sum(bags.count(side.behind + side.chosen, kind) for side in state.sides)
        fell = seasons * state.variant.seats - kept + bags.count(falls, kind)
        there = bags.count(state.inside + state.tray, kind)
        if there > fell:
            colour = LETTERS[kind]
            yield wrong("inside", "position.inside", "MK-4.2", colour=colour, number=there, thrown=fell)


# The pieces in front of a seat


def _check_areas(state: State, side: Side, name: str) -> Iterator[Problem]:
    """Check the places of an area, and each deployed keshi that has a place of its own (MK-5.2, MK-5.4)."""
    for kind, number in bags.items(side.board):
        if kind < RED and number > s.PLACES:
            where, colour = f"board.{name}", LETTERS[kind]
            yield impossible(where, "position.places", "MK-5.2", colour=colour, number=number, all=s.PLACES)
    if side.fresh & ~(side.vendors | side.stall * s.FRESH_STALL):
        yield impossible(f"fresh.{name}", "position.fresh", "MK-6.2")
    if (number := side.vendors.bit_count()) != (red := side.deployed(RED)):
        yield impossible(f"vendors.{name}", "position.vendors", "MK-5.4", number=number, red=red)
    if (number := side.square.bit_count()) != (pink := side.deployed(PINK)):
        yield impossible(f"square.{name}", "position.square", "MK-10.1", number=number, pink=pink)
    if (number := sum(side.caravans)) != (brown := side.deployed(BROWN)):
        yield impossible(f"caravans.{name}", "position.caravans", "MK-14.1", number=number, brown=brown)
    for path, there, most in zip(s.PATHS, side.caravans, count_places(state), strict=True):
        if there > most:
            yield wrong(f"caravans.{name}", "position.path", "MK-14.1", path=path, number=there, all=most)
    if side.on_tower < 0:
        gates, guards = side.standing, side.deployed(BEIGE)
        yield impossible(f"gates.{name}", "position.guards", "MK-13.1", number=gates, guards=guards)


def _check_pawns(state: State, seat: int) -> Iterator[Problem]:
    """Check the pawns on river and stairs, and the number of crossed lines (MK-7, MK-11)."""
    side, copy, name = state.sides[seat], state.copy, SEATS[seat]
    end = copy.river_length + 1
    if side.fisherman > end:
        yield impossible(f"fisherman.{name}", "position.river", "MK-7.1", space=side.fisherman, last=end)
    if side.spot and (not side.fisherman or (side.fisherman < end and not state.variant.shared)):
        yield impossible(f"spot.{name}", "position.spot", "MK-7.3", space=side.fisherman, last=end)
    for stair, step, last in (
        ("mosque", side.mosque, copy.mosque_steps),
        ("palace", side.palace, copy.palace_steps),
    ):
        if step > last:
            where = f"{stair}.{name}"
            yield impossible(where, "position.stair", "MK-11.3", stair=stair, step=step, last=last)
    crossed = sum(line <= side.mosque for line in copy.mosque_lines)
    crossed += sum(line <= side.palace for line in copy.palace_lines)
    if side.lines != crossed:
        yield wrong(f"lines.{name}", "position.lines", "MK-11.2", number=side.lines, crossed=crossed)


def _check_oases(state: State, seat: int, now: Now) -> Iterator[Problem]:
    """Check that claimed oases are discovered ones, and check their tiles and the keshis on the track
    (MK-14).
    """
    side, name = state.sides[seat], SEATS[seat]
    for at in range(s.ON_TRACK):
        if side.claimed >> at & ~side.reached >> at & 1:
            yield wrong(f"claimed.{name}", "position.claimed", "MK-14.3", oasis=OASES[at])
    asked = state.frames if seat == state.seat else ()
    unnamed = sum(
        (isinstance(frame, OasisNumber) and not frame.origin)
        or (isinstance(frame, Effect) and frame.name == "numbered")
        for frame in asked
    )
    claimed, spare = side.claimed.bit_count(), SPARE in state.tiles
    if any(number and not side.reached >> at & 1 for at, number in enumerate(side.found)):
        yield wrong(f"found.{name}", "position.found", "MK-14.1")
    number = len(side.oases)
    if not claimed <= number + unnamed <= claimed + spare:
        yield impossible(f"oases.{name}", "position.oases", "MK-14.4", number=number, claimed=claimed)
    stocking = Effect("stock", name) in (now.going, *now.coming)
    for at, letter in enumerate(side.stock):
        waits = at in state.keshi_places and at >= len(side.oases)
        if letter not in (DRAWN if waits else "-") and not (waits and stocking and letter == "-"):
            yield impossible(f"stock.{name}", "position.stock", "MK-14.4", colour=letter, place=at + 1)


def _check_demands(state: State, seat: int, now: Now) -> Iterator[Problem]:
    """Check that one more provision tile is face up each season (MK-1.6, MK-15.3)."""
    side, name = state.sides[seat], SEATS[seat]
    began, ended = Effect("season") in now.coming, Effect("season_over") in (*now.coming, now.going)
    turned = Effect("turn_up", name) not in now.coming and not (
        state.seat == seat and question(state) == "turn_up"
    )
    due = state.season - began + (turned and (began or (ended and state.season < s.SEASONS)))
    if len(side.demands) != due:
        yield impossible(f"demands.{name}", "position.demands", "MK-15.3", number=len(side.demands), due=due)


# The pieces in front of all


def _find_twice(each: Iterable[Iterable[object]]) -> list[str]:
    """Return all things that are there more than once, in order."""
    counted = Counter(one for some in each for one in some)
    return sorted(str(one) for one, number in counted.items() if number > 1)


def _check_tiles(state: State, now: Now) -> Iterator[Problem]:
    """Check that each tile is there once, gates of a colour two or three times (MK-1.2), river tiles by
    season.
    """
    for where in ("scrolls", "goods", "oases", "demands"):
        known = ((*side.oases, *filter(None, side.found)) for side in state.sides)
        there = known if where == "oases" else (getattr(side, where) for side in state.sides)
        for tile in _find_twice(there):
            yield impossible(where, "position.twice", "MK-1.2", what=where, which=tile)
    for at, number in enumerate(state.bought, 1):
        if number > OF_WORKSHOP:
            yield wrong("bought", "position.bought", "MK-13.1", workshop=at, number=number, all=OF_WORKSHOP)
    standing = sum(side.standing for side in state.sides)
    if sum(state.bought) > standing:
        yield wrong("bought", "position.bought_all", "MK-13.1", number=sum(state.bought), all=standing)
    own, began = state.own, state.began
    using = now.going.name == "use"
    if any(n > most for n, most in zip(began, (len(own.scrolls), len(own.goods)), strict=True)) or (
        any(began) and not using
    ):
        yield wrong("began", "position.began", "MK-12.3", scrolls=began[0], goods=began[1])
    for letter in _find_twice(side.stock.replace("-", "") for side in state.sides):
        yield impossible("stock", "position.stock_twice", "MK-1.5", colour=letter)
    for letter, all_ in GATES.items():
        number = sum(side.gates.count(letter) for side in state.sides)
        if number > all_:
            yield impossible("gates", "position.gates", "MK-1.2", colour=letter, number=number, all=all_)
    won = s.SEASONS if state.termination else state.season
    seasons = [next(n for n, faces in enumerate(SEASON_FACES, 1) if tile in faces) for tile in state.tiles]
    if seasons != sorted(set(seasons)) or (seasons and seasons[-1] > won):
        won_tiles = " ".join(state.tiles)
        yield wrong("tiles", "position.river_tiles", "MK-1.3", tiles=won_tiles, season=state.season)
    if state.ahead != s.NOBODY and (
        state.ahead >= state.variant.seats or CROCODILE not in state.tiles or state.season != s.SEASONS - 1
    ):
        yield wrong("ahead", "position.ahead", "MK-15.2", season=state.season)


def _check_river(state: State) -> Iterator[Problem]:
    """Check one fisherman on a space or spot of the jetty, the best spots taken first (MK-7)."""
    end = state.copy.river_length + 1
    at = Counter((side.fisherman, side.spot) for side in state.sides if side.fisherman)
    for (space, _), number in sorted(at.items()):
        if number > 1 and space < end:
            yield wrong("fisherman", "position.space", "MK-7.2", space=space, number=number)
    spots = sorted(side.spot for side in state.sides if side.fisherman == end and side.spot)
    without = sum(number for (space, spot), number in at.items() if space == end and not spot)
    there = len(state.copy.jetty)
    if spots != list(range(1, len(spots) + 1)) or len(spots) > there or (without and len(spots) < there):
        yield wrong("spot", "position.jetty", "MK-7.3", spots=" ".join(map(str, spots)), all=there)
