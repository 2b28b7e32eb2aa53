"""The one writer of a match: recorded means on the disk, and what is taken back was never recorded."""

import asyncio
import errno

import pytest

from device.daemon import event
from device.line.door import turn
from device.match.correction import undoable
from device.match.journal import JournalError, JournalFull, JournalReadOnly, read
from device.match.records import Kind
from device.match.referee import CannotUndo, Closed, Undoable
from device.match.replay import Header, Replay
from device.match.rulings import Abandon
from engines.contract import Setup
from engines.errors import Malformed, OutOfTurn, Refused, Stale
from tests.device.conftest import NAMES
from tests.device.games import FULL, enter, game_steps, replayed

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

    def test_however_many_are_written_at_once_history_holds_the_real_records(self, referee, disk):
        disk.hold()
        send(referee, STEPS[0])
        for _ in range(100):
            referee.note("call", channel="keys")
        send(referee, STEPS[1])
        disk.go_on()
        assert referee.wait(30)
        assert referee.replay.log == on_disk(referee)
        assert [line.record for line in referee.replay.history] == [
            referee.replay.log[0],
            referee.replay.log[-1],
        ]
        assert all(line.record.hash and line.record.prev for line in referee.replay.history)

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

    def test_the_last_step_and_the_end_are_one_group(self, referee):
        enter(referee, STEPS)
        step, over = referee.replay.log[-2:]
        assert (over.kind, over.payload, over.group) == (Kind.RULING, "over double_pass", step.group)
        assert referee.replay.history[-1].record is step
        assert referee.replay.over

    def test_changes_are_announced(self, table, disk):
        heard = []
        table.on_change = lambda: heard.append(table.referee.recorded if table.referee else None)
        referee = table.open_match(Header("san_gimignano", NAMES, FULL))
        disk.hold()
        send(referee, STEPS[0])
        assert heard == [0, 0]
        disk.go_on()
        referee.wait(30)
        assert heard == [0, 0, 1]
        referee.poll()
        assert heard == [0, 0, 1]

    def test_the_writer_wakes_the_loop(self, table):
        async def main():
            loop, woken = asyncio.get_running_loop(), asyncio.Event()
            table.wake = lambda: loop.call_soon_threadsafe(woken.set)
            referee = table.open_match(Header("san_gimignano", NAMES, FULL))
            entry = send(referee, STEPS[0])
            await asyncio.wait_for(woken.wait(), 30)
            assert entry.written.done()
            assert referee.recorded == 0
            referee.poll()
            assert referee.recorded == 1

        asyncio.run(main())


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

    def test_a_head_counts_what_is_still_waiting(self, opened, disk):
        disk.hold()
        send(opened, STEPS[1])
        with pytest.raises(Stale, match="record 2 has come after record 1"):
            send(opened, STEPS[2], head=1)
        send(opened, STEPS[2], head=2)

    def test_after_the_end_nothing_fits(self, referee):
        enter(referee, STEPS)
        with pytest.raises(Stale, match="over"):
            referee.step("pass", channel="keys")

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
            undoable(opened.replay)
        assert Replay(opened.replay.header.fields(), on_disk(opened)).abandoned


ERRORS = {
    "full": (JournalFull("no room"), JournalFull),
    "enospc": (OSError(errno.ENOSPC, "No space left on device"), JournalFull),
    "read only": (JournalReadOnly("read-only"), JournalReadOnly),
    "erofs": (OSError(errno.EROFS, "Read-only file system"), JournalReadOnly),
    "other": (RuntimeError("card gone"), RuntimeError),
}


