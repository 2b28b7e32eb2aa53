"""What every game promises (see tests/engines/test_contract.py), tried at the Torres tables."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from tests.engines import test_contract as promised
from tests.engines.test_contract import (  # noqa: F401 – collected here with this module's tables
    test_a_choice_is_listed_exactly_when_no_check_refuses_it,
    test_a_step_reads_back_to_what_it_did_and_a_replay_to_the_match,
    test_another_seat_is_out_of_turn,
    test_applying_changes_nothing_that_was,
    test_cutting_a_match_goes_back_to_the_same_points,
    test_domains_are_wider_than_the_lists,
    test_every_choice_has_a_name,
    test_every_true_choice_passes_the_checks,
    test_no_prefix_is_a_dead_end,
    test_positions_read_back_and_nothing_is_wrong_with_them,
)
from tests.engines.torres.table import GAME
from tests.engines.torres.walking import SETUPS, busy
from tests.engines.walks import seed, soak, walk


@pytest.fixture(params=SETUPS)
def table(request):
    return GAME, SETUPS[request.param]


@pytest.fixture(autouse=True)
def _busy(monkeypatch):
    """Random players of Torres would do little else than place blocks."""
    monkeypatch.setattr(promised, "WALKS", 2)
    monkeypatch.setattr(promised, "made", _made)
    monkeypatch.setattr(promised, "walk", lambda game, setup, rng: walk(game, setup, rng, busy))


@cache
def _walked(game, setup, number):
    return tuple(walk(game, setup, Random(number), busy))


def _made(table, walks=3):
    first = seed()
    for number in range(first, first + min(walks, 2)):
        yield from _walked(*table, number)


def test_every_match_ends_with_points_and_somebody_ahead(table):
    game, setup = table
    first = seed()
    for number in range(first, first + 4):
        *_, last = walk(game, setup, Random(number), busy)
        assert last.after.termination
        assert all(booking.points and booking.seat < setup.seats for booking in game.bookings(last.after))
        assert game.winners(last.after)


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_soak_lists_positions_and_prefixes():
    first = seed()
    for number in range(first, first + soak(4_000)):
        setup = SETUPS[sorted(SETUPS)[number % len(SETUPS)]]
        for step in walk(GAME, setup, Random(number), busy):
            promised.assert_lists_agree(GAME, step.after)
            text = GAME.position(step.after)
            assert GAME.status(text) == []
            assert GAME.read_position(text) == step.after
            if GAME.pending(step.after).open:
                assert promised.closes(GAME, step.after)
