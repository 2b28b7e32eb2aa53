"""Build, Extend, Complete and Close, and who has the highest tower (SG-3.8 to SG-3.12, SG-4, SG-9.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Domain, Picker
from engines.kit.checks import Objection
from engines.san_gimignano.book import (
    BOOK,
    beyond_hand,
    either,
    frame_tower,
    hand_asked,
    held_by,
    number_of,
    too_many,
    tower_figures,
)
from engines.san_gimignano.cards import (
    HIGH,
    LEAST_STOREYS,
    LOW,
    PIETRA,
    RANK_NAMES,
    RANKS,
    RUNS,
    STONE_RUNS,
    STONES,
    Tower,
    card,
    cards,
    forced_stones,
    lane,
    plain,
    read_shape,
    read_stones,
    read_storeys,
    read_tower,
    real_cards,
    run,
    stone_sets,
    stones_text,
    title_of,
    titles,
    tower_text,
    ways,
)
from engines.san_gimignano.donazione import donate
from engines.san_gimignano.drawing import draw_up_to
from engines.san_gimignano.state import (
    COMPLETED_TO_CLOSE,
    Frame,
    Hand,
    State,
    cap,
    change_towers,
    hand_of,
    show,
    tallest_rival,
    use,
)
from engines.san_gimignano.turns import (
    BUILD,
    CLOSE,
    COMPLETE,
    EXTEND,
    ask_giostra,
    begins,
    offers,
    settle,
)


@offers
def _(state: State, hand: Hand) -> Iterable[str]:
    tokens: list[str] = []
    if next(_shapes(state, hand), None):
        tokens.append(BUILD)
    if _may_extend(state, hand):
        tokens.append(EXTEND)
    if not state.ending:
        own = state.towers[state.seat]
        completed = sum(tower.complete for tower in own)
        if completed < len(own):
            tokens.append(COMPLETE)
        if completed >= COMPLETED_TO_CLOSE:
            tokens.append(CLOSE)
    return tokens


def _over_cap(state: State, height: int, tower: str = "") -> Objection | None:
    """SG-9.10 against a tower of that height."""
    limit = cap(state, state.seat)
    if height <= limit:
        return None
    return Objection({"height": height, "cap": limit, "tower": tower})


# Build: its shape

_RUNS = tuple(f"{low}-{high}" for low, high in RUNS)
_STONE_RUNS = tuple(
    f"{low}-{high}{s}" for low, high in STONE_RUNS for s in ("", "s") if s or not forced_stones(low, high)
)
SHAPES = Domain("shape", RANK_NAMES + _RUNS)
SHAPES_9 = Domain("shape", RANK_NAMES + _STONE_RUNS)
BOOK.asks(either(SHAPES, SHAPES_9), "build")


@BOOK.lists("build")
def _(state: State, held: Hand | None) -> list[Choice]:
    return BOOK.listed("build", _shapes(state, held or hand_asked(state)))


def _shapes(state: State, hand: Hand) -> Iterator[str]:
    """Tokens of the shapes that the hand may hold three storeys of."""
    if hand.size < LEAST_STOREYS:
        return
    stones, limit = hand.stones, cap(state, state.seat)
    cards = hand.towers
    most = cards.mosts(_RANK_KINDS)
    for kind, copies in enumerate(most):
        if copies + stones >= LEAST_STOREYS and copies:
            yield RANK_NAMES[kind]
    known, shared, unknown, free = cards.zone.known, cards.shared, cards.zone.unknown, cards.free
    hidden = [not known >> shift & bags.FULL for shift in _SHIFTS]
    fresh = [hide and not shared >> shift & bags.FULL for hide, shift in zip(hidden, _SHIFTS, strict=True)]
    for low, high, span, token in _STONE_SPANS if stones else _SPANS:
        if high - low >= limit:
            continue
        if token and all(most[span]) and sum(hidden[span]) <= unknown and sum(fresh[span]) <= free:
            yield token
        if stones:
            # Stones stand first for what is hardest to hold: what cannot be, then what nobody has seen.
            spare = min(stones, high - low) - (low < LOW) - (high > HIGH) - most[span].count(0)
            may = [at for at in range(span.start, span.stop) if most[at]]
            unseen_ranks, new = sum(hidden[at] for at in may), sum(fresh[at] for at in may)
            if spare >= 0 and unseen_ranks - spare <= unknown and new - spare <= free:
                yield f"{low}-{high}s"


_RANK_KINDS = range(len(RANKS))
_SHIFTS = tuple(bags.LANE * lane(rank) for rank in RANKS)
_STONE_SPANS = [
    (
        low,
        high,
        slice(max(lane(low), 0), min(lane(high) + 1, len(RANKS))),
        f"{low}-{high}" if (low, high) in RUNS else "",
    )
    for low, high in STONE_RUNS
]
_SPANS = [entry for entry in _STONE_SPANS if entry[3]]


@BOOK.check("build.three_cards", "SG-3.8", "action")
def _(state: State, token: str) -> Objection | None:
    if token != BUILD or held_by(state) >= LEAST_STOREYS:
        return None
    return Objection({"cards": held_by(state), "least": LEAST_STOREYS})


@BOOK.check("build.cap", "SG-9.10", "build")
def _(state: State, token: str) -> Objection | None:
    low, high = read_shape(token)
    return _over_cap(state, high - low + 1) if low != high else None


@BOOK.check("build.one_more", "SG-9.4", "action", "build")
def _(state: State, token: str) -> Objection | None:
    if not state.frames and token != BUILD:
        return None
    hand, stones = hand_of(state, state.seat), []
    for shape in (token,) if state.frames else _shapes_asked(state):
        few = _fewest_stones(state, hand, shape)
        if few is not None and few <= hand.stones:
            return None
        if few is not None:
            stones.append(few)
    if not stones and token[-1] == "s":
        stones.append(max(len(forced_stones(*read_shape(token))), 1))
    return too_many(state, min(stones)) if stones else None


@BOOK.check("build.possible", "SG-11.1", "action")
def _(state: State, token: str) -> Objection | None:
    if token != BUILD or any(_may_lay(state, shape) for shape in _shapes_asked(state)):
        return None
    return Objection({"cards": held_by(state)}, (*(("unseen", rank) for rank in RANKS), ("hand", state.seat)))


@BOOK.check("build.hand", "SG-11.1", "build")
def _(state: State, token: str) -> Objection | None:
    if _may_lay(state, token):
        return None
    low, high = read_shape(token)
    if low == high:
        return beyond_hand(state, card(low, LEAST_STOREYS), f"{token}x{LEAST_STOREYS}")
    if token[-1] != "s":
        return beyond_hand(state, real_cards(low, high), token)
    kinds = [rank for rank in range(low, high + 1) if rank in RANKS] + [number_of(PIETRA)]
    figures: dict[str, int | str] = {"asked": f"{low}-{high}", "cards": held_by(state)}
    if high - low + 1 > held_by(state):
        figures |= {"variant": "hand_few", "needed": high - low + 1}
    return Objection(figures, (*(("unseen", kind) for kind in kinds), ("hand", state.seat)))


def _shapes_asked(state: State) -> tuple[str, ...]:
    return SHAPES_9.tokens if state.nobles else SHAPES.tokens


def _may_lay(state: State, token: str) -> bool:
    """Whether the hand may hold a shape and the rules for nobles let it be laid."""
    hand = hand_of(state, state.seat)
    few = _fewest_stones(state, hand, token)
    return few is not None and few <= hand.stones


def _fewest_stones(state: State, hand: Hand, token: str) -> int | None:
    """With how few stones a hand may lay a shape under the opponent's Palazzo, were they all free to use.

    None where it cannot.
    """
    low, high = read_shape(token)
    if low != high and high - low >= cap(state, state.seat):
        return None
    held = (stones for need, stones in ways(token) if hand.may_hold(need + bags.one(PIETRA, stones)))
    return min(held, default=None)


@begins(BUILD)
def _(state: State, _: str) -> State:
    return replace(state, frames=(Frame("build"),))


@BOOK.effect("build")
def _(state: State, token: str) -> State:
    """A shape is chosen; a run without stones stands at once."""
    low, high = read_shape(token)
    if low == high:
        return replace(state, frames=(Frame("height", tower=plain(low, 1)),))
    tower = run(low, high)
    if token[-1] == "s":
        return replace(state, frames=(Frame("stones", tower=tower),))
    return _lay(state, None, tower)


@BOOK.possible("build")
def _(state: State, token: str, held: Hand | None) -> bool:
    low, high = read_shape(token)
    hand = held or hand_asked(state)
    return low == high or token[-1] == "s" or hand.may_hold(real_cards(low, high))


# Build: the height of a plain tower

_SOME_STONES = tuple("s" * n for n in range(STONES + 1))
HEIGHTS = Domain("height", tuple(f"x{n}" for n in range(LEAST_STOREYS, HIGH + 1)), Picker.WHEEL)
HEIGHTS_9 = Domain(
    "height",
    tuple(f"x{n}{s}" for n in range(LEAST_STOREYS, HIGH + STONES + 1) for s in _SOME_STONES),
    Picker.WHEEL,
)
BOOK.asks(either(HEIGHTS, HEIGHTS_9), "height")
BOOK.figures("height", "stones")(tower_figures)


@BOOK.lists("height")
def _(state: State, held: Hand | None) -> list[Choice]:
    hand = held or hand_asked(state)
    most = hand.towers.most(lane(frame_tower(state).low))
    if not state.nobles:
        return BOOK.listed("height", [f"x{n}" for n in range(LEAST_STOREYS, most + 1)])
    limit = min(cap(state, state.seat), HIGH + STONES)
    tokens = []
    for n in range(LEAST_STOREYS, limit + 1):
        tokens += [f"x{n}{'s' * s}" for s in range(min(hand.stones, n - 1) + 1) if n - s <= most]
    return BOOK.listed("height", tokens)


@BOOK.check("height.copies", "SG-1.1", "height", "final_height")
def _(state: State, token: str) -> Objection | None:
    rank, (n, stones) = frame_tower(state).low, read_storeys(token)
    return Objection({"rank": rank}) if n - len(stones) > rank else None


@BOOK.check("height.real", "SG-9.5", "height", "final_height")
def _(_: State, token: str) -> Objection | None:
    n, stones = read_storeys(token)
    return Objection() if len(stones) >= n else None


@BOOK.check("height.cap", "SG-9.10", "height")
def _(state: State, token: str) -> Objection | None:
    return _over_cap(state, read_storeys(token)[0])


@BOOK.check("height.one_more", "SG-9.4", "height")
def _(state: State, token: str) -> Objection | None:
    return too_many(state, len(read_storeys(token)[1]))


@BOOK.check("height.hand", "SG-11.1", "height")
def _(state: State, token: str) -> Objection | None:
    rank = frame_tower(state).low
    need = _needed(rank, token)
    return beyond_hand(state, need, titles(need) if "s" in token else f"{rank}{token}")


def _needed(rank: int, token: str) -> Bag:
    """The cards of both backs that so many storeys of a plain tower are."""
    n, stones = read_storeys(token)
    return card(rank, n - len(stones)) + bags.one(PIETRA, len(stones))


@BOOK.effect("height")
def _(state: State, token: str) -> State:
    n, stones = read_storeys(token)
    return _lay(state, None, plain(frame_tower(state).low, n, stones=len(stones)))


@BOOK.possible("height")
def _(state: State, token: str, held: Hand | None) -> bool:
    return (held or hand_asked(state)).may_hold(_needed(frame_tower(state).low, token))


@BOOK.fits("height")
def _(state: State) -> bool:
    tower = state.frames[-1].tower
    return tower is not None and tower.height == 1


# Build: the stones of a colourful tower


@cache
def _stones_of_run(low: int, high: int) -> Domain:
    return Domain("stones", tuple(stones_text(chosen) for chosen in stone_sets(low, high) if chosen))


def stones_of(state: State) -> Domain:
    """Which storeys of a run with stones are stones."""
    tower = frame_tower(state)
    return _stones_of_run(tower.low, tower.high)


BOOK.asks(stones_of, "stones")


@BOOK.lists("stones")
def _(state: State, held: Hand | None) -> list[Choice]:
    hand, tower = held or hand_asked(state), frame_tower(state)
    most = min(hand.stones, tower.height - 1)
    tokens = [
        stones_text(chosen)
        for chosen in stone_sets(tower.low, tower.high)
        if 0 < len(chosen) <= most and hand.towers.may_hold(real_cards(tower.low, tower.high, chosen))
    ]
    return BOOK.listed("stones", tokens)


@BOOK.check("stones.real", "SG-9.5", "stones", "final_stones")
def _(state: State, token: str) -> Objection | None:
    return Objection() if len(read_stones(token)) >= frame_tower(state).height else None


@BOOK.check("stones.one_more", "SG-9.4", "stones")
def _(state: State, token: str) -> Objection | None:
    return too_many(state, len(read_stones(token)))


@BOOK.check("stones.hand", "SG-11.1", "stones")
def _(state: State, token: str) -> Objection | None:
    need = _run_needed(frame_tower(state), token)
    return beyond_hand(state, need, titles(need))


def _run_needed(tower: Tower, token: str) -> Bag:
    """The cards of both backs that a run with these stones is."""
    stones = read_stones(token)
    return real_cards(tower.low, tower.high, stones) + bags.one(PIETRA, len(stones))


@BOOK.effect("stones")
def _(state: State, token: str) -> State:
    tower = frame_tower(state)
    return _lay(state, None, run(tower.low, tower.high, stones=read_stones(token)))


@BOOK.possible("stones")
def _(state: State, token: str, held: Hand | None) -> bool:
    return (held or hand_asked(state)).may_hold(_run_needed(frame_tower(state), token))


@BOOK.fits("stones")
def _(state: State) -> bool:
    tower = state.frames[-1].tower
    return tower is not None and not tower.plain and state.nobles is not None and not tower.stones


# Extend: which tower


def _towers(state: State, *more: str) -> Domain:
    """The towers of the seat whose turn it is; another's may be written."""
    own, others = (
        tuple(dict.fromkeys(map(tower_text, state.towers[one]))) for one in (state.seat, 1 - state.seat)
    )
    return Domain("tower", own + more, written=tuple(tower for tower in others if tower not in own))


