"""The match in a game master's words, and what lies before the players.

Words for hands come from the difference of two states: resources, keshis and pawns that move, tiles to turn
up, trackers that go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Figures, Label, totals
from engines.kit.rulebook import question
from engines.marrakesh import medina, sahara, scrolls, square, tower
from engines.marrakesh.boards import SQUARE
from engines.marrakesh.book import BOOK
from engines.marrakesh.expanding import Said
from engines.marrakesh.expansions.every import EXPANSIONS
from engines.marrakesh.facts import known
from engines.marrakesh.keshis import BEIGE, BROWN, LETTERS, PINK, RED, SOUK
from engines.marrakesh.notation import counts, label, oasis_form, scroll_effect, used
from engines.marrakesh.oases import returns
from engines.marrakesh.paying import ANY
from engines.marrakesh.sahara import DONE, FOUND, SPARE
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

# What a step does


def said(before: State, choices: Sequence[Choice]) -> tuple[Label, ...]:
    """A step or its beginning: ``sails to space 7, 2 water paid``."""
    if not choices:
        return ()
    if choices[0].question == "choose":
        return tuple(_chosen(choices))
    tokens = [choice.token for choice in choices]
    return (*_SAID[choices[0].question](before, tokens), *_by_itself(before, choices))


def _by_itself(state: State, choices: Sequence[Choice]) -> Iterator[Label]:
    """What has one answer, and nobody is asked: a step's words tell it where its hands do not."""
    for choice in choices:
        for asked, answer in BOOK.by_itself(state, choice):
            if answer.question in _UNSAID and answer.token != DONE:
                yield from (Label("said.and_then"), *_SAID[answer.question](asked, [answer.token]))
        state = BOOK.apply(state, choice)


_UNSAID = frozenset({"action", "oasis", "caravan"})
"""Questions whose answers hands do not tell, or not whole."""


