"""The journal: what append returned for is on the disk, what it refused is nowhere."""

import os
import random
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from device.match.journal import (
    Journal,
    JournalError,
    JournalFull,
    read,
    recover,
)
from device.match.records import Draft, Kind
from device.match.referee import Writer
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
    with Journal.create(path, HEADER | {"table_id": "T1", "event_id": "E1"}, stamp) as journal:
        yield journal


class TestKeeping:
    def test_a_group_has_one_time_and_each_record_its_own_salt(self, path):
        clock = FakeClock()

        def ticking():
            clock.advance(5)
            return clock.stamp()

        with Journal.create(path, HEADER, ticking) as journal:
            one, two = journal.append([step(), step()])
        assert one.utc_ms == two.utc_ms
        assert one.salt != two.salt

    def test_what_cannot_be_recorded_leaves_no_trace(self, path, journal):
        """A draft that cannot be sealed; and what comes once it is closed."""
        journal.append([step("a")])
        with pytest.raises(ValueError, match="surrogates"):
            journal.append([step("b"), step("\ud800")])
        journal.append([step("c")])
        writer = Writer(journal)
        for _ in range(2):
            writer.close()
        with pytest.raises(JournalError, match="the writer is closed"):
            writer.submit([step()])
        journal.close()
        with pytest.raises(JournalError, match=r"match\.podesta: the journal is closed"):
            journal.append([step()])
        assert [record.payload for record in read(path).records] == ["a", "c"]
        assert list(path.parent.iterdir()) == [path]


def test_creating_one_never_overwrites(path, stamp, journal):
    journal.append([step()])
    journal.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="of that name exists"):
        Journal.create(path, {}, stamp)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b"just a text\n" * 9, b'{"game":"torres"}\n', os.urandom(9_000)])
def test_other_files_are_named_and_left_alone(path, stamp, content):
    for attempt in (read, lambda path: Journal.open(path, stamp)):
        with pytest.raises(JournalError, match="no such match file"):
            attempt(path)
    path.write_bytes(content)
    for attempt in (read, lambda path: Journal.open(path, stamp), lambda path: recover(path, stamp)):
        with pytest.raises(JournalError, match=r"match\.podesta: not a match file"):
            attempt(path)
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


OPEN_AND_WAIT = """
import sys
from device.match.clock import SystemClock
from device.match.journal import Journal
journal = Journal.open(sys.argv[1], SystemClock().stamp)
print("open", flush=True)
sys.stdin.read()
"""


def test_a_second_writer_is_refused_until_the_first_process_dies(path, stamp, journal):
    journal.append([step()])
    journal.close()
    other = subprocess.Popen(
        [sys.executable, "-c", OPEN_AND_WAIT, path],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert other.stdout.readline() == "open\n"
        with pytest.raises(JournalError, match="another process has it open for writing"):
            Journal.open(path, stamp)
        assert len(read(path).records) == 1
    finally:
        other.kill()
        other.communicate()
    with Journal.open(path, stamp) as again:
        assert len(again.append([step()])) == 1


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
    kill_often(path, 4)
    with Journal.open(path, stamp) as again:
        assert again.records == list(read(path).records)


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_killed_200_times(path, journal):
    journal.close()
    kill_often(path, 8 if os.environ.get("PODESTA_SOAK") == "smoke" else 200)


def test_after_a_failure_nothing_is_recorded_until_resume(path, journal):
    full = JournalFull("card full")
    faults = [None, full]

    def stall():
        if faults and (fault := faults.pop(0)):
            raise fault

    with closing(Writer(journal, stall=stall)) as writer:
        good, failed, later = (writer.submit([step(word)]) for word in ("good", "failed", "later"))
        assert good.result()[0].payload == "good"
        assert failed.exception() is full
        skipped = "not recorded, because an earlier entry was not: card full"
        assert str(later.exception()) == skipped
        assert writer._failure is full
        assert str(writer.submit([step("still")]).exception()) == skipped
        writer.resume()
        assert writer.submit([step("again")]).result()[0].seq == 2
        assert writer._failure is None
    assert [record.payload for record in read(path).records] == ["good", "again"]
