"""The stick, updates, going back, restoring and resetting by the keys: what is asked, what comes of it."""

import errno

import msgspec
import pytest

from device import update
from device.backup import look, save
from device.cli import main
from device.commands import Exit
from device.event import BoxKey, make_event, read_bundle, read_keys, read_place
from device.match.replay import Header
from device.match.rulings import Abandon
from device.stick import Stick, StickError
from device.update import ASKED, Care, Request
from engines.contract import Setup
from tests.device.conftest import NAMES, a_box
from tests.device.player import Player
from tests.device.update.conftest import DEB, HERE, PUBLIC, manifest, put

OPEN = "A match is open. Finish or abandon it first."


class System:
    """The folders of an installed box, and how often its unit was started."""

    def __init__(self, table, folder, waiting, monkeypatch):
        self.stick = table.state_dir / "stick"
        self.home, self.runtime = (folder / name for name in ("cache", "run"))
        self.keys = folder / "trusted.d"
        for one in (self.stick, self.home / "previous", self.runtime, self.keys):
            one.mkdir(parents=True)
        (self.keys / "friends.pub").write_text(f"{PUBLIC}\n")
        self.started, self.refuses, self.waiting = 0, "", waiting
        instead = {"HOME": self.home, "RUNTIME": self.runtime, "TRUSTED": self.keys}
        for name, value in {**instead, "find_here": lambda: HERE, "start_service": self.start}.items():
            monkeypatch.setattr(update, name, value)
        self.care = Care(table.state_dir, self.stick)

    def start(self):
        self.started += 1
        return self.refuses

    @property
    def asked(self):
        """What the unit is asked for once what was begun aside is done; None where it is not started."""
        while self.waiting:
            self.waiting.pop(0)()
        file = self.runtime / ASKED
        return msgspec.json.decode(file.read_bytes(), type=Request) if self.started else None


@pytest.fixture
def system(table, tmp_path, waiting, monkeypatch):
    return System(table, tmp_path / "system", waiting, monkeypatch)


@pytest.fixture
def folder(system):
    return system.stick


@pytest.fixture
def waiting():
    """Return what was begun aside and is not done yet."""
    return []


@pytest.fixture
def player(table, ticks, system, waiting):
    def aside(work, done):
        waiting.append(lambda: done(work()))

    box = a_box(table, ticks, stick=Stick(table.state_dir, None, system.stick), care=system.care, aside=aside)
    return Player(box, ticks)


def read_on(player):
    """Go through what is told before a list; all of it."""
    said = player.text
    while not hasattr(player.page, "items"):
        player.ok()
        said += " " + player.text
    return said


def looked(player, waiting):
    """Let what was begun aside be done; no key is pressed meanwhile."""
    player.ok()
    assert "Leave the stick in" in player.text, "OK does not leave it"
    drawn = []
    player.box.on_page = lambda: drawn.append(player.page)
    waiting.pop()()
    assert drawn
    return player.text


def test_an_update_is_offered_checked_asked_once_and_asked_for(player, system, waiting):
    put(system.stick, manifest())
    player.choose("Set-up", "Stick", "Update to 0.2.0")
    looked(player, waiting)
    said = read_on(player)
    assert "0.1.0 is installed" in said
    assert "0.1.0 comes back by itself" in said
    player.choose("No, leave it")
    assert system.asked is None
    player.choose("Update to 0.2.0")
    looked(player, waiting)
    read_on(player)
    player.choose("Update to 0.2.0")
    assert system.asked == Request("update", "podesta_0.2.0~bookworm_arm64.update")
    assert "It has begun" in player.text


def test_one_that_is_refused_says_why_and_is_not_asked_for(player, system, waiting):
    put(system.stick, manifest())
    (system.stick / DEB).write_bytes(b"x")
    player.choose("Set-up", "Stick", "Update to 0.2.0")
    assert "Nothing was changed: hash differs" in looked(player, waiting)
    assert system.asked is None


@pytest.mark.parametrize(
    "way",
    [["Restore from the stick"], ["Old version"], ["Factory reset"], ["Stick", "Update to 0.2.0"]],
)
def test_none_of_it_while_a_match_is_open(player, table, system, way):
    put(system.stick, manifest())
    player.open()
    player.box.go_home()
    player.choose("Set-up", *way)
    assert OPEN in player.text
    table.referee.rule(Abandon(), channel="keys")
    player.box.go_home()
    player.choose("Set-up", *way)
    assert OPEN not in player.text


