"""The journal: what append returned for is on the disk, what it refused is nowhere."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from device.match.journal import (
    Journal,
    JournalBusy,
    JournalError,
    JournalFull,
    NotAJournal,
    read,
    recover,
)
from device.match.records import Draft, Kind, evidence_matches, verify
from device.match.writer import Skipped, Writer
from tests.device.clocks import FakeClock

ROOT = Path(__file__).parents[3]
HEADER = {"game": "torres", "place": "塔の家"}


def step(payload: str = "B d3") -> Draft:
    return Draft(kind=Kind.STEP, payload=payload, seat=0)


@pytest.fixture
def stamp():
    return FakeClock().stamp


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "match.podesta"


@pytest.fixture
def journal(path, stamp):
    with Journal.create(path, HEADER, stamp, table_id="T1", event_id="E1") as journal:
        yield journal


class TestKeeping:
    def test_a_match_goes_on_where_it_stopped(self, path, stamp):
        with Journal.create(path, HEADER, stamp) as journal:
            first = journal.append([step("a"), step("b")])
        with Journal.open(path, stamp) as journal:
            assert journal.header == HEADER
            assert journal.records == list(first)
            second = journal.append([step("c")])
        reading = read(path)
        assert reading.records == first + second
        assert verify(reading.header, reading.records) is None
        assert [(r.seq, r.group, r.group_size, r.payload) for r in reading.records] == [
            (1, 1, 2, "a"), (2, 1, 2, "b"), (3, 2, 1, "c"),
        ]  # fmt: skip

    def test_every_field_comes_back(self, path, journal):
        draft = Draft(
            kind=Kind.READING, payload="塔\n" * 9_000, seat=3, channel="camera", visibility="seat 3",
            evidence=b"jpg", confidence_ppm=812_000, state_digest="abc", simulated=True,
        )  # fmt: skip
        (record,) = journal.append([draft])
        journal.close()
        assert read(path).records == (record,)
        assert evidence_matches(record, b"jpg")
        assert (record.table_id, record.event_id, record.simulated) == ("T1", "E1", True)
        assert (record.payload, record.seat, record.channel) == (draft.payload, 3, "camera")

    def test_a_group_has_one_time_and_each_record_its_own_salt(self, path):
        clock = FakeClock()

        def ticking():
            clock.advance(5)
            return clock.stamp()

        with Journal.create(path, HEADER, ticking) as journal:
            one, two = journal.append([step(), step()])
        assert one.utc_ms == two.utc_ms
        assert one.salt != two.salt

    def test_a_group_needs_a_record(self, journal):
        with pytest.raises(ValueError, match="at least one"):
            journal.append([])

    def test_a_closed_journal_says_so(self, journal):
        journal.close()
        with pytest.raises(JournalError, match=r"match\.podesta: the journal is closed"):
            journal.append([step()])

    @pytest.mark.parametrize("bad", [step("\ud800"), Draft(kind=Kind.STEP, payload="", confidence_ppm=-1)])
    def test_a_draft_that_cannot_be_sealed_leaves_no_trace(self, path, journal, bad):
        journal.append([step("a")])
        with pytest.raises(ValueError, match=r"surrogates|ppm"):
            journal.append([step("b"), bad])
        journal.append([step("c")])
        journal.close()
        assert [record.payload for record in read(path).records] == ["a", "c"]


class TestCreate:
    def test_never_overwrites(self, path, stamp, journal):
        journal.append([step()])
        journal.close()
        before = path.read_bytes()
        with pytest.raises(JournalError, match="of that name exists"):
            Journal.create(path, {}, stamp)
        assert path.read_bytes() == before
        assert list(path.parent.iterdir()) == [path]

    def test_names_of_recovered_files_are_kept_free(self, path, stamp):
        with pytest.raises(ValueError, match="recovered_from"):
            Journal.create(path, {"recovered_from": "x"}, stamp)
        assert not path.exists()

    def test_a_folder_that_is_not_there_is_named(self, tmp_path, stamp):
        with pytest.raises(JournalError, match=r"nowhere/m\.podesta.*No such file"):
            Journal.create(tmp_path / "nowhere" / "m.podesta", {}, stamp)

    def test_what_a_killed_create_left_is_not_in_the_way(self, path, stamp):
        path.with_name(".match.podesta.new").write_bytes(b"half a file")
        Journal.create(path, HEADER, stamp).close()
        assert list(path.parent.iterdir()) == [path]


class TestNotOurs:
    @pytest.mark.parametrize(
        "content", [b"", b"just a text\n" * 9, b'{"game":"torres"}\n', os.urandom(9_000)]
    )
    def test_other_files_are_named_and_left_alone(self, path, stamp, content):
        path.write_bytes(content)
        for attempt in (read, lambda path: Journal.open(path, stamp), lambda path: recover(path, stamp)):
            with pytest.raises(NotAJournal, match=r"match\.podesta: not a match file"):
                attempt(path)
        assert path.read_bytes() == content
        assert list(path.parent.iterdir()) == [path]

    def test_a_missing_file_is_named(self, path, stamp):
        with pytest.raises(JournalError, match="no such match file"):
            Journal.open(path, stamp)
        with pytest.raises(JournalError, match="no such match file"):
            read(path)
        assert list(path.parent.iterdir()) == []


OPEN_AND_WAIT = """
import sys
from device.match.clock import SystemClock
from device.match.journal import Journal
journal = Journal.open(sys.argv[1], SystemClock().stamp)
print("open", flush=True)
sys.stdin.read()
"""


class TestOneWriter:
    def test_a_second_writer_is_refused_until_the_first_process_dies(self, path, stamp, journal):
        journal.append([step()])
        journal.close()
        other = subprocess.Popen(
            [sys.executable, "-c", OPEN_AND_WAIT, path],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert other.stdout.readline() == "open\n"
            with pytest.raises(JournalBusy, match="another process has it open for writing"):
                Journal.open(path, stamp)
            assert len(read(path).records) == 1
        finally:
            other.kill()
            other.communicate()
        with Journal.open(path, stamp) as again:
            assert len(again.append([step()])) == 1


ON_A_SMALL_DISK = """
import json, os, subprocess, sys
from pathlib import Path
from tests.device.clocks import FakeClock
from device.match.journal import Journal, JournalFull, JournalReadOnly, read
from device.match.records import Draft, Kind

