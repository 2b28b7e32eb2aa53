"""Every recorded match of The Castles of Tuscany shows what its note says; its points lead to its tiles."""

from collections import Counter
from itertools import chain
from statistics import median

import pytest
from msgspec.structs import replace

from engines import matchfile
from engines.castles_of_tuscany.state import ROUNDS
from engines.contract import totals
from engines.match import Match, replay
from tests.engines.castles_of_tuscany.shows import pairs, turns
from tests.engines.test_matches import files
from tests.recorded import load

FILES = files("castles_of_tuscany")
PLAYED = [path for path in FILES if "level: full\n" in path.read_text("utf-8")]
every = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
played = pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
PREFIX = "castles_of_tuscany_"


def by_name(name):
    """The match of a recording."""
    (path,) = [path for path in FILES if path.stem == PREFIX + name]
    return load(path)[1]


@played
def test_a_match_has_as_many_turns_a_seat_as_people_play(path):
    """Twenty-one tiles are taken at least by somebody, and most of them placed."""
    file, match = load(path)
    assert 40 <= turns(match) / file.setup.seats <= 70
    assert all(side.filled.bit_count() >= 15 for side in match.state.sides)


def test_points_are_what_people_reach():
    points = [totals(m.game.scoring.bookings(m.state), m.setup.seats) for _, m in map(load, PLAYED)]
    assert 80 <= median(chain.from_iterable(points)) <= 140


# Why 17?


@played
def test_bookings_add_up_to_the_orange_track_and_name_every_tile(path):
    """Each gain is booked in its round with its space, and counted once more in each later one."""
    _, match = load(path)
    bookings = match.game.scoring.bookings(match.state)
    for seat, side in enumerate(match.state.sides):
        mine = [one for one in bookings if one.seat == seat]
        orange = sum(gain.points * (1 if gain.orange else ROUNDS + 1 - gain.round) for gain in side.gains)
        left = len(side.stored) + side.marble + side.workers + side.hand // 3
        assert sum(one.points for one in mine) == orange + left
        land = match.state.region(seat)
        named = Counter(
            (one.category, one.figures.split(" ")[0], one.points, one.part)
            for one in mine
            if one.category in ("areas", "farms") and not one.figures.startswith("round ")
        )
        tiles = Counter(
            (gain.category, gain.what, gain.points, gain.round)
            for gain in side.gains
            if gain.category in ("areas", "farms")
        )
        assert named == tiles
        assert all(side.filled >> land.number(space) & 1 for _, space, __, ___ in tiles)
        for part in range(2, ROUNDS + 1):
            again = [one.points for one in mine if one.part == part and one.figures.startswith("round ")]
            assert sum(again) == sum(g.points for g in side.gains if g.round < part and not g.orange)


def test_a_final_table_counts_as_the_match_it_is_taken_from():
    results = [matchfile.result(by_name(name)).partition(", ")[2] for name in ("final_table", "two")]
    assert results[0] == results[1]


# One history, both readings of CT-6.2


@pytest.mark.parametrize("name", ["two", "four"])
def test_one_history_ends_otherwise_where_rounds_end_at_once(name):
    """The same steps, each legal in both; what came between a trigger and the start player's turn counts
    for another round, and the match is over earlier.
    """
    around = by_name(name)
    options = (*(each for each in around.setup.options if each[0] != "round_end"), ("round_end", "at_once"))
    at_once = Match(around.game, replace(around.setup, options=options))
    for step in around.steps:
        if at_once.state.termination:
            break
        at_once.play(step.text, step.seat)
    assert at_once.state.termination
    assert len(at_once.steps) < len(around.steps)
    assert at_once.steps == around.steps[: len(at_once.steps)]
    assert matchfile.result(at_once) != matchfile.result(around)
    for seat, side in enumerate(at_once.state.sides):
        earlier = around.state.sides[seat].gains[: len(side.gains)]
        assert [gain.points for gain in side.gains] == [gain.points for gain in earlier]
        assert all(gain.round >= other.round for gain, other in zip(side.gains, earlier, strict=True))


# Facts told in the match


def test_a_copy_of_which_little_is_known_is_known_in_the_end():
    """Every board that lies there, and the values of every colour that somebody completed."""
    match = by_name("two_told")
    first, last = match.points[0].state.copy, match.state.copy
    assert (first.boards, set(first.bonus)) == ((), {None})
    assert {name for name, _ in last.boards} == {
        name[:2] for side in match.state.sides for name in side.boards
    }
    complete = [bool(times) for times in match.state.taken]
    assert [values is not None for values in last.bonus] == complete
    assert sum(complete) > 3


# Chains


@pytest.mark.parametrize("name", ["three", "four"])
def test_a_match_goes_on_in_the_middle_of_a_chain(name):
    """From its steps and from its position, within castles' chains."""
    match, game = by_name(name), by_name(name).game
    inside = [n for n, (before, words, _) in enumerate(pairs(match)) if before.frames and words[0] != "show"]
    assert sum(match.steps[n].text.startswith("pick") for n in inside) > 3
    for n in inside[::4]:
        state = match.points[n].state
        assert replay(game, match.setup, match.steps[:n]).state == state
        assert game.position.read(game.position.write(state), match.setup.facts) == state
