"""A bug in each part of a running daemon: it is logged and shown, the part comes back, the match goes on."""

import asyncio

import pytest

from device import daemon as daemons
from device import supervise
from device.keys import Hold, Key, Press
from device.line.service import LineState
from device.match.library import Library
from device.menus.home import Home
from device.menus.play import Play
from device.texts import words
from tests.device.here import PATIENCE_S, at_the_line, running, simulated

WHY = "RecursionError: injected"


def fail(*_args, **_names):
    raise RecursionError("injected")


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(supervise.keep, "__defaults__", ((0.05, 0.2),))


@pytest.mark.parametrize(
    ("name", "warning"), [("line", "line"), ("sensors", "sensor"), ("keys", "key"), ("panel", "page")]
)
def test_a_part_that_fails_is_shown_and_begins_again(tmp_path, monkeypatch, caplog, name, warning):
    broken = asyncio.Event()
    runs = []

    def breaking(run):
        async def once(*args):
            runs.append(name)
            if len(runs) == 1:
                await broken.wait()
                fail()
            await run(*args)

        return once

    where = {
        "line": (daemons.LineService, "run"),
        "sensors": (daemons.host.SensorService, "run"),
        "keys": (daemons.Daemon, "_keep_controls"),
        "panel": (daemons.Daemon, "_serve_panel"),
    }
    part, method = where[name]
    monkeypatch.setattr(part, method, breaking(getattr(part, method)))
    monkeypatch.setattr(supervise.keep, "__defaults__", ((0.5, 0.5),))

    async def main():
        daemon = simulated(tmp_path / "state")
        task = asyncio.create_task(daemon.run())
        while not runs:
            await asyncio.sleep(0.01)
        broken.set()
        async with asyncio.timeout(PATIENCE_S):
            while daemon.surprises.away != {name: words(WHY)}:
                await asyncio.sleep(0.01)
            assert daemon.box.page().header.warning == warning
            assert f"{name}: {WHY}" in daemon.status_lines()
            assert f"{name}: {WHY}" in daemon.status()["problems"]
            while daemon.surprises.away or len(runs) < 2 or daemon.controls is None:
                await asyncio.sleep(0.01)
            while not all(line.online for line in daemon.lines.states):
                await asyncio.sleep(0.01)
            while daemon.box.page().header.warning:
                await asyncio.sleep(0.01)
        daemon.stop()
        await task

    asyncio.run(main())
    assert f"{name}: {WHY}; begins again in 0.5 s" in caplog.text


def test_what_a_node_calls_itself_commands_no_panel(tmp_path, monkeypatch):
    async def main():
        daemon = simulated(tmp_path / "state")
        task = asyncio.create_task(daemon.run())
        async with asyncio.timeout(PATIENCE_S):
            while daemon.controls is None:
                await asyncio.sleep(0.01)
        states = (LineState("/dev/pad", True, node="pad\u202e"), LineState("/dev/pad", False, "gone\x1b[2J"))
        monkeypatch.setattr(daemons.LineService, "states", states)
        lines = daemon.status()["lines"]
        assert [(line["node"], line["why"]) for line in lines] == [("pad�", ""), (None, "gone�[2J")]
        daemon.stop()
        await task

    asyncio.run(main())


def test_a_line_that_came_back_serves(tmp_path, monkeypatch):
    async def scenario(here):
        await here.open()
        daemon = here.daemon
        lines = daemon.lines
        with monkeypatch.context() as patched:
            patched.setattr(type(lines._lines[next(iter(lines._lines))].session), "run", fail)
            await lines._lines[next(iter(lines._lines))].port.close()
            daemon.surprises.away["line"] = "x"
            task = asyncio.create_task(supervise.keep("line", daemon._serve_lines, daemon.surprises.part))
            await here.until(lambda: daemon.lines is not lines)
        await here.until(lambda: daemon.lines.states[-1].online)
        await here.say("hello laptop 1 step")
        assert (await here.say("step P d d")).startswith(f"ack {here.seq} 3")
        task.cancel()

    at_the_line(tmp_path / "state", scenario)


def test_in_an_entry_of_the_line_the_node_is_answered(tmp_path, monkeypatch, caplog):
    async def scenario(here):
        await here.open()
        with monkeypatch.context() as patched:
            patched.setattr(daemons.LineDoor, "enter", fail)
            assert await here.say("step P d d") == f"err {here.seq} fault a fault in the box: {WHY}"
        assert await here.say("step P d d") == f"ack {here.seq} 3"

    at_the_line(tmp_path / "state", scenario)
    assert "a step was not done" in caplog.text


