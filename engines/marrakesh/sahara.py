"""The Sahara (MK-14.3 to MK-14.6): claims of oases, and the signs on their places of the track.

``left1`` is the oasis beside the first place of the left path, ``07`` an oasis' number.
"""

from __future__ import annotations

from msgspec.structs import replace

from engines import bags
from engines.contract import Choice, Domain, Figures, Label
from engines.kit import Objection, of_frame, within
from engines.marrakesh import scoring
from engines.marrakesh.book import BOOK, Varies, ask_again, asking, happens
from engines.marrakesh.facts import OASES, SQUARE, look_up
from engines.marrakesh.frames import BackFrom, Effect, GiveBack, Oasis, OasisNumber
from engines.marrakesh.paying import Price, can_pay, pay, pay_any, return_keshis, write_amounts
from engines.marrakesh.pieces import AREAS, BEIGE, BROWN, GOODS, LETTERS, PINK, RED
from engines.marrakesh.state import ON_TRACK, State, list_members

DONE, NONE = "done", "none"
FREE = "free"
"""The detail of ``oasis`` if the claim costs nothing."""
SPARE, FOUND = "spare", "found"
"""Details of ``oasis_number``: an oasis from beside the board, and a discovered one (scroll 68)."""
_EMPTY = "-"

_OASES = Domain("oasis", (*OASES, DONE))


@Varies
def make_claims(state: State) -> Domain:
    """Return the domain of places to claim from."""
    return _OASES


BOOK.asks(make_claims, "oasis")
BOOK.asks(
    Domain("number", (*scoring.NUMBERS, NONE), laid=True),
    "oasis_number",
    fits=within(origin=("", SPARE, FOUND), place=range(ON_TRACK + 1)),
)
BOOK.asks(Domain("give_back", (*LETTERS, NONE)), "give_back")
BOOK.asks(Domain("back_from", (*AREAS, *SQUARE)), "back_from", figures=of_frame(colour="colour"))


@BOOK.figures("oasis")
def figures_oasis(state: State) -> Figures:
    """Tell the known costs of claims by place, unless they are free."""
    told = (("variant", FREE),) if is_free(state) else tell_costs(state)
    return (("n", state.asked(Oasis).number), *told)


@BOOK.figures("oasis_number")
def figures_oasis_number(state: State) -> Figures:
    origin = state.asked(OasisNumber).origin
    return (("n", len(state.own.oases) + 1), *((("variant", origin),) if origin else ()))


# Claims


def is_free(state: State) -> bool:
    """Return True if the claim in question costs nothing."""
    return state.asked(Oasis).terms == FREE


def _find_price(state: State, place: str) -> Price | None:
    price: Price | None = look_up(state.copy, f"price.{place}")
    return price


@Varies
def tell_costs(state: State) -> Figures:
    """Return the known costs of claims by place, without those with scroll 45, any 1 resource."""
    prices = () if state.owns("cheap_oases") else ((each, _find_price(state, each)) for each in OASES)
    return tuple((f"more.{place}", write_amounts(price, between=",")) for place, price in prices if price)


@Varies
def can_afford(state: State, place: str) -> bool:
    """Return True if the seat can pay for a claim, or if its price is unknown."""
    if state.owns("cheap_oases"):
        return state.own.resources > 0
    price = _find_price(state, place)
    return price is None or can_pay(state, price)


@Varies
def list_places(state: State) -> list[str]:
    """Return the places with something to claim."""
    return list_members(state.own.discovered, OASES)


@Varies
def tell_gone(state: State, place: str) -> str:
    """Return the text of the refusal if there can be nothing to claim at a place, otherwise an empty one."""
    return "oasis.claimed" if state.own.claimed >> OASES.index(place) & 1 else ""


@Varies
def tell_claim(state: State, place: str) -> Label:
    """Tell a claim by its place."""
    return Label("said.oasis", (("oasis", place),))


def _may_end(state: State) -> bool:
    """Return True if the claims may end: always (MK-6.5), under version 1 after one or if free."""
    return is_free(state) or state.asked(Oasis).number > 0 or not state.compelled


def _find_told(state: State) -> str:
    """Return the number that scroll 68 told of the claimed oasis, empty for none."""
    at = state.asked(OasisNumber).place - 1
    number = state.own.found[at] if at >= 0 else 0
    return f"{number:02}" if number else ""


def _find_elsewhere(state: State) -> dict[int, int]:
    """Return the owners of all known oases by number, without the oasis in question."""
    seat, at = state.seat, state.asked(OasisNumber).place - 1
    return {
        number: whose
        for whose, side in enumerate(state.sides)
        for number in (*side.oases, *(each for n, each in enumerate(side.found) if (whose, n) != (seat, at)))
    }


# The exchange


def _list_colours(state: State, letter: str) -> str:
    """Return the colours that the seat may get for a keshi (MK-14.5)."""
    if letter in GOODS:
        return GOODS.replace(letter, "")
    others = LETTERS.replace(letter, "")
    return others.removesuffix(GOODS) if state.variant.goods_apart else others


