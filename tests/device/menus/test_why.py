"""Why these points: whose, of which category, and every entry that changed them."""

import pytest

from device.match.correction import undoable
from device.match.rulings import Amend
from device.menus.scores import why_menu
from device.screen.pages import ListPage, TextPage

POSITION = "market=5 hand.a=?5 hand.b=?5 b=8x3 marker=b"


@pytest.fixture
def match(player):
    """Adso builds the taller 8 in step 1, and points are given by hand in the last record."""
    return player.open(position=POSITION)


@pytest.fixture
def built(match):
    match.step("B 8x4", channel="keys")
    return match


def asked(player, match):
    player.box.push(why_menu(player.box, match.replay, player.box.words_of(match.replay)))
    return player


def told(player, *path):
    """The text that these choices lead to, as lines."""
    player.choose(*path)
    assert isinstance(player.page, TextPage)
    return player.page.text.splitlines()


def test_from_the_menu_to_the_clause(player, built):
    player.menu()
    player.choose("Why these points?")
    assert player.items == ["Adso 18", "William 0"]
    player.choose("Adso")
    assert player.items == ["all 18", "Plain 8", "Highest 10"]
    assert told(player, "Highest") == [
        "1 Adso: builds 8 × 4",
        "Adso gains 10, Highest: 0 → 10 (marker), SG-8.5",
    ]


def test_points_that_fell_are_told_as_such(player, built):
    asked(player, built)
    assert told(player, "William", "all 0") == [
        "At the start",
        "William gains 8, Plain: 0 → 8 (8), SG-8.3",
        "William gains 10, Highest: 0 → 10 (marker), SG-8.5",
        "1 Adso: builds 8 × 4",
        "William loses 8, Plain: 8 → 0 (was 8), SG-8.3",
        "William loses 10, Highest: 10 → 0 (was marker), SG-8.5",
    ]


def test_what_was_undone_or_taken_back_gains_nothing(player, built):
    built.undo(undoable(built.replay)[0], channel="keys")
    assert asked(player, built).items == ["Adso 0", "William 18"]
    assert told(player, "Adso") == ["No points yet."]


def test_after_an_amendment_it_is_the_corrected_entry_that_gains(player, built):
    built.rule(Amend(1, "B 9x3"), by="ab", channel="keys")
    assert told(asked(player, built), "Adso", "Plain") == [
        "1 Adso: builds 9 × 3",
        "Adso gains 9, Plain: 0 → 9 (9), SG-8.3",
    ]


def test_an_entry_tells_what_it_gained(player, built):
    player.menu()
    player.choose("Steps", "1 Adso")
    assert isinstance(player.page, ListPage)
    assert told(player, "When and how?")[-3:] == [
        "William loses 10, Highest: 10 → 0 (was marker), SG-8.5",
        "Adso gains 8, Plain: 0 → 8 (8), SG-8.3",
        "Adso gains 10, Highest: 0 → 10 (marker), SG-8.5",
    ]


def test_parts_are_named(player):
    match = player.open(options=(("deals", "2"),), position=f"{POSITION} deals=2")
    match.step("B 8x4", channel="keys")
    assert told(asked(player, match), "Adso", "Plain")[1] == "Adso gains 8, Deal 1, Plain: 0 → 8 (8), SG-8.3"


def test_a_sealed_choice_stays_sealed(toy, player):
    match = player.open(toy, position="0 2r3g - 1,0 -")
    match.step("odd", seat=0, channel="keys")
    assert told(asked(player, match), "Adso", "Guesses") == [
        "At the start",
        "Adso gains 1, Guesses: 0 → 1, T-1",
    ]
