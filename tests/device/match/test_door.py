"""The referee as the line sees it: one answer a line, "ack" only when it is on the disk."""

import asyncio

import pytest

from device.line import describe_event
from device.line.messages import CODES, MessageError
from device.match.door import MatchDoor, Source
from device.match.journal import JournalFull, read
from device.match.records import Kind
from device.match.replay import Header
from device.match.rulings import Abandon
from device.menus import Box
from device.screen.pixels import pages_of
from device.settings import Confirm, ReadingsSettings
from device.supervise import wake
from engines.contract import Exact, Setup
from engines.readings import Observation
from tests.device.conftest import NAMES
from tests.device.games import FULL
from tests.device.line.by_name import NamedLineDoor as LineDoor
from tests.device.player import Player

POSITION = "market=6,8 hand.a=?5 hand.b=?5 a=8x3 b=7x3 marker=a"
HEADER = Header("san_gimignano", NAMES, Setup(position=POSITION))


class AtTheLine:
    """A door on a table, called as a line session calls it, in an event loop of its own."""

    def __init__(self, table, ticks, confirm=None):
        self.table = table
        self.box = Box(MatchDoor(table, confirm), pages=pages_of, strict=True, now_ms=ticks)
        self.player = Player(self.box, ticks)
        self.proposals = []
        self.show, self.box.propose = self.box.propose, self.proposals.append
        self.door = LineDoor(self.box.door, self.box.words_of)

    def run(self, scenario):
        async def main():
            loop = asyncio.get_running_loop()
            self.table.wake = lambda: wake(loop, self._poll)
            return await asyncio.wait_for(scenario, 30)

        return asyncio.run(main())

    def _poll(self):
        if self.table.referee:
            self.table.referee.poll()

    def step(self, text, seat=None, head=None, named=None, voices=None):
        return self.run(
            self.door.step(text, seat=seat, head=head, channel="line:pad#7", named=named, voices=voices or {})
        )

    def see(self, *candidates, of="towers", seat=None, voices=None):
        return self.run(
            self.door.reading(of, candidates, seat=seat, channel="line:cam#1", voices=voices or {})
        )

    def ask(self, what, text="", seat=None):
        return self.door.answer(what, text, seat=seat)


def refused(code, says, what, *args, **more):
    with pytest.raises(MessageError) as caught:
        what(*args, **more)
    assert code in CODES
    assert caught.value.code == code
    assert says in caught.value.text


@pytest.fixture
def door(table, ticks):
    door = AtTheLine(table, ticks)
    door.box.play(table.open_match(HEADER))
    return door


class TestSteps:
    def test_it_is_acknowledged_only_when_the_disk_has_it(self, door, disk):
        async def scenario():
            disk.hold()
            entering = asyncio.ensure_future(
                door.door.step("pass", seat="a", head=None, channel="line:pad#7")
            )
            await asyncio.sleep(0.02)
            assert not entering.done()
            assert not read(door.table.referee.path).records
            refused("busy", "it is being written", door.door.find_done, "pad", 7)
            assert door.player.page.header.left == "William"
            disk.go_on()
            assert await entering == 1
            assert len(read(door.table.referee.path).records) == 1

        door.run(scenario())

    @pytest.mark.parametrize(
        ("code", "says", "text", "seat", "head"),
        [
            ("seat", "waiting for a", "pass", "b", None),
            ("seat", "there is no seat d in this match", "pass", "d", None),
            ("stale", "there is no entry 5: the last is entry 0", "pass", "a", 5),
            ("malformed", "does not answer 'action'", "fly", "a", None),
            ("malformed", "unfinished", "P d", "a", None),
            ("malformed", "an empty step", "", "a", None),
            ("refused", "SG-3.12 close: Closing takes 4 completed towers; there are 0.", "close", "a", None),
            ("refused", "SG-3.1 m10: No 10 in the market.", "P m10 d", "a", None),
        ],
    )
    def test_what_is_not_taken_says_why(self, door, code, says, text, seat, head):
        refused(code, says, door.step, text, seat=seat, head=head)
        assert door.table.referee.replay.log == []

    def test_an_ambiguous_word_names_what_it_could_be(self, table, ticks):
        door = AtTheLine(table, ticks)
        position = (
            "market=5 hand.a=?2 hand.b=?5 marker=a a=10x3,7x3 b=7x3,8x3 doing=donazione:n3:p-:t10x3:s-:new"
        )
        table.open_match(Header("san_gimignano", NAMES, Setup(position=position)))
        refused("ambiguous", "'7x3' could be a7x3 or b7x3", door.step, "use 7x3", seat="a")

    def test_without_a_match(self, table, ticks):
        door = AtTheLine(table, ticks)
        refused("noseat", "no match is open; to open one, write: open GAME", door.step, "pass")
        refused("noseat", "no match is open", door.see, (0.9, "a=- b=-"))
        refused("noseat", "no match is open", door.ask, "turn")

    def test_a_disk_that_refuses(self, door, disk):
        disk.fail(JournalFull("/x: no room"))
        refused("disk", "not recorded: /x: no room", door.step, "pass")
        disk.mend()
        refused("disk", "people decide at the box", door.step, "pass")
        refused("disk", "people decide at the box", door.see, (0.9, "a=8x3,5-7 b=7x3"))
        assert door.player.page.header.left == "NOT SAVED"
        door.player.choose("leave it out")
        assert door.step("pass") == 1


