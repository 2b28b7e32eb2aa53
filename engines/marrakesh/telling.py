"""The match in a game master's words, and what lies before the players.

Words for hands come from the difference of two states: resources, keshis and pawns that move, tiles to turn
up, trackers that go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Figures, Label, Level, Piece, Zone
from engines.kit.rulebook import question
from engines.marrakesh.facts import SQUARE
from engines.marrakesh.keshis import AREAS, BEIGE, BROWN, LETTERS, PINK, RED, SOUK
from engines.marrakesh.notation import label, oasis_form, scroll_effect, used
from engines.marrakesh.oases import returns
from engines.marrakesh.state import (
    EFFECT,
    OASES,
    RESOURCES,
    ROUNDS,
    SEASONS,
    Side,
    State,
    discovered,
    on_tower,
    own,
    thrown,
)

# What a step does


def said(before: State, choices: Sequence[Choice]) -> tuple[Label, ...]:
    """A step or its beginning: ``sails to space 7, 2 water paid``."""
    if not choices:
        return ()
    tokens = [choice.token for choice in choices]
    return tuple(_SAID[choices[0].question](before, tokens))


def _stock(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.stock", (("colours", ",".join(tokens)),))


def _chosen(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Three colours, behind them the area of red's assistant."""
    thrown, areas = tokens[:3], tokens[3:]
    yield Label("said.choose", (("colours", ",".join(thrown)),))
    if areas:
        yield Label("said.red_area", (("kind", areas[0]),))


