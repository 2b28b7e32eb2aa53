"""Boxes and a desk at a real Mosquitto, and what may go wrong there."""

import asyncio
import contextlib
import subprocess
import sys

import msgspec
import pytest

from device.bench.event.parts import COMMAND
from device.event import make_event, move_to_table, publisher, read_keys, take_place
from device.event.broker import Credential, read_credential, run_until_first, stay_connected
from device.event.desk import app
from device.event.desk.app import attend, keep_own_certificate
from device.event.desk.live import Live
from device.event.desk.rows import LiveRecord, PointsByHand, RoundClock, SeatRow, Stage, TableResult
from device.event.desk.store import DeskStore, prepare_sqlite
from device.event.messages import TableView, TopicKind, Topics
from device.keys import Key, Press, Turn
from device.match import Answered, Call, list_scores
from device.menus import RoundHere
from device.menus.standstill import JudgesWord
from device.menus.ui import MOMENT_MS
from tests.device.conftest import in_a_loop
from tests.device.event.desk.conftest import unused_at
from tests.device.event.mosquitto import Broker, PublishingBox, find_free_port, needed, until
from tests.device.here import at_the_line

TOPICS = Topics.of("Friday cup")
TABLES = 3


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    """Boxes and desk look and try again sooner than at an event."""
    monkeypatch.setattr(app, "LOOK_S", 0.4)
    for module in (app, publisher):
        monkeypatch.setattr(module, "RETRY_S", (0.1, 1.0))


@pytest.fixture
def broker(tmp_path):
    needed()
    port = find_free_port()
    make_event(tmp_path / "cup", "Friday cup", TABLES, broker=f"mqtt://127.0.0.1:{port}")
    made = Broker(tmp_path / "cup" / "broker", port).start()
    yield made
    made.kill()


class Desk:
    """A desk at the broker, in this process."""

    def __init__(self, folder, name=""):
        there = (folder / "desk" / "desk.db").exists()
        self.store = DeskStore(prepare_sqlite(folder / "desk") if there else unused_at(folder / "desk"))
        self.keys = folder / "cup" / "keys.toml"
        if not self.store.event:
            self.store.set("Olga", event="Friday cup")
            people = [("Adso", "William")] * TABLES
            self.store.plan(
                1,
                [
                    SeatRow(1, f"table-{at:02}", letter, person)
                    for at, pair in enumerate(people, 1)
                    for letter, person in zip("ab", pair, strict=True)
                ],
                "Olga",
            )
        self.live = Live(self.store, lambda: read_keys(self.keys), name)
        at = read_credential(folder / "cup" / "broker" / "desk.json")
        self.task = asyncio.create_task(attend(self.live, at))

    async def close(self):
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task
        self.store.close()

    def records(self, box="table-01"):
        return len(
            {(row.match, row.seq) for row in self.store.every(LiveRecord) if row.who == box and row.seq}
        )

    def payloads(self):
        """What the records say that have come, which may be later than the view of a table."""
        return [msgspec.json.decode(row.line)["payload"] for row in self.store.every(LiveRecord) if row.seq]

    def state(self, table=0):
        return self.store.tables(1)[table].state


@contextlib.asynccontextmanager
async def meeting(folder, boxes=1, desk=True):
    made = [
        PublishingBox(folder / f"box-{at}", folder / "cup" / f"table-{at:02}.toml")
        for at in range(1, boxes + 1)
    ]
    there = Desk(folder) if desk else None
    try:
        yield there, made
    finally:
        for box in made:
            await box.close()
        if there:
            await there.close()


def retained(folder, topic):
    """Return what the broker keeps at a topic, as another client reads it."""

    async def read():
        at = read_credential(folder / "cup" / "broker" / "look.json")
        from aiomqtt import Will

        async with at.client(Will("x")) as client:
            await client.subscribe(topic)
            async for message in client.messages:
                return bytes(message.payload)
            return None

    return read()


