"""The one writer of a match: recorded means on the disk, and what is taken back was never recorded."""

import pytest

from device.line import describe_event
from device.line.door import describe_turn
from device.match.correction import list_undoable
from device.match.journal import JournalError, JournalFull, read
from device.match.records import Kind
from device.match.referee import CannotUndo, Closed, Undoable
from device.match.replay import Header, Replay
from device.match.rulings import Abandon
from engines.contract import Setup
from engines.errors import Malformed, OutOfTurn, Refused, Stale
from tests.device.conftest import NAMES
from tests.device.games import FULL, enter, game_steps

STEPS = game_steps(1)
QUIET = "market=6,8,8,9 hand.a=?5 hand.b=?5"
BUILD = "B 8-10"
"""A step that can be undone: it shows nothing but cards of the own hand."""


def send(referee, step, **more):
    return referee.step(step.text, seat=step.seat, **({"channel": "keys"} | more))


def on_disk(referee):
    return list(read(referee.path).records)


def position(referee):
    return referee.replay.game.position.write(referee.replay.match.state)


@pytest.fixture
def opened(referee):
    """The market is turned up, Adso is asked."""
    enter(referee, STEPS[:1])
    return referee


class TestRecording:
    def test_a_step_counts_at_once_and_is_recorded_when_the_disk_has_it(self, opened, disk):
        disk.hold()
        entry = send(opened, STEPS[1])
        assert opened.replay.match.steps[-1] == STEPS[1]
        assert (opened.head, opened.recorded, entry.number) == (2, 1, 2)
        assert not entry.written.done()
        assert len(on_disk(opened)) == 1
        opened.poll()
        assert opened.recorded == 1
        disk.go_on()
        assert opened.wait(30)
        assert (opened.head, opened.recorded) == (2, 2)
        assert [record.payload for record in on_disk(opened)] == [STEPS[0].text, STEPS[1].text]

    def test_what_a_record_says(self, opened, clock):
        send(opened, STEPS[1], channel="line:pad#7")
        opened.note("towers 0.90 a=- b=-", channel="camera", kind=Kind.READING, confidence=0.9)
        assert opened.wait(30)
        report, step, reading = on_disk(opened)
        assert (report.kind, report.seat, report.visibility) == (Kind.REPORT, None, "public")
        assert (step.kind, step.seat, step.channel) == (Kind.STEP, STEPS[1].seat, "line:pad#7")
        assert step.state_digest == opened.replay.digest(opened.replay.match.state)
        assert (step.utc_ms, step.boot_id) == (clock.utc_ms, "fake-1")
        assert (reading.kind, reading.confidence_ppm, reading.simulated) == (Kind.READING, 900_000, False)
        assert len(opened.replay.history) == 2


class TestRefusals:
    @pytest.mark.parametrize(
        ("text", "seat", "head", "error"),
        [
            ("P d d", 1, None, OutOfTurn),
            ("P d d", 0, 0, Stale),
            ("P d d", 0, 7, Stale),
            ("C", 0, None, Refused),
            ("fly", 0, None, Malformed),
            ("P d", 0, None, Malformed),
            ("", 0, None, Malformed),
        ],
    )
    def test_nothing_changes(self, opened, text, seat, head, error):
        before = (list(opened.replay.log), opened.replay.match.points.copy(), position(opened))
        with pytest.raises(error):
            opened.step(text, seat=seat, head=head, channel="line:x#1")
        assert (opened.replay.log, opened.replay.match.points, position(opened)) == before
        assert not opened.waiting

    def test_an_abandoned_match_takes_no_step_and_no_undo(self, opened, table):
        enter(opened, [STEPS[1]])
        opened.rule(Abandon("bedtime"), channel="keys")
        assert opened.wait(30)
        assert opened.replay.over
        assert opened.replay.abandoned
        assert opened.replay.log[-1].payload == "abandon bedtime"
        with pytest.raises(Closed):
            send(opened, STEPS[2])
        with pytest.raises(CannotUndo, match=r"undo\.abandoned"):
            list_undoable(opened.replay)
        assert Replay(opened.replay.header.write(), on_disk(opened)).abandoned


