"""Damaged journals: what happened to the bytes is named or does not matter, and the good part is kept."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.match.journal import Journal, JournalDamaged, JournalError, NotAJournal, Reading, read, recover
from device.match.journal_file import connect, wal_path
from device.match.journal_live import live_path
from device.match.journal_salvage import PAGE_SIZE, salvage
from device.match.records import Draft, Kind, Record, verify
from device.match.stamps import FakeClock

HEADER = {"game": "torres", "seats": "Anna, Bruno, 千代"}
STAMP = FakeClock().stamp


def groups(seed: int, count: int) -> list[list[Draft]]:
    """A match as it might be: groups of one to four records, and now and then a note of many pages."""
    choose = random.Random(seed)
    return [
        [
            Draft(
                kind=choose.choice([Kind.STEP, Kind.STEP, Kind.REPORT, Kind.READING]),
                payload=f"M 塔{choose.randrange(100)}-e5",
                seat=choose.choice([None, 0, 1]),
                evidence=b"picture" * choose.randrange(2),
                confidence_ppm=choose.choice([1_000_000, 812_345]),
            )
            for _ in range(choose.randint(1, 4))
        ]
        if n % 20 != 19
        else [Draft(kind=Kind.NOTE, payload="a long remark, " * 700)]
        for n in range(count)
    ]


def play(path: Path, count: int) -> Journal:
    journal = Journal.create(path, HEADER, STAMP, table_id="T1")
    for drafts in groups(count, count):
        journal.append(drafts)
    return journal


@pytest.fixture(scope="module")
def rested(tmp_path_factory) -> tuple[dict[str, bytes], tuple[Record, ...]]:
    """A closed match: its one file, and what is in it."""
    folder = tmp_path_factory.mktemp("rested")
    journal = play(folder / "m.podesta", 70)
    journal.close()
    return {file.name: file.read_bytes() for file in folder.iterdir()}, tuple(journal.records)


@pytest.fixture(scope="module")
def crashed(tmp_path_factory) -> tuple[dict[str, bytes], tuple[Record, ...]]:
    """A match as a crash leaves it: some of it folded into the file, some in the log only."""
    folder = tmp_path_factory.mktemp("crashed")
    journal = play(folder / "m.podesta", 30)
    journal._fold()
    for drafts in groups(7, 25):
        journal.append(drafts)
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    journal.close()
    return files, tuple(journal.records)


def lay_out(folder: Path, files: dict[str, bytes]) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder / "m.podesta"


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def flipped(content: bytes, at: int, mask: int) -> bytes:
    damaged = bytearray(content)
    damaged[at] ^= mask
    return bytes(damaged)


def is_whole_prefix(part: tuple[Record, ...], all_records: tuple[Record, ...]) -> bool:
    ends_a_group = len(part) in (0, len(all_records)) or all_records[len(part)].group != part[-1].group
    return part == all_records[: len(part)] and ends_a_group


def check_reading(reading: Reading, truth: tuple[Record, ...]) -> None:
    if reading.damage is None:
        assert reading.records == truth
        assert reading.header == HEADER | {"table_id": "T1"}
    else:
        assert is_whole_prefix(reading.records, truth)
        assert reading.damage.what
        assert str(reading.damage).isprintable()


def check_going_on(path: Path, reading: Reading, truth: tuple[Record, ...]) -> None:
    """Opening: a harmless flip lets the match go on soundly, any other leaves every file as it was."""
    before = contents(path.parent)
    if reading.damage is None:
        with Journal.open(path, STAMP) as journal:
            for _ in range(12):
                journal.append([Draft(kind=Kind.NOTE, payload="on" * 500)])
        after = read(path)
        assert after.damage is None
        assert after.records[: len(truth)] == truth
        assert len(after.records) == len(truth) + 12
        return
    with pytest.raises(JournalDamaged) as caught:
        Journal.open(path, STAMP)
    assert str(reading.damage) in str(caught.value)
    assert (caught.value.intact, caught.value.header) == (reading.records, reading.header)
    assert contents(path.parent) == before
    with recover(path, STAMP) as recovered:
        assert recovered.append([Draft(kind=Kind.NOTE, payload="on")])[0].seq == len(reading.records) + 1
    again = read(recovered.path)
    assert again.damage is None
    assert again.records[:-1] == reading.records
    assert {name: content for name, content in contents(path.parent).items() if name in before} == before


class TestOneFlippedByte:
    @pytest.mark.parametrize("seed", range(3))
    def test_in_a_file_at_rest(self, rested, tmp_path, seed):
        files, truth = rested
        main = files["m.podesta"]
        choose = random.Random(seed)
        named = 0
        for n in range(120):
            # The first pages are few and hold what everything else hangs on.
            at = choose.randrange(6 * PAGE_SIZE if n % 3 == 0 else len(main))
            path = lay_out(tmp_path / "flip", {"m.podesta": flipped(main, at, choose.randrange(1, 256))})
            reading = read(path)
            check_reading(reading, truth)
            assert reading.header == HEADER | {"table_id": "T1"}, f"byte {at}: the header has a second copy"
            named += reading.damage is not None
            if n % 6 == 0:
                check_going_on(path, reading, truth)
        assert named > 30

    def test_anywhere_in_the_first_hundred_bytes(self, rested, tmp_path):
        files, truth = rested
        for at in range(100):
            path = lay_out(tmp_path / "flip", {"m.podesta": flipped(files["m.podesta"], at, 0x41)})
            reading = read(path)
            check_reading(reading, truth)
            assert reading.records == truth, "no record is on the first page"
            if at % 3 == 0:
                check_going_on(path, reading, truth)

    @pytest.mark.parametrize("suffix", ["", "-wal", "-live"])
    def test_after_a_crash(self, crashed, tmp_path, suffix):
        files, truth = crashed
        choose = random.Random(suffix)
        name = f"m.podesta{suffix}"
        folded = sum(len(drafts) for drafts in groups(30, 30))
        outcomes, nearly_all = set(), 0
        for n in range(90):
            at = choose.randrange(len(files[name]))
            damaged = flipped(files[name], at, choose.randrange(1, 256))
            path = lay_out(tmp_path / "flip", files | {name: damaged})
            reading = read(path)
            check_reading(reading, truth)
            outcomes.add(reading.damage is None)
            if suffix == "-wal":
                assert len(reading.records) >= folded
                nearly_all += len(reading.records) >= len(truth) - len(groups(7, 25)[-1])
            if n % 6 == 0:
                check_going_on(path, reading, truth)
        # A row stands in the log as often as its page was written: a bad byte seldom costs more than the end.
        assert nearly_all > 60 or suffix != "-wal"
        # One bad byte in the log cuts off all that follows; beside it, the witness alone is no loss.
        assert outcomes == {"": {True, False}, "-wal": {False}, "-live": {True}}[suffix]


class TestWhatIsNamed:
    def edited(self, rested, tmp_path: Path, *statements: str) -> Path:
        path = lay_out(tmp_path / "edited", rested[0])
        db = connect(path, "rw")
        for statement in statements:
            db.execute(statement)
        db.close()
        return path

    @pytest.mark.parametrize(
        ("statement", "named", "good"),
        [
            ("UPDATE record SET payload = 'M 塔1-e6' WHERE seq = 9", "record 9: the payload is not what", 9),
            ("UPDATE record SET utc_ms = utc_ms + 1 WHERE seq = 9", "record 9: a field is not what", 9),
            ("UPDATE record SET simulated = 2 WHERE seq = 9", "record 9: its row is not what", 9),
            ("DELETE FROM record WHERE seq = 9", "record 9: sequence gap: record 10 stands", 9),
            ("UPDATE header SET json = '{}'", "record 1: the chain is broken", 0),
            ("UPDATE header_copy SET json = '{}'", "the two copies of the match header differ", 0),
            ("DELETE FROM header", "record 1: ", 0),
            ("UPDATE head SET seq = seq + 1", "the file says at", 0),
            ("DELETE FROM head", "the file says at ?", 0),
            ("ALTER TABLE record RENAME COLUMN seat TO chair", "page 1: the tables are not", 0),
            ("PRAGMA user_version = 2", "page 1: the file does not begin", 0),
        ],
    )
    def test_place_and_reason(self, rested, tmp_path, statement, named, good):
        truth = rested[1]
        path = self.edited(rested, tmp_path, statement)
        reading = read(path)
        assert named in str(reading.damage)
        # What SQLite itself deleted may still be found on the pages: never less than what stands before it.
        assert is_whole_prefix(reading.records, truth)
        assert len(reading.records) >= (
            truth[good - 1].seq - truth[good - 1].group_size if good else len(truth)
        )

    def test_records_missing_at_the_end(self, rested, tmp_path):
        truth = rested[1]
        last = truth[-1]
        path = self.edited(rested, tmp_path, f'DELETE FROM record WHERE "group" = {last.group}')
        start = len(truth) - last.group_size
        assert (
            str(read(path).damage)
            == f"record {start + 1}: the records end at {start}, the file says at {len(truth)}"
        )

    def test_a_page_that_reads_well_but_would_break_on_the_next_write(self, tmp_path):
        """The list of free bytes within the page that holds the records, page 2, points nowhere."""
        path = tmp_path / "m.podesta"
        with Journal.create(path, HEADER, STAMP) as journal:
            journal.append([Draft(kind=Kind.STEP, payload="a")])
        path.write_bytes(flipped(path.read_bytes(), PAGE_SIZE + 1, 0x0F))
        reading = read(path)
        assert "page 2" in str(reading.damage)
        assert reading.records == tuple(journal.records)

    def test_half_a_group_is_not_kept(self, rested, tmp_path):
        truth = rested[1]
        second = next(
            record.seq for record in truth if record.seq > 20 and record.group == truth[record.seq - 2].group
        )
        path = self.edited(rested, tmp_path, f"UPDATE record SET hash = 'x' WHERE seq = {second}")
        with pytest.raises(
            JournalDamaged, match=f"record {second}: a field is not what was recorded; records 1 to"
        ) as c:
            Journal.open(path, STAMP)
        assert is_whole_prefix(c.value.intact, truth)
        assert 0 < len(c.value.intact) < second

    def test_an_older_copy_put_back_over_a_crashed_match(self, crashed, tmp_path):
        files, truth = crashed
        path = lay_out(tmp_path / "old", files)
        wal_path(path).unlink()
        reading = read(path)
        folded = len(reading.records)
        assert (
            str(reading.damage) == f"record {folded + 1}: missing: the match was recorded up to {len(truth)}"
        )
        check_going_on(path, reading, truth)

    def test_another_match_put_in_its_place(self, rested, crashed, tmp_path):
        path = lay_out(tmp_path / "mixed", {"m.podesta": rested[0]["m.podesta"]})
        Journal.create(tmp_path / "other.podesta", {"game": "marrakesh"}, STAMP).close()
        shutil.copy(tmp_path / "other.podesta", path)
        live_path(path).write_bytes(crashed[0]["m.podesta-live"])
        assert str(read(path).damage) == "the -live file beside it belongs to another match"


class TestCutOff:
    def test_a_file_cut_anywhere(self, rested, tmp_path):
        files, truth = rested
        main = files["m.podesta"]
        cuts = [99, 100, PAGE_SIZE - 1, *range(PAGE_SIZE, len(main), 3 * PAGE_SIZE), len(main) - 1]
        kept = []
        for size in cuts:
            path = lay_out(tmp_path / "cut", {"m.podesta": main[:size]})
            reading = read(path)
            assert reading.damage is not None
            check_reading(reading, truth)
            kept.append(len(reading.records))
        assert kept == sorted(kept)
        assert kept[-1] > len(truth) // 2

    def test_an_empty_file(self, rested, tmp_path):
        path = lay_out(tmp_path / "cut", {"m.podesta": b""})
        with pytest.raises(NotAJournal, match="it is empty"):
            Journal.open(path, STAMP)
        assert contents(path.parent) == {"m.podesta": b""}

    def test_a_log_cut_anywhere(self, crashed, tmp_path):
        """Even between two groups, where nothing looks wrong in the log itself."""
        files, truth = crashed
        wal = files["m.podesta-wal"]
        frame = 24 + PAGE_SIZE
        frames = (len(wal) - 32) // frame
        cuts = [0, 20, 32, *(32 + frame * n for n in range(1, frames, 4)), len(wal) - frame // 2]
        for size in cuts:
            path = lay_out(tmp_path / "cut", files | {"m.podesta-wal": wal[:size]})
            reading = read(path)
            check_reading(reading, truth)
            assert reading.damage is not None
            assert f"recorded up to {len(truth)}" in str(reading.damage)
        check_going_on(path, reading, truth)

    def test_what_was_never_acknowledged_is_no_damage(self, crashed, tmp_path):
        """A power cut while a group is written: its first pages are in the log, nobody was told."""
        path = lay_out(tmp_path / "power", crashed[0])
        journal = Journal.open(path, STAMP)
        journal.append([Draft(kind=Kind.NOTE, payload="a")])
        acknowledged = tuple(journal.records)
        before = wal_path(path).read_bytes()
        live = live_path(path).read_bytes()
        journal.append([Draft(kind=Kind.NOTE, payload="never told")])
        after = wal_path(path).read_bytes()
        main = path.read_bytes()
        journal.close()
        for size in range(len(before), len(after), 1_000):
            cut = {"m.podesta": main, "m.podesta-wal": after[:size], "m.podesta-live": live}
            reading = read(lay_out(tmp_path / "cut", cut))
            assert reading.damage is None
            assert reading.records == acknowledged


class TestRecover:
    @pytest.fixture
    def damaged(self, rested, tmp_path) -> Path:
        main = rested[0]["m.podesta"]
        at = main.index(rested[1][59].payload_digest.encode())
        return lay_out(tmp_path / "match", {"m.podesta": flipped(main, at, 1)})

    def test_the_new_file_says_where_it_comes_from_and_keeps_every_hash(self, damaged, rested):
        reading = read(damaged)
        with recover(damaged, STAMP) as journal:
            assert journal.path.name == "m.r1.podesta"
            assert journal.header == HEADER | {
                "table_id": "T1",
                "recovered_from": "m.podesta",
                "recovered_because": "record 60: the payload is not what was recorded",
            }
        assert reading.records
        assert read(journal.path).records == reading.records == rested[1][: len(reading.records)]
        assert verify(HEADER | {"table_id": "T1"}, reading.records) is None

    def test_each_recovery_gets_a_name_of_its_own(self, damaged):
        recover(damaged, STAMP).close()
        second = recover(damaged, STAMP)
        second.close()
        assert second.path.name == "m.r2.podesta"
        raw = second.path.read_bytes()
        second.path.write_bytes(flipped(raw, raw.index(second.records[4].hash.encode()), 1))
        third = recover(second.path, STAMP)
        third.close()
        assert third.path.name == "m.r3.podesta"
        assert third.header["recovered_from"] == "m.r2.podesta"

    def test_a_sound_file_is_not_recovered(self, rested, tmp_path):
        path = lay_out(tmp_path / "sound", rested[0])
        with pytest.raises(JournalError, match="nothing to recover"):
            recover(path, STAMP)
        assert contents(path.parent) == rested[0]

    def test_without_a_header_nothing_can_follow_but_the_records_are_handed_out(self, rested, tmp_path):
        main, truth = rested[0]["m.podesta"], rested[1]
        lost = main.replace(b'{"game":"torres"', b'{"game":"torre?"')
        path = lay_out(tmp_path / "lost", {"m.podesta": lost})
        with pytest.raises(JournalDamaged) as caught:
            Journal.open(path, STAMP)
        assert (caught.value.header, caught.value.intact) == ({}, truth)
        with pytest.raises(JournalError, match="the match header is lost"):
            recover(path, STAMP)
        assert contents(path.parent) == {"m.podesta": lost}


class TestSalvage:
    def test_reads_every_row_without_sqlite(self, rested, crashed):
        for files, truth in (rested, crashed):
            found = salvage(files["m.podesta"], files.get("m.podesta-wal", b""))
            assert found.records == truth
            assert found.header == HEADER | {"table_id": "T1"}

    def test_rows_of_every_length(self, tmp_path):
        """How much of a long row stays on its own page depends on its length in a roundabout way."""
        path = tmp_path / "m.podesta"
        with Journal.create(path, HEADER, STAMP) as journal:
            for length in (*range(3_000, 4_200, 60), *range(4_200, 13_000, 400)):
                journal.append([Draft(kind=Kind.NOTE, payload="x" * length)])
        assert salvage(path.read_bytes(), b"").records == tuple(journal.records)

    def test_a_page_lost_higher_up_costs_no_record(self, rested, tmp_path):
        """The root of the record table, page 2: SQLite alone would find nothing any more."""
        main = rested[0]["m.podesta"]
        path = lay_out(
            tmp_path / "root", {"m.podesta": main[:PAGE_SIZE] + bytes(PAGE_SIZE) + main[2 * PAGE_SIZE :]}
        )
        reading = read(path)
        assert reading.damage is not None
        assert reading.records == rested[1]

    def test_the_longer_of_two_ends_is_taken(self, tmp_path):
        """A write that failed left its rows in the log; the match went on differently."""
        path = tmp_path / "m.podesta"
        journal = Journal.create(path, HEADER, STAMP)
        journal.append([Draft(kind=Kind.STEP, payload="a")])
        fork = path.read_bytes(), wal_path(path).read_bytes()
        journal.append([Draft(kind=Kind.STEP, payload="b")])
        journal.append([Draft(kind=Kind.STEP, payload="c")])
        truth = tuple(journal.records)
        main, wal = path.read_bytes(), wal_path(path).read_bytes()
        journal.close()
        other = lay_out(tmp_path / "fork", {"m.podesta": fork[0], "m.podesta-wal": fork[1]})
        with Journal.open(other, STAMP) as journal:
            journal.append([Draft(kind=Kind.STEP, payload="never kept")])
            stray = wal_path(other).read_bytes()[32:]
        assert salvage(main, wal + stray).records == truth
        assert salvage(main, wal[:32] + stray + wal[32:]).records == truth

    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(st.integers(0, 1 << 32), st.integers(1, 2_000))
    def test_no_amount_of_damage_gets_a_false_record_in(self, rested, tmp_path, seed, amount):
        files, truth = rested
        choose = random.Random(seed)
        main = bytearray(files["m.podesta"])
        for _ in range(amount):
            main[choose.randrange(len(main))] = choose.randrange(256)
        path = tmp_path / "m.podesta"
        path.write_bytes(main)
        try:
            reading = read(path)
        except NotAJournal:
            return
        assert is_whole_prefix(reading.records, truth)
