"""What outlives a match: it goes on where the last acknowledged step was, whatever happened in between."""

import errno
import shutil
from time import gmtime

import pytest

from device.match.journal import Journal, JournalFull, read
from device.match.library import PLAYERS_KEPT, Library, PastMatch
from device.match.records import Draft, Kind
from device.match.replay import Header
from engines.contract import Setup
from engines.errors import BadSetup, UnknownGame
from tests.device.conftest import NAMES
from tests.device.games import FULL, enter, game_steps, replayed

STEPS = game_steps(1)
HEADER = Header("san_gimignano", NAMES, FULL)


def resume(table):
    """Return what a box that starts now makes of the same folder."""
    again = Library(table.state_dir, stamp=table.stamp)
    return again, again.resume()


class TestOpening:
    def test_a_match_has_a_file_named_for_people(self, table, clock):
        clock.set_utc(1_795_204_541_000)
        referee = table.open_match(Header("san_gimignano", ("Ådso 'd", "塔"), FULL))
        assert referee.path.endswith("/matches/20261120-195541-san_gimignano-adso_d-x.podesta")
        assert (table.state_dir / "current").read_text() == "20261120-195541-san_gimignano-adso_d-x.podesta\n"

    def test_simulated_is_written_everywhere(self, tmp_path):
        table = Library(tmp_path, simulated=True, table_id="t1", event_id="e1")
        referee = table.open_match(HEADER)
        enter(referee, STEPS[:2])
        table.leave()
        reading = read(referee.path)
        assert Header.read(reading.header).simulated
        assert all(record.simulated for record in reading.records)
        assert {(record.table_id, record.event_id) for record in reading.records} == {("t1", "e1")}

    @pytest.mark.parametrize(
        ("header", "error"),
        [
            (Header("san_gimignano", ("a", "b", "c"), Setup(3)), BadSetup),
            (Header("san_gimignano", NAMES, Setup(options=(("donazione", "no"),))), BadSetup),
            (Header("bazaar", NAMES, FULL), UnknownGame),
        ],
    )
    def test_what_cannot_be_opened_leaves_all_as_it_was(self, table, header, error):
        playing = table.open_match(HEADER)
        with pytest.raises(error):
            table.open_match(header)
        assert table.referee is playing
        enter(playing, STEPS[:2])
        assert len(table.list_past()) == 1


class TestResuming:
    @pytest.mark.parametrize("written", [0, 1, 7, 20])
    def test_after_a_kill_it_is_the_last_acknowledged_step(self, table, tmp_path, written):
        """The files as a crash leaves them: nothing was closed."""
        enter(table.open_match(HEADER), STEPS[:written])
        shutil.copytree(table.state_dir, tmp_path / "crashed")
        crashed = Library(tmp_path / "crashed")
        referee = crashed.resume()
        assert referee.replay.match.points == replayed(STEPS[:written]).points
        assert crashed.problems == []
        enter(referee, STEPS[written : written + 1])
        crashed.leave()

    def test_of_several_it_is_the_one_played_last(self, table):
        first = table.open_match(HEADER)
        enter(first, STEPS[:2])
        table.open_match(Header("san_gimignano", ("Fina", "Guido"), FULL))
        table.continue_match(PastMatch(table.matches / first.path.rpartition("/")[2], "", ""))
        table.leave()
        again, referee = resume(table)
        assert (referee.path, referee.head) == (first.path, 2)
        again.leave()


