"""The match in a game master's words; those for a step, and the zones, are in :mod:`.saying`.

The words for hands come from the moves of a step (resources, keshis), and from the difference of two states:
pawns that move, tiles to turn up, trackers that go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Figures, Label, totals
from engines.kit import question
from engines.marrakesh import square
from engines.marrakesh import state as s
from engines.marrakesh.assistants import KESHI
from engines.marrakesh.book import BOOK, Nothing, list_played
from engines.marrakesh.claiming import spell_claim
from engines.marrakesh.facts import OASES, SQUARE
from engines.marrakesh.frames import Effect, Frame
from engines.marrakesh.madrasa import may_be_empty, to_turn_up
from engines.marrakesh.paying import ANY
from engines.marrakesh.pieces import (
    AREAS,
    BEIGE,
    BROWN,
    COLOURS,
    GOODS,
    LETTERS,
    PINK,
    RED,
    SOUK,
    letters,
    of_letters,
)
from engines.marrakesh.sahara import FOUND, SPARE
from engines.marrakesh.saying import find_on_river, said, show_demand, zones
from engines.marrakesh.scene import scene
from engines.marrakesh.scoring import bookings
from engines.marrakesh.souk import count_goods_left, find_tag, goods_may_be_empty
from engines.marrakesh.stairs import STAIRS, find_last_step
from engines.marrakesh.state import ON_TRACK, PLACES, Side, State, list_members
from engines.marrakesh.tower import follow_throws, read_throw

__all__ = ["about", "hands", "news", "odometer", "opening", "said", "scene", "zones"]

# The work for hands


def opening(state: State) -> tuple[Label, ...]:
    """Tell the pieces that expansions lay out, before the first keshi is on an oasis track."""
    begun = question(state) != "stock" or any(side.stock != Side().stock for side in state.sides)
    laid = () if begun else list_played(state)
    return tuple(Label(f"laid.{each.name}", each.laid(state.variant.seats)) for each in laid)


def hands(before: State, choices: Sequence[Choice], after: State) -> tuple[Label, ...]:
    """Tell the moves of resources, keshis, pawns and trackers, the throw, and tiles to turn up."""
    notes, moves = BOOK.noted(before, choices), dict[int, list[Lies]]()
    for seat, *lies in (one for one in notes if isinstance(one, tuple)):
        moves.setdefault(seat, []).append(tuple(lies))
    seats = sorted(range(after.variant.seats), key=lambda seat: seat != before.seat)
    moves = moves or {seat: [(before.sides[seat], after.sides[seat])] for seat in seats}
    every = [
        Moved(before, after, seat, choices if seat == before.seat else (), moves.get(seat, ()))
        for seat in seats
    ]
    was, now = (totals(bookings(state), state.variant.seats) for state in (before, after))
    told: list[Label] = []
    for moved in every:
        seat, found = moved.seat, [*_tell_seat(moved)]
        if was[seat] != now[seat]:
            points: Figures = (("seat", seat), ("before", was[seat]), ("points", now[seat]))
            found.append(Label("hands.marker", points))
        if found and (seat != before.seat or question(before) in BOOK.reports):
            told.append(Label("hands.of", (("seat", seat),)))
        told += found
    void = {one.of for one in notes if isinstance(one, Nothing)}
    told += (Label(key) for of, key in _VOID.items() if of in void)
    return (*told, *_tell_shared(every, moves.get(s.NOBODY, ())))


_VOID = {
    "turn_disc": "hands.disc",
    **{
        of: f"hands.void_{of}"
        for of in (
            *("entertainers", "oases", "score_oasis", "sell"),
            *("learn", "give_back", "workshop", "good", "prize", "river_tile"),
        )
    },
}
"""The texts for effects that changed nothing, and for questions without answers. People turn a disc even if
its turn is unknown.
"""


Lies = tuple[Side, Side]
"""The pieces in front of a seat before and after a move."""


class Moved(NamedTuple):
    """The pieces in front of a seat before and after a step; ``choices`` and ``moves`` are the seat's own."""

    before: State
    after: State
    seat: int
    choices: Sequence[Choice]
    moves: Sequence[Lies]

    @property
    def sides(self) -> Lies:
        """The side before and after."""
        return self.before.sides[self.seat], self.after.sides[self.seat]

    def began_with(self, *questions: str) -> bool:
        """Return True if the seat's step began with one of these questions, whose words tell the move."""
        return self.seat == self.before.seat and question(self.before) in questions


