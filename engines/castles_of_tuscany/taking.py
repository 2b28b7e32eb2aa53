"""Taking a tile, and the display refilled (CT-3.4 to CT-3.6).

``Tv`` takes a village from the display; if the storage is full, the tile that leaves it follows. Reports of
the tile that comes up follow, and of neutral ones if five of a colour were too many.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.castles_of_tuscany import kinds
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.kinds import KINDS, NUMBERS, PILES, TOO_MANY, WILD, kind_of
from engines.castles_of_tuscany.state import NOBODY, Frame, State
from engines.contract import SEATS, Choice, Domain, Verb
from engines.kit import Objection

TAKE, LEAVES = "T", ">"


@lru_cache
def takes(farms: int) -> tuple[str, ...]:
    """Return the tokens that take a tile, in a copy with a number of farm kinds."""
    return tuple(TAKE + tile for tile in kinds.tiles(farms))


@lru_cache
def swaps(farms: int) -> tuple[str, ...]:
    """Return the tokens that take a tile while another leaves: people write them although a place is free."""
    return tuple(f"{take}{LEAVES}{tile}" for take in takes(farms) for tile in (*kinds.tiles(farms), WILD))


def has_place(state: State) -> bool:
    """Return True if the own storage has a free place."""
    return len(state.own.stored) < state.own.places()


@lru_cache
def tile_domain(farms: int) -> Domain:
    """Return the domain of tiles that may come up, with a verb for each kind."""
    every = kinds.tiles(farms)
    verbs = tuple(Verb(f"tile_{kind}", tuple(tile for tile in every if tile[0] == kind)) for kind in KINDS)
    return Domain("tile", every, verbs=verbs)


@lru_cache
def stored_domain(farms: int) -> Domain:
    """Return the domain of tiles that a storage may hold."""
    return Domain("stored", (*kinds.tiles(farms), WILD), laid=True)


def find_tile_domain(state: State) -> Domain:
    """Return :func:`tile_domain` of the copy."""
    return tile_domain(state.copy.farms)


def find_stored_domain(state: State) -> Domain:
    """Return :func:`stored_domain` of the copy."""
    return stored_domain(state.copy.farms)


BOOK.asks(
    find_stored_domain,
    "discard",
    figures=lambda state: (("tile", state.frames[-1].tile), ("places", state.own.places())),
    fits=lambda state: state.frames[-1].tile in state.display and not has_place(state),
)
BOOK.asks(
    find_tile_domain,
    "refill",
    report=True,
    figures=lambda state: (
        ("seat", state.seat),
        ("pile", pile_number(state)),
        ("n", state.own.piles[pile_number(state) - 1]),
    ),
    fits=lambda state: any(state.own.piles),
)
BOOK.asks(
    find_tile_domain,
    "neutral",
    report=True,
    figures=lambda state: (("n", state.frames[-1].n), ("left", bags.total(state.neutral))),
    fits=lambda state: 0 < state.frames[-1].n <= bags.total(state.neutral),
)


# The fast lists


def list_takes(state: State) -> list[Choice]:
    """Return the display's tiles, each once."""
    return list(map(_make_choice, dict.fromkeys(state.display)))


@lru_cache
def _make_choice(tile: str) -> Choice:
    return Choice("action", TAKE + tile)


@BOOK.offers("discard.stored", "CT-3.4", told="tile")
def offer_discard(state: State) -> list[str]:
    """Return the stored tiles."""
    return list(dict.fromkeys(state.own.stored))


@BOOK.lists("refill", "neutral", "display")
def list_hidden(state: State) -> list[Choice]:
    """Return the tiles of the kinds that may come; their farm kinds are unknown."""
    question = state.frames[-1].question
    of_kind = _group_by_kind(question, state.copy.farms)
    return [choice for kind, _ in bags.items(hidden_tiles(state, question)) for choice in of_kind[kind]]


def hidden_tiles(state: State, question: str) -> Bag:
    """Return what one of these questions draws from."""
    return state.own_hidden(state.seat) if question == "refill" else state.neutral


@lru_cache
def _group_by_kind(question: str, farms: int) -> list[list[Choice]]:
    every = BOOK.listed(question, kinds.tiles(farms))
    return [[choice for choice in every if choice.token[0] == kind] for kind in KINDS]


# Checks


@BOOK.check("take.display", "CT-3.4", "action", pieces=True)
def check_take_display(state: State, token: str) -> Objection | None:
    tile, *_ = token[1:].split(LEAVES)
    if token[0] != TAKE or tile in state.display:
        return None
    empty: dict[str, int | str] = {} if state.display else {"variant": "take.empty"}
    return Objection({"tile": tile, **empty}, names=("tile",))