def _tray(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    found = list(_counts(tokens[0]))
    yield Label("said.tray" if found else "said.tray_empty")
    yield from _colours(found)


def _counts(token: str) -> Iterator[tuple[int, str]]:
    """``2t1g`` as 2 of t and 1 of g."""
    number = ""
    for sign in token:
        if sign.isdigit():
            number += sign
        else:
            yield int(number), sign
            number = ""


def _colours(counts: Sequence[tuple[int, str]]) -> Iterator[Label]:
    for at, (n, letter) in enumerate(counts, 1):
        key = "said.some" if at == len(counts) else "said.some_then"
        yield Label(key, (("n", n), ("colour", letter)))


def _amounts(counts: Iterable[tuple[int, str]]) -> Iterator[Label]:
    """``2 water and 1 date``; ``nothing``."""
    found = [amount(*one) for one in counts]
    for at, one in enumerate(found):
        if at:
            yield Label("said.and")
        yield one
    if not found:
        yield Label("said.nothing")


_AMOUNTS = {"w": "water", "d": "date", "n": "dinar", "v": "vp", "r": "river_step", "s": "stair_step"}


def amount(n: int, letter: str) -> Label:
    """``1 date``, ``3 dinars``."""
    return Label(f"amount.{_AMOUNTS[letter]}{'_1' * (n == 1)}", (("n", n),))


def _claim(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield from (Label("said.takes"), label(Choice("claim", tokens[0])))


def _action(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    area, way = tokens[0].split(".")
    if way == "act":
        yield Label(f"said.act_{area}")
        return
    key = "sell" if way.startswith("sell_") else way if way in ("buy", "leave") else "keshi"
    colour = way.removeprefix("sell_") if area == SOUK else area
    yield Label(f"said.{key}", (("kind", area), ("colour", colour)))


def _sector(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == "none":
        yield Label("said.sector_none")
    else:
        yield from (Label("said.sector"), used(tokens[0]))


def _harvest(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield from (Label("said.harvest"), *_amounts(_counts(tokens[0])))


def _sail(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    """Where to, and the water that makes up for the steps that were not won (MK-7.1)."""
    goal, _, over = tokens[0].partition("+")
    at = before.copy.river_length + 1 if goal == "jetty" else int(goal)
    steps = at + int(over or 0) - own(before).fisherman
    paid = max(0, steps - before.frames[-1].n)
    key = "sail_over" if over else "sail_jetty" if goal == "jetty" else "sail"
    n = over or goal
    yield Label(f"said.{key}{'_water' * (paid > 0)}", (("n", n), ("paid", paid)))


def _rapid(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    number = int(tokens[0])
    reward = before.copy.rapid_bonus[number - 1]
    yield Label("said.rapid", (("n", number), ("reward", reward)))


def _rewarded(key: str) -> _Said:
    return lambda _, tokens: (Label(f"said.{key}", (("reward", tokens[0]),)),)


def _disc(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.disc", (("seat", before.seat), ("n", int(tokens[0]) + 1)))


def _keshi(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    n = max(1, before.frames[-1].n)
    yield Label("said.some_keshi", (("n", n), ("colour", tokens[0])))


def _line(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield Label("said.line", (("colour", before.frames[-1].what),))
    yield from _amounts(_counts(tokens[0]))


def _good(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == "none":
        yield Label("said.good_none")
    else:
        yield from (Label("said.good"), label(Choice("good", tokens[0])))


def _sell_more(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == "none":
        yield Label("said.sell_more_none")
    else:
        yield Label("said.sell_more", (("colour", tokens[0]),))


def _scroll(key: str) -> _Said:
    def told(_: State, tokens: Sequence[str]) -> Iterator[Label]:
        token = tokens[0]
        if token.isdigit():
            yield Label(f"said.{key}", (("number", token), ("reward", scroll_effect(int(token)))))
        elif token.startswith("turn_"):
            yield Label("said.refresh", (("stacks", token.removeprefix("turn_")),))
        else:
            yield Label(f"said.{key}_{token}")

    return told


def _workshop(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if not tokens[0].isdigit():
        yield Label("said.workshop_done")
        return
    figures: Figures = (("n", int(tokens[0])), ("colour", "".join(tokens[1:2])))
    yield Label("said.gate" if tokens[1:] else "said.workshop", figures)
    for place in tokens[2:]:
        yield Label("said.gate_place", (("place", int(place)),))


def _oasis(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] in OASES:
        path, number = tokens[0][:-1], int(tokens[0][-1])
        yield Label(f"said.oasis_{path}", (("n", number),))
    else:
        yield Label("said.oasis_done")


def _oasis_number(key: str) -> _Said:
    return lambda _, tokens: (Label(f"said.{key}", (("number", tokens[0]), ("tile", oasis_form(tokens[0])))),)


def _give_back(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    if tokens[0] == "none":
        yield Label("said.give_back_none")
    else:
        yield Label("said.give_back", (("colour", tokens[0]),))


def _river_tile(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    found = label(Choice("river_tile", tokens[0]))
    yield Label("said.river_tile", found.figures)


def _sold(_: State, tokens: Sequence[str]) -> Iterator[Label]:
    yield from (Label("said.sell_some"), *_amounts(_counts(tokens[0])))


def _returned(before: State, tokens: Sequence[str]) -> Iterator[Label]:
    kind = returns(before, int(before.frames[-1].what))
    assert kind is not None, "asked of an oasis that takes resources"
    yield from (Label("said.returned"), *_amounts([(int(tokens[0]), "wdn"[kind])]))


def _by_token(key: str) -> _Said:
    """What has a text of its own for every answer."""
    return lambda _, tokens: (Label(f"said.{key}_{tokens[0]}"),)


_Said = Callable[[State, Sequence[str]], Iterable[Label]]
_SAID: dict[str, _Said] = {
    "stock": _stock,
    "turn_up": lambda _, tokens: (Label("said.turn_up", (("n", tokens[0]),)),),
    "choose": _chosen,
    "tray": _tray,
    "claim": _claim,
    "vendor": lambda _, tokens: (Label("said.vendor", (("kind", tokens[0]),)),),
    "spot": _rewarded("spot"),
    "caravan": _by_token("caravan"),
    "action": _action,
    "harvest": _harvest,
    "sector": _sector,
    "sail": _sail,
    "rapid": _rapid,
    "stair": _by_token("stair"),
    "climb": _by_token("climb"),
    "link": _rewarded("link"),
    "disc": _disc,
    "spectators": _rewarded("spectators"),
    "resource": _rewarded("takes_reward"),
    "keshi": _keshi,
    "goods": _keshi,
    "line": _line,
    "good": _good,
    "sell_more": _sell_more,
    "scroll": _scroll("scroll"),
    "learn": _scroll("learn"),
    "workshop": _workshop,
    "oasis": _oasis,
    "oasis_number": _oasis_number("oasis_number"),
    "give_back": _give_back,
    "instead": _rewarded("instead"),
    "river_tile": _river_tile,
    "river_choice": _by_token("river_choice"),
    "lenient": _by_token("lenient"),
    "print": lambda before, tokens: (Label("said.print", (("value", tokens[0]),)),),
    "score_oasis": _oasis_number("score_oasis"),
    "returned": _returned,
    "sell": _sold,
}
"""What is said of a step by the question that it begins with."""


# What hands do now


def hands(before: State, after: State) -> tuple[Label, ...]:
    """Resources, keshis, pawns and trackers that move, the throw, and tiles to turn up."""
    if after.level is Level.SCORE:
        return ()
    seats = range(after.variant.seats)
    told = [one for seat in seats for one in _of_seat(before, after, seat)]
    return (*told, *_shared_hands(before, after))


def _of_seat(before: State, after: State, seat: int) -> Iterator[Label]:
    """What moves before a seat, its name first where it is not the one that acts."""
    old, new = before.sides[seat], after.sides[seat]
    if old == new:
        return
    told = (_resources, _placed, _pawns, _tiles)
    found = [one for of in told for one in of(before, after, seat)]
    if found and seat != before.seat:
        yield Label("hands.of", (("seat", seat),))
    yield from found


def _resources(before: State, after: State, seat: int) -> Iterator[Label]:
    old, new = before.sides[seat].resources, after.sides[seat].resources
    for kind, name in enumerate(RESOURCES):
        n = bags.count(new, kind) - bags.count(old, kind)
        if n:
            key = f"hands.{'take' if n > 0 else 'pay'}_{name}{'_1' * (abs(n) == 1)}"
            yield Label(key, (("n", abs(n)),))


def _placed(before: State, after: State, seat: int) -> Iterator[Label]:
    """Keshis that came to an area or left it, vendors, and assistants."""
    old, new = before.sides[seat], after.sides[seat]
    asked = question(before)
    for kind, letter in enumerate(LETTERS):
        n = bags.count(new.board, kind) - bags.count(old.board, kind)
        if n < 0:
            yield Label("hands.return", (("n", -n), ("colour", letter)))
        elif n and kind != RED and not (asked == "caravan" and kind == BROWN and n == 1):
            area = letter if kind < RED else SOUK
            key = "hands.watchtower" if kind == BEIGE else "hands.deploy"
            yield Label(key, (("n", n), ("colour", letter), ("kind", area)))
    for area in _areas(new.vendors & ~old.vendors):
        if asked != "vendor":
            yield Label("hands.vendor", (("kind", area),))
    if new.stall and not old.stall:
        yield Label("hands.stall")
    if asked != "spot":
        for place in _set(new.square & ~old.square):
            yield Label("hands.spot", (("reward", SQUARE[place]),))
    if new.assistants and not old.assistants:
        yield Label("hands.assistants", (("kinds", ",".join(new.assistants)),))
    elif len(new.assistants) < len(old.assistants):
        yield Label("hands.off")


def _areas(vendors: int) -> Iterator[str]:
    return (AREAS[place] for place in _set(vendors))


def _set(bits: int) -> Iterator[int]:
    return (place for place in range(bits.bit_length()) if bits >> place & 1)


def _pawns(before: State, after: State, seat: int) -> Iterator[Label]:
    old, new = before.sides[seat], after.sides[seat]
    if after.season == before.season and (old.fisherman, old.spot) != (new.fisherman, new.spot):
        if new.spot:
            yield Label("hands.spot_at_jetty", (("n", new.spot), ("points", after.copy.jetty[new.spot - 1])))
        else:
            at_jetty = new.fisherman > after.copy.river_length
            key = "jetty" if at_jetty else "fisherman" if new.fisherman else "river_start"
            yield Label(f"hands.{key}", (("n", new.fisherman),))
    for stair, last in (("mosque", after.copy.mosque_steps), ("palace", after.copy.palace_steps)):
        step = getattr(new, stair)
        if step != getattr(old, stair):
            key = f"hands.{stair}{'_top' * (step == last)}"
            yield Label(key, (("n", step),))
    if old.disc >= 0 and new.disc != old.disc:
        turns = (new.disc - old.disc) % len(after.copy.disc)
        yield Label("hands.disc" if turns == 1 else "hands.disc_more", (("n", turns),))


def _tiles(before: State, after: State, seat: int) -> Iterator[Label]:
    """Oases turned up or laid on the track, gates, and what a stack waits for."""
    old, new = before.sides[seat], after.sides[seat]
    for place in _set(_found(new) & ~_found(old)):
        yield Label(f"hands.discover_{OASES[place][:-1]}", (("n", int(OASES[place][-1])),))
    if new.claimed != old.claimed:
        yield Label("hands.track")
    if new.gates != old.gates:
        yield Label("hands.guard")
    if len(new.scrolls) > len(old.scrolls):
        yield Label("hands.scroll")
    if len(new.goods) > len(old.goods):
        yield Label("hands.good")


def _found(side: Side) -> int:
    """The oases that were ever discovered."""
    return discovered(side) | side.claimed


def _shared_hands(before: State, after: State) -> Iterator[Label]:
    """The throw, keshis nobody takes, trackers, the next season."""
    if question(after) == "tray" and question(before) != "tray":
        yield Label("hands.throw", (("n", bags.total(thrown(after))),))
    for kind, n in bags.items(_left(before, after)):
        yield Label("hands.left", (("n", n), ("colour", LETTERS[kind])))
    if after.season != before.season and not after.termination:
        yield Label("hands.season")
        yield Label("hands.trackers", (("seat", after.start),))
    elif after.round != before.round and not after.termination:
        figures: Figures = (("seat", after.start), ("n", after.round), ("all", ROUNDS))
        yield Label("hands.round", figures)
    if (asked := question(after)) in _LOOK and asked != question(before):
        yield Label(f"hands.{asked}_look", (("seat", after.seat), ("colour", after.frames[-1].what)))


_LOOK = frozenset({"disc", "line", "river_tile", "print"})
"""Reports that somebody looks at something for."""


def _left(before: State, after: State) -> Bag:
    """The keshis of the tray that nobody could take (MK-5.6)."""
    if question(before) != "claim" or after.tray:
        return 0
    gone = Counter(dict(bags.items(before.tray)))
    for old, new in zip(before.sides, after.sides, strict=True):
        gone -= Counter(dict(bags.items(bags.without(new.board, old.board) if new.board > old.board else 0)))
    for frame in after.frames:
        word = frame.what if frame.question == EFFECT else ""
        waits = _WAITING.get(frame.question) or (word.startswith("deploy_") and LETTERS.index(word[7:]))
        gone -= Counter({waits: 1} if waits is not None and waits is not False else {})
    return sum(bags.one(kind, n) for kind, n in gone.items())


_WAITING = {"vendor": RED, "spot": PINK, "caravan": BROWN}
"""Whose keshi waits for its place while these are asked."""


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
    return (Label(f"about.{frame.question}", figures),)


_ABOUT = frozenset(
    {
        *("stock", "turn_up", "vendor", "spot", "caravan", "rapid", "link", "disc", "line", "learn"),
        *("oasis_number", "give_back", "instead", "river_tile", "river_choice", "lenient", "sector"),
        *("score_oasis", "returned", "sell", "harvest", "climb"),
    }
)


# What lies there


def zones(state: State) -> tuple[Zone, ...]:
    """The tray and the tower, then by seat what lies before it."""
    if state.level is Level.SCORE:
        return ()
    shared = (Zone("tray", None, _keshis(state.tray)), Zone("tower", None, _keshis(state.inside)))
    seats = range(state.variant.seats)
    return (*shared, *(zone for seat in seats for zone in _before(state, seat)))


def _keshis(held: Bag) -> tuple[Piece, ...]:
    return tuple(Piece(Label(f"colour.{LETTERS[kind]}"), n) for kind, n in bags.items(held))


def _before(state: State, seat: int) -> Iterator[Zone]:
    """What lies before a seat, what it chooses and uses first."""
    side = state.sides[seat]
    yield Zone("behind", seat, _keshis(side.behind))
    yield Zone("revealed", seat, () if question(state) == "tray" else _keshis(side.chosen))
    assistants = Counter(side.assistants)
    yield Zone("assistants", seat, tuple(Piece(Label(f"area.{one}"), n) for one, n in assistants.items()))
    resources = bags.items(side.resources)
    yield Zone("resources", seat, tuple(Piece(Label(f"lies.{RESOURCES[kind]}"), n) for kind, n in resources))
    yield Zone("keshis", seat, _deployed(side))
    vendors = [Piece(Label(f"area.{area}")) for area in _areas(side.vendors)]
    yield Zone("vendors", seat, tuple(vendors + [Piece(Label(f"area.{SOUK}"))] * side.stall))
    square = [Piece(Label(f"reward.{SQUARE[place]}")) for place in _set(side.square)]
    yield Zone("square", seat, tuple(square))
    yield Zone("pawns", seat, tuple(_standing(state, side)))
    yield Zone("oases", seat, _claimable(side))
    yield Zone("claimed", seat, tuple(_called("oasis_number", f"{number:02}") for number in side.oases))
    stock = Counter(side.stock.replace("-", ""))
    yield Zone("stock", seat, tuple(Piece(Label(f"colour.{letter}"), n) for letter, n in stock.items()))
    gates = [(place, gate) for place, gate in enumerate(side.gates, 1) if gate != "-"]
    yield Zone("gates", seat, tuple(Piece(_numbered("gate", n, gate)) for n, gate in gates))
    yield Zone("scrolls", seat, tuple(_called("scroll", str(number)) for number in side.scrolls))
    yield Zone("goods", seat, tuple(_called("good", name) for name in side.goods))
    yield Zone("demands", seat, tuple(_called("turn_up", str(number)) for number in side.demands))


def _called(asked: str, token: str) -> Piece:
    return Piece(label(Choice(asked, token)))


def _numbered(name: str, n: int, colour: str = "") -> Label:
    return Label(f"lies.{name}", (("n", n), ("colour", colour)))


def _deployed(side: Side) -> tuple[Piece, ...]:
    """Keshis on areas, guards apart by where they stand; vendors are told by their areas."""
    found = []
    for kind, n in bags.items(side.board):
        on = on_tower(side) if kind == BEIGE else n
        if on and kind != RED:
            found.append(Piece(Label(f"colour.{LETTERS[kind]}"), on))
        if n - on:
            found.append(Piece(Label("lies.guard"), n - on))
    return tuple(found)


def _standing(state: State, side: Side) -> Iterator[Piece]:
    """Where the three pawns stand, and how the disc lies."""
    at_jetty = side.fisherman > state.copy.river_length
    place = "river_start" if not side.fisherman else "jetty" if at_jetty else "fisherman"
    for name, n in ((place, side.fisherman), ("mosque", side.mosque), ("palace", side.palace)):
        yield Piece(_numbered(name, n))
    if side.disc >= 0:
        yield Piece(_numbered("disc", side.disc + 1))


def _claimable(side: Side) -> tuple[Piece, ...]:
    return tuple(_called("oasis", OASES[place]) for place in _set(discovered(side)))
