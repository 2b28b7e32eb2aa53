"""What people rule: going back, corrections, overrides, points by hand, standing still, the final score."""

import pytest

from device.match.correction import find_last_step, list_undoable
from device.match.history import RulingError
from device.match.journal import read
from device.match.records import Draft, Kind, Stamp, seal
from device.match.referee import CannotUndo, Closed, Misfit
from device.match.replay import Header, Replay
from device.match.rulings import (
    Agree,
    Amend,
    Answered,
    Call,
    Override,
    Resume,
    Rollback,
)
from engines.contract import Setup
from engines.errors import Stale
from tests.device.conftest import NAMES
from tests.device.games import enter, game_steps, say

STEPS = game_steps(1)
THIN = "market=5 hand.a=?5 hand.b=?5"
"""One card in the market: taking it has four new ones turned up."""
MARKET = "market=6,8,9 hand.a=?5 hand.b=?5"
TRADE = "market=6,8 hand.a=9,9,9,?2 hand.b=?5"


@pytest.fixture
def at(table):
    """A match from a position."""

    def opened(position):
        return table.open_match(Header("san_gimignano", NAMES, Setup(position=position)))

    return opened


@pytest.fixture
def played(referee):
    """Twenty steps of a game."""
    enter(referee, STEPS[:20])
    return referee


def payloads(referee):
    return [record.payload for record in referee.replay.log]


def again(referee):
    """The match as another program reads it from the disk."""
    assert referee.wait(30)
    reading = read(referee.path)
    assert reading.damage is None
    return Replay(reading.header, reading.records)


def assert_survives(referee):
    """Whatever was ruled, a restart comes to the same."""
    replay = again(referee)
    assert replay.match.points == referee.replay.match.points
    assert replay.history == referee.replay.history
    assert replay.affairs == referee.replay.affairs
    assert replay.find_remembered() == referee.replay.find_remembered()
    assert replay.drift == 0


class TestRollback:
    @pytest.mark.parametrize("number", [0, 99, 21])
    def test_to_what_is_no_step_is_refused(self, played, number):
        played.note("opened", channel="keys")
        head = played.head
        with pytest.raises(Stale, match=f"entry {number} is no step"):
            played.rule(Rollback(number), channel="keys", by="ab")
        assert played.head == head

    def test_where_the_question_changes_people_are_asked(self, at):
        """Another card is on top when one fewer was drawn: what lay deeper was not this one."""
        referee = at(THIN + " deck=?34")
        say(referee, "P m5 d", "6 8 8 10", "P d d")
        referee.rule(Rollback(1), channel="keys", by="ab")
        say(referee, "P d d", "P m5 d")
        assert referee.replay.find_remembered()[1] is False
        assert referee.replay.match.pending.question == "market"
        assert_survives(referee)


class TestCorrections:
    def test_it_stops_at_the_first_that_no_longer_fits(self, at):
        referee = at(MARKET)
        say(referee, "P m6 d", "P m8 d", "pass")
        head, state = referee.head, referee.replay.match.state
        with pytest.raises(Misfit, match=r"record 2 no longer fits: SG-3\.1"):
            referee.rule(*[Amend(1, "P m8 d")], channel="keys", by="ab")
        assert (referee.head, referee.replay.match.state) == (head, state)

    def test_of_an_entry_that_was_undone_meanwhile_it_is_stale(self, at):
        referee = at(TRADE)
        say(referee, "B 9x3")
        referee.undo(list_undoable(referee.replay)[0], channel="keys")
        with pytest.raises(Stale, match="entry 1 no longer counts"):
            referee.rule(*[Amend(1, "pass")], channel="keys", by="ab")

    def test_a_correction_can_be_withdrawn(self, at):
        referee = at(MARKET)
        say(referee, "P m6 d", "P d d")
        before = list(referee.replay.match.points)
        referee.rule(*[Amend(1, "P m8 d")], channel="keys", by="ab")
        (offer,) = [one for one in list_undoable(referee.replay) if one.rulings]
        assert offer.rulings == (Amend(1, "P m8 d"),)
        referee.undo(offer, channel="keys")
        assert referee.replay.match.points == before
        assert_survives(referee)

    def test_undo_of_a_corrected_step_points_to_correcting(self, at):
        referee = at(TRADE)
        say(referee, "B 9x3")
        referee.rule(*[Amend(1, "pass")], channel="keys", by="ab")
        with pytest.raises(CannotUndo) as refused:
            find_last_step(referee.replay)
        assert refused.value.key == "undo.corrected"

    def test_a_correction_that_ends_the_match_says_so(self, at):
        referee = at(MARKET)
        say(referee, "pass", "P m6 d")
        referee.rule(*[Amend(2, "pass")], channel="keys", by="ab")
        assert referee.replay.over
        assert payloads(referee)[-1] == "over double_pass"
        assert_survives(referee)


def test_an_amendment_may_be_overruled_too(at):
    referee = at("market=5,6,7 hand.a=?6 hand.b=?5")
    say(referee, "pass")
    with pytest.raises(Misfit):
        referee.rule(*[Amend(1, "P m5 d")], channel="keys", by="ab")
    referee.rule(*[Override(("SG-3.2",), "unseen"), Amend(1, "P m5 d")], channel="keys", by="ab")
    assert referee.replay.match.steps[0].waived == ("SG-3.2",)
    assert_survives(referee)


class TestStandingStill:
    def test_a_call_stops_the_match_until_it_is_answered(self, played):
        played.rule(Call(), channel="keys")
        played.rule(Call("SG-5.2"), channel="keys")
        assert played.replay.affairs.call.payload == "call SG-5.2"
        with pytest.raises(Closed, match="a judge is called"):
            say(played, STEPS[20].text)
        assert again(played).affairs.call is not None
        played.rule(Answered(), channel="keys", by="judge")
        enter(played, STEPS[20:21])
        assert_survives(played)

    @pytest.mark.parametrize("wrong", [Resume(), Answered()])
    def test_going_on_from_nothing_is_refused(self, played, wrong):
        head = played.head
        with pytest.raises(Closed):
            played.rule(wrong, channel="keys")
        assert played.head == head


class TestTheFinalScore:
    @pytest.fixture
    def ended(self, at):
        referee = at("market=5 hand.a=?5 hand.b=?5 a=8x3 marker=a")
        say(referee, "pass", "pass")
        return referee

    def test_views_of_another_result_lapse(self, ended):
        ended.rule(Agree(0), channel="keys")
        ended.undo(next(one for one in list_undoable(ended.replay) if not one.rulings), channel="keys")
        assert ended.replay.affairs.views == ()

    def test_before_the_end_there_is_nothing_to_agree_to(self, played):
        with pytest.raises(Closed):
            played.rule(Agree(0), channel="keys")


@pytest.mark.parametrize("line", ["agree c", "dispute d 1:2", "adjust c +5 x", "insert 1 c pass"])
def test_a_ruling_about_a_seat_nobody_sits_at_is_named(at, line):
    referee = at(MARKET)
    say(referee, "pass")
    forged = seal(
        Draft(kind=Kind.RULING, payload=line),
        Stamp(0, 0, ""),
        seq=2, group=2, group_size=1, prev=referee.replay.log[-1].hash, salt="-",
    )  # fmt: skip
    with pytest.raises(RulingError, match="record 2: nobody sits at the seat"):
        Replay(referee.replay.header.write(), [*referee.replay.log, forged])