BOOK.asks(_towers, "extend")


def _fitting_rank(tower: Tower) -> int | None:
    """The tower card that goes on top next (SG-3.9), None if none can."""
    if tower.complete:
        return None
    if tower.plain:
        return tower.low
    return tower.low - 1 if tower.low > LOW else None


def _takes_stone(tower: Tower) -> bool:
    """Whether a stone can go on top."""
    return not tower.complete and (tower.plain or tower.low >= LOW)


def _may_extend(state: State, hand: Hand) -> list[Tower]:
    if not hand.size:
        return []
    limit = cap(state, state.seat)
    found = []
    for tower in dict.fromkeys(state.towers[state.seat]):
        if tower.height >= limit:
            continue
        rank = _fitting_rank(tower)
        if (rank is not None and hand.towers.most(rank - LOW)) or (hand.stones and _takes_stone(tower)):
            found.append(tower)
    return found


@BOOK.lists("extend")
def _(state: State, held: Hand | None) -> list[Choice]:
    return BOOK.listed("extend", map(str, _may_extend(state, held or hand_asked(state))))


def _growing(state: State) -> list[Tower]:
    """The own towers that a card or, in the advanced game, a stone can go on top of."""
    own = state.towers[state.seat]
    stones = state.nobles is not None
    return [tower for tower in own if _fitting_rank(tower) or (stones and _takes_stone(tower))]


