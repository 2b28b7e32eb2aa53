"""Written to a stick by the keys: matches, the open match for a spare box, a backup; and what goes wrong."""

import errno

import pytest

from device.backup import look
from device.cli import main
from device.commands import Exit
from device.event import BoxKey, place, plan, read_bundle, read_keys
from device.stick import Stick, StickError
from tests.device.conftest import a_box
from tests.device.player import Player


@pytest.fixture
def folder(table):
    (table.state_dir / "stick").mkdir()
    return table.state_dir / "stick"


@pytest.fixture
def waiting():
    """What was begun aside and is not done yet."""
    return []


@pytest.fixture
def player(table, ticks, folder, waiting):
    def aside(work, done):
        waiting.append(lambda: done(work()))

    stick = Stick(table.state_dir, None, folder)
    return Player(a_box(table, ticks, stick=stick, aside=aside), ticks)


def written(player, waiting, what):
    player.choose("Set-up", "Stick", what)
    assert "Leave the stick in" in player.page.text
    drawn = []
    player.box.on_page = lambda: drawn.append(player.page)
    waiting.pop()()
    assert drawn, "no key is pressed when it is done"
    return player.page.text


def test_the_matches_of_everybody_and_the_open_one_whole(player, table, folder, waiting, opened):
    said = written(player, waiting, "Matches, for the organiser")
    (file,) = folder.iterdir()
    assert said.startswith(f"{file.name} is on the stick, matches: 1, read back and the same.")
    assert main(["verify", str(file)]) == Exit.UNFINISHED
    file.unlink()
    player.box.home()
    written(player, waiting, "This match, for a spare box")
    (file,) = folder.iterdir()
    (journal,) = read_bundle(file).journals.values()
    assert journal == (table.matches / opened).read_bytes()


def test_a_backup_of_everything_but_what_is_on_the_stick(player, folder, waiting, opened):
    (folder / "of somebody's").write_text("x")
    written(player, waiting, "Backup of everything")
    (file,) = folder.glob("*.tar.gz")
    contents, held = look(file)
    assert contents.matches == 1
    assert not [name for name in held if "stick" in name]


def test_without_a_stick_it_says_how(player, folder):
    folder.rmdir()
    player.choose("Set-up", "Stick")
    assert "Plug one in (FAT)" in player.page.text


def test_pulled_out_while_it_writes_it_says_so_and_play_goes_on(player, folder, waiting, opened):
    player.choose("Set-up", "Stick", "Backup of everything")
    folder.rmdir()
    player.box.home()
    waiting.pop()()
    assert player.notice == "Nothing was written: the stick is gone."


@pytest.mark.parametrize("what", ["Matches, for the organiser", "Backup of everything"])
def test_a_full_stick_is_named_and_keeps_nothing(player, folder, waiting, opened, monkeypatch, what):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    said = "Nothing was written: it cannot be read or written (No space left on device)."
    assert written(player, waiting, what) == said
    assert list(folder.iterdir()) == []


@pytest.fixture
def cup(folder):
    """The files of an event's boxes, as the organiser copied them to a stick."""
    plan(folder / "cup", "Friday cup", 3)
    return folder / "cup"


def test_a_box_takes_its_file_from_a_stick_and_starts_anew(player, table, cup, waiting):
    anew = []
    player.box.restart = lambda: anew.append(place(table.state_dir))
    player.choose("Set-up", "Stick", "Be a box of an event")
    assert player.items == ["table-01", "table-02", "table-03"], "no other file of the event's"
    player.choose("table-02")
    assert player.page.prompt.startswith("This box gets the name and the key of table-02.")
    player.choose("Be a box of an event")
    assert anew == []
    waiting.pop()()
    assert player.page.text == "This is table-02 of Friday cup now. The box starts anew."
    assert [(one.table, one.event) for one in anew] == [("table-02", "Friday cup")]
    assert BoxKey(table.state_dir).public in read_keys(cup / "keys.toml")
    assert not (cup / "table-02.toml").exists()


def test_a_file_that_is_none_leaves_the_box_as_it_was(player, table, cup, waiting):
    player.box.restart = lambda: pytest.fail("it is what it was")
    text = (cup / "table-01.toml").read_text().replace('table = "table-01"', 'table = "table-09"')
    (cup / "table-01.toml").write_text(text)
    player.choose("Set-up", "Stick", "Be a box of an event", "table-01")
    player.choose("Be a box of an event")
    waiting.pop()()
    assert player.page.text.startswith("The box is what it was: ")
    assert "it is not what the event Friday cup made" in player.page.text
    assert (place(table.state_dir), (cup / "table-01.toml").exists()) == (None, True)


def test_no_box_becomes_another_while_a_match_is_open(player, cup, opened):
    player.choose("Set-up", "Stick", "Be a box of an event")
    assert player.page.text == "A match is open. Finish or abandon it first."


def test_no_match_yet(table, folder):
    with pytest.raises(StickError, match="there is no match yet"):
        Stick(table.state_dir, None, folder).matches()


@pytest.fixture
def opened(player, table):
    """The file of a match that is open and no longer on the screen."""
    player.open()
    player.box.home()
    (path,) = table.matches.iterdir()
    return path.name
