"""The tower and its tray: what a camera or a scale sees, the contents that a number leaves, and throws."""

from random import Random

import pytest

from engines import bags, search
from engines.contract import Choice, Exact, OutOfStep, Printed, Refusal, Several
from engines.errors import Malformed
from engines.marrakesh.pieces import COLOURS, keshis, letters
from engines.marrakesh.tower import OUT, TRAY, TrayCounted, explain_number, find_released
from engines.readings import Observation, believed
from tests.engines.marrakesh.lines import GAME, at, setup, turn
from tests.engines.walks import walk

SIGHT = GAME.sight
CLAIM = turn("claim", "claim", round=4, tray="2t1g")
THROW = turn("tray", "throw", round=2, inside="1l")


def test_a_layout_are_the_keshis_that_lie_there():
    assert SIGHT.of(at(CLAIM)) == keshis({"turquoise": 2, "green": 1}) == SIGHT.read("1g2t")
    assert SIGHT.of(at(turn())) == SIGHT.read("0") == 0
    assert (SIGHT.lying(at(CLAIM)), SIGHT.lying(at(turn()))) == (3, 0)
    assert SIGHT.board(at(CLAIM)) is None
    for text in ("2x", "t", "", "1t2t", "-1t"):
        with pytest.raises(Malformed, match="like 2t1g, or 0"):
            SIGHT.read(text)


def test_differences_are_told_by_colour():
    assert SIGHT.differences(SIGHT.read("3t1k"), SIGHT.read("1t1g")) == ("+2t", "+1k", "-1g")
    assert SIGHT.differences(SIGHT.read("3t"), SIGHT.read("3t")) == ()


def explained(position, seen):
    return search.explain(GAME, SIGHT, at(position), SIGHT.read(seen))


def test_a_throw_and_a_claim_are_found():
    assert explained(THROW, "1l2n") == Exact((Choice("tray", "2n1l"),))
    assert explained(CLAIM, "1g") == Exact((Choice("claim", "2t"),))
    assert explained(CLAIM, "2t1g") == Exact(())


def test_what_cannot_have_come_out_is_out_of_step():
    """MK-4.2, and MK-5.1: three of a colour are never claimed at once."""
    found = explained(THROW, "2l")
    assert isinstance(found, OutOfStep)
    assert (found.differences, found.refusal.check) == (("+2l",), "tray.conservation")
    assert isinstance(explained(CLAIM, "3t"), OutOfStep)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (("total 1", "total 1"), "'total 1' is there twice"),
        (("total 3", "q"), "'q' is not 0 to 60 of"),
        (("totl 3",), "'totl 3' is not 0 to 60 of"),
        (("3",), "'3' is not 0 to 60 of t g k w y b n p r l u o like 2t1g, or 0; a number alone is total 9"),
    ],
)
def test_what_is_no_contents_and_no_number_is_named(texts, said):
    with pytest.raises(Malformed) as raised:
        believed(GAME, at(THROW), Observation("tray", tuple((text, 0.3) for text in texts)))
    assert str(raised.value).startswith(said)


def test_a_number_leaves_what_may_have_come_out():
    found = explained(THROW, f"total {bags.total(at(THROW).thrown)}")
    assert found.explanations[0] == (Choice("tray", TRAY.write(at(THROW).thrown)),)
    told, sure = believed(GAME, at(THROW), Observation("tray", (("total 6", 0.96),)))
    assert told.explanations == found.explanations
    assert told.chances == pytest.approx([0.96 * chance for chance in found.chances])
    assert (found.chances[0] > found.chances[1], sure) == (True, pytest.approx(sum(told.chances)))
    assert explained(THROW, "total 99").refusal.check == "counts.total"
    assert explained(turn(tray="0"), "total 2") == Exact(())


@pytest.mark.parametrize(
    ("tray", "number", "claims"),
    [
        ("2t1g", 3, ()),
        ("2t1g", 2, ()),  # one turquoise or one green
        ("2t1g", 1, ("2t",)),
        ("2t", 1, ("1t",)),
        ("2t", 0, ("2t",)),
        ("1t1g", 1, ()),
    ],
)
def test_a_number_that_is_left_tells_the_only_claim_that_leaves_it(tray, number, claims):
    """MK-5.1"""
    state = turn("claim", "claim", round=4, tray=tray)
    assert explained(state, f"total {number}") == Exact(tuple(Choice("claim", one) for one in claims))


@pytest.mark.parametrize(
    ("tray", "number", "check"),
    [
        ("2t", 3, "more"),
        ("2t1g", 0, "fewer"),
        ("1t1g", 0, "fewer"),  # one of each is no claim without scroll 61
        ("2t2k", 1, "fewer"),
    ],
)
def test_a_number_that_no_claim_leaves_is_out_of_step(tray, number, check):
    found = explained(turn("claim", "claim", round=4, tray=tray), f"total {number}")
    there = bags.total(TRAY.read(tray))
    figures = (("number", number), ("there", there))
    assert found.refusal == Refusal(f"claim.{check}_left", "MK-5.1", figures)


