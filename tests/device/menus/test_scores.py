"""The breakdown by groups, why these points, entry by entry, and what the tower did."""

import pytest

from device.match import Header
from device.match.correction import list_undoable
from device.match.rulings import Amend
from device.menus.match_menu import list_odometer_items
from device.menus.scores import make_score_table, make_why_menu
from device.screen import ListPage, TablePage, TextPage
from engines import matchfile
from tests.device.conftest import MATCHES
from tests.device.games import enter

FILE = matchfile.read((MATCHES / "marrakesh_two.match").read_text("utf-8"), "two")


@pytest.fixture
def replay(player):
    """A match of Marrakesh that was played to its end."""
    player.box.open(Header(FILE.game, FILE.names, FILE.setup))
    enter(player.box.library.referee, FILE.steps)
    return player.box.library.referee.replay


def at(player, replay, view):
    player.box.push(view(player.box, replay, player.box.words_of(replay)))
    return player


def rows(page):
    return {label: list(map(int, figures)) for label, *figures in page.rows}


def test_groups_fit_their_column_and_ok_leads_to_all_categories(player, replay):
    at(player, replay, make_score_table)
    grouped = rows(player.page)
    assert list(grouped)[:8] == ["Start", "Places", "River", "Stairs", "Trade", "Scroll", "Supply", "End"]
    totals = list(map(int, player.page.totals))
    while player.page.totals:
        assert isinstance(player.ok(), TablePage)
    every = rows(player.page)
    assert player.page.header.left == "All categories"
    assert grouped["Stairs"] == [
        sum(n) for n in zip(every["Mosque"], every["Palace"], every["Lines"], strict=True)
    ]
    for figures in (grouped, every):
        parts = [sum(each) for each in zip(*(figures[f"Season {n}"] for n in (1, 2, 3)), strict=True)]
        others = [row for label, row in figures.items() if not label.startswith("Season")]
        assert [sum(each) for each in zip(*others, strict=True)] == parts == totals


def test_why_opens_a_group(player, replay):
    at(player, replay, make_why_menu)
    player.ok()
    named = player.items
    (end,) = (item for item in named if item.startswith("End"))
    player.choose(end)
    assert isinstance(player.page, ListPage)
    assert player.page.prompt == end
    assert sum(int(item.split()[-1]) for item in player.items) == int(end.split()[-1])
    player.ok()
    assert isinstance(player.page, TextPage)


def test_what_the_tower_did_is_a_page_of_a_game_with_one(player, replay):
    words = player.box.words_of(replay)
    (item,) = list_odometer_items(player.box, replay, words)
    assert item.label == "Cube tower"
    item.act()
    assert player.page.text.startswith("12 throws: 72 keshis in, ")


POSITION = "market=5 hand.a=?5 hand.b=?5 b=8x3 marker=b"


@pytest.fixture
def played(player):
    """Adso builds the taller 8 in step 1, and points are given by hand in the last record."""
    return player.open(position=POSITION)


@pytest.fixture
def built(played):
    played.step("B 8x4", channel="keys")
    return played


def asked_why(player, played):
    player.box.push(make_why_menu(player.box, played.replay, player.box.words_of(played.replay)))
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
    asked_why(player, built)
    assert told(player, "William", "all 0") == [
        "At the start",
        "William gains 8, Plain: 0 → 8 (8), SG-8.3",
        "William gains 10, Highest: 0 → 10 (marker), SG-8.5",
        "1 Adso: builds 8 × 4",
        "William loses 8, Plain: 8 → 0 (was 8), SG-8.3",
        "William loses 10, Highest: 10 → 0 (was marker), SG-8.5",
    ]


def test_what_was_undone_or_taken_back_gains_nothing(player, built):
    built.undo(list_undoable(built.replay)[0], channel="keys")
    assert asked_why(player, built).items == ["Adso 0", "William 18"]
    assert told(player, "Adso") == ["No points yet."]


def test_after_an_amendment_it_is_the_corrected_entry_that_gains(player, built):
    built.rule(Amend(1, "B 9x3"), by="ab", channel="keys")
    assert told(asked_why(player, built), "Adso", "Plain") == [
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
    played = player.open(options=(("deals", "2"),), position=f"{POSITION} deals=2")
    played.step("B 8x4", channel="keys")
    assert (
        told(asked_why(player, played), "Adso", "Plain")[1]
        == "Adso gains 8, Deal 1, Plain: 0 → 8 (8), SG-8.3"
    )


def test_a_sealed_choice_stays_sealed(toy, player):
    played = player.open(toy, position="0 2r3g - 1,0 -")
    played.step("odd", seat=0, channel="keys")
    assert told(asked_why(player, played), "Adso", "Guesses") == [
        "At the start",
        "Adso gains 1, Guesses: 0 → 1, T-1",
    ]
