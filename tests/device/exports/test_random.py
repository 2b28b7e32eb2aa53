"""Whatever people play and rule: it verifies, every format tells it, and a forged step is caught."""

import csv
import io
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from device.commands.entries import JournalEntry
from device.commands.export import FORMATS, JOURNAL, export
from device.commands.files import OpenedMatch
from device.event import Cause
from device.event.verifying import RecordWalk
from device.exports import account, document, sheet
from device.exports.bgstats import Unfit
from device.match.journal_text import Reading, decode
from device.match.records import Kind
from device.texts import Texts
from engines import matchfile
from engines.words import Words
from tests.device.commands.recorded import resealed
from tests.device.ruled_games import HEADERS, Ruled
from tests.engines.walks import seed, soak

PATH = Path("random.podesta")


def judge(number: int) -> None:
    """Play game ``number`` and hold what is made of it to the match that was played."""
    rng = Random(number)
    ruled = Ruled(HEADERS[number % len(HEADERS)], rng)
    ruled.play()
    referee = ruled.referee
    reading = Reading(ruled.journal.header, tuple(ruled.journal.records), None)
    walk = RecordWalk(reading)
    played = [record for record in reading.records if record.kind in (Kind.STEP, Kind.REPORT)]
    assert (walk.failure, walk.unchecked, walk.replayed) == (None, [], len(played))
    assert walk.positions == len(played)

    exported = decode(export(OpenedMatch(PATH, reading), JOURNAL))
    assert (exported.records, exported.header, exported.damage) == (reading.records, reading.header, None)
    told = account.of_log(reading.header, reading.records)
    assert [row.record for row in told.rows] == [line.seq for line in referee.replay.history]
    text = export(OpenedMatch(PATH, reading), "match").decode()
    assert matchfile.play(matchfile.read(text)).points == referee.replay.match.points
    assert text.count("\n# record ") == len(told.rulings)
    table = list(csv.DictReader(io.StringIO(FORMATS["csv"][1](told))))
    assert [row["record"] for row in table] == [str(row.record) for row in told.rows]
    found = msgspec.json.decode(FORMATS["json"][1](told), type=document.Document)
    if table:
        totals = tuple(int(table[-1][f"total_{letter}"]) for letter in ruled.everybody)
        assert tuple(found.standing.scores.values()) == totals
    assert found.result == matchfile.result(referee.replay.match)
    assert "</html>" in sheet.write(told)
    try:
        assert FORMATS["bgstats"][1](told)
    except Unfit:
        assert not told.over
    words = Words(Texts.load("en", referee.replay.game.id), referee.replay.game, referee.replay.names)
    for record in rng.sample(reading.records, min(5, len(reading.records))):
        entry = JournalEntry(words, reading, record)
        assert entry.head()[0] == f"entry {record.seq} of {len(reading.records)}"
        if record.kind is Kind.RULING:
            assert entry.ruled()
    forge(reading, ruled.seats, rng)


def forge(reading: Reading, seats: int, rng: Random) -> None:
    """Give one step to somebody else and seal the log again: that record is the first that fails."""
    at = rng.choice([record.seq for record in reading.records if record.kind is Kind.STEP] or [0])
    if not at:
        return
    forged = resealed(
        reading.header,
        reading.records,
        lambda record: replace(record, seat=(record.seat + 1) % seats) if record.seq == at else record,
    )
    failure = RecordWalk(Reading(reading.header, tuple(forged), None)).failure
    assert failure
    assert (failure.record, failure.kind) == (at, Cause.REPLAY)


def run(count: int, step: int = 1) -> None:
    for number in range(seed(), seed() + count, step):
        try:
            judge(number)
        except BaseException as error:
            error.add_note(f"game {number}")
            raise


def test_exports_at_random():
    run(len(HEADERS), 16)  # another third of them by another seed


@pytest.mark.soak
def test_soak_exports_at_random():
    run(soak(2_000, 6))
