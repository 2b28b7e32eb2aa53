"""Disks that fail: nothing acknowledged is lost, nothing refused is found later, no half of a group counts.

A :class:`device.match.journal.Disk` stands between the journal and the system; the ones here fail on purpose,
or keep beside the real file what a power cut would leave of it. ``make soak`` cuts the power more often;
``PODESTA_SEED`` repeats a run.
"""

import errno
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from device.match.journal import (
    Disk,
    Journal,
    JournalDamaged,
    JournalError,
    JournalFull,
    JournalReadOnly,
    read,
    recover,
)
from device.match.records import Record
from tests.device.clocks import FakeClock
from tests.device.match.test_journal import step

HEADER = {"game": "torres"}
STAMP = FakeClock().stamp
SEED = int(os.environ.get("PODESTA_SEED") or 11)


class Failing(Disk):
    """A disk with ``room`` for so many more bytes, whose calls named in ``faults`` fail.

    A fault is an errno for each call to come, 0 where it goes well; the last one stays. ``calls`` are the
    names of all that were made.
    """

    def __init__(self) -> None:
        self.room: int | None = None
        self.most = 1 << 30
        """As many bytes one write takes."""
        self.faults: dict[str, list[int]] = {}
        self.calls: list[str] = []

    def __getattribute__(self, name: str):
        if name.startswith("_") or name not in Disk.__dict__:
            return super().__getattribute__(name)

        def call(*args):
            self.calls.append(name)
            left = self.faults.get(name, [0])
            if code := left.pop(0) if len(left) > 1 else left[0]:
                raise OSError(code, os.strerror(code))
            return self._pwrite(*args) if name == "pwrite" else getattr(Disk, name)(*args)

        return call

    def _pwrite(self, file: int, data: bytes, at: int) -> int:
        if self.room is not None:
            if not self.room:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            data = data[: self.room]
        written = os.pwrite(file, data[: self.most], at)
        if self.room is not None:
            self.room -= written
        return written


@pytest.fixture
def disk():
    return Failing()


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "m.podesta"


@pytest.fixture
def journal(path, disk):
    with Journal.create(path, HEADER, STAMP, disk=disk) as journal:
        journal.append([step("first"), step("second")])
        yield journal


def payloads(path: Path) -> list[str]:
    reading = read(path)
    assert (reading.damage, reading.unfinished) == (None, 0)
    return [record.payload for record in reading.records]


def test_a_group_is_one_write_and_one_sync(journal, disk):
    disk.calls.clear()
    journal.append([step(), step(), step("x" * 9_000)])
    assert disk.calls == ["pwrite", "fdatasync"]


def test_a_disk_that_is_full_at_every_byte_of_a_group(journal, disk, path):
    before = path.read_bytes()
    journal.append([step("long"), step("longer")])
    size = path.stat().st_size - len(before)
    whole = path.read_bytes()
    for room in range(size):
        disk.room = room
        with pytest.raises(JournalFull, match=r"m\.podesta: No space left"):
            journal.append([step("long"), step("longer")])
        assert path.read_bytes() == whole
        assert len(journal.records) == 4
    disk.room = None
    journal.append([step("room again")])
    assert payloads(path) == ["first", "second", "long", "longer", "room again"]


@pytest.mark.parametrize("code", [errno.EIO, errno.ENOSPC])
def test_a_sync_that_fails_once_is_not_simply_tried_again(journal, disk, path, code):
    """The kernel takes the pages for clean: only what is written anew reaches the disk."""
    before = path.read_bytes()
    disk.faults["fdatasync"] = [code, 0]
    disk.calls.clear()
    with pytest.raises(JournalFull if code == errno.ENOSPC else JournalError) as failed:
        journal.append([step("lost")])
    assert failed.value.sure
    assert path.read_bytes() == before
    journal.append([step("again")])
    assert disk.calls == ["pwrite", "fdatasync", "ftruncate", "fdatasync", "pwrite", "fdatasync"]
    assert payloads(path) == ["first", "second", "again"]


def test_what_cannot_be_cut_off_is_cut_off_before_the_next_group(journal, disk, path):
    """A group that failed stays in the file as long as the disk takes nothing at all."""
    disk.faults |= {"fdatasync": [errno.EIO], "ftruncate": [errno.EIO]}
    with pytest.raises(JournalError) as failed:
        journal.append([step("lost")])
    assert not failed.value.sure
    assert payloads(path) == ["first", "second", "lost"]
    del disk.faults["fdatasync"]
    with pytest.raises(JournalError):
        journal.append([step("instead")])
    disk.faults.clear()
    journal.append([step("instead")])
    assert payloads(path) == ["first", "second", "instead"]


def test_read_only_from_one_moment_to_the_next(journal, disk, path):
    before = path.read_bytes()
    disk.faults = {name: [errno.EROFS] for name in ("open", "pwrite", "ftruncate", "link", "unlink")}
    for _ in range(3):
        with pytest.raises(JournalReadOnly, match="Read-only file system") as failed:
            journal.append([step("lost")])
        assert failed.value.sure, "nothing was written"
    assert path.read_bytes() == before
    with pytest.raises(JournalReadOnly):
        Journal.create(path.with_name("n.podesta"), HEADER, STAMP, disk=disk)
    disk.faults.clear()
    journal.append([step("again")])
    assert payloads(path) == ["first", "second", "again"]


