"""Assistants: the choice of three keshis that places them (MK-3), and their use one by one (MK-6).

All seats reveal at once; each then has a step in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import NamedTuple

from msgspec.structs import replace

from engines import bags
from engines.contract import Choice, Domain, Verb
from engines.kit import Objection, question
from engines.marrakesh import madrasa, medina, river, sahara, souk, square, stairs
from engines.marrakesh.book import BOOK, SEAT, happens
from engines.marrakesh.claiming import deploy
from engines.marrakesh.frames import ASSISTANT, IN_TURN, Action, Choose, Effect, RedArea, Sector
from engines.marrakesh.pieces import (
    AREAS,
    BEIGE,
    BROWN,
    CHOSEN,
    GOODS,
    GRAY,
    LETTERS,
    RED,
    SOUK,
    letters,
    of_letters,
)
from engines.marrakesh.state import FRESH_STALL, PLACES, WATER, State

IN_SOUK = 3  # MK-3.2

BOOK.asks(
    Domain("choose", tuple(LETTERS)),
    "choose",
    figures=lambda state: (("n", len(state.asked(Choose).colours) + 1), ("all", CHOSEN)),
)
BOOK.asks(
    Domain("red_area", (*AREAS, SOUK)),
    "red_area",
    fits=lambda state: bags.count(state.own.chosen, RED) > 0 and len(state.own.assistants) < CHOSEN,
)


@BOOK.lists("choose")
def list_choose(state: State) -> list[Choice]:
    chosen = state.asked(Choose).colours
    return BOOK.listed("choose", [each for each in letters(state.own.behind) if each not in chosen])


def limit_of(area: str) -> int:
    """Return the most assistants of an area (MK-3.2)."""
    return IN_SOUK if area == SOUK else 1


@BOOK.offers(
    "red_area.free", "MK-3.3", told=lambda state, token: {"area": token, "n": limit_of(token)}, pieces=False
)
def offer_red_area(state: State) -> list[str]:
    return [area for area in (*AREAS, SOUK) if state.own.assistants.count(area) < limit_of(area)]


@BOOK.check("choose.behind", "MK-3.1", "choose", pieces=True)
def check_choose_behind(state: State, token: str) -> Objection | None:
    chosen = token in state.asked(Choose).colours
    if bags.count(state.own.behind, LETTERS.index(token)) and not chosen:
        return None
    return Objection({"colour": token, **({"variant": "choose.chosen"} if chosen else {})})


@happens("choose", subject=SEAT)
def happen_choose(state: State, _: Effect) -> State:
    """Ask a seat for the keshis of a round."""
    return _ask_keshi(state, "")


def _ask_keshi(state: State, chosen: str) -> State:
    """Ask for the next colour; the last three keshis behind a screen are chosen without asking."""
    if not chosen and bags.total(state.own.behind) <= CHOSEN:
        return _reveal(state, letters(state.own.behind), begun=False)
    if len(chosen) < CHOSEN:
        return state.asking(Choose(chosen, open=bool(chosen)))
    return _reveal(state, chosen, begun=True)


def _reveal(state: State, chosen: str, *, begun: bool) -> State:
    keshis = of_letters(chosen)
    areas = "".join(SOUK if each in GOODS else each for each in chosen if each != LETTERS[RED])
    state = state.with_own(behind=state.own.behind - keshis, chosen=keshis, assistants=areas)
    return state.asking(RedArea(open=begun)) if LETTERS[RED] in chosen else state


@BOOK.effect("choose")
def effect_choose(state: State, token: str) -> State:
    chosen = sorted(state.asked(Choose).colours + token, key=LETTERS.index)
    return _ask_keshi(state.answered(), "".join(chosen))


@BOOK.effect("red_area")
def effect_red_area(state: State, token: str) -> State:
    areas = sorted(state.own.assistants + token, key=(AREAS + SOUK).index)
    return state.answered().with_own(assistants="".join(areas))


@BOOK.fits("choose")
def fits_choose(state: State) -> bool:
    """Return True if the chosen colours are in the order of :data:`.pieces.LETTERS` and too few."""
    chosen, behind = state.asked(Choose).colours, letters(state.own.behind)
    there = chosen == "".join(letter for letter in behind if letter in chosen)
    return there and len(chosen) < CHOSEN < len(behind)


NONE = "none"
KESHI, ACT, LEAVE = "keshi", "act", "leave"
VENDOR_POINTS = 2


def _need_keshi(letter: str) -> Callable[[State], bool]:
    """Return a condition: a keshi of this colour is deployed."""
    kind = LETTERS.index(letter)
    return lambda state: state.own.deployed(kind) > 0


class Act(NamedTuple):
    """An area's action: its condition without an assistant, and its effect."""

    can: Callable[[State], bool]
    do: Callable[..., State]