class TestAFailingDisk:
    @pytest.fixture
    def stuck(self, opened, disk):
        """Three steps waiting, the first recorded later, the second and third not."""
        disk.hold()
        for step in STEPS[1:4]:
            send(opened, step)
        return opened

    @pytest.mark.parametrize(("error", "kind"), ERRORS.values(), ids=ERRORS)
    def test_all_goes_back_to_the_last_recorded(self, stuck, disk, error, kind):
        disk.fail(error, after=1)
        disk.go_on()
        stuck.wait(30)
        assert (stuck.head, stuck.recorded) == (2, 2)
        assert stuck.replay.match.steps == list(STEPS[:2])
        assert stuck.replay.log == on_disk(stuck)
        assert isinstance(stuck.lost.why, kind)
        assert [[draft.payload for draft in group] for group in stuck.lost.drafts] == [
            [STEPS[2].text],
            [STEPS[3].text],
        ]

    def test_trying_again_records_the_same(self, stuck, disk):
        disk.fail(JournalFull("no room"))
        disk.go_on()
        stuck.wait(30)
        assert stuck.recorded == 1
        disk.mend()
        stuck.retry()
        assert stuck.lost is None
        assert stuck.wait(30)
        assert stuck.replay.match.points == replayed(STEPS[:4]).points
        assert [record.payload for record in on_disk(stuck)] == [step.text for step in STEPS[:4]]

    def test_what_is_left_out_is_entered_again(self, stuck, disk):
        disk.fail(JournalFull("no room"))
        disk.go_on()
        stuck.wait(30)
        disk.mend()
        stuck.forget_lost()
        assert stuck.lost is None
        enter(stuck, STEPS[1:3])
        assert [record.payload for record in on_disk(stuck)] == [step.text for step in STEPS[:3]]

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
    def test_the_last_step_of_the_seat_is_offered_and_taken_back(self, opened):
        before = position(opened)
        opened.step(BUILD, channel="keys")
        assert undoable(opened.replay) == [Undoable(2, 0, BUILD, places=(1,))]
        opened.undo(undoable(opened.replay)[0], channel="keys")
        assert position(opened) == before
        assert opened.replay.match.pending.seats == (0,)
        assert [record.payload for record in opened.replay.log] == [STEPS[0].text, BUILD, "undo 2"]
        assert opened.wait(30)
        assert (
            Replay(opened.replay.header.fields(), on_disk(opened)).match.points == opened.replay.match.points
        )

    def test_an_undo_can_be_undone(self, opened):
        opened.step(BUILD, channel="keys")
        after = position(opened)
        opened.undo(undoable(opened.replay)[0], channel="keys")
        (redo,) = undoable(opened.replay)
        assert redo == Undoable(3, 0, BUILD, redo=True)
        opened.undo(redo, channel="keys")
        assert position(opened) == after
        assert undoable(opened.replay) == [Undoable(2, 0, BUILD, places=(1,))]
        assert opened.replay.match.pending.seats == (1,)

    def test_with_an_earlier_step_of_the_own_both_are_offered(self, opened):
        opened.step(BUILD, channel="keys")
        opened.step(BUILD, channel="keys")
        opened.undo(undoable(opened.replay)[0], channel="keys")
        assert undoable(opened.replay) == [
            Undoable(2, 0, BUILD, places=(1,)),
            Undoable(4, 1, BUILD, redo=True),
        ]

    def test_nothing_to_undo(self, referee):
        with pytest.raises(CannotUndo, match=r"undo\.nothing"):
            undoable(referee.replay)

    def test_a_report_stays(self, opened):
        with pytest.raises(CannotUndo, match=r"undo\.report") as caught:
            undoable(opened.replay)
        assert caught.value.places == (0,)

    @pytest.mark.parametrize("text", ["P d d", "P d m8", "X 5 6 > d d"])
    def test_who_saw_a_card_from_the_deck_cannot_unsee_it(self, table, text):
        header = Header("san_gimignano", NAMES, Setup(position="market=6,8,8,9 hand.a=?5 hand.b=?5"))
        referee = table.open_match(header)
        referee.step(text, seat=0, channel="keys")
        with pytest.raises(CannotUndo, match=r"undo\.seen") as caught:
            undoable(referee.replay)
        assert (caught.value.places, caught.value.seat) == ((0,), 0)

    def test_market_cards_are_no_secret(self, table):
        header = Header("san_gimignano", NAMES, Setup(position="market=6,8,8,9 hand.a=?5 hand.b=?5"))
        referee = table.open_match(header)
        referee.step("P m6 m8", seat=0, channel="keys")
        assert undoable(referee.replay) == [Undoable(1, 0, "P m6 m8", places=(0,))]

    def test_a_bound_channel_takes_back_its_own_only(self, opened):
        opened.step(BUILD, channel="keys")
        assert undoable(opened.replay, 0) == [Undoable(2, 0, BUILD, places=(1,))]
        with pytest.raises(CannotUndo, match=r"undo\.not_yours") as caught:
            undoable(opened.replay, 1)
        assert (caught.value.places, caught.value.seat) == ((1,), 0)
        opened.undo(undoable(opened.replay, 0)[0], channel="line:pad#3")
        assert undoable(opened.replay, 0) == [Undoable(3, 0, BUILD, redo=True)]
        with pytest.raises(CannotUndo):
            undoable(opened.replay, 1)

    def test_an_offer_goes_stale(self, opened):
        opened.step(BUILD, channel="keys")
        (offer,) = undoable(opened.replay)
        opened.step(BUILD, channel="keys")
        head = opened.head
        with pytest.raises(Stale):
            opened.undo(offer, channel="keys")
        assert opened.head == head

    def test_undoing_the_last_step_opens_a_finished_match_again(self, referee):
        enter(referee, STEPS)
        assert referee.replay.over
        last = STEPS[-1]
        referee.undo(undoable(referee.replay)[0], channel="keys")
        assert not referee.replay.over
        assert referee.replay.match.pending.seats == (last.seat,)
        assert referee.replay.match.points == replayed(STEPS[:-1]).points
        send(referee, last)
        assert referee.replay.over
        assert referee.wait(30)
        replay = Replay(referee.replay.header.fields(), on_disk(referee))
        assert replay.over
        assert len(replay.log.cancelled) == 1


