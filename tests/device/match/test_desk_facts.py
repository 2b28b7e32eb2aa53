"""A match opened on the line is played with what is known of the copy here."""

import asyncio

import pytest

from device.facts import CopyFile
from device.line.desk import opening
from device.line.messages import MessageError
from device.match.desk import Desk
from device.match.library import Library
from device.menus import Box
from device.screen.pixels import pages_of
from device.texts import Texts
from tests.device.copies import OTHERS
from tests.device.line.by_name import NamedLineDesk as LineDesk

CHANNEL = "line:k#3"
NAMES = ("Adso", "William")


@pytest.fixture
def desk(tmp_path):
    table = Library(tmp_path)
    file = CopyFile.of(table.state_dir, "torres", Texts.load("en", "torres"))
    file.put({"start_castles": OTHERS.split()})
    box = Box(Desk(table), pages=pages_of, strict=True)
    yield LineDesk(box.desk, box.words_of)
    table.leave()


def opened(desk, **settings):
    return asyncio.run(desk.open("torres", NAMES, settings, channel=CHANNEL))


def test_the_match_has_the_facts_of_the_copy(desk):
    assert opened(desk) == 1
    facts = dict(desk._desk.library.referee.replay.header.setup.facts)
    assert facts["fact.start_castles"] == f"confirmed {OTHERS}"


def test_one_that_is_open_as_asked_is_known_again(desk):
    before = desk._desk.library.open_match(opening("torres", NAMES, {}))
    assert opened(desk) == 1
    assert desk._desk.library.referee is before


def test_one_that_is_open_otherwise_is_not(desk):
    desk._desk.library.open_match(opening("torres", NAMES, {"doors": "descend"}))
    with pytest.raises(MessageError, match="busy"):
        opened(desk)


def test_settings_that_no_match_can_have_are_refused(desk):
    with pytest.raises(MessageError, match="malformed") as refused:
        opened(desk, master_cards="yes")
    assert "TO-6.3" in refused.value.text
    assert desk._desk.library.referee is None
    assert opened(desk, master="yes", master_cards="yes") == 1
