"""Cues on gpiozero's mock pins: what the light and the buzzer did, and for how long."""

import asyncio
from contextlib import closing

import gpiozero
import pytest

from device.keys.pins import GAP_MS, PATTERNS, URGENT, ControlsError, Cue, Cues, pin_factory

LED, BUZZER = 12, 13


@pytest.fixture
def factory():
    return pin_factory("mock")


@pytest.fixture
def cues(loop, factory):
    with closing(Cues(LED, BUZZER, factory=factory, loop=loop)) as cues:
        for number in (LED, BUZZER):
            factory.pin(number).clear_states()
        yield cues


def wait(loop, ms):
    loop.run_until_complete(asyncio.sleep(ms / 1000))


def heard(pin):
    """The lengths in ms of on, off, on … as the pin's history has them, the silence before left out."""
    return [round(after.timestamp * 1000) for after in pin.states[2:]]


@pytest.mark.parametrize("cue", list(Cue))
@pytest.mark.parametrize("number", [LED, BUZZER])
def test_a_cue_plays_its_rhythm(loop, factory, cues, cue, number):
    cues.play(cue)
    wait(loop, 5000)
    assert heard(factory.pin(number)) == list(PATTERNS[cue])
    assert factory.pin(number).state == 0


def test_no_two_cues_are_alike():
    assert len(set(PATTERNS.values())) == len(Cue) == len(PATTERNS)
    for pattern in PATTERNS.values():
        assert len(pattern) % 2 == 1
        assert max(pattern[1::2], default=0) < GAP_MS


def test_a_quiet_cue_waits_for_the_one_playing(loop, factory, cues):
    cues.play(Cue.RECORDED)
    cues.play(Cue.YOUR_TURN)
    wait(loop, 5000)
    assert heard(factory.pin(BUZZER)) == [*PATTERNS[Cue.RECORDED], GAP_MS, *PATTERNS[Cue.YOUR_TURN]]


@pytest.mark.parametrize("cue", sorted(URGENT - {Cue.REFUSED}))
def test_an_urgent_cue_cuts_in(loop, factory, cues, cue):
    cues.play(Cue.REFUSED)
    wait(loop, 200)
    cues.play(cue)
    assert factory.pin(BUZZER).state == 0
    wait(loop, 5000)
    assert heard(factory.pin(BUZZER)) == [200, GAP_MS, *PATTERNS[cue]]


@pytest.mark.parametrize("absent", [LED, BUZZER])
def test_either_part_may_be_absent(loop, factory, absent):
    present = LED + BUZZER - absent
    pins = {"led_pin": None, "buzzer_pin": BUZZER} if absent == LED else {"led_pin": LED, "buzzer_pin": None}
    with closing(Cues(**pins, factory=factory, loop=loop)) as cues:
        assert cues.online
        cues.play(Cue.RECORDED)
        assert factory.pin(present).state == 1
        assert factory.pin(absent).function == "input"


def test_closing_falls_silent_and_gives_the_pins_back(loop, factory):
    cues = Cues(LED, BUZZER, factory=factory, loop=loop)
    cues.play(Cue.CALL)
    buzzer = factory.pin(BUZZER)
    cues.close()
    assert (buzzer.state, cues.online) == (0, False)
    wait(loop, 3000)
    assert buzzer.state == 0
    Cues(LED, BUZZER, factory=factory, loop=loop).close()


def test_a_taken_pin_is_named_and_the_other_given_back(loop, factory):
    with (
        gpiozero.LED(BUZZER, pin_factory=factory),
        pytest.raises(ControlsError, match=r"^GPIO 13 \(buzzer\) already has another use here$"),
    ):
        Cues(LED, BUZZER, factory=factory, loop=loop)
    Cues(LED, factory=factory, loop=loop).close()


def test_no_pin_driver_is_guessed(loop):
    with pytest.raises(ControlsError, match=r"^GPIO 12 \(LED\): no pin factory was given$"):
        Cues(LED, loop=loop)


def test_what_waits_survives_an_urgent_cue(loop, factory, cues):
    cues.play(Cue.RECORDED)
    cues.play(Cue.YOUR_TURN)
    wait(loop, 30)
    cues.play(Cue.REFUSED)
    wait(loop, 5000)
    assert heard(factory.pin(LED)) == [30, GAP_MS, *PATTERNS[Cue.REFUSED], GAP_MS, *PATTERNS[Cue.YOUR_TURN]]
