"""Whole truths that agree with what the referee knows, and whether a choice shows somebody more of them."""

from __future__ import annotations

from random import Random

import msgspec
from msgspec.structs import replace

from engines import bags
from engines.bags import Bag
from engines.contract import Choice, Level
from engines.kit.position import listed
from engines.kit.rulebook import question
from engines.pools import HeldPool
from engines.san_gimignano.book import BOOK, IN_HAND
from engines.san_gimignano.cards import (
    GIOSTRA,
    LOW,
    NOBLES,
    PIETRA,
    TOWER_CARDS,
    Tower,
    card,
    kind_of,
    names,
    plain,
    ranks,
    read_shape,
    read_stones,
    read_storeys,
    run,
)
from engines.san_gimignano.donazione import ALLOW, GUARD, USE
from engines.san_gimignano.drawing import DECK, ENOUGH
from engines.san_gimignano.nobles import BACK, GO, JOUST
from engines.san_gimignano.standing import extended
from engines.san_gimignano.state import HIDDEN, State, hidden_cards, seen_hand, unseen, unseen_nobles


class World(msgspec.Struct, frozen=True):
    """Both hands, the deck by rank from its top, and the noble deck by kind from its top."""

    hands: tuple[Bag, Bag]
    deck: tuple[int, ...]
    nobles: tuple[int, ...] = ()


def sample(state: State, rng: Random) -> World:
    """Return a world drawn from those that agree with ``state`` and in which a begun step can be finished."""
    state = _with_begun(state, rng)
    places = [seat for seat, hand in enumerate(state.hands) for _ in range(hand.unknown)]
    rng.shuffle(places)
    hidden = ranks(unseen(state))
    rng.shuffle(hidden)
    held = [hand.known for hand in state.hands]
    in_hands = len(places) - bags.total(state.shared)
    for rank in ranks(state.shared) + hidden[:in_hands]:
        held[places.pop()] += card(rank)
    deck = hidden[in_hands:]
    middle, under = deck[: state.middle], deck[state.middle :]
    bottom = [rank if rank != HIDDEN else under.pop() for rank in state.bottom]
    world = World((held[0], held[1]), (*state.top, *middle, *bottom))
    return _with_nobles(world, state, rng) if state.nobles else world


def _with_nobles(world: World, state: State, rng: Random) -> World:
    nobles = state.nobles
    assert nobles
    places = [seat for seat, hand in enumerate(nobles.hands) for _ in range(hand.unknown)]
    rng.shuffle(places)
    hidden = list(bags.elements(unseen_nobles(state)))
    rng.shuffle(hidden)
    held = [hand + known.known for hand, known in zip(world.hands, nobles.hands, strict=True)]
    in_hands = len(places) - bags.total(nobles.shared)
    for kind in [*bags.elements(nobles.shared), *hidden[:in_hands]]:
        held[places.pop()] += bags.one(kind)
    return World((held[0], held[1]), world.deck, tuple(hidden[in_hands:]))


def _with_begun(state: State, rng: Random) -> State:
    """Return the state as if the cards that the begun step has yet to show were known in the hand."""
    shown, after = 0, state
    while question(after) in IN_HAND:
        answers = BOOK.choices(after)
        if question(after) == "put":
            choice = answers[-1] if answers[-1].token == ENOUGH else rng.choice(answers)
        else:
            choice = answers[0] if question(after) in ("height", "storeys") else rng.choice(answers)
        shown += after.frames[-1].put if choice.token == ENOUGH else _laid(after, choice)
        after = BOOK.play(after, choice)
    hands, shared = _pinned(state.hands, state.shared, state.seat, shown & TOWER_CARDS)
    state = replace(state, hands=hands, shared=shared)
    if state.nobles:
        hands, shared = _pinned(state.nobles.hands, state.nobles.shared, state.seat, shown & ~TOWER_CARDS)
        state = replace(state, nobles=replace(state.nobles, hands=hands, shared=shared))
    return state


