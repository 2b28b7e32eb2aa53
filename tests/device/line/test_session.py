import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Sequence

import pytest

from device.keys import KeyEvent
from device.line.frames import LIMIT, FrameReader, LineFrame, encode
from device.line.messages import MessageError
from device.line.nodes import REPLIES_KEPT, Nodes
from device.line.session import INBOX, TELEMETRY_A_SECOND, Session
from device.settings import LineSettings
from device.telemetry import ReceivedMessage
from tests.device.line.fakes import FakeDoor


class Talk:
    """A session with a fake door: say lines, get the answers without the box's own numbers."""

    def __init__(self, door: FakeDoor, nodes: Nodes, name: str) -> None:
        self.sent: list[bytes] = []
        self.door = door
        self.keys: list[KeyEvent] = []
        self.told: list[ReceivedMessage] = []
        self.now = 0.0
        self.session = Session(
            name,
            door,
            self.sent.append,
            nodes,
            on_key=self.keys.append,
            on_telemetry=self.told.append,
            clock=lambda: self.now,
        )

    def take(self) -> list[str]:
        said = [line.decode().rstrip("\n").partition(" ")[2] for line in self.sent]
        self.sent.clear()
        return said

    async def say(self, *lines: str | bytes) -> list[str]:
        for line in lines:
            self.session.receive(line if isinstance(line, bytes) else f"{line}\n".encode())
        await self.session.wait_settled()
        return self.take()