class TestAFailingDisk:
    @pytest.fixture
    def stuck(self, opened, disk):
        """Three steps waiting, the first recorded later, the second and third not."""
        disk.hold()
        for step in STEPS[1:4]:
            send(opened, step)
        return opened

    def test_until_that_is_settled_nothing_is_taken(self, stuck, disk):
        """Or trying again would replay it on another position."""
        disk.fail(JournalFull("no room"))
        disk.go_on()
        stuck.wait(30)
        disk.mend()
        offer = Undoable(1, 0, "x")
        for entering in (
            lambda: send(stuck, STEPS[1]),
            lambda: stuck.note("call", channel="keys"),
            lambda: stuck.rule(Abandon(), channel="keys"),
            lambda: stuck.undo(offer, channel="keys"),
        ):
            with pytest.raises(Closed):
                entering()
        assert stuck.head == 1
        stuck.retry()
        assert stuck.wait(30)
        assert stuck.head == 4

    def test_a_new_match_does_not_drop_what_was_lost(self, stuck, disk, table):
        disk.fail(JournalFull("no room"))
        disk.go_on()
        with pytest.raises(JournalError, match="an earlier entry was not recorded"):
            table.open_match(Header("san_gimignano", NAMES, FULL))
        assert table.referee is stuck
        assert len(stuck.lost.drafts) == 3
        assert len(list(table.matches.glob("*.podesta"))) == 1


class TestUndo:
    @pytest.mark.parametrize("text", ["P d d", "P d m8", "X 5 6 > d d"])
    def test_who_saw_a_card_from_the_deck_cannot_unsee_it(self, table, text):
        header = Header("san_gimignano", NAMES, Setup(position="market=6,8,8,9 hand.a=?5 hand.b=?5"))
        referee = table.open_match(header)
        referee.step(text, seat=0, channel="keys")
        with pytest.raises(CannotUndo, match=r"undo\.seen") as caught:
            list_undoable(referee.replay)
        assert (caught.value.places, caught.value.seat) == ((0,), 0)

    def test_a_bound_channel_takes_back_its_own_only(self, opened):
        opened.step(BUILD, channel="keys")
        assert list_undoable(opened.replay, 0) == [Undoable(2, 0, BUILD, places=(1,))]
        with pytest.raises(CannotUndo, match=r"undo\.not_yours") as caught:
            list_undoable(opened.replay, 1)
        assert (caught.value.places, caught.value.seat) == ((1,), 0)
        opened.undo(list_undoable(opened.replay, 0)[0], channel="line:pad#3")
        assert list_undoable(opened.replay, 0) == [Undoable(3, 0, BUILD, redo=True)]
        with pytest.raises(CannotUndo):
            list_undoable(opened.replay, 1)


class TestSealedChoices:
    @pytest.fixture
    def guessing(self, table, toy):
        return table.open_match(Header(toy, NAMES, Setup()))

    def test_only_the_seat_may_see_it_until_the_last(self, guessing):
        guessing.step("odd", seat=0, channel="keys")
        assert guessing.wait(30)
        assert guessing.replay.match.pending.seats == (1,)
        assert guessing.replay.log[-1].visibility == "seat:a"
        assert describe_event(guessing).startswith("turn b guess step")
        assert "odd" not in describe_event(guessing)
        assert describe_turn(guessing) == "b guess"
        assert guessing.replay.write_public(guessing.replay.history[0]) == ""
        guessing.step("even", seat=1, channel="keys")
        assert guessing.wait(30)
        assert [record.visibility for record in guessing.replay.log] == ["seat:a", "public"]
        assert [guessing.replay.write_public(record) for record in guessing.replay.history] == ["odd", "even"]
        assert guessing.replay.match.state.guesses == ("odd", "even")


def test_several_steps_are_undone_together_and_none_counts_where_one_is_refused(table):
    """What a reading proposed and people accepted with one OK: one group."""
    referee = table.open_match(Header("san_gimignano", NAMES, Setup(position=QUIET)))
    before = list(referee.replay.match.points)
    with pytest.raises(Refused):
        referee.step(*["B 8-10", "C 8-10", "E 8-10 +1"], channel="keys")
    assert (referee.replay.match.points, referee.replay.log) == (before, [])
    referee.step(*["B 8-10", "pass"], channel="keys")
    (offer,) = list_undoable(referee.replay)
    assert offer.text == "B 8-10, pass"
    referee.undo(offer, channel="keys")
    assert referee.replay.match.points == before
