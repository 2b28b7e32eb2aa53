"""The madrasa (MK-12): the purchase of scrolls, and scrolls won without scholars."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engines.contract import Choice, Domain, Figures, Verb
from engines.kit import Objection, of_frame, within
from engines.marrakesh import pieces
from engines.marrakesh.book import BOOK, Varies, ask_again, asking, happens
from engines.marrakesh.frames import Effect, Learn, Scroll
from engines.marrakesh.paying import can_pay, pay
from engines.marrakesh.pieces import GRAY, SCROLL_NUMBERS
from engines.marrakesh.state import DATE, PLACES, State

DONE, NONE = "done", "none"
STACKS = 3
"""Stacks of scrolls of a colour (MK-1.3)."""
BOUGHT = "+"
_TURN = "turn_"
_TOKENS = {colour: tuple(map(str, numbers)) for colour, numbers in SCROLL_NUMBERS.items()}
_COLOUR = {token: colour for colour, tokens in _TOKENS.items() for token in tokens}
_TURNS = {f"{_TURN}{colour}": colour for colour in SCROLL_NUMBERS}
_CONCERNS = _COLOUR | _TURNS
"""The colour of a scroll, or of scrolls to turn up."""
ANY = 0
"""The detail of ``learn`` for a scroll that may need any number of scholars."""
LEARNT_FOR = {ANY: 0, 3: 0, 7: 1}
"""The dates that a won scroll costs, by the scholars that it would need (MK-14.6, scroll 58)."""

_SCROLLS = tuple(Verb(f"scroll_{colour}", tokens) for colour, tokens in _TOKENS.items())
BOOK.asks(
    Domain(
        "scroll",
        (*_COLOUR, *_TURNS, DONE),
        verbs=(*_SCROLLS, Verb("turn", tuple(_TURNS)), Verb(DONE, (DONE,))),
        laid=True,
    ),
    "scroll",
    # There may be more engaged scholars than deployed ones: an oasis given by a scroll may exchange one.
    fits=within(engaged=range(PLACES + 1), since=("", BOUGHT, *SCROLL_NUMBERS)),
)
BOOK.asks(
    Domain("learn", (*_COLOUR, NONE), verbs=(*_SCROLLS, Verb(NONE, (NONE,))), laid=True),
    "learn",
    figures=of_frame(n="scholars"),
    fits=within(scholars=LEARNT_FOR),
)


@BOOK.figures("scroll")
def figures_scroll(state: State) -> Figures:
    frame = state.asked(Scroll)
    return (
        ("n", _count_free(state)),
        ("turned", frame.since if frame.since in SCROLL_NUMBERS else ""),
    )


# The scrolls on offer


@lru_cache(4096)
def _drop_taken(colour: str, scrolls: tuple[tuple[int, ...], ...]) -> tuple[str, ...]:
    return tuple(token for token in _TOKENS[colour] if not any(int(token) in each for each in scrolls))


def list_left(state: State, colour: str) -> tuple[str, ...]:
    """Return the scrolls of a colour that nobody has."""
    return _drop_taken(colour, tuple([side.scrolls for side in state.sides]))


def _count_won(state: State, colour: str) -> int:
    """Return the number of scrolls of a colour won in the current turn of assistants."""
    numbers = SCROLL_NUMBERS[colour]
    return sum(number in numbers for number in state.won_in_turn[0])


def to_turn_up(state: State, won: Iterable[int]) -> tuple[str, ...]:
    """Return the colours of the stacks that turn up their next scrolls in place of those won."""
    colours = [_COLOUR[f"{number}"] for number in won]
    return tuple(colour for colour in colours if list_left(state, colour))


def may_be_empty(state: State, colour: str) -> bool:
    """Return True if a stack of a colour may be empty while another is not (MK-12.3)."""
    left = len(list_left(state, colour))
    return 0 < left <= len(SCROLL_NUMBERS[colour]) * (STACKS - 1) // STACKS


def list_tops(state: State, colour: str) -> tuple[str, ...]:
    """Return the scrolls of a colour that may lie open, none after each stack gave its top (MK-12.3)."""
    return list_left(state, colour) if _count_won(state, colour) < STACKS else ()


def _count_free(state: State) -> int:
    """Count the scholars that support no scroll in the current action (MK-12.1)."""
    return state.own.deployed(GRAY) - state.asked(Scroll).engaged


@Varies
def due(state: State, dates: int) -> int:
    """Return the dates that the asked seat pays for a scroll with the cost ``dates``."""
    return dates


def _find_price(state: State, colour: str) -> int:
    """Return the cost of a bought scroll of a colour, in dates."""
    return due(state, pieces.DATES[colour])


def _find_won_price(state: State) -> int:
    """Return the cost of a won scroll, in dates."""
    return due(state, LEARNT_FOR[state.asked(Learn).scholars])


def _can_afford(state: State, colour: str, scholars: int, dinars: int = 0) -> bool:
    """Return True if these scholars suffice for a scroll of a colour, and the seat can pay."""
    return pieces.SCHOLARS[colour] <= scholars and can_pay(state, (0, _find_price(state, colour), dinars))


def _list_buyable(state: State) -> list[str]:
    """Return the colours of which a scroll may be bought now: after a turn only the turned one (MK-12.2)."""
    since, there = state.asked(Scroll).since, _count_free(state)
    return [
        each for each in SCROLL_NUMBERS if since in ("", BOUGHT, each) and _can_afford(state, each, there)
    ]


def _list_turns(state: State) -> list[str]:
    there = _count_free(state) if _may_turn(state) else 0
    found = [each for each in SCROLL_NUMBERS if _can_afford(state, each, there, 1) and list_tops(state, each)]
    return [f"{_TURN}{colour}" for colour in found]


def _may_end(state: State) -> bool:
    """Return True if the action may end: always (MK-6.5), except after a turn, and before a purchase under
    version 1.
    """
    since = state.asked(Scroll).since
    return since == BOUGHT or (since == "" and not state.compelled)


@BOOK.lists("scroll")
def list_scroll(state: State) -> list[Choice]:
    found = [token for colour in _list_buyable(state) for token in list_tops(state, colour)]
    done = [DONE] * _may_end(state)
    return BOOK.listed("scroll", found + _list_turns(state) + done)


@BOOK.lists("learn")
def list_learn(state: State) -> list[Choice]:
    needed = state.asked(Learn).scholars
    if not can_pay(state, (0, _find_won_price(state), 0)):
        return BOOK.listed("learn", (NONE,))
    colours = (each for each, scholars in pieces.SCHOLARS.items() if needed in (ANY, scholars))
    return BOOK.listed("learn", [*(token for colour in colours for token in list_tops(state, colour)), NONE])


def _list_named(token: str) -> tuple[str, ...]:
    """Return the figures that depend on the token: scrolls of a verb have one colour, its turns do not."""
    return ("colour", "needed") if token in _TURNS else ()


@BOOK.check("scroll.taken", "MK-12.4", "scroll", "learn", pieces=True)
def check_scroll_taken(state: State, token: str) -> Objection | None:
    if token not in _COLOUR:
        return None
    owner = next((seat for seat, side in enumerate(state.sides) if int(token) in side.scrolls), None)
    if owner is None:
        return None
    return Objection({"scroll": int(token), "seat": owner}, names=("scroll", "seat"))


@BOOK.check("scroll.new", "MK-12.3", "scroll", "learn")
def check_scroll_new(state: State, token: str) -> Objection | None:
    """Refuse a colour whose stacks all gave their tops; the turn's end turns up new ones."""
    colour = _CONCERNS.get(token)
    gone = colour and _count_won(state, colour) >= STACKS
    return Objection({"colour": colour, "n": STACKS}, names=_list_named(token)) if colour and gone else None