@in_a_loop
async def test_a_box_that_was_away_for_hundreds_of_records_catches_up(broker, tmp_path):
    async with meeting(tmp_path, desk=False) as (_, (box,)):
        for _ in range(6):
            box.open()
            await box.play()
        told = sum(1 for path in box.library.matches.iterdir() for _ in path.open()) - 6
        assert told > 200
        box.online()
        desk = Desk(tmp_path)
        await until(lambda: desk.records() == told)
        await until(lambda: len({row.match for row in desk.store.every(TableResult)}) == 6)
        await desk.close()


@in_a_loop
async def test_another_desk_takes_over_at_the_broker(broker, tmp_path):
    async with meeting(tmp_path, desk=False) as (_, (box,)):
        hall = Desk(tmp_path, name="hall")
        hall.store.set("Olga", desk="hall")
        cellar = Desk(tmp_path, name="cellar")
        box.online()
        box.open()
        await box.play(8)
        await until(lambda: hall.records() == 8)
        await until(lambda: "table-01" in cellar.live.tables)
        cellar.store.set("Olga", desk="cellar")
        await until(lambda: not box.publisher.why and box.publisher.in_charge == "cellar")
        await box.play(8)
        await until(lambda: cellar.records() == 16)
        await hall.close()
        await box.play()
        await until(lambda: cellar.state() is Stage.IN)
        assert box.publisher.in_charge == "cellar", "the desk that ruled before leaves without a word"
        await cellar.close()
        await until(lambda: not box.publisher.in_charge)


@in_a_loop
async def test_a_box_without_power_is_offline_by_its_last_will(broker, tmp_path):
    async with meeting(tmp_path, 1) as (desk, _):
        file = tmp_path / "cup" / "table-02.toml"
        command = [*COMMAND, tmp_path / "box", file, "san_gimignano"]
        process = subprocess.Popen(command, stdin=subprocess.PIPE)
        try:
            process.stdin.write(b"5 0\n")
            process.stdin.flush()
            await until(lambda: desk.records("table-02") == 5)
            assert not desk.live.in_trouble()["offline"]
        finally:
            process.kill()
            process.communicate()
        await until(lambda: [one.box for one in desk.live.in_trouble()["offline"]] == ["table-02"])
        await until(lambda: desk.state(1) is Stage.UNFINISHED)


@in_a_loop
async def test_the_first_that_ends_ends_the_others_though_a_cancellation_was_swallowed():
    swallowed = []

    async def deaf():
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if swallowed:
                    raise
                swallowed.append(1)

    async def fails():
        await asyncio.sleep(0)
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        await run_until_first(deaf(), fails())
    assert swallowed == [1]


class Deaf:
    """A client that swallows a cancellation where ``at`` says, as Python 3.11's wait_for may."""

    def __init__(self, at):
        self.at, self.reached, self.said = at, asyncio.Event(), []

    def client(self, _will):
        return self

    async def hold(self, where):
        if where == self.at:
            self.reached.set()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.sleep(60)

    async def __aenter__(self):
        await self.hold("connecting")
        return self

    async def __aexit__(self, *_):
        pass

    async def subscribe(self):
        await self.hold("subscribing")
        if self.at == "farewell":
            self.reached.set()

    async def publish(self, _topic, payload, **_):
        self.said.append(payload)
        if self.at == "farewell":
            raise OSError("gone")


@pytest.mark.parametrize("at", ["connecting", "subscribing", "farewell"])
@in_a_loop
async def test_who_is_at_a_broker_ends_though_a_cancellation_was_swallowed(at):
    from aiomqtt import Will

    client = Deaf(at)

    async def serve(_client):
        await client.subscribe()
        await run_until_first(asyncio.sleep(60), asyncio.sleep(60))

    task = asyncio.create_task(stay_connected(client, lambda: Will("x", b"gone"), serve, print, (0.01, 0.01)))
    await client.reached.wait()
    task.cancel()
    await asyncio.wait([task], timeout=10)
    assert task.cancelled()
    assert client.said == [b"gone"]


