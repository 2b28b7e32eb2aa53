"""Build, the effects of new storeys, and the marker of the highest tower (SG-3.8, SG-4, SG-5.9, SG-9.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Domain, Label, Picker
from engines.kit import Objection, note, question
from engines.san_gimignano import cards as c
from engines.san_gimignano.book import (
    BOOK,
    check_hand,
    check_too_many,
    either,
    hand_asked,
    number_of,
    tower_figures,
)
from engines.san_gimignano.cards import Tower
from engines.san_gimignano.donazione import donate
from engines.san_gimignano.draws import draw_up_to
from engines.san_gimignano.hands import Hand
from engines.san_gimignano.state import Frame, State
from engines.san_gimignano.turns import BUILD, ask_giostra, offers, settle


@offers
def offer_buildings(state: State, hand: Hand) -> Iterable[str]:
    return [BUILD] if next(shapes(hand, state.cap(state.seat)), None) else []


def check_over_cap(state: State, height: int, tower: str = "") -> Objection | None:
    """Refuse a tower higher than the opponent's Palazzo allows (SG-9.10)."""
    limit = state.cap(state.seat)
    if height <= limit:
        return None
    return Objection({"height": height, "cap": limit, "tower": tower})


# Build: its shape

_RUNS = tuple(f"{low}-{high}" for low, high in c.RUNS)
_STONE_RUNS = tuple(
    f"{low}-{high}{s}" for low, high in c.STONE_RUNS for s in ("", "s") if s or not c.forced_stones(low, high)
)
_SPANNED = tuple(f"{low}-{high}" for low in range(1, c.HIGH + 3) for high in range(1, c.HIGH + 3))
"""All texts that look like a run."""


def _make_shape_domain(tokens: tuple[str, ...]) -> Domain:
    return Domain("shape", tokens, written=tuple(run for run in _SPANNED if run not in tokens))


SHAPES, SHAPES_9 = _make_shape_domain(c.RANK_NAMES + _RUNS), _make_shape_domain(c.RANK_NAMES + _STONE_RUNS)
BOOK.asks(either(SHAPES, SHAPES_9), "build")


@BOOK.lists("build")
def list_build(state: State) -> list[Choice]:
    return BOOK.listed("build", shapes(hand_asked(state), state.cap(state.seat)))


def shapes(hand: Hand, limit: int) -> Iterator[str]:
    """Yield the shapes that the hand may hold three storeys of, up to the height ``limit``."""
    if hand.size < c.LEAST_STOREYS:
        return
    stones, cards = hand.stones, hand.towers
    most = cards.mosts(_RANK_KINDS)
    for kind, copies in enumerate(most):
        if copies + stones >= c.LEAST_STOREYS and copies:
            yield c.RANK_NAMES[kind]
    known, shared, unknown, free = cards.zone.known, cards.shared, cards.zone.unknown, cards.free
    hidden = [not known >> shift & bags.FULL for shift in _SHIFTS]
    fresh = [hide and not shared >> shift & bags.FULL for hide, shift in zip(hidden, _SHIFTS, strict=True)]
    for low, high, span, token in _STONE_SPANS if stones else _SPANS:
        if high - low >= limit:
            continue
        if token and all(most[span]) and sum(hidden[span]) <= unknown and sum(fresh[span]) <= free:
            yield token
        if stones:
            # Stones stand first for the cards that are hardest to hold: impossible ones, then unseen ones.
            spare = min(stones, high - low) - (low < c.LOW) - (high > c.HIGH) - most[span].count(0)
            may = [at for at in range(span.start, span.stop) if most[at]]
            unseen_ranks, new = sum(hidden[at] for at in may), sum(fresh[at] for at in may)
            if spare >= 0 and unseen_ranks - spare <= unknown and new - spare <= free:
                yield f"{low}-{high}s"


_RANK_KINDS = range(len(c.RANKS))
_SHIFTS = tuple(bags.LANE * c.lane(rank) for rank in c.RANKS)
_STONE_SPANS = [
    (
        low,
        high,
        slice(max(c.lane(low), 0), min(c.lane(high) + 1, len(c.RANKS))),
        f"{low}-{high}" if (low, high) in c.RUNS else "",
    )
    for low, high in c.STONE_RUNS
]
_SPANS = [entry for entry in _STONE_SPANS if entry[3]]