@pytest.mark.parametrize(
    ("call", "times"),
    [("open", 0), ("pwrite", 0), ("fsync", 0), ("link", 0), ("open", 1), ("fsync", 1), ("fdatasync", 0)],
)
def test_a_file_appears_whole_or_not_at_all(disk, path, call, times):
    disk.faults[call] = [*[0] * times, errno.EIO]
    with pytest.raises(JournalError, match="Input/output error"):
        Journal.create(path, HEADER, STAMP, disk=disk)
    assert list(path.parent.iterdir()) == []
    disk.faults.clear()
    Journal.create(path, HEADER, STAMP, disk=disk).close()
    assert disk.calls.count("fsync") >= 2, "the file and its folder"
    assert payloads(path) == []


@pytest.mark.parametrize("what", ["gone", "replaced", "longer", "shorter"])
def test_a_file_that_another_program_changed_takes_nothing_more(journal, path, what):
    """Else a record would be acknowledged that nobody finds again."""
    content = path.read_bytes()
    match what:
        case "gone":
            path.unlink()
        case "replaced":
            other = path.with_name("other")
            other.write_bytes(content)
            other.replace(path)
        case "longer":
            path.write_bytes(content + b"more\n")
        case "shorter":
            path.write_bytes(content[:-1])
    after = path.read_bytes() if path.exists() else None
    with pytest.raises(JournalError, match=r"another program has changed it|No such file"):
        journal.append([step()])
    assert (path.read_bytes() if path.exists() else None) == after
    assert len(journal.records) == 2


def test_what_a_killed_process_left_in_memory_is_synced_before_it_counts(journal, disk, path):
    journal.close()
    disk.calls.clear()
    Journal.open(path, STAMP, disk=disk).close()
    assert disk.calls == ["ftruncate", "fdatasync"]


# The power cut

SECTOR = 512
PAGE = 4096


