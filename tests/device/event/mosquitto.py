"""A real Mosquitto on a free port of this machine, and boxes that play and publish in this process."""

import asyncio
import time

import pytest
from msgspec.structs import replace

from device.bench.event.parts import PATIENCE_S, Broker, NoMosquitto, find_free_port, find_mosquitto
from device.bench.event.parts import PublishingBox as RandomBox
from tests.device.commands.recorded import HEADER, played

__all__ = ["PATIENCE_S", "Broker", "PublishingBox", "find_free_port", "needed", "until"]


def needed():
    try:
        find_mosquitto()
    except NoMosquitto:
        pytest.skip("mosquitto is not installed: no broker to meet at")


class PublishingBox(RandomBox):
    """A box of an event without its keys and screen, at which the recorded match is played."""

    def open(self, header=HEADER, names=None):
        self.begin(replace(header, names=names) if names else header, played().steps)


async def until(true, said=""):
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if true():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(said or true)
