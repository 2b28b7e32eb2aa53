"""The match in a game master's words, and what lies before the players; a step's own words are in
:mod:`.saying`.

Words for hands come from the moves that a step is made of (resources, keshis), and from the difference of two
states: pawns that move, tiles to turn up, trackers that go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Figures, Label, totals
from engines.kit.rulebook import question
from engines.marrakesh import square, tower
from engines.marrakesh.assistants import KESHI
from engines.marrakesh.book import BOOK, Nothing
from engines.marrakesh.claiming import colours
from engines.marrakesh.expanding import added, played
from engines.marrakesh.facts import SQUARE
from engines.marrakesh.keshis import BEIGE, BROWN, GOODS, LETTERS, PINK, RED, SOUK, letter_of, of_letters
from engines.marrakesh.madrasa import may_be_empty, to_turn_up
from engines.marrakesh.paying import ANY
from engines.marrakesh.sahara import FOUND, SPARE
from engines.marrakesh.saying import said
from engines.marrakesh.scene import scene
from engines.marrakesh.scoring import bookings
from engines.marrakesh.souk import goods_left, goods_may_be_empty, tag_of
from engines.marrakesh.state import NOBODY, OASES, ON_TRACK, PLACES, ROUNDS, SEASONS, Effect, Side, State
from engines.marrakesh.tower import throw_of
from engines.marrakesh.zones import areas, demand, members, on_river, zones

__all__ = ["about", "hands", "news", "odometer", "opening", "said", "scene", "zones"]

# What hands do now


def opening(state: State) -> tuple[Label, ...]:
    """Tell what the expansions lay out, before a keshi lies on an oasis track."""
    begun = question(state) != "stock" or any(side.stock != Side().stock for side in state.sides)
    return () if begun else tuple(each.laid(state.variant.seats) for each in played(state))


def hands(before: State, choices: Sequence[Choice], after: State) -> tuple[Label, ...]:
    """Resources, keshis, pawns and trackers that move, the throw, and tiles to turn up."""
    seats = sorted(range(after.variant.seats), key=lambda seat: seat != before.seat)
    was, now = (totals(bookings(state), state.variant.seats) for state in (before, after))
    notes = BOOK.noted(before, choices)
    moves: list[Move] = [one for one in notes if isinstance(one, tuple)]
    moves = moves or [(seat, *_both(before, after, seat)) for seat in seats]
    told: list[Label] = []
    for seat in seats:
        own = [(old, new) for whose, old, new in moves if whose == seat]
        found = [*_of_seat(before, choices, after, own, seat)]
        if was[seat] != now[seat]:
            points: Figures = (("seat", seat), ("before", was[seat]), ("points", now[seat]))
            found.append(Label("hands.marker", points))
        if found and (seat != before.seat or question(before) in BOOK.reports):
            told.append(Label("hands.of", (("seat", seat),)))
        told += found
    void = {one.of for one in notes if isinstance(one, Nothing)}
    told += (Label(key) for of, key in _VOID.items() if of in void)
    return (*told, *_shared_hands(before, after, moves))


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
"""What is told of an effect that changed nothing, or of a question that nothing answers. A disc that nobody
has looked at is turned all the same.
"""


Lies = tuple[Side, Side]
"""What lies before a seat before and after a move."""
Move = tuple[int, Side, Side]
"""A seat, :data:`engines.marrakesh.state.NOBODY` for the tray, and what lies there before and after."""


def _of_seat(
    before: State, choices: Sequence[Choice], after: State, moves: Sequence[Lies], seat: int
) -> Iterator[Label]:
    """Tell what moves before a seat."""
    first = (_provision, _turned_up)
    yield from (label for of in first for label in of(before, after, seat))
    own = choices if seat == before.seat else ()
    if _as_printed(before, own, moves):
        moves = ()
    yield from _resources(moves)
    yield from _revealed(before, after, seat)
    yield from _keshis_moved(moves, _named(before, own) if own else 0, _off(before, own, after, seat))
    expansions = (each.hands for each in played(after))
    for of in (_spots, _vendors, _assistants, _pawns, _disc_turned, _tiles, *expansions):
        yield from of(before, after, seat)


def _as_printed(before: State, choices: Sequence[Choice], moves: Sequence[Lies]) -> bool:
    """Return True if a good cost and gave just what its answer says."""
    tag = tag_of(before.copy, choices[0].token) if choices and question(before) == "good" else None
    if not tag:
        return False
    back, come = _gone_and_come((old.board, new.board) for old, new in moves)
    paid, taken = _gone_and_come((old.resources, new.resources) for old, new in moves)
    cost = sum(bags.one(LETTERS.index(good), n) for good, n in zip(GOODS, tag, strict=False))
    return (back, come, paid, bags.counts(taken, 3)) == (cost, 0, 0, tag[len(GOODS) + 1 :])


def _both(before: State, after: State, seat: int) -> tuple[Side, Side]:
    return before.sides[seat], after.sides[seat]


def _provision(before: State, after: State, seat: int) -> Iterator[Label]:
    """Who cannot pay for all tiles pays everything and loses VP (MK-15.3)."""
    old, new = _both(before, after, seat)
    for gain in new.gains[len(old.gains) :]:
        if gain.category == "provision":
            yield Label("hands.provision", (("points", -gain.points),))


def _turned_up(before: State, after: State, seat: int) -> Iterator[Label]:
    """A provision tile that nobody need choose, all that are left being alike."""
    old, new = _both(before, after, seat)
    if seat == before.seat and question(before) in ("turn_up", "print"):
        return
    for tile in new.demands[len(old.demands) :]:
        yield Label("hands.turn_up", (), (("asks", (demand(after, tile).label,)),))


def _resources(moves: Iterable[Lies]) -> Iterator[Label]:
    """Tell what is paid and what is taken, though both be of one kind."""
    paid, taken = _gone_and_come((old.resources, new.resources) for old, new in moves)
    for key, moved in (("pay", paid), ("take", taken)):
        if moved:
            amounts = (f"{n}{'wdn'[kind]}" for kind, n in bags.items(moved))
            yield Label(f"hands.{key}", (("rewards", ",".join(amounts)),))


def _gone_and_come(moves: Iterable[tuple[Bag, Bag]]) -> tuple[Bag, Bag]:
    """Return all that went, and all that came, move by move."""
    gone = come = 0
    for old, new in moves:
        gone, come = gone + bags.without(old, new), come + bags.without(new, old)
    return gone, come


def _revealed(before: State, after: State, seat: int) -> Iterator[Label]:
    """Yield the last three keshis behind a screen, which nobody need choose (MK-3.1)."""
    if _shown(before, after, seat):
        held = after.sides[seat].chosen
        yield Label("hands.reveals", (("colours", ",".join(LETTERS[kind] for kind, _ in bags.items(held))),))


def _shown(before: State, after: State, seat: int) -> bool:
    old, new = _both(before, after, seat)
    return bool(new.chosen and not old.chosen and (seat != before.seat or question(before) != "choose"))


def _keshis_moved(moves: Iterable[Lies], named: Bag, off: Iterable[str]) -> Iterator[Label]:
    """Keshis that came to an area or left it, but for those that the step named; of red ones nothing. With
    them go the assistants that are ``off`` besides the one named.
    """
    back, come = _gone_and_come((old.board, new.board) for old, new in moves)
    if back:
        yield Label("hands.return", (("colours", _counted_colours(back)),))
    rest, alone = bags.without(come, named), []
    for area in off:
        if area in LETTERS and bags.count(rest, LETTERS.index(area)):
            yield Label("hands.off_keshi", (("area", area), ("colour", area)))
            rest = bags.without(rest, bags.one(LETTERS.index(area)))
        else:
            alone.append(area)
    for kind, n in bags.items(rest):
        if kind != RED:
            figures: Figures = (
                ("n", n),
                ("colour", LETTERS[kind]),
                ("area", LETTERS[kind] if kind < RED else SOUK),
            )
            yield Label("hands.watchtower" if kind == BEIGE else "hands.deploy", figures)
    if alone:
        yield Label("hands.off", (("areas", ",".join(alone)),))


def _named(before: State, choices: Sequence[Choice]) -> Bag:
    """Return the keshis that are deployed and that the step's own words name, and so their areas."""
    asked = question(before)
    if asked == "claim" and choices:
        return of_letters(colours(choices[0].token))
    if asked in _NAMING and choices and choices[0].token in LETTERS:
        return bags.one(LETTERS.index(choices[0].token), max(1, before.frames[-1].n))
    if asked == "action" and choices:
        area, way = choices[0].token.split(".")
        colour = way if area == SOUK else area if way == KESHI else ""
        return bags.one(LETTERS.index(colour)) if colour and colour in LETTERS else 0
    return {"caravan": bags.one(BROWN), "spot": bags.one(PINK)}.get(asked, 0)


