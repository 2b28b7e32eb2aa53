"""The souk (MK-9): the exchange office, and luxury goods."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from random import Random

from msgspec.structs import replace

from engines import bags
from engines.contract import Choice, Domain, Multiset
from engines.kit import Objection, of_frame
from engines.marrakesh import pieces
from engines.marrakesh.book import BOOK, Varies, ask_again, happens
from engines.marrakesh.facts import Printing, look_up
from engines.marrakesh.frames import ONCE, Effect, Good, Line, SellMore
from engines.marrakesh.paying import return_keshis, write_amounts
from engines.marrakesh.pieces import COLOURS, GOODS, KINDS, LETTERS
from engines.marrakesh.state import RESOURCES, State

NONE = "none"
STACKS = 5
"""Stacks of luxury goods (MK-1.3)."""
MANY, FREE = "+", "free"
"""Details of ``good``: an assistant that buys several (scroll 34), and a won good."""
_LINE = Multiset("line", ("w", "d", "n", "v", "r", "s"), 1, 6)
_GIVES = ("water", "date", "dinar", "vp", "river", "stair")
"""The effects of a line, in the order of its kinds."""
_LINES = ("2d", "1n", "2w", "1w1n", "1d1r", "1n1v", "1w1s")
"""Lines of exchange offices (MK-9.2, MK-17.3)."""
NEW = "new"
KINDS_OF_GOODS = tuple(LETTERS.index(good) for good in GOODS)
_GAINS = "vwdn"

BOOK.asks(_LINE, "line", report=True, figures=of_frame("season", colour="colour"))
BOOK.asks(Domain("sell_more", (*GOODS, NONE)), "sell_more", fits=lambda state: state.owns("many_exchanges"))


def draw_line(_: State, rng: Random) -> str:
    """Draw a line of an exchange office."""
    return rng.choice(_LINES)


# The costs of goods


Tag = tuple[int, ...] | None
"""A good's cost in yellow, purple and orange keshis, then its gains; None while unknown."""


def name_good(copy: Printing, good: str) -> str:
    """Return a good's name by its cost and gains, ``slipper.1o2v1w``."""
    tag: Tag = look_up(copy, f"good.{good}")
    return f"{good[:-1]}.{NEW if tag is None else write_amounts(tag, GOODS + _GAINS)}"


@lru_cache(64)
def _group_goods(copy: Printing) -> dict[str, tuple[str, ...]]:
    """Return the goods by name."""
    found: dict[str, tuple[str, ...]] = {}
    for good in pieces.LUXURY_GOODS:
        name = name_good(copy, good)
        found[name] = (*found.get(name, ()), good)
    return found


@lru_cache(64)
def _list_tags(copy: Printing) -> dict[str, Tag]:
    """Return the costs and gains of goods by name."""
    return {name: look_up(copy, f"good.{alike[0]}") for name, alike in _group_goods(copy).items()}


def find_tag(copy: Printing, token: str) -> Tag:
    """Return the cost and gains of a good by name, None while unknown."""
    return _list_tags(copy).get(token)


@lru_cache(64)
def _make_domain(copy: Printing) -> Domain:
    return Domain("good", (*_group_goods(copy), NONE), laid=True)


BOOK.asks(
    lambda state: _make_domain(state.copy),
    "good",
    figures=lambda state: (("variant", FREE),) if state.asked(Good).terms == FREE else (),
)


def _find_taken(state: State) -> set[str]:
    return {good for side in state.sides for good in side.goods}


def count_goods_left(state: State) -> int:
    """Return the number of luxury goods that nobody has."""
    return len(pieces.LUXURY_GOODS) - len(_find_taken(state))


def goods_may_be_empty(state: State) -> bool:
    """Return True if a stack of goods may be empty while another is not (MK-9.4)."""
    return 0 < count_goods_left(state) <= len(pieces.LUXURY_GOODS) * (STACKS - 1) // STACKS


def count_held(state: State) -> tuple[int, ...]:
    """Return the numbers of the asked seat's goods keshis, by colour."""
    return bags.counts(state.own.board, KINDS)[-len(GOODS) :]


def _list_left(state: State, token: str) -> list[str]:
    """Return the goods with this name that nobody has."""
    taken = _find_taken(state)
    return [good for good in _group_goods(state.copy)[token] if good not in taken]


