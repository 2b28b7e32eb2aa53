"""What the daemon does by itself, beside joining its parts."""

import asyncio
import logging
import os
import subprocess

import pytest

from device import daemon
from device.config import ConfigSource, LoadedConfig
from device.keys import Turn
from device.keys.evdev import EVENT
from device.match import JournalFull
from device.match.door import Held, MatchDoor, Source
from device.match.replay import Header
from device.menus import Box
from device.screen import HeaderMark, NoticePage, PageHeader, TextPage, cover
from device.screen.pixels import pages_of
from device.sensors import Expected
from device.sensors.host import SensorState
from device.settings import KEY_CODES, Config, DisplaySettings, PanelSettings, PluginSection
from device.starts import Safe, SafeMode
from device.strict_toml import FileProblem
from device.texts import said as because
from engines.contract import Setup
from engines.facts import playable
from tests.device.conftest import in_a_loop
from tests.device.here import at_the_line, running
from tests.engines.tower_toy import SCHEMA


@pytest.fixture
def served(table, tmp_path, monkeypatch):
    """A daemon with a box, on a machine that could be switched off."""
    monkeypatch.setattr(daemon, "on_a_pi", lambda: True)

    async def make():
        return daemon.Daemon(LoadedConfig(Config(), (), ConfigSource.DEFAULTS), tmp_path)

    one = asyncio.run(make())
    one.table, one.box = table, Box(MatchDoor(table), pages=pages_of, strict=True)
    assert one.simulated is False
    return one


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (subprocess.CompletedProcess([], 1, "", "Access denied\n"), "Access denied"),
        (subprocess.CompletedProcess([], 0, "", ""), "Switching off…"),
        (FileNotFoundError(2, "No such file", "systemctl"), "systemctl"),
        (subprocess.TimeoutExpired("systemctl", 10), "timed out"),
    ],
)
def test_asked_to_switch_off_it_says_what_came_of_it_and_plays_on(served, referee, monkeypatch, answer, said):
    asked = []

    def run(command, **_):
        asked.append(command)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(subprocess, "run", run)
    assert said in served._switch_off()
    assert asked == [["systemctl", "poweroff"]]
    referee.step("8 6 10 9", channel="keys")
    assert referee.wait(30)
    assert referee.recorded == 1
    served.simulated = True
    assert "by hand" in served._switch_off()
    assert len(asked) == 1, "a simulated box switches nothing off"


@pytest.mark.parametrize(
    ("panel", "whole"),
    [
        (PanelSettings(), True),
        (PanelSettings(act="none"), False),
        (PanelSettings(host="0.0.0.0", act="play"), False),
    ],
)
def test_a_browser_shows_a_private_page_only_as_the_one_screen_of_this_machine(tmp_path, panel, whole):
    pin = NoticePage(PageHeader("PIN", private=True), "PIN")

    async def shown():
        config = Config(panel=panel, display=DisplaySettings(driver="none"))
        box = daemon.Daemon(LoadedConfig(config, (), ConfigSource.FILE), tmp_path, simulate=True, port=0)
        async with running(box):
            return box.screen.public(pin)

    assert asyncio.run(shown()) == (pin if whole else cover(pin))


def at_the_start(state, plugins=(), **more):
    """Return what a simulated box says as soon as it runs: its status, what is wrong, and its page."""
    config = Config(display=DisplaySettings(driver="offscreen"), plugins=plugins)

    async def main():
        box = daemon.Daemon(LoadedConfig(config, (), ConfigSource.FILE), state, simulate=True, port=0, **more)
        async with running(box):
            return box.status_lines(), box.status()["problems"], box.box.page()

    return asyncio.run(main())