@BOOK.lists("oasis")
def list_oasis(state: State) -> list[Choice]:
    free = is_free(state)
    found = [each for each in list_places(state) if (each in OASES if free else can_afford(state, each))]
    return BOOK.listed("oasis", found + [DONE] * _may_end(state))


@BOOK.lists("oasis_number")
def list_oasis_number(state: State) -> list[Choice]:
    if told := _find_told(state):
        return BOOK.listed("oasis_number", [told])
    taken = _find_elsewhere(state)
    found = [number for number in scoring.NUMBERS if int(number) not in taken]
    return BOOK.listed("oasis_number", found + [NONE] * _is_spare(state))


@BOOK.offers(
    "back_from.there",
    "MK-14.5",
    told=lambda state, token: {"colour": state.asked(BackFrom).colour, "place": token},
)
def offer_back_from(state: State) -> list[str]:
    """Return the places that a water vendor or an entertainer may leave."""
    side = state.own
    if state.asked(BackFrom).colour == LETTERS[RED]:
        return list_members(side.vendors, AREAS)
    return list_members(side.square, SQUARE)


BOOK.needs("oasis.done", "MK-14.3", (DONE,), "oasis", _may_end)


@BOOK.check("oasis.discovered", "MK-14.3", "oasis")
def check_oasis_discovered(state: State, token: str) -> Objection | None:
    if token == DONE or token in list_places(state):
        return None
    variant = tell_gone(state, token)
    return Objection({"oasis": token, **({"variant": variant} if variant else {})})


@BOOK.check("oasis.price", "MK-14.3", "oasis")
def check_oasis_price(state: State, token: str) -> Objection | None:
    if token not in OASES or is_free(state) or can_afford(state, token):
        return None
    if state.owns("cheap_oases"):
        return Objection({"oasis": token, "variant": "oasis.any"})
    return Objection({"oasis": token, "rewards": write_amounts(_find_price(state, token) or (), between=",")})


def _is_spare(state: State) -> bool:
    """Return True if the oasis in question is from beside the board, and may be declined."""
    return state.asked(OasisNumber).origin == SPARE


BOOK.needs("oasis_number.none", "MK-14.3", (NONE,), "oasis_number", _is_spare, pieces=True)


@BOOK.check("oasis_number.claimed", "MK-1.2", "oasis_number", pieces=True)
def check_oasis_number_claimed(state: State, token: str) -> Objection | None:
    owner = None if token == NONE else _find_elsewhere(state).get(int(token))
    if owner is None:
        return None
    claimed = any(int(token) in side.oases for side in state.sides)
    return Objection(
        {"number": token, "seat": owner, **({} if claimed else {"variant": "oasis_number.lies"})}
    )


@BOOK.check("oasis_number.told", "MK-14.1", "oasis_number")
def check_oasis_number_told(state: State, token: str) -> Objection | None:
    """Refuse another number than the one told at the discovery (scroll 68)."""
    told = _find_told(state)
    return Objection({"number": told}) if told not in ("", token) else None


BOOK.needs("give_back.caravan", "MK-14.5", (LETTERS[BROWN],), "give_back", lambda _: False)


@BOOK.check("give_back.gate", "MK-14.5", "give_back")
def check_give_back_gate(state: State, token: str) -> Objection | None:
    guards = state.own.deployed(BEIGE)
    at_gates = token == LETTERS[BEIGE] and guards and not state.own.on_tower
    return Objection({"n": guards}) if at_gates else None


@BOOK.check("give_back.deployed", "MK-14.5", "give_back", pieces=True)
def check_give_back_deployed(state: State, token: str) -> Objection | None:
    """Refuse a colour without a keshi that may be returned: no caravan, no guard at a gate."""
    if token == NONE:
        return None
    side, kind = state.own, LETTERS.index(token)
    there = {BROWN: 0, BEIGE: side.on_tower}.get(kind, side.deployed(kind))
    return None if there > 0 else Objection({"colour": token})


# Effects: claims


def can(state: State) -> bool:
    """Return True if the seat can claim an oasis, or may be able to."""
    return any(can_afford(state, place) for place in list_places(state))


def act(state: State) -> State:
    """Ask for any number of discovered oases, one by one (MK-14.3)."""
    return BOOK.ask(state, Oasis())


@happens("oases")
def happen_oases(state: State, effect: Effect) -> State:
    """Ask for free claims of discovered oases, up to the effect's number."""
    return BOOK.ask(state, Oasis(FREE, effect.times)) if state.own.discovered else state


@BOOK.effect("oasis")
def effect_oasis(state: State, token: str) -> State:
    frame, state = state.asked(Oasis), state.answered()
    if token == DONE:
        return state
    if frame.terms != FREE:
        return claim(ask_again(state, replace(frame, number=1)), token)
    if frame.number > 1:
        state = ask_again(state, replace(frame, number=frame.number - 1))
    return take_oasis(state, token)