class TestVoices:
    def test_whoever_is_asked_may_have_a_voice_of_their_own(self, door):
        refused("seat", "north speaks for seat a", door.step, "pass", voices={"a": "north"})
        assert door.table.referee.replay.log == []
        assert door.step("pass", voices={"b": "south"}) == 1
        refused("seat", "south speaks for seat b", door.step, "pass", voices={"b": "south"})

    def test_a_step_that_names_a_seat(self, door):
        refused("seat", "it acts for seat a, not b", door.step, "pass", seat="a", named="b")
        refused("seat", "north speaks for seat a", door.step, "pass", named="a", voices={"a": "north"})
        refused("seat", "waiting for a", door.step, "pass", named="b", voices={"a": "north"})
        refused("seat", "there is no seat d", door.step, "pass", named="d")
        assert door.step("pass", seat="a", named="a", voices={"b": "south"}) == 1
        assert door.step("pass", named="b", voices={"a": "north"}) == 3


class TestReadings:
    def test_it_is_recorded_and_put_to_people(self, door):
        assert door.see((0.2, "a=8x3 b=7x3"), (0.75, "a=8x3,5-7 b=7x3")) == 1
        (record,) = door.table.referee.replay.log
        assert (record.kind, record.channel) == (Kind.READING, "line:cam#1")
        assert record.payload == "towers 0.75 a=8x3,5-7 b=7x3 | 0.20 a=8x3 b=7x3"
        assert record.confidence_ppm == 750_000
        (proposal,) = door.proposals
        assert isinstance(proposal.meaning, Exact)
        assert (proposal.confidence, proposal.channel) == (0.75, "line:cam#1")

    def test_it_is_explained_from_where_the_match_stands_then(self, door, disk):
        async def scenario():
            disk.hold()
            reading = asyncio.ensure_future(
                door.door.reading("towers", [(0.9, "a=8x3,5-7 b=7x3")], seat=None, channel="line:cam#1")
            )
            await asyncio.sleep(0)
            door.table.referee.step("B 5-7", seat=0, channel="keys")
            disk.go_on()
            await reading

        door.run(scenario())
        assert door.proposals[0].meaning == Exact(())

    @pytest.mark.parametrize("steps", [True, False])
    def test_a_sensor_s_own_meaning_is_put_to_people_while_the_match_stands_there(self, door, disk, steps):
        async def scenario():
            disk.hold()
            seen = Observation("towers", (("a=8x3,5-7 b=7x3", 0.9),))
            reading = asyncio.ensure_future(
                door.box.door.observe(seen, source=Source("camera:board"), meaning=Exact(()))
            )
            await asyncio.sleep(0)
            if steps:
                door.table.referee.step("B 5-7", seat=0, channel="keys")
            disk.go_on()
            await reading

        door.run(scenario())
        assert bool(door.proposals) is not steps

    @pytest.mark.parametrize("text", ["rubbish", "a=8x3 c=7x3", "a=8y3 b=-", "a=8x3 a=8x3"])
    def test_one_that_cannot_be_read_is_not_recorded(self, door, text):
        refused("malformed", "is not a side's towers", door.see, (0.9, text))
        assert (door.table.referee.replay.log, door.proposals) == ([], [])

    def test_what_the_match_does_not_take_is_refused_by_name(self, door):
        says = "no reading 'tower' is taken now; there are towers, market"
        refused("malformed", says, door.see, (0.9, "a=8x3 b=7x3"), of="tower")
        refused("malformed", "no reading 'deal'", door.see, (0.9, "deal"), of="deal")
        refused("malformed", "is not a card", door.see, (0.9, "6 8 8 10"), of="market")  # asked no more
        assert (door.table.referee.replay.log, door.proposals) == ([], [])

    @pytest.mark.parametrize("what", ["market", "fact"])
    def test_it_may_answer_what_the_table_is_asked(self, table, ticks, what):
        door = AtTheLine(table, ticks)
        door.box.play(table.open_match(Header("san_gimignano", NAMES, FULL)))
        assert door.ask("readings") == "towers market fact"
        assert door.see((0.4, "6 8 8"), (0.97, "6 8 8 10"), of=what) == 1
        door.show(door.proposals[0])
        assert door.player.items[0] == "6 8 8 10"
        door.player.ok()
        payloads = [record.payload for record in door.table.referee.replay.log]
        assert payloads == [f"{what} 0.97 6 8 8 10 | 0.40 6 8 8", "6 8 8 10"]
        assert door.ask("readings") == "towers market"

    def test_of_a_seat_with_another_voice_people_are_asked_however_sure_it_is(self, door):
        door.box.door.confirm = Confirm(readings=ReadingsSettings(sure="auto"))
        for voices, left in [({"a": "north"}, "William"), ({"b": "south"}, "Bernard")]:
            door.see((0.99, "a=8x3,5-7 b=7x3"), voices=voices)
            door.show(door.proposals.pop())
            assert ("no, ignore it" in door.player.items) == ("a" in voices), left
        assert [record.payload for record in door.table.referee.replay.log][-1] == "B 5-7"

    def test_after_the_end_the_table_may_be_cleared(self, door):
        door.step("pass")
        door.step("pass")
        refused("stale", "the match is over", door.see, (0.9, "a=- b=-"))
        assert door.proposals == []


