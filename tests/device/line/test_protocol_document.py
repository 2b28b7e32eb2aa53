"""What hardware/PROTOCOL.md tells is what the box does."""

import asyncio
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import engines
from device.config import parse
from device.keys import Hold, Key, KeyEvent, Press, Turn
from device.line import describe_event
from device.line.door import LineDoor
from device.line.frames import LIMIT, MAX_SEQ, FrameReader, LineFrame
from device.line.messages import ASKS, CAPS, CODES, KINDS
from device.line.nodes import REPLIES_KEPT, Nodes
from device.line.session import TELEMETRY_A_SECOND, Session
from device.match.door import MatchDoor
from device.match.journal import read
from device.match.library import Library
from device.menus import Box
from device.screen.pixels import pages_of
from device.settings import Entries, LineSettings
from device.telemetry import HEALTH
from tests.device.conftest import in_a_loop
from tests.device.line.fakes import FakeDoor

TEXT = (Path(__file__).parents[3] / "hardware" / "PROTOCOL.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def section(title: str) -> str:
    return re.split(r"^#+ ", TEXT.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def first_column(title: str) -> list[str]:
    cells = re.findall(r"^\| (`.*?) \|", section(title), re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([a-z]+)`", cell)]


@in_a_loop
async def test_the_session_can_be_typed(tmp_path):
    """Line by line at a real table: every answer is in the document, word for word."""
    script = "".join(blocks("session"))
    said: list[bytes] = []
    loop = asyncio.get_running_loop()
    told = 0

    def written() -> None:
        nonlocal told
        assert table.referee
        table.referee.poll()
        if table.referee.recorded > told:
            told = table.referee.recorded
            session.send_event(told, describe_event(table.referee))

    table = Library(tmp_path, wake=lambda: loop.call_soon_threadsafe(written))
    box = Box(MatchDoor(table), pages=pages_of, strict=True)
    session = Session("usb", LineDoor(box.door, box.words_of), said.append, Nodes())
    task = asyncio.create_task(session.run())
    session.on_open()
    for line in script.splitlines():
        if line.startswith("> "):
            assert not said, f"not in the document: {said}"
            session.receive(f"{line[2:]}\r".encode())
            await session.wait_settled()
        else:
            assert said, f"never said: {line}"
            assert f"< {said.pop(0).decode()}" == f"{line}\n"
    assert not said
    task.cancel()
    table.leave()
    (journal,) = (tmp_path / "matches").iterdir()
    played = [record.payload for record in read(journal).records]
    assert played[:4] == ["opened", "6 8 8 10", "P d m6", "P d m8"]
    assert played[5:] == ["B 6x3", "5,5,6,6,8,8,10"]


def test_tables_are_complete():
    assert first_column("What you may send") == list(KINDS)
    assert first_column("What the box sends") == ["hello", "ack", "err", *ASKS, "event"]
    assert sorted(first_column("Codes of `err`")) == sorted(CODES)


def test_figures():
    assert f"at most {LIMIT} bytes" in TEXT
    assert f"0 to {MAX_SEQ}" in TEXT
    assert f"last {REPLIES_KEPT} answers" in TEXT
    assert f"{LineSettings('loop://').baud} baud" in TEXT
    assert f"More than {TELEMETRY_A_SECOND} of these words" in TEXT
    assert [
        word for word in re.findall(r"^\| `([a-z-]+)` \|", section("A scale"), re.M) if word in HEALTH
    ] == list(HEALTH)
    for cap in CAPS:
        assert f"`{cap}`" in section("What you may send")


def test_settings():
    config, problems = parse("\n".join(blocks("toml")))
    assert not problems
    assert config.line == (LineSettings("/dev/ttyUSB0", 115200, True, {"keypad-1": "b"}, ("pad-1",)),)
    assert config.confirm.line == Entries("other", "ask")


def test_checked_examples_and_python():
    (examples,) = blocks("checked")
    (code,) = blocks("python")
    scope: dict[str, object] = {}
    exec(code, scope)
    lines = examples.splitlines()
    assert len(lines) == 2
    for line in lines:
        assert [type(item) for item in FrameReader(checked=True).feed(f"{line}\n".encode())] == [LineFrame]
        assert scope["checked"](line.partition("*")[0]) == f"{line}\n".encode()


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs a C++ compiler")
def test_arduino_code(tmp_path):
    """The two functions as they stand, with a Serial that prints."""
    (examples,) = blocks("checked")
    plain = [line.partition("*")[0] for line in examples.splitlines()] + ["18 step dürfen"]
    main = "".join(f'  sendLine("{line}");\n' for line in plain)
    (tmp_path / "node.cpp").write_text(
        "#include <cstdint>\n#include <cstdio>\n"
        "struct { void print(const char *s) { fputs(s, stdout); } void println(const char *s) { puts(s); } }"
        " Serial;\n" + "".join(blocks("cpp")) + f"int main() {{\n{main}}}\n"
    )
    subprocess.run(["g++", "-Wall", "-o", tmp_path / "node", tmp_path / "node.cpp"], check=True)
    out = subprocess.run([tmp_path / "node"], check=True, capture_output=True).stdout
    frames = FrameReader(checked=True).feed(out)
    assert [f"{frame.seq} {frame.kind} {frame.args}".rstrip() for frame in frames] == plain


@in_a_loop
async def test_the_keys_can_be_typed():
    """The example of a node with the box's keys: every line is taken."""
    (example,) = blocks("text")
    pressed: list[KeyEvent] = []
    said: list[bytes] = []
    nodes = Nodes(parse("\n".join(blocks("toml")))[0].line)
    session = Session("/dev/ttyUSB0", FakeDoor(), said.append, nodes, on_key=pressed.append)
    task = asyncio.create_task(session.run())
    session.receive(example.encode())
    await session.wait_settled()
    task.cancel()
    assert [line.split()[1] for line in said] == [b"hello", b"ack", b"ack", b"ack"]
    assert pressed == [Turn(2), Press(Key.OK), Hold(Key.BACK)]


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_every_game_takes_the_readings_it_is_said_to(game_id):
    """Each place that is read stands before its game's name, behind that of the game before."""
    told, titles = section("What you may send"), [_title(engines.game(name)) for name in engines.GAMES]
    parts = dict(zip(titles, re.split("|".join(f" in {title}" for title in titles), told), strict=False))
    named = set(re.findall(r"`([a-z.]+)`", parts[_title(engines.game(game_id))]))
    places = {sight.NAME for sight in engines.game(game_id).sights}
    ranged = {"region.a", "region.d"} <= named  # the seats between them, too
    assert places - named <= ({"region.b", "region.c"} if ranged else set())


def _title(game):
    return game.title.removeprefix("Le Torri di ")
