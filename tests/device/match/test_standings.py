"""What was played on the box: results of the matches on the disk, and figures of each player."""

import os

import pytest

from device.match import (
    KEYS,
    Abandon,
    Damaged,
    GamePlayed,
    Header,
    MatchDoor,
    MatchResult,
    list_players,
)
from device.match.standings import Archive, read_result
from engines.contract import Setup
from tests.device.conftest import NAMES
from tests.device.games import enter, game_steps


def play(table, names=NAMES, seed=1, steps=None):
    """A match of San Gimignano to its end, or so many steps of one."""
    referee = table.open_match(Header("san_gimignano", names, Setup()))
    enter(referee, game_steps(seed)[:steps])
    return referee


def test_a_match_that_goes_on_or_was_given_up_has_no_winner(table, clock):
    play(table, steps=4)
    clock.advance(1000)
    referee = play(table, seed=2)
    MatchDoor(table).rule(Abandon(), source=KEYS)
    assert referee.wait(30)
    found = Archive().list_results(table.list_past())
    assert [(one.over, one.abandoned, one.winners) for one in found] == [
        (False, True, ()),
        (False, False, ()),
    ]
    assert list_players(found) == []


def test_figures_of_each_player(table, clock):
    for seed, names in ((1, NAMES), (2, ("william", "Adso")), (3, ("Severin", "WILLIAM"))):
        play(table, names, seed)
        clock.advance(1000)
    found = Archive().list_results(table.list_past())
    points, wins = {}, {}
    for one in found:
        for seat, name in enumerate(one.names):
            points.setdefault(name.casefold(), []).append(one.points[seat])
            wins[name.casefold()] = wins.get(name.casefold(), 0) + (seat in one.winners)
    told = {one.name: one.played for one in list_players(found)}
    assert list(told) == ["WILLIAM", "Adso", "Severin"], "who played most first, as written last"
    for name, played in told.items():
        every = points[name.casefold()]
        mean = round(sum(every) / len(every), 1)
        assert played == (GamePlayed("san_gimignano", len(every), wins[name.casefold()], mean, max(every)),)
    assert sum(played.wins for _, (played,) in told.items()) == 3


@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_bytes(b"nothing of the kind\n"),
        lambda path: path.write_bytes(path.read_bytes().replace(b"san_gimignano", b"sun_gimignano")),
        lambda path: path.write_bytes(b""),
    ],
)
def test_a_damaged_journal_is_named_and_hides_no_other(table, clock, harm):
    play(table, steps=2)
    table.leave()
    clock.advance(1000)
    harm(table.list_past()[0].path)
    whole = play(table, seed=2)
    good, bad = Archive().list_results(table.list_past())
    assert isinstance(good, MatchResult)
    assert good.file == os.path.basename(whole.path)
    assert isinstance(bad, Damaged)
    assert bad.why
    assert bad.file == table.list_past()[1].path.name


def test_a_journal_is_read_again_only_once_it_has_changed(table, clock, monkeypatch):
    play(table, steps=2)
    table.leave()
    clock.advance(1000)
    referee = play(table, seed=2, steps=2)
    archive, read = Archive(), []
    monkeypatch.setattr(
        "device.match.standings.read_result", lambda past: read.append(past.path) or read_result(past)
    )
    first = archive.list_results(table.list_past())
    assert len(read) == 2
    assert archive.list_results(table.list_past()) == first
    assert len(read) == 2
    enter(referee, game_steps(2)[2:])
    latest, earlier = archive.list_results(table.list_past())
    assert (latest.over, earlier) == (True, first[1])
    assert read[2:] == [table.list_past()[0].path]
