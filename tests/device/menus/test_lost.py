"""A disk that refuses: nothing is called recorded that is not, and people decide before play goes on."""

import errno

import pytest

from device.keys import Cue
from device.match.door import Proposal, Unconfirmed
from device.match.journal import JournalError, JournalFull, JournalReadOnly, read
from device.match.rulings import Adjust, Override
from device.menus.standstill import LostEntries
from device.screen import HeaderMark, TextPage
from engines.contract import Choice, Exact

POSITION = "market=6,8,8,9 hand.a=?5 hand.b=?5"


@pytest.fixture
def match(player):
    player.open(position=POSITION)
    player.choose("Pass")
    player.written()
    return player.box.library.referee


@pytest.fixture
def full(player, match, disk):
    """William builds, and the disk has no room for it."""
    disk.fail(JournalFull("/x: no room"))
    player.choose("Build", "8-10")
    match.wait(30)
    disk.mend()
    return match


def payloads(referee):
    return [record.payload for record in read(referee.path).records]


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (JournalFull("/x: no room"), "The disk is full"),
        (OSError(errno.ENOSPC, "No space left on device"), "The disk is full"),
        (JournalReadOnly("/x: read-only"), "Disk is read-only"),
        (OSError(errno.EROFS, "Read-only file system"), "Disk is read-only"),
        (JournalError("/x: disk I/O error"), "The disk failed"),
        (RuntimeError("what"), "The disk failed"),
    ],
)
def test_it_says_so_and_why(player, match, disk, error, says):
    heard = []
    player.box.on_cue = heard.append
    disk.fail(error)
    player.choose("Build", "8-10")
    match.wait(30)
    assert (player.page.header.left, player.page.prompt) == ("NOT SAVED", says)
    assert player.page.header.mark is HeaderMark.FAILED
    assert player.items == ["try again", "what was lost?", "leave it out"]
    assert heard[-2:] == [Cue.ERROR, Cue.YOUR_TURN]
    assert Cue.RECORDED not in heard
    assert payloads(match) == ["pass"]
    tried = match.lost if says != "The disk failed" else None
    assert player.box.library.refused is tried, "what failed otherwise is not tried by itself"


WAITING = Unconfirmed("pass", 1, "ask", lambda: None)
READ = Proposal(Exact((Choice("action", "pass"),)), 0.9, "line:cam#1")


def test_nobody_is_asked_anything_else_before_people_have_decided(player, full):
    player.box.confirm(WAITING)
    player.box.propose(READ)
    assert isinstance(player.box.stack[-1], LostEntries)
    player.choose("leave it out")
    player.box.confirm(WAITING)
    assert player.page.header.left == "Please confirm"


def test_what_was_lost(player, full):
    player.choose("what was lost?")
    said = "the match cannot be read or written (/x: no room)"
    assert player.page.text.splitlines() == ["Not recorded:", "William: builds 8-10", said]
    player.box.follow()
    assert isinstance(player.page, TextPage)
    player.read_all()
    assert player.page.header.left == "NOT SAVED"


def test_no_key_leads_past_it(player, full):
    """Or a step could be entered on a position that trying again would then contradict."""
    for press in (player.back, player.undo, player.menu, player.back):
        press()
        player.later()
        assert player.page.header.left == "NOT SAVED"
    player.choose("what was lost?")
    player.undo()
    player.menu()
    player.later()
    player.back()
    assert player.page.header.left == "NOT SAVED"
    assert full.head == 1


def test_it_is_said_away_from_the_match_too(player, match, disk):
    player.menu()
    player.choose("Home")
    disk.fail(JournalFull("/x: no room"))
    match.step("B 8-10", seat=1, channel="line:pad#1")
    match.wait(30)
    assert player.page.header.left == "NOT SAVED"
    disk.mend()
    player.ok()
    player.written()
    assert player.items[0].startswith("Continue")


def test_steps_on_top_of_a_lost_one_are_lost_with_it(player, match, disk):
    disk.hold()
    player.choose("Build", "8-10", "Build", "5-7")
    disk.fail(JournalFull("/x: no room"))
    disk.go_on()
    match.wait(30)
    player.choose("what was lost?")
    assert player.page.text.splitlines()[1:3] == ["William: builds 8-10", "Adso: builds 5-7"]
    player.read_all()
    disk.mend()
    player.choose("try again")
    player.written()
    assert payloads(match) == ["pass", "B 8-10", "B 5-7"]
    assert player.page.header.left == "William"


def test_a_rematch_waits_until_it_is_settled(player, match, disk):
    disk.hold()
    player.choose("Pass")
    disk.fail(JournalFull("/x: no room"), after=0)
    player.ok(player.box.pages(player.page))
    player.go("Rematch")
    disk.go_on()
    player.ok()
    assert "an earlier entry was not recorded" in player.read_all()
    assert player.page.header.left == "NOT SAVED"
    disk.mend()
    player.ok()
    player.written()
    assert player.box.library.referee is match
    assert payloads(match)[-1] == "over double_pass"


def test_it_goes_by_itself_once_what_was_lost_is_recorded(player, full, disk):
    assert player.box.library.refused is full.lost
    disk.fail(JournalFull("/x: no room"))
    full.retry()
    full.wait(30)
    assert player.page.header.left == "NOT SAVED"
    disk.mend()
    full.retry()
    player.written()
    assert (player.page.header.left, player.page.header.mark) == ("Adso", HeaderMark.RECORDED)
    assert payloads(full) == ["pass", "B 8-10"]
    assert player.box.library.refused is None


def test_a_disk_takes_files_or_not(table, monkeypatch):
    assert table.takes_files()
    assert [path.name for path in table.matches.iterdir()] == []

    def full(_file):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    assert not table.takes_files()
    assert [path.name for path in table.matches.iterdir()] == []


def test_lost_rulings_are_told_in_words_too(player, match, disk):
    disk.hold()
    match.rule(Adjust(1, 5, "a slip"), channel="keys")
    match.step("close", seat=1, override=Override(("SG-3.12",), "a slip"), by="ab", channel="keys")
    disk.fail(JournalFull("/x: no room"))
    disk.go_on()
    match.wait(30)
    player.choose("what was lost?")
    told = player.page.text.splitlines()[1:-1]
    assert told == [
        "+5 for William by hand – a slip",
        "Agreed by Adso, William",
        "It stands against the rule: Close",
        "William: closes",
    ]