_NAMING = frozenset({"keshi", "settle", "goods", "gate_keshi"})
"""Questions about the colour that is deployed."""


def _spots(before: State, after: State, seat: int) -> Iterator[Label]:
    """Entertainers that came to a place, but for the one that the step named."""
    old, new = _both(before, after, seat)
    if seat != before.seat or question(before) != "spot":
        for place in members(new.square & ~old.square):
            yield Label("hands.spot", (("reward", SQUARE[place]),))


def _vendors(before: State, after: State, seat: int) -> Iterator[Label]:
    old, new = _both(before, after, seat)
    if seat != before.seat or question(before) != "vendor":
        for area in areas(new.vendors & ~old.vendors):
            yield Label("hands.vendor", (("area", area),))
    if new.stall and not old.stall:
        yield Label("hands.stall")


def _assistants(before: State, after: State, seat: int) -> Iterator[Label]:
    """Tell assistants placed, but for those of keshis chosen behind the screen."""
    old, new = _both(before, after, seat)
    came = Counter(new.assistants) - Counter(old.assistants)
    shown = old.chosen != new.chosen or (seat == before.seat and question(before) == "red_area")
    if came and not shown:
        yield Label("hands.assistants", (("areas", ",".join(came.elements())),))


def _off(before: State, choices: Sequence[Choice], after: State, seat: int) -> Iterator[str]:
    """Return the areas of assistants that go besides the one that the step named."""
    was, now = (side.assistants for side in _both(before, after, seat))
    if was == now:
        return iter(())
    old, new = Counter(was), Counter(now)
    named = choices[0].token.partition(".")[0] if question(before) == "action" and choices else ""
    return (old - new - Counter(named)).elements()


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
    return state.frames.count(Effect(square.TURN))