def test_a_match_that_was_opened_meanwhile_stops_it(player, system):
    """By a line or a phone, between the question and the yes."""
    (system.home / "previous" / "podesta_0.0.9~bookworm_arm64.deb").touch()
    player.choose("Set-up", "Old version")
    read_on(player)
    player.choose("Back to 0.0.9")
    read_on(player)
    player.box.library.open_match(Header("san_gimignano", NAMES, Setup()))
    player.choose("Back to 0.0.9")
    assert OPEN in player.text
    assert system.asked is None


def test_going_back_is_asked_twice(player, system):
    player.choose("Set-up", "Old version")
    assert "No old version is kept here" in player.text
    player.box.go_home()
    (system.home / "previous" / "podesta_0.0.9~bookworm_arm64.deb").touch()
    player.choose("Set-up", "Old version")
    assert "Matches and settings stay" in read_on(player)
    player.choose("Back to 0.0.9")
    assert system.asked is None
    assert "Really?" in read_on(player)
    player.choose("Back to 0.0.9")
    assert system.asked == Request("back")


@pytest.mark.parametrize(
    ("label", "warned", "matches"),
    [
        ("Reset, keep matches", "The matches stay", False),
        ("Reset, matches too", "EVERYTHING GOES, MATCHES TOO", True),
    ],
)
def test_a_reset_says_first_what_goes_and_is_asked_twice(player, system, label, warned, matches):
    player.choose("Set-up", "Factory reset")
    said = read_on(player)
    for going in ("settings", "facts", "cameras were taught", "names", "pairings", "PIN", "key"):
        assert going in said
    player.choose(label)
    assert warned in read_on(player)
    assert system.asked is None
    player.choose("No, leave it")
    assert system.asked is None
    player.choose(label)
    read_on(player)
    player.choose(label)
    assert system.asked == Request("reset", matches=matches)


def test_a_backup_is_chosen_checked_and_asked_twice(player, table, system, waiting):
    player.choose("Set-up", "Restore from the stick")
    assert "There is no backup on the stick" in player.text
    player.box.go_home()
    file = system.stick / "podesta-backup-20261127-101112.tar.gz"
    (table.state_dir / "players").write_text("Adso\n")
    save(table.state_dir, None, file, "0.1.0")
    (system.stick / "podesta-backup-20251127-101112.tar.gz").write_bytes(b"x")
    player.choose("Set-up", "Restore from the stick", "20251127")
    assert "not a complete backup" in looked(player, waiting)
    player.back()
    player.choose("20261127")
    looked(player, waiting)
    assert "are replaced by those in" in read_on(player)
    player.choose("Restore from the stick")
    assert system.asked is None
    read_on(player)
    player.choose("Restore from the stick")
    assert system.asked == Request("restore", file.name)


def test_where_the_unit_does_not_start_it_says_so(player, system, waiting):
    system.refuses = "Access denied"
    player.choose("Set-up", "Factory reset")
    read_on(player)
    player.choose("Reset, keep matches")
    read_on(player)
    player.choose("Reset, keep matches")
    assert "It has begun" in player.text
    assert system.started == 0, "the box goes on while the service manager takes its time"
    waiting.pop()()
    assert "the service manager does not start it (Access denied)" in player.text


def test_whoever_goes_on_meanwhile_is_asked_nothing(player, system, waiting):
    put(system.stick, manifest())
    player.choose("Set-up", "Stick", "Update to 0.2.0")
    player.box.go_home()
    before = player.text
    waiting.pop()()
    assert player.text == before


def written_to_the_stick(player, waiting, what):
    player.choose("Set-up", "Stick", what)
    assert "Leave the stick in" in player.page.text
    drawn = []
    player.box.on_page = lambda: drawn.append(player.page)
    waiting.pop()()
    assert drawn, "no key is pressed when it is done"
    return player.page.text


