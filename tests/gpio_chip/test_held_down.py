"""A key that the start looks at, for the safe mode, is heard afterwards as any other."""

import subprocess
import sys

import pytest

from device.keys import Key
from tests.gpio_chip.chip import Chip, ChipFingers

pytestmark = pytest.mark.gpio_chip

START = """
import asyncio, sys
from contextlib import closing
from device.settings import Keys
from device.keys import Controls, Key, is_held_down, pin_factory

async def listen():
    with closing(Controls(Keys(), lambda event: print(event, flush=True), factory=pin_factory("lgpio"))):
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)

print(is_held_down(Keys(), Key.BACK), flush=True)
asyncio.run(listen())
"""


def test_a_key_that_is_looked_at_is_heard_afterwards():
    """In a process of its own, as lgpio's thread of edges is one for a process."""
    fingers = ChipFingers(Chip())
    pipe, command = subprocess.PIPE, [sys.executable, "-c", START]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as box:
        assert box.stdout.readline() == "False\n"
        assert box.stdout.readline() == "ready\n"
        fingers.press(Key.BACK)
        fingers.press(Key.UNDO)
        heard, _ = box.communicate(timeout=30)
    assert box.returncode == 0
    assert [line for line in heard.splitlines() if line.startswith("Press")] == [
        "Press(key=<Key.BACK: 'back'>)",
        "Press(key=<Key.UNDO: 'undo'>)",
    ]