def _tell_seat(moved: Moved) -> Iterator[Label]:
    """Tell the moves in front of a seat."""
    old, new = moved.sides
    if moved.moves or old is not new:
        yield from _tell_base_game(moved)
    for each in list_played(moved.after):
        yield from each.hands(moved.before, moved.after, moved.seat)


def _tell_base_game(moved: Moved) -> Iterator[Label]:
    if _is_as_printed(moved):
        moved = moved._replace(moves=())
    yield from _tell_provision(moved)
    paid, taken = _sum_moves(moved.moves, "resources")
    for key, amount in (("pay", paid), ("take", taken)):
        if amount:
            yield Label(f"hands.{key}", (("rewards", _write_counted(amount, "wdn")),))
    if _is_reveal(moved):
        _, side = moved.sides
        yield Label("hands.reveals", (("colours", ",".join(letters(side.chosen))),))
    for of in (_tell_keshis, _tell_placed, _tell_pawns, _tell_disc, _tell_tiles):
        yield from of(moved)


def _is_as_printed(moved: Moved) -> bool:
    """Return True if a good's cost and gains were just those of its name."""
    asked = moved.choices and question(moved.before) == "good"
    tag = find_tag(moved.before.copy, moved.choices[0].token) if asked else None
    if not tag:
        return False
    back, come = _sum_moves(moved.moves, "board")
    paid, taken = _sum_moves(moved.moves, "resources")
    cost = sum(bags.one(LETTERS.index(good), n) for good, n in zip(GOODS, tag, strict=False))
    return (back, come, paid, bags.counts(taken, 3)) == (cost, 0, 0, tag[len(GOODS) + 1 :])


def _tell_provision(moved: Moved) -> Iterator[Label]:
    """Tell the VP lost for provision tiles (MK-15.3), and a tile that nobody named, all left being alike."""
    old, new = moved.sides
    for gain in new.gains[len(old.gains) :]:
        if gain.category == "provision":
            yield Label("hands.provision", (("points", -gain.points),))
    if not moved.began_with("turn_up", "print"):
        for tile in new.demands[len(old.demands) :]:
            yield Label("hands.turn_up", (), (("asks", (show_demand(moved.after, tile).label,)),))


def _sum_moves(moves: Iterable[Lies], bag: str) -> tuple[Bag, Bag]:
    """Return the pieces that left a bag of the side and those that came, added up over all moves."""
    gone = come = 0
    for old, new in ((getattr(before, bag), getattr(after, bag)) for before, after in moves):
        gone, come = gone + bags.without(old, new), come + bags.without(new, old)
    return gone, come


def _write_counted(held: Bag, letters: str = LETTERS) -> str:
    return ",".join(f"{n}{letters[kind]}" for kind, n in bags.items(held))


def _is_reveal(moved: Moved) -> bool:
    """Return True if the last three keshis behind a screen went, which nobody chooses (MK-3.1)."""
    old, new = moved.sides
    return bool(new.chosen and not old.chosen and not moved.began_with("choose"))


def _tell_keshis(moved: Moved) -> Iterator[Label]:
    """Tell keshis that came to an area or left it, except red ones and those that the step named.

    Assistants that left come with them, except the one that the step named.
    """
    back, come = _sum_moves(moved.moves, "board")
    if back:
        yield Label("hands.return", (("colours", _write_counted(back)),))
    rest, alone = bags.without(come, _find_named(moved)), []
    for area in _list_off(moved):
        if area in LETTERS and bags.count(rest, LETTERS.index(area)):
            yield Label("hands.off_keshi", (("area", area), ("colour", area)))
            rest = bags.without(rest, bags.one(LETTERS.index(area)))
        else:
            alone.append(area)
    for kind, n in bags.items(rest):
        if kind != RED:
            colour = LETTERS[kind]
            figures = (("n", n), ("colour", colour), ("area", colour if kind < RED else SOUK))
            yield Label("hands.watchtower" if kind == BEIGE else "hands.deploy", figures)
    if alone:
        yield Label("hands.off", (("areas", ",".join(alone)),))


def _find_named(moved: Moved) -> Bag:
    """Return the deployed keshis that the step's own words name."""
    if not moved.choices:
        return 0
    asked, token = question(moved.before), moved.choices[0].token
    if asked == "claim":
        return of_letters(spell_claim(token))
    if asked in _NAMING and token in LETTERS:
        return bags.one(LETTERS.index(token), max(1, moved.before.asked(Frame).own_number))
    if asked == "action":
        area, way = token.split(".")
        colour = way if area == SOUK else area if way == KESHI else ""
        return bags.one(LETTERS.index(colour)) if colour and colour in LETTERS else 0
    return {"caravan": bags.one(BROWN), "spot": bags.one(PINK)}.get(asked, 0)


