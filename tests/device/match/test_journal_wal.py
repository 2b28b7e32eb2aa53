"""The write-ahead log cut anywhere: what was committed before the cut is there, what is gone is named."""

from __future__ import annotations

import bisect
import os
import random
import re
import shutil
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.match.history import effective
from device.match.journal import Journal, JournalDamaged, JournalError, JournalFull, read, recover
from device.match.journal_file import wal_path
from device.match.journal_live import live_path
from device.match.journal_salvage import PAGE_SIZE
from device.match.records import Draft, Kind, Record
from device.match.stamps import FakeClock
from tests.device.match.test_journal import file_size_limit

MATCH = Path(__file__).parents[2] / "matches" / "closed.match"
HEADER = {"game": "san_gimignano", "seat.a": "Fina", "seat.b": "千代"}
STAMP = FakeClock().stamp
FRAME = 24 + PAGE_SIZE
FIRST = 32  # the log's own header


def entries() -> list[Draft]:
    """A recorded match, an entry each."""
    found = re.findall(r"^\d+ ([*a-d]) (.+)$", MATCH.read_text("utf-8"), re.MULTILINE)
    return [
        Draft(kind=Kind.REPORT, payload=text, channel="camera", evidence=b"picture")
        if who == "*"
        else Draft(kind=Kind.STEP, payload=text, seat="abcd".index(who), state_digest="1:0123456789abcdef")
        for who, text in found
    ]


def groups() -> list[list[Draft]]:
    """The same as the box records it: readings with the reports, compound steps, remarks, an undone step."""

    def said(text: str, kind: Kind = Kind.RULING) -> Draft:
        return Draft(kind=kind, payload=text)

    left = entries()
    made: list[list[Draft]] = [[said("10 9 8 10 ?", Kind.READING), left.pop(0)]]
    while left:
        size = 1 + len(made) * 7 % 4
        taken, left = left[:size], left[size:]
        if len(made) % 5 == 3:
            made += [[said("override SG-3.2 late"), *taken], [said(f"undo {len(made) + 1}")]]
        made.append(taken)
        if len(made) % 9 == 8:
            made.append([said("a long remark, " * 600, Kind.NOTE)])  # on overflow pages
    made[-1].append(said("over double_pass"))
    return made


class Kept(msgspec.Struct, frozen=True):
    """A match as a crash at its end left it, and how the files stood after each group.

    ``sizes`` are of the log, ``counts`` of the records that were acknowledged, ``lives`` the witnesses.
    """

    main: bytes
    wal: bytes
    truth: tuple[Record, ...]
    sizes: list[int]
    counts: list[int]
    lives: list[bytes]

    def acknowledged(self, size: int) -> int:
        """Which entry of the lists a log of this size goes with."""
        return bisect.bisect_right(self.sizes, size) - 1

    @property
    def folded(self) -> int:
        return self.counts[0]