class TestTrouble:
    @pytest.mark.parametrize("content", [b"", b"\n", b"../../etc/passwd\n", b"\xff\xfe\x00", b"a\x00b"])
    def test_rubbish_in_current_does_not_stop_the_box(self, table, content):
        (table.state_dir / "current").write_bytes(content)
        assert table.resume() is None
        assert len(table.problems) <= 1
        enter(table.open_match(HEADER), STEPS[:1])

    @pytest.mark.parametrize("content", [b"", b"not a journal at all", b"{}\n" + bytes(4096)])
    def test_a_file_that_is_no_match(self, table, content):
        path = table.matches / "20261120-195541-san_gimignano-a-b.podesta"
        path.write_bytes(content)
        (table.state_dir / "current").write_text(path.name)
        assert table.resume() is None
        assert len(table.problems) == 1
        assert str(table.problems[0]).startswith(path.name)
        assert path.read_bytes() == content

    def test_a_match_that_no_longer_replays_is_named(self, table, clock):
        referee = table.open_match(HEADER)
        enter(referee, STEPS[:2])
        table.leave()
        with Journal.open(referee.path, clock.stamp) as journal:
            journal.append(
                [Draft(kind=Kind.STEP, payload="C 8x3", seat=referee.replay.match.pending.seats[0])]
            )
        again, resumed = resume(table)
        assert resumed is None
        assert "SG-3.11" in str(again.problems[0])
        assert again.open_match(HEADER)
        again.leave()

    def test_after_a_reboot_the_record_says_so(self, table, clock):
        """So that the players' clock, which measures within one boot, has where to begin."""
        enter(table.open_match(HEADER), STEPS[:2])
        table.leave()
        clock.reboot()
        again, resumed = resume(table)
        assert resumed.wait(30)
        note = resumed.replay.log[-1]
        assert (note.kind, note.payload, note.boot_id) == (Kind.NOTE, "went on after a restart", "fake-2")
        again.leave()

    def test_a_match_made_under_other_rules_goes_on_and_says_so(self, table, monkeypatch):
        enter(table.open_match(HEADER), STEPS[:2])
        monkeypatch.setattr(type(table.referee.replay.game), "rules_version", 2)
        table.leave()
        again, resumed = resume(table)
        assert len(resumed.replay.history) == 2
        assert "made under rules version 1; this box plays 2" in str(again.problems[0])
        again.leave()

    @pytest.mark.parametrize("name", ["players", "asked"])
    def test_a_note_that_cannot_be_written_costs_no_match(self, table, name):
        (table.state_dir / name).unlink(missing_ok=True)
        (table.state_dir / name).mkdir()
        referee = table.open_match(HEADER)
        enter(referee, STEPS[:2])
        assert (referee.recorded, referee.lost) == (2, None)

    def test_a_match_that_would_not_come_back_is_not_begun(self, table, monkeypatch):
        """The disk is full when ``current`` is written: what was being played goes on, also next time."""
        playing = table.open_match(HEADER)
        before = sorted(table.matches.iterdir())

        def full(path, data):
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr("device.match.library.replace_file", full)
        with pytest.raises(JournalFull, match="current: No space left"):
            table.open_match(Header("san_gimignano", ("Fina", "Guido"), FULL))
        assert table.referee is playing
        assert sorted(table.matches.iterdir()) == before
        enter(playing, STEPS[:2])
        table.leave()
        again, referee = resume(table)
        assert (referee.path, again.problems) == (playing.path, [])
        again.leave()


class TestLookingBack:
    def test_the_latest_comes_first(self, table, clock):
        for name in ("notes.txt", "friday.podesta", ".20231117-000000-torres-a-b.podesta.new"):
            (table.matches / name).write_text("x")
        for names in [("A", "B"), ("C", "D"), ("E", "F")]:
            clock.advance(86_400_000)
            table.open_match(Header("san_gimignano", names, FULL))
        assert [past.players for past in table.list_past()] == ["e-f", "c-d", "a-b"]
        assert table.list_past()[0].game == "san_gimignano"
        assert gmtime(table.list_past()[0].began)[:3] == (2023, 11, 17)

    def test_the_match_being_played_is_not_read_from_the_disk(self, table, monkeypatch):
        referee = table.open_match(HEADER)
        assert table.look_at(table.list_past()[0]) is referee.replay
        assert table.continue_match(table.list_past()[0]) is referee


def test_players_used_last_come_first_and_only_so_many_are_kept(table):
    assert table.list_names() == []
    table.open_match(HEADER)
    table.open_match(Header("san_gimignano", ("Fina", "Adso"), FULL))
    assert table.list_names() == ["Fina", "Adso", "William"]
    for number in range(PLAYERS_KEPT):
        table.open_match(Header("san_gimignano", (f"P{number}", f"Q{number}"), FULL))
    assert len(table.list_names()) == PLAYERS_KEPT
    assert table.list_names()[:2] == [f"P{PLAYERS_KEPT - 1}", f"Q{PLAYERS_KEPT - 1}"]
