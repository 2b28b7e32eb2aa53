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
from device.texts import quoted
from tests.device.conftest import in_a_loop
from tests.device.here import at_the_line, running, simulated

WHY = "RecursionError: injected"


def fail(*_args, **_names):
    raise RecursionError("injected")


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(supervise.keep, "__defaults__", ((0.05, 0.2),))


@in_a_loop
async def test_a_part_that_fails_is_shown_and_begins_again(tmp_path, monkeypatch, caplog):
    broken = asyncio.Event()
    runs, run = [], daemons.LineService.run

    async def breaking(*args):
        runs.append(1)
        if len(runs) == 1:
            await broken.wait()
            fail()
        await run(*args)

    monkeypatch.setattr(daemons.LineService, "run", breaking)
    daemon = simulated(tmp_path / "state")
    async with running(daemon) as here:
        broken.set()
        await here.until(lambda: daemon.surprises.away == {"line": quoted(WHY)})
        assert daemon.box.page().header.warning == "line"
        assert f"line: {WHY}" in daemon.status_lines()
        assert f"line: {WHY}" in daemon.status()["problems"]
        await here.until(lambda: not daemon.surprises.away and len(runs) == 2)
        await here.until(lambda: all(line.online for line in daemon.lines.states))
        await here.until(lambda: not daemon.box.page().header.warning)
        states = LineState("/dev/a", True, node="a\u202e"), LineState("/dev/a", False, "gone\x1b[2J")
        monkeypatch.setattr(daemons.LineService, "states", states)
        lines = daemon.status()["lines"]
        assert [(line["node"], line["why"]) for line in lines] == [("a�", ""), (None, "gone�[2J")]
    assert f"line: {WHY}; begins again in 0.05 s" in caplog.text


@in_a_loop
async def test_a_node_is_answered_whatever_fails_behind_its_line(tmp_path, monkeypatch, caplog):
    """The node that made a step hears that it is recorded, whatever menus, cues and cameras make of it."""

    def full(*_args, **_names):
        raise OSError(24, "Too many open files")

    async with at_the_line(tmp_path / "state") as here:
        daemon = here.daemon
        asyncio.get_running_loop().call_soon(fail)
        await here.until(lambda: any(WHY in line for line in daemon.status_lines()))
        await here.say("hello laptop 1 step,open,watch,reading")
        with monkeypatch.context() as patched:
            patched.setattr(Library, "open_match", full)
            assert "Too many open files" in await here.say("open san_gimignano Adso,William start=b")
        await here.open()
        with monkeypatch.context() as patched:
            patched.setattr(daemons.LineDoor, "enter", fail)
            assert await here.say("step P d d") == f"err {here.seq} fault a fault in the box: {WHY}"
        with monkeypatch.context() as patched:
            patched.setattr(daemons.Cues, "play", fail)
            patched.setattr(daemons, "describe_event", fail)
            patched.setattr(daemons.host.Handover, "take", fail)
            camera = daemons.configs.PluginSection("camera", 0, {})
            daemon._start_task(daemon._take_reading(daemons.host.Fitted("board", camera), None))
            assert await here.say("step P d d") == f"ack {here.seq} 3"
            told = {f"{name}: goes on after {WHY}" for name in ("cues", "journal", "camera board")}
            await here.until(lambda: told <= set(daemon.status_lines()))
        with monkeypatch.context() as patched:
            patched.setattr(Play, "follow", fail)
            assert (await here.say("step @3 a: P d m8")).startswith(f"ack {here.seq} 4")
        assert f"menus: goes on after {WHY}" in daemon.status_lines()
        assert await here.say("step pass") == f"ack {here.seq} 5"
    assert "a step was not done" in caplog.text


@in_a_loop
async def test_a_key_and_slow_work_that_fail_say_so_and_the_match_goes_on(tmp_path, monkeypatch, caplog):

    async with at_the_line(tmp_path / "state") as here:
        await here.open()
        daemon = here.daemon
        with monkeypatch.context() as patched:
            patched.setattr(Play, "ok", fail)
            daemon.hardware.hand.press(Key.OK)
            await here.sees(f"Something went wrong in the box ({WHY})")
        assert isinstance(daemon.box.show_match(), Play)
        assert here.recorded == 2
        await here.until(lambda: daemon.box.due_ms() in (None, 0.0))
        daemon.box.aside(fail, lambda _: None)
        await here.sees(f"Something went wrong in the box ({WHY})")
    assert f"menus: {WHY}" in caplog.text


@in_a_loop
async def test_a_page_that_cannot_be_made_gives_way_to_its_cause(tmp_path, monkeypatch):
    """And home still works."""

    async with at_the_line(tmp_path / "state") as here:
        await here.open()
        daemon = here.daemon
        with monkeypatch.context() as patched:
            patched.setattr(Play, "page", fail)
            daemon._show_page()
            await here.until(lambda: WHY in repr(daemon.screen._painter._page))
        assert isinstance(daemon.box.stack[-1], Home)
        assert await here.say("step P d d") == f"ack {here.seq} 3"
        daemon.box.key(Hold(Key.BACK))
        daemon.box.key(Press(Key.OK))
        await here.sees("Adso")


@pytest.mark.parametrize(("part", "method"), [(Library, "resume"), (Play, "__init__")])
@in_a_loop
async def test_at_the_start_the_box_comes_up_without_the_match(tmp_path, monkeypatch, part, method):
    async with at_the_line(tmp_path / "state") as here:
        await here.open()
    with monkeypatch.context() as patched:
        patched.setattr(part, method, fail)
        daemon = simulated(tmp_path / "state")
        async with running(daemon) as here:
            await here.sees(WHY)
            assert daemon.library.referee is None
    async with running(simulated(tmp_path / "state")) as here:
        assert here.recorded == 2
