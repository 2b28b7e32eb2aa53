"""Knowledge may be weaker than the truth, never stronger (SG-11.1).

Random matches are played with real cards in real hands; whatever those cards allow must be in the list.
"""

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engines import bags
from engines.contract import Choice, Level, Setup
from engines.errors import Refused
from engines.match import Match
from engines.san_gimignano import hands
from engines.san_gimignano.hands import HeldPool, Reach
from engines.san_gimignano.state import HIDDEN
from tests.engines.san_gimignano.table import GAME, at, field, play, tokens
from tests.engines.san_gimignano.truth import NOBLES, names, ranks, true_tokens
from tests.engines.walks import seed, soak, walk

SETUPS = [
    Setup(),
    Setup(start=1, options=(("donazione", "must"),)),
    Setup(level=Level.TABLE),
    Setup(start=1, level=Level.TABLE, options=(("donazione", "must"),)),
    Setup(options=(("nobles", "yes"),)),
    Setup(start=1, options=(("nobles", "yes"), ("pietra_guard", "yes"), ("donazione", "must"))),
    Setup(level=Level.TABLE, options=(("nobles", "yes"), ("pietra_guard", "yes"), ("deals", "2"))),
    Setup(options=(("nobles", "yes"), ("pietra_guard", "yes"))),
]
WALKS = (*range(8), 13, 17)
"""With the seed of every day: every set-up, and every question in some match."""
SAMPLED = 9
"""At one of so many steps a world is sampled besides."""
MANIFEST = Counter({rank: rank for rank in range(5, 11)})
NOBLE_MANIFEST = Counter(dict(zip(NOBLES, (3, 2, 1, 1, 1, 1, 1), strict=True)))


def assert_no_true_play_is_refused(state, world):
    """The list holds every true choice, and of it the world allows exactly those."""
    true = true_tokens(world, state)
    legal = GAME.rules.legal(state)
    assert true <= {choice.token for choice in legal}, (GAME.position.write(state), world)
    assert {c.token for c in legal if GAME.worlds.true(world, state, c)} == true, (
        GAME.position.write(state),
        world,
    )
    for token in true:
        assert GAME.rules.why_not(state, Choice(GAME.rules.pending(state).question, token)) is None


def assert_agrees(state, world):
    """SG-11.1: the world could be what the state describes, and no card is lost."""
    towers = [rank for side in state.towers for tower in side for rank in ranks(tower.bag)]
    everywhere = [*ranks(world.hands[0]), *ranks(world.hands[1]), *world.deck, *ranks(state.market), *towers]
    assert Counter(everywhere) == MANIFEST
    assert_nobles_agree(state, world)
    extra: Counter[int] = Counter()
    for hand, real in zip(state.hands, world.hands, strict=True):
        assert hand.size == len(ranks(real))
        assert bags.within(hand.known, real)
        extra += Counter(ranks(real)) - Counter(ranks(hand.known))
    assert not Counter(ranks(state.shared)) - extra
    assert state.deck == len(world.deck)
    assert state.top == world.deck[: len(state.top)]
    for known, real in zip(state.bottom, world.deck[len(world.deck) - len(state.bottom) :], strict=True):
        assert known in (real, HIDDEN)
    known = [*ranks(state.hands[0].known), *ranks(state.hands[1].known), *ranks(state.shared)]
    known += [*ranks(state.market), *state.top, *filter(None, state.bottom), *towers]
    assert Counter(ranks(state.unseen())) == MANIFEST - Counter(known)
    for seat in (0, 1):
        assert state.hand_of(seat).towers.free >= 0
        assert state.hand_of(seat).may_hold(world.hands[seat])