_ACTS = {
    "t.act": Act(_need_keshi("t"), river.act),
    "g.act": Act(_need_keshi("g"), river.pick),
    **{f"{area}.act": Act(_need_keshi(area), partial(stairs.act, area=area)) for area in "kw"},
    "y.act": Act(madrasa.can, madrasa.act),
    "b.act": Act(medina.can, medina.act),
    "n.act": Act(sahara.can, sahara.act),
    "p.act": Act(lambda _: True, square.act),
    **{
        f"s.sell_{good}": Act(partial(souk.can_sell, colour=good), partial(souk.sell, colour=good))
        for good in GOODS
    },
    "s.buy": Act(souk.can_buy, souk.buy),
}
"""The actions of the areas by token. The disc turns even if nobody performs."""
_SOUK = tuple(use for use in _ACTS if use[0] == SOUK)
_TAKEN = tuple(f"{SOUK}.{good}" for good in GOODS)


@cache
def _name_uses(area: str) -> tuple[str, ...]:
    if area == SOUK:
        return (*_TAKEN, *_SOUK, f"{SOUK}.{LEAVE}")
    return tuple(f"{area}.{use}" for use in (KESHI, ACT, LEAVE))


_VERBS = tuple(Verb(f"area_{area}", _name_uses(area)) for area in (*AREAS, SOUK))
_ACTIONS = Domain("use", tuple(token for verb in _VERBS for token in verb.tokens), verbs=_VERBS, laid=True)

BOOK.asks(
    _ACTIONS,
    "action",
    figures=lambda state: (("n", len(state.own.assistants)), ("assistants", state.own.assistants)),
)
BOOK.asks(Domain("sector", (*_ACTS, NONE)), "sector")


_DISPLAYED = (LETTERS[GRAY], SOUK)
"""The areas with a display: only people see if it has something affordable."""


def _may_act(state: State, use: str) -> bool:
    """Return True if an action has an effect for an assistant, whose vendor may give water first (MK-6.2)."""
    area = use[0]
    watered = area == LETTERS[BROWN] or (area == LETTERS[BEIGE] and not state.compelled)
    return _ACTS[use].can(state.got(WATER, count_water(state, area)) if watered else state)


def _list_uses(state: State, area: str) -> list[str]:
    """Return the uses of an assistant in an area."""
    if area == SOUK:
        return [*_TAKEN, *(use for use in _SOUK if _may_act(state, use))]
    keshi, act, leave = _name_uses(area)
    found = [keshi] if state.own.deployed(AREAS.index(area)) < PLACES else []
    if _may_act(state, act):
        found.append(act)
    return found or [leave]


@BOOK.lists("action")
def list_action(state: State) -> list[Choice]:
    areas = dict.fromkeys(state.own.assistants)
    return BOOK.listed("action", [use for area in areas for use in _list_uses(state, area)])


@BOOK.check("use.assistant", "MK-6.1", "action", pieces=True)
def check_use_assistant(state: State, token: str) -> Objection | None:
    return None if token[0] in state.own.assistants else Objection({"area": token[0]})


@BOOK.check("use.room", "MK-6.4", "action")
def check_use_room(state: State, token: str) -> Objection | None:
    area, _, use = token.partition(".")
    if use != KESHI or state.own.deployed(AREAS.index(area)) < PLACES:
        return None
    return Objection({"area": area})


@BOOK.check("use.leave", "MK-6.4", "action")
def check_use_leave(state: State, token: str) -> Objection | None:
    area, _, use = token.partition(".")
    return Objection({"area": area}) if use == LEAVE and token not in _list_uses(state, area) else None