def talking(
    lines: int = 1, settings: Sequence[LineSettings] = ()
) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """Make a test of what is said on so many lines: it is given a :class:`Talk` a line, then its fixtures."""

    async def main(scenario: Callable[..., Awaitable[None]], more: dict[str, object]) -> None:
        door, nodes = FakeDoor(), Nodes(settings)
        talks = [Talk(door, nodes, f"usb{number}") for number in range(lines)]
        tasks = [asyncio.create_task(each.session.run()) for each in talks]
        for each in talks:
            each.session.on_open()
            assert each.take()[0].startswith("hello podesta 1 step,reading,ask,watch,open,tell,key,scale")
        await scenario(*talks, **more)
        for task in tasks:
            assert not task.done(), task
            task.cancel()

    def make(scenario: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        @functools.wraps(scenario)
        def test(**fixtures: object) -> None:
            asyncio.run(main(scenario, fixtures))

        named = [*inspect.signature(scenario).parameters.values()][lines:]
        test.__signature__ = inspect.Signature(named)
        return test

    return make


HELLO = "1 hello keypad-1 1 step,reading"
STEP = "17 step X 8 8 > m6 d"
PAD = [LineSettings("usb0", keys=("pad-1",)), LineSettings("usb1")]
BOUND = [LineSettings("usb0", bind={"north": "a"}), LineSettings("usb1")]
NORTH = "1 hello north 1 step,tell,ask,reading"
OTHER = "1 hello other 1 step,tell,ask,reading"


@talking(settings=[LineSettings("usb0", bind={"k": "c"})])
async def test_config_binding_wins(t):
    assert (await t.say("1 hello k 1 step"))[0].endswith(" seat=c")
    assert (await t.say("2 hello k 1 step seat=c"))[0].endswith(" seat=c")
    assert (await t.say("3 hello k 1 step seat=b"))[0].startswith("err 3 seat k is bound to seat c")
    assert (await t.say("4 step P d m6"))[0].startswith("err 4 hello")


@talking()
async def test_what_a_scale_says_is_passed_on_and_not_recorded(t):
    await t.say("1 hello keypad-1 1 step")
    assert (await t.say("2 weight 9 1 rest"))[0].startswith("err 2 kind your hello did not offer scale")
    await t.say("3 hello tray-1 1 scale")
    assert await t.say("4 weight 31250  12 rest", "4 weight 31250 12 rest", "5 gate 1 9") == [
        "ack 4",
        "ack 4",
        "ack 5",
    ]
    told = ReceivedMessage("tray-1", "weight", "31250 12 rest", 0)
    assert t.told == [told, told, ReceivedMessage("tray-1", "gate", "1 9", 0)]
    assert (await t.say("6 weight 31 g"))[0].startswith("err 6 malformed write: weight MG SD STATE")
    assert len(t.told) == 3
    assert t.door.records == []
    assert (await t.say("7 hello tray-1 1 scale"))[0].endswith(" re=7")


@talking()
async def test_a_scale_that_says_too_much_is_told_so(t):
    await t.say("1 hello tray-1 1 scale")
    t.now = 5.0
    for number in range(TELEMETRY_A_SECOND):
        assert await t.say(f"{number} weight 1 1 moving") == [f"ack {number}"]
    t.now = 5.9
    assert (await t.say("90 weight 1 1 moving"))[0].startswith("err 90 busy more than 20 words")
    t.now = 6.0
    assert await t.say("90 weight 1 1 moving") == ["ack 90"]
    assert len(t.told) == TELEMETRY_A_SECOND + 1


TELL = "5 tell 5,8,8"


@talking(2)
async def test_another_line_cannot_find_out_what_was_told(t, other):
    """It says it is the same node and guesses: a right guess is answered like a wrong one."""
    await t.say("1 hello pad 1 tell seat=a")
    assert await t.say(TELL) == ["ack 5 1"]
    t.session.on_close()
    await other.say("1 hello pad 1 tell seat=a")
    spent = "err 5 reused you were at number 5; go on from 6"
    assert await other.say("5 tell 8,8,8", TELL) == [spent, spent]
    assert await other.say("6 tell 8,8,8") == ["ack 6 2"]
    assert t.door.records[1:] == ["line:pad#6 a tells 8,8,8 (pad on usb1)"]


@pytest.mark.parametrize(
    ("seat", "logged"), [("", "err 12 malformed '5,8,x' is no hand"), (" seat=a", "err 12 malformed")]
)
@talking()
async def test_the_log_keeps_no_secret_that_a_line_echoes(t, caplog, seat, logged):
    await t.say(f"1 hello pad 1 tell{seat}")
    await t.say("2 err 12 malformed '5,8,x' is no hand", "3 err 5,8,8 5,8,8 x")
    said = [record.getMessage().partition("says: ")[2] for record in caplog.records]
    assert said == [logged, "err 5,8,8 5,8,8 x" if not seat else "err -"]


@talking(2)
async def test_a_repeated_frame_while_the_first_is_being_done(t, other):
    await t.say(HELLO)
    t.door.gate.clear()
    t.session.receive(f"{STEP}\n{STEP}\n".encode())
    await asyncio.wait_for(t.door.begun.wait(), 10)
    t.session.on_close()
    other.session.receive(f"{HELLO}\n{STEP}\n".encode())
    await asyncio.sleep(0)
    t.door.gate.set()
    assert (await other.say())[-1] == "ack 17 1"
    await t.session.wait_settled()
    assert t.take() == []
    assert len(t.door.records) == 1


@talking()
async def test_a_refusal_is_repeated_but_a_full_disk_is_tried_again(t):
    await t.say(HELLO)
    t.door.fail = MessageError("refused", "SG-2.1 not your turn")
    assert await t.say("2 step P d m6") == ["err 2 refused SG-2.1 not your turn"]
    t.door.fail = MessageError("disk", "the disk is full")
    assert await t.say("3 step P d m6") == ["err 3 disk the disk is full"]
    t.door.fail = None
    assert await t.say("2 step P d m6", "3 step P d m6") == [
        "err 2 refused SG-2.1 not your turn",
        "ack 3 1",
    ]


@talking(settings=PAD)
async def test_64_replies_are_kept_of_what_no_record_has(t):
    await t.say("1 hello pad-1 1 key,step")
    for seq in range(REPLIES_KEPT + 1):
        await t.say(f"{seq} key ok")
    assert await t.say("1 key ok", "0 key ok") == [
        "ack 1",
        f"err 0 reused you were at number {REPLIES_KEPT}; go on from {REPLIES_KEPT + 1}",
    ]
    assert len(t.keys) == REPLIES_KEPT + 1


@talking()
async def test_the_box_uses_checksums_when_the_node_does(t):
    Talk.crc = staticmethod(lambda text: encode(*split(text), checked=True)[-5:-1].decode())
    assert await t.say(encode(1, "ping", checked=True)) == ["ack 1*" + t.crc("2 ack 1")]
    assert (await t.say("2 ping"))[0].startswith("err - checksum lines with checksums are expected")
    t.session.on_close()
    t.session.on_open()
    t.take()
    assert await t.say("3 ping") == ["ack 3"]


def split(text: str) -> tuple[int, str, str]:
    seq, kind, args = text.split(" ", 2)
    return int(seq), kind, args


@talking(2)
async def test_one_name_on_two_lines(t, other):
    await t.say(HELLO)
    assert await other.say(HELLO) == ["err 1 hello keypad-1 is already on line usb0; use another name"]
    assert (await other.say(STEP))[0].startswith("err 17 hello")
    t.session.on_close()
    assert (await other.say(HELLO))[0].startswith("hello podesta")


@talking()
async def test_too_much_at_once(t):
    await t.say(HELLO)
    t.door.gate.clear()
    t.session.receive(f"{STEP}\n".encode())
    await asyncio.wait_for(t.door.begun.wait(), 10)
    for seq in range(INBOX + 1):
        t.session.receive(f"{100 + seq} ping\n".encode())
    assert t.take() == [f"err {100 + INBOX} busy too much at once; send this again later"]
    t.door.gate.set()
    assert len(await t.say()) == INBOX + 1


@talking()
async def test_an_end_that_echoes_does_not_talk_for_ever(t):
    t.session.on_open()
    rounds = 0
    while t.sent and rounds < 5:
        rounds += 1
        heard = b"".join(t.sent)
        t.sent.clear()
        t.session.receive(heard)
        await t.session.wait_settled()
    assert rounds == 2


@talking()
async def test_long_answers_fit_a_line(t):
    t.door.answer = lambda asked, by: "X 8 8 > m6 d, " * 100 + "*"
    await t.say(encode(1, "ping", checked=True))
    t.session.receive(encode(2, "ask", "legal", checked=True))
    await t.session.wait_settled()
    (line,) = t.sent
    assert LIMIT - 16 < len(line) - 1 <= LIMIT
    (frame,) = FrameReader().feed(line)
    assert isinstance(frame, LineFrame)
    assert frame.args.endswith("…")


# One seat, one voice -----------------------------------------------------------------------------------


@pytest.mark.parametrize("present", [True, False])
@talking(2, BOUND)
async def test_nobody_else_says_hello_for_a_bound_seat(t, other, present):
    if present:
        assert (await t.say(NORTH))[0].endswith(" seat=a")
    for somebody in (other, t):
        assert await somebody.say(f"{OTHER} seat=a") == ["err 1 seat north speaks for seat a"]
        assert (await somebody.say("2 step a: P d m6", "3 tell 5,8,8"))[0].startswith("err 2 hello")
    assert t.door.records == []


@talking(2, settings=BOUND)
async def test_the_bound_node_itself_is_not_in_its_own_way(t, other):
    await t.say(NORTH)
    await other.say(OTHER)
    t.door.asks = "a"
    assert await t.say("2 step P d m6", "3 step a: P d m6", TELL) == ["ack 2 1", "ack 3 2", "ack 5 3"]
    assert t.door.voices == {}


@pytest.mark.parametrize("said", [NORTH, f"{NORTH} seat=a"])
@talking(2, settings=BOUND)
async def test_its_name_is_no_use_on_another_line(t, other, said):
    refusal = "err 1 hello by the box's settings north is on line usb0; use another name"
    assert await other.say(said) == [refusal]
    assert t.take() == []


@talking(2)
async def test_of_two_that_claim_a_free_seat_the_first_has_it_while_it_is_there(t, other):
    assert (await t.say("1 hello p 1 step,ask seat=b"))[0].endswith("seat=b")
    assert await other.say("1 hello q 1 step,ask seat=b") == ["err 1 seat p speaks for seat b"]
    assert (await other.say("2 hello q 1 step,ask"))[0].endswith("re=2")
    assert await other.say("3 step b: P d m6") == ["err 3 seat p speaks for seat b"]
    t.session.on_close()
    assert await other.say("4 step b: P d m6") == ["ack 4 1"]
    assert (await other.say("5 hello q 1 step,ask seat=b"))[0].endswith("seat=b last=4")
    t.session.on_open()
    t.take()
    assert await t.say("2 hello p 1 step,ask seat=b") == ["err 2 seat q speaks for seat b"]


# The box's keys ----------------------------------------------------------------------------------------


@talking(2, settings=PAD)
async def test_only_nodes_of_the_settings_have_the_keys(t, other):
    no = "hello the box's settings do not let pad-2 use its keys"
    assert await t.say("1 hello pad-2 1 step,key") == [f"err 1 {no}"]
    assert (await other.say("1 hello pad-1 1 key"))[0].startswith("err 1 hello by the box's settings")
    assert (await t.say("2 key ok"))[0].startswith("err 2 hello")
    await t.say("3 hello pad-1 1 step")
    assert (await t.say("4 key ok"))[0].startswith("err 4 kind your hello did not offer key")
    assert (t.keys, other.keys) == ([], [])