def assert_nobles_agree(state, world):
    """SG-11.1 for the nobles, and that each stone that stands is a used Buona Pietra."""
    if state.nobles is None:
        assert world.nobles == ()
        return
    known = state.nobles
    hands = [[name for name in names(hand) if name in NOBLES] for hand in world.hands]
    used = [names(bag) for bag in known.used]
    market = [name for name in names(state.market) if name in NOBLES]
    deck = [NOBLES[kind - 6] for kind in world.nobles]
    everywhere = Counter([*hands[0], *hands[1], *used[0], *used[1], *market, *deck, *names(known.removed)])
    assert everywhere == NOBLE_MANIFEST
    assert len(deck) == known.deck
    extra: Counter[str] = Counter()
    for hand, real in zip(known.hands, hands, strict=True):
        assert hand.size == len(real)
        assert not Counter(names(hand.known)) - Counter(real)
        extra += Counter(real) - Counter(names(hand.known))
    assert not Counter(names(known.shared)) - extra
    for seat, side in enumerate(state.towers):
        assert sum(len(tower.stones) for tower in side) <= used[seat].count("pietra")


def try_match(number):
    """One match, with every question it asked, in its own world and now and then in one that is sampled."""
    asked, rng = set(), Random(number)
    for here, made in enumerate(walk(GAME, SETUPS[number % len(SETUPS)], Random(number))):
        asked.add(GAME.rules.pending(made.state).question)
        sampled = () if here % SAMPLED else (GAME.worlds.sample(made.state, rng),)
        for world in (made.world, *sampled):
            assert_agrees(made.state, world)
            assert_no_true_play_is_refused(made.state, world)
    return asked


def test_no_true_play_is_ever_refused():
    first = seed()
    asked = set()
    for number in WALKS:
        asked |= try_match(first + number)
    assert asked >= {question for question in GAME.rules.questions if "final" not in question} - RARE


RARE = {"cancel", "remains"}


def test_the_rarest_questions_are_tried_too():
    """Two stones in a run, and a Giostra against them."""
    text = "market=5 hand.a=6,7,9,?1 hand.b=?5 nobles.a=pietra,pietra,?1 nobles.b=?1 used.b=via"
    state = play(at(text), "B 5-9s5s8")
    for number in range(seed(), seed() + 20):
        world = GAME.worlds.sample(state, Random(number))
        assert_no_true_play_is_refused(state, world)
        if "giostra" in names(world.hands[1]):
            joust = Choice("giostra", "giostra")
            world = GAME.worlds.advance(world, state, joust, Random(number))
            after = GAME.rules.apply(state, joust)
            assert tokens(after) == ["s5", "s8"]
            for token in ("s8", "s5", "back"):
                assert_agrees(after, world)
                assert_no_true_play_is_refused(after, world)
                choice = Choice(GAME.rules.pending(after).question, token)
                gone_on = GAME.rules.apply(after, choice)
                assert_agrees(gone_on, GAME.worlds.advance(world, after, choice, Random(number)))
                if token == "s5":
                    world = GAME.worlds.advance(world, after, choice, Random(number))
                    after = gone_on


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_soak_no_true_play_is_ever_refused():
    first = seed()
    for number in range(first, first + soak(10_000)):
        try_match(number)


# Reach, against every way of filling the unknown places

KINDS = 3


def bag_of(counts):
    return sum(bags.one(kind, n) for kind, n in enumerate(counts))


small_bags = st.tuples(*[st.integers(0, 2)] * KINDS).map(bag_of)


def fillings(zone, partner, shared, hidden):
    """Every pair of whole hands that the knowledge allows, as sorted tuples of kinds."""
    common, rest = list(bags.elements(shared)), list(bags.elements(hidden))
    for mine in range(len(common) + 1):
        for at_me in set(combinations(range(len(common)), mine)):
            with_me = [common[i] for i in at_me]
            with_them = [kind for i, kind in enumerate(common) if i not in at_me]
            more, theirs = zone.unknown - len(with_me), partner.unknown - len(with_them)
            if more < 0 or theirs < 0:
                continue
            for drawn in combinations(range(len(rest)), more):
                left = [kind for i, kind in enumerate(rest) if i not in drawn]
                if len(left) < theirs:
                    continue
                hand = [*bags.elements(zone.known), *with_me, *(rest[i] for i in drawn)]
                for other in set(combinations(left, theirs)):
                    both = [*bags.elements(partner.known), *with_them, *other]
                    yield tuple(sorted(hand)), tuple(sorted(both))


