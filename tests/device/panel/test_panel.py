"""The panel's routes, its stream of events, and whom it refuses."""

import asyncio
import base64
import contextlib
import io
import json
import logging
import os
import re
import signal
import socket

import httpx
import pytest
from PIL import Image

from device.keys import Gesture, Key, Press, Turn
from device.panel import make_app, serve
from device.panel.app import LET_GO_S
from device.panel.server import BUSY, CONNECTIONS, OF_A_GUEST, OF_THE_BOX, PanelError, bind
from device.screen import NoticePage, PageHeader
from device.screen.pixels import ScreenWorker, draw, open_display
from device.settings import DisplaySettings, Keys
from device.simulate import SimulatedHardware
from tests.device.conftest import JumpingLoop, in_a_loop
from tests.device.panel.fakes import HERE, Box

NOTICE = NoticePage(PageHeader("Adso"), "Your turn")
PATIENCE_S = 20  # only ever spent by a test that fails


class Hands(SimulatedHardware):
    """Notes what it is asked to do."""

    def __init__(self):
        super().__init__(Keys())
        self.done = []
        self.busy = False
        self._hand, self.hand = self.hand, self

    def press(self, key, ms=60):
        self._hand.press(key, ms)
        return self._note("press", key, ms)

    def down(self, key):
        return self._note("down", key)

    def up(self, key):
        return self._note("up", key)

    def turn(self, steps):
        self._hand.turn(steps)
        return self._note("turn", steps)

    def _note(self, *done):
        self.done.append(done)
        gesture = Gesture(lambda: None)
        gesture.settle(overtaken=self.busy)
        return gesture


class Client:
    """Asks an app without a wire, on a clock that jumps to whatever comes next."""

    def __init__(self, app):
        self.loop = JumpingLoop()
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HERE, timeout=None)

    def request(self, method, path, **options):
        return self.loop.run_until_complete(self.http.request(method, path, **options))

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def post(self, path, **options):
        return self.request("POST", path, **options)

    def wait(self, seconds):
        self.loop.run_until_complete(asyncio.sleep(seconds))


@pytest.fixture
def open_client():
    clients = []

    def make(*args):
        clients.append(Client(make_app(*args)))
        return clients[-1]

    yield make
    for client in clients:
        client.loop.run_until_complete(client.http.aclose())
        client.loop.close()


@pytest.fixture
def screen():
    screen = ScreenWorker(lambda: open_display(DisplaySettings(driver="offscreen")))
    screen.show(NOTICE)
    yield screen
    screen.close()


@pytest.fixture
def hands():
    return Hands()


@pytest.fixture
def client(open_client, hands, screen):
    return open_client(hands, screen, lambda _: {"to move": "Adso"}, ["Box.example"])


@pytest.fixture
def onlooker(open_client, screen):
    return open_client(None, screen, dict)


# Looking


def test_the_page_and_its_parts(client):
    page = client.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert 'data-hardware="simulated"' in page.text
    assert "SIMULATED" in page.text
    kinds = {"css": "text/css", "js": "text/javascript", "svg": "image/svg"}
    named = re.findall(r'(?:href|src)="(\w+\.\w+)"', page.text)
    for name in named:
        part = client.get(f"/{name}")
        assert part.headers["content-type"].startswith(kinds[name.split(".")[1]])
        named += {f"{module}.js" for module in re.findall(r'from "\./(\w+)\.js"', part.text)} - {*named}
    assert {"main.js", "page.css", "table.js", "icon.svg"} < {*named}
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert "://" not in page.text, "the page needs no network"


def until_drawn(screen):
    screen.close()
    assert screen.last_image is not None


@pytest.mark.parametrize("scale", [1, 4])
def test_the_screen_as_a_picture(client, screen, scale):
    until_drawn(screen)
    answer = client.get(f"/screen.png?scale={scale}")
    image = Image.open(io.BytesIO(answer.content))
    expected = draw(NOTICE, (0, 0))
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cache-control"] == "no-store"
    assert image.size == (128 * scale, 64 * scale)
    assert image.resize((128, 64), Image.Resampling.NEAREST).tobytes() == expected.tobytes()


