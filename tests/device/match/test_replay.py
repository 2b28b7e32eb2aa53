"""A match read back from its records is the match that was played."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from device.match.journal import read
from device.match.journal_text import encode
from device.match.replay import Header, Replay
from engines import matchfile
from tests.device.commands.recorded import resealed
from tests.device.conftest import NAMES
from tests.device.games import FULL, HEADERS, enter, game_steps, replayed
from tests.engines.walks import seed


def logged(referee):
    """The records of a referee's match as they stand on the disk."""
    return list(referee._journal.records)


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_a_header_reads_back(header):
    header = replace(header, simulated=True)
    fields = header.write()
    assert all(isinstance(value, str) for value in fields.values())
    assert Header.read(fields) == header
    again = Header.read({key: fields[key] for key in reversed(fields)})
    assert dict(again.setup.options) == dict(header.setup.options)
    assert replace(again, setup=replace(again.setup, options=header.setup.options)) == header


@pytest.mark.parametrize("missing", ["game", "start", "level"])
def test_a_header_that_lacks_something_says_what(missing):
    fields = Header("san_gimignano", NAMES, FULL).write()
    del fields[missing]
    with pytest.raises(ValueError, match=f"the match header lacks {missing}"):
        Header.read(fields)


@pytest.mark.parametrize("name", ["must", "torres-two", "tuscany-score", "marrakesh-told"])
def test_a_replay_is_the_match_that_was_played(table, name):
    header = HEADERS[name]
    steps = game_steps(seed(), header.setup, header.game)
    referee = table.open_match(header)
    enter(referee, steps)
    replay = Replay(referee.replay.header.write(), logged(referee))
    expected = replayed(steps, header.setup, header.game)
    assert replay.match.points == referee.replay.match.points == expected.points
    assert [(line.seat, line.text) for line in replay.history] == [(step.seat, step.text) for step in steps]
    assert replay.over == bool(expected.state.termination) is True
    assert replay.drift == 0


def test_a_journal_of_before_replays_with_its_digests():
    """Its points were entered as ``11_ _4`` and ``11_ _5``, by tens and ones."""
    reading = read(Path(__file__).parent / "points_of_before.podesta")
    again = Replay(reading.header, reading.records)
    assert [line.text for line in again.history[-2:]] == ["points 114", "points 115"]
    assert again.match.state.termination == "counted"
    assert all(line.record.state_digest for line in again.history)
    assert (reading.damage, again.drift) == (None, 0)


class TestDrift:
    @pytest.fixture
    def played(self, referee):
        enter(referee, game_steps(1)[:20])
        return referee.replay.header.write(), logged(referee)

    def test_a_forged_digest_is_noticed_at_its_record(self, played):
        header, records = played
        forged = resealed(header, records, lambda r: replace(r, state_digest="1:0123") if r.seq == 7 else r)
        assert Replay(header, forged).drift == 7
        assert Replay(header, resealed(header, records, lambda r: r)).drift == 0

    def test_a_match_that_drifted_can_be_played_on_and_is_named(self, played, table, referee):
        header, records = played
        forged = resealed(header, records, lambda r: replace(r, state_digest="1:0123") if r.seq == 7 else r)
        table.leave()
        path = table.matches / "drifted.podesta"
        path.write_bytes(encode(header, forged))
        (table.state_dir / "current").write_text(path.name)
        again = table.resume()
        assert again.replay.drift == 7
        assert [*map(str, table.problems)] == ["drifted.podesta: entry 7 replays to another position"]
        again.step(game_steps(1)[20].text, seat=game_steps(1)[20].seat, channel="keys")
        assert again.wait(30)


HERE = Path(__file__).parent / "of_before"
MATCHES = Path(__file__).parents[2] / "matches"
GAMES = ("castles_of_tuscany", "marrakesh")


def recorded(game):
    return matchfile.read((MATCHES / f"{game}_three_rules_1.match").read_text())


def replay(name):
    reading = read(HERE / f"{name}.podesta")
    assert reading.damage is None
    return Replay(reading.header, reading.records)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_is_over_verifies_under_version_1(game):
    again = replay(f"{game}_over")
    assert (again.match.state.rules, again.over, again.drift) == (1, True, 0)
    assert all(line.record.state_digest for line in again.history)
    played = matchfile.play(recorded(game))
    assert again.match.points == played.points


@pytest.mark.parametrize("game", GAMES)
def test_an_open_match_goes_on_under_version_1(game, table):
    path = table.matches / "before.podesta"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / f"{game}_open.podesta", path)
    (table.state_dir / "current").write_text(path.name)
    referee = table.resume()
    begun = len(referee.replay.history)
    assert (referee.replay.match.state.rules, referee.replay.drift) == (1, 0)
    enter(referee, recorded(game).steps[begun:])
    assert referee.replay.over
    assert referee.replay.match.points == replay(f"{game}_over").match.points
