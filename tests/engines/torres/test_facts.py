"""The facts of Torres: which a match needs, and what cannot be on any copy."""

from itertools import permutations

import msgspec
import pytest

from engines import torres
from engines.contract import Level, Setup
from engines.errors import Refused
from engines.fact_kinds import read
from engines.facts import BadFact, Facts, Standing, Use, schema, to_ask, with_facts
from engines.match import Match
from engines.torres.cells import NAMES
from engines.torres.ground import START
from engines.torres.set_up import mark_castles

SCHEMA = schema("torres")
FRESH = Facts.of(SCHEMA)
MASTER = (("master", "yes"),)
CARDS = (*MASTER, ("master_cards", "yes"))
SIZES = ["cell_pitch", "block_width", "block_height", "board_border"]


def entered(facts, name, text):
    return facts.confirm({name: read(SCHEMA.fact(name).kind, text)})


def names(facts):
    return [fact.name for fact in facts]


def test_the_marked_spaces_are_those_the_game_starts_with():
    fact = SCHEMA.fact("start_castles")
    assert fact.default.standing is Standing.LIKELY
    assert fact.default.value == set(START)
    assert mark_castles(fact.default.value).blocks == 8


def test_a_block_is_no_wider_than_a_space():
    assert entered(entered(FRESH, "cell_pitch", "22"), "block_width", "22")["block_width"] == 22.0
    for first, second in permutations((("cell_pitch", "22"), ("block_width", "22.1"))):
        with pytest.raises(BadFact, match="block_fits"):
            entered(entered(FRESH, *first), *second)


@pytest.mark.parametrize(
    ("setup", "asked"),
    [
        (Setup(), ["start_castles"]),
        (Setup(options=MASTER), []),
        (Setup(options=CARDS), [f"master_card.{number}" for number in range(1, 9)]),
        (Setup(position="anything"), []),
    ],
)
def test_what_a_match_needs_to_be_played(setup, asked):
    assert names(to_ask(FRESH, setup, (Use.PLAY,))) == asked


def test_and_to_be_seen():
    assert names(to_ask(FRESH, Setup(), (Use.SIGHT,))) == SIZES
    assert names(to_ask(FRESH, Setup(options=MASTER), (Use.SIGHT,))) == SIZES
    assert all(fact.may_wait for fact in SCHEMA)


@pytest.mark.parametrize(
    ("name", "fits", "not_"),
    [
        ("cell_pitch", "22.5 mm", "2.2 cm"),
        ("block_width", "21.2", "212"),
        ("block_height", "14.7", "1.47"),
        ("board_border", "0", "-1"),
        ("start_castles", "a1 c1 e1 g1 a8 c8 e8 h7", "a1 c1 e1 g1 a8 c8 e8 h9"),
        ("start_castles", "a1 c1 e1 g1 a8 c8 e8 h7", "a1 c1 e1 g1 a8 c8 e8"),
        ("start_castles", "a1 c1 e1 g1 a8 c8 e8 h7", "a1 c1 e1 g1 a8 c8 e8 e8"),
        ("start_castles", "a1 c1 e1 g1 a8 c8 e8 f7", "a1 c1 e1 g1 a8 c8 e8 e7"),
        ("start_castles", "h1 a2 c1 e1 a8 c8 e8 f6", "h1 a2 a1 e1 a8 c8 e8 f6"),
        ("master_card.8", '{"name": "Bridge", "says": "It bridges."}', '{"name": "Bridge"}'),
    ],
)
def test_what_fits_and_what_does_not(name, fits, not_):
    assert entered(FRESH, name, fits).known[name].standing is Standing.CONFIRMED
    with pytest.raises((BadFact, msgspec.MsgspecError)):
        entered(FRESH, name, not_)


OTHERS = "a1 c1 e1 g1 a8 c8 e8 g8"
ELSEWHERE = entered(FRESH, "start_castles", OTHERS)


def blocks(setup):
    ground = Match(torres.GAME, setup).state.ground
    return " ".join(NAMES[cell] for cell in range(64) for _ in range(ground.heights[cell]))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("level", [Level.FULL, Level.SCORE])
def test_blocks_lie_on_the_marked_spaces_of_the_copy(seats, level):
    setup = Setup(seats, level=level)
    marked_here = " ".join(sorted(OTHERS.split(), key=NAMES.index))
    assert blocks(with_facts(ELSEWHERE, setup)) == marked_here
    assert blocks(with_facts(FRESH, setup)) == blocks(setup) == " ".join(sorted(START, key=NAMES.index))


def test_a_position_and_the_master_version_begin_without_them():
    assert blocks(with_facts(ELSEWHERE, Setup(options=MASTER))) == ""
    position = torres.GAME.position.write(Match(torres.GAME, Setup()).state)
    there = with_facts(ELSEWHERE, Setup(position=position))
    assert blocks(there) == blocks(Setup())
    assert "fact.start_castles" not in dict(there.facts)


def test_marked_spaces_that_cannot_be_read_are_those_we_suppose():
    setup = Setup(facts=(("fact.start_castles", "confirmed a1 b1"),))
    assert blocks(setup) == blocks(Setup())


def test_knights_may_enter_on_the_castles_of_the_copy():
    match = Match(torres.GAME, with_facts(ELSEWHERE, Setup()))
    match.play("E a1", 0)
    with pytest.raises(Refused):
        match.play("E d1", 1)
