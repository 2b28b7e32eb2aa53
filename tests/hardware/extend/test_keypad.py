"""The keypad of hardware/extend on a simulated Arduino, at a running box and at the conformance kit."""

import re
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

import pytest

from device.match import read
from tests.e2e.daemon_process import DaemonProcess, Status
from tests.e2e.line_node import LineNode
from tests.hardware.extend import avr

pytestmark = pytest.mark.skipif(bool(avr.lacking()), reason=f"not installed: {avr.lacking()}")

KEYPAD = Path(__file__).parents[3] / "hardware" / "extend" / "keypad"
LEFT, RIGHT, OK = "D2 60", "D3 60", "D4 60"


def there(status: Status) -> bool:
    """Return True if the keypad is at the box, and no line is missing in the screen's header."""
    lines = status["lines"]
    return bool(lines) and lines[0]["node"] == "keypad-1" and all(line["online"] for line in lines)


@pytest.fixture(scope="module")
def firmware(tmp_path_factory):
    return avr.build(tmp_path_factory.mktemp("keypad"), KEYPAD / "keypad.ino")


def test_it_is_the_keys_of_a_running_box(tmp_path, firmware):
    port = tmp_path / "port"
    config = f'[[line]]\nurl = "{port}"\nkeys = ["keypad-1"]\n'
    with (
        avr.Uno(tmp_path, firmware, port) as uno,
        DaemonProcess(tmp_path, config=config, simulate=True) as box,
    ):
        box.start(there)
        uno.lit()

        def press(key: str, expected: bytes = b"") -> bytes:
            before = box.screen().tobytes()
            uno.say(key)
            return shows(lambda image: image == expected if expected else image != before)

        def shows(wanted: Callable[[bytes], bool]) -> bytes:
            image = box.wait_for_screen(lambda image: wanted(image.tobytes())).tobytes()
            assert wanted(image), box.log
            return image

        at_first = shows(any)
        further = press(RIGHT)
        press(LEFT, at_first)
        uno.say("off")
        box.wait_for(lambda status: not there(status))
        uno.say("on")
        box.wait_for(there)
        uno.lit()
        shows(lambda image: image == at_first)
        press(RIGHT, further)
        press(OK)


def test_its_own_hello_that_comes_back_is_not_the_boxs(tmp_path, firmware):
    """It says hello again after its second, which this waits for, and not at once."""
    port = tmp_path / "port"
    with avr.Uno(tmp_path, firmware, port):
        while not port.exists():
            time.sleep(0.01)
        with port.open("r+b", buffering=0) as line:
            tty.setraw(line)
            hello = next(said for said in line if b"hello" in said)
            line.write(hello)
            began = time.monotonic()
            assert b"hello" in next(said for said in line if said.strip())
            assert time.monotonic() - began > 0.5


@pytest.mark.soak
def test_it_is_one_players_own_as_its_page_says(tmp_path):
    """The two lines of the page in place of those in the sketch, its button with a step that is legal."""
    row, line = re.findall(r"^```cpp\n(.*)\n…\n(.*)\n```$", (KEYPAD / "README.md").read_text(), re.MULTILINE)[
        0
    ]
    assert '"pass"' in row
    (sketch := tmp_path / "sketch").mkdir()
    (sketch / "PodestaLine.h").write_text((KEYPAD / "PodestaLine.h").read_text())
    text = (KEYPAD / "keypad.ino").read_text()
    text, rows = re.subn(r"\{2, .*\},", row.replace("pass", "P d m6"), text)
    text, lines = re.subn(r"^PodestaLine line.*$", line, text, flags=re.MULTILINE)
    assert (rows, lines) == (1, 1)
    (sketch / "keypad.ino").write_text(text)
    firmware, port = avr.build(tmp_path, sketch / "keypad.ino"), tmp_path / "port"
    node = LineNode(tmp_path / "laptop")
    config = f'[[line]]\nurl = "{port}"\nbind = {{ keypad-b = "b" }}\n[[line]]\nurl = "{node.path}"\n'
    with (
        avr.Uno(tmp_path, firmware, port) as uno,
        DaemonProcess(tmp_path, config=config, simulate=True) as box,
    ):
        box.start(lambda status: status["lines"] and status["lines"][0]["node"] == "keypad-b")
        node.do("open san_gimignano Adso,William start=b")
        node.do("step 6 8 8 10")
        assert "keypad-b speaks for seat b" in node.do("step b: P d m6")
        uno.lit()
        uno.say(LEFT)
        box.wait_for(lambda status: status["recorded"] == 3)
    node.close()
    (journal,) = (box.state / "matches").iterdir()
    last = read(journal).records[2]
    assert (last.payload, last.seat, last.channel.partition("#")[0]) == ("P d m6", 1, "line:keypad-b")


@pytest.mark.soak
def test_nothing_is_wrong_with_it(tmp_path, firmware):
    """`podesta node check`, as long as it takes; a finger presses all the while.

    A simulated Arduino whose processor a busy machine takes away is deaf for a while: only twice is a fault.
    """
    port = tmp_path / "port"
    done = threading.Event()
    with avr.Uno(tmp_path, firmware, port) as uno:

        def finger() -> None:
            while not done.wait(1.5):
                uno.say(OK)

        pressing = threading.Thread(target=finger)
        pressing.start()
        command = [sys.executable, "-m", "device.cli", "node", "check", str(port)]
        for _ in range(2):
            checked = subprocess.run(
                command, check=False, capture_output=True, text=True, cwd=KEYPAD.parents[2]
            )
            if checked.returncode == 0:
                break
        done.set()
        pressing.join()
    assert checked.returncode == 0, checked.stdout + checked.stderr