def test_the_matches_of_everybody_and_the_open_one_whole(player, table, folder, waiting, opened):
    said = written_to_the_stick(player, waiting, "Matches, for the organiser")
    (file,) = folder.iterdir()
    assert said.startswith(f"{file.name} is on the stick and checked. Matches: 1.")
    assert main(["verify", str(file)]) == Exit.UNFINISHED
    file.unlink()
    player.box.go_home()
    written_to_the_stick(player, waiting, "This match, for a spare box")
    (file,) = folder.iterdir()
    (journal,) = read_bundle(file).journals.values()
    assert journal == (table.matches / opened).read_bytes()


def test_a_backup_of_everything_but_what_is_on_the_stick(player, folder, waiting, opened):
    (folder / "of somebody's").write_text("x")
    written_to_the_stick(player, waiting, "Backup of everything")
    (file,) = folder.glob("*.tar.gz")
    contents, held = look(file)
    assert contents.matches == 1
    assert not [name for name in held if "stick" in name]


@pytest.mark.parametrize("way", ["Stick", "Restore from the stick"])
def test_without_a_stick_it_says_how(player, folder, way):
    folder.rmdir()
    player.choose("Set-up", way)
    assert "Plug one in (FAT)" in player.page.text


def test_a_box_that_cannot_restore_itself_offers_nothing_of_it(table, ticks):
    player = Player(a_box(table, ticks), ticks)
    player.choose("Set-up")
    assert not {"Restore from the stick", "Old version", "Factory reset"} & set(player.items)


def test_pulled_out_while_it_writes_it_says_so_and_play_goes_on(player, folder, waiting, opened):
    player.choose("Set-up", "Stick", "Backup of everything")
    folder.rmdir()
    player.box.go_home()
    waiting.pop()()
    assert player.notice == "Nothing was written: the stick is gone."


@pytest.mark.parametrize("what", ["Matches, for the organiser", "Backup of everything"])
def test_a_full_stick_is_named_and_keeps_nothing(player, folder, waiting, opened, monkeypatch, what):
    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    said = "Nothing was written: it cannot be read or written (No space left on device)."
    assert written_to_the_stick(player, waiting, what) == said
    assert list(folder.iterdir()) == []


@pytest.fixture
def cup(folder):
    """The files of an event's boxes, as the organiser copied them to a stick."""
    make_event(folder / "cup", "Friday cup", 3)
    return folder / "cup"


def test_a_box_takes_its_file_from_a_stick_and_starts_anew(player, table, cup, waiting):
    anew = []
    player.box.restart = lambda: anew.append(read_place(table.state_dir))
    player.choose("Set-up", "Stick", "Join an event")
    assert player.items == ["table-01", "table-02", "table-03"], "no other file of the event's"
    player.choose("table-02")
    assert player.page.prompt.startswith("This box gets the name and key of table-02 and")
    player.choose("Join an event")
    assert anew == []
    waiting.pop()()
    assert player.page.text == "This is now table-02 of Friday cup. The box restarts."
    assert [(one.table, one.event) for one in anew] == [("table-02", "Friday cup")]
    assert BoxKey(table.state_dir).public in read_keys(cup / "keys.toml")
    assert not (cup / "table-02.toml").exists()


def test_a_file_that_is_none_leaves_the_box_as_it_was(player, table, cup, waiting):
    player.box.restart = lambda: pytest.fail("it is what it was")
    text = (cup / "table-01.toml").read_text().replace('table = "table-01"', 'table = "table-09"')
    (cup / "table-01.toml").write_text(text)
    player.choose("Set-up", "Stick")
    assert player.page.prompt == "What is the stick for?", "it also makes the box join an event"
    player.choose("Join an event", "table-01")
    player.choose("Join an event")
    waiting.pop()()
    assert player.page.text.startswith("Nothing was changed: ")
    assert "not as the event Friday cup made it" in player.page.text
    assert (read_place(table.state_dir), (cup / "table-01.toml").exists()) == (None, True)


def test_no_box_becomes_another_while_a_match_is_open(player, cup, opened):
    player.choose("Set-up", "Stick", "Join an event")
    assert player.page.text == "A match is open. Finish or abandon it first."


def test_no_match_yet(table, folder):
    with pytest.raises(StickError, match="there is no match yet"):
        Stick(table.state_dir, None, folder).matches()


@pytest.fixture
def opened(player, table):
    """The file of a match that is open and no longer on the screen."""
    player.open()
    player.box.go_home()
    (path,) = table.matches.iterdir()
    return path.name