@Varies
def count_less(state: State) -> int:
    """Return the number of keshis of a good's price that the asked seat need not pay."""
    return 0


@Varies
def pay_good(state: State, cost: tuple[int, ...]) -> State:
    """Return the state after a good's price in yellow, purple and orange keshis was paid."""
    return return_keshis(state, sum(bags.one(kind, n) for kind, n in zip(KINDS_OF_GOODS, cost, strict=True)))


def _count_spared(state: State) -> int:
    """Return the number of keshis that the good in question does not cost: all if it is won."""
    return _WHOLE_PRICE if state.asked(Good).terms == FREE else count_less(state)


_WHOLE_PRICE = len(GOODS) * 12
"""No good costs more keshis."""


def _can_afford(tag: Tag, held: tuple[int, ...], spared: int) -> bool:
    """Return True if ``held`` pays for a good except ``spared`` keshis; an unknown price is at least one."""
    if tag is None:
        return any(held) or spared > 0
    return sum(max(0, cost - there) for cost, there in zip(tag, held, strict=False)) <= spared


@lru_cache(4096)
def _list_within(copy: Printing, held: tuple[int, ...], spared: int) -> tuple[str, ...]:
    """Return the names of goods that ``held`` pays for except ``spared`` keshis."""
    return tuple(name for name, tag in _list_tags(copy).items() if _can_afford(tag, held, spared))


def _is_open(state: State) -> bool:
    """Return True if a good that lay open at the beginning of the turn still does (MK-12.3)."""
    return len(state.won_in_turn[1]) < STACKS


def _list_for_sale(state: State, spared: int) -> Iterable[str]:
    """Return the names of goods left that the seat can pay for except ``spared`` keshis, or may be able to;
    none after each stack gave its top.
    """
    if not _is_open(state):
        return ()
    taken, alike = _find_taken(state), _group_goods(state.copy)
    payable = _list_within(state.copy, count_held(state), spared)
    return (name for name in payable if not taken.issuperset(alike[name]))


def _may_end(state: State) -> bool:
    """Return True if the seat may buy no other good: always, under version 1 after the first."""
    return state.asked(Good).declinable > 0 or not state.compelled


@BOOK.lists("good")
def list_good(state: State) -> list[Choice]:
    return BOOK.listed("good", [*_list_for_sale(state, _count_spared(state)), *[NONE] * _may_end(state)])


@BOOK.offers("sell_more.keshi", "MK-9.2", told="colour")
def offer_sell_more(state: State) -> list[str]:
    return [*(good for good in GOODS if can_sell(state, good)), NONE]


BOOK.needs("good.done", "MK-9.1", (NONE,), "good", _may_end)


@BOOK.check("good.taken", "MK-9.3", "good", pieces=True)
def check_good_taken(state: State, token: str) -> Objection | None:
    return None if token == NONE or _list_left(state, token) else Objection({"good": token})


@BOOK.check("good.new", "MK-12.3", "good")
def check_good_new(state: State, token: str) -> Objection | None:
    """Refuse a good after each stack gave its top; the turn's end turns up new ones."""
    return None if token == NONE or _is_open(state) else Objection({"n": STACKS})


@BOOK.check("good.price", "MK-9.3", "good")
def check_good_price(state: State, token: str) -> Objection | None:
    if token == NONE:
        return None
    tag = _list_tags(state.copy)[token]
    if _can_afford(tag, count_held(state), _count_spared(state)):
        return None
    if tag is None:
        return Objection({"good": token, "variant": "good.empty"})
    lack = [max(0, cost - there) for cost, there in zip(tag, count_held(state), strict=False)]
    figures: dict[str, int | str] = {
        "good": token,
        "n": sum(tag[: len(GOODS)]),
        "colours": write_amounts(lack, GOODS, ","),
    }
    if _count_spared(state):
        figures["variant"] = "good.price_spared"
    return Objection(figures, names=("good", "n", "colours"))


# Effects: the exchange office


def can_sell(state: State, colour: str) -> bool:
    """Return True if the seat has a goods keshi of this colour."""
    return state.own.deployed(LETTERS.index(colour)) > 0


