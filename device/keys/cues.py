"""Cues for people who look at the board: a light and a buzzer say "your turn", "refused", "recorded".

A cue is a rhythm, the same on both, recognised without counting: one short, two short, one long. Both parts
are optional; a table that wants silence wires only the light::

    cues = Cues(led_pin=12, buzzer_pin=13, factory=pin_factory("lgpio"))  # inside a running loop
    cues.play(Cue.YOUR_TURN)                                              # returns at once
    cues.close()
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from contextlib import ExitStack
from enum import StrEnum
from functools import partial

import gpiozero

from device.keys.pins import ControlsError, claim
from device.texts import quoted, said


class Cue(StrEnum):
    """A message without words."""

    RECORDED = "recorded"
    YOUR_TURN = "your turn"
    REFUSED = "refused"
    CALL = "call"
    ERROR = "error"


PATTERNS: Mapping[Cue, tuple[int, ...]] = {
    Cue.RECORDED: (60,),
    Cue.YOUR_TURN: (100, 100, 100),
    Cue.REFUSED: (600,),
    Cue.CALL: (250, 120, 250, 120, 250),
    Cue.ERROR: (80, 80, 80, 80, 80, 80, 80, 80, 80),
}
"""Each cue's rhythm in ms: on, off, on …, ending with on."""

URGENT = frozenset({Cue.REFUSED, Cue.CALL, Cue.ERROR})
"""The cues that cut a playing cue short; the others wait for its end."""

GAP_MS = 250
"""The silence between two cues; it is longer than any pause within one, so that two never sound like one."""


class Cues:
    """The box's light and buzzer; either or both may be absent (``None``).

    ``factory`` gives the pins (:func:`device.keys.pins.pin_factory`), ``loop`` defaults to the running one.
    ``online`` is True while there is at least one of the two.

    Raises :class:`~device.keys.pins.ControlsError` if a pin is not available.
    """

    def __init__(
        self,
        led_pin: int | None = None,
        buzzer_pin: int | None = None,
        *,
        factory: gpiozero.Factory | None = None,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Claim the pins, both switched off."""
        self._loop = loop or asyncio.get_running_loop()
        self._outputs: list[gpiozero.DigitalOutputDevice] = []
        self._playing: deque[tuple[bool, int]] = deque()
        self._cue: Cue | None = None
        self._waiting: Cue | None = None
        self._timer: asyncio.TimerHandle | None = None
        with ExitStack() as devices:
            for part, number, kind in (
                ("led", led_pin, gpiozero.LED),
                ("buzzer", buzzer_pin, gpiozero.Buzzer),
            ):
                if number is None:
                    continue
                if factory is None:
                    # gpiozero would choose a pin driver by itself, perhaps another than that of the keys.
                    why, called = quoted("no pin factory was given"), said(f"gpio.part.{part}")
                    raise ControlsError(said("gpio.pin", number=number, part=called, why=why))
                device = claim(part, number, partial(kind, number, pin_factory=factory))
                self._outputs.append(devices.enter_context(device))
            self._devices = devices.pop_all()

    @property
    def online(self) -> bool:
        """True if there is a light or a buzzer."""
        return bool(self._outputs)

    def play(self, cue: Cue) -> None:
        """Play ``cue`` without waiting for its end; call it in the loop's thread.

        An urgent cue cuts any other short. All others, and a repeat of the playing cue, wait for its end;
        only the newest of them is kept, since an older one is out of date.
        """
        if not self.online:
            return
        if self._timer is None:
            self._begin(cue)
        elif cue in URGENT and cue is not self._cue:
            self._begin(cue, after_ms=GAP_MS)
        else:
            self._waiting = cue

    def close(self) -> None:
        """Fall silent and release the pins."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._switch(False)
        self._outputs.clear()
        self._devices.close()

    def _begin(self, cue: Cue, *, after_ms: int = 0) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._cue = cue
        rhythm = ((index % 2 == 0, ms) for index, ms in enumerate(PATTERNS[cue]))
        self._playing = deque([(False, after_ms)] if after_ms else [])
        self._playing.extend(rhythm)
        self._playing.append((False, GAP_MS))
        self._next()

    def _next(self) -> None:
        if self._playing:
            on, ms = self._playing.popleft()
            self._switch(on)
            self._timer = self._loop.call_later(ms / 1000, self._next)
            return
        self._timer = None
        if self._waiting is not None:
            cue, self._waiting = self._waiting, None
            self._begin(cue)

    def _switch(self, on: bool) -> None:
        for output in self._outputs:
            output.value = on
