"""The fast list of what is legal: certain by what is known, or possible. No check is run here.

``checks.py`` says the same thing slowly and with reasons; a property test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Level
from engines.san_gimignano import layout_moves
from engines.san_gimignano import questions as q
from engines.san_gimignano.cards import (
    GIOSTRA,
    HIGH,
    KINDS,
    LEAST_STOREYS,
    LOW,
    NOBLES,
    PALAZZO,
    PIETRA,
    RANKS,
    RUNS,
    STONE_RUNS,
    STONES,
    TOWER_CARDS,
    VIA,
    Tower,
    card,
    kind_of,
    lane,
    real_cards,
    stone_sets,
    stones_text,
)
from engines.san_gimignano.state import (
    BOTH_DECKS,
    COMPLETED_TO_CLOSE,
    DECKS_ONLY,
    NO_NOBLES,
    Hand,
    State,
    cap,
    conspiracy_targets,
    hand_limit,
    hand_of,
    highest,
    more_nobles,
    unseen,
)

List = Callable[[State, Hand], list[Choice]]


def legal(state: State, hand: Hand | None = None) -> list[Choice]:
    """Every choice that the rules allow, in the domain's order.

    ``hand`` is what the hand asked about may hold, by default what the referee knows of it; a hand of known
    cards only gives the list of somebody who sees it.
    """
    if state.termination:
        return []
    if not state.frames:
        return _actions(state, hand or hand_of(state, state.seat))
    asked = state.frames[-1]
    if hand is None and asked.question not in _OPEN:
        hand = hand_of(state, state.seat if asked.seat < 0 else asked.seat)
    return _LIST[asked.question](state, hand or _NO_HAND)


_OPEN = frozenset({"draw", "complete", "donazione", "target", "market", "traded", "returned"})
"""Questions that no hand bears on, beyond how many cards it holds."""
_NO_HAND = Hand(NO_NOBLES, NO_NOBLES, 0)


# Exchange and draws


def supply(state: State, put: Bag = 0, sources: str = BOTH_DECKS) -> int:
    """How many cards can be drawn after ``put`` was put down (SG-3.6, SG-3.7)."""
    cards = state.deck
    if state.nobles and sources:
        cards += state.nobles.deck
    if sources != DECKS_ONLY:
        for kind, copies in bags.items(state.market):
            if not bags.count(put, kind):
                cards += copies
    return cards


def can_exchange(state: State, hand: Hand) -> bool:
    """Whether some two cards that the hand may hold can be exchanged."""
    if hand.size < 2:
        return False
    if state.deck >= 2:
        return True  # the deck replaces whatever two cards they are
    return any(may_put(state, hand, bags.one(kind), 1) for kind in _kinds(state))


def may_put(state: State, hand: Hand, put: Bag, n: int) -> bool:
    """Whether ``put`` (of ``n`` cards) may be laid down and completed to an exchange."""
    if not hand.may_hold(put):
        return False
    deck = state.deck
    if n >= 2:
        return deck >= n or supply(state, put) >= n
    if deck >= 2:
        return hand.size >= 2  # whatever the second card is, the deck replaces both
    both = (put + bags.one(kind) for kind in _kinds(state))
    return any(supply(state, cards) >= 2 and hand.may_hold(cards) for cards in both)


def _kinds(state: State) -> range:
    return range(len(KINDS)) if state.nobles else range(len(RANKS))


def _put(state: State, hand: Hand) -> list[Choice]:
    put = state.frames[-1].put
    n = bags.total(put)
    if state.deck > max(n, 1) and hand.size >= 2:  # the deck replaces whatever is put
        tokens = _held_besides(hand, put)
    else:
        tokens = [KINDS[kind] for kind in _kinds(state) if may_put(state, hand, put + bags.one(kind), n + 1)]
    return q.listed("put", tokens + [q.ENOUGH] * (n >= 2))


def _held_besides(hand: Hand, put: Bag) -> list[str]:
    """The cards that the hand may hold besides those put."""
    towers = put & TOWER_CARDS
    kinds = hand.towers.besides(towers, _TOWER_KINDS)
    if hand.noble_cards:
        kinds += hand.nobles.besides(put - towers, _NOBLE_KINDS)
    return [KINDS[kind] for kind in kinds]


_TOWER_KINDS = range(PIETRA)
_NOBLE_KINDS = range(PIETRA, len(KINDS))


def _draw(state: State, _: Hand) -> list[Choice]:
    frame = state.frames[-1]
    hidden = state.nobles.deck if state.nobles and frame.sources else 0
    if state.level is Level.FULL:
        tokens = [q.DECK] * (state.deck > 0) + [q.NOBLE_DECK] * (hidden > 0)
    elif hidden:
        tokens = [f"d{n}" for n in range(1, min(frame.n, state.deck) + 1)]
        tokens += [f"n{n}" for n in range(1, min(frame.n, hidden) + 1)]
    else:
        tokens = [f"d{frame.n}"] if state.deck >= frame.n else []
    if frame.sources != DECKS_ONLY:
        tokens += [f"m{KINDS[k]}" for k, _ in bags.items(state.market) if not bags.count(frame.put, k)]
    return q.listed("draw", tokens)


# Towers


def _shapes(state: State, hand: Hand) -> Iterator[str]:
    """Tokens of the shapes that the hand may hold three storeys of."""
    if hand.size < LEAST_STOREYS:
        return
    stones, limit = hand.stones, cap(state, state.seat)
    cards = hand.towers
    most = [cards.most(kind) for kind in range(len(RANKS))]
    for kind, copies in enumerate(most):
        if copies + stones >= LEAST_STOREYS and copies:
            yield q.SHAPES.tokens[kind]
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


def fitting_rank(tower: Tower) -> int | None:
    """The tower card that goes on top next (SG-3.9), None if none can."""
    if tower.complete:
        return None
    if tower.plain:
        return tower.low
    return tower.low - 1 if tower.low > LOW else None


def takes_stone(tower: Tower) -> bool:
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
        rank = fitting_rank(tower)
        if (rank is not None and hand.towers.most(rank - LOW)) or (hand.stones and takes_stone(tower)):
            found.append(tower)
    return found


def _build(state: State, hand: Hand) -> list[Choice]:
    return q.listed("build", list(_shapes(state, hand)))


def _frame_tower(state: State) -> Tower:
    tower = state.frames[-1].tower
    assert tower
    return tower


def _height(state: State, hand: Hand) -> list[Choice]:
    most = hand.towers.most(lane(_frame_tower(state).low))
    if not state.nobles:
        return q.listed("height", [f"x{n}" for n in range(LEAST_STOREYS, most + 1)])
    limit = min(cap(state, state.seat), HIGH + STONES)
    tokens = []
    for n in range(LEAST_STOREYS, limit + 1):
        tokens += [f"x{n}{'s' * s}" for s in range(min(hand.stones, n - 1) + 1) if n - s <= most]
    return q.listed("height", tokens)


def _stones(state: State, hand: Hand) -> list[Choice]:
    tower = _frame_tower(state)
    most = min(hand.stones, tower.height - 1)
    return [
        Choice("stones", stones_text(chosen))
        for chosen in stone_sets(tower.low, tower.high)
        if 0 < len(chosen) <= most and hand.towers.may_hold(real_cards(tower.low, tower.high, chosen))
    ]


def _extend(state: State, hand: Hand) -> list[Choice]:
    return [Choice("extend", str(tower)) for tower in _may_extend(state, hand)]


def most_storeys(hand: Hand, tower: Tower) -> int:
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


def _storeys(state: State, hand: Hand) -> list[Choice]:
    tower = _frame_tower(state)
    room = cap(state, state.seat) - tower.height
    if not hand.stones:
        most = min(most_storeys(hand, tower), room)
        if state.nobles and not tower.plain:
            return [Choice("storeys", f"+{n}") for n in range(1, most + 1)]
        return q.listed("storeys", [f"+{n}" for n in range(1, most + 1)])
    if tower.plain:
        most, stones = hand.towers.most(lane(tower.low)), hand.stones
        tokens = []
        for n in range(1, min(room, HIGH) + 1):
            tokens += [f"+{n}{'s' * s}" for s in range(min(stones, n) + 1) if n - s <= most]
        return q.listed("storeys", tokens)
    return [
        Choice("storeys", f"+{tower.low - top}{stones_text(chosen)}")
        for top in range(tower.low - 1, max(LOW - 1, tower.low - room) - 1, -1)
        for chosen in stone_sets(top, tower.low - 1)
        if len(chosen) <= hand.stones and hand.towers.may_hold(real_cards(top, tower.low - 1, chosen))
    ]


def _complete(state: State, _: Hand) -> list[Choice]:
    towers = [str(tower) for tower in dict.fromkeys(state.towers[state.seat]) if not tower.complete]
    return [Choice("complete", token) for token in towers + [q.FLIPPED] * (state.frames[-1].n > 0)]


# The actions


def _actions(state: State, hand: Hand) -> list[Choice]:
    own = state.towers[state.seat]
    tokens = []
    if not state.ending:
        taken = 1 if state.deck == 1 else 2
        if hand.size + taken <= hand_limit(state, state.seat):
            tokens.append(q.PURCHASE)
        if can_exchange(state, hand):
            tokens.append(q.EXCHANGE)
    if next(_shapes(state, hand), None):
        tokens.append(q.BUILD)
    if _may_extend(state, hand):
        tokens.append(q.EXTEND)
    if not state.ending:
        completed = sum(tower.complete for tower in own)
        if completed < len(own):
            tokens.append(q.COMPLETE)
        if completed >= COMPLETED_TO_CLOSE:
            tokens.append(q.CLOSE)
    if hand.noble_cards:
        tokens += _playable(state, hand)
    tokens.append(q.PASS)
    return q.listed("action", tokens)


def _playable(state: State, hand: Hand) -> Iterator[str]:
    """The nobles that may be the turn (SG-9.3, SG-9.4)."""
    if more_nobles(state, state.seat) < 1:
        return
    for name in NOBLES:
        kind = kind_of(name)
        if kind in (PIETRA, GIOSTRA) or not hand.nobles.most(kind) or (kind == VIA and state.ending):
            continue
        if kind == PALAZZO and hand.size < 3 and not overtopped(state, state.seat):
            continue
        yield name


def overtopped(state: State, seat: int) -> bool:
    """Whether the opponent's highest tower is higher than ``seat``'s: a Palazzo is removed then (SG-9.10)."""
    return highest(state, 1 - seat) > highest(state, seat)


# Donazione and nobles


def _target(state: State, _: Hand) -> list[Choice]:
    targets = conspiracy_targets(state, _frame_tower(state))
    return [Choice("target", q.owned(owner, target)) for owner, target in targets]


def _guard(state: State, hand: Hand) -> list[Choice]:
    tokens = [q.GUARD] * bool(hand.towers.most(0))
    if state.nobles and state.nobles.pietra_guard and hand.stones:
        tokens.append(q.STONE)
    return q.listed("guard", [*tokens, q.ALLOW])


def may_guard(state: State, seat: int) -> bool:
    """Whether ``seat`` is asked for a Guard: by what everybody saw, not by what is held (SG-5.2)."""
    hand = hand_of(state, seat)
    if hand.towers.most(0):
        return True
    return bool(state.nobles and state.nobles.pietra_guard and hand.stones)


def _giostra(state: State, hand: Hand) -> list[Choice]:
    may = hand.nobles.most(GIOSTRA) and more_nobles(state, state.frames[-1].seat) >= 1
    return q.listed("giostra", [q.JOUST] * bool(may) + [q.ALLOW])


def _cancel(state: State, _: Hand) -> list[Choice]:
    return [Choice("cancel", token) for token in q.domain(state).tokens]


def returns(state: State) -> list[str]:
    """What two cards the player of a Palazzo may put under their decks, or none (SG-9.10)."""
    assert state.nobles
    towers, nobles = state.hands[state.seat].size, state.nobles.hands[state.seat].size
    tokens = [token for token, (t, n) in q.RETURNS.items() if t <= towers and n <= nobles]
    return tokens + [q.KEEP] * overtopped(state, state.seat)


def _palazzo(state: State, _: Hand) -> list[Choice]:
    return q.listed("palazzo", returns(state))


def noble_counts(state: State) -> range:
    """How many nobles may be among the ``n`` cards that a Trade moves now (SG-5.6, SG-9.2)."""
    assert state.nobles
    frame = state.frames[-1]
    giver = 1 - state.seat if frame.question == "traded" else state.seat
    towers, nobles = state.hands[giver].size, state.nobles.hands[giver].size
    return range(max(0, frame.n - towers), min(frame.n, nobles) + 1)


def _noble_counts(state: State, _: Hand) -> list[Choice]:
    return q.listed(state.frames[-1].question, [f"n{n}" for n in noble_counts(state)])


def _market(state: State, _: Hand) -> list[Choice]:
    hidden = unseen(state)
    return q.listed("market", [str(rank) for rank in RANKS if bags.count(hidden, lane(rank))])


def _of_layout(listed: Callable[[State], list[Choice]]) -> List:
    return lambda state, _hand: listed(state)


def _all(question: str, tokens: tuple[str, ...]) -> List:
    choices = q.listed(question, list(tokens))
    return lambda _state, _hand: choices.copy()


_LIST: dict[str, List] = {
    "build": _build,
    "height": _height,
    "stones": _stones,
    "put": _put,
    "draw": _draw,
    "extend": _extend,
    "storeys": _storeys,
    "complete": _complete,
    "donazione": _all("donazione", q.DONATIONS.tokens),
    "target": _target,
    "guard": _guard,
    "giostra": _giostra,
    "cancel": _cancel,
    "remains": _all("remains", q.REMAINS.tokens),
    "palazzo": _palazzo,
    "traded": _noble_counts,
    "returned": _noble_counts,
    "market": _market,
    "deal": _all("deal", q.NEXT_DEAL.tokens),
    "final": _of_layout(layout_moves.final),
    "final_height": _of_layout(layout_moves.final_height),
    "final_stones": _of_layout(layout_moves.final_stones),
    "final_state": _all("final_state", q.FINAL_STATES.tokens),
    "final_marker": _of_layout(layout_moves.final_marker),
    "final_monumento": _all("final_monumento", q.HOLDERS.tokens),
    "final_cappella": _all("final_cappella", q.HOLDERS.tokens),
    "final_closer": _of_layout(layout_moves.final_closer),
}