_NAMING = frozenset({"keshi", "settle", "goods", "gate_keshi"})
"""Questions about the colour of a deployed keshi."""


def _list_off(moved: Moved) -> Iterator[str]:
    """Return the areas of assistants that left, except the one that the step named."""
    old, new = moved.sides
    if old.assistants == new.assistants:
        return iter(())
    asked = moved.choices and question(moved.before) == "action"
    named = moved.choices[0].token.partition(".")[0] if asked else ""
    return (Counter(old.assistants) - Counter(new.assistants) - Counter(named)).elements()


def _tell_placed(moved: Moved) -> Iterator[Label]:
    """Tell new entertainers, vendors and assistants, except those that the step named."""
    old, new = moved.sides
    if not moved.began_with("spot"):
        for place in list_members(new.square & ~old.square, SQUARE):
            yield Label("hands.spot", (("reward", place),))
    if not moved.began_with("vendor"):
        for area in list_members(new.vendors & ~old.vendors, AREAS):
            yield Label("hands.vendor", (("area", area),))
    if new.stall and not old.stall:
        yield Label("hands.stall")
    if old.assistants != new.assistants and old.chosen == new.chosen and not moved.began_with("red_area"):
        came = Counter(new.assistants) - Counter(old.assistants)
        if came:
            yield Label("hands.assistants", (("areas", ",".join(came.elements())),))


def _tell_pawns(moved: Moved) -> Iterator[Label]:
    (old, new), copy = moved.sides, moved.after.copy
    if (old.fisherman, old.spot) != (new.fisherman, new.spot) and new.fisherman:
        place = find_on_river(moved.after, new)
        if place == "jetty" and new.spot:
            yield Label("hands.spot_at_jetty", (("points", copy.jetty[new.spot - 1]),))
        else:
            yield Label(f"hands.{place}", (("n", new.fisherman),))
    for stair in STAIRS:
        now, last = getattr(new, stair), find_last_step(copy, stair)
        if now != getattr(old, stair):
            yield Label(f"hands.{stair}{'_top' * (now == last)}", (("n", now),))


def _tell_disc(moved: Moved) -> Iterator[Label]:
    """Tell the number of sections by which the disc was turned (MK-10.1)."""
    old, new = moved.sides
    if old.disc == new.disc:
        return
    left = [state.frames.count(Effect(square.TURN)) for state in (moved.before, moved.after)]
    turned = (old.disc - new.disc) % PLACES if old.disc >= 0 else left[0] - left[1]
    if turned:
        yield Label("hands.disc" if turned == 1 else "hands.disc_more", (("n", turned),))


def _tell_tiles(moved: Moved) -> Iterator[Label]:
    """Tell oases turned up or put on the track, gates, and new tops outside a turn of assistants."""
    old, new = moved.sides
    for oasis in list_members((new.reached | new.claimed) & ~(old.reached | old.claimed), OASES):
        yield Label("hands.discover", (("oasis", oasis),))
    if len(new.oases) > len(old.oases):
        yield Label("hands.track" if len(new.oases) <= ON_TRACK else "hands.beside")
    if new.gates != old.gates:
        yield Label("hands.guard")
    if _is_turn_over(moved.before, moved.after) and not moved.before.compelled:
        return
    if len(new.scrolls) > len(old.scrolls):
        yield Label("hands.scroll")
    if len(new.goods) > len(old.goods):
        yield Label("hands.good", (("goods", ",".join(new.goods[len(old.goods) :])),))


def _is_turn_over(before: State, after: State) -> bool:
    """Return True if a turn of assistants ended; new scrolls and goods are turned up then."""
    return before.in_turn and not (after.in_turn and after.seat == before.seat)


def _tell_new_tops(before: State, after: State) -> Iterator[Label]:
    """Tell scrolls and goods to turn up after a turn of assistants (MK-9.4, MK-12.3)."""
    if before.compelled or not _is_turn_over(before, after) or after.termination:
        return
    side, (scrolls, goods) = after.sides[before.seat], before.began
    colours, tags = to_turn_up(after, side.scrolls[scrolls:]), side.goods[goods:]
    if colours:
        letters = (LETTERS[COLOURS.index(colour)] for colour in colours)
        yield Label("hands.new_scrolls", (("colours", ",".join(letters)),))
    if tags and count_goods_left(after):
        yield Label("hands.new_goods", (("n", len(tags)),))
    if any(may_be_empty(after, colour) for colour in colours) or (tags and goods_may_be_empty(after)):
        yield Label("hands.halved")


