"""The match in a game master's words, and what lies before the players; a step's own words are in
:mod:`.saying`.

Words for hands come from the difference of two states: resources, keshis and pawns that move, tiles to turn
up, trackers that go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Figures, Label, totals
from engines.kit.rulebook import question
from engines.marrakesh import square, tower
from engines.marrakesh.boards import SQUARE
from engines.marrakesh.book import BOOK
from engines.marrakesh.expansions.every import EXPANSIONS
from engines.marrakesh.keshis import BEIGE, BROWN, LETTERS, PINK, RED, SOUK
from engines.marrakesh.paying import ANY
from engines.marrakesh.sahara import FOUND, SPARE
from engines.marrakesh.saying import said
from engines.marrakesh.scoring import bookings
from engines.marrakesh.state import (
    EFFECT,
    OASES,
    ON_TRACK,
    PLACES,
    ROUNDS,
    SEASONS,
    Frame,
    Side,
    State,
    discovered,
    thrown,
)
from engines.marrakesh.throwing import throw_of
from engines.marrakesh.variants import played
from engines.marrakesh.zones import areas, demand, members, on_river, zones

__all__ = ["about", "hands", "news", "odometer", "opening", "said", "zones"]

# What hands do now


def opening(state: State) -> tuple[Label, ...]:
    """What the expansions lay out, before a keshi lies on an oasis track."""
    begun = question(state) != "stock" or any(side.stock != Side().stock for side in state.sides)
    return () if begun else tuple(each.laid(state.variant.seats) for each in played(state))


def hands(before: State, choices: Sequence[Choice], after: State) -> tuple[Label, ...]:
    """Resources, keshis, pawns and trackers that move, the throw, and tiles to turn up."""
    seats = sorted(range(after.variant.seats), key=lambda seat: seat != before.seat)
    was, now = (totals(bookings(state), state.variant.seats) for state in (before, after))
    named = choices[0].token if choices and choices[0].question == "action" else "."
    told = [one for seat in seats for one in _of_seat(before, after, seat, was[seat], now[seat], named)]
    return (*told, *_shared_hands(before, after))


def _of_seat(before: State, after: State, seat: int, was: int, now: int, named: str) -> Iterator[Label]:
    """What moves before a seat, its name first where it did not act itself; its points before and after.

    The assistant ``named`` and its keshi are in the step's own words.
    """
    told = (
        *(
            _provision,
            _river_bonus,
            _turned_up,
            _resources,
            _revealed,
            partial(_keshis_moved, named=named),
            _vendors,
            partial(_assistants, named=named),
            _pawns,
            _disc_turned,
        ),
        _tiles,
        *(each.hands for each in played(after)),
    )
    found = [one for of in told for one in of(before, after, seat)]
    if was != now:
        found.append(Label("hands.marker", (("seat", seat), ("before", was), ("points", now))))
    if found and (seat != before.seat or question(before) in BOOK.reports):
        yield Label("hands.of", (("seat", seat),))
    yield from found


def _both(before: State, after: State, seat: int) -> tuple[Side, Side]:
    return before.sides[seat], after.sides[seat]


def _provision(before: State, after: State, seat: int) -> Iterator[Label]:
    """Who cannot pay for all tiles pays everything and loses VP (MK-15.3)."""
    old, new = _both(before, after, seat)
    for gain in new.gains[len(old.gains) :]:
        if gain.category == "provision":
            yield Label("hands.provision", (("points", -gain.points),))


def _river_bonus(before: State, after: State, seat: int) -> Iterator[Label]:
    """VP of a rapid that nobody need choose (MK-15.1)."""
    old, new = _both(before, after, seat)
    points = sum(gain.points for gain in new.gains[len(old.gains) :] if gain.category == "rapids")
    if points and question(before) != "rapid":
        yield Label("hands.river_bonus", (("points", points),))


def _turned_up(before: State, after: State, seat: int) -> Iterator[Label]:
    """A provision tile that nobody need choose, all that are left being alike."""
    old, new = _both(before, after, seat)
    if seat == before.seat and question(before) in ("turn_up", "print"):
        return
    for tile in new.demands[len(old.demands) :]:
        yield from (Label("hands.turn_up"), demand(after, tile).label)


def _resources(before: State, after: State, seat: int) -> Iterator[Label]:
    """What is paid and taken; who gives all back is told so (MK-15.3)."""
    old, new = _both(before, after, seat)
    unpaid = any(_provision(before, after, seat))
    for key, more, less in (("pay", old, new), ("take", new, old))[unpaid:]:
        if moved := bags.without(more.resources, less.resources):
            amounts = (f"{n}{'wdn'[kind]}" for kind, n in bags.items(moved))
            yield Label(f"hands.{key}", (("rewards", ",".join(amounts)),))


def _revealed(before: State, after: State, seat: int) -> Iterator[Label]:
    """The last three keshis behind a screen, which nobody need choose (MK-3.1)."""
    if _shown(before, after, seat):
        held = after.sides[seat].chosen
        yield Label("hands.reveals", (("colours", ",".join(LETTERS[kind] for kind, _ in bags.items(held))),))


def _shown(before: State, after: State, seat: int) -> bool:
    old, new = _both(before, after, seat)
    return bool(new.chosen and not old.chosen and (seat != before.seat or question(before) != "choose"))


def _keshis_moved(before: State, after: State, seat: int, *, named: str) -> Iterator[Label]:
    """Keshis that came to an area or left it, but for those that the step named; of red ones nothing."""
    old, new = _both(before, after, seat)
    asked = question(before) if seat == before.seat else ""
    if back := bags.without(old.board, new.board):
        yield Label("hands.return", (("colours", _counted_colours(back)),))
    for kind, n in bags.items(bags.without(new.board, old.board)):
        area, way = named.split(".")
        by_itself = _off(before, after, seat, named)[LETTERS[kind]] and n == 1
        if by_itself or (
            asked and n == 1 and LETTERS[kind] == (way if area == SOUK else area * (way != "act"))
        ):
            continue
        if kind != RED and not _said_of(before, after, asked, kind):
            figures: Figures = (
                ("n", n),
                ("colour", LETTERS[kind]),
                ("area", LETTERS[kind] if kind < RED else SOUK),
            )
            yield Label("hands.watchtower" if kind == BEIGE else "hands.deploy", figures)
    if asked != "spot":
        for place in members(new.square & ~old.square):
            yield Label("hands.spot", (("reward", SQUARE[place]),))


def _said_of(before: State, after: State, asked: str, kind: int) -> bool:
    """Whether the step's own words name a keshi of this colour that is deployed, and so its area."""
    if asked == "claim":
        return bags.count(after.tray, kind) < bags.count(before.tray, kind)
    return asked in _NAMED or (asked, kind) in (("caravan", BROWN), ("spot", PINK))