def sell(state: State, colour: str, *, several: bool = True) -> State:
    """Give a keshi for the office's gains; with scroll 46 an assistant exchanges several."""
    state = return_keshis(state, bags.one(LETTERS.index(colour)))
    if several and state.owns("many_exchanges"):
        state = ask_again(state, SellMore())
    line = state.lines[GOODS.index(colour)]
    return give_line(state, colour, line) if line else ask_office(state, colour)


@Varies
def ask_office(state: State, colour: str) -> State:
    """Return the state that asks for the office's line of a colour."""
    return state.asking(Line(colour))


def read_line(line: str) -> tuple[tuple[str, int], ...]:
    """Return the gains of an office's line: names of :data:`_GIVES` with their numbers."""
    counts = bags.counts(_LINE.read(line), len(_GIVES)) if line else ()
    return tuple((name, n) for name, n in zip(_GIVES, counts, strict=False) if n)


def give_line(state: State, colour: str, line: str) -> State:
    """Give the gains of a line, and with scroll 18 a resource of choice; river and stairs come last."""
    source = COLOURS[LETTERS.index(colour)]
    gives = [Effect(name, "", n, "offices", source) for name, n in read_line(line)]
    if state.owns("more_exchange"):
        resources = sum(name in RESOURCES for name, _ in read_line(line))
        gives.insert(resources, Effect("any", "", ONCE, "offices", source))
    return state.doing(*gives)


@BOOK.effect("line")
def effect_line(state: State, token: str) -> State:
    colour = state.asked(Line).colour
    at = GOODS.index(colour)
    lines = (*state.lines[:at], token, *state.lines[at + 1 :])
    return give_line(replace(state.answered(), lines=lines), colour, token)


@BOOK.effect("sell_more")
def effect_sell_more(state: State, token: str) -> State:
    return state.answered() if token == NONE else sell(state.answered(), token)


# Effects: luxury goods


def can_buy(state: State) -> bool:
    """Return True if the seat can buy a luxury good, or may be able to."""
    return any(True for _ in _list_for_sale(state, count_less(state)))


def buy(state: State, *, several: bool = True) -> State:
    """Ask for one luxury good; with scroll 34 an assistant buys several."""
    many = several and state.owns("many_goods")
    return BOOK.ask(state, Good(MANY * many))


def ask_won(state: State) -> State:
    """Ask for a displayed luxury good that costs nothing and may be declined."""
    return BOOK.ask(state, Good(FREE, 1))


@BOOK.effect("good")
def effect_good(state: State, token: str) -> State:
    if token == NONE:
        return state.answered()
    good = _list_left(state, token)[0]
    return state.doing(Effect("good", good)) if token.endswith(NEW) else _buy_good(state, good)


@happens("good", subject="|".join(pieces.LUXURY_GOODS), needs=lambda _, effect: [f"good.{effect.subject}"])
def happen_good(state: State, effect: Effect) -> State:
    """Buy a good after its price was told, or ask again if it is too dear (MK-9.3)."""
    if _can_afford(look_up(state.copy, f"good.{effect.subject}"), count_held(state), _count_spared(state)):
        return _buy_good(state, effect.subject)
    return BOOK.ask(state.answered(), replace(state.asked(Good), declinable=1))


def _buy_good(state: State, good: str) -> State:
    """Pay a good's cost unless it is won, give its VP and resources, and ask for another if allowed."""
    tag, frame = look_up(state.copy, f"good.{good}"), state.asked(Good)
    state = state.answered()
    if frame.terms == MANY:
        state = ask_again(state, replace(frame, declinable=1))
    cost, (points, *resources) = tag[: len(GOODS)], tag[len(GOODS) :]
    for resource, n in enumerate(resources):
        state = state.got(resource, n)
    state = state.with_own(goods=(*state.own.goods, good))
    state = state.gained("souk", points, f"{good[:-1]} {good[-1]}")
    return state if frame.terms == FREE else pay_good(state, cost)


@BOOK.fits("line")
def fits_line(state: State) -> bool:
    colour = state.asked(Line).colour
    return colour in tuple(GOODS) and not state.lines[GOODS.index(colour)]


@BOOK.fits("good")
def fits_good(state: State) -> bool:
    frame = state.asked(Good)
    return frame.declinable in (0, 1) and frame.terms in ("", FREE, MANY * state.owns("many_goods"))