def _uncapped(state: State) -> list[Tower]:
    """Those of them that may rise under the opponent's Palazzo."""
    return [tower for tower in _growing(state) if tower.height < cap(state, state.seat)]


@BOOK.check("extend.tower", "SG-3.9", "action")
def _(state: State, token: str) -> Objection | None:
    return None if token != EXTEND or _growing(state) else Objection()


@BOOK.check("extend.card", "SG-3.9", "action")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == EXTEND and not held_by(state) else None


@BOOK.check("extend.cap", "SG-9.10", "action")
def _(state: State, token: str) -> Objection | None:
    limit = cap(state, state.seat)
    if token != EXTEND or any(tower.height < limit for tower in _growing(state)):
        return None
    return Objection({"cap": limit})


@BOOK.check("extend.one_more", "SG-9.4", "action")
def _(state: State, token: str) -> Objection | None:
    if token != EXTEND:
        return None
    towers, hand = _uncapped(state), hand_of(state, state.seat)
    fitting = {rank for tower in towers if (rank := _fitting_rank(tower))}
    if any(hand.towers.most(lane(rank)) for rank in fitting):
        return None
    stone = hand.nobles.most(PIETRA) and any(map(_takes_stone, towers))
    return too_many(state, 1) if stone or not fitting else None


@BOOK.check("extend.possible", "SG-11.1", "action")
def _(state: State, token: str) -> Objection | None:
    if token != EXTEND:
        return None
    hand = hand_of(state, state.seat)
    fitting = sorted({rank for tower in _uncapped(state) if (rank := _fitting_rank(tower))})
    if hand.stones or any(hand.towers.most(lane(rank)) for rank in fitting):
        return None
    wanted = [*map(lane, fitting), *[PIETRA] * (state.nobles is not None)]
    kinds, ranks = map(number_of, wanted), ", ".join(map(title_of, wanted))
    return Objection({"ranks": ranks}, (*(("unseen", k) for k in kinds), ("hand", state.seat)))