_NAMED = frozenset({"keshi", "settle", "goods", "gate_keshi"})
"""Questions about the colour that is deployed."""


def _vendors(before: State, after: State, seat: int) -> Iterator[Label]:
    old, new = _both(before, after, seat)
    if seat != before.seat or question(before) != "vendor":
        for area in areas(new.vendors & ~old.vendors):
            yield Label("hands.vendor", (("area", area),))
    if new.stall and not old.stall:
        yield Label("hands.stall")


def _assistants(before: State, after: State, seat: int, *, named: str) -> Iterator[Label]:
    """Those that come but for those that come with a keshi behind the screen, and those that go besides the
    one ``named``: with the keshi of their area, or alone.
    """
    old, new = _both(before, after, seat)
    asked = question(before) if seat == before.seat else ""
    came = Counter(new.assistants) - Counter(old.assistants)
    if came and old.chosen == new.chosen and asked != "red_area":
        yield Label("hands.assistants", (("areas", ",".join(came.elements())),))
    alone = []
    for area in _off(before, after, seat, named).elements():
        if area in LETTERS and bags.count(bags.without(new.board, old.board), LETTERS.index(area)) == 1:
            yield Label("hands.off_keshi", (("area", area), ("colour", area)))
        else:
            alone.append(area)
    if alone:
        yield Label("hands.off", (("areas", ",".join(alone)),))


