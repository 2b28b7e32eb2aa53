"""Whatever people play and rule, in whatever order: pieces are conserved, a replay is the match, it verifies,
every format tells it, and a forged step is caught.
"""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from device.commands.explain import JournalEntry
from device.commands.export import FORMATS, JOURNAL, make_export
from device.commands.files import OpenedMatch
from device.event import Cause
from device.event.verifying import RecordWalk
from device.exports import account, document, sheet
from device.exports.bgstats import Unfit
from device.match.journal_text import JournalFile, decode
from device.match.records import Kind
from device.match.replay import Header, Replay
from device.texts import Texts
from engines import matchfile
from engines.contract import Setup
from engines.facts import Facts, schema, with_facts
from engines.words import Words
from tests.device.commands.recorded import resealed
from tests.device.conftest import NAMES
from tests.device.ruled_games import HEADERS, Ruled
from tests.engines.walks import seed, soak

PATH = Path("random.podesta")


RULINGS = {"undo", "rollback", "amend", "strike", "insert", "adjust", "pause", "call", "override"}


def judge(number: int, headers: Sequence[Header] = HEADERS) -> Ruled:
    """Play game ``number`` and hold what is made of it to the match that was played."""
    rng = Random(number)
    ruled = Ruled(headers[number % len(headers)], rng)
    ruled.play()
    referee, game = ruled.referee, ruled.referee.replay.game
    replay = Replay(ruled.journal.header, ruled.journal.records)
    assert referee.replay.log == ruled.journal.records
    assert replay.match.points == referee.replay.match.points
    assert replay.history == referee.replay.history
    assert replay.affairs == referee.replay.affairs
    for point in referee.replay.match.points[-1:] if number % 10 else referee.replay.match.points:
        text = game.position.write(point.state)
        assert game.position.status(text, ruled.facts) == [], text
        assert game.position.read(text, ruled.facts) == point.state
    reading = JournalFile(ruled.journal.header, tuple(ruled.journal.records), None)
    walk = RecordWalk(reading)
    played = [record for record in reading.records if record.kind in (Kind.STEP, Kind.REPORT)]
    assert (walk.failure, walk.unchecked, walk.replayed) == (None, [], len(played))
    assert walk.positions == len(played)

    exported = decode(make_export(OpenedMatch(PATH, reading), JOURNAL))
    assert (exported.records, exported.header, exported.damage) == (reading.records, reading.header, None)
    told = account.read_log(reading.header, reading.records)
    assert [row.record for row in told.rows] == [line.seq for line in referee.replay.history]
    text = make_export(OpenedMatch(PATH, reading), "match").decode()
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
    words = Words(Texts.load("en", game.id), game, referee.replay.names)
    for record in rng.sample(reading.records, min(5, len(reading.records))):
        entry = JournalEntry(words, reading, record)
        assert entry.head()[0] == f"entry {record.seq} of {len(reading.records)}"
        if record.kind is Kind.RULING:
            assert entry.ruled()
    forge(reading, ruled.seats, rng)
    return ruled


def forge(reading: JournalFile, seats: int, rng: Random) -> None:
    """Give one step to somebody else and seal the log again: that record is the first that fails."""
    at = rng.choice([record.seq for record in reading.records if record.kind is Kind.STEP] or [0])
    if not at:
        return
    forged = resealed(
        reading.header,
        reading.records,
        lambda record: replace(record, seat=(record.seat + 1) % seats) if record.seq == at else record,
    )
    failure = RecordWalk(JournalFile(reading.header, tuple(forged), None)).failure
    assert failure
    assert (failure.record, failure.kind) == (at, Cause.REPLAY)


def run(count: int, headers: Sequence[Header] = HEADERS, step: int = 1) -> None:
    done: Counter[str] = Counter()
    for number in range(seed(), seed() + count, step):
        try:
            done.update(judge(number, headers).done)
        except BaseException as error:
            error.add_note(f"game {number}")
            raise
    barred = RULINGS - {"override"} if headers is not HEADERS else RULINGS
    assert set(done) == barred, f"never ruled: {barred - set(done)}"


def test_rulings_at_random():
    run(len(HEADERS), step=4)  # some of every game


def test_rulings_at_random_where_something_stays_on_the_table(tower):
    """And where facts are asked for; what the rules of this toy forbid nobody can have done."""
    facts = Facts.of(schema(tower)).confirm({"turns": 9})
    run(24, [Header(tower, NAMES, with_facts(facts, Setup()))])


@pytest.mark.soak
def test_soak_rulings_at_random():
    run(soak(20_000, 40))  # of fewer, some ruling may be in none
