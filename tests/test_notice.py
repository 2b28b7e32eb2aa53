"""The notice when the box's own program does not start: its time, the display, the browser."""

import fcntl
import http.client
import json
import os
import re
import runpy
import shutil
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from PIL import Image

from device.screen.pixels.oled import Oled
from device.starts import MOST, Starts
from tests.test_systemd import settings

FOLDER = Path(__file__).parents[1] / "systemd" / "notice"
NOTICE = runpy.run_path(str(FOLDER / "notice.py"))
DRAW = runpy.run_path(str(FOLDER / "draw.py"))


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Return the package's files beside the script."""
    folder = tmp_path_factory.mktemp("notice")
    DRAW["main"](folder)
    return folder


@pytest.fixture
def ended(drawn, tmp_path):
    """Return a function that ends the box once more; it returns the failures in a row and the notice."""
    (tmp_path / "notice.py").write_text("print('told', end='')")
    script = shutil.copy(drawn / "notice", tmp_path)

    def end(result: str = "exit-code") -> tuple[int, str]:
        environment = {"RUNTIME_DIRECTORY": f"{tmp_path}:/elsewhere", "SERVICE_RESULT": result}
        command = ["/bin/sh", script]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return int((tmp_path / "failed").read_text("ascii")), done.stdout

    return end


def ready(runtime, later):
    """Leave the mark of a running box, ``later`` than its last failure."""
    at = (runtime / "failed").stat().st_mtime_ns + later
    Starts(runtime).ready()
    os.utime(runtime / "starts", ns=(at, at))


def test_starts_that_fail_in_a_row_count_and_one_that_came_up_begins_anew(ended, tmp_path):
    assert [ended(), ended()] == [(1, ""), (2, "")]
    Starts(tmp_path).begin()
    assert ended() == (3, "told"), "it was still starting"
    ready(tmp_path, 1)
    assert ended() == (0, "")
    ready(tmp_path, -1)
    assert ended() == (1, ""), "what it left is from a life before"
    (tmp_path / "failed").write_text("no figure")
    assert ended() == (1, "")


def test_a_box_that_was_asked_to_end_has_not_failed(ended, tmp_path):
    (tmp_path / "failed").write_text("9")
    ready(tmp_path, -1)
    assert ended("success") == (0, "")
    assert [ended() for _ in range(3)] == [(1, ""), (2, ""), (3, "told")]


def test_safe_mode_has_had_its_try_before_and_systemd_waits_for_it():
    (most,) = re.findall(r"failed -lt (\d+)", (FOLDER / "notice").read_text("utf-8"))
    assert int(most) == MOST + 1
    assert NOTICE["SPEAKS_S"] + 4 < float(settings()["TimeoutStopSec"][0])
    assert settings()["ExecStopPost"] == ["-/bin/sh /usr/lib/podesta/notice/notice"]


def test_an_install_from_source_keeps_it_outside_the_checkout_and_takes_it_away_again():
    """`make clean` removes the built files from the checkout; the notice must work exactly then."""
    script = FOLDER.with_name("install").read_text("utf-8")
    (place,) = re.findall(r"#/usr/lib/podesta/notice#([^#]*)#", script)
    (taken_away,) = re.findall(r"(?s)\nfiles=\((.*?)\)", script)
    assert Path(place).is_absolute()
    assert {str(folder) for folder in Path(place).parents} & set(taken_away.split())
    assert f"draw.py {place}\n" in script


@pytest.mark.parametrize(("driver", "rotate"), [("ssd1309", 0), ("ssd1306", 180), ("sh1106", 0)])
def test_a_display_on_i2c_gets_what_the_box_would_send_it(drawn, tmp_path, monkeypatch, driver, rotate):
    called = []
    monkeypatch.setattr(fcntl, "ioctl", lambda _, *words: called.append(words))
    bus = tmp_path / "i2c-3"
    bus.touch()
    NOTICE["show"]({"driver": driver, "rotate": rotate, "port": 3, "address": 0x3D}, drawn, tmp_path)
    assert called == [(0x0703, 0x3D)]

    wire = DRAW["Heard"]()
    with Image.open(drawn / "notice.png") as picture:
        Oled(driver, wire, upside_down=rotate == 180).show(picture.convert("1"))
    assert bus.read_bytes() == b"".join(map(bytes, wire.sent))
    assert max(map(len, wire.sent)) <= 129


def test_the_picture_is_whole(drawn):
    """All words fit: there is no sign that some were left out."""
    from device.screen import NoticePage, PageHeader
    from device.screen.pixels.layout import draw

    page = NoticePage(PageHeader("Podestà"), f"{DRAW['WORDS']} More", urgent=True)
    assert draw(page).tobytes() != DRAW["picture"]().tobytes()
    with Image.open(drawn / "notice.png") as picture:
        assert picture.convert("1").tobytes() == DRAW["picture"]().tobytes()


def test_no_display_there_is_said_and_hinders_nothing(drawn, tmp_path, capsys):
    NOTICE["attempt"](lambda: NOTICE["show"]({}, drawn, tmp_path))
    NOTICE["attempt"](lambda: NOTICE["show"]({"driver": "a plug-in's"}, drawn, tmp_path))
    assert capsys.readouterr().out.count("notice: ") == 2


def test_the_page_is_there_while_it_speaks_and_says_what_came_of_the_update(drawn, tmp_path):
    result = tmp_path / "result.json"
    result.write_text(json.dumps({"said": "stuck", "version": "0.3.0", "code": "not_up", "why": "<150> s"}))
    said = NOTICE["page"](result, drawn)
    assert b"stuck 0.3.0 not_up &lt;150&gt; s" in said
    assert b"{came}" not in NOTICE["page"](tmp_path / "none", drawn)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    serving = threading.Thread(target=NOTICE["serve"], args=({"port": port}, said, 0.6))
    serving.start()
    for _ in range(50):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/status")
            answer = connection.getresponse()
            break
        except ConnectionRefusedError:
            threading.Event().wait(0.02)
    assert (answer.status, answer.read()) == (503, said)
    serving.join()