@BOOK.check("scroll.turned", "MK-12.2", "scroll", whole=True)
def check_scroll_turned(state: State, token: str) -> Objection | None:
    """Refuse another colour before a scroll of the turned colour is bought."""
    turned = state.asked(Scroll).since
    if turned not in SCROLL_NUMBERS or _COLOUR.get(token) == turned:
        return None
    return Objection({"colour": turned})


def _may_turn(state: State) -> bool:
    """Return True if scrolls may be turned up: once in a round, before the first purchase (MK-12.2)."""
    return not (state.asked(Scroll).since or state.own.refreshed)


BOOK.needs("scroll.turn", "MK-12.2", _TURNS, "scroll", _may_turn)


@BOOK.check("scroll.gone", "MK-12.2", "scroll", pieces=True)
def check_scroll_gone(state: State, token: str) -> Objection | None:
    colour = _TURNS.get(token)
    if not colour or list_left(state, colour):
        return None
    return Objection({"colour": colour}, names=_list_named(token))


BOOK.needs("scroll.done", "MK-12.1", (DONE,), "scroll", _may_end)


@BOOK.check("scroll.scholars", "MK-12.1", "scroll")
def check_scroll_scholars(state: State, token: str) -> Objection | None:
    colour = _CONCERNS.get(token)
    if not colour or pieces.SCHOLARS[colour] <= _count_free(state):
        return None
    figures = {"needed": pieces.SCHOLARS[colour], "n": _count_free(state), "all": state.own.deployed(GRAY)}
    return Objection({"colour": colour, **figures}, names=_list_named(token))