class Sheet:
    """A file as the disk has it, beside what the system's memory has: what is not synced may get there in
    any order, sector by sector, or not at all.
    """

    def __init__(self) -> None:
        self.disk = b""
        self.memory = b""
        self.versions: dict[int, list[bytes]] = {}
        """What each sector was to become since the last sync that went well."""
        self.sizes: list[int] = []
        self.dirty: set[int] = set()

    def change(self, data: bytes, start: int) -> None:
        self.memory = data
        self.sizes.append(len(data))
        last = max(len(data) - 1, start)
        for sector in range(start // PAGE * PAGE // SECTOR, last // SECTOR + 1):
            self.dirty.add(sector)
            self.versions.setdefault(sector, []).append(self.sector(data, sector))

    def sync(self) -> None:
        """What is dirty is written; what a failed sync took for clean is not."""
        size = len(self.memory)
        disk = self.disk[:size].ljust(size, b"\0")
        for sector in self.dirty:
            at = sector * SECTOR
            piece = self.memory[at : at + SECTOR]
            disk = disk[:at] + piece + disk[at + len(piece) :]
        self.disk = disk
        self.versions, self.sizes, self.dirty = {}, [], set()

    def fail(self, choose: random.Random) -> None:
        """A sync that fails: some sectors are on the disk, and all are taken for clean."""
        self.disk = self.cut(choose)
        self.dirty = set()
        self.versions, self.sizes = {}, [len(self.memory)]

    def cut(self, choose: random.Random) -> bytes:
        """Return what is on the disk after a power cut now."""
        size = choose.choice([len(self.disk), *self.sizes])
        pieces = []
        for sector in range(-(-size // SECTOR)):
            old = self.sector(self.disk, sector)
            if sector * SECTOR >= len(self.disk):
                junk = choose.randbytes(SECTOR) if choose.random() < 0.3 else bytes(SECTOR)
                old = choose.choice([junk, self.sector(self.memory, 1)])
            pieces.append(choose.choice([old, *self.versions.get(sector, [])]))
        return b"".join(pieces)[:size]

    @staticmethod
    def sector(data: bytes, number: int) -> bytes:
        return data[number * SECTOR : (number + 1) * SECTOR].ljust(SECTOR, b"\0")


def content(file: int) -> bytes:
    return Path(f"/proc/self/fd/{file}").read_bytes()


class Power(Disk):
    """The system's calls, each followed by ``look``, with what a power cut would leave then.

    A sync fails with a chance of ``worn``, a write breaks off with as much.
    """

    def __init__(self, choose: random.Random, worn: float, look: Callable[[], None]) -> None:
        self.choose = choose
        self.worn = worn
        self.look = look
        self.sheets: dict[int, Sheet] = {}
        self.names: dict[str, Sheet] = {}
        self.kept: dict[str, Sheet] = {}
        """The names that are surely on the disk."""
        self.calm = False

    def sheet(self, file: int) -> Sheet:
        return self.sheets[os.fstat(file).st_ino]

    def open(self, path, flags, mode=0o777):
        file = os.open(path, flags, mode)
        if flags & os.O_EXCL:
            self.sheets[os.fstat(file).st_ino] = Sheet()
        return file

    def _bad(self) -> bool:
        return not self.calm and self.choose.random() < self.worn

    def pwrite(self, file, data, at):
        if self._bad():
            data = data[: self.choose.randrange(len(data))]
            if not data:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = os.pwrite(file, data, at)
        self.sheet(file).change(content(file), at)
        self.look()
        return written

    def ftruncate(self, file, size):
        if self._bad():
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        if os.fstat(file).st_size != size:
            os.ftruncate(file, size)
            self.sheet(file).change(content(file), size)
        self.look()

    def fdatasync(self, file):
        if self._bad():
            self.sheet(file).fail(self.choose)
            self.look()
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        os.fdatasync(file)
        self.sheet(file).sync()
        self.look()

    def fsync(self, file):
        if os.path.isdir(f"/proc/self/fd/{file}"):
            os.fsync(file)
            self.kept = dict(self.names)
            self.look()
        else:
            self.fdatasync(file)

    def link(self, old, new):
        os.link(old, new)
        self.names[Path(new).name] = self.sheets[os.stat(new).st_ino]
        self.look()

    def unlink(self, path):
        os.unlink(path)
        self.names.pop(Path(path).name, None)
        self.look()

    def image(self, name: str) -> bytes | None:
        """The file after a power cut, None where its name is not there."""
        here, kept = self.names.get(name), self.kept.get(name)
        sheet = self.choose.choice([here, kept])
        return None if sheet is None else sheet.cut(self.choose)


class Evening:
    """A match on a worn disk, looked at after every call as if the power went there and then."""

    def __init__(self, folder: Path, seed: int, worn: float) -> None:
        self.choose = random.Random(seed)
        self.disk = Power(self.choose, worn, self.look)
        self.path = folder / "m.podesta"
        self.after = folder / "after"
        self.after.mkdir()
        self.acknowledged: tuple[Record, ...] = ()
        self.created = False
        self.trying: list[str] = []
        """The payloads of the group that is being written, or of one that could not be cut off yet."""
        self.looks = self.whole = self.cut = self.damaged = 0

    def play(self, count: int) -> None:
        while not self.created:
            try:
                journal = Journal.create(self.path, HEADER, STAMP, disk=self.disk)
                self.created = True
            except JournalError:
                pass
        with journal:
            for number in range(count):
                size = self.choose.choice([1, 1, 2, 4])
                group = [f"{number} {'x' * self.choose.choice([1, 1, 600, 5_000])}" for _ in range(size)]
                self.enter(journal, group)
        self.disk.calm = True

    def enter(self, journal: Journal, group: list[str]) -> None:
        for _ in range(100):
            self.trying = group
            try:
                journal.append([step(text) for text in group])
            except JournalError:
                assert len(journal.records) == len(self.acknowledged)
                continue
            self.acknowledged = tuple(journal.records)
            return

    def look(self) -> None:
        for _ in range(2):
            self.looks += 1
            image = self.disk.image(self.path.name)
            if image is None:
                assert not self.created, "a match that was begun is gone"
                continue
            file = self.after / "m.podesta"
            file.write_bytes(image)
            self.check(file)

    def check(self, file: Path) -> None:
        found = read(file)
        known = len(self.acknowledged)
        assert found.header == HEADER
        assert found.records[:known] == self.acknowledged
        more = [record.payload for record in found.records[known:]]
        assert more in ([], self.trying), "half a group, or one that was refused"
        self.whole += bool(more)
        self.cut += bool(found.unfinished)
        self.damaged += bool(found.damage)
        if self.choose.random() < 0.1:
            self.go_on(file, found.records)

    def go_on(self, file: Path, records: tuple[Record, ...]) -> None:
        try:
            journal = Journal.open(file, STAMP)
        except JournalDamaged:
            journal = recover(file, STAMP)
        with journal:
            assert tuple(journal.records) == records
            journal.append([step("on")])
        assert payloads(journal.path) == [*(record.payload for record in records), "on"]
        for left in self.after.iterdir():
            left.unlink()


def cut_power(folder: Path, evenings: int, seed: int) -> None:
    looks = whole = cut = damaged = 0
    for number in range(evenings):
        room = folder / str(number)
        room.mkdir()
        evening = Evening(room, seed + number, worn=(0.0, 0.1, 0.3)[number % 3])
        evening.play(12)
        looks, whole = looks + evening.looks, whole + evening.whole
        cut, damaged = cut + evening.cut, damaged + evening.damaged
    print(f"{looks} power cuts: {whole} with the group in flight, {cut} cut off, {damaged} in a new file")
    assert min(looks, whole, cut, damaged) > evenings


def test_the_power_is_cut_after_every_call(tmp_path):
    cut_power(tmp_path, 9, SEED)


@pytest.mark.soak
def test_the_power_is_cut_after_every_call_of_many_matches(tmp_path):
    print(f"PODESTA_SEED={SEED}")
    cut_power(tmp_path, 60 if os.environ.get("PODESTA_SOAK") == "smoke" else 600, SEED)