folder, stamp, said = Path(sys.argv[1]), FakeClock().stamp, {}
step = Draft(kind=Kind.STEP, payload="B d3")
ballast = folder / "ballast"
ballast.write_bytes(bytes(100_000))
path = folder / "m.podesta"

def fill(journal):
    try:
        while True:
            journal.append([step, step])
    except JournalFull as error:
        return str(error)

journal = Journal.create(path, {}, stamp)
said["full"] = fill(journal)
good = tuple(journal.records)
said["appended"] = len(good)
said["kept"] = read(path).damage is None and read(path).records == good
said["full again"] = fill(journal) == said["full"]
journal.close()
journal = Journal.open(path, stamp)
said["opened on the full disk"] = tuple(journal.records) == good
ballast.unlink()
journal.append([step])
said["with room again"] = len(journal.records) - len(good)
journal.close()
said["at rest"] = os.listdir(folder)

subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
for attempt in ("open", "create"):
    try:
        Journal.open(path, stamp) if attempt == "open" else Journal.create(folder / "n.podesta", {}, stamp)
    except JournalReadOnly as error:
        said[attempt + " read-only"] = True
said["read from read-only"] = len(read(path).records) - len(good)
print(json.dumps(said))
"""


def test_a_disk_that_is_really_full_and_one_that_is_really_read_only(tmp_path):
    """On a tmpfs of 256 kB of its own, which needs the right to mount (root)."""
    small = 'mount -t tmpfs -o size=256k tmpfs "$1" && exec "$2" -c "$3" "$1"'
    unshare = ["unshare", "--mount", "sh", "-c"]
    allowed = shutil.which("unshare") and subprocess.run(
        [*unshare, 'mount -t tmpfs tmpfs "$0"', tmp_path], capture_output=True, check=False
    )
    if not allowed or allowed.returncode:
        pytest.skip("may not mount a small disk here; test_journal_disk.py provokes the errors without one")
    run = subprocess.run(
        [*unshare, small, "sh", tmp_path, sys.executable, ON_A_SMALL_DISK],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    said = json.loads(run.stdout)
    assert said.pop("full").startswith(f"{tmp_path}/m.podesta: ")
    assert said.pop("appended") > 10
    assert said == {
        "kept": True,
        "full again": True,
        "opened on the full disk": True,
        "with room again": 1,
        "at rest": ["m.podesta"],
        "open read-only": True,
        "create read-only": True,
        "read from read-only": 1,
    }


APPEND_FOR_EVER = """
import sys
from device.match.clock import SystemClock
from device.match.journal import Journal
from device.match.records import Draft, Kind
stamp = SystemClock().stamp
journal = Journal.open(sys.argv[1], stamp)
while True:
    for record in journal.append([Draft(kind=Kind.STEP, payload="B d3")] * 3):
        print(record.seq, flush=True)