def test_a_safe_box_says_at_the_terminal_and_on_its_page_what_it_left_out(tmp_path, capsys):
    safe = SafeMode(Safe.FAILED, ("beans", "peas"))
    lines, problems, page = at_the_start(tmp_path, (PluginSection("beans", 0, {}),), safe=safe)
    assert (page.header.left, page.text.split(". ")[:2]) == (
        "Safe mode",
        ["The box failed to start twice", "Left out: beans, peas"],
    )
    said = "started without plug-ins: beans, peas"
    assert said in lines
    assert said in problems
    assert f"Podestà: {said}" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('format = 1\ngame = "torres"\n\nrivver = 12\n', ":4: unknown key rivver"),
        ('format = 1\ngame = "marrakesh"\n', ":2: must begin with"),
        ('format = 1\ngame = "tor', ":2: "),
    ],
)
def test_a_mistake_in_a_copy_s_facts_is_said_at_the_start_with_file_and_line(tmp_path, caplog, text, why):
    file = tmp_path / "facts" / "torres.toml"
    file.parent.mkdir()
    file.write_text(text)

    _, (problem, *_), page = at_the_start(tmp_path)
    assert f"({file}{why}" in problem
    assert (page.header.left, page.text.splitlines()[0]) == ("Please note", problem)
    errors = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert any(f"({error})" in problem for error in errors)


def test_a_disk_that_takes_nothing_and_a_clock_that_is_off_are_said_at_the_start(tmp_path, monkeypatch):
    match = tmp_path / "matches" / "20400101-000000-torres-a-b.podesta"
    match.parent.mkdir()
    match.write_text("x")
    os.utime(match, (2_209_000_000, 2_209_000_000))
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, *how: path != match.parent and real(path, *how))

    _, (disk, clock), page = at_the_start(tmp_path)
    assert disk.startswith(f"{match.parent} is read-only")
    assert clock.startswith("The clock says ")
    assert page.text == f"{disk}\n{clock}"


