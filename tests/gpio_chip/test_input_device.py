"""A number pad and a knob that the kernel itself has made (uinput), on the running daemon."""

import asyncio
import fcntl
import os
import struct
import time

import pytest

from device.keys import Key, Keypads, Press
from device.keys.evdev import AT_ONCE, EVENT, list_inputs, open_device
from device.settings import AXIS_CODES, KEY_CODES, Keypad, Keys
from tests.e2e.daemon_process import DaemonProcess

pytestmark = pytest.mark.gpio_chip

KEY, REL, SYN = 1, 2, 0
SET_KEY, SET_REL, SET_EVENT = 0x40045565, 0x40045566, 0x40045564  # UI_SET_KEYBIT, _RELBIT, _EVBIT
CREATE, DESTROY = 0x5501, 0x5502
PAD, KNOB = "Pad of the tests", "rotary@11"
CONFIG = f"""
[[keypad]]
device = "{PAD}"
[[keypad]]
device = "{KNOB}"
"""


class Uinput:
    """A device that the kernel makes of what is written here; unplugged by :meth:`close`."""

    def __init__(self, name: str, kind: int, codes: dict[str, int]) -> None:
        self._codes = codes
        self._kind = kind
        self._end = os.open("/dev/uinput", os.O_WRONLY)
        fcntl.ioctl(self._end, SET_EVENT, kind)
        for code in codes.values():
            fcntl.ioctl(self._end, SET_KEY if kind == KEY else SET_REL, code)
        # struct uinput_user_dev: name, bus, vendor, product, version, effects, four limits an axis
        os.write(self._end, struct.pack("80sHHHHI256i", name.encode(), 3, 1, 1, 1, 0, *[0] * 256))
        fcntl.ioctl(self._end, CREATE)

    def say(self, name: str, value: int) -> None:
        os.write(self._end, EVENT.pack(0, 0, self._kind, self._codes[name], value))
        os.write(self._end, EVENT.pack(0, 0, SYN, 0, 0))

    def press(self, name: str, seconds: float = 0.03) -> None:
        self.say(name, 1)
        time.sleep(seconds)
        self.say(name, 0)
        time.sleep(0.05)

    def close(self) -> None:
        fcntl.ioctl(self._end, DESTROY)
        os.close(self._end)


def keypad(status, name):
    (found,) = [one for one in status["keypads"] if one["device"] == name]
    return found


def online(*names):
    return lambda status: all(keypad(status, name)["online"] for name in names)


def test_what_the_kernel_had_no_room_for_is_made_good():
    """A press is lost among others that came while nobody read; that the key is down is not."""
    pad = Uinput(PAD, KEY, {name: KEY_CODES[name] for name in ("KEY_KPENTER", "KEY_KPMINUS")})

    async def overrun():
        delivered = []
        pads = Keypads([Keypad(PAD)], Keys(), lambda event, _: delivered.append(event))
        task = asyncio.create_task(pads.run())
        async with asyncio.timeout(30):
            while not pads.states[0].online:
                await asyncio.sleep(0.01)
            pad.say("KEY_KPMINUS", 1)
            for value in (1, 0) * 200:
                pad.say("KEY_KPENTER", value)
            while Press(Key.UNDO) not in delivered:
                await asyncio.sleep(0.01)
        task.cancel()
        return delivered

    assert asyncio.run(overrun()).count(Press(Key.UNDO)) == 1
    pad.close()


@pytest.mark.timeout(150)
def test_a_pad_and_a_knob_move_the_box_alone_go_and_come_back(tmp_path):
    pad = Uinput(PAD, KEY, {"KEY_KPENTER": KEY_CODES["KEY_KPENTER"], "KEY_KP0": KEY_CODES["KEY_KP0"]})
    knob = Uinput(KNOB, REL, AXIS_CODES)
    with DaemonProcess(tmp_path, config=CONFIG, simulate=True) as box:
        box.start(online(PAD, KNOB))
        home = box.screen()

        def shows(holds):
            assert holds(box.wait_for_screen(holds))
            return box.screen()

        knob.say("REL_X", 1)
        turned = shows(lambda now: now != home)
        time.sleep(0.2)  # a click this soon after a detent would be the shaft's
        pad.press("KEY_KPENTER")
        shows(lambda now: now not in (home, turned))
        pad.press("KEY_KP0")
        shows(lambda now: now == turned)

        (path,) = [one.path for one in list_inputs() if one.name == PAD]
        with pytest.raises(OSError, match="busy"):
            open_device(path)  # the daemon's alone
        other = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        pad.press("KEY_KPENTER")
        within = shows(lambda now: now != turned)
        with pytest.raises(BlockingIOError):
            os.read(other, AT_ONCE * EVENT.size)  # nobody else hears a key
        os.close(other)

        pad.close()
        box.wait_for(lambda status: keypad(status, PAD)["why"] == "not plugged in")
        shows(lambda now: now != within)  # the header says so
        pad = Uinput(PAD, KEY, {"KEY_KPENTER": KEY_CODES["KEY_KPENTER"], "KEY_KP0": KEY_CODES["KEY_KP0"]})
        box.wait_for(online(PAD))
        shows(lambda now: now == within)
        pad.press("KEY_KP0")
        shows(lambda now: now == turned)
        assert box.stop() == 0
    pad.close()
    knob.close()
