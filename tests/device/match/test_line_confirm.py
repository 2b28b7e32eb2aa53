"""What nodes enter counts only after a yes at the box, where people have set it so ([confirm.line])."""

import asyncio

import pytest

from device.config import Confirm, Entries
from device.match.correction import undoable
from device.match.journal import read
from device.match.records import Kind
from device.match.replay import Header
from device.match.rulings import Abandon, Answered, Call, Pause, Resume
from device.menus.play import Play
from engines.contract import Setup
from tests.device.conftest import NAMES, Ticks
from tests.device.leaks import Room
from tests.device.match.test_desk import AtTheLine, refused
from tests.device.player import Player

POSITION = "market=6,8,8 hand.a=?5 hand.b=?5 a=8x3 b=7x3 marker=a"
SHOWN = "shown at the box"


@pytest.fixture
def sit(table, ticks):
    """Sit down at a match with a policy; the player looks at the box."""

    def sit(position=POSITION, game="san_gimignano", **policy):
        desk = AtTheLine(table, ticks, Confirm(line=Entries(**policy)))
        desk.box.play(table.open_match(Header(game, NAMES, Setup(position=position))))
        return desk

    return sit


def entered(desk):
    return [(record.kind, record.payload, record.channel) for record in desk.table.referee.replay.log]


def test_by_default_nobody_is_asked(sit):
    desk = sit()
    assert desk.step("B 5-7") == 1
    assert entered(desk) == [(Kind.STEP, "B 5-7", "line:pad#7")]


class TestAsk:
    def test_a_yes_records_it_as_the_node_s(self, sit):
        desk = sit(steps="ask")
        refused("held", SHOWN, desk.step, "B 5 6 7", seat="a", head=0)
        assert (desk.player.page.header.left, desk.player.page.prompt) == (
            "Please confirm",
            "Adso: builds 5-7?",
        )
        assert entered(desk) == []
        desk.player.choose("yes")
        desk.player.written()
        (record,) = read(desk.table.referee.path).records
        assert (record.kind, record.payload, record.seat) == (Kind.STEP, "B 5-7", 0)
        assert record.channel == "line:pad#7"
        assert (desk.desk.last("pad"), desk.desk.done("pad", 7, b"")) == (7, 1)
        assert desk.player.page.header.left == "William"

    @pytest.mark.parametrize("no", [lambda player: player.choose("no"), Player.back], ids=["no", "back"])
    def test_a_no_records_nothing(self, sit, no):
        desk = sit(steps="ask")
        refused("held", SHOWN, desk.step, "B 5-7")
        no(desk.player)
        assert entered(desk) == []
        assert desk.player.page.prompt == "Your action?"
        refused("held", SHOWN, desk.step, "B 5-7")
        desk.player.choose("yes")
        assert [text for _, text, _ in entered(desk)] == ["B 5-7"]

    def test_a_yes_after_something_else_came_between_counts_for_nothing(self, sit):
        desk = sit(steps="ask")
        refused("held", SHOWN, desk.step, "pass")
        desk.table.referee.step("B 5-7", seat=0, channel="keys")
        desk.player.choose("yes")
        assert desk.player.notice == "something was entered since"
        assert [text for _, text, _ in entered(desk)] == ["B 5-7"]

    def test_nor_after_it_was_undone_again(self, sit):
        """The position is the same, but people were asked about another moment."""
        desk = sit(steps="ask")
        referee = desk.table.referee
        referee.step("B 5-7", seat=0, channel="keys")
        refused("held", SHOWN, desk.step, "pass")
        referee.undo(undoable(referee.replay)[0], channel="keys")
        desk.player.choose("yes")
        assert [text for _, text, _ in entered(desk)] == ["B 5-7", "undo 1"]

    def test_of_two_the_later_is_asked_about(self, sit):
        desk = sit(steps="ask")
        refused("held", SHOWN, desk.step, "pass")
        refused("held", SHOWN, desk.step, "B 5-7")
        assert desk.player.page.prompt == "Adso: builds 5-7?"
        desk.player.back()
        assert desk.player.page.prompt == "Your action?"

    def test_it_is_shown_also_when_home_was_on_the_screen(self, sit):
        desk = sit(steps="ask")
        desk.box.home()
        refused("held", SHOWN, desk.step, "B 5-7")
        assert desk.player.page.prompt == "Adso: builds 5-7?"
        desk.player.choose("yes")
        assert isinstance(desk.box.stack[-1], Play)
        assert [text for _, text, _ in entered(desk)] == ["B 5-7"]