@BOOK.check("build.three_cards", "SG-3.8", "action")
def check_build_three_cards(state: State, token: str) -> Objection | None:
    if token != BUILD or state.hand_size(state.seat) >= c.LEAST_STOREYS:
        return None
    return Objection({"cards": state.hand_size(state.seat), "least": c.LEAST_STOREYS})


@BOOK.check("build.run", "SG-3.8", "build")
def check_run(state: State, token: str) -> Objection | None:
    """Refuse a colourful tower that is no unbroken run of three ranks or more."""
    shapes, runs = (SHAPES_9, c.STONE_RUNS) if state.nobles else (SHAPES, c.RUNS)
    if token not in shapes.written:
        return None
    return Objection({"shape": token, "low": min(runs)[0], "high": max(high for _, high in runs)})


@BOOK.check("build.cap", "SG-9.10", "build")
def check_build_cap(state: State, token: str) -> Objection | None:
    low, high = c.read_shape(token)
    return check_over_cap(state, high - low + 1) if low != high else None


@BOOK.check("build.one_more", "SG-9.4", "action", "build")
def check_build_one_more(state: State, token: str) -> Objection | None:
    if not state.frames and token != BUILD:
        return None
    hand, stones = state.hand_of(state.seat), []
    for shape in (token,) if state.frames else _list_shapes(state):
        few = _count_stones(state, hand, shape)
        if few is not None and few <= hand.stones:
            return None
        if few is not None:
            stones.append(few)
    if not stones and token[-1] == "s":
        stones.append(max(len(c.forced_stones(*c.read_shape(token))), 1))
    return check_too_many(state, min(stones)) if stones else None


@BOOK.check("build.possible", "SG-11.1", "action")
def check_build_possible(state: State, token: str) -> Objection | None:
    if token != BUILD or any(_may_lay(state, shape) for shape in _list_shapes(state)):
        return None
    return Objection(
        {"cards": state.hand_size(state.seat)},
        (*(("unseen", rank) for rank in c.RANKS), ("hand", state.seat)),
    )


@BOOK.check("build.hand", "SG-11.1", "build")
def check_build_hand(state: State, token: str) -> Objection | None:
    if _may_lay(state, token):
        return None
    low, high = c.read_shape(token)
    if low == high:
        return check_hand(state, c.card(low, c.LEAST_STOREYS), f"{token} × {c.LEAST_STOREYS}")
    if token[-1] != "s":
        return check_hand(state, c.real_cards(low, high), token)
    kinds = [rank for rank in range(low, high + 1) if rank in c.RANKS] + [number_of(c.PIETRA)]
    figures: dict[str, int | str] = {"asked": f"{low}-{high}", "cards": state.hand_size(state.seat)}
    if high - low + 1 > state.hand_size(state.seat):
        figures |= {"variant": "hand_few", "needed": high - low + 1}
    return Objection(figures, (*(("unseen", kind) for kind in kinds), ("hand", state.seat)))


def _list_shapes(state: State) -> tuple[str, ...]:
    return SHAPES_9.tokens if state.nobles else SHAPES.tokens


def _may_lay(state: State, token: str) -> bool:
    """Return True if the hand may hold a shape with no more stones than it may lay."""
    hand = state.hand_of(state.seat)
    few = _count_stones(state, hand, token)
    return few is not None and few <= hand.stones


def _count_stones(state: State, hand: Hand, token: str) -> int | None:
    """Return the fewest stones with which the hand may hold a shape, whatever SG-9.4 says; None if it cannot,
    or if the opponent's Palazzo forbids the shape.
    """
    low, high = c.read_shape(token)
    if low != high and high - low >= state.cap(state.seat):
        return None
    held = (stones for need, stones in c.ways(token) if hand.may_hold(need + bags.one(c.PIETRA, stones)))
    return min(held, default=None)


