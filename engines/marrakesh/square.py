"""The square (MK-10): the disc, and the bonuses of places with spectators.

Places and sections are numbered clockwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from engines.contract import Domain, Figures
from engines.kit import Objection
from engines.marrakesh import pieces
from engines.marrakesh.book import BOOK, Varies, ask_unknown, happens
from engines.marrakesh.facts import SQUARE, look_up
from engines.marrakesh.frames import Disc, Effect, Spectators
from engines.marrakesh.state import PLACES, State, list_members

POINTS = "vp2"
PLAIN = ("water", "dinar", POINTS, "date", "goods")
"""Places whose bonuses come first if there are several: having them never makes the others worse."""
TURN, TURNED = "turn_disc", "disc_turned"
THREES, ONES, ENTERTAINERS, NEIGHBOURS = "threes", "ones", "entertainers", "neighbours"
EACH = {THREES: 3, ONES: 1, NEIGHBOURS: 1}
"""The number of times that a place gives its bonus: for 3 spectators or 1 (scrolls 47 and 51), or beside a
new entertainer (scroll 54).
"""
FACED_VP = dict(zip(pieces.FACED_VP, (1, 2), strict=True))
"""The VP of scroll 29 for each spectator who faces the place of 2 VP, by its effect on the copy."""


@Varies
def list_sections(state: State) -> tuple[int, ...]:
    """Return the spectators in the sections of the disc's side in play, empty while unknown."""
    return state.copy.disc


@Varies
def ask_disc(state: State, effect: Effect) -> State:
    """Return the state that asks for the disc's turn, and then does the effect again."""
    return state.asking(effect, Disc())


def write_facing(disc: tuple[int, ...], turned: int) -> str:
    """Return the spectators who face the places while the section ``turned`` faces the first one."""
    return "".join(str(disc[(turned + at) % PLACES]) for at in range(PLACES))


@lru_cache
def _list_turns(disc: tuple[int, ...]) -> dict[str, int]:
    """Return the sections that can face the first place, by the look of the disc."""
    return {write_facing(disc, turned): turned for turned in reversed(range(PLACES))}


@lru_cache
def _make_disc(disc: tuple[int, ...]) -> Domain:
    return Domain("disc", tuple(reversed(_list_turns(disc))))


BOOK.asks(
    lambda state: _make_disc(list_sections(state)),
    "disc",
    report=True,
    figures=lambda state: (("reward", state.copy.square[0]),),
    fits=lambda state: state.own.disc < 0 and bool(list_sections(state)),
)
BOOK.asks(Domain("spectators", SQUARE), "spectators")


@BOOK.figures("spectators")
def figures_spectators(state: State) -> Figures:
    """Tell the gains by place, except those of goods, which have no letter."""
    what = state.asked(Spectators).cause
    seen = ((place, _count_times(state, what, place)) for place in state.copy.square if place in _WORTH)
    return tuple((f"more.{place}", f"{n * _WORTH[place][0]}{_WORTH[place][1]}") for place, n in seen)


_WORTH = {
    **{"water": (1, "w"), "date": (1, "d"), "dinar": (1, "n"), POINTS: (2, "v")},
    **{"river": (1, "r"), "mosque": (1, "s"), "palace": (1, "s")},
}
"""A place's gain for each spectator, and the letter of its kind."""


def count_spectators(state: State, place: str) -> int:
    """Return the number of spectators who face a place of the own square; scroll 31 adds 1."""
    return _count_shown(state, place) + state.owns("more_spectators")


def _count_shown(state: State, place: str) -> int:
    """Return the number of spectators in the section that faces a place."""
    return list_sections(state)[(state.own.disc + state.copy.square.index(place)) % PLACES]


def make_bonus(place: str, n: int, why: str, source: str = "") -> Effect:
    """Return a place's bonus ``n`` times: one move, goods of one colour (MK-10.2)."""
    return Effect("vp", "", 2 * n, why, source) if place == POINTS else Effect(place, "", n, why, source)


def _list_offered(state: State) -> list[str]:
    """Return the places of the pending question."""
    return list_members(state.asked(Spectators).places, SQUARE)


def _make_set(places: Iterable[str]) -> int:
    return sum(1 << SQUARE.index(place) for place in places)


@BOOK.check("spectators.own", "MK-10.1", "spectators")
def check_spectators_own(state: State, token: str) -> Objection | None:
    if state.asked(Spectators).cause or token in _list_offered(state):
        return None
    return Objection({"reward": token})


@BOOK.check("spectators.left", "MK-12.4", "spectators")
def check_spectators_left(state: State, token: str) -> Objection | None:
    return None if token in _list_offered(state) else Objection({"reward": token})


def act(state: State) -> State:
    """Do the square's action."""
    return state.doing(Effect("square"))