def _pinned(
    hands: tuple[HeldPool, HeldPool], shared: Bag, seat: int, shown: Bag
) -> tuple[tuple[HeldPool, HeldPool], Bag]:
    hand = hands[seat]
    hidden = bags.without(shown, hand.known)
    hand = HeldPool(hand.known + hidden, hand.unknown - bags.total(hidden))
    return ((hand, hands[1]) if seat == 0 else (hands[0], hand)), bags.without(shared, hidden)


def true(world: World, state: State, choice: Choice, _seat: int | None = None) -> bool:
    """Return True if the cards really allow a listed choice: who sees the hand has it in the list."""
    frame = state.frames[-1] if state.frames else None
    seat = frame.seat if frame and frame.seat >= 0 else state.seat
    if choice.question == "market":
        return choice.token == str(world.deck[0])
    return choice in BOOK.choices(state, seen_hand(state, seat, world.hands[seat]))


def answer(world: World, state: State, rng: Random) -> Choice:
    """Return the card on top, or, for a layout set by hand, any that could be."""
    if question(state) == "market":
        return Choice("market", str(world.deck[0]))
    return rng.choice(BOOK.choices(state))


def advance(world: World, state: State, choice: Choice, rng: Random) -> World:
    """Return the world after ``choice``; ``rng`` picks what only players see, and deals anew."""
    after = BOOK.play(state, choice)
    if choice.question == "deal":
        return sample(after, rng)
    hands, deck, nobles = list(world.hands), list(world.deck), list(world.nobles)
    frame = state.frames[-1] if state.frames else None
    if choice.question == "draw":
        if choice.token[0] == "m":
            hands[state.seat] += bags.one(kind_of(choice.token[1:]))
        else:
            for _ in range(int(choice.token[1:] or 1)):
                drawn = card(deck.pop(0)) if choice.token[0] == DECK else bags.one(nobles.pop(0))
                hands[state.seat] += drawn
    elif choice == Choice("guard", GUARD) and frame:
        hands[frame.seat] -= card(LOW)
        deck.append(LOW)
    elif choice.question in ("guard", "giostra") and choice.token != ALLOW and frame:
        hands[frame.seat] -= bags.one(PIETRA if choice.question == "guard" else GIOSTRA)
    elif choice == Choice("put", ENOUGH) and frame:
        hands[state.seat] -= frame.put
    else:
        hands[state.seat] -= _laid(state, choice)
    hands[state.seat] += _taken_back(state, choice, after)
    if len(after.top) > len(state.top):
        deck[:0] = after.top[: len(after.top) - len(state.top)]
    _bury(hands, deck, nobles, state, after, rng)
    _trade(hands, state, choice, after, rng)
    left = len(nobles) - (after.nobles.deck if after.nobles else 0)
    return World((hands[0], hands[1]), tuple(deck[len(deck) - after.deck :]), tuple(nobles[left:]))


def _laid(state: State, choice: Choice) -> Bag:
    """Return the cards that this choice lays out of the hand."""
    tower, token = state.frames[-1].tower if state.frames else None, choice.token
    if choice.question == "action":
        return bags.one(kind_of(token)) if token in NOBLES else 0
    if choice.question == "build" and token[-1] != "s":
        low, high = read_shape(token)
        return _cards(run(low, high)) if low != high else 0
    if choice.question == "height" and tower:
        return _cards(_plain(tower, token))
    if choice.question == "stones" and tower:
        return _cards(run(tower.low, tower.high, stones=read_stones(token)))
    if choice.question == "storeys" and tower:
        return _cards(extended(tower, token)) - _cards(tower)
    return 0


def _cards(tower: Tower) -> Bag:
    """Return a tower's cards of both backs."""
    return tower.bag + bags.one(PIETRA, len(tower.stones))


def _plain(tower: Tower, token: str) -> Tower:
    n, stones = read_storeys(token)
    return plain(tower.low, n, stones=len(stones))


def _taken_back(state: State, choice: Choice, after: State) -> Bag:
    """Return the cards that come back to the hand because a Giostra cancelled a stone."""
    frame = state.frames[-1] if state.frames else None
    if frame is None or frame.tower is None or len(state.frames) > 1:
        return 0
    if choice.question == "remains":
        return frame.put if choice.token == BACK else 0
    cancelled = choice.question == "cancel" or choice == Choice("giostra", JOUST)
    if not cancelled or question(after) in ("cancel", "remains"):
        return 0
    return frame.put - bags.one(PIETRA)