@pytest.mark.parametrize("scale", ["0", "17", "x"])
def test_a_picture_of_no_sensible_size(client, scale):
    answer = client.get("/screen.png", params={"scale": scale})
    assert answer.status_code == 400
    assert answer.text == f"scale must be a whole number from 1 to 16, not {scale}\n"


def test_no_picture_yet(open_client, hands):
    screen = ScreenWorker(lambda: open_display(DisplaySettings(driver="none")))
    image = Image.open(io.BytesIO(open_client(hands, screen, dict).get("/screen.png").content))
    screen.close()
    assert image.size == (128, 64)
    assert not image.getbbox()


# Acting


@pytest.mark.parametrize(
    ("path", "done"),
    [
        *((f"/key/{key}", ("press", key, 60)) for key in Key),
        ("/key/back?ms=1200", ("press", Key.BACK, 1200)),
        *((f"/down/{key}", ("down", key)) for key in Key),
        *((f"/up/{key}", ("up", key)) for key in Key),
        ("/turn/1", ("turn", 1)),
        ("/turn/-12", ("turn", -12)),
    ],
)
def test_keys(client, hands, path, done):
    assert client.post(path).status_code == 204
    assert hands.done == [done]
    assert client.get(path).status_code == 405


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/key/menu", "there is no menu, only ok, back, undo, call"),
        ("/down/OK", "there is no OK, only ok, back, undo, call"),
        ("/key/ok?ms=5", "a press lasts 10 to 60000 ms, not 5"),
        ("/key/ok?ms=soon", "ms must be a whole number from 0 to 1000000, not soon"),
        ("/turn/0", "a turn has 1 to 100 detents either way, not 0"),
        ("/turn/101", "a turn has 1 to 100 detents either way, not 101"),
        ("/turn/left", "steps must be a whole number from -1000000 to 1000000, not left"),
        (
            "/fault/gremlin/on",
            "there is no gremlin, only bouncing_keys, display_gone, disk_full, slow_disk",
        ),
        ("/fault/slow_disk/maybe", "there is no maybe, only on, off"),
    ],
)
def test_what_cannot_be_done_says_why(client, hands, path, why):
    answer = client.post(path)
    assert (answer.status_code, answer.text) == (400, f"{why}\n")
    assert not hands.done


@pytest.mark.parametrize("path", ["/key/ok", "/down/ok", "/up/ok", "/turn/1", "/fault/slow_disk/on"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_real_box_is_only_looked_at(onlooker, method, path):
    answer = onlooker.request(method, path)
    assert (answer.status_code, answer.text) == (405, "this box has real keys: the page only shows it\n")
    assert 'data-hardware="real"' in onlooker.get("/").text


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8080", "127.0.0.1:8080"),
        ("http://192.168.0.7:8080", "192.168.0.7:8080"),
        ("http://[fe80::1]:8080", "[fe80::1]:8080"),
        ("http://localhost:8080", "localhost:8080"),
        (f"http://{socket.gethostname()}", socket.gethostname()),
        (f"http://{socket.gethostname()}.local:8080", f"{socket.gethostname()}.local:8080"),
        ("http://box.example:8080", "box.example:8080"),
        *(
            (None, host)
            for host in ("box.example", "LOCALHOST:1", "localhost.", "Box.example", "box.example.:80")
        ),
    ],
)
def test_our_own_page_may_press(client, hands, origin, host):
    headers = {"host": host} | ({"origin": origin} if origin else {})
    assert client.post("/key/ok", headers=headers).status_code == 204
    assert hands.done


