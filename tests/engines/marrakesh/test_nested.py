"""Bonuses within bonuses: states made at random, with all kinds of scrolls, played until nothing is asked."""

from random import Random

import pytest
from msgspec.structs import replace

from engines import bags
from engines.contract import Choice
from engines.kit.rulebook import question
from engines.marrakesh import GAME
from engines.marrakesh.book import BOOK
from engines.marrakesh.keshis import BLACK, PINK, TURQUOISE, WHITE
from engines.marrakesh.state import PLACES, RESOURCES, Frame, Side, State, Variant
from tests.engines.marrakesh.sitting import COPY, after, agreed, seated, unknown

WORDS = (
    *("river3", "mosque2", "palace4", "stair3", "both_stairs", "all_links", "square", "square2", "threes"),
    *("entertainers", "rapids_a", "season_rapids_b", "act_t", "act_k", "act_w", "act_p"),
)
LINES = ((3, 6, 9, 12), (2, 5, 8, 11, 15))


def side(rng):
    """Pawns anywhere, and as many scrolls as there are or none."""
    square = rng.getrandbits(PLACES)
    people = [(kind, rng.randint(0, PLACES)) for kind in (TURQUOISE, BLACK, WHITE)]
    return Side(
        board=sum(bags.one(kind, n) for kind, n in (*people, (PINK, square.bit_count()))),
        square=square,
        disc=rng.randint(-1, PLACES - 1),
        fisherman=rng.randint(0, COPY.river_length + 1),
        mosque=rng.randint(0, COPY.mosque_steps),
        palace=rng.randint(0, COPY.palace_steps),
        scrolls=tuple(sorted(rng.sample(range(1, 73), rng.choice((0, 5, 40))))),
        resources=bags.bag(rng.choices(range(len(RESOURCES)), k=rng.randint(0, 6))),
    )


def state(rng):
    """Two to four seats; of one copy in four no line is told yet."""
    seats = rng.randint(2, 4)
    names = [name for name, _ in COPY.known if name.startswith("link") or name == "more_counts"]
    copy = unknown(COPY, *names) if rng.random() < 0.25 else COPY
    copy = replace(copy, mosque_lines=rng.choice(LINES), palace_lines=rng.choice(LINES))
    sides = tuple(side(rng) for _ in range(seats))
    return State(Variant(seats, rng.random() < 0.3), copy, sides=sides, adjusted=(0,) * seats)


@pytest.mark.parametrize("seed", range(60))
def test_every_bonus_comes_to_an_end_its_lists_agree_and_each_state_can_be_written(seed):
    """Nobody has less than nothing, nobody goes back, and what is read is what was written."""
    rng = Random(seed)
    before = state(rng)
    now = after(before, rng.choice(WORDS))
    while now.frames:
        domain = BOOK.domain(now)
        assert GAME.position.parse(GAME.position.write(now)) == now
        assert BOOK.may_ask(now)
        if domain.listed:
            assert agreed(now)
            assert BOOK.legal(now)
            choice = rng.choice(BOOK.legal(now))
        else:
            choice = Choice(question(now), domain.draw(rng))
        now = BOOK.apply(now, choice)
    for old, new in zip(before.sides, now.sides, strict=True):
        assert new.resources >= 0
        assert max(bags.counts(new.resources, len(RESOURCES))) < bags.FULL // 2
        assert old.mosque <= new.mosque <= COPY.mosque_steps
        assert old.palace <= new.palace <= COPY.palace_steps
        assert old.fisherman <= new.fisherman <= COPY.river_length + 1
        crossed = [
            sum(at < line <= end for line in lines)
            for at, end, lines in (
                (old.mosque, new.mosque, before.copy.mosque_lines),
                (old.palace, new.palace, before.copy.palace_lines),
            )
        ]
        assert new.lines - old.lines == sum(crossed)


SEAT = seated(disc=0, square=1, board="1p", fisherman=4, scrolls=(26,))
BLIND = seated(square=1, board="1p")


@pytest.mark.parametrize(
    ("state", "right", "wrong"),
    [
        (SEAT, Frame("sail", n=1), Frame("sail")),
        (SEAT, Frame("stair", n=1), Frame("stair")),
        (SEAT, Frame("stair", "both", 3), Frame("stair", "mosque", 3)),
        (SEAT, Frame("climb", "mosque", 1), Frame("climb", "mosque")),
        (SEAT, Frame("climb", "palace", 1), Frame("climb", "both", 1)),
        (SEAT, Frame("link", "12", 1), Frame("link", "12")),
        (SEAT, Frame("link", "12", 1), Frame("link", "12+deploy_w+deploy_r", 1)),
        (SEAT, Frame("spectators", n=1), Frame("spectators")),
        (SEAT, Frame("spectators", "threes", 128), Frame("spectators", "threes", 256)),
        (SEAT, Frame("spectators", "ones", 1), Frame("spectators", "twos", 1)),
        (BLIND, Frame("disc"), Frame("spectators", n=1)),
    ],
)
def test_what_a_question_remembers_must_fit_the_table(state, right, wrong):
    assert BOOK.may_ask(state.asking(right))
    assert not BOOK.may_ask(state.asking(wrong))


def test_a_rapid_is_asked_for_beyond_one_and_the_disc_while_it_is_unknown():
    assert BOOK.may_ask(SEAT.asking(Frame("rapid")))
    assert not BOOK.may_ask(BLIND.asking(Frame("rapid")))
    assert not BOOK.may_ask(SEAT.asking(Frame("disc")))