def _bury(
    hands: list[Bag], deck: list[int], nobles: list[int], state: State, after: State, rng: Random
) -> None:
    """Two cards of a Palazzo go under their decks."""
    if state.nobles is None or after.nobles is None:
        return
    held = hands[state.seat]
    for _ in range(after.bottom.count(HIDDEN) - state.bottom.count(HIDDEN)):
        rank = rng.choice(ranks(held))
        held -= card(rank)
        deck.append(rank)
    for _ in range(after.nobles.deck - state.nobles.deck):
        kind = rng.choice(list(bags.elements(held & ~TOWER_CARDS)))
        held -= bags.one(kind)
        nobles.append(kind)
    hands[state.seat] = held


def _traded(state: State, choice: Choice, after: State) -> int:
    """Return the height of the tower whose Trade this choice carries out, 0 if it carries out none."""
    frame = state.frames[-1] if state.frames else None
    if not frame or question(after) in ("guard", "giostra"):
        return 0
    if choice.question in ("traded", "returned") and frame.tower:
        return frame.tower.height
    if choice == Choice("guard", ALLOW):
        return 0 if frame.tower else frame.n
    if choice == Choice("giostra", JOUST) and len(state.frames) > 1:
        return 0 if state.frames[-2].tower else state.frames[-2].n
    built = _built(state, choice)
    nines = built is not None and built.plain and built.low == 9 and not state.ending
    return built.height if built and nines else 0


def _built(state: State, choice: Choice) -> Tower | None:
    """Return the tower whose donazione this choice leads to."""
    frame = state.frames[-1]
    if choice == Choice("donazione", USE):
        return frame.tower
    if not state.must_donate or frame.tower is None:
        return None
    if choice.question == "height":
        return _plain(frame.tower, choice.token)
    kept = choice in (Choice("giostra", ALLOW), Choice("remains", GO))
    return frame.tower if kept and frame.n == frame.tower.height else None


def _trade(hands: list[Bag], state: State, choice: Choice, after: State, rng: Random) -> None:
    """Draw as many as the tower is high from the other hand and give back one fewer of any (SG-5.6)."""
    built = _traded(state, choice, after)
    if not built or question(after) == "traded":
        return
    giver = 1 - state.seat
    chosen = int(choice.token[1:]) if choice.question in ("traded", "returned") else None
    if choice.question != "returned":
        _pass(hands, giver, min(built, bags.total(hands[giver])), chosen, rng)
        chosen = None
        if question(after) == "returned":
            return
    _pass(hands, state.seat, min(built - 1, bags.total(hands[state.seat])), chosen, rng)


def _pass(hands: list[Bag], giver: int, n: int, nobles: int | None, rng: Random) -> None:
    """``n`` cards to the other hand; how many nobles is given, or follows from what the hand holds."""
    held = hands[giver]
    towers, others = list(bags.elements(held & TOWER_CARDS)), list(bags.elements(held & ~TOWER_CARDS))
    if nobles is None:
        nobles = max(0, n - len(towers))
    moved = bags.bag(rng.sample(towers, n - nobles)) + bags.bag(rng.sample(others, nobles) if nobles else [])
    hands[giver] -= moved
    hands[1 - giver] += moved


def held(world: World, _: State, seat: int) -> str:
    """Return the cards of a hand, ``5,8,8,via``."""
    return listed(names(world.hands[seat]))


@BOOK.method
def exposes(state: State, choice: Choice) -> bool:
    """Cards drawn or turned up that nobody had seen, a Trade and a deal (not cards their owner shows)."""
    after = BOOK.play(state, choice)
    if choice.question == "deal":
        return state.level is not Level.SCORE
    passed = question(after) != "traded" and _traded(state, choice, after) > 0
    return passed or (choice.question in ("draw", "market") and hidden_cards(after) < hidden_cards(state))