knowledge = st.tuples(
    st.builds(HeldPool, small_bags, st.integers(0, 3)),
    st.builds(HeldPool, small_bags, st.integers(0, 2)),
    small_bags,
    small_bags,
)


def stands(zone, partner, shared, hidden):
    free = zone.unknown + partner.unknown - bags.total(shared)
    return 0 <= free <= bags.total(hidden) and bags.total(shared) <= 3


@given(knowledge, small_bags)
def test_reach_is_exact(known, need):
    zone, partner, shared, hidden = known
    assume(stands(*known))
    held = Reach(zone, shared, hidden, zone.unknown + partner.unknown - bags.total(shared))
    hands = {hand for hand, _ in fillings(zone, partner, shared, hidden)}
    possible = any(not Counter(bags.elements(need)) - Counter(hand) for hand in hands)
    assert held.may_hold(need) == possible
    for kind in range(KINDS):
        assert held.most(kind) == max(hand.count(kind) for hand in hands)
    assert held.mosts(range(KINDS)) == [held.most(kind) for kind in range(KINDS)]
    if possible:
        more = [kind for kind in range(KINDS) if held.may_hold(need + bags.one(kind))]
        assert held.besides(need, range(KINDS)) == more


@given(knowledge, st.data())
def test_taking_in_the_open_keeps_every_truth(known, data):
    zone, partner, shared, hidden = known
    assume(stands(*known))
    hand, other = data.draw(st.sampled_from(sorted(set(fillings(zone, partner, shared, hidden)))))
    assume(hand)
    shown = data.draw(st.lists(st.sampled_from(range(len(hand))), unique=True))
    taken = bags.bag(hand[i] for i in shown)
    after, still_shared = hands.take(zone, shared, taken)
    kept = tuple(kind for i, kind in enumerate(hand) if i not in shown)
    everything = zone.known + partner.known + shared + hidden - taken
    unseen_after = everything - after.known - partner.known - still_shared
    assert (kept, other) in set(fillings(after, partner, still_shared, unseen_after))


# Plays beyond what the hand may hold


def test_more_cards_than_exist_are_refused_by_how_many_there_are():
    match = Match(GAME, Setup(position="market=6 hand.a=?7 hand.b=?7"))
    with pytest.raises(Refused) as caught:
        match.play("X 5 5 5 5 5 5 > d d d d d d")
    assert dict(caught.value.refusal.figures) == {"variant": "towers_exist", "cards": 5, "ranks": "5"}


def test_an_eleventh_ten_is_refused_by_name_and_the_steps_behind_it_are_found():
    match = Match(GAME, Setup(position="market=5,6 hand.a=?7 hand.b=?7"))
    for text in ("B 10x5", "B 10x3", "P d d", "E 10x3 10 10 > d d", "pass", "P m5 d", "P d d", "pass"):
        match.play(text)
    assert match.game.rules.fact(match.state, ("unseen", 10)) == 0
    with pytest.raises(Refused) as caught:
        match.play("X 10 9 > d d")
    refusal = caught.value.refusal
    assert (caught.value.token, refusal.check, refusal.clause) == ("10", "exchange.hand", "SG-11.1")
    assert dict(refusal.figures) == {
        "variant": "towers_none",
        "asked": "10",
        "cards": 6,
        "ranks": "10",
    }
    assert refusal.basis == (("unseen", 10), ("hand", 0))
    assert match.evidence(refusal) == [1, 2, 3, 4, 7]


def test_what_a_hand_showed_bounds_what_it_may_hold():
    """Four of five cards are known: the fifth makes no tower of 8s."""
    state = play(at("market=5,5,6,6,7 hand.a=?1 hand.b=?2"), "P m5 m5", "pass", "P m6 m6", "pass")
    assert field(state, "hand.a") == "5,5,6,6,?1"
    assert tokens(at(GAME.position.write(state), "B")) == ["5", "6", "5-7"]
