"""What people may do against the rules: illegal choices that stand, and what no table can look like."""

from random import Random

import pytest

from engines.contract import Decide, Domain
from engines.errors import Impossible
from engines.search import true_choices
from tests.engines.marrakesh.cases import CLAIM, GATE, OASIS, RED
from tests.engines.marrakesh.lines import GAME, answer, at, fields, overruled, setup, turn
from tests.engines.walks import seed, soak


@pytest.mark.parametrize(
    ("position", "path", "token", "expected"),
    [
        # Two assistants in one area, one who leaves a free place
        (RED, "", "t", {"assistants.a": "ttk", "waived": "MK-3.2,MK-3.3"}),
        (turn(assistants_a="t"), "", "t.leave", {"assistants.a": None, "waived": "MK-6.4"}),
        # One of two claimed goes back where one place is free; two colours at once
        (
            turn(**CLAIM, tray="2t", board_a="7t"),
            "",
            "2t",
            {"board.a": "8t", "tray": None, "waived": "MK-5.2"},
        ),
        (turn(**CLAIM, tray="1t1g"), "", "tg", {"board.a": "1t1g", "waived": "MK-5.1"}),
        # Fewer steps than were won
        (turn("sail::2", fisherman_a=3), "", "4", {"fisherman.a": "4", "waived": "MK-7.1"}),
        # An oasis that nobody discovered, one for nothing
        (turn("oasis", **OASIS), "", "left3", {"resources.a": None, "waived": "MK-14.3"}),
        # Too few scholars, too few dinars
        (
            turn("scroll", board_a="1y", resources_a="1d", known="scroll.31:more_spectators"),
            "",
            "31",
            {"scrolls.a": "31", "resources.a": "0", "waived": "MK-12.1"},
        ),
        (turn("workshop::2", **GATE), "", "2", {"waived": "MK-13.1"}),
        # A good without goods
        (
            turn("good", board_a="1l", known="good.lamp2:1,1,0,2,0,0,0"),
            "",
            "lamp.1l1u2v",
            {"waived": "MK-9.3"},
        ),
    ],
)
def test_an_illegal_choice_stands(position, path, token, expected):
    state = overruled(position, path, token)
    shown = fields(state)
    assert {name: shown.get(name) for name in expected} == expected
    text = GAME.position.write(state)
    assert GAME.position.status(text) == []
    assert GAME.position.read(text) == state


@pytest.mark.parametrize(
    ("position", "path", "token"),
    [
        (turn("choose", "choose_a"), "g", "g"),
        (turn(**CLAIM, tray="1t"), "", "1g"),  # none lies there
        (turn(assistants_a="t"), "", "g.act"),  # no assistant there
        (turn("vendor", board_a="1r"), "", "t"),  # two on one place
        (turn("spot", board_a="1p"), "", "water"),
        (turn("caravan", board_a="3n"), "", "left"),
        (turn("sail::2"), "", "9"),  # water that nobody has
        (turn("learn::3", scrolls_b="22"), "", "22"),  # what another has
        (turn("stock", "stock_b", stock_b="------"), "", "g"),
        (turn("part", "provision_a", round=4, resources_a="1w"), "", "date"),
    ],
)
def test_what_no_table_can_look_like_does_not_stand(position, path, token):
    with pytest.raises(Impossible) as caught:
        overruled(position, path, token)
    state = at(position, path)
    assert caught.value.refusal == GAME.rules.why_not(state, answer(state, token))


@pytest.mark.parametrize("number", range(seed(), seed() + soak(3)))
def test_a_match_goes_on_whatever_stands(number):
    """People overrule at random: nothing is wrong with what follows, and the match ends and is scored."""
    rng = Random(number)
    seats = 2 + number % 3
    state = GAME.rules.start(setup(seats, number % seats))
    while not state.termination:
        asked = GAME.rules.pending(state)
        if not isinstance(asked, Decide):
            state = GAME.rules.apply(state, GAME.worlds.answer(None, state, rng))
            continue
        if isinstance(asked.domain, Domain) and rng.random() < 0.15:
            choice = answer(state, rng.choice(asked.domain.tokens))
            refusal = GAME.rules.why_not(state, choice)
            try:
                state = GAME.rules.overrule(state, choice, refusal.clause) if refusal else state
            except Impossible:
                continue
            assert GAME.position.status(GAME.position.write(state)) == [], choice
            continue
        state = GAME.rules.apply(state, rng.choice(true_choices(GAME, None, state, state.seat, rng)))
    assert state.waived
    assert len(GAME.scoring.ranking(state)) > 0
