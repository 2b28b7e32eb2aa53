"""The box's keys and cues on unmodified gpiozero, lgpio and a real kernel's GPIO chip."""

import asyncio
from contextlib import closing

import pytest

from device.keys import Cue, Cues, Holding, Key, Press, Turn, pins
from device.keys.pins import Controls, ControlsError, pin_factory
from device.settings import Keys
from tests.gpio_chip.chip import Chip, ChipFingers

pytestmark = pytest.mark.gpio_chip

PATIENCE_S = 10.0
LED = 12


@pytest.fixture
def chip():
    return Chip()


@pytest.fixture
def fingers(chip):
    return ChipFingers(chip)


@pytest.fixture(scope="module")
def factory():
    """One for all: gpiozero's pins outlive their factory, so that a second one would get dead pins."""
    factory = pin_factory("lgpio")
    yield factory
    factory.close()


def delivered(factory, hands, *, last, keys=None):
    """Return what Controls deliver while ``hands`` run beside the loop, up to a press of the key ``last``."""

    async def watch():
        events = []
        done = asyncio.Event()

        def deliver(event):
            events.append(event)
            if event == Press(last):
                done.set()

        with closing(Controls(keys or Keys(), deliver, factory=factory)):
            await asyncio.to_thread(hands)
            await asyncio.wait_for(done.wait(), PATIENCE_S)
        # On a slow kernel the last press may last long enough to show how far a hold would be.
        return [one for one in events[:-1] if not (isinstance(one, Holding) and one.key is last)]

    return asyncio.run(watch())


@pytest.mark.parametrize("key", [Key.OK, Key.BACK])
def test_a_press_is_one_press(factory, fingers, key):
    def hands():
        fingers.press(key)
        fingers.press(key)
        fingers.press(Key.CALL)

    assert delivered(factory, hands, last=Key.CALL) == [Press(key), Press(key)]


@pytest.mark.parametrize("steps", [1, -12])
def test_so_many_detents_are_so_many_turns(factory, fingers, steps):
    def hands():
        fingers.turn(steps)
        fingers.press(Key.UNDO)

    direction = 1 if steps > 0 else -1
    assert delivered(factory, hands, last=Key.UNDO) == [Turn(direction)] * abs(steps)


def test_a_key_held_at_the_start_is_reported_and_presses_nothing(factory, chip, fingers, monkeypatch):
    """The chip's pull is all there is to a contact here, and claiming a line sets it: so hold after that."""
    claim = pins._claim_contact

    def held_meanwhile(part, number, factory):
        contact = claim(part, number, factory)
        if part.startswith("encoder"):
            chip.contact(Keys().undo, True)
        return contact

    monkeypatch.setattr(pins, "_claim_contact", held_meanwhile)

    async def watch():
        events = []
        with closing(Controls(Keys(), events.append, factory=factory)) as keys:
            stuck = keys.stuck
            await asyncio.to_thread(chip.contact, Keys().undo, False)
            async with asyncio.timeout(PATIENCE_S):
                while keys.stuck:
                    await asyncio.sleep(0.01)
            await asyncio.to_thread(fingers.press, Key.UNDO)
            async with asyncio.timeout(PATIENCE_S):
                while not events:
                    await asyncio.sleep(0.01)
        return stuck, events

    assert asyncio.run(watch()) == ({Key.UNDO}, [Press(Key.UNDO)])


@pytest.mark.parametrize(("name", "part"), [("ok", "ok key"), ("encoder_b", "encoder B")])
def test_a_pin_that_another_program_uses_is_named_and_had_later(factory, name, part):
    number = {"ok": 5, "encoder_b": 6}[name]  # lgpio keeps a pin of ours for good: so take fresh ones
    wired = Keys(**{name: number})
    import lgpio

    other = lgpio.gpiochip_open(0)
    lgpio.gpio_claim_input(other, number)

    async def claim():
        with closing(Controls(wired, print, factory=factory)) as keys:
            return keys.online

    with pytest.raises(ControlsError) as caught:
        asyncio.run(claim())
    assert str(caught.value) == f"GPIO {number} ({part}): another program uses this pin"
    lgpio.gpiochip_close(other)
    assert asyncio.run(claim())


def test_a_cue_lights_the_led(factory, chip):
    async def play():
        levels = []
        with closing(Cues(LED, factory=factory)) as cues:
            cues.play(Cue.REFUSED)
            async with asyncio.timeout(PATIENCE_S):
                for lit in (True, False):
                    while chip.level(LED) is not lit:
                        await asyncio.sleep(0.005)
                    levels.append(chip.level(LED))
        return levels

    assert asyncio.run(play()) == [True, False]
