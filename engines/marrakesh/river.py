"""The river (MK-7) with its rapids (MK-15.1), and the date orchard beside it (MK-8.1)."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable
from functools import lru_cache

from engines import bags
from engines.contract import Choice, Domain, Figures, Multiset
from engines.kit import Objection, within
from engines.marrakesh.book import BOOK, SEAT, SOME, effect_of, happens
from engines.marrakesh.facts import Printing
from engines.marrakesh.frames import Effect, Harvest, Rapid, Sail
from engines.marrakesh.pieces import GREEN, TURQUOISE
from engines.marrakesh.state import DATE, DINAR, WATER, State

JETTY = "jetty"
WRITTEN = 99
"""The most steps beyond the jetty that people may write; nobody can pay for more."""


def jetty(copy: Printing) -> int:
    """Return the steps from the start to the jetty, which is behind the last space (MK-7.3)."""
    return copy.river_length + 1


def _write_goal(copy: Printing, steps: int) -> str:
    over = steps - jetty(copy)
    return str(steps) if over < 0 else f"{JETTY}+{over}" if over else JETTY


def _read_goal(copy: Printing, token: str) -> int:
    goal, _, over = token.partition("+")
    return jetty(copy) + int(over or 0) if goal == JETTY else int(goal)


@lru_cache
def _make_sails(copy: Printing, over: int) -> Domain:
    every = tuple(_write_goal(copy, steps) for steps in range(1, jetty(copy) + WRITTEN + 1))
    reached = jetty(copy) + over
    return Domain("sail", every[:reached], written=every[reached:], laid=True)


@lru_cache
def _make_rapids(bonus: tuple[str, ...]) -> Domain:
    """Return the domain of rapids by their bonuses; rapids with the same bonus are alike."""
    return Domain("rapid", tuple(dict.fromkeys(bonus)))


def _find_reach(state: State) -> tuple[int, int]:
    """Return the goal of the move without paid water, and with all of it, in steps from the start."""
    least = state.own.fisherman + state.asked(Sail).steps
    return least, least + state.own.resource(WATER)


BOOK.asks(
    lambda state: _make_sails(state.copy, max(_find_reach(state)[1] - jetty(state.copy), 0)),
    "sail",
    fits=within(steps=SOME),
)
BOOK.asks(
    lambda state: _make_rapids(state.copy.rapid_bonus),
    "rapid",
    fits=lambda state: bool(list_crossed(state, state.seat)),
)


@BOOK.figures("sail")
def figures_sail(state: State) -> Figures:
    """Tell the water to pay by goal (MK-7.1)."""
    side, (least, most) = state.own, _find_reach(state)
    more = ((f"more.{_write_goal(state.copy, to)}", f"{to - least}w") for to in range(least + 1, most + 1))
    return (("n", state.asked(Sail).steps), ("space", side.fisherman), ("water", side.resource(WATER)), *more)


def list_crossed(state: State, seat: int) -> tuple[int, ...]:
    """Return the rapids behind a seat's fisherman, from 0 for the first (MK-7.2)."""
    return tuple(range(bisect(state.copy.rapids, state.sides[seat].fisherman)))


def rank_foremost(state: State) -> tuple[int, ...]:
    """Return the seats with a fisherman beyond the start, the foremost first (MK-15.2).

    At the jetty the best spot comes first (MK-7.3), then those without one in turn order; on a shared space
    the fisherman that came first.
    """
    last = len(state.copy.jetty) + 1

    def rank(seat: int) -> tuple[int, int]:
        side = state.sides[seat]
        at_jetty = side.fisherman == jetty(state.copy)
        return -side.fisherman, side.spot or last * at_jetty

    return tuple(sorted((seat for seat in state.order if state.sides[seat].fisherman), key=rank))


@BOOK.lists("sail")
def list_sail(state: State) -> list[Choice]:
    least, most = _find_reach(state)
    return BOOK.listed("sail", [_write_goal(state.copy, steps) for steps in range(least, most + 1)])


def _tell_not_crossed(state: State, token: str) -> dict[str, int | str]:
    rapid = state.copy.rapids[state.copy.rapid_bonus.index(token)]
    return {"reward": token, "space": state.own.fisherman, "rapid": rapid}


@BOOK.offers("rapid.crossed", "MK-15.1", told=_tell_not_crossed, pieces=False)
def offer_rapid(state: State) -> list[str]:
    bonus = state.copy.rapid_bonus
    return list(dict.fromkeys(bonus[at] for at in list_crossed(state, state.seat)))


@BOOK.check("sail.short", "MK-7.1", "sail")
def check_sail_short(state: State, token: str) -> Objection | None:
    """Refuse to take fewer steps than won."""
    least, _ = _find_reach(state)
    if _read_goal(state.copy, token) >= least:
        return None
    return Objection({"to": token, "least": _write_goal(state.copy, least), "n": state.asked(Sail).steps})


@BOOK.check("sail.water", "MK-7.1", "sail", pieces=True)
def check_sail_water(state: State, token: str) -> Objection | None:
    least, most = _find_reach(state)
    steps = _read_goal(state.copy, token)
    return Objection({"to": token, "needed": steps - least, "water": most - least}) if steps > most else None