@pytest.fixture(scope="module", params=["all in the log", "half of it folded"])
def kept(request, tmp_path_factory) -> Kept:
    folder = tmp_path_factory.mktemp("kept")
    made = groups()
    sizes, counts, lives = [], [], []
    journal = Journal.create(folder / "m.podesta", HEADER, STAMP, table_id="T1")

    def note():
        wal = wal_path(journal.path)
        sizes.append(wal.stat().st_size if wal.exists() else 0)
        counts.append(len(journal.records))
        lives.append(live_path(journal.path).read_bytes())

    if request.param == "half of it folded":
        for drafts in made[: len(made) // 2]:
            journal.append(drafts)
        journal._fold()
        made = made[len(made) // 2 :]
    note()
    for drafts in made:
        journal.append(drafts)
        note()
    main, wal = journal.path.read_bytes(), wal_path(journal.path).read_bytes()
    journal.close()
    assert len(journal.records) > 45
    assert {record.group_size for record in journal.records} >= {1, 2, 3, 4}
    assert (len(wal) - FIRST) % FRAME == 0
    return Kept(main, wal, tuple(journal.records), sizes, counts, lives)


def lay_out(folder: Path, kept: Kept, wal: bytes, live: bytes | None) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "m.podesta"
    path.write_bytes(kept.main)
    wal_path(path).write_bytes(wal)
    if live is not None:
        live_path(path).write_bytes(live)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def whole_prefix(part: tuple[Record, ...], truth: tuple[Record, ...]) -> bool:
    ends_a_group = len(part) in (0, len(truth)) or truth[len(part)].group != part[-1].group
    return part == truth[: len(part)] and ends_a_group


def check(folder: Path, kept: Kept, wal: bytes, cut: int) -> set[str]:
    """A log that is good up to ``cut`` read, with each witness there may be beside it; the damages' words."""
    at = kept.acknowledged(cut)
    there = kept.truth[: kept.counts[at]]

    # No witness, the one that stood there then, a torn or an earlier one: nothing that was told is missing.
    earlier = (b"", kept.lives[at][:50], kept.lives[0], kept.lives[at // 2])[cut % 4]
    for live in (None, kept.lives[at], earlier):
        reading = read(lay_out(folder, kept, wal, live))
        assert reading.damage is None
        assert reading.records == there
        assert reading.header == HEADER | {"table_id": "T1"}

    # A witness that knows of more: what is gone is named, and what can still be found is kept.
    words = set()
    for later in {at + 1, len(kept.counts) - 1} - {at, len(kept.counts)}:
        reading = read(lay_out(folder, kept, wal, kept.lives[later]))
        assert reading.records[: len(there)] == there
        assert whole_prefix(reading.records, kept.truth)
        told, found = kept.counts[later], len(reading.records)
        place = len(there) if found >= told else found
        word = "cut off, and found again in the log" if found >= told else "missing"
        assert str(reading.damage) == f"record {place + 1}: {word}: the match was recorded up to {told}"
        words.add(word)
    return words


def check_going_on(folder: Path, kept: Kept, wal: bytes, cut: int) -> None:
    """Opened with what is told, or recovered from what is missing, the match goes on from there."""
    at = kept.acknowledged(cut)
    there = list(kept.truth[: kept.counts[at]])
    path = lay_out(folder, kept, wal, kept.lives[at])
    with Journal.open(path, STAMP) as journal:
        assert journal.records == there
        for n in range(3):
            journal.append([Draft(kind=Kind.NOTE, payload=f"on {n}")] * 2)
            assert read(path).damage is None
            assert read(path).records == tuple(journal.records)
        crashed = contents(folder)
    assert read(path).records == tuple(journal.records)
    again = lay_out(folder, kept, crashed["m.podesta-wal"], crashed["m.podesta-live"])
    assert read(again).records == tuple(journal.records)

    if at == len(kept.counts) - 1:
        return
    path = lay_out(folder, kept, wal, kept.lives[-1])
    before, reading = contents(folder), read(path)
    with pytest.raises(JournalDamaged, match=r"m\.podesta: record \d+: ") as caught:
        Journal.open(path, STAMP)
    assert str(reading.damage) in str(caught.value)
    assert caught.value.intact == reading.records
    assert contents(folder) == before
    with recover(path, STAMP) as recovered:
        assert recovered.records == list(reading.records)
        assert recovered.header["recovered_because"] == str(reading.damage)
        recovered.append([Draft(kind=Kind.NOTE, payload="on")])
    assert read(recovered.path).records == tuple(recovered.records)
    assert {name: raw for name, raw in contents(folder).items() if name in before} == before


class TestCut:
    def test_at_every_frame(self, kept, tmp_path):
        words = set()
        for cut in range(FIRST, len(kept.wal) + 1, FRAME):
            words |= check(tmp_path / "cut", kept, kept.wal[:cut], cut)
        # Once the match is long, its newest records stand on the last page that a group writes.
        assert words == {"missing"} | (set() if kept.folded else {"cut off, and found again in the log"})

    def test_within_its_own_header(self, kept, tmp_path):
        for cut in range(0, FIRST, 5):
            check(tmp_path / "cut", kept, kept.wal[:cut], 0)

    def test_around_the_frames_headers(self, kept, tmp_path):
        choose = random.Random(1)
        for _ in range(5):
            frame = choose.randrange((len(kept.wal) - FIRST) // FRAME)
            for within in (1, 4, 8, 23, 24, 25, FRAME - 1):
                cut = FIRST + frame * FRAME + within
                check(tmp_path / "cut", kept, kept.wal[:cut], cut)

    def test_going_on(self, kept, tmp_path):
        for cut in (0, 1, FIRST, *range(FIRST + FRAME, len(kept.wal) + 1, 7 * FRAME), len(kept.wal)):
            check_going_on(tmp_path / "cut", kept, kept.wal[:cut], cut)

    @given(share=st.floats(0, 1), waste=st.sampled_from(["random", "zeros", "own frames", "own log", "torn"]),
           size=st.integers(0, 3 * FRAME), seed=st.integers(0, 1 << 32))  # fmt: skip
    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_at_any_byte_with_garbage_after_it(self, kept, tmp_path, share, waste, size, seed):
        choose = random.Random(seed)
        cut = round(share * len(kept.wal))
        wal = kept.wal[:cut] + garbage(kept, cut, waste, size, choose)
        good = same_bytes(kept.wal, wal)  # garbage may begin as the log went on
        check(tmp_path / "cut", kept, wal, good)
        if seed % 4 == 0:
            check_going_on(tmp_path / "cut", kept, wal, good)

    def test_the_log_of_another_match(self, kept, tmp_path):
        """Its salt may even be the same: each frame is sound, and none of its records follows ours."""
        with Journal.create(tmp_path / "other.podesta", {"game": "torres"}, STAMP) as other:
            for drafts in groups()[:20]:
                other.append(drafts)
            foreign = wal_path(other.path).read_bytes()
        for cut in range(FIRST, len(kept.wal), 5 * FRAME):
            check(tmp_path / "cut", kept, kept.wal[:cut] + foreign[FIRST:], cut)


class TestFolding:
    def test_the_power_fails_while_the_log_is_folded_into_the_file(self, kept, tmp_path):
        """Any of its pages may be old, new or half of each: all of them are in the log."""
        path = lay_out(tmp_path / "whole", kept, kept.wal, kept.lives[-1])
        Journal.open(path, STAMP).close()
        folded = path.read_bytes()
        assert folded[: len(kept.main)] != kept.main
        choose = random.Random(2)
        for _ in range(25):
            size = choose.choice([len(kept.main), len(folded), choose.randint(len(kept.main), len(folded))])
            main = bytearray(kept.main.ljust(len(folded), b"\0"))
            for at in range(0, len(folded), 512):  # what a card writes at once
                if choose.random() < 0.5:
                    main[at : at + 512] = folded[at : at + 512]
            path = lay_out(tmp_path / "torn", kept, kept.wal, kept.lives[-1])
            path.write_bytes(main[:size])
            reading = read(path)
            assert reading.damage is None
            assert reading.records == kept.truth
            with Journal.open(path, STAMP) as journal:
                journal.append([Draft(kind=Kind.NOTE, payload="on")])
            assert read(path).records == tuple(journal.records)


def garbage(kept: Kept, cut: int, waste: str, size: int, choose: random.Random) -> bytes:
    frame = FIRST + FRAME * choose.randrange((len(kept.wal) - FIRST) // FRAME)
    match waste:
        case "random":
            return choose.randbytes(size)
        case "zeros":
            return bytes(size)
        case "own frames":
            return kept.wal[frame : frame + size]
        case "own log":
            return kept.wal
        case _:  # the log goes on behind a hole, as when a card wrote its blocks out of order
            return bytes(size) + kept.wal[cut + size :]


def same_bytes(one: bytes, other: bytes) -> int:
    """How many bytes two texts have in common at their beginning."""
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)


@pytest.mark.soak
def test_cut_at_every_250th_byte(kept, tmp_path):
    for cut in range(0, len(kept.wal), 250):
        check(tmp_path / "cut", kept, kept.wal[:cut], cut)


BEGUN = [
    [Draft(kind=Kind.STEP, payload="P d d", seat=0)],
    [Draft(kind=Kind.REPORT, payload="7")],
    [Draft(kind=Kind.STEP, payload="B 8x3", seat=1), Draft(kind=Kind.STEP, payload="use", seat=1)],
]
CORRECTION = [
    Draft(kind=Kind.RULING, payload="by ab"),
    Draft(kind=Kind.RULING, payload="rollback 3"),
    Draft(kind=Kind.RULING, payload="override SG-3.2" + " because" * 900),
    Draft(kind=Kind.STEP, payload="B 8x2", seat=1),
]


class TestFullInTheMiddleOfAGroup:
    """Four records that change the history: nothing of them counts, or all."""

    @pytest.fixture
    def journal(self, tmp_path):
        with Journal.create(tmp_path / "m.podesta", HEADER, STAMP) as journal:
            for drafts in BEGUN:
                journal.append(drafts)
            yield journal

    def assert_as_before(self, path: Path, folder: Path, records: tuple[Record, ...]) -> None:
        """Also for whoever finds the files as they are now, and opens them again."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for file in path.parent.glob("m.podesta*"):
            shutil.copy(file, folder)
        for found in (read(path), read(folder / path.name)):
            assert found.damage is None
            assert found.records == records
        with Journal.open(folder / path.name, STAMP) as again:
            assert again.records == list(records)
            assert [line.text for line in effective(again.records)] == ["P d d", "7", "B 8x3", "use"]
            again.append(CORRECTION)
            assert [line.text for line in effective(again.records)] == ["P d d", "7", "B 8x2"]

    def needed(self, journal: Journal, folder: Path) -> int:
        """How many bytes of log the group takes."""
        folder.mkdir()
        for file in journal.path.parent.glob("m.podesta*"):
            shutil.copy(file, folder)
        with Journal.open(folder / journal.path.name, STAMP) as copy:
            before = wal_path(copy.path).stat().st_size
            copy.append(CORRECTION)
            return wal_path(copy.path).stat().st_size - before

    @pytest.mark.parametrize("folded", [False, True], ids=["behind a log", "where no log is yet"])
    @pytest.mark.parametrize("crash", [False, True], ids=["and on", "and a crash before it is tidied up"])
    def test_wherever_the_disk_is_full(self, journal, tmp_path, monkeypatch, crash, folded):
        """A real error of the kernel at every 500th byte, between and within the pages."""
        if folded:
            journal._fold()
        records, wal = tuple(journal.records), wal_path(journal.path)
        size, need = wal.stat().st_size, self.needed(journal, tmp_path / "trial")
        assert need >= 3 * FRAME
        if crash:
            monkeypatch.setattr(os, "truncate", lambda path, length: None)
        longest = 0
        for room in (*range(0, need, 500), need - 1):
            with (
                file_size_limit(size + room),
                pytest.raises(JournalError, match=r"m\.podesta: disk I/O error"),
            ):
                journal.append(CORRECTION)
            longest = max(longest, wal.stat().st_size - size)
            assert journal.records == list(records)
            self.assert_as_before(journal.path, tmp_path / "after", records)
        assert longest > 2 * FRAME if crash else longest == 0
        assert len(journal.append(CORRECTION)) == 4
        assert read(journal.path).records == (*records, *journal.records[-4:])

    def test_sqlites_own_limit(self, journal, tmp_path):
        pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
        records = tuple(journal.records)
        for more in (0, 1):
            journal._db.execute(f"PRAGMA max_page_count = {pages + more}")
            with pytest.raises(JournalFull, match=r"m\.podesta: database or disk is full"):
                journal.append([*CORRECTION[:3], Draft(kind=Kind.NOTE, payload="x" * 20_000)])
            self.assert_as_before(journal.path, tmp_path / "after", records)
        journal._db.execute("PRAGMA max_page_count = 100000")
        assert len(journal.append(CORRECTION)) == 4

    def test_a_group_that_was_never_acknowledged_may_be_whole_but_never_half(self, journal, tmp_path):
        """The power fails while it is written: at every byte of it that can matter."""
        records, wal = tuple(journal.records), wal_path(journal.path)
        size, live, main = wal.stat().st_size, live_path(journal.path).read_bytes(), journal.path.read_bytes()
        journal.append(CORRECTION)
        whole = wal.read_bytes()
        files = Kept(main, whole, tuple(journal.records), [], [], [])
        for cut in (*range(size, len(whole), 500), len(whole) - 1):
            reading = read(lay_out(tmp_path / "cut", files, whole[:cut], live))
            assert reading.damage is None
            assert reading.records == records
        reading = read(lay_out(tmp_path / "cut", files, whole, live))
        assert (reading.damage, reading.records) == (None, tuple(journal.records))
