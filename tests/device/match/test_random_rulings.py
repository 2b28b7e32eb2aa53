"""Whatever people rule, in whatever order: pieces are conserved, a replay is the match, the chain holds."""

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from device.match.records import verify
from device.match.replay import Header, Replay
from engines import matchfile
from engines.contract import Setup
from engines.facts import Facts, schema, with_facts
from engines.matchfile import MatchFile
from tests.device.conftest import NAMES
from tests.device.ruled_games import HEADERS, Ruled
from tests.engines.walks import seed, soak

RULINGS = {"undo", "rollback", "amend", "strike", "insert", "adjust", "pause", "call", "override"}


def judge(number: int, headers: Sequence[Header] = HEADERS) -> Ruled:
    """Play game ``number`` and hold it to everything that must be true of it."""
    ruled = Ruled(headers[number % len(headers)], Random(number))
    ruled.play()
    referee, header, records = ruled.referee, ruled.journal.header, ruled.journal.records
    game = referee.replay.game
    assert referee.replay.log == records
    assert verify(header, records) is None
    replay = Replay(header, records)
    assert replay.match.points == referee.replay.match.points
    assert replay.history == referee.replay.history
    assert replay.affairs == referee.replay.affairs
    assert replay.drift == 0
    for point in referee.replay.match.points[-1:] if number % 10 else referee.replay.match.points:
        text = game.position.write(point.state)
        assert game.position.status(text, ruled.facts) == [], text
        assert game.position.read(text, ruled.facts) == point.state
    file = MatchFile(
        game.id, game.rules_version, referee.replay.names, referee.replay.header.setup,
        tuple(referee.replay.match.steps), result=matchfile.result(referee.replay.match),
    )  # fmt: skip
    again = matchfile.read(matchfile.write(file))
    assert matchfile.play(again).points == referee.replay.match.points
    return ruled


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
