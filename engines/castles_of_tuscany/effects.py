"""Effects of placed tiles (CT-5).

``d3`` is the space of a castle's pick, ``none`` declines it. ``cards`` is a square tile. ``v`` leaves a full
storage for a wild hex, ``points`` takes 2 VP instead. ``g2`` is the reward on a yield card.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.castles_of_tuscany import kinds, taking
from engines.castles_of_tuscany.book import BOOK, of_space, spaces, tile_and_space
from engines.castles_of_tuscany.kinds import NUMBERS, WILD, kind_of
from engines.castles_of_tuscany.placing import lay_tile, score_tile, space_of
from engines.castles_of_tuscany.regions import cells
from engines.castles_of_tuscany.state import EFFECT, Frame, Moved, State, sight
from engines.contract import Choice, Domain, Label
from engines.kit import TURN, Objection, note, of_frame, within
from engines.notation import CLOSING

NONE, POINTS = "none", "points"
FULL_INN = 2  # CT-5.3
PRAYED = 3  # CT-5.7


@lru_cache
def _make_wild_domain(farms: int) -> Domain:
    return Domain("wild", (POINTS, *taking.stored_domain(farms).tokens), laid=True)


@lru_cache
def _make_yield_domain(known: tuple[str, ...]) -> Domain:
    return Domain(
        "yield", (*kinds.REWARDS, *(reward for reward in known if kinds.JOINED in reward), kinds.OTHER)
    )


BOOK.asks(
    lambda state: spaces("pick", state.land.names, sight(state.seat), NONE),
    "pick",
    fits=lambda state: bool(state.reachable() & state.spaces_for(state.display)) or bool(state.waived),
)
BOOK.asks(taking.find_tile_domain, "pick_tile", figures=of_space)
BOOK.asks(Domain("square", kinds.SQUARES), "square", "first_square")
BOOK.asks(
    lambda state: _make_wild_domain(state.copy.farms),
    "wild",
    fits=lambda state: state.variant.inn_discards and not taking.has_place(state),
)
BOOK.asks(lambda state: _make_yield_domain(state.copy.yields), "yield", report=True)
BOOK.asks(Domain("reward", (CLOSING, *kinds.REWARDS)), "reward", report=True)
BOOK.figures("yield", "reward")(of_frame("seat", n="n"))


# The fast lists


@BOOK.offers("pick_tile.display", "CT-5.1", told=tile_and_space, pieces=False)
def offer_pick_tile(state: State) -> list[str]:
    return state.fitting(state.display, state.frames[-1].space)


BOOK.offers(
    *("square.left", "CT-5.2", "square", "first_square"),
    told=lambda _, token: {"square": token, "all": kinds.OF_EACH_SQUARE},
)(State.square_kinds)


@BOOK.offers("wild.stored", "CT-5.3", told="tile")
def offer_wild(state: State) -> list[str]:
    """Return the token of the VP, and the stored tiles."""
    return list(dict.fromkeys((POINTS, *state.own.stored)))


@BOOK.offers("yield.known", "CT-5.8", told="reward", pieces=False)
def offer_yield(state: State) -> list[str]:
    known = state.copy.yields
    return [
        each
        for each in _make_yield_domain(known).tokens
        if not known or each in (*known, kinds.ELSE, kinds.OTHER)
    ]


# Checks


@BOOK.check("pick.display", "CT-5.1", "pick")
def check_pick_display(state: State, token: str) -> Objection | None:
    space = space_of(state, token)
    if token == NONE or state.fitting(state.display, space):
        return None
    return Objection({"space": token, "kind": state.land.kinds[space]})


BOOK.needs("reward.none", "CT-5.8", (CLOSING,), "reward", lambda state: state.frames[-1].tile)


@BOOK.check("reward.once", "CT-5.8", "reward")
def check_reward_once(state: State, token: str) -> Objection | None:
    """Refuse a second reward of a kind: a card has one number for it."""
    return Objection({"reward": token}) if token[0] in state.frames[-1].tile else None


# Effects of tiles


def _do_castle(state: State, _: Frame) -> State:
    """Ask for a pick if a tile on display fits a space; otherwise there is no effect (CT-5.1)."""
    fits = state.reachable() & state.spaces_for(state.display)
    return state.asking(Frame("pick", open=False)) if fits else _do_nothing(state, "pick")


def _do_town(state: State, _: Frame) -> State:
    return state.asking(Frame("square", open=False)) if state.square_kinds() else _do_nothing(state, "square")


def _do_nothing(state: State, what: str) -> State:
    note(Moved(what, 0, 1))
    return state


def _do_inn(state: State, _: Frame) -> State:
    """Put a wild hex into a free storage; without one give 2 VP, or ask for a tile to discard (CT-5.3)."""
    if not state.in_supply("wilds"):
        return _do_nothing(state, "wild")
    if taking.has_place(state):
        return _add_wild(state)
    if state.variant.inn_discards:
        return state.asking(Frame("wild", open=False))
    return state.gained("inns", FULL_INN, POINTS, orange=True)


def _add_wild(state: State) -> State:
    note(Moved("wild", 1, 1))
    return state.with_side(state.seat, stored=(*state.own.stored, WILD))


def _do_farm(state: State, frame: Frame) -> State:
    """Give 1 VP for each farm kind that is new in the area; a wild hex shows none (CT-5.4)."""
    ground, tile = state.land, 1 << frame.space
    area = tile
    for space in cells((tile | ground.next_to(tile)) & ground.of_kind[NUMBERS[kinds.FARM]]):
        area |= ground.area(space)
    before = "".join(kinds for space, kinds in state.own.shown if area >> space & 1 and space != frame.space)
    new = [kind for kind in frame.tile[1:] if kind not in before]
    if not new:
        return _do_nothing(state, "farm")
    return state.gained("farms", len(new), ground.names[frame.space])


_EXTRA = {"marble": kinds.EXTRA_MARBLE, "workers": kinds.EXTRA_WORKER}


def give_supply(state: State, what: str, number: int, *, extra: bool) -> State:
    """Give marble or workers, with ``extra`` 1 more for each such square tile (CT-5.5, CT-5.6), while the
    supply lasts (CT-5.10).
    """
    number += bags.count(state.own.squares, _EXTRA[what]) * extra
    got = min(number, state.in_supply(what))
    note(Moved(what.removesuffix("s"), got, number))
    return state.with_side(state.seat, **{what: state.own.held(what) + got})


def _do_cart(state: State, _: Frame) -> State:
    return state.asking(Frame("yield", 1 + bags.count(state.own.squares, kinds.EXTRA_YIELD), open=False))


_EFFECTS: dict[str, Callable[[State, Frame], State]] = {
    kinds.CASTLE: _do_castle,
    kinds.TOWN: _do_town,
    kinds.INN: _do_inn,
    kinds.FARM: _do_farm,
    kinds.QUARRY: lambda state, _: give_supply(state, "marble", 1, extra=True),
    kinds.VILLAGE: lambda state, _: give_supply(state, "workers", 1, extra=True),
    kinds.MONASTERY: lambda state, _: state.drawn(PRAYED),
    kinds.CART: _do_cart,
}


def resolve_effects(state: State) -> State:
    """Return the state after the effects that come next without a question."""
    while state.frames and state.frames[-1].question == EFFECT:
        frame = state.frames[-1]
        by_space = frame.tile == WILD or state.rules == 1
        kind = state.land.kinds[frame.space] if by_space else kind_of(frame.tile)
        state = _EFFECTS[kind](state.answered(), frame)
    return state


# Effects of answers


@BOOK.effect("pick")
def effect_pick(state: State, token: str) -> State:
    state, space = state.answered(), space_of(state, token)
    if token == NONE:
        return state
    fit = state.fitting(state.display, space) or list(dict.fromkeys(state.display))
    if len(fit) > 1:
        return state.asking(Frame("pick_tile", space=space))
    return _place_pick(state, space, fit[0])


@BOOK.effect("pick_tile")
def effect_pick_tile(state: State, token: str) -> State:
    return _place_pick(state.answered(), state.frames[-1].space, token)


def _place_pick(state: State, space: int, tile: str) -> State:
    """Place and score a tile without a price; the gap is filled before the tile's effect (CT-5.1)."""
    return score_tile(
        lay_tile(taking.drop_shown(state, tile), space, tile), space, tile, *taking.ask_refill(state)
    )