def _tower(token: str) -> Tower:
    tower = read_tower(token)
    assert tower
    return tower


def _not_own(state: State, token: str) -> Objection | None:
    tower = read_tower(token)
    return None if tower is None or tower in state.towers[state.seat] else Objection({"tower": token})


@BOOK.check("extend.own", "SG-3.9", "extend")
def _(state: State, token: str) -> Objection | None:
    return _not_own(state, token)


@BOOK.check("extend.complete", "SG-3.11", "extend")
def _(_: State, token: str) -> Objection | None:
    return Objection({"tower": token}) if _tower(token).complete else None


@BOOK.check("extend.top", "SG-3.9", "extend")
def _(state: State, token: str) -> Objection | None:
    tower = _tower(token)
    return None if tower in _growing(state) else Objection({"tower": token, "rank": tower.low})


@BOOK.check("extend.tower_cap", "SG-9.10", "extend")
def _(state: State, token: str) -> Objection | None:
    return _over_cap(state, _tower(token).height + 1, token)


@BOOK.check("extend.stone", "SG-9.4", "extend")
def _(state: State, token: str) -> Objection | None:
    rank, hand = _fitting_rank(_tower(token)), hand_of(state, state.seat)
    if rank and (hand.towers.most(lane(rank)) or not hand.nobles.most(PIETRA)):
        return None
    return too_many(state, 1)


