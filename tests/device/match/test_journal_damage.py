"""Damaged journals: what happened to the bytes is said, what is good is kept, the rest can still be read.

``make soak`` cuts a longer match and flips 20,000 bits; ``PODESTA_SEED`` repeats a run.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from device.match.journal import Journal, JournalDamaged, JournalError, read, recover
from device.match.journal_text import PUBLIC, decode, encode
from device.match.records import Draft, Kind, Record, redact
from tests.device.clocks import FakeClock

HEADER = {"game": "torres", "seats": "Anna, Bruno, 千代"}
STAMP = FakeClock().stamp
SEED = int(os.environ.get("PODESTA_SEED") or 11)
SMOKE = os.environ.get("PODESTA_SOAK") == "smoke"


def groups(seed: int, count: int) -> list[list[Draft]]:
    """A match as it might be: groups of one to four records, some with text that JSON must escape."""
    choose = random.Random(seed)
    return [
        [
            Draft(
                kind=choose.choice([Kind.STEP, Kind.STEP, Kind.REPORT, Kind.READING]),
                payload=choose.choice(["M 塔{}-e5", 'say "{}"\n', "\x01{}\\"]).format(choose.randrange(100)),
                seat=choose.choice([None, 0, 1]),
                evidence=b"picture" * choose.randrange(2),
                confidence_ppm=choose.choice([1_000_000, 812_345]),
            )
            for _ in range(choose.randint(1, 4))
        ]
        for _ in range(count)
    ]


def play(path: Path, count: int, seed: int = 1) -> tuple[Record, ...]:
    with Journal.create(path, HEADER, STAMP) as journal:
        for drafts in groups(seed, count):
            journal.append(drafts)
        return tuple(journal.records)


class Match:
    """The text of a match and what it holds."""

    def __init__(self, folder: Path, count: int) -> None:
        path = folder / "m.podesta"
        self.records = play(path, count)
        self.text = path.read_bytes()
        lines = self.text.splitlines(keepends=True)
        self.starts = [sum(map(len, lines[:n])) for n in range(len(lines) + 1)]
        """Where each line begins, the header's first; the text's end is the last."""
        self.ends = [self.starts[r.seq + 1] for r in self.records if r.seq == self.whole(r.seq)]

    def whole(self, count: int) -> int:
        """Return how many of the first ``count`` records are in whole groups."""
        while 0 < count < len(self.records) and self.records[count].group == self.records[count - 1].group:
            count -= 1
        return count

    def before(self, at: int) -> int:
        """Return how many records stand whole, with their line feeds, before a place of the text."""
        return sum(end <= at for end in self.starts[2:])


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return Match(tmp_path_factory.mktemp("small"), 4)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return Match(tmp_path_factory.mktemp("large"), 24)


def goes_on(path: Path, kept: tuple[Record, ...]) -> Path:
    """Open the file, or recover it, and append; all of ``kept`` must still be there."""
    before = path.read_bytes()
    try:
        journal = Journal.open(path, STAMP)
    except JournalDamaged:
        journal = recover(path, STAMP)
        assert journal.header["recovered_because"] == str(read(path).damage)
        assert path.read_bytes() == before
    with journal:
        assert tuple(journal.records) == kept
        (more,) = journal.append([Draft(kind=Kind.NOTE, payload="on")])
    after = read(journal.path)
    assert (after.damage, after.unfinished, after.records) == (None, 0, (*kept, more))
    return journal.path


# Cut off


def check_cut(match: Match, at: int) -> None:
    """A text that ends early loses what stood behind, and says so unless whole groups are missing."""
    if at < match.starts[1]:
        found = decode(match.text[:at])
        assert (str(found.damage), found.records) == ("line 1 is not what was written", ())
        return
    found = decode(match.text[:at])
    assert found.damage is None
    assert found.records == match.records[: match.whole(match.before(at))]
    end = match.starts[len(found.records) + 1]
    assert found.unfinished == at - end


def test_a_file_cut_at_every_byte(small):
    for at in range(1, len(small.text)):
        check_cut(small, at)


@pytest.mark.soak
def test_a_long_file_cut_at_every_byte(large):
    for at in range(1, len(large.text), 10 if SMOKE else 1):
        check_cut(large, at)
    print(f"{len(large.text)} bytes, {len(large.records)} records")


def test_it_goes_on_after_a_cut_at_every_byte_of_the_last_group(small, tmp_path):
    whole = small.whole(len(small.records) - 1)
    start = small.starts[whole + 1]
    assert len(small.text) - start > 500
    path = tmp_path / "m.podesta"
    for at in range(start, len(small.text)):
        path.write_bytes(small.text[:at])
        with Journal.open(path, STAMP) as journal:
            assert journal.cut == at - start
            assert path.read_bytes() == small.text[:start]
            if at % 50 == 0:
                journal.append([Draft(kind=Kind.NOTE, payload="on")])
                assert read(path).records[:-1] == small.records[:whole]


# A bit flipped


def check_flip(match: Match, at: int, bit: int) -> None:
    text = bytearray(match.text)
    text[at] ^= 1 << bit
    try:
        found = decode(bytes(text))
    except ValueError:
        assert at < 30  # the format's own name
        return
    assert found.damage, (at, bit)
    assert str(found.damage).isprintable()
    number = match.text[:at].count(b"\n")  # 0 is the header
    lost = {number, number + 1} if match.text[at : at + 1] == b"\n" else {number}
    rest = {record for record in match.records if record.seq not in lost}
    assert rest <= {*found.records, *found.beyond} <= set(match.records), (at, bit)
    assert found.records == match.records[: len(found.records)]
    assert len(found.records) == match.whole(len(found.records))
    if number:
        assert found.header == HEADER
        assert found.damage.seq in lost
        assert len(found.records) == match.whole(min(lost) - 1)
    elif found.header:
        assert found.records == match.records


def flips(match: Match, count: int) -> None:
    choose = random.Random(SEED)
    places = {match.starts[n] - 1 for n in range(1, len(match.starts))}  # every line feed
    places |= set(range(match.starts[1] + 8))
    for at in sorted(places):
        check_flip(match, at, choose.randrange(8))
    for _ in range(count - len(places)):
        check_flip(match, choose.randrange(len(match.text)), choose.randrange(8))


def test_a_flipped_bit_is_said_and_costs_one_line(small):
    flips(small, 1_500)


@pytest.mark.soak
def test_a_flipped_bit_at_20000_places(large):
    print(f"PODESTA_SEED={SEED}")
    flips(large, 2_000 if SMOKE else 20_000)


def test_a_damaged_match_goes_on_in_a_new_file(small, tmp_path):
    choose = random.Random(SEED)
    for n in range(40):
        text = bytearray(small.text)
        at = choose.randrange(small.starts[1], len(text))
        text[at] ^= 1 << choose.randrange(8)
        path = tmp_path / str(n) / "m.podesta"
        path.parent.mkdir()
        path.write_bytes(text)
        lost = small.text[:at].count(b"\n")
        assert goes_on(path, small.records[: small.whole(lost - 1)]).name == "m.r1.podesta"


def test_one_whose_header_is_lost_stays_as_it_is_and_can_be_read(small, tmp_path):
    path = tmp_path / "m.podesta"
    text = small.text.replace(b"Anna", b"Enna", 1)
    path.write_bytes(text)
    with pytest.raises(JournalDamaged, match="line 1 is not what was written; no record is good, "):
        Journal.open(path, STAMP)
    with pytest.raises(JournalError, match="the match header is lost"):
        recover(path, STAMP)
    assert read(path).beyond == small.records
    assert path.read_bytes() == text


# What a file system leaves behind after a power cut


def other(match: Match) -> bytes:
    return encode({"game": "torres"}, match.records[:2])


NOISE = random.Random(SEED).randbytes(5_000)
TAILS: dict[str, Callable[[Match], bytes]] = {
    "a zero": lambda match: bytes(1),
    "a sector of zeros": lambda match: bytes(512),
    "blocks of zeros": lambda match: bytes(40_000),
    "noise": lambda match: NOISE,
    "noise without a line feed": lambda match: NOISE.replace(b"\n", b""),
    "a block of another match": lambda match: other(match)[600 : 600 + 4096],
    "the start of another match": other,
    "lines of this match": lambda match: match.text[match.starts[1] :],
    "the middle of a line": lambda match: match.text[match.starts[2] + 100 : match.starts[2] + 300],
    "a sector of zeros, then lines": lambda match: bytes(512) + match.text[match.starts[3] :],
    "lines, then zeros": lambda match: match.text[match.starts[2] : match.starts[4]] + bytes(4096),
}
"""What blocks may hold that belong to the file and were never written."""


@pytest.mark.parametrize("what", TAILS)
@pytest.mark.parametrize("torn", [0, 1, 40, 511, 700])
def test_a_tail_of_what_was_never_written(small, tmp_path, what, torn):
    """Behind ``torn`` bytes of a group that nobody was told is recorded."""
    whole = small.whole(len(small.records) - 1)
    start = small.starts[whole + 1]
    path = tmp_path / "m.podesta"
    path.write_bytes(small.text[: start + torn] + TAILS[what](small))
    found = read(path)
    assert found.records == small.records[:whole]
    assert found.unfinished or found.damage
    if what in ("a zero", "a sector of zeros", "blocks of zeros"):
        assert found.damage is None  # no reason to go on in another file
    goes_on(path, small.records[:whole])


# Kept for the next time


def test_an_export_cannot_be_played_on_and_a_redacted_record_is_damage(small, tmp_path):
    path = tmp_path / "m.podesta"
    path.write_bytes(encode(HEADER, small.records, PUBLIC))
    with pytest.raises(JournalError, match="an export, which nobody can play on"):
        Journal.open(path, STAMP)
    found = decode(encode(HEADER, [redact(small.records[0]), *small.records[1:]]))
    assert str(found.damage) == "record 1: the payload's salt is missing"


def test_a_second_time_gets_another_name_and_a_sound_file_has_nothing_to_recover(small, tmp_path):
    path = tmp_path / "m.podesta"
    path.write_bytes(small.text)
    with pytest.raises(JournalError, match="nothing to recover"):
        recover(path, STAMP)
    path.write_bytes(small.text.replace(b'"seq":3,', b'"seq":4,', 1))
    for name in ("m.r1.podesta", "m.r2.podesta"):
        with recover(path, STAMP) as journal:
            assert journal.path.name == name
