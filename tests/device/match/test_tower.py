"""What is in a tower is there whatever people go back before: the toy game that has one."""

import pytest

from device.exports import account, rows
from device.match.correction import undoable
from device.match.history import place
from device.match.journal import JournalFull
from device.match.replay import Header, Replay
from device.match.rulings import Adjust, Amend, Rollback
from engines import matchfile
from engines.contract import Setup
from engines.errors import BadMatchFile, Refused
from engines.facts import playable
from engines.marrakesh.tower import Throw, odometer
from engines.match import Fallen
from tests.device.conftest import NAMES
from tests.engines.tower_toy import INSIDE, PEBBLES, SCHEMA


@pytest.fixture
def referee(table, tower):
    """Two turns: two red, two green are inside then."""
    referee = table.open_match(Header(tower, NAMES, playable(SCHEMA, Setup())))
    enter(referee, "2r1g", "1r", "r", "1g", "0", "-")
    return referee


def enter(referee, *texts):
    for text in texts:
        referee.step(text, channel="keys")
    assert referee.wait(30)


def inside(referee):
    return PEBBLES.write(referee.replay.match.state.inside)


def back(referee, record):
    referee.rule(Rollback(record), channel="keys", by="ab")
    assert referee.wait(30)


def test_what_fell_in_is_inside_after_going_back(referee):
    assert inside(referee) == "2r2g"
    back(referee, 4)
    assert inside(referee) == "2r2g"
    assert referee.replay.match.state.fallen == ("2:1g/0",)
    assert referee.replay.match.state.points == (1, 0)


def test_and_may_come_out_of_the_next_throw(referee):
    back(referee, 4)
    enter(referee, "2r1g")
    with pytest.raises(Refused, match=r"tray\.conservation"):
        enter(referee, "4g")
    enter(referee, "4r3g")
    assert inside(referee) == "0"


def test_a_ledger_of_all_throws_ever_made_says_the_same(referee):
    """Marrakesh's, to which it does not matter which of them count."""
    back(referee, 4)
    enter(referee, "2r1g", "4r3g")
    throws = [("2r1g", "1r"), ("1g", "0"), ("2r1g", "4r3g")]
    ledger = odometer([Throw(INSIDE, 0), *(Throw(*map(PEBBLES.read, throw)) for throw in throws)])
    assert ledger.inside == referee.replay.match.state.inside


def test_the_same_throw_is_answered_from_what_was_seen_and_counted_once(referee):
    back(referee, 4)
    enter(referee, "1g")
    assert [(one.payload, one.channel) for one in referee.replay.log[-2:]] == [("1g", "keys"), ("0", "seen")]
    assert inside(referee) == "2r2g"
    assert referee.replay.match.state.fallen == ()


def test_it_is_the_same_whatever_else_has_changed(referee):
    """By its number and what was thrown, not by the position."""
    back(referee, 4)
    referee.rule(Adjust(0, 5, "late"), channel="keys", by="ab")
    enter(referee, "1g")
    assert referee.replay.log[-1].channel == "seen"


def test_other_pebbles_are_another_throw(referee):
    back(referee, 4)
    enter(referee, "1r")
    assert referee.replay.log[-1].payload == "1r"
    enter(referee, "1g")
    back(referee, 9)
    assert referee.replay.match.state.fallen == ("2:1g/0", "2:1r/1g")
    assert inside(referee) == "3r1g"


def test_going_back_twice_keeps_the_order_of_the_table(referee):
    """The second throw of two emptied a tower that the first had filled."""
    back(referee, 4)
    enter(referee, "2r1g", "4r3g")
    back(referee, 1)
    assert referee.replay.match.state.fallen == ("1:2r1g/1r", "2:1g/0", "2:2r1g/4r3g")
    assert all(
        point.state.inside >= 0 and PEBBLES.holds(PEBBLES.write(point.state.inside))
        for point in referee.replay.match.points
    )
    assert inside(referee) == "0"
    enter(referee, "2r1g", "r", "1g")
    assert [one.channel for one in referee.replay.log[-4:]] == ["seen", "keys", "keys", "seen"]
    assert (inside(referee), referee.replay.match.state.fallen) == ("0", ("2:2r1g/4r3g",))


def test_a_rollback_that_is_undone_leaves_nothing_behind(referee):
    before = referee.replay.match.points[-1]
    back(referee, 4)
    referee.undo(next(one for one in undoable(referee.replay) if one.rulings), channel="keys")
    assert referee.replay.match.points[-1] == before


def test_a_correction_further_back_keeps_what_fell(referee):
    back(referee, 4)
    referee.rule(Amend(2, "2r"), channel="keys", by="ab")
    assert inside(referee) == "1r2g"


def test_a_correction_that_what_fell_contradicts_is_made_all_the_same(referee):
    """More came out of a throw that fell than are left by the correction of one that counts."""
    enter(referee, "1r", "3r")
    back(referee, 7)
    assert inside(referee) == "2g"
    referee.rule(Amend(2, "2r"), channel="keys", by="ab")
    assert inside(referee) == "2g"


def test_a_replay_of_the_journal_leads_to_the_same(referee):
    back(referee, 4)
    enter(referee, "2r1g", "4r3g")
    back(referee, 1)
    enter(referee, "1r")
    again = Replay(referee.replay.header.fields(), [*referee.replay.log])
    assert again.match.points == referee.replay.match.points
    assert again.history == referee.replay.history
    assert again.drift == 0


def test_what_a_rollback_would_do_is_what_it_does(referee):
    tried = referee.replay.tried([Rollback(4)])
    back(referee, 4)
    assert tried.match.points == referee.replay.match.points


def test_a_match_file_keeps_what_fell(referee):
    back(referee, 4)
    enter(referee, "2r1g", "4r3g", "r")
    replay = referee.replay
    text = rows.write_match(account.of_log(replay.header.fields(), [*replay.log]))
    assert "\n4 ~ 2:1g/0\n" in text
    file = matchfile.read(text)
    assert file.steps == tuple(replay.match.steps)
    assert matchfile.play(file).points == replay.match.points
    assert [row.kind for row in account.of_file(file, "x").rows].count("fallen") == 1
    with pytest.raises(BadMatchFile, match="'4r' is no throw"):
        matchfile.play(matchfile.read(text.replace("~ 2:1g/0", "~ 4r")))


def test_a_game_that_keeps_nothing_has_no_such_line(table):
    referee = table.open_match(Header("san_gimignano", NAMES, Setup()))
    enter(referee, "8 6 10 9")
    back(referee, 1)
    assert [line.text for line in referee.replay.history] == ["8 6 10 9"]
    assert place(referee.replay.history, 2) is None
    assert not any(isinstance(line.made, Fallen) for line in referee.replay.history)


def test_a_rollback_that_was_lost_says_nothing_of_the_next(referee, disk):
    disk.fail(JournalFull("/x: no room"))
    referee.rule(Rollback(4), channel="keys", by="ab")
    assert referee.wait(30)
    disk.mend()
    referee.forget_lost()
    back(referee, 1)
    assert referee.replay.match.state.fallen == ("1:2r1g/1r", "2:1g/0")