@in_a_loop
async def test_a_box_writes_its_own_table_alone_and_nobody_without_a_password(broker, tmp_path):
    from aiomqtt import MqttError, Will

    async with meeting(tmp_path, 2) as (desk, (one, _)):
        at = one.publisher.credential
        told = TableView("table-01", troubles=("a lie",))
        view = msgspec.json.encode(told)
        others = (TOPICS.at("table-02", TopicKind.VIEW), TOPICS.to("table-02"), TOPICS.desk)
        for topic in (*others, TOPICS.at("table-01", TopicKind.VIEW)):
            with contextlib.suppress(MqttError):
                async with at.client(Will("x")) as client:
                    await client.publish(topic, view, qos=1, retain=True)
        await until(lambda: "table-01" in desk.live.tables)
        assert "table-02" not in desk.live.tables
        assert (
            msgspec.json.decode(await retained(tmp_path, TOPICS.at("+", TopicKind.VIEW)), type=TableView)
            == told
        )
        for wrong in (msgspec.structs.replace(at, password="x"), Credential(at.url, "", "")):
            with pytest.raises(MqttError):
                async with wrong.client(Will("x")):
                    pass


@in_a_loop
async def test_a_whole_box_is_heard_and_says_how_it_is_with_the_broker(broker, tmp_path):
    take_place(tmp_path / "cup" / "table-01.toml", tmp_path / "state")

    async with at_the_line(tmp_path / "state") as here:
        desk = Desk(tmp_path)
        url = here.daemon.publisher.credential.url
        await here.until(lambda: f"event {url}: ok" in here.daemon.status_lines())
        await here.open()
        await here.until(lambda: desk.records() == 2)
        view = desk.live.tables["table-01"].view
        assert (view.simulated, view.table, view.call) == (True, "table-01", 0)
        here.daemon.library.referee.rule(Call("which bag"), channel="keys")
        await here.until(desk.store.calls)
        assert (desk.store.calls()[0].said, desk.store.calls()[0].table) == ("which bag", "table-01")
        broker.kill()
        await here.until(lambda: here.daemon.publisher.why)
        assert here.daemon.box.warning == here.daemon.box.texts("warning.event")
        here.daemon.library.referee.rule(Answered(), channel="keys")
        broker.start()
        await here.until(lambda: not desk.store.calls())
        assert here.daemon.box.warning == ""
        await desk.close()


async def press(box, *keys):
    """Press keys, each once the page has been read."""
    for key in keys:
        box.page()
        await asyncio.sleep(2 * MOMENT_MS / 1000)
        box.key(key)


async def agree(box):
    """Read a judge's word and say that all agree."""
    await press(box, Press(Key.OK), Turn(1), Press(Key.OK))


@in_a_loop
async def test_a_judge_s_words_come_to_the_box_and_back_with_the_judge_s_name(broker, tmp_path):
    take_place(tmp_path / "cup" / "table-01.toml", tmp_path / "state")

    async with at_the_line(tmp_path / "state") as here:
        desk, box = Desk(tmp_path), here.daemon.box
        await here.open()
        here.daemon.library.referee.rule(Call("which bag"), channel="keys")
        await here.until(desk.store.calls)
        (call,) = desk.store.calls()
        answer = msgspec.structs.replace(call, said="the black one", answered=True)
        desk.store.add(answer, "Bea", after=call)
        await here.until(lambda: isinstance(box.stack[-1], JudgesWord))
        assert box.page().text == "Bea: the black one"
        assert [one.judge for one in desk.live.rulings.values()] == ["Bea"]
        await agree(box)
        await here.until(lambda: not here.daemon.library.referee.replay.affairs.call)
        await here.until(lambda: desk.payloads()[-2:] == ["by judge Bea", "answered the black one"])
        await here.until(lambda: not desk.live.rulings)
        assert desk.store.calls() == []
        match, played = desk.live.tables["table-01"].view.match, here.daemon.library.referee.replay
        by_hand = {"match": match, "name": played.names[1], "points": 5, "reason": "given back"}
        desk.store.add(PointsByHand(round=1, table="table-01", **by_hand), "Bea")
        await here.until(lambda: isinstance(box.stack[-1], JudgesWord))
        before = list_scores(played)[1]
        await agree(box)
        await here.until(lambda: list_scores(played)[1] == before + 5)
        await here.until(lambda: desk.payloads()[-2:] == ["by judge Bea", "adjust b +5 given back"])
        await here.until(lambda: not desk.live.rulings)
        await desk.close()


