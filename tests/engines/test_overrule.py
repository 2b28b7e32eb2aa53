"""What people may do against the rules: what stands and what cannot, that play goes on, points by hand."""

from collections import Counter
from random import Random

import pytest

import engines
from engines import search
from engines.contract import ADJUSTMENT, Choice, Report, winners
from engines.errors import Impossible
from tests.engines.asked import Asked
from tests.engines.attempts import candidates
from tests.engines.cases import brought
from tests.engines.tables import NIGHTLY, TABLES
from tests.engines.walks import seed, soak

OFTEN = 0.12
"""How often people try what is refused."""


def rows(name):
    """Return what each game's cases bring by this name."""
    return [
        pytest.param(game_id, *row, id=f"{game_id}-{number}")
        for game_id in engines.GAMES
        for number, row in enumerate(brought(game_id, "cases", name, []))
    ]


@pytest.mark.parametrize(("game_id", "position", "path", "token", "then", "expected"), rows("STANDS"))
def test_an_illegal_choice_stands(game_id, position, path, token, then, expected):
    """So do further ones of its step; the position of it, with these fields, is none to complain of."""
    asked = Asked(engines.game(game_id))
    rules, lines = asked.game.rules, asked.game.position
    state = asked.overruled(position, path, token)
    for word in then.split():
        choice = asked.answer(state, word)
        refusal = rules.why_not(state, choice)
        state = rules.overrule(state, choice, refusal.clause) if refusal else rules.apply(state, choice)
    shown = asked.fields(state)
    assert {name: shown.get(name) for name in expected} == expected
    assert lines.status(lines.write(state)) == []
    assert lines.read(lines.write(state)) == state


@pytest.mark.parametrize(("game_id", "position", "path", "token"), rows("NEVER"))
def test_what_no_table_can_look_like_does_not_stand(game_id, position, path, token):
    asked = Asked(engines.game(game_id))
    with pytest.raises(Impossible) as caught:
        asked.overruled(position, path, token)
    assert caught.value.refusal == asked.refusal(asked.at(position, path), token)


def ruled(table, number):
    """Play a match in which people overrule at random; what came of which check."""
    game, rng, came = table.game, Random(number), Counter()
    state = game.rules.start(table.setup)
    world = game.worlds.sample(state, rng)
    while not state.termination:
        pending = game.rules.pending(state)
        if isinstance(pending, Report):
            choice = game.worlds.answer(world, state, rng)
        elif rng.random() < OFTEN and (after := against(game, state, pending, rng, came)):
            state = after
            world = game.worlds.sample(state, rng)
            continue
        else:
            try:
                true = search.true_choices(game, world, state, state.seat, rng)
            except (
                search.NothingTrue
            ):  # that a seat cannot do something was overruled, and in this deal it cannot
                came["stops"] += 1
                return came
            choice = table.choose(game, state, world, pending.seats[0], true, rng)
            assert game.rules.why_not(state, choice) is None
        world = game.worlds.advance(world, state, choice, rng)
        state = game.rules.apply(state, choice)
    game.scoring.ranking(state)
    return came


def against(game, state, pending, rng, came):
    """The state after something that is refused was let stand; None where nothing is, or pieces forbid it."""
    choices = [Choice(pending.question, token) for token in candidates(pending)]
    refused = [choice for choice in choices if game.rules.why_not(state, choice)]
    if not refused:
        return None
    choice = rng.choice(refused)
    refusal = game.rules.why_not(state, choice)
    try:
        after = game.rules.overrule(state, choice, refusal.clause)
    except Impossible:
        came[refusal.check, "impossible"] += 1
        return None
    came[refusal.check, "stands"] += 1
    assert refusal.clause in after.waived
    text = game.position.write(after)
    assert game.position.status(text) == [], (text, choice)
    assert game.position.read(text) == after
    return after


def tables(game_id):
    return {name: one for name, one in TABLES.items() if one.game is engines.game(game_id)}


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_play_goes_on_whatever_stands(game_id):
    came = sum(
        (ruled(one, seed()) for name, one in tables(game_id).items() if name not in NIGHTLY), Counter()
    )
    assert came.pop("stops", 0) < 2
    assert {how for _, how in came} == {"stands", "impossible"}
    assert len({check for check, how in came if how == "stands"}) > 5


@pytest.mark.soak
@pytest.mark.timeout(0)
@pytest.mark.parametrize("game_id", engines.GAMES)
def test_soak_play_goes_on_whatever_stands(game_id):
    every = [*tables(game_id).values()]
    for number in range(seed(), seed() + soak(1_000, 4)):
        ruled(every[number % len(every)], number)


@pytest.mark.parametrize("name", [name for name in TABLES if name.startswith(engines.GAMES)])
def test_points_by_hand_are_booked_kept_and_count(name):
    game = TABLES[name].game
    start = game.rules.start(TABLES[name].setup)
    state = game.rules.adjust(game.rules.adjust(start, 1, 10), 1, 3)
    booked = game.scoring.bookings(state)[-1]
    assert (booked.seat, booked.points, booked.category, booked.clause) == (1, 13, ADJUSTMENT, "")
    assert ADJUSTMENT not in game.scoring.CATEGORIES
    assert winners(game, state) == (1,)
    assert game.position.read(game.position.write(state), TABLES[name].setup.facts) == state
    assert game.rules.adjust(state, 1, -13) == start
