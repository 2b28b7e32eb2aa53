"""What nodes enter counts only after a yes at the box, where people have set it so ([confirm.line])."""

import asyncio

import pytest

from device.keys import Key, Press
from device.match.door import KEYS
from device.match.records import Kind
from device.match.replay import Header
from device.match.rulings import Abandon, Answered, Call, Override, Pause, Resume
from device.menus import Play
from device.settings import Confirm, Entries
from engines.contract import Setup
from tests.device.conftest import NAMES, Ticks, in_a_loop
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


class TestAsk:
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

    def test_the_question_goes_once_something_else_came_between_and_an_ok_in_flight_does_nothing(self, sit):
        door = sit(steps="ask")
        refused("held", SHOWN, door.step, "pass")
        door.table.referee.step("B 5-7", seat=0, channel="keys")
        assert door.player.notice == "The match has moved on: ask again"
        door.player.key(Press(Key.OK))
        assert isinstance(door.box.stack[-1], Play)
        assert len(door.box.stack[-1].drafts) == 1
        assert [text for _, text, _ in entered(door)] == ["B 5-7"]


class TestWhich:
    def test_steps_and_reports_have_a_policy_each(self, sit):
        door = sit("market=6 hand.a=?5 hand.b=?5", reports="ask")
        assert door.step("P m6 d") == 1
        refused("held", SHOWN, door.step, "8 8 10 9")
        door.player.choose("yes")
        assert [kind for kind, _, _ in entered(door)] == [Kind.STEP, Kind.REPORT]

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


@in_a_loop
async def test_on_the_line(tmp_path):
    """Asked once however often it is sent; the yes is told to who watches; the number is spent."""
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