@BOOK.effect("build")
def effect_build(state: State, token: str) -> State:
    """Ask for the height or the stones of a shape; lay a run without stones at once."""
    low, high = c.read_shape(token)
    if low == high:
        return replace(state, frames=(Frame("height", tower=c.plain(low, 1)),))
    tower = c.run(low, high)
    if token[-1] == "s":
        return replace(state, frames=(Frame("stones", tower=tower),))
    return lay(state, None, tower)


@BOOK.possible("build")
def possible_build(state: State, token: str) -> bool:
    if token in (SHAPES_9 if state.nobles else SHAPES).written:
        return False
    low, high = c.read_shape(token)
    hand = hand_asked(state)
    return low == high or token[-1] == "s" or hand.may_hold(c.real_cards(low, high))


# Build: the height of a plain tower

SOME_STONES = tuple("s" * n for n in range(c.STONES + 1))
_TOO_LOW = tuple(f"x{n}" for n in range(c.LEAST_STOREYS))
HEIGHTS = Domain(
    "height", tuple(f"x{n}" for n in range(c.LEAST_STOREYS, c.HIGH + 1)), Picker.WHEEL, written=_TOO_LOW
)
HEIGHTS_9 = Domain(
    "height",
    tuple(f"x{n}{s}" for n in range(c.LEAST_STOREYS, c.HIGH + c.STONES + 1) for s in SOME_STONES),
    Picker.WHEEL,
    written=_TOO_LOW,
)
BOOK.asks(either(HEIGHTS, HEIGHTS_9), "height")
BOOK.figures("height", "stones")(tower_figures)


@BOOK.lists("height")
def list_height(state: State) -> list[Choice]:
    hand, tokens = hand_asked(state), []
    most = hand.towers.most(c.lane(state.tower.low))
    for n in range(c.LEAST_STOREYS, min(state.cap(state.seat), most + hand.stones) + 1):
        for stones in range(max(0, n - most), min(hand.stones, n - 1) + 1):
            tokens.append(f"x{n}{'s' * stones}")
    return BOOK.listed("height", tokens)


@BOOK.check("height.least", "SG-3.8", "height", "final_height")
def check_least_storeys(_: State, token: str) -> Objection | None:
    """Refuse a tower of fewer than three storeys."""
    return Objection({"least": c.LEAST_STOREYS}) if token in _TOO_LOW else None


@BOOK.fits("height", "final_height")
def fits_height(state: State) -> bool:
    tower = state.frames[-1].tower
    return tower is not None and tower.height == 1


# Build: the stones of a colourful tower


@cache
def _make_stones_domain(low: int, high: int) -> Domain:
    return Domain("stones", tuple(c.write_stones(chosen) for chosen in c.stone_sets(low, high) if chosen))


def stones_of(state: State) -> Domain:
    """Return the domain of the stones in the run in question."""
    return _make_stones_domain(state.tower.low, state.tower.high)


BOOK.asks(stones_of, "stones")


@BOOK.lists("stones")
def list_stones(state: State) -> list[Choice]:
    tower, hand = state.tower, hand_asked(state)
    most = min(hand.stones, tower.height - 1)
    tokens = [
        c.write_stones(chosen)
        for chosen in c.stone_sets(tower.low, tower.high, most)
        if chosen and hand.towers.may_hold(c.real_cards(tower.low, tower.high, chosen))
    ]
    return BOOK.listed("stones", tokens)


@BOOK.fits("stones")
def fits_stones(state: State) -> bool:
    tower = state.frames[-1].tower
    return tower is not None and not tower.plain and state.nobles is not None and not tower.stones


# The checks and effects of a height, of stones, and of storeys on top of a tower (SG-3.9)


def _find_tower(state: State) -> Tower | None:
    """Return the tower to extend, None for a Build."""
    return state.tower if question(state) == "storeys" else None


def find_laid(old: Tower | None, tower: Tower) -> Bag:
    """Return the cards of both backs that turn the ``old`` tower, or nothing, into ``tower``."""
    cards, stones = (old.bag, len(old.stones)) if old else (0, 0)
    return tower.bag - cards + bags.one(c.PIETRA, len(tower.stones) - stones)