@BOOK.check("extend.hand", "SG-11.1", "extend")
def _(state: State, token: str) -> Objection | None:
    rank = _fitting_rank(_tower(token))
    if hand_of(state, state.seat).stones:
        return None
    need = card(rank) if rank else bags.one(PIETRA)
    return beyond_hand(state, need, titles(need))


@begins(EXTEND)
def _(state: State, _: str) -> State:
    return replace(state, frames=(Frame("extend"),))


@BOOK.effect("extend")
def _(state: State, token: str) -> State:
    return replace(state, frames=(Frame("storeys", tower=_tower(token)),))


@BOOK.possible("extend")
def _(state: State, token: str, _: Hand | None) -> bool:
    tower = _tower(token)
    return tower in state.towers[state.seat] and (tower.plain or tower.low >= LOW)


# Extend: what goes on top

_STOREYS = Domain("storeys", tuple(f"+{n}" for n in range(1, HIGH + 1)), Picker.WHEEL)
_STOREYS_9 = Domain(
    "storeys",
    tuple(f"+{n}{s}" for n in range(1, HIGH + 1) for s in _SOME_STONES[: n + 1]),
    Picker.WHEEL,
)


@cache
def _storeys_of_run(low: int) -> Domain:
    """Storeys, stones among them, that a run whose top is ``low`` may be given."""
    tokens = [
        f"+{low - top}{stones_text(chosen)}"
        for top in range(low - 1, LOW - 2, -1)
        for chosen in stone_sets(top, low - 1)
    ]
    return Domain("storeys", tuple(tokens))