@BOOK.effect("square")
def effect_square(state: State, token: str) -> State:
    return give_square(state.answered(), token)


def give_square(state: State, square: str) -> State:
    """Give the seat to move a square tile, which has its effect at once (CT-5.2, CT-5.9)."""
    kind = kinds.SQUARES.index(square)
    state = state.with_side(state.seat, squares=state.own.squares + bags.one(kind))
    return state.gained("storage", state.copy.storage, square) if kind == kinds.EXTRA_STORAGE else state


@BOOK.effect("wild")
def effect_wild(state: State, token: str) -> State:
    state = state.answered()
    if token == POINTS:
        return state.gained("inns", FULL_INN, POINTS, orange=True)
    return _add_wild(taking.drop_stored(state, token))


@BOOK.effect("yield")
def effect_yield(state: State, token: str) -> State:
    """Give a yield card's rewards, or ask for them one by one if the copy's list lacks the card."""
    if token == kinds.OTHER:
        return state.answered(Frame("reward", state.frames[-1].n))
    return _take_rewards(state, token)


@BOOK.effect("reward")
def add_reward(state: State, token: str) -> State:
    """Enter a reward; after the last, add the card to the match's list of its copy, if there is one."""
    frame, known = state.frames[-1], state.copy.yields
    if token != CLOSING:
        told = sorted(filter(None, (*frame.tile.split(kinds.JOINED), token)), key=kinds.REWARDS.index)
        return state.answered(replace(frame, tile=kinds.JOINED.join(told)))
    if extends_list(state):
        state = replace(state, copy=replace(state.copy, yields=(*known, frame.tile)))
    return _take_rewards(state, frame.tile)