def _off(before: State, after: State, seat: int, named: str) -> Counter[str]:
    """The assistants that go besides the one named."""
    old, new = (Counter(side.assistants) for side in _both(before, after, seat))
    return old - new - Counter(named.partition(".")[0] if seat == before.seat else "")


def _pawns(before: State, after: State, seat: int) -> Iterator[Label]:
    old, new = _both(before, after, seat)
    if (old.fisherman, old.spot) != (new.fisherman, new.spot) and new.fisherman:
        place = on_river(after, new)
        figures: Figures = (("n", new.fisherman),)
        if place == "jetty" and new.spot:
            place, figures = "spot_at_jetty", (("points", after.copy.jetty[new.spot - 1]),)
        yield Label(f"hands.{place}", figures)
    steps = (
        (old.mosque, new.mosque, after.copy.mosque_steps),
        (old.palace, new.palace, after.copy.palace_steps),
    )
    for stair, (was, now, last) in zip(("mosque", "palace"), steps, strict=True):
        if now != was:
            yield Label(f"hands.{stair}{'_top' * (now == last)}", (("n", now),))


def _disc_turned(before: State, after: State, seat: int) -> Iterator[Label]:
    """Sections that the disc was turned by since people looked at it (MK-10.1)."""
    was, now = (side.disc for side in _both(before, after, seat))
    turned = (was - now) % PLACES if was >= 0 else _turns_left(before) - _turns_left(after) if now >= 0 else 0
    if turned:
        yield Label("hands.disc" if turned == 1 else "hands.disc_more", (("n", turned),))


def _turns_left(state: State) -> int:
    return sum(frame.what == square.TURN for frame in state.frames)


def _tiles(before: State, after: State, seat: int) -> Iterator[Label]:
    """Oases turned up or laid on the track, gates, and stacks that wait for the turn's end."""
    old, new = _both(before, after, seat)
    for place in members(_found(new) & ~_found(old)):
        yield Label("hands.discover", (("oasis", OASES[place]),))
    if len(new.oases) > len(old.oases):
        yield Label("hands.track" if len(new.oases) <= ON_TRACK else "hands.beside")
    if new.gates != old.gates:
        yield Label("hands.guard")
    if len(new.scrolls) > len(old.scrolls):
        yield Label("hands.scroll")
    if len(new.goods) > len(old.goods):
        yield Label("hands.good", (("goods", ",".join(new.goods[len(old.goods) :])),))


def _found(side: Side) -> int:
    """The oases that were ever discovered."""
    return discovered(side) | side.claimed


def _shared_hands(before: State, after: State) -> Iterator[Label]:
    """The tower, keshis nobody takes, trackers, the next season."""
    was, asked = question(before), question(after)
    if was == "tray" and after.inside:
        yield Label("hands.stuck", (("n", bags.total(after.inside)),))
    if nobodys := _nobodys(before, after):
        yield Label("hands.left", (("colours", _counted_colours(nobodys)),))
    if any(_shown(before, after, seat) for seat in range(after.variant.seats)):
        yield Label("hands.last_keshis")
    if any(new.behind > old.behind for old, new in zip(before.sides, after.sides, strict=True)):
        yield Label("hands.screens")
    if any(old.fisherman and not new.fisherman for old, new in zip(before.sides, after.sides, strict=True)):
        yield Label("hands.river_start")
    if after.season != before.season:
        yield Label("hands.season", (("seat", after.start),))
    elif after.round != before.round:
        yield Label("hands.round", (("seat", after.start), ("n", after.round), ("all", ROUNDS)))
    if asked == "tray" != was:
        yield Label("hands.throw", (("n", bags.total(thrown(after))),))
    elif asked in BOOK.reports and (asked != was or after.frames[-1] != before.frames[-1]):
        at = after.frames[-1]
        key = "turn_disc" if asked == "disc" and after.frames[-2].what == square.TURNED else asked
        yield Label(f"hands.{key}_look", (("seat", after.seat), ("n", at.n), ("colour", at.what)))