@happens("square")
def happen_square(state: State, effect: Effect) -> State:
    """Do the action once, or the effect's number of times; with scroll 65 twice as often."""
    return state.doing(*[Effect(TURN)] * (effect.times * (2 if state.owns("double_square") else 1)))


@happens(TURN)
def happen_turn(state: State, effect: Effect) -> State:
    """Turn the disc clockwise: each section now faces the next place (MK-10.1)."""
    disc = state.own.disc
    state = state if disc < 0 else state.with_own(disc=(disc - 1) % PLACES)
    return _perform(state, replace(effect, name=TURNED))


@happens(TURNED)
def _perform(state: State, effect: Effect) -> State:
    """Ask for a place, then let scrolls 29 and 51 act; ask for the disc's turn only if it matters."""
    side = state.own
    after = state.owns(ONES) or any(state.owns(word) for word in FACED_VP)
    if side.disc < 0:
        return ask_disc(state, effect) if side.square or after else state
    if after:
        state = state.doing(Effect("after_square", why="scrolls"))
    return BOOK.ask(state, Spectators("", side.square, why="square")) if side.square else state


@BOOK.effect("disc")
def effect_disc(state: State, token: str) -> State:
    return state.answered().with_own(disc=_list_turns(list_sections(state))[token])


@happens("after_square")
def happen_after_square(state: State, effect: Effect) -> State:
    """Give scroll 29's VP, and with scroll 51 the places that 1 spectator faces; neither needs an
    entertainer.
    """
    if state.owns(ONES):
        asks = _ask_counted(state, effect)
        if asks:
            return asks
        state = _give_places(state, ONES, _find_faced(state, ONES), "scrolls", "51")
    each = next((vp for word, vp in FACED_VP.items() if state.owns(word)), 0)
    return state.gained("scrolls", each * count_spectators(state, POINTS), "29")


@happens(THREES)
def happen_threes(state: State, effect: Effect) -> State:
    """Give with scroll 47 each place that 3 spectators face three times; it needs no entertainer."""
    if state.own.disc < 0:
        return ask_disc(state, effect)
    asks = _ask_counted(state, effect)
    return asks or _give_places(state, THREES, _find_faced(state, THREES), effect.why, effect.source)


@happens(ENTERTAINERS)
def happen_entertainers(state: State, effect: Effect) -> State:
    """Give with scroll 70 the place of each own entertainer, once for each spectator who faces it."""
    side = state.own
    if not side.square:
        return state
    if side.disc < 0:
        return ask_disc(state, effect)
    return _give_places(state, ENTERTAINERS, side.square, effect.why, effect.source)


def give_neighbours(state: State, places: Iterable[str]) -> State:
    """Give with scroll 54 the bonuses of a new entertainer's place and its neighbours', in the owner's
    order.
    """
    return _give_places(state, NEIGHBOURS, _make_set(places), "square", "")


def _ask_counted(state: State, effect: Effect) -> State | None:
    """Ask if the spectator of scroll 31 counts here; return None if that is known or does not matter."""
    return ask_unknown(state, effect, "more_counts") if state.owns("more_spectators") else None


def _find_faced(state: State, what: str) -> int:
    """Return the set of places that 3 spectators face, or 1."""
    more = state.owns("more_spectators") and look_up(state.copy, "more_counts") == "yes"
    return _make_set(place for place in SQUARE if _count_shown(state, place) + more == EACH[what])


def _count_times(state: State, what: str, place: str) -> int:
    return EACH.get(what) or count_spectators(state, place)


def _give_places(state: State, what: str, places: int, why: str, source: str) -> State:
    """Give all bonuses of a set of places: the plain ones, then the others in an order of choice."""
    there = [place for place in list_members(places, SQUARE) if _count_times(state, what, place)]
    plain = [place for place in there if place in PLAIN]
    others = [place for place in there if place not in PLAIN]
    if len(others) > 1:
        state = state.asking(Spectators(what, _make_set(others), why=why, source=source))
        others = []
    each = ((place, _count_times(state, what, place)) for place in plain + others)
    return state.doing(*(make_bonus(*one, why, source) for one in each))


@BOOK.effect("spectators")
def effect_spectators(state: State, token: str) -> State:
    """Give the place's bonus once for each spectator who faces it, then the rest of a set."""
    frame = state.asked(Spectators)
    times = _count_times(state, frame.cause, token)
    state = state.answered()
    if frame.cause:
        state = _give_places(state, frame.cause, frame.places & ~_make_set([token]), frame.why, frame.source)
    return state.doing(*[make_bonus(token, times, frame.why, frame.source)] * bool(times))


@BOOK.fits("spectators")
def fits_spectators(state: State) -> bool:
    frame = state.asked(Spectators)
    faced = state.own.disc >= 0 or frame.cause == NEIGHBOURS
    return faced and 0 < frame.places < 1 << PLACES and frame.cause in ("", *EACH, ENTERTAINERS)