def act(state: State) -> State:
    """Do the river's action: 1 step for each fish (MK-7.1)."""
    return state.doing(Effect("river", number=state.own.deployed(TURQUOISE)))


@happens("river")
def happen_river(state: State, effect: Effect) -> State:
    """Ask for one move of all steps; void for 0 (MK-7.1)."""
    return BOOK.ask(state, Sail(effect.times)) if effect.times else state


@BOOK.effect("sail")
def effect_sail(state: State, token: str) -> State:
    least, _ = _find_reach(state)
    goal = _read_goal(state.copy, token)
    before = list_crossed(state, state.seat)
    state = _put_fisherman(state.answered().got(WATER, min(least - goal, 0)), goal)
    if not state.owns("rapids_at_once"):
        return state
    return give_rapids(state, (at for at in list_crossed(state, state.seat) if at not in before))


def _put_fisherman(state: State, goal: int) -> State:
    """Put the fisherman at the jetty, on the space, or on the nearest free one before it (MK-7.2)."""
    end, came = jetty(state.copy), state.own.fisherman
    others = [side for seat, side in enumerate(state.sides) if seat != state.seat]
    if goal < end:
        there = {side.fisherman for side in others}
        while goal in there and goal and not state.variant.shared:
            goal -= 1
        line = [side.spot + 1 for side in others if side.fisherman == goal and goal]
        return state.with_own(fisherman=goal, spot=max(line, default=0))
    if came < end:
        taken = [side.spot for side in others if side.fisherman == end]
        spot = next((n for n in range(1, len(state.copy.jetty) + 1) if n not in taken), 0)
        state = state.with_own(fisherman=end, spot=spot)
        state = state.gained("river", state.copy.jetty[spot - 1] if spot else 0, JETTY)
    each = 2 if state.owns("top_jetty") else 1
    return state.gained("river", (goal - end) * each, "further")


@happens("rapids", subject=SEAT)
def happen_rapids(state: State, _: Effect) -> State:
    """Give a seat one rapid's bonus at a round's end, with scroll 69 those of all crossed ones (MK-15.1)."""
    there = list_crossed(state, state.seat)
    if not there:
        return state
    return give_rapids(state, there) if state.owns("every_rapid") else BOOK.ask(state, Rapid())


@BOOK.effect("rapid")
def effect_rapid(state: State, token: str) -> State:
    return give_rapids(state.answered(), [state.copy.rapid_bonus.index(token)])


@happens("season_rapids", subject=SEAT)
def happen_season_rapids(state: State, _: Effect) -> State:
    """Give with scroll 28 the bonus of each crossed rapid at the beginning of a season's scoring."""
    return give_rapids(state, list_crossed(state, state.seat)) if state.owns("season_rapids") else state


def give_rapids(state: State, rapids: Iterable[int]) -> State:
    """Return the state in which the bonuses of these rapids come next, with scroll 60 twice."""
    times = 2 if state.owns("double_rapids") else 1
    for at in sorted(rapids, reverse=True):
        state = state.doing(*[effect_of(state.copy.rapid_bonus[at], "rapids", f"rapid{at + 1}")] * times)
    return state


BRINGS = {"d": "date", "w": "water", "n": "dinar", "v": "vp"}
"""The kinds of a harvest: a date, water, a dinar, 1 VP."""
KINDS = tuple(BRINGS)
_VP = "scroll 25"


def _list_allowed(state: State) -> str:
    """Return the kinds of a harvest: dates, and those that scrolls add."""
    return "".join(kind for kind, word in BRINGS.items() if kind == "d" or state.owns(f"harvest_{word}"))


@lru_cache
def _limit_harvest(pickers: int, allowed: str) -> Multiset:
    caps = bags.bag(KINDS.index(kind) for kind in allowed) * pickers
    return Multiset("harvest", KINDS, pickers, pickers, bags.one(0, pickers), caps)


def make_harvest(state: State) -> Multiset:
    """Return the domain of a harvest: 1 of some kind for each date picker."""
    return _limit_harvest(state.own.deployed(GREEN), _list_allowed(state))


BOOK.asks(
    make_harvest,
    "harvest",
    figures=lambda state: (("n", state.own.deployed(GREEN)),),
    fits=lambda state: state.own.deployed(GREEN) > 0 and len(_list_allowed(state)) > 1,
)


@BOOK.check("harvest.scroll", "MK-8.1", "harvest")
def check_harvest_scroll(state: State, token: str) -> Objection | None:
    allowed = _list_allowed(state)
    chosen = bags.items(make_harvest(state).read(token))
    beyond = [BRINGS[KINDS[kind]] for kind, _ in chosen if KINDS[kind] not in allowed]
    return Objection({"resource": beyond[0]}) if beyond else None


def pick(state: State) -> State:
    """Give 1 date for each date picker, or ask if a scroll allows other kinds."""
    if len(_list_allowed(state)) > 1:
        return state.asking(Harvest())
    return state.got(DATE, state.own.deployed(GREEN))


@BOOK.effect("harvest")
def effect_harvest(state: State, token: str) -> State:
    *resources, points = bags.counts(make_harvest(state).read(token), len(KINDS))
    state = state.answered()
    for kind, number in zip((DATE, WATER, DINAR), resources, strict=True):
        state = state.got(kind, number)
    return state.gained("orchard", points, _VP)
