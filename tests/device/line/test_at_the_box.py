"""Nodes on the lines of a whole box: one that plays a seat, one that presses its keys, one that watches."""

from device.keys import Key
from tests.device.conftest import in_a_loop
from tests.device.here import running, simulated
from tests.device.line.fakes import FarEnd

LINES = """
[simulated]
lines = 3

[[line]]
url = "simulated:2"
bind = { north = "a" }

[[line]]
url = "simulated:3"
keys = ["pad"]
"""


class Node:
    """Somebody at a simulated line."""

    def __init__(self, path, name, caps, seat=""):
        self.far = FarEnd(path)
        self.number = 0
        self.hello = f"hello {name} 1 {caps}{seat}"

    async def say(self, said):
        self.number += 1
        self.far.write(f"\n{self.number} {said}\n".encode())
        while True:
            _, kind, args = (await self.far.line()).split(" ", 2)
            answers = f"re={self.number}" if kind == "hello" else str(self.number)
            if kind != "event" and answers in args.split():
                return f"{kind} {args}"

    async def event(self):
        return (await self.far.until(" event ")).split(" ", 2)[2]


@in_a_loop
async def test_a_seat_the_keys_and_a_display(tmp_path):
    state = tmp_path / "state"
    async with running(simulated(state, LINES)) as here:
        await here.until(lambda: all(line.online for line in here.daemon.lines.states))
        watch = Node(state / "line-node", "watch", "watch,step,open")
        north = Node(state / "line2-node", "north", "step,tell")
        pad = Node(state / "line3-node", "pad", "key")
        assert "seat" not in await watch.say(watch.hello)
        assert (await north.say(north.hello)).endswith(" seat=a")
        await pad.say(pad.hello)
        assert (await watch.say("ask match")).startswith("err 2 noseat")
        assert (await watch.say("open san_gimignano Adso,William")) == "ack 3 1"
        assert await watch.say("ask match") == "match 4 san_gimignano Adso,William level=full head=1"
        assert await watch.say("ask readings") == "readings 5 towers market fact"
        assert await watch.say("step 6 8 8 10") == "ack 6 2"
        assert await watch.say("step P d m6") == "err 7 seat north speaks for seat a"
        assert await watch.say("step a: P d m6") == "err 8 seat north speaks for seat a"
        assert (await watch.say("hello watch 1 watch,step seat=a")).startswith("err 9 seat north")
        assert await north.say("step pass") == "ack 2 3"
        await watch.say("hello watch 1 watch")
        assert await pad.say("key undo") == "ack 2"
        await here.until(lambda: "pass" in repr(here.daemon.box.page()))
        assert await pad.say("key ok") == "ack 3"
        assert await watch.event() == "4 turn a action ruling undo 3"
        for knob in ("key turn +1", "key turn -1", f"key {Key.BACK} hold"):
            assert (await pad.say(knob)).startswith("ack")
        assert [state.node for state in here.daemon.lines.states] == ["north", "pad", "watch"]
        assert here.daemon.lines.states[0].seat == "a"
        for node in (watch, north, pad):
            node.far.close()