@BOOK.check("scroll.dates", "MK-12.1", "scroll")
def check_scroll_dates(state: State, token: str) -> Objection | None:
    colour = _CONCERNS.get(token)
    if not colour or can_pay(state, (0, _find_price(state, colour), 0)):
        return None
    figures = {"needed": _find_price(state, colour), "n": state.own.resource(DATE)}
    return Objection({"colour": colour, **figures}, names=_list_named(token))


@BOOK.check("scroll.dinar", "MK-12.2", "scroll")
def check_scroll_dinar(state: State, token: str) -> Objection | None:
    colour = _TURNS.get(token)
    if not colour or can_pay(state, (0, _find_price(state, colour), 1)):
        return None
    return Objection({"colour": colour}, names=_list_named(token))


@BOOK.check("learn.needs", "MK-14.6", "learn")
def check_learn_needs(state: State, token: str) -> Objection | None:
    needed = state.asked(Learn).scholars
    if token == NONE or needed in (ANY, pieces.SCHOLARS[_COLOUR[token]]):
        return None
    return Objection({"needed": needed, "n": pieces.SCHOLARS[_COLOUR[token]]})


@BOOK.check("learn.dates", "MK-12.4", "learn")
def check_learn_dates(state: State, token: str) -> Objection | None:
    needed = _find_won_price(state)
    return None if token == NONE or can_pay(state, (0, needed, 0)) else Objection({"needed": needed})


def can(state: State) -> bool:
    """Return True if the seat can buy a scroll."""
    there = state.own.deployed(GRAY)
    return any(_can_afford(state, colour, there) and list_tops(state, colour) for colour in SCROLL_NUMBERS)


def act(state: State) -> State:
    """Ask for any number of scrolls, one by one; each scholar supports one (MK-12.1)."""
    return BOOK.ask(state, Scroll())


@BOOK.effect("scroll")
def effect_scroll(state: State, token: str) -> State:
    engaged, state = state.asked(Scroll).engaged, state.answered()
    if token == DONE:
        return state
    state = state.with_own(refreshed=True)
    if token in _TURNS:
        colour = _TURNS[token]
        state = ask_again(state, Scroll(colour, engaged))
        return pay(state, (0, 0, 1), kept=_find_price(state, colour))
    colour = _COLOUR[token]
    engaged = min(engaged + pieces.SCHOLARS[colour], state.own.deployed(GRAY))
    state = ask_again(state, Scroll(BOUGHT, engaged))
    return take_scroll(state, token, _find_price(state, colour))


happens("learn")(asking(lambda effect: Learn(effect.times)))
"""A displayed scroll without scholars: one that needs exactly ``n``, or any."""


@BOOK.effect("learn")
def effect_learn(state: State, token: str) -> State:
    dates, state = _find_won_price(state), state.answered()
    return state if token == NONE else take_scroll(state, token, dates)


def take_scroll(state: State, token: str, dates: int) -> State:
    """Pay for a scroll and take it; an instant one acts at once (MK-12.4)."""
    state = pay(state, (0, dates, 0)).with_own(scrolls=(*state.own.scrolls, int(token)))
    return state.doing(Effect("scroll", token))


@BOOK.possible("scroll")
def possible_scroll(state: State, token: str) -> bool:
    return token not in _TURNS or state.asked(Scroll).since not in SCROLL_NUMBERS