def test_a_claim_without_room_for_it_leaves_nothing():
    """MK-5.2: with one free place of the two turquoise ones one is taken."""
    full = turn("claim", "claim", round=4, tray="2t", board_a="7t")
    assert explained(full, "total 1") == Exact((Choice("claim", "1t"),))
    assert isinstance(explained(full, "total 0"), OutOfStep)


def test_some_keshis_stay_in_the_tower_and_most_come_out():
    """Whatever comes out was inside or thrown (MK-4.2)."""
    state, rng = at(THROW), Random(1)
    there = state.inside + state.thrown
    came = [TRAY.read(GAME.worlds.answer(None, state, rng).token) for _ in range(300)]
    assert all(bags.within(tray, there) for tray in came)
    assert len(set(came)) > 20
    assert 0.65 < sum(map(bags.total, came)) / 300 / bags.total(there) < 0.75


def test_what_the_table_tells_of_a_copy_is_what_lists_say():
    """Of what they do not, a value that fits."""
    told = set()
    for made in walk(GAME, setup(2, known=False), Random(4)):
        for choice in made.choices.values():
            domain = GAME.rules.pending(made.state).domain
            if isinstance(domain, Printed):
                assert domain.holds(choice.token), choice
                told.add((domain.name, choice.token))
    assert ("workshop.1", "0,-3") in told
    assert len(told) > 9


def first(position):
    """Return what a cursor finds before all else."""
    state = at(position)
    legal = GAME.rules.legal(state)
    best = min(GAME.rules.likely(state, choice) for choice in legal)
    return [choice.token for choice in legal if GAME.rules.likely(state, choice) == best]


def test_a_cursor_begins_by_habit():
    """Two keshis before one, what is there before what turns something up, and what declines last."""
    assert first(CLAIM) == ["2t", "1g"]
    assert first(turn("claim", "claim", round=4, tray="1t1g")) == ["1t", "1g"]
    assert first(turn("oasis:free:2", board_a="2n")) == ["left1", "left2"]
    scrolls = first(turn("scroll:+:1", board_a="2y", scrolls_a="1", resources_a="2d2n"))
    assert scrolls == [str(n) for n in range(2, 22)]
    assert "turn_gray" not in first(turn("scroll", board_a="1y", resources_a="2d2n"))


@pytest.mark.parametrize(
    ("doing", "going", "about"), [("line:u", "use_a", "2:u"), ("river_tile", "river_tile", "2")]
)
def test_what_the_season_lays_out_is_asked_once_though_people_go_back(doing, going, about):
    """An exchange office's line by season and colour, a river tile by season: both lie there all season."""
    state = at(turn(doing, going, round=4, season=2, **({"tiles": "01"} if going == "river_tile" else {})))
    assert GAME.rules.seen(state) == about


# Contents by their number

THROWN = keshis({"turquoise": 2, "black": 1, "white": 3, "red": 3})
"""Nine keshis."""


def likely(inside, thrown, number):
    return [(held, chance) for chance, held in find_released(inside, thrown, number)]


@pytest.mark.parametrize("number", [0, 9])
def test_a_total_is_read(number):
    assert SIGHT.read(f"total {number}") == TrayCounted(number)


@pytest.mark.parametrize("text", ["9", "total 09"])
def test_another_text_is_no_total(text):
    with pytest.raises(Malformed):
        SIGHT.read(text)


def test_as_many_as_there_can_be_are_all_of_them():
    assert likely(keshis({"red": 1}), THROWN, 10) == [(THROWN + keshis({"red": 1}), pytest.approx(1))]


def test_one_fewer_is_one_colour_fewer_the_more_there_were_the_likelier():
    found = likely(0, THROWN, 8)
    missing = [letters(THROWN - held) for held, _ in found]
    assert missing[:2] in (["w", "r"], ["r", "w"])
    assert missing[2:] == ["t", "k"]
    assert [chance for _, chance in found] == pytest.approx([3 / 9, 3 / 9, 2 / 9, 1 / 9])


def test_what_was_thrown_comes_out_rather_than_what_stuck():
    (first, chance), (second, other) = likely(keshis({"pink": 1}), keshis({"red": 1}), 1)
    assert (first, second) == (keshis({"red": 1}), keshis({"pink": 1}))
    assert chance / other == pytest.approx(OUT / (1 - OUT) * 0.7 / 0.3)


def test_few_contents_are_answers_with_their_chances():
    found = explain_number(0, THROWN, TrayCounted(8))
    assert isinstance(found, Several)
    assert all(bags.total(TRAY.read(one.token)) == 8 for (one,) in found.explanations)
    assert {one.question for (one,) in found.explanations} == {"tray"}
    assert sum(found.chances) == pytest.approx(1)


def test_many_contents_are_worth_no_look():
    every = keshis(dict.fromkeys(COLOURS, 1))
    assert explain_number(0, every, TrayCounted(9)) == Exact(())
    assert isinstance(explain_number(0, every, TrayCounted(11)), Several)


def test_more_than_can_have_come_out_is_named():
    found = explain_number(keshis({"red": 1}), THROWN, TrayCounted(11))
    assert found.nearest == (Choice("tray", "2t1k3w4r"),)
    assert (found.differences, found.refusal.clause) == (("total 11",), "MK-4.2")
    assert dict(found.refusal.figures) == {"number": 11, "inside": 1, "thrown": 9}