def _tiles(before: State, after: State, seat: int) -> Iterator[Label]:
    """Oases turned up or laid on the track, gates, and stacks that wait for the turn's end."""
    old, new = _both(before, after, seat)
    for place in members((new.reached | new.claimed) & ~(old.reached | old.claimed)):
        yield Label("hands.discover", (("oasis", OASES[place]),))
    if len(new.oases) > len(old.oases):
        yield Label("hands.track" if len(new.oases) <= ON_TRACK else "hands.beside")
    if new.gates != old.gates:
        yield Label("hands.guard")
    if _turn_over(before, after) and not before.compelled:
        return
    if len(new.scrolls) > len(old.scrolls):
        yield Label("hands.scroll")
    if len(new.goods) > len(old.goods):
        yield Label("hands.good", (("goods", ",".join(new.goods[len(old.goods) :])),))


def _turn_over(before: State, after: State) -> bool:
    """Return whether a turn of assistants ended, at which new scrolls and goods are turned up."""
    return before.in_turn and not (after.in_turn and after.seat == before.seat)


def _new_tops(before: State, after: State) -> Iterator[Label]:
    """Scrolls and goods to turn up where a turn of assistants is over (MK-9.4, MK-12.3)."""
    if before.compelled or not _turn_over(before, after) or after.termination:
        return
    side, (scrolls, goods) = after.sides[before.seat], before.began
    colours, tags = to_turn_up(after, side.scrolls[scrolls:]), side.goods[goods:]
    if colours:
        yield Label("hands.new_scrolls", (("colours", ",".join(map(letter_of, colours))),))
    if tags and goods_left(after):
        yield Label("hands.new_goods", (("n", len(tags)),))
    if any(may_be_empty(after, colour) for colour in colours) or (tags and goods_may_be_empty(after)):
        yield Label("hands.halved")


def _shared_hands(before: State, after: State, moves: Sequence[Move]) -> Iterator[Label]:
    """Yield the tower, keshis nobody takes, trackers, the next season."""
    was, asked = question(before), question(after)
    yield from _new_tops(before, after)
    if was == "tray" and after.inside:
        yield Label("hands.stuck", (("n", bags.total(after.inside)),))
    nobodys, _ = _gone_and_come((old.board, new.board) for seat, old, new in moves if seat == NOBODY)
    if nobodys:
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
        yield Label("hands.throw", (("n", bags.total(after.thrown)),))
    elif asked in BOOK.reports and (asked != was or after.frames[-1] != before.frames[-1]):
        at = after.frames[-1]
        key = "turn_disc" if asked == "disc" and after.frames[-2] == Effect(square.TURNED) else asked
        yield Label(f"hands.{key}_look", (("seat", after.seat), ("n", at.n), ("colour", at.what)))


def _counted_colours(held: Bag) -> str:
    return ",".join(f"{n}{LETTERS[kind]}" for kind, n in bags.items(held))


# What all must know, what a question is about


def news(before: State, after: State) -> tuple[Label, ...]:
    """A new season, and who starts it."""
    if after.season == before.season or after.termination:
        return ()
    key = "news.last_season" if after.season == SEASONS else "news.season"
    return (Label(key, (("n", after.season), ("seat", after.start))),)


def about(state: State) -> tuple[Label, ...]:
    """Say what a question is about that comes between turns or in the midst of one."""
    asked = question(state)
    if not state.frames or state.frames[-1].open or not (asked in _ABOUT or added("words", asked)):
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
        told.append(Label("odometer.longest", (("colours", ",".join(oldest)), ("n", longest))))
    told.append(Label("odometer.released", (("counts", " ".join(map(str, last.released))),)))
    return tuple(told)