@in_a_loop
async def test_names_and_the_round_s_time_come_to_the_box_and_start_a_match(broker, tmp_path):
    take_place(tmp_path / "cup" / "table-01.toml", tmp_path / "state")
    async with at_the_line(tmp_path / "state") as here:
        desk, box = Desk(tmp_path), here.daemon.box
        await here.until(lambda: box.round == RoundHere(1, "table-01", ("Adso", "William")))
        desk.store.add(RoundClock(round=1, left_s=34 * 60 + 30, running=True), "Olga")
        await here.sees("Round 1: 34 min left")
        desk.store.plan(1, [SeatRow(1, "table-01", "a", "Bea"), SeatRow(1, "table-01", "b", "Adso")], "Olga")
        await here.until(lambda: box.round.names == ("Bea", "Adso"))
        await press(box, Press(Key.OK), Press(Key.OK))
        assert box.page().prompt == "Is this your table? A Bea, B Adso"
        await press(box, Press(Key.OK))
        await here.until(lambda: here.daemon.library.referee)
        assert here.daemon.library.referee.replay.names == ("Bea", "Adso")
        assert here.daemon.library.referee.header["round"] == "1"
        await here.until(lambda: desk.live.tables["table-01"].view.names == ("Bea", "Adso"))
        await desk.close()
    async with at_the_line(tmp_path / "state") as here:
        assert here.daemon.box.round == RoundHere(1, "table-01", ("Bea", "Adso")), "no desk has told it yet"
        assert here.daemon.box.tell_round() == "", "how long it lasts only the desk knows"
        assert here.daemon.library.round == "1"
    move_to_table(tmp_path / "state", "table-02")
    async with at_the_line(tmp_path / "state") as here:
        assert here.daemon.box.round == RoundHere(0, "table-02"), "it knows its table alone"
        assert here.daemon.library.round == ""


@in_a_loop
async def test_a_box_starts_without_the_client_and_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "aiomqtt", None)
    make_event(tmp_path / "cup", "Friday cup", 1, broker="mqtt://127.0.0.1:1")
    take_place(tmp_path / "cup" / "table-01.toml", tmp_path / "state")
    async with at_the_line(tmp_path / "state") as here:
        await here.until(lambda: str(here.daemon.publisher.why).startswith("aiomqtt is not installed here"))
        await here.open()
        assert here.recorded == 2
    (tmp_path / "state" / "broker").write_text("{torn")
    async with at_the_line(tmp_path / "state") as here:
        assert here.daemon.publisher is None
        assert any("take the box's file once more" in str(said) for said in here.daemon.library.problems)


@in_a_loop
async def test_over_tls_by_the_certificate_of_the_box_s_file(tmp_path):
    needed()
    tls, port = keep_own_certificate(tmp_path, "127.0.0.1"), find_free_port()
    ca = tls[0].read_text()
    make_event(tmp_path / "cup", "Friday cup", 2, broker=f"mqtts://127.0.0.1:{port}", broker_ca=ca)
    broker = Broker(tmp_path / "cup" / "broker", port, tls).start()
    try:
        async with meeting(tmp_path, 2) as (desk, (one, other)):
            one.online()
            one.open()
            await one.play(4)
            await until(lambda: desk.records() == 4)
            other.publisher.credential = msgspec.structs.replace(other.publisher.credential, ca="")
            other.online()
            await until(lambda: "certificate" in str(other.publisher.why).lower())
    finally:
        broker.kill()
