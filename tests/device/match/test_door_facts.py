"""A match opened on the line is played with what is known of the copy here."""

import asyncio

import pytest

from device.copy_file import CopyFile
from device.line.messages import MessageError
from device.match.door import MatchDoor
from device.match.library import Library
from device.menus import Box
from device.screen.pixels import pages_of
from device.texts import Texts
from tests.device.copies import OTHERS
from tests.device.line.by_name import NamedLineDoor as LineDoor

CHANNEL = "line:k#3"
NAMES = ("Adso", "William")


@pytest.fixture
def door(tmp_path):
    table = Library(tmp_path)
    file = CopyFile.of(table.state_dir, "torres", Texts.load("en", "torres"))
    file.put({"start_castles": OTHERS.split()})
    box = Box(MatchDoor(table), pages=pages_of, strict=True)
    yield LineDoor(box.door, box.words_of)
    table.leave()


def opened(door, **settings):
    return asyncio.run(door.open("torres", NAMES, settings, channel=CHANNEL))


def test_the_match_has_the_facts_of_the_copy(door):
    assert opened(door) == 1
    facts = dict(door._door.library.referee.replay.header.setup.facts)
    assert facts["fact.start_castles"] == f"confirmed {OTHERS}"


def test_settings_that_no_match_can_have_are_refused(door):
    with pytest.raises(MessageError, match="malformed") as refused:
        opened(door, master_cards="yes")
    assert "TO-6.3" in refused.value.text
    assert door._door.library.referee is None
    assert opened(door, master="yes", master_cards="yes") == 1