def _tell_shared(every: Sequence[Moved], of_nobody: Sequence[Lies]) -> Iterator[Label]:
    """Tell the work in front of all: tower, keshis that nobody takes, trackers, the next season."""
    before, after = every[0].before, every[0].after
    was, asked = question(before), question(after)
    sides = [moved.sides for moved in every]
    yield from _tell_new_tops(before, after)
    if was == "tray" and after.inside:
        yield Label("hands.stuck", (("n", bags.total(after.inside)),))
    left, _ = _sum_moves(of_nobody, "board")
    if left:
        yield Label("hands.left", (("colours", _write_counted(left)),))
    if any(map(_is_reveal, every)):
        yield Label("hands.last_keshis")
    if any(new.behind > old.behind for old, new in sides):
        yield Label("hands_of_all.screens")
    if any(old.fisherman and not new.fisherman for old, new in sides):
        yield Label("hands_of_all.river_start")
    if after.season != before.season:
        yield Label("hands_of_all.season", (("seat", after.start),))
    elif after.round != before.round:
        yield Label("hands_of_all.round", (("seat", after.start), ("n", after.round), ("all", s.ROUNDS)))
    if asked == "tray" != was:
        yield Label("hands.throw", (("n", bags.total(after.thrown)),))
    elif asked in BOOK.reports and (asked != was or after.frames[-1] != before.frames[-1]):
        at = after.asked(Frame)
        key = "turn_disc" if asked == "disc" and after.frames[-2] == Effect(square.TURNED) else asked
        figures = (("seat", after.seat), ("n", at.own_number), ("colour", at.own_text))
        yield Label(f"hands.{key}_look", figures)


# News, and explanations of questions


def news(before: State, after: State) -> tuple[Label, ...]:
    """Tell of a new season and its start player."""
    if after.season == before.season or after.termination:
        return ()
    key = "news.last_season" if after.season == s.SEASONS else "news.season"
    return (Label(key, (("n", after.season), ("seat", after.start))),)


def about(state: State) -> tuple[Label, ...]:
    """Explain a question between turns or in the middle of one."""
    asked = question(state)
    if not state.frames or state.frames[-1].open or asked not in _ABOUT:
        return ()
    frame = state.asked(Frame)
    figures: Figures = (("seat", state.seat), ("n", frame.own_number), ("colour", frame.own_text))
    varied = asked in ("oasis_number", "instead") and frame.own_text in (SPARE, FOUND, ANY)
    return (Label(f"about.{frame.own_text if varied else asked}", figures),)


_ABOUT = frozenset(
    {
        *("stock", "turn_up", "vendor", "spot", "caravan", "rapid", "link", "disc", "line", "learn"),
        *("oasis_number", "give_back", "instead", "river_tile", "river_choice", "lenient", "sector"),
        *("score_oasis", "returned", "sell", "harvest", "climb", "settle", "part", "gate_keshi"),
        *("stair_tile", "spared", "office", "town"),
    }
)


# The tower's odometer


def odometer(kept: Sequence[Sequence[str]]) -> tuple[Label, ...]:
    """Tell all throws of these matches, and the keshis that the last one left inside."""
    runs = [[read_throw(word) for word in words] for words in kept]
    if not runs:
        return ()
    throws, last = [throw for run in runs for throw in run], runs[-1]
    thrown, out = (sum(map(bags.total, of)) for of in zip(*throws, strict=True)) if throws else (0, 0)
    totals: Figures = (("n", len(throws)), ("thrown", thrown), ("out", out))
    told = [Label("odometer.throws" if len(throws) > 1 else "odometer.throw", totals)]
    inside, waiting = follow_throws(last)
    if inside:
        longest = max(waiting)
        told.append(Label("odometer.inside", (("colours", _write_counted(inside)),)))
        oldest = [LETTERS[kind] for kind, n in enumerate(waiting) if n == longest]
        told.append(Label("odometer.longest", (("colours", ",".join(oldest)), ("n", longest))))
    released = " ".join(str(bags.total(throw.tray)) for throw in last)
    told.append(Label("odometer.released", (("counts", released),)))
    return tuple(told)