def test_no_descriptor_left_when_a_match_is_opened(tmp_path, monkeypatch):
    def full(*_args, **_names):
        raise OSError(24, "Too many open files")

    async def scenario(here):
        await here.say("hello laptop 1 step,open,watch,reading")
        with monkeypatch.context() as patched:
            patched.setattr(Library, "open_match", full)
            said = await here.say("open san_gimignano Adso,William start=b")
            assert said.startswith(f"err {here.seq} ")
            assert "Too many open files" in said
        assert await here.say("open san_gimignano Adso,William start=b") == f"ack {here.seq} 1"

    at_the_line(tmp_path / "state", scenario)


def test_in_a_key_press(tmp_path, monkeypatch, caplog):
    async def scenario(here):
        await here.open()
        daemon = here.daemon
        with monkeypatch.context() as patched:
            patched.setattr(Play, "ok", fail)
            daemon.hardware.hand.press(Key.OK)
            await here.sees(f"Something went wrong in the box ({WHY})")
        assert isinstance(daemon.box.show_match(), Play)
        assert f"menus: goes on after {WHY}" in daemon.status_lines()
        assert here.recorded == 2
        await here.until(lambda: daemon.box.due_ms() in (None, 0.0))
        daemon.hardware.hand.press(Key.UNDO)
        await here.sees(daemon.box.texts("undo.last"))

    at_the_line(tmp_path / "state", scenario)
    assert f"menus: {WHY}" in caplog.text


def test_in_a_page(tmp_path, monkeypatch):
    """The page that cannot be made gives way to its cause, and home still works."""

    async def scenario(here):
        await here.open()
        daemon = here.daemon
        with monkeypatch.context() as patched:
            patched.setattr(Play, "page", fail)
            daemon._show()
            await here.until(lambda: WHY in repr(daemon.screen._painter._page))
        assert isinstance(daemon.box.stack[-1], Home)
        assert await here.say("step P d d") == f"ack {here.seq} 3"
        daemon.box.key(Hold(Key.BACK))
        daemon.box.key(Press(Key.OK))
        await here.sees("Adso")

    at_the_line(tmp_path / "state", scenario)


def test_in_what_the_menus_make_of_a_change(tmp_path, monkeypatch):
    """The node that made the step hears that it is recorded: the step is, whatever the menus make of it."""

    async def scenario(here):
        await here.open()
        with monkeypatch.context() as patched:
            patched.setattr(Play, "changed", fail)
            assert await here.say("step P d d") == f"ack {here.seq} 3"
        assert f"menus: goes on after {WHY}" in here.daemon.status_lines()
        assert (await here.say("step @3 a: P d m8")).startswith(f"ack {here.seq} 4")

    at_the_line(tmp_path / "state", scenario)


@pytest.mark.parametrize(
    ("part", "name"), [("cues", "cues"), ("journal", "journal"), ("camera", "camera board")]
)
def test_in_a_callback(tmp_path, monkeypatch, part, name):
    async def scenario(here):
        await here.open()
        daemon = here.daemon
        with monkeypatch.context() as patched:
            if part == "cues":
                patched.setattr(daemons.Cues, "play", fail)
            elif part == "journal":
                patched.setattr(daemons, "event", fail)
            else:
                patched.setattr(daemons.host.Handover, "take", fail)
                camera = daemons.configs.PluginSection("camera", 0, {})
                daemon._seen(daemons.host.Fitted("board", camera), None)
            assert await here.say("step P d d") == f"ack {here.seq} 3"
            await here.until(lambda: f"{name}: goes on after {WHY}" in daemon.status_lines())
        assert (await here.say("step @3 a: P d m8")).startswith(f"ack {here.seq} 4")

    at_the_line(tmp_path / "state", scenario)


def test_in_slow_work_beside_the_menus(tmp_path):
    async def scenario(here):
        daemon = here.daemon
        daemon.box.aside(fail, lambda _: None)
        await here.sees(f"Something went wrong in the box ({WHY})")

    at_the_line(tmp_path / "state", scenario)


def test_in_the_event_loop(tmp_path):
    async def scenario(here):
        asyncio.get_running_loop().call_soon(fail)
        await here.until(lambda: any(WHY in line for line in here.daemon.status_lines()))
        await here.open()

    at_the_line(tmp_path / "state", scenario)


@pytest.mark.parametrize(("part", "method"), [(Library, "resume"), (Play, "__init__")])
def test_at_the_start_the_box_comes_up_without_the_match(tmp_path, monkeypatch, part, method):
    at_the_line(tmp_path / "state", lambda here: here.open())

    async def main():
        with monkeypatch.context() as patched:
            patched.setattr(part, method, fail)
            daemon = simulated(tmp_path / "state")
            async with running(daemon) as here:
                await here.sees(WHY)
                assert daemon.library.referee is None
        async with running(simulated(tmp_path / "state")) as here:
            assert here.recorded == 2

    asyncio.run(main())
