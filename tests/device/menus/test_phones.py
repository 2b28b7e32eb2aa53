"""Phones at the box: the code for one that asks, and the list of those that act."""

from pathlib import Path

import pytest

from device.match import Header
from engines.contract import Setup


@pytest.fixture
def sitting(player):
    player.box.open(Header("san_gimignano", ("Adso", "William"), Setup()))
    player.box.pairings.follow(Path(player.box.library.referee.path).name)
    return player


def pair(box, seat, secret="secret"):
    return box.pairings.enter(secret, box.pairings.ask(secret, seat).code)


def test_the_code_comes_by_itself_and_goes_when_it_is_typed(sitting):
    box = sitting.box
    code = box.pairings.ask("secret", 1).code
    assert sitting.page.text == f"William: {code[:3]} {code[3:]}"
    assert sitting.page.header.private
    box.pairings.enter("secret", code)
    assert not sitting.page.header.private


@pytest.mark.parametrize("key", ["ok", "back"])
def test_the_code_is_taken_away_at_the_box(sitting, key):
    sitting.box.pairings.ask("secret", 1)
    getattr(sitting, key)()
    assert sitting.box.pairings.asking is None
    assert not sitting.page.header.private


def test_phones_are_listed_once_there_are_any_and_one_is_ended(sitting):
    box = sitting.box
    token = pair(box, 1)
    pair(box, 0, "another")
    sitting.menu()
    sitting.choose("Phones")
    assert sitting.page.items == ("Phone 1: William", "Phone 2: Adso")
    sitting.choose("Phone 1: William", "End it")
    assert sitting.page.text == "Phone 1 is unpaired"
    assert box.pairings.find_phone(token) is None
    assert [phone.name for phone in box.pairings.phones] == ["phone-2"]
    sitting.later()
    assert "Phones" in sitting.page.items
    box.pairings.follow("another match")
    sitting.menu()
    sitting.menu()
    assert "Phones" not in sitting.page.items


def test_the_address_is_offered_where_phones_reach_it(player):
    def setup():
        player.box.go_home()
        player.choose("Set-up")
        return player.page.items

    assert "The page, for phones" not in setup()
    player.box.address = "http://podesta:8080/"
    assert "The page, for phones" in setup()
    player.choose("The page, for phones")
    assert player.page.text == "http://podesta:8080/"
    player.ok()
    assert "Status" in player.page.items
