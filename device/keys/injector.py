"""Injected input: presses and turns on contacts that exist only in software.

Gestures happen one after the other, in the order of the calls, far enough apart for the box to distinguish
them. So the box never takes a click in a browser or a line of a script for the chatter of the one before, and
keeps the strict timing of :mod:`device.keys.debounce`.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from math import inf
from typing import Protocol

from device.keys.debounce import Key, Timing
from device.settings import Keys
from device.texts import said

log = logging.getLogger(__name__)

PRESS_MS = (10, 60_000)
"""The shortest and the longest press."""

MAX_STEPS = 100
"""The most detents of one turn; some four times round."""

WAITING = 64
"""The most waiting gestures; a whole turn at the table takes a dozen."""

_MARGIN_MS = 5.0  # a loop's timers are a little early or late
_TAP_MS = 30.0  # the quickest finger
_STEP_MS = 2.0  # between two contacts of the encoder: four take 8 ms, as with a good flick of the wrist
_CYCLE = tuple(map(frozenset, ((), ("encoder_a",), ("encoder_a", "encoder_b"), ("encoder_b",))))
"""The closed contacts of the encoder at each position of a clockwise turn."""
_CHATTER_MS = 5.0  # Bourns PEC11 data sheet: "contact bounce (15 R.P.M.) 5 ms maximum"


class Switch(Protocol):
    """A contact between a pin and ground."""

    def contact(self, closed: bool) -> None:
        """Close or open it."""


class OvertakenError(Exception):
    """Error raised when a gesture was dropped because too many came while it waited."""


class Gesture:
    """A request to the injector."""

    def __init__(self, do: Callable[[], Awaitable[None]], lifts: Key | None = None) -> None:
        """Take the function of the gesture; ``lifts`` is its key if it only releases one."""
        self.do = do
        self.lifts = lifts
        self._settled = asyncio.Event()
        self._overtaken = False

    async def begun(self) -> None:
        """Wait for the gesture's turn; raises :class:`OvertakenError` if it was dropped."""
        await self._settled.wait()
        if self._overtaken:
            raise OvertakenError(said("stopped.overtaken", number=WAITING))

    def settle(self, *, overtaken: bool = False) -> None:
        """Tell waiting callers that the gesture begins now, or was dropped."""
        self._overtaken = overtaken
        self._settled.set()