@BOOK.check("sector.offered", "MK-12.5", "sector")
def check_sector_offered(state: State, token: str) -> Objection | None:
    """Refuse an area that is not the one of scroll 64."""
    offered = token == NONE or state.asked(Sector).area in ("", token[0])
    return None if offered else Objection({"area": token[0]})


_NOTHING = {"t": "MK-7.1", "g": "MK-8.1", "k": "MK-11.1", "w": "MK-11.1"} | dict.fromkeys(
    f"ybn{SOUK}", "MK-6.5"
)
"""The clause by which an action may have no effect, by area; in the square the disc always turns."""


def check_nothing(area: str, state: State, token: str) -> Objection | None:
    """Refuse an action without an effect."""
    if token[0] != area or token not in _ACTS:
        return None
    sector = question(state) == "sector"
    if _ACTS[token].can(state) if sector else _may_act(state, token):
        return None
    dear = {"variant": "nothing.n_price"} if area == LETTERS[BROWN] and sahara.list_places(state) else {}
    return Objection({"area": area, **dear, "remedy": "sector.nothing" if sector else "use.nothing"})


for _area, _clause in _NOTHING.items():
    BOOK.check(f"nothing.{_area}", _clause, "action", "sector", pieces=True)(partial(check_nothing, _area))


@happens("use", subject=SEAT)
def happen_use(state: State, _: Effect) -> State:
    """Begin a seat's turn; vendors placed before it pay (MK-6.2)."""
    side = state.own
    began = (0, 0) if state.compelled else (len(side.scrolls), len(side.goods))
    return replace(state, began=began).with_own(fresh=0).doing(IN_TURN)


@happens(ASSISTANT)
def happen_assistant(state: State, _: Effect) -> State:
    """Ask for the use of the next assistant, if there is one."""
    if not state.own.assistants:
        return replace(state, began=(0, 0))
    several = len(state.own.assistants) > 1
    return state.asking(IN_TURN, Action()) if several else BOOK.ask(state.asking(IN_TURN), Action())


def count_water(state: State, area: str) -> int:
    """Return the water that an area's vendor gives an assistant (MK-6.2, scrolls 35 and 57)."""
    side = state.own
    if area == SOUK:
        there = side.stall and not side.fresh & FRESH_STALL
    else:
        there = bool((side.vendors & ~side.fresh) >> AREAS.index(area) & 1)
    return there * (2 if state.owns("double_water") else 1)


@BOOK.effect("action")
def effect_action(state: State, token: str) -> State:
    area, _, use = token.partition(".")
    paid = count_water(state, area)
    state = state.answered().with_own(assistants=state.own.assistants.replace(area, "", 1))
    state = state.got(WATER, paid)
    if use == LEAVE:
        return state
    if use == KESHI or use in GOODS:
        return deploy(state, area if use == KESHI else use)
    if paid and area != SOUK and state.owns("vendor_points"):
        state = state.gained("scrolls", VENDOR_POINTS, "50")
    return do_action(state, token)


def do_action(state: State, use: str, *, assistant: bool = True) -> State:
    """Return the state after an action; only an assistant may exchange or buy several (MK-12.5)."""
    do = _ACTS[use].do
    return do(state, several=assistant) if use[0] == SOUK else do(state)


@happens("act", subject=f"[{LETTERS}]?")
def happen_act(state: State, effect: Effect) -> State:
    """Do the action of an area, by default one of choice, without an assistant or its water (MK-12.5)."""
    if not effect.subject:
        return state.asking(Sector(why=effect.why, source=effect.source))
    area = SOUK if effect.subject in GOODS else effect.subject
    if area == LETTERS[RED]:
        area = AREAS[(state.own.vendors & ~effect.number).bit_length() - 1]
    uses = [use for use, act in _ACTS.items() if use[0] == area and act.can(state)]
    if uses and area in _DISPLAYED:
        return state.asking(Sector(area))
    return do_action(state, *uses) if uses else state


@BOOK.effect("sector")
def effect_sector(state: State, token: str) -> State:
    return state.answered() if token == NONE else do_action(state.answered(), token, assistant=False)