@pytest.mark.parametrize(
    ("origin", "host", "why"),
    [
        ("http://evil.example", "127.0.0.1:8080", "http://evil.example may not press the keys of"),
        ("http://127.0.0.1:9000", "127.0.0.1:8080", "http://127.0.0.1:9000 may not press the keys of"),
        ("null", "127.0.0.1:8080", "null may not press the keys of 127.0.0.1:8080"),
        ("", "127.0.0.1:8080", "may not press the keys of 127.0.0.1:8080"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/key/ok", "/down/ok", "/up/ok", "/turn/1", "/fault/slow_disk/on"])
def test_a_foreign_page_may_not_press(client, hands, path, origin, host, why):
    answer = client.post(path, headers={"host": host, "origin": origin})
    assert answer.status_code == 403
    assert why in answer.text
    assert not hands.done
    assert not hands.faults["slow_disk"]


def test_a_key_that_a_lost_page_holds_is_let_go_and_none_that_was_let_go_in_time(client, hands):
    client.post("/down/back")
    client.wait(1)
    client.post("/up/back")
    client.post("/down/call")
    client.wait(1)
    client.post("/down/call")
    client.wait(LET_GO_S - 0.1)
    done = [("down", Key.BACK), ("up", Key.BACK), *[("down", Key.CALL)] * 2]
    assert hands.done == done
    client.wait(0.2)
    assert hands.done == [*done, ("up", Key.CALL)]


@pytest.mark.parametrize(
    "path", ["/", "/status", "/screen.png", "/events", "/main.js", "/key/ok", "/nothing"]
)
@pytest.mark.parametrize(
    "host", ["evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "", "["]
)
def test_under_a_foreign_name_nothing_is_told_and_nothing_pressed(client, hands, path, host):
    """A name of somebody else's that points here: to a browser the page that is open would be ours."""
    answer = client.request("POST" if "key" in path else "GET", path, headers={"host": host})
    assert answer.status_code == 421
    assert answer.text.startswith("refused: open this page by the box's address")
    assert not hands.done


def test_a_press_that_was_overtaken_is_answered_so(client, hands):
    hands.busy = True
    answer = client.post("/key/ok")
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    assert answer.text == "not done: 64 presses and turns came after it while it waited\n"


# The stream


class Stream:
    """What a page hears."""

    def __init__(self, lines):
        self._lines = lines
        self.picture = b""
        self.state = {}

    async def next(self):
        name = ""
        async for line in self._lines:
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: ") and name == "picture":
                self.picture = base64.b64decode(line[6:])
            elif line.startswith("data: ") and name == "state":
                self.state = json.loads(line[6:])
            elif not line and name:
                return name
        return ""

    async def until(self, found):
        while not found(self):
            assert await self.next(), "the stream ended"


@contextlib.asynccontextmanager
async def listening(box):
    """A running box, somebody at its page, what the page hears, and of what kind."""
    async with (
        box.running(),
        httpx.AsyncClient(base_url=box.url, timeout=PATIENCE_S) as http,
        http.stream("GET", "/events") as answer,
    ):
        yield http, Stream(answer.aiter_lines()), answer.headers["content-type"]


@in_a_loop
async def test_the_stream_tells_of_every_change_at_once(monkeypatch):
    monkeypatch.setattr("device.panel.feed.LOOK_S", 1000)
    box = Box()
    async with listening(box) as (http, stream, kind):
        assert kind.startswith("text/event-stream")
        await stream.until(lambda s: s.picture and s.state.get("display"))
        assert stream.state["status"] == box.status({})
        before = stream.picture
        await http.post("/turn/2")
        await stream.until(lambda s: s.picture != before)
        await box.hardware.hand.rest()
        assert box.events == [Turn(1), Turn(1)]
        await stream.until(lambda s: s.picture == box.screen.last_image.tobytes())
        await http.post("/key/ok")
        await stream.until(lambda s: s.state["lights"] == {"led": True, "buzzer": True})
        await stream.until(lambda s: s.state["lights"] == {"led": False, "buzzer": False})
        await stream.until(lambda s: s.state["status"]["recorded"] == 42)
        await http.post("/fault/display_gone/on")
        await stream.until(lambda s: s.state["faults"]["display_gone"])
        assert box.events == [Turn(1), Turn(1), Press(Key.OK)]


@in_a_loop
async def test_what_nobody_announces_is_noticed_and_silence_means_the_end(monkeypatch):
    monkeypatch.setattr("device.panel.feed.LOOK_S", 0.01)
    monkeypatch.setattr("device.panel.feed.ALIVE_S", 0.03)
    box = Box()
    async with listening(box) as (_, stream, _):
        await stream.until(lambda s: s.state.get("display"))
        box.recorded = 77
        await stream.until(lambda s: s.state["status"]["recorded"] == 77)
        box.hardware.set_fault("display_gone", True)
        box.take(Turn(1))
        await stream.until(lambda s: not s.state["display"])
        for _ in range(3):
            assert await stream.next(), "a sign of life though nothing changes"


@in_a_loop
async def test_the_match_is_told_when_it_has_changed_and_not_with_every_sign_of_life(monkeypatch):
    monkeypatch.setattr("device.panel.feed.LOOK_S", 0.01)
    monkeypatch.setattr("device.panel.feed.ALIVE_S", 0.0)
    now = ["1"]
    monkeypatch.setattr(Box, "match", lambda *_: now[0])
    box = Box()
    async with listening(box) as (_, stream, _):
        heard = [await stream.next() for _ in range(20)]
        assert (heard.count("match"), heard.count("state") > 10) == (1, True)
        now[0] = "2"
        while await stream.next() != "match":
            pass


# Serving


@contextlib.asynccontextmanager
async def idle_connections(url, number, said=b""):
    """So many connections on which nothing more is said than this."""
    open_ones = []
    for _ in range(number):
        reader, writer = await asyncio.open_connection("127.0.0.1", httpx.URL(url).port)
        writer.write(said)
        open_ones.append((reader, writer))
    try:
        yield open_ones
    finally:
        for _, writer in open_ones:
            writer.close()


def descriptors():
    return len(os.listdir("/proc/self/fd"))


@in_a_loop
async def test_idle_connections_are_few_and_end(monkeypatch):
    """Who opens connections by the hundred gets few, and the page is there again when those have ended."""
    monkeypatch.setattr("device.panel.server.IDLE_S", 0.2)
    box = Box()
    async with box.running(), httpx.AsyncClient(timeout=PATIENCE_S) as http:
        before = descriptors()
        async with idle_connections(box.url, 300) as idle:
            assert descriptors() - before <= 300 + CONNECTIONS + 20  # theirs, and the few of ours
            heard = [await reader.read() for reader, _ in idle]
            assert set(heard) <= {b"", BUSY}
        assert (await http.get(box.url + "status")).status_code == 200


@pytest.mark.parametrize(
    "said",
    [
        b"GET /status HTTP/1.1\r\nHost: localhost\r\n",
        b"GET /status HTTP/1.1\r\nHost: localhost\r\n\r\nGET /sta",
        b"POST /turn/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n",
    ],
    ids=["half a head", "half a second head", "no body"],
)
@in_a_loop
async def test_half_a_request_is_not_waited_for(monkeypatch, said):
    monkeypatch.setattr("device.panel.server.IDLE_S", 0.2)
    box = Box()
    async with box.running(), idle_connections(box.url, 1, said) as ((reader, _),):
        await reader.read()


@in_a_loop
async def test_a_page_that_listens_stays(monkeypatch):
    monkeypatch.setattr("device.panel.server.IDLE_S", 0.2)
    monkeypatch.setattr("device.panel.feed.LOOK_S", 0.01)
    box = Box()
    async with listening(box) as (_, stream, _):
        await stream.next()
        await asyncio.sleep(0.5)
        box.recorded = 77
        await stream.until(lambda s: s.state.get("status", {}).get("recorded") == 77)


@in_a_loop
async def test_a_page_that_takes_nothing_is_let_go(monkeypatch):
    monkeypatch.setattr("device.panel.server.IDLE_S", 0.2)
    monkeypatch.setattr("device.panel.feed.LOOK_S", 0.001)
    monkeypatch.setattr("device.panel.feed.ALIVE_S", 0.0)
    box = Box()
    box.problems = ["x" * 100_000]
    listening = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    async with box.running(), idle_connections(box.url, 1, listening) as ((reader, writer),):
        writer.transport.pause_reading()
        await asyncio.sleep(2)
        writer.transport.resume_reading()
        with contextlib.suppress(ConnectionError):
            await reader.read()


@in_a_loop
async def test_one_guest_does_not_shut_the_others_out():
    """Nor do all guests together whoever sits at the box."""

    async def answers(url, address):
        at = httpx.URL(url)
        reader, writer = await asyncio.open_connection(at.host, at.port, local_addr=(address, 0))
        writer.write(b"GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return await reader.readline(), writer

    open_ones = []
    async with Box().running() as box:

        async def served(address):
            line, writer = await answers(box.url, address)
            open_ones.append(writer)
            return b"200" in line

        assert [await served("127.0.0.2") for _ in range(OF_A_GUEST + 2)] == [True] * OF_A_GUEST + [False] * 2
        assert await served("127.0.0.3")
        guests = [await served(f"127.0.0.{n}") for n in range(4, 4 + CONNECTIONS)]
        assert sum(guests) == CONNECTIONS - OF_THE_BOX - OF_A_GUEST - 1
        assert [await served("127.0.0.1") for _ in range(OF_THE_BOX)] == [True] * OF_THE_BOX
        for writer in open_ones:
            writer.close()


@in_a_loop
async def test_serving_ends_at_once_though_pages_are_open(caplog, monkeypatch):
    monkeypatch.setattr("device.panel.feed.LOOK_S", 1000)
    caplog.set_level(logging.INFO)
    box = Box()
    async with httpx.AsyncClient(timeout=PATIENCE_S) as http:
        async with box.running():
            streams = [await http.send(http.build_request("GET", box.url + "events"), stream=True)]
            lines = Stream(streams[0].aiter_lines())
            assert await lines.next()
        while await lines.next():
            pass
        await streams[0].aclose()
        with pytest.raises(httpx.ConnectError):
            await http.get(box.url)
    assert "Cancel" not in caplog.text, "uvicorn had to cut a stream off"
    assert "panel: http://127.0.0.1:" in caplog.text


@in_a_loop
async def test_signals_stay_the_daemons():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    async with Box().running():
        assert before == [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]


@in_a_loop
async def test_a_taken_port_is_named_once_with_what_to_do_and_tried_again(screen, monkeypatch):
    monkeypatch.setattr("device.panel.server.RETRY_S", 0.01)
    taken = bind("127.0.0.1", 0)
    port = taken.getsockname()[1]
    urls = asyncio.Queue()
    app = make_app(None, screen, dict)
    lines = []
    told = {"on_url": urls.put_nowait, "on_wait": lines.append}
    serving = asyncio.create_task(serve(app, "127.0.0.1", port, **told))
    await asyncio.sleep(0.1)
    assert not serving.done()
    taken.close()
    url = await urls.get()
    assert url == f"http://127.0.0.1:{port}/"
    async with httpx.AsyncClient() as http:
        assert (await http.get(url)).status_code == 200
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert lines == [
        f"panel: another program has port {port} of 127.0.0.1; choose another with --port, or with port "
        "under [panel] in the configuration (tried again every 0.01 s)"
    ]


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("no.such.host.invalid", "no address no.such.host.invalid port 8080: [A-Z][^\\[]+"),
        ("203.0.113.7", "cannot serve on 203.0.113.7 port 8080: Cannot assign requested address"),
        ("a" * 300, f"no address {'a' * 300} port 8080: .*label.*too long.*"),
    ],
)
def test_an_address_that_is_not_ours_is_refused_with_the_reason_alone(host, why):
    with pytest.raises(PanelError) as refused:
        bind(host, 8080)
    assert re.fullmatch(f"panel: {why}", str(refused.value))