class Injector:
    """A software hand that presses the four keys and turns the encoder.

    ``switches`` has a contact for each name in ``keys.pins``; ``keys`` are the box's settings. While
    ``bouncing()`` is true, every edge chatters, at random by ``chance``.

    Call its methods at any time in the loop's thread; it begins with :meth:`start`. If more than
    :data:`WAITING` gestures wait, the oldest is dropped, and its waiting caller gets an error; the release of
    a key then happens at once.
    """

    def __init__(
        self,
        switches: Mapping[str, Switch],
        keys: Keys,
        chance: random.Random,
        bouncing: Callable[[], bool],
    ) -> None:
        """Touch nothing yet."""
        self._switches = switches
        self._chance = chance
        self._bouncing = bouncing
        timing = Timing.of(keys)
        self._debounce = timing.debounce_ms / 1000
        self._after_turn = (timing.quiet_after_turn_ms + _MARGIN_MS) / 1000
        self._after_click = (timing.quiet_after_click_ms + _MARGIN_MS) / 1000
        self._between_turns = (timing.chatter_ms + _MARGIN_MS) / 1000
        self._steps_per_detent = keys.steps_per_detent
        self._place = 0  # in the encoder's cycle
        self._waiting: asyncio.Queue[Gesture] = asyncio.Queue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._held: dict[Key, float] = {}  # the time of each press
        self._late = dict.fromkeys(Key, 0.0)  # the delay of each press
        self._free = dict.fromkeys(Key, -inf)  # the time from which a key may be pressed again
        self._turned = -inf
        self._clicked = -inf

    def start(self) -> None:
        """Begin with the waiting gestures; needs a running loop."""
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._work(), name="injector")

    def close(self) -> None:
        """Stop, and release everything."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        for switch in self._switches.values():
            switch.contact(False)
        self._held.clear()
        while not self._waiting.empty():
            self._waiting.get_nowait().settle(overtaken=True)

    def press(self, key: Key, ms: float = 60) -> Gesture:
        """Press ``key`` for ``ms`` milliseconds, then release it; ValueError outside of :data:`PRESS_MS`."""
        if not PRESS_MS[0] <= ms <= PRESS_MS[1]:
            raise ValueError(said("stopped.lasts", least=PRESS_MS[0], most=PRESS_MS[1], ms=f"{ms:g}"))
        return self._ask(Gesture(partial(self._press, key, ms)))

    def down(self, key: Key) -> Gesture:
        """Press ``key`` until :meth:`up`; release it first if it is already down."""
        return self._ask(Gesture(partial(self._down, key, self._now())))

    def up(self, key: Key) -> Gesture:
        """Release ``key``, after the time between the two calls; do nothing if it is up."""
        return self._ask(Gesture(partial(self._up, key, self._now()), lifts=key))

    def turn(self, steps: int) -> Gesture:
        """Turn by ``steps`` detents, clockwise if positive; ValueError for none or too many."""
        if not 1 <= abs(steps) <= MAX_STEPS:
            raise ValueError(said("stopped.detents", most=MAX_STEPS, steps=steps))
        return self._ask(Gesture(partial(self._turn, steps)))

    async def rest(self) -> None:
        """Wait until all gestures so far are done; raises :class:`OvertakenError`."""

        async def nothing() -> None:
            pass

        await self._ask(Gesture(nothing)).begun()

    def _ask(self, gesture: Gesture) -> Gesture:
        if self._waiting.qsize() >= WAITING:
            oldest = self._waiting.get_nowait()
            oldest.settle(overtaken=oldest.lifts is None)
            if oldest.lifts is not None:  # at once, since a key must not stay down
                self._held.pop(oldest.lifts, None)
                self._switches[oldest.lifts.value].contact(False)
            log.warning("injector: more than %d gestures wait; the oldest is given up", WAITING)
        self._waiting.put_nowait(gesture)
        return gesture

    # Gestures

    async def _work(self) -> None:
        while True:
            gesture = await self._waiting.get()
            gesture.settle()
            try:
                await gesture.do()
            except Exception:
                # The listener to the pins failed; the next gesture may reach it again.
                log.exception("injector: a gesture failed")

    async def _press(self, key: Key, ms: float) -> None:
        down = await self._push(key)
        await self._wait_until(down + ms / 1000)
        await self._lift(key)

    async def _down(self, key: Key, asked: float) -> None:
        down = await self._push(key)
        self._late[key] = down - asked if asked > -inf else 0.0

    async def _up(self, key: Key, asked: float) -> None:
        if key in self._held:
            await self._wait_until(max(asked + self._late[key], self._held[key] + _TAP_MS / 1000))
            await self._lift(key)

    async def _turn(self, steps: int) -> None:
        await self._wait_until(self._clicked + self._after_click)
        await self._wait_until(self._turned + self._between_turns)
        way = 1 if steps > 0 else -1
        for _ in range(abs(steps) * self._steps_per_detent):
            before, self._place = _CYCLE[self._place], (self._place + way) % len(_CYCLE)
            for line in before ^ _CYCLE[self._place]:
                await self._move(line, line in _CYCLE[self._place])
            await asyncio.sleep(_STEP_MS / 1000)
        self._turned = self._now()

    # Steps of gestures

    async def _push(self, key: Key) -> float:
        """Press a key; return the time of the press."""
        await self._lift(key)
        await self._wait_until(self._free[key])
        if key is Key.OK:
            await self._wait_until(self._turned + self._after_turn)
            self._clicked = self._now()
        down = self._held[key] = self._now()
        await self._move(key.value, True)
        return down

    async def _lift(self, key: Key) -> None:
        if self._held.pop(key, None) is not None:
            await self._move(key.value, False)
            self._free[key] = self._now() + self._debounce + _MARGIN_MS / 1000

    async def _move(self, name: str, closed: bool) -> None:
        switch = self._switches[name]
        switch.contact(closed)
        if not self._bouncing():
            return
        # Each time to and fro in one moment: however late this loop is, no wrong level ever stays, and no
        # chatter comes after the debounce time, where it would be a press of its own.
        quiet_from = self._now() + min(_CHATTER_MS / 1000, self._debounce / 2)
        for _ in range(self._chance.randint(2, 4)):
            await asyncio.sleep(0.001)
            if self._now() >= quiet_from:
                return
            switch.contact(not closed)
            switch.contact(closed)

    def _now(self) -> float:
        return -inf if self._loop is None else self._loop.time()

    async def _wait_until(self, moment: float) -> None:
        if (wait := moment - self._now()) > 0:
            await asyncio.sleep(wait)
