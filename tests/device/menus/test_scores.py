"""The breakdown by groups of categories, all of them after OK; why, by groups; what the tower did."""

import pytest

from device.match import Header
from device.menus.match_menu import odometer_items
from device.menus.scores import score_table, why_menu
from device.screen.pages import ListPage, TablePage, TextPage
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
    at(player, replay, score_table)
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
    at(player, replay, why_menu)
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
    (item,) = odometer_items(player.box, replay, words)
    assert item.label == "Cube tower"
    item.act()
    assert player.page.text.startswith("12 throws: 72 keshis in, ")