"""


def kill_often(path: Path, kills: int) -> None:
    """Kill a process that appends for ever; what it said is recorded must be there, in whole groups.

    Unsaid may be two records of a group that is on the disk, and the three of the next.
    """
    moment = random.Random(kills)
    before = 0
    for _ in range(kills):
        child = subprocess.Popen(
            [sys.executable, "-c", APPEND_FOR_EVER, path], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        said = child.stdout.readline()
        assert said, "the child could not go on with the match"
        killer = threading.Timer(moment.uniform(0, 0.03), child.kill)
        killer.start()
        acknowledged = int(said)
        for line in child.stdout:
            if line.endswith("\n"):
                acknowledged = int(line)
        child.wait()
        killer.join()
        reading = read(path)
        assert reading.damage is None
        assert before < acknowledged <= len(reading.records) <= acknowledged + 5
        assert len(reading.records) % 3 == 0
        before = len(reading.records)


def test_killed_at_any_moment_nothing_acknowledged_is_lost(path, stamp, journal):
    journal.close()
    kill_often(path, 8)
    with Journal.open(path, stamp) as again:
        assert again.records == list(read(path).records)


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_killed_200_times(path, journal):
    journal.close()
    kill_often(path, 8 if os.environ.get("PODESTA_SOAK") == "smoke" else 200)


class TestWriter:
    def test_groups_are_written_in_order(self, path, journal):
        with closing(Writer(journal)) as writer:
            futures = [writer.submit([step(str(n)), step()]) for n in range(20)]
        assert [future.result()[0].payload for future in futures] == [str(n) for n in range(20)]
        assert read(path).records == tuple(record for future in futures for record in future.result())

    def test_submitting_never_waits_for_the_disk(self, journal):
        card = threading.Event()
        with closing(Writer(journal, stall=card.wait)) as writer:
            futures = [writer.submit([step()]) for _ in range(3)]
            assert not any(future.done() for future in futures)
            assert journal.records == []
            card.set()
        assert [future.result()[0].seq for future in futures] == [1, 2, 3]

    def test_after_a_failure_nothing_is_recorded_until_resume(self, path, journal):
        full = JournalFull("card full")
        faults = [None, full]

        def stall():
            if faults and (fault := faults.pop(0)):
                raise fault

        with closing(Writer(journal, stall=stall)) as writer:
            good, failed, later = (writer.submit([step(word)]) for word in ("good", "failed", "later"))
            assert good.result()[0].payload == "good"
            assert failed.exception() is full
            skipped = later.exception()
            assert isinstance(skipped, Skipped)
            assert skipped.after is full
            assert writer._failure is full
            assert isinstance(writer.submit([step("still")]).exception(), Skipped)
            writer.resume()
            assert writer.submit([step("again")]).result()[0].seq == 2
            assert writer._failure is None
        assert [record.payload for record in read(path).records] == ["good", "again"]

    def test_resume_does_not_let_through_what_was_queued_before(self, journal):
        faults = [JournalFull("card full")]

        def stall():
            if faults:
                raise faults.pop()

        with closing(Writer(journal, stall=stall)) as writer:
            failed = writer.submit([step("failed")])
            failed.exception()
            failed_late = writer.submit([step("before resume")])
            writer.resume()
            after = writer.submit([step("after resume")])
            assert isinstance(failed_late.exception(), Skipped)
            assert after.result()[0].payload == "after resume"

    def test_resuming_twice_forgives_one_failure(self, journal):
        faults = [JournalFull("first"), JournalFull("second")]
        gate, held = threading.Event(), threading.Event()

        def stall():
            gate.wait()
            raise faults.pop(0)

        with closing(Writer(journal, stall=stall)) as writer:
            # The writer is held up where it tells of the first failure, until two people have said "go on".
            first = writer.submit([step("first")])
            first.add_done_callback(lambda _: held.wait())
            gate.set()
            assert str(first.exception()) == "first"
            writer.resume()
            second = writer.submit([step("second")])
            writer.resume()
            third = writer.submit([step("third")])
            held.set()
            assert str(second.exception()) == "second"
            assert isinstance(third.exception(), Skipped)

    def test_drafts_are_taken_as_they_were_when_submitted(self, journal):
        card = threading.Event()
        drafts = [step("a")]
        with closing(Writer(journal, stall=card.wait)) as writer:
            future = writer.submit(drafts)
            drafts.append(step("b"))
            card.set()
        assert len(future.result()) == 1

    def test_a_closed_writer_says_so(self, journal):
        writer = Writer(journal)
        writer.close()
        writer.close()
        with pytest.raises(JournalError, match="the writer is closed"):
            writer.submit([step()])