@Varies
def claim(state: State, place: str) -> State:
    """Claim for any one resource with scroll 45, otherwise for the price; ask for an unknown one first."""
    if state.owns("cheap_oases"):
        return pay_any(take_oasis(state, place))
    price = _find_price(state, place)
    return pay(take_oasis(state, place), price) if price else state.doing(Effect("oasis", place))


@happens("oasis", subject="|".join(OASES), needs=lambda _, effect: [f"price.{effect.subject}"])
def happen_oasis(state: State, effect: Effect) -> State:
    """Claim an oasis after its price was told, unless it is too dear."""
    return claim(state, effect.subject) if can_afford(state, effect.subject) else state


@Varies
def take_oasis(state: State, place: str) -> State:
    """Take the oasis from the Sahara; its number comes next, or after the payment if scroll 68 told it."""
    at = OASES.index(place)
    state = state.with_own(claimed=state.own.claimed | 1 << at)
    if not state.compelled and state.own.found[at]:
        return state.doing(Effect("numbered", place))
    return BOOK.ask(state, OasisNumber(place=0 if state.compelled else at + 1))


@happens("numbered", subject="|".join(OASES))
def happen_numbered(state: State, effect: Effect) -> State:
    """Put a claimed oasis on the track, with the number that scroll 68 told."""
    return BOOK.ask(state, OasisNumber(place=OASES.index(effect.subject) + 1))


happens("spare_oasis")(asking(lambda _: OasisNumber(SPARE)))
"""One of the three oases beside the board (river tile 02)."""


@happens("found", subject="|".join(OASES))
def happen_found(state: State, effect: Effect) -> State:
    """Score a newly discovered oasis at once; it stays (scroll 68)."""
    at = 0 if state.compelled else OASES.index(effect.subject) + 1
    return BOOK.ask(state, OasisNumber(FOUND, at))


@BOOK.effect("oasis_number")
def effect_oasis_number(state: State, token: str) -> State:
    """Put the oasis on the next place of the track, or a seventh beside it (MK-14.4)."""
    frame, state = state.asked(OasisNumber), state.answered()
    if token == NONE:
        return state
    found, place = state.own.found, frame.place - 1
    if frame.origin == FOUND:
        if place >= 0:
            state = state.with_own(found=(*found[:place], int(token), *found[place + 1 :]))
        return state.doing(Effect("score", token, why="scrolls", source="scroll 68"))
    at = len(state.own.oases)
    found = tuple(0 if n == place else number for n, number in enumerate(found))
    state = state.with_own(oases=(*state.own.oases, int(token)), found=found)
    return _do_sign(state, at) if at < ON_TRACK else state


def _do_sign(state: State, at: int) -> State:
    """Do the effect of a place's sign; deploy a keshi that waits there (MK-14.4)."""
    icon, stock = state.copy.track[at], state.own.stock
    if icon == "exchange":
        return state.doing(Effect("exchange"))
    if icon == "scroll":
        return state.doing(Effect("learn", number=3))
    if stock[at] == _EMPTY:
        return state
    state = state.with_own(stock=f"{stock[:at]}{_EMPTY}{stock[at + 1 :]}")
    return state.doing(Effect("deploy", stock[at]))


# Effects: the exchange


happens("exchange")(asking(lambda _: GiveBack()))
"""The exchange of a deployed keshi for one of another colour (MK-14.5)."""


@BOOK.effect("give_back")
def effect_give_back(state: State, token: str) -> State:
    state = state.answered()
    if token == NONE:
        return state
    if token in (LETTERS[RED], LETTERS[PINK]):
        return BOOK.ask(state, BackFrom(token, open=True))
    return _exchange(state, token)


@BOOK.effect("back_from")
def effect_back_from(state: State, token: str) -> State:
    colour, state = state.asked(BackFrom).colour, state.answered()
    side = state.own
    if colour == LETTERS[RED]:
        left = ~(1 << AREAS.index(token))
        state = state.with_own(vendors=side.vendors & left, fresh=side.fresh & left)
    else:
        state = state.with_own(square=side.square & ~(1 << SQUARE.index(token)))
    return _exchange(state, colour)


def _exchange(state: State, letter: str) -> State:
    state = return_keshis(state, bags.one(LETTERS.index(letter)))
    return state.doing(Effect("keshi", _list_colours(state, letter)))


@BOOK.possible("oasis")
def possible_oasis(state: State, token: str) -> bool:
    return token == DONE or not tell_gone(state, token)


@BOOK.fits("oasis")
def fits_oasis(state: State) -> bool:
    frame = state.asked(Oasis)
    return frame.number > 0 if frame.terms == FREE else frame.terms == "" and frame.number in (0, 1)


@BOOK.fits("back_from")
def fits_back_from(state: State) -> bool:
    colour = state.asked(BackFrom).colour
    return colour in (LETTERS[RED], LETTERS[PINK]) and len(offer_back_from(state)) > 1