def extends_list(state: State) -> bool:
    """Return True if the copy's list lacks the yield card that is being entered."""
    known, card = state.copy.yields, state.frames[-1].tile
    return bool(known) and card not in (*known, kinds.ELSE)


def _take_rewards(state: State, card: str) -> State:
    """Give a yield card's rewards; then ask for the next card (CT-5.8)."""
    left = state.frames[-1].n - 1
    again = state.reshuffled or (not state.yields and state.rules > 1)
    state = replace(state, yields=(state.yields or kinds.YIELDS) - 1, reshuffled=again)
    state = state.answered(*[Frame("yield", left, open=False)] * bool(left))
    for reward in card.split(kinds.JOINED):
        state = _give_reward(state, reward[0], int(reward[1:] or 0))
    return state


def _give_reward(state: State, kind: str, number: int) -> State:
    """Give a reward: VP on a track, cards (without "extra card"), marble, workers or a wild hex; people do
    anything else.
    """
    extra = not state.variant.plain_cards
    if kind in "go":
        return state.gained("yields", number, f"{kind}{number}", orange=kind == "o")
    if kind == "c":
        return state.drawn(number)
    if kind in "mw":
        return give_supply(state, "marble" if kind == "m" else "workers", number, extra=extra)
    if kind == kinds.ELSE:
        note(Moved(kinds.ELSE))
    return _do_inn(state, Frame(EFFECT)) if kind == "h" else state


def draw(state: State) -> State:
    """Draw the copy's number of cards, and 1 more for each "extra card" (CT-3.3)."""
    return state.drawn(state.copy.draw + bags.count(state.own.squares, kinds.EXTRA_CARD))


@BOOK.method
def extends(before: State, after: State) -> tuple[str, str] | None:
    """Return a yield card that was entered reward by reward."""
    known, now = before.copy.yields, after.copy.yields
    return ("yields", now[-1]) if len(now) > len(known) else None


@BOOK.method
def gives_up(state: State, choice: Choice) -> Label | None:
    """Ask about a declined pick, about the only kind of stored tiles if one must leave for a taken one, and
    about a new yield card for the copy's list.
    """
    if choice == Choice("reward", CLOSING) and extends_list(state):
        return Label("gives_up.reward", (("reward", state.frames[-1].tile.replace(kinds.JOINED, ",")),))
    if choice == Choice("pick", NONE):
        return Label("gives_up.pick")
    if choice.question != TURN or choice.token[0] != taking.TAKE or taking.LEAVES in choice.token:
        return None
    stored = state.own.stored
    if taking.has_place(state) or len(set(stored)) != 1:
        return None
    return Label("gives_up.take", (("tile", choice.token[1:]), ("tiles", stored[0])))


# What the pieces allow


@BOOK.possible("pick")
def possible_pick(state: State, token: str) -> bool:
    return token == NONE or bool(state.display and not state.own.filled >> space_of(state, token) & 1)


@BOOK.possible("pick_tile")
def possible_pick_tile(state: State, token: str) -> bool:
    return token in state.display


@BOOK.fits("pick_tile")
def fits_pick_tile(state: State) -> bool:
    space = state.frames[-1].space
    return 0 <= space < len(state.land.kinds) and len(set(state.display)) > 1


@BOOK.fits("square")
def fits_square(state: State) -> bool:
    return bool(state.square_kinds())


BOOK.fits("yield", "reward")(within(n=range(1, 10)))