class TestOther:
    def test_the_other_player_is_asked_by_name(self, sit):
        desk = sit(steps="other")
        refused("held", SHOWN, desk.step, "B 5-7", seat="a")
        assert (desk.player.page.header.left, desk.player.page.prompt) == ("William", "Adso: builds 5-7?")
        desk.player.choose("yes")
        refused("held", SHOWN, desk.step, "pass", seat="b")
        assert (desk.player.page.header.left, desk.player.page.prompt) == ("Adso", "William: passes?")

    def test_of_a_report_there_is_no_other(self, sit):
        desk = sit("market=6 hand.a=?5 hand.b=?5 doing=market:n3:p-:t-:s-:new", reports="other")
        refused("held", SHOWN, desk.step, "8 8 10")
        assert (desk.player.page.header.left, desk.player.page.prompt) == (
            "Please confirm",
            "Table: turns up 8, 8, 10?",
        )


class TestWhich:
    def test_steps_and_reports_have_a_policy_each(self, sit):
        desk = sit("market=6 hand.a=?5 hand.b=?5", reports="ask")
        assert desk.step("P m6 d") == 1
        refused("held", SHOWN, desk.step, "8 8 10 9")
        desk.player.choose("yes")
        assert [kind for kind, _, _ in entered(desk)] == [Kind.STEP, Kind.REPORT]

    def test_what_is_not_legal_is_refused_at_once(self, sit):
        desk = sit(steps="ask", reports="ask")
        page = desk.player.page
        for code, says, text, seat, head in [
            ("refused", "SG-3.12 close", "close", "a", None),
            ("malformed", "fly", "fly", "a", None),
            ("seat", "a is asked", "pass", "b", None),
            ("stale", "there is no record 5: the last is record 0", "pass", "a", 5),
        ]:
            refused(code, says, desk.step, text, seat=seat, head=head)
        assert desk.player.page == page

    def test_where_the_match_stands_still_or_is_over_nobody_is_asked(self, sit):
        desk = sit(steps="ask")
        referee = desk.table.referee
        referee.rule(Pause(), channel="keys")
        page = desk.player.page
        refused("stale", "paused", desk.step, "pass")
        referee.rule(Resume(), channel="keys")
        referee.rule(Call(), channel="keys")
        refused("stale", "a judge is called", desk.step, "pass")
        referee.rule(Answered(), channel="keys")
        referee.rule(Abandon(), channel="keys")
        refused("stale", "abandoned", desk.step, "pass")
        assert "confirm" not in repr(desk.player.page) + repr(page)

    def test_what_is_chosen_unseen_is_not_shown_for_a_yes(self, sit, toy):
        """Not even the last choice: until it is recorded the others can still take theirs back."""
        desk = sit("", toy, steps="ask")
        assert desk.step("odd", seat="a") == 1
        page = desk.player.page
        assert desk.step("even", seat="b") == 2
        assert "Please confirm" not in repr(page) + repr(desk.player.page)


def test_on_the_line(tmp_path):
    """Asked once however often it is sent; the yes is told to who watches; the number is spent."""

    async def main():
        room = Room(tmp_path, confirm=Confirm(line=Entries(steps="ask")))
        tasks = [asyncio.create_task(end.session.run()) for end in room.ends]
        await room.begin(Header("san_gimignano", NAMES, Setup(position=POSITION)), 0)
        pad = room.pads[0]
        held = "err held shown at the box; it counts once people there confirm it"
        assert await pad.say("step B 5-7") == held
        assert await pad.say("step B 5-7", again=True) == held
        player = Player(room.box, Ticks())
        assert player.page.prompt == "Adso: builds 5-7?"
        assert room.watch.events == []
        player.choose("yes")
        await asyncio.wrap_future(room.referee.waiting[-1].written)
        assert room.watch.events == ["event 1 turn b action step a: B 5-7"]
        assert player.page.prompt == "Your action?"
        assert await pad.say("step B 5-7", again=True) == "ack 1"
        assert room.referee.head == 1
        assert (await pad.say("hello pad-a 1 step")).endswith(f" last={pad.number - 1}")
        for task in tasks:
            task.cancel()
        room.table.leave()

    asyncio.run(main())
