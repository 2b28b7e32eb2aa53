"""What nodes enter counts only after a yes at the box, where people have set it so ([confirm.line])."""

import asyncio

import pytest

from device.match.correction import undoable
from device.match.door import KEYS
from device.match.journal import read
from device.match.records import Kind
from device.match.replay import Header
from device.match.rulings import Abandon, Answered, Call, Override, Pause, Resume
from device.menus.play import Play
from device.settings import Confirm, Entries
from engines.contract import Setup
from tests.device.conftest import NAMES, Ticks
from tests.device.leaks import Room
from tests.device.match.test_door import AtTheLine, refused
from tests.device.player import Player

POSITION = "market=6,8,8 hand.a=?5 hand.b=?5 a=8x3 b=7x3 marker=a"
SHOWN = "shown at the box"


@pytest.fixture
def sit(table, ticks):
    """Sit down at a match with a policy; the player looks at the box."""

    def sit(position=POSITION, game="san_gimignano", **policy):
        door = AtTheLine(table, ticks, Confirm(line=Entries(**policy)))
        door.box.play(table.open_match(Header(game, NAMES, Setup(position=position))))
        return door

    return sit


def entered(door):
    return [(record.kind, record.payload, record.channel) for record in door.table.referee.replay.log]


def test_by_default_nobody_is_asked(sit):
    door = sit()
    assert door.step("B 5-7") == 1
    assert entered(door) == [(Kind.STEP, "B 5-7", "line:pad#7")]


class TestAsk:
    def test_a_yes_records_it_as_the_node_s(self, sit):
        door = sit(steps="ask")
        refused("held", SHOWN, door.step, "B 5 6 7", seat="a", head=0)
        assert (door.player.page.header.left, door.player.page.prompt) == (
            "Please confirm",
            "Adso: builds 5-7?",
        )
        assert entered(door) == []
        door.player.choose("yes")
        door.player.written()
        (record,) = read(door.table.referee.path).records
        assert (record.kind, record.payload, record.seat) == (Kind.STEP, "B 5-7", 0)
        assert record.channel == "line:pad#7"
        assert (door.door.last("pad"), door.door.done("pad", 7, b"")) == (7, 1)
        assert door.player.page.header.left == "William"

    @pytest.mark.parametrize("no", [lambda player: player.choose("no"), Player.back], ids=["no", "back"])
    def test_a_no_records_nothing(self, sit, no):
        door = sit(steps="ask")
        refused("held", SHOWN, door.step, "B 5-7")
        no(door.player)
        assert entered(door) == []
        assert door.player.page.prompt == "Your action?"
        refused("held", SHOWN, door.step, "B 5-7")
        door.player.choose("yes")
        assert [text for _, text, _ in entered(door)] == ["B 5-7"]

    def test_a_yes_after_something_else_came_between_counts_for_nothing(self, sit):
        door = sit(steps="ask")
        refused("held", SHOWN, door.step, "pass")
        door.table.referee.step("B 5-7", seat=0, channel="keys")
        door.player.choose("yes")
        assert door.player.notice == "something was entered since"
        assert [text for _, text, _ in entered(door)] == ["B 5-7"]

    def test_nor_after_it_was_undone_again(self, sit):
        """The position is the same, but people were asked about another moment."""
        door = sit(steps="ask")
        referee = door.table.referee
        referee.step("B 5-7", seat=0, channel="keys")
        refused("held", SHOWN, door.step, "pass")
        referee.undo(undoable(referee.replay)[0], channel="keys")
        door.player.choose("yes")
        assert [text for _, text, _ in entered(door)] == ["B 5-7", "undo 1"]

    def test_of_two_the_later_is_asked_about(self, sit):
        door = sit(steps="ask")
        refused("held", SHOWN, door.step, "pass")
        refused("held", SHOWN, door.step, "B 5-7")
        assert door.player.page.prompt == "Adso: builds 5-7?"
        door.player.back()
        assert door.player.page.prompt == "Your action?"

    def test_it_is_shown_also_when_home_was_on_the_screen(self, sit):
        door = sit(steps="ask")
        door.box.home()
        refused("held", SHOWN, door.step, "B 5-7")
        assert door.player.page.prompt == "Adso: builds 5-7?"
        door.player.choose("yes")
        assert isinstance(door.box.stack[-1], Play)
        assert [text for _, text, _ in entered(door)] == ["B 5-7"]


class TestOther:
    def test_the_other_player_is_asked_by_name(self, sit):
        door = sit(steps="other")
        refused("held", SHOWN, door.step, "B 5-7", seat="a")
        assert (door.player.page.header.left, door.player.page.prompt) == ("William", "Adso: builds 5-7?")
        door.player.choose("yes")
        refused("held", SHOWN, door.step, "pass", seat="b")
        assert (door.player.page.header.left, door.player.page.prompt) == ("Adso", "William: passes?")

    def test_of_a_report_there_is_no_other(self, sit):
        door = sit("market=6 hand.a=?5 hand.b=?5 doing=market:n3:p-:t-:s-:new", reports="other")
        refused("held", SHOWN, door.step, "8 8 10")
        assert (door.player.page.header.left, door.player.page.prompt) == (
            "Please confirm",
            "Table: turns up 8, 8, 10?",
        )


class TestWhich:
    def test_steps_and_reports_have_a_policy_each(self, sit):
        door = sit("market=6 hand.a=?5 hand.b=?5", reports="ask")
        assert door.step("P m6 d") == 1
        refused("held", SHOWN, door.step, "8 8 10 9")
        door.player.choose("yes")
        assert [kind for kind, _, _ in entered(door)] == [Kind.STEP, Kind.REPORT]

    def test_what_is_not_legal_is_refused_at_once(self, sit):
        door = sit(steps="ask", reports="ask")
        page = door.player.page
        for code, says, text, seat, head in [
            ("refused", "SG-3.12 close", "close", "a", None),
            ("malformed", "fly", "fly", "a", None),
            ("seat", "a is asked", "pass", "b", None),
            ("stale", "there is no record 5: the last is record 0", "pass", "a", 5),
        ]:
            refused(code, says, door.step, text, seat=seat, head=head)
        assert door.player.page == page

    def test_where_the_match_stands_still_or_is_over_nobody_is_asked(self, sit):
        door = sit(steps="ask")
        referee = door.table.referee
        referee.rule(Pause(), channel="keys")
        page = door.player.page
        refused("stale", "paused", door.step, "pass")
        referee.rule(Resume(), channel="keys")
        referee.rule(Call(), channel="keys")
        refused("stale", "a judge is called", door.step, "pass")
        referee.rule(Answered(), channel="keys")
        referee.rule(Abandon(), channel="keys")
        refused("stale", "abandoned", door.step, "pass")
        assert "confirm" not in repr(door.player.page) + repr(page)

    def test_what_people_let_stand_is_not_asked_again(self, sit):
        door = sit("market=5,6 hand.a=?6 hand.b=?5")
        door.box.door.confirm = Confirm(keys=Entries(steps="ask"))
        override = Override(("SG-3.2",), "nobody noticed")
        door.box.door.step("P m5 m6", source=KEYS, override=override, by="ab")
        assert [text for _, text, _ in entered(door)][2] == "P m5 m6"

    def test_what_is_chosen_unseen_is_not_shown_for_a_yes(self, sit, toy):
        """Not even the last choice: until it is recorded the others can still take theirs back."""
        door = sit("", toy, steps="ask")
        assert door.step("odd", seat="a") == 1
        page = door.player.page
        assert door.step("even", seat="b") == 2
        assert "Please confirm" not in repr(page) + repr(door.player.page)


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