def test_what_is_wrong_with_the_settings_is_logged_and_what_a_power_cut_left_removed(
    monkeypatch, tmp_path, caplog
):
    served = []

    async def run(daemon):
        assert not left.exists()
        served.append(daemon)

    left = tmp_path / ".asked.0123456789abcdef.new"
    left.write_text("{")
    monkeypatch.setattr(daemon.Daemon, "run", run)
    problem = FileProblem("podesta.toml", 3, "unknown key keys.okk; did you mean ok?")
    loaded = LoadedConfig(Config(), (problem,), ConfigSource.LAST_GOOD)
    assert daemon.main(loaded, state=tmp_path, simulate=True, port=0) == 0
    (error,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert error.getMessage() == f"{problem}; running on the last settings that were good"
    assert [*map(str, served[0].problems)] == [f"a file of settings or facts is not right ({problem})"]
    assert f"{left}: left by a power cut, removed" in caplog.text


@in_a_loop
async def test_what_hinders_a_camera_is_said_over_the_page_while_its_field_is_asked_about(tmp_path, tower):
    hand, still = (because("tray.foreign"),), ()

    async with at_the_line(tmp_path / "state") as here:
        box, hindered = here.daemon.box, here.daemon._show_sensor

        def said(troubles, field="tray"):
            hindered(SensorState("camera", field, online=True, troubles=troubles))
            page = box.page()
            box.key(Turn(1))  # whoever touches a key has read it
            return page.text if isinstance(page, NoticePage) else ""

        box.open(Header(tower, ("Adso", "William"), playable(SCHEMA, Setup())))
        assert said(hand) == ""
        said(still)
        here.daemon.library.referee.step("2r1g", channel="keys")
        words = "Something that is not a keshi is in the tray."
        told = [said(hand), said(hand), said(still), said(hand), said(hand, "board")]
        assert told == [words, "", "", words, ""]
        # A message goes, a page to read too, as soon as the sensor says otherwise.
        for long in ("", " Take it out." * 30):
            hindered(SensorState("camera", "tray", online=True, troubles=("Dark." + long,)))
            assert "Dark." in box.page().text
            hindered(SensorState("camera", "tray", online=True, troubles=hand))
            assert box.page().text == words
            hindered(SensorState("camera", "tray", online=True))
            assert not isinstance(box.page(), NoticePage | TextPage)
        # While pieces lie there by the record it matters too: they are taken off.
        here.daemon._handover.find_expected = lambda: Expected("m", 1, tower, "p", lying={"tray": 2})
        assert [said(still), said(hand)] == ["", words]


@in_a_loop
async def test_the_status_page_is_in_the_box_s_language(tmp_path):
    state, pad = tmp_path / "state", tmp_path / "event0"
    state.mkdir()
    (state / "language").write_text("ja\n")
    spoken = {"ja": "つながっていません", "en": "not plugged in"}

    async with at_the_line(state, f'[[keypad]]\ndevice = "{pad}"\n') as here:
        daemon = here.daemon
        await here.until(lambda: daemon.status()["keypads"][0]["why"] == spoken["ja"])
        for language, why in spoken.items():
            (shown,) = daemon.status(daemon.box.voices.of(language))["keypads"]
            assert shown == {"device": str(pad), "online": False, "why": why}
        assert "err" in await here.say("hello bell 1 key")
        line = daemon.lines.states[-1].url
        assert daemon.status_lines() == [
            "キー: 正常",
            "画面: 正常",
            f"テンキー {pad}: つながっていません",
            f"回線 {line}: 設定では、bellは本体のキーを使えません",
            f"保存先: {state}",
        ]
        await here.sees_status("テンキー")


@in_a_loop
async def test_a_keypad_is_named_while_it_is_away_and_presses_keys_for_its_seat(tmp_path):
    fifo = tmp_path / "event0"
    codes = {"ok": KEY_CODES["KEY_KPENTER"], "down": KEY_CODES["KEY_KP2"]}

    async with at_the_line(tmp_path / "state", f'[[keypad]]\ndevice = "{fifo}"\nseat = "b"\n') as here:
        daemon = here.daemon
        await here.until(lambda: daemon.status()["keypads"][0]["why"] == "not plugged in")
        assert f"keypad {fifo}: not plugged in" in daemon.status_lines()
        assert daemon.box.header().warning == "pad"
        os.mkfifo(fifo)
        end = os.open(fifo, os.O_RDWR)
        await here.until(lambda: daemon.status()["keypads"][0]["online"])
        assert daemon.box.header().warning == ""
        await here.open()  # William is asked, whose pad it is
        before = daemon.box.page()

        def say(name, value):
            os.write(end, EVENT.pack(0, 0, 1, codes[name], value))

        say("down", 1)
        await here.until(lambda: daemon.box.page() != before)
        await here.say("step pass")
        say("ok", 1)
        await here.sees("Adso is asked, not William.")
        os.close(end)


@in_a_loop
async def test_what_a_full_disk_refused_is_recorded_once_there_is_room(tmp_path, monkeypatch):
    """Without a key; until a file can be written it is left alone."""
    monkeypatch.setattr(daemon, "ROOM_S", 0.02)
    room = []

    async with at_the_line(tmp_path / "state") as here:
        library = here.daemon.library
        await here.open()
        referee, append = library.referee, library.referee._journal.append
        referee._journal.append = lambda *_: (_ for _ in ()).throw(JournalFull("/x: no room"))
        monkeypatch.setattr(library, "takes_files", lambda: bool(room))
        referee.step("pass", channel="keys")
        await here.sees("NOT SAVED")
        lost, status = referee.lost, here.daemon.status()
        assert status["unsaved"] == status["problems"][0] == "NOT SAVED: The disk is full"
        await asyncio.sleep(0.1)
        assert referee.lost is lost
        referee._journal.append = append
        room.append(1)
        await here.until(lambda: here.recorded == 3)
        assert here.daemon.box.header().mark is HeaderMark.RECORDED
        assert "NOT SAVED" not in repr(here.daemon.box.page())
        assert (here.daemon.status()["unsaved"], here.daemon.status()["problems"]) == ("", [])


@in_a_loop
async def test_the_status_tells_what_people_are_asked_in_the_language_of_who_looks(tmp_path):
    async with at_the_line(tmp_path / "state", '[confirm.line]\nsteps = "ask"\n') as here:
        await here.open()
        status, box = here.daemon.status, here.daemon.box
        assert status()["asking"] == ""
        with pytest.raises(Held):
            here.daemon.door.step("pass", source=Source("line:keypad"))
        assert status()["asking"] == "Asked at the box: William: passes?"
        japanese = box.voices.asked({"language": "ja"})
        assert status(japanese)["asking"].endswith(box.confirming.tell(japanese.words(box.referee.replay)))
        assert "passes" not in status(japanese)["asking"]
        box.confirming.decline()
        assert status()["asking"] == ""