def _storeys(state: State) -> Domain:
    tower = frame_tower(state)
    if not state.nobles:
        return _STOREYS
    return _STOREYS_9 if tower.plain else _storeys_of_run(tower.low)


BOOK.asks(_storeys, "storeys")
BOOK.figures("storeys")(tower_figures)


@BOOK.lists("storeys")
def _(state: State, held: Hand | None) -> list[Choice]:
    hand, tower = held or hand_asked(state), frame_tower(state)
    room = cap(state, state.seat) - tower.height
    if not hand.stones:
        most = min(_most_storeys(hand, tower), room)
        return BOOK.listed("storeys", [f"+{n}" for n in range(1, most + 1)])
    tokens = []
    if tower.plain:
        most, stones = hand.towers.most(lane(tower.low)), hand.stones
        for n in range(1, min(room, HIGH) + 1):
            tokens += [f"+{n}{'s' * s}" for s in range(min(stones, n) + 1) if n - s <= most]
        return BOOK.listed("storeys", tokens)
    tokens = [
        f"+{tower.low - top}{stones_text(chosen)}"
        for top in range(tower.low - 1, max(LOW - 1, tower.low - room) - 1, -1)
        for chosen in stone_sets(top, tower.low - 1)
        if len(chosen) <= hand.stones and hand.towers.may_hold(real_cards(top, tower.low - 1, chosen))
    ]
    return BOOK.listed("storeys", tokens)


def _most_storeys(hand: Hand, tower: Tower) -> int:
    """How many storeys of tower cards the hand may add to ``tower``."""
    if tower.plain:
        return hand.towers.most(lane(tower.low))
    need, storeys = 0, 0
    for rank in range(tower.low - 1, LOW - 1, -1):
        need += card(rank)
        if not hand.towers.may_hold(need):
            break
        storeys += 1
    return storeys


@BOOK.check("storeys.run", "SG-3.9", "storeys")
def _(state: State, token: str) -> Objection | None:
    tower, (n, stones) = frame_tower(state), read_storeys(token)
    if tower.plain or tower.low - n >= LOW - len(stones):
        return None
    return Objection({"tower": str(tower), "most": tower.low - LOW})


@BOOK.check("storeys.copies", "SG-1.1", "storeys")
def _(state: State, token: str) -> Objection | None:
    tower, (n, stones) = frame_tower(state), read_storeys(token)
    if not tower.plain or tower.height + n - len(tower.stones) - len(stones) <= tower.low:
        return None
    return Objection({"rank": tower.low})


@BOOK.check("storeys.cap", "SG-9.10", "storeys")
def _(state: State, token: str) -> Objection | None:
    return _over_cap(state, frame_tower(state).height + read_storeys(token)[0])


@BOOK.check("storeys.one_more", "SG-9.4", "storeys")
def _(state: State, token: str) -> Objection | None:
    return too_many(state, len(read_storeys(token)[1]))


@BOOK.check("storeys.hand", "SG-11.1", "storeys")
def _(state: State, token: str) -> Objection | None:
    need = _added(frame_tower(state), token)
    return beyond_hand(state, need, titles(need))


def _added(tower: Tower, token: str) -> Bag:
    """The cards of both backs that a token of storeys adds."""
    n, stones = read_storeys(token)
    if tower.plain:
        return _needed(tower.low, token)
    added = [rank for rank in range(tower.low - n, tower.low) if rank not in stones]
    return cards([rank for rank in added if rank in RANKS]) + bags.one(PIETRA, len(stones))


@BOOK.effect("storeys")
def _(state: State, token: str) -> State:
    old = frame_tower(state)
    return _lay(state, old, extended(old, token))


def extended(tower: Tower, token: str) -> Tower:
    """A tower with the storeys of a token on top."""
    n, stones = read_storeys(token)
    if tower.plain:
        return plain(tower.low, tower.height + n, tower.complete, len(tower.stones) + len(stones))
    return run(tower.low - n, tower.high, tower.complete, (*stones, *tower.stones))