def _stock(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.stock", (("colours", ",".join(tokens)),))


def _chosen(choices: Sequence[Choice]) -> Iterator[Label]:
    """The colours, and the area of red's assistant."""
    colours = [choice.token for choice in choices if choice.question == "choose"]
    yield Label("said.choose", (("colours", ",".join(colours)),))
    for choice in choices:
        if choice.question == "red_area":
            yield Label("said.red_area", (("area", choice.token),))


def _counted(key: str, name: str) -> Said:
    """What is written ``2t1g``: colours or amounts of it by name."""

    def told(_: State, tokens: Sequence[str]) -> Iterator[Label]:
        found = counts(tokens[0])
        yield Label(f"said.{key}{'' if found else '_none'}", ((name, found),))

    return told


def _of(key: str, name: str) -> Said:
    """A step that is its first answer."""
    return lambda _, tokens: (Label(f"said.{key}", ((name, tokens[0]),)),)


def _or_none(key: str, name: str) -> Said:
    """The same where an answer may also decline."""
    return lambda _, tokens: (
        Label(f"said.{key}_none") if tokens[0] == "none" else Label(f"said.{key}", ((name, tokens[0]),)),
    )


def _named(key: str) -> Said:
    """What has a text of its own for every answer."""
    return lambda _, tokens: (Label(f"said.{key}_{tokens[0]}"),)


def _called_as(key: str, asked: str) -> Said:
    """Words, then what the answer is called."""
    return lambda _, tokens: (Label(f"said.{key}"), label(Choice(asked, tokens[0])))


def _action(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    area, way = tokens[0].split(".")
    if way == "act":
        yield Label(f"said.act_{area}")
        return
    key = "sell" if way.startswith("sell_") else way if way in ("buy", "leave") else "keshi"
    colour = way.removeprefix("sell_") if area == SOUK else area
    yield Label(f"said.{key}", (("area", area), ("colour", colour)))


def _sector(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == "none":
        yield Label("said.sector_none")
    else:
        yield from (Label("said.sector"), used(tokens[0]))


def _sail(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Where to; a taken space is not rested on (MK-7.2). What water that takes hands are told."""
    goal, _, over = tokens[0].partition("+")
    yield Label(
        f"said.{'sail_over' if over else 'sail_jetty' if goal == 'jetty' else 'sail'}", (("n", over or goal),)
    )
    others = (side.fisherman for seat, side in enumerate(before.sides) if seat != before.seat)
    if goal.isdigit() and int(goal) in others and not before.variant.shared:
        yield Label("said.sail_taken", (("n", goal),))


def _rapid(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.rapid", (("reward", tokens[0]),))


def _disc(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.disc", (("seat", before.seat),))
    yield label(Choice("disc", tokens[0]))


def _resource(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.takes_reward", (("rewards", ",".join(tokens)),))


def _keshi(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    n = max(1, before.frames[-1].n)
    yield Label("said.takes_keshi", (("n", n), ("colour", tokens[0])))


def _line(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    figures = (("colour", before.frames[-1].what), ("rewards", counts(tokens[0])))
    yield Label("said.line", figures)


def _scroll(key: str) -> Said:
    def told(before: State, tokens: Sequence[str]) -> Iterator[Label]:
        token = tokens[0]
        if token.isdigit():
            effect = known(before.copy, scrolls.fact(int(token))) or scroll_effect(int(token))
            yield Label(f"said.{key}", (("number", token), ("reward", effect)))
        elif token.startswith("turn_"):
            yield Label("said.refresh", (("stacks", token.removeprefix("turn_")),))
        else:
            yield Label(f"said.{key}_{token}")

    return told


def _workshop(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    if not tokens[0].isdigit():
        yield Label("said.workshop_none" if medina.is_won(before.frames[-1]) else "said.workshop_done")
        return
    figures = (("n", int(tokens[0])), ("colour", "".join(tokens[1:2])))
    yield Label("said.gate" if tokens[1:] else "said.workshop", figures)
    yield from _gate_place(tokens[2:])


def _gate(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """A gate of a workshop whose price was asked for before it."""
    yield Label("said.gate", (("n", int(before.frames[-1].what)), ("colour", tokens[0])))
    yield from _gate_place(tokens[1:])


def _gate_place(tokens: Sequence[str]) -> Iterator[Label]:
    return (Label("said.gate_place", (("place", int(place)),)) for place in tokens)


def _oasis(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.oasis_done") if tokens[0] == DONE else sahara.called(before, tokens[0])


def _oasis_number(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == "none":
        yield Label("said.spare_none")
    else:
        key = before.frames[-1].what or question(before)
        yield Label(f"said.{key}", (("number", tokens[0]), ("tile", oasis_form(tokens[0]))))


def _give_back(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == "none":
        yield Label("said.give_back_none")
        return
    yield Label("said.give_back", (("colour", tokens[0]),))
    for place in tokens[1:]:
        yield from (Label("said.from"), label(Choice("back_from", place)))


def _instead(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    key = "pays" if before.frames[-1].what == ANY else "instead"
    yield Label(f"said.{key}", (("rewards", ",".join(tokens)),))


def _river_tile(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.river_tile", label(Choice("river_tile", tokens[0])).figures)


def _print(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.print", (("fact", before.frames[-1].what), ("value", tokens[0])))


def _returned(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    kind = returns(before, int(before.frames[-1].what))
    assert kind is not None, "asked of an oasis that takes resources"
    yield Label("said.returned", (("rewards", f"{tokens[0]}{'wdn'[kind]}"),))


_SAID: dict[str, Said] = {
    "stock": _stock,
    "turn_up": _called_as("turn_up", "turn_up"),
    "red_area": _of("sends_red", "area"),
    "tray": _counted("tray", "colours"),
    "claim": _called_as("takes", "claim"),
    "vendor": _of("vendor", "area"),
    "spot": _of("spot", "reward"),
    "caravan": _named("caravan"),
    "action": _action,
    "harvest": _counted("harvest", "rewards"),
    "sector": _sector,
    "sail": _sail,
    "rapid": _rapid,
    "stair": _named("stair"),
    "climb": _named("climb"),
    "link": _of("link", "reward"),
    "disc": _disc,
    "spectators": _of("spectators", "reward"),
    "resource": _resource,
    **dict.fromkeys(("keshi", "settle", "goods"), _keshi),
    "line": _line,
    "good": _or_none("good", "good"),
    "sell_more": _or_none("sell_more", "colour"),
    "scroll": _scroll("scroll"),
    "learn": _scroll("learn"),
    "workshop": _workshop,
    "gate": _gate,
    "gate_keshi": _of("gate_keshi", "colour"),
    "oasis": _oasis,
    "oasis_number": _oasis_number,
    "give_back": _give_back,
    "instead": _instead,
    "part": _of("pays", "rewards"),
    "river_tile": _river_tile,
    "river_choice": _named("river_choice"),
    "lenient": _named("lenient"),
    "print": _print,
    "score_oasis": _oasis_number,
    "returned": _returned,
    "sell": _counted("sells", "rewards"),
    **{question: told for each in EXPANSIONS for question, told in each.said.items()},
}
"""What is said of a step by the question that it begins with."""


# What hands do now


def opening(state: State) -> tuple[Label, ...]:
    """What the expansions lay out, before a keshi lies on an oasis track."""
    begun = question(state) != "stock" or any(side.stock != Side().stock for side in state.sides)
    return () if begun else tuple(each.laid(state.variant.seats) for each in played(state))


def hands(before: State, after: State) -> tuple[Label, ...]:
    """Resources, keshis, pawns and trackers that move, the throw, and tiles to turn up."""
    seats = sorted(range(after.variant.seats), key=lambda seat: seat != before.seat)
    was, now = (totals(bookings(state), state.variant.seats) for state in (before, after))
    told = [one for seat in seats for one in _of_seat(before, after, seat, was[seat], now[seat])]
    return (*told, *_shared_hands(before, after))


def _of_seat(before: State, after: State, seat: int, was: int, now: int) -> Iterator[Label]:
    """What moves before a seat, its name first where it did not act itself; its points before and after."""
    told = (
        *(
            _provision,
            _river_bonus,
            _turned_up,
            _resources,
            _revealed,
            _keshis_moved,
            _vendors,
            _assistants,
            _pawns,
            _disc_turned,
        ),
        _tiles,
        *(each.hands for each in played(after)),
    )
    found = [one for of in told for one in of(before, after, seat)]
    if found and (seat != before.seat or question(before) in BOOK.reports):
        yield Label("hands.of", (("seat", seat),))
    yield from found
    if was != now:
        yield Label("hands.marker", (("seat", seat), ("points", now)))


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
    old, new = _both(before, after, seat)
    for key, more, less in (("pay", old, new), ("take", new, old)):
        if moved := bags.without(more.resources, less.resources):
            amounts = (f"{n}{'wdn'[kind]}" for kind, n in bags.items(moved))
            yield Label(f"hands.{key}", (("rewards", ",".join(amounts)),))


def _revealed(before: State, after: State, seat: int) -> Iterator[Label]:
    """The last three keshis behind a screen, which nobody need choose (MK-3.1)."""
    old, new = _both(before, after, seat)
    if new.chosen and not old.chosen and (seat != before.seat or question(before) != "choose"):
        yield Label(
            "hands.reveals", (("colours", ",".join(LETTERS[kind] for kind, _ in bags.items(new.chosen))),)
        )


def _keshis_moved(before: State, after: State, seat: int) -> Iterator[Label]:
    """Keshis that came to an area or left it, but for those that the step named; of red ones nothing."""
    old, new = _both(before, after, seat)
    asked = question(before) if seat == before.seat else ""
    if back := bags.without(old.board, new.board):
        yield Label("hands.return", (("colours", _counted_colours(back)),))
    for kind, n in bags.items(bags.without(new.board, old.board)):
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


def _assistants(before: State, after: State, seat: int) -> Iterator[Label]:
    """Those that come, and those that go besides the one that the step named."""
    old, new = (Counter(side.assistants) for side in _both(before, after, seat))
    named = int(seat == before.seat and question(before) == "action")
    for key, moved, told in (("assistants", new - old, 0), ("off", old - new, named)):
        if moved.total() > told:
            yield Label(f"hands.{key}", (("areas", ",".join(moved.elements())),))


def _pawns(before: State, after: State, seat: int) -> Iterator[Label]:
    old, new = _both(before, after, seat)
    if (old.fisherman, old.spot) != (new.fisherman, new.spot):
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
        yield Label("hands.stuck", (("colours", _counted_colours(after.inside)),))
    if nobodys := _nobodys(before, after):
        yield Label("hands.left", (("colours", _counted_colours(nobodys)),))
    if any(new.behind > old.behind for old, new in zip(before.sides, after.sides, strict=True)):
        yield Label("hands.screens")
    if after.season != before.season:
        yield Label("hands.season", (("seat", after.start),))
    elif after.round != before.round:
        yield Label("hands.round", (("seat", after.start), ("n", after.round), ("all", ROUNDS)))
    if asked == "choose" and not any(side.chosen for side in after.sides):
        yield Label("hands.choose")
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