@BOOK.check("take.free", "CT-3.4", "action")
def check_free_place(_: State, token: str) -> Objection | None:
    """Refuse to let a tile leave the storage while a place is free."""
    return Objection() if token[0] == TAKE and LEAVES in token else None


@BOOK.check("refill.own", "CT-1.3", "refill", pieces=True)
def check_refill_own(state: State, token: str) -> Objection | None:
    kind = NUMBERS[kind_of(token)]
    if bags.count(state.own_hidden(state.seat), kind):
        return None
    figures: dict[str, int | str] = {"kind": kind_of(token), "all": bags.count(kinds.OWN, kind)}
    return Objection(figures | {"seat": state.seat}, ((f"own {SEATS[state.seat]}", kind),))


@BOOK.check("neutral.left", "CT-1.3", "neutral", "display", pieces=True)
def check_neutral_left(state: State, token: str) -> Objection | None:
    kind = NUMBERS[kind_of(token)]
    if bags.count(state.neutral, kind):
        return None
    figures: dict[str, int | str] = {"kind": kind_of(token), "all": bags.count(kinds.NEUTRAL, kind)}
    return Objection(figures, (("neutral", kind),))


# Effects


def take(state: State, tile: str) -> State:
    """Take a tile into the own storage, or ask for the one that leaves (CT-3.4).

    ``v>q`` lets q leave although a place is free, after a ruling.
    """
    tile, *leaves = tile.split(LEAVES)
    if leaves:
        state = drop_stored(state, *leaves)
    if has_place(state):
        return store_tile(state, tile)
    return state.asking(Frame("discard", tile=tile))


@BOOK.effect("discard")
def effect_discard(state: State, token: str) -> State:
    return store_tile(drop_stored(state.answered(), token), state.frames[-1].tile)


def drop_stored(state: State, tile: str) -> State:
    """Return the state after one ``tile`` left the own storage."""
    left = list(state.own.stored)
    left.remove(tile)
    return state.with_side(state.seat, stored=tuple(left))


def store_tile(state: State, tile: str) -> State:
    """Move a tile from the display into the own storage, and ask for the tile that fills the gap."""
    held = sorted((*state.own.stored, tile), key=kinds.order)
    state = drop_shown(state, tile).with_side(state.seat, stored=tuple(held))
    return state.asking(*ask_refill(state))


def drop_shown(state: State, tile: str) -> State:
    """Return the state after one ``tile`` left the display."""
    shown = list(state.display)
    shown.remove(tile)
    return replace(state, display=tuple(shown))


def ask_refill(state: State) -> tuple[Frame, ...]:
    """Return the frame that asks for the tile that fills a gap, unless all own piles are empty."""
    return (Frame("refill", open=False),) if any(state.own.piles) else ()


def pile_number(state: State) -> int:
    """Return the number of the own leftmost pile with tiles, 1 to 3; the last if all are empty."""
    left, middle, _ = state.own.piles
    return 1 if left else 2 if middle else PILES


@BOOK.effect("refill")
def effect_refill(state: State, token: str) -> State:
    """Fill the gap with the top tile of a pile; emptying the pile of this round triggers its end (CT-6.1)."""
    side, at = state.own, pile_number(state) - 1
    piles = (*side.piles[:at], side.piles[at] - 1, *side.piles[at + 1 :])
    turned = side.turned + bags.one(NUMBERS[kind_of(token)])
    state = state.answered().with_side(state.seat, piles=piles, turned=turned)
    if state.trigger == NOBODY and not piles[state.round - 1]:
        state = replace(state, trigger=state.seat)
    return thin_display(show_tile(state, token))


def show_tile(state: State, tile: str) -> State:
    """Return the state with one more tile on display."""
    return replace(state, display=tuple(sorted((*state.display, tile), key=kinds.order)))


def thin_display(state: State) -> State:
    """Take five or more of a colour out of the game and ask for as many neutral tiles (CT-3.6)."""
    shown = state.display
    # Tiles are sorted by kind: if a tile and the fourth behind it are alike, so are those in between.
    many = [tile[0] for tile, fifth in zip(shown, shown[TOO_MANY - 1 :], strict=False) if tile[0] == fifth[0]]
    if not many:
        return state
    left = tuple(tile for tile in state.display if tile[0] not in many)
    coming = min(len(state.display) - len(left), bags.total(state.neutral))
    state = replace(state, display=left)
    return state.asking(Frame("neutral", coming, open=False)) if coming else state


@BOOK.effect("neutral")
def effect_neutral(state: State, token: str) -> State:
    coming = state.frames[-1].n - 1
    state = replace(state, neutral=state.neutral - bags.one(NUMBERS[kind_of(token)]))
    if coming:
        return show_tile(state.answered(Frame("neutral", coming, open=False)), token)
    return thin_display(show_tile(state.answered(), token))