def _counted_colours(held: Bag) -> str:
    return ",".join(f"{n}{LETTERS[kind]}" for kind, n in bags.items(held))


def _nobodys(before: State, after: State) -> Bag:
    """The keshis that were taken from the tray for nobody (MK-5.6)."""
    if after.tray or not before.tray:
        return 0
    gone = before.tray
    for old, new in zip(before.sides, after.sides, strict=True):
        gone = bags.without(gone, bags.without(new.board, old.board))
    waiting = (_waiting(frame) for frame in after.frames)
    return bags.without(gone, bags.bag(kind for kind in waiting if kind is not None))


def _waiting(frame: Frame) -> int | None:
    """The colour of a keshi that is taken and has no place yet."""
    if frame.question == EFFECT and frame.what.startswith("deploy_"):
        return LETTERS.index(frame.what[-1])
    return {"vendor": RED, "spot": PINK, "caravan": BROWN}.get(frame.question)


# What all must know, what a question is about


def news(before: State, after: State) -> tuple[Label, ...]:
    """A new season, and who starts it."""
    if after.season == before.season or after.termination:
        return ()
    key = "news.last_season" if after.season == SEASONS else "news.season"
    return (Label(key, (("n", after.season), ("seat", after.start))),)


def about(state: State) -> tuple[Label, ...]:
    """What a question is about that comes between turns or in the midst of one."""
    if not state.frames or state.frames[-1].open or question(state) not in _ABOUT:
        return ()
    frame = state.frames[-1]
    figures: Figures = (("seat", state.seat), ("n", frame.n), ("colour", frame.what))
    varied = frame.question in ("oasis_number", "instead") and frame.what in (SPARE, FOUND, ANY)
    return (Label(f"about.{frame.what if varied else frame.question}", figures),)


_ABOUT = frozenset(
    {
        *("stock", "turn_up", "vendor", "spot", "caravan", "rapid", "link", "disc", "line", "learn"),
        *("oasis_number", "give_back", "instead", "river_tile", "river_choice", "lenient", "sector"),
        *("score_oasis", "returned", "sell", "harvest", "climb", "settle", "part", "gate_keshi"),
        *(question for each in EXPANSIONS for question in each.about),
    }
)


# What the tower did


def odometer(kept: Sequence[Sequence[str]]) -> tuple[Label, ...]:
    """All throws of these matches; what is inside, and since when, as the last one left it."""
    runs = [tower.odometer([throw_of(word) for word in words]) for words in kept]
    if not runs:
        return ()
    released, last = [n for run in runs for n in run.released], runs[-1]
    totals: Figures = (
        ("n", len(released)),
        ("thrown", sum(run.thrown for run in runs)),
        ("out", sum(released)),
    )
    told = [Label("odometer.throws" if len(released) > 1 else "odometer.throw", totals)]
    if last.inside:
        longest = max(last.waiting)
        told.append(Label("odometer.inside", (("colours", _counted_colours(last.inside)),)))
        oldest = [LETTERS[kind] for kind, n in enumerate(last.waiting) if n == longest]
        key = "odometer.longest" if longest > 1 else "odometer.longest_1"
        told.append(Label(key, (("colours", ",".join(oldest)), ("n", longest))))
    told.append(Label("odometer.released", (("counts", " ".join(map(str, last.released))),)))
    return tuple(told)