class TestQuestions:
    def test_turn(self, door):
        assert door.ask("turn") == "a action"
        door.step("pass")
        assert door.ask("turn") == "b action"
        door.table.referee.rule(Abandon(), channel="keys")
        assert door.ask("turn") == "over abandoned"
        assert door.table.referee.wait(30)
        assert describe_event(door.table.referee) == "turn over abandoned ruling abandon"

    def test_legal(self, door):
        assert door.ask("legal") == "P X B E C pass"
        assert door.ask("legal", "P") == "d m6 m8"
        assert door.ask("legal", "P d d") == "-"
        refused("refused", "SG-3.12", door.ask, "legal", "close")
        refused("malformed", "no step has 'fly' there", door.ask, "legal", "fly")
        refused("seat", "no seat c", door.ask, "legal", "", "c")

    def test_why(self, door):
        says = "SG-3.12 close: Closing takes 4 completed towers; there are 0."
        assert door.ask("why", "close") == says
        assert door.ask("why", "P d d", "a") == "- it is legal"
        refused("seat", "waiting for a", door.ask, "why", "P d d", "b")
        refused("malformed", "fly", door.ask, "why", "fly")
        refused("seat", "no seat x", door.ask, "why", "P d d", "x")


class TestSealedChoices:
    @pytest.fixture
    def door(self, table, ticks, toy):
        door = AtTheLine(table, ticks)
        table.open_match(Header(toy, NAMES, Setup()))
        return door

    def test_what_is_legal_depends_on_the_seat(self, table, ticks, toy):
        door = AtTheLine(table, ticks)
        table.open_match(Header(toy, NAMES, Setup(position="1 4r5g b 0,0 -")))
        assert door.ask("legal", "", "a") == "odd even sit"
        assert door.ask("legal", "", "b") == "odd even"
        assert door.ask("legal") == "odd even sit"
        assert door.ask("legal", "odd", "a") == "-"
        refused("refused", "T-1 sit: You sat out before.", door.ask, "legal", "sit", "b")
        refused("refused", "T-1 sit: You sat out before.", door.step, "sit", seat="b")
        refused("malformed", "no step has 'even' there", door.ask, "legal", "odd even", "a")