@BOOK.check("storeys.run", "SG-3.9", "storeys")
def check_storeys_run(state: State, token: str) -> Objection | None:
    tower, (n, stones) = state.tower, c.read_storeys(token)
    if tower.plain or tower.low - n >= c.LOW - len(stones):
        return None
    return Objection({"tower": tower.figure, "most": tower.low - c.LOW})


@BOOK.check("height.copies", "SG-1.1", "height", "final_height")
@BOOK.check("storeys.copies", "SG-1.1", "storeys")
def check_copies(state: State, token: str) -> Objection | None:
    tower = state.tower.grown(token)
    few = tower.plain and tower.height - len(tower.stones) > tower.low
    return Objection({"rank": tower.low}) if few else None


@BOOK.check("height.real", "SG-9.5", "height", "final_height")
@BOOK.check("stones.real", "SG-9.5", "stones", "final_stones")
def check_real(state: State, token: str) -> Objection | None:
    """Refuse a tower of stones alone."""
    tower = state.tower.grown(token)
    return Objection() if len(tower.stones) >= tower.height else None


@BOOK.check("height.cap", "SG-9.10", "height")
@BOOK.check("storeys.cap", "SG-9.10", "storeys")
def check_cap(state: State, token: str) -> Objection | None:
    return check_over_cap(state, state.tower.grown(token).height)


@BOOK.check("height.one_more", "SG-9.4", "height")
@BOOK.check("stones.one_more", "SG-9.4", "stones")
@BOOK.check("storeys.one_more", "SG-9.4", "storeys")
def check_one_more(state: State, token: str) -> Objection | None:
    old, tower = _find_tower(state), state.tower.grown(token)
    return check_too_many(state, len(tower.stones) - len(old.stones if old else ()))


@BOOK.check("height.hand", "SG-11.1", "height")
@BOOK.check("stones.hand", "SG-11.1", "stones", pieces=True)
@BOOK.check("storeys.hand", "SG-11.1", "storeys")
def check_laid_hand(state: State, token: str) -> Objection | None:
    high = token[0] == "x" and "s" not in token
    asked = f"{state.tower.low} × {token[1:]}" if high else ""
    return check_hand(state, find_laid(_find_tower(state), state.tower.grown(token)), asked)


@BOOK.effect("height", "stones", "storeys")
def effect_laid(state: State, token: str) -> State:
    return lay(state, _find_tower(state), state.tower.grown(token))


@BOOK.possible("height", "storeys")
def possible_laid(state: State, token: str) -> bool:
    tower = state.tower.grown(token)
    exists = c.forced_stones(tower.low, tower.high) <= set(tower.stones) and token not in _TOO_LOW
    return exists and hand_asked(state).may_hold(find_laid(_find_tower(state), tower))


# The effects of new storeys (SG-5.9)


def lay(state: State, old: Tower | None, tower: Tower) -> State:
    """Lay storeys; first the opponent may answer stones among them with a Giostra."""
    laid, n = find_laid(old, tower), tower.height - (old.height if old else 0)
    pietre = laid & ~c.TOWER_CARDS
    state = state.show(state.seat, laid - pietre).change_towers(state.seat, old, tower)
    state = replace(state, frames=())
    if pietre:
        state = state.use(state.seat, pietre)
        asked = ask_giostra(state, state.seat, Frame("", n, laid, tower))
        if asked:
            return asked
    return finish_laying(state, tower, n, opened=True)


def finish_laying(state: State, tower: Tower, n: int, *, opened: bool) -> State:
    """Return the state after ``n`` storeys of the tower were laid for good; all its storeys are a Build."""
    if all(tower.height > other.height for _, other in state.others(tower)):  # SG-4.1, SG-4.2
        if state.marker != state.seat:
            note(Label("hands.marker", (("seat", state.seat),)))
        state = replace(state, marker=state.seat)
    if n < tower.height:
        return settle(state) if state.ending else draw_up_to(state, n, opened=opened)
    return donate(state, tower)
