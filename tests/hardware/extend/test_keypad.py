"""The keypad of hardware/extend on a simulated Arduino, at a running box and at the conformance kit."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.e2e.daemon_process import DaemonProcess
from tests.hardware.extend import avr

pytestmark = pytest.mark.skipif(bool(avr.lacking()), reason=f"not installed: {avr.lacking()}")

KEYPAD = Path(__file__).parents[3] / "hardware" / "extend" / "keypad"
LEFT, RIGHT, OK = "D2 60", "D3 60", "D4 60"


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
        box.start(lambda status: status["lines"] and status["lines"][0]["node"] == "keypad-1")

        def press(key: str) -> bytes:
            before = box.screen().tobytes()
            uno.say(key)
            after = box.wait_for_screen(lambda image: image.tobytes() != before).tobytes()
            assert after != before, key
            return after

        box.wait_for_screen(lambda image: image.getbbox())
        at_first = box.screen().tobytes()
        further = press(RIGHT)
        assert press(LEFT) == at_first
        uno.say("off")
        box.wait_for(lambda status: not status["lines"][0]["online"])
        uno.say("on")
        box.wait_for(lambda status: status["lines"][0]["node"] == "keypad-1")
        box.wait_for_screen(lambda image: image.tobytes() == at_first)
        assert press(RIGHT) == further
        press(OK)


@pytest.mark.soak
def test_nothing_is_wrong_with_it(tmp_path, firmware):
    """`podesta node check`, as long as it takes; a finger presses all the while."""
    port = tmp_path / "port"
    done = threading.Event()
    with avr.Uno(tmp_path, firmware, port) as uno:

        def finger() -> None:
            while not done.wait(1.5):
                uno.say(OK)

        pressing = threading.Thread(target=finger)
        pressing.start()
        command = [sys.executable, "-m", "device.cli", "node", "check", str(port)]
        checked = subprocess.run(command, check=False, capture_output=True, text=True, cwd=KEYPAD.parents[2])
        done.set()
        pressing.join()
    assert checked.returncode == 0, checked.stdout + checked.stderr