@BOOK.possible("storeys")
def _(state: State, token: str, held: Hand | None) -> bool:
    tower, (n, stones) = frame_tower(state), read_storeys(token)
    storeys = range(tower.low - n, tower.low) if not tower.plain else ()
    exist = all(rank in RANKS for rank in storeys if rank not in stones)
    return exist and (held or hand_asked(state)).may_hold(_added(tower, token))


@BOOK.fits("storeys")
def _(state: State) -> bool:
    return state.frames[-1].tower in state.towers[BOOK.asked(state)]


# What storeys that were laid do (SG-5.9)


def _lay(state: State, old: Tower | None, tower: Tower) -> State:
    """Storeys are laid; stones among them may be answered with a Giostra first."""
    laid = tower.bag - old.bag if old else tower.bag
    n = tower.height - old.height if old else tower.height
    used = len(tower.stones) - len(old.stones) if old else len(tower.stones)
    state = change_towers(show(state, state.seat, laid), state.seat, old, tower)
    state = replace(state, frames=())
    if used:
        pietre = bags.one(PIETRA, used)
        state = use(state, state.seat, pietre)
        asked = ask_giostra(state, state.seat, Frame("", n, laid + pietre, tower))
        if asked:
            return asked
    return laid_down(state, tower, n, opened=True)


def laid_down(state: State, tower: Tower, n: int, *, opened: bool) -> State:
    """What ``n`` storeys that stay do; all of the tower's are a Build."""
    if tower.height > tallest_rival(state, state.seat, tower):  # SG-4.1, SG-4.2
        state = replace(state, marker=state.seat)
    if n < tower.height:
        return settle(state) if state.ending else draw_up_to(state, n, opened=opened)
    return donate(state, tower)


# Complete and Close

THAT_IS_ALL = "."
"""Enough was flipped, or no more towers are reported."""
BOOK.asks(lambda state: _towers(state, THAT_IS_ALL), "complete")


@BOOK.lists("complete")
def _(state: State, _: Hand | None) -> list[Choice]:
    towers = [str(tower) for tower in dict.fromkeys(state.towers[state.seat]) if not tower.complete]
    return BOOK.listed("complete", towers + [THAT_IS_ALL] * (state.frames[-1].n > 0))


@BOOK.check("complete.tower", "SG-3.11", "action")
def _(state: State, token: str) -> Objection | None:
    if token != COMPLETE or any(not tower.complete for tower in state.towers[state.seat]):
        return None
    return Objection()


@BOOK.check("close.completed", "SG-3.12", "action")
def _(state: State, token: str) -> Objection | None:
    completed = sum(tower.complete for tower in state.towers[state.seat])
    if token != CLOSE or completed >= COMPLETED_TO_CLOSE:
        return None
    return Objection({"completed": completed, "needed": COMPLETED_TO_CLOSE})


@BOOK.check("complete.own", "SG-3.11", "complete")
def _(state: State, token: str) -> Objection | None:
    return _not_own(state, token)


@BOOK.check("complete.flipped", "SG-3.11", "complete")
def _(_: State, token: str) -> Objection | None:
    tower = read_tower(token)
    return Objection({"tower": token}) if tower and tower.complete else None


@BOOK.check("complete.one", "SG-3.11", "complete")
def _(state: State, token: str) -> Objection | None:
    return Objection() if token == THAT_IS_ALL and not state.frames[-1].n else None


@begins(COMPLETE)
def _(state: State, _: str) -> State:
    return replace(state, frames=(Frame("complete"),))


@BOOK.possible("complete")
def _(state: State, token: str, _: Hand | None) -> bool:
    return token == THAT_IS_ALL or _tower(token) in state.towers[state.seat]


@BOOK.effect("complete")
def _(state: State, token: str) -> State:
    if token == THAT_IS_ALL:
        return settle(state)
    tower = _tower(token)
    state = change_towers(state, state.seat, tower, replace(tower, complete=True))
    if all(standing.complete for standing in state.towers[state.seat]):
        return settle(state)
    return replace(state, frames=(Frame("complete", 1),))


@begins(CLOSE)
def _(state: State, _: str) -> State:
    return settle(replace(state, ending=True, closer=state.seat))
