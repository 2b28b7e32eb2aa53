"""What is in a tower is there whatever people go back before: the toy game that has one."""

import pytest

from device.exports import account, rows
from device.match.journal import JournalFull
from device.match.replay import Header
from device.match.rulings import Amend, Rollback
from engines import matchfile
from engines.contract import Setup
from engines.errors import BadMatchFile, Refused
from engines.facts import playable
from tests.device.conftest import NAMES
from tests.engines.tower_toy import PEBBLES, SCHEMA


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


def test_and_may_come_out_of_the_next_throw(referee):
    back(referee, 4)
    enter(referee, "2r1g")
    with pytest.raises(Refused, match=r"tray\.conservation"):
        enter(referee, "4g")
    enter(referee, "4r3g")
    assert inside(referee) == "0"


def test_the_same_throw_is_answered_from_what_was_seen_and_counted_once(referee):
    back(referee, 4)
    enter(referee, "1g")
    assert [(one.payload, one.channel) for one in referee.replay.log[-2:]] == [("1g", "keys"), ("0", "seen")]
    assert inside(referee) == "2r2g"
    assert referee.replay.match.state.fallen == ()


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


def test_a_correction_that_what_fell_contradicts_is_made_all_the_same(referee):
    """More came out of a throw that fell than are left by the correction of one that counts."""
    enter(referee, "1r", "3r")
    back(referee, 7)
    assert inside(referee) == "2g"
    referee.rule(Amend(2, "2r"), channel="keys", by="ab")
    assert inside(referee) == "2g"


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


def test_a_rollback_that_was_lost_says_nothing_of_the_next(referee, disk):
    disk.fail(JournalFull("/x: no room"))
    referee.rule(Rollback(4), channel="keys", by="ab")
    assert referee.wait(30)
    disk.mend()
    referee.forget_lost()
    back(referee, 1)
    assert referee.replay.match.state.fallen == ("1:2r1g/1r", "2:1g/0")