class TestSealedChoices:
    @pytest.fixture
    def guessing(self, table, toy):
        return table.open_match(Header(toy, NAMES, Setup()))

    def test_only_the_seat_may_see_it_until_the_last(self, guessing):
        guessing.step("odd", seat=0, channel="keys")
        assert guessing.wait(30)
        assert guessing.replay.match.pending.seats == (1,)
        assert guessing.replay.log[-1].visibility == "seat:a"
        assert event(guessing).startswith("turn b guess step")
        assert "odd" not in event(guessing)
        assert turn(guessing) == "b guess"
        assert guessing.replay.shown(guessing.replay.history[0]) == ""
        guessing.step("even", seat=1, channel="keys")
        assert guessing.wait(30)
        assert [record.visibility for record in guessing.replay.log] == ["seat:a", "public"]
        assert [guessing.replay.shown(record) for record in guessing.replay.history] == ["odd", "even"]
        assert guessing.replay.match.state.guesses == ("odd", "even")

    def test_nobody_commits_twice_or_without_a_name(self, guessing):
        guessing.step("odd", seat=0, channel="keys")
        with pytest.raises(OutOfTurn):
            guessing.step("even", seat=0, channel="keys")
        guessing.undo(undoable(guessing.replay)[0], channel="keys")
        with pytest.raises(OutOfTurn):
            guessing.step("even", channel="keys")

    def test_an_unseen_commitment_may_be_taken_back_and_stays_unseen(self, guessing):
        guessing.step("odd", seat=0, channel="keys")
        (offer,) = undoable(guessing.replay)
        assert offer == Undoable(1, 0, "")
        with pytest.raises(CannotUndo) as caught:
            undoable(guessing.replay, 1)
        assert (caught.value.key, caught.value.seat) == ("undo.not_yours", 0)
        guessing.undo(offer, channel="keys")
        assert guessing.replay.match.pending.seats == (0, 1)
        assert undoable(guessing.replay) == [Undoable(2, 0, "", redo=True)]
        guessing.step("even", seat=0, channel="keys")
        guessing.step("even", seat=1, channel="keys")
        assert guessing.replay.shown(guessing.replay.log[0]) == ""
        assert guessing.replay.shown(guessing.replay.log[2]) == "even"

    def test_once_all_are_open_none_is_taken_back(self, guessing):
        guessing.step("odd", seat=0, channel="keys")
        guessing.step("even", seat=1, channel="keys")
        with pytest.raises(CannotUndo, match=r"undo\.revealed"):
            undoable(guessing.replay)


class TestSeveralSteps:
    """What a reading proposed and people accepted with one OK: one group, undone together."""

    def test_are_one_group_of_records(self, table):
        referee = table.open_match(Header("san_gimignano", NAMES, Setup(position=QUIET)))
        referee.step(*["B 8-10", "pass"], channel="keys")
        assert referee.wait(30)
        assert [(r.seq, r.group, r.group_size, r.seat) for r in referee.replay.log] == [
            (1, 1, 2, 0),
            (2, 1, 2, 1),
        ]
        assert [line.text for line in referee.replay.history] == ["B 8-10", "pass"]

    def test_are_undone_together(self, table):
        referee = table.open_match(Header("san_gimignano", NAMES, Setup(position=QUIET)))
        before = referee.replay.match.state
        referee.step(*["B 8-10", "pass"], channel="keys")
        (offer,) = undoable(referee.replay)
        assert offer.text == "B 8-10, pass"
        referee.undo(offer, channel="keys")
        assert referee.replay.match.state == before

    def test_none_counts_where_one_is_refused(self, table):
        referee = table.open_match(Header("san_gimignano", NAMES, Setup(position=QUIET)))
        before = list(referee.replay.match.points)
        with pytest.raises(Refused):
            referee.step(*["B 8-10", "C 8-10", "E 8-10 +1"], channel="keys")
        assert (referee.replay.match.points, referee.replay.log) == (before, [])

    def test_one_that_showed_hidden_cards_keeps_all_of_them(self, table):
        referee = table.open_match(Header("san_gimignano", NAMES, Setup(position=QUIET)))
        referee.step(*["P d d", "pass"], channel="keys")
        with pytest.raises(CannotUndo) as refused:
            undoable(referee.replay)
        assert refused.value.key == "undo.seen"
