"""A person's hands on contacts that only exist here.

They are patient: one gesture after the other, in the order asked, none sooner than the box can tell it from
the last. So nothing that is clicked in a browser or written in a script is taken for the chatter of what
came before, while the box keeps the strict timing of :mod:`device.keys.debounce`.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from math import inf
from typing import Protocol

from device.config import Keys
from device.keys.debounce import Timing
from device.keys.events import Key

log = logging.getLogger(__name__)

PRESS_MS = (10, 60_000)
"""How short and how long a press may be."""

MAX_STEPS = 100
"""As many detents as one turn may have; some four times round."""

_MARGIN_MS = 5.0  # a loop's timers are a little early or late
_TAP_MS = 30.0  # the quickest finger
_STEP_MS = 2.0  # between two contacts of the encoder: four take 8 ms, as with a good flick of the wrist
_CYCLE = tuple(map(frozenset, ((), ("encoder_a",), ("encoder_a", "encoder_b"), ("encoder_b",))))
"""Which of the encoder's contacts are closed, place by place of a clockwise turn."""
_CHATTER_MS = 5.0  # Bourns PEC11 data sheet: "contact bounce (15 R.P.M.) 5 ms maximum"


class Switch(Protocol):
    """A contact between a pin and ground."""

    def contact(self, closed: bool) -> None:
        """Close or open it."""


class Hands:
    """Two hands for the four keys and the encoder.

    ``switches`` has a contact for each name in ``keys.pins``; the box decodes them as ``keys`` says. While
    ``bouncing()``, every edge chatters, differently with every ``chance``.

    They may be asked at any time in the loop's thread, and begin with :meth:`start`.
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
        self._asked: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._held: dict[Key, float] = {}  # since when
        self._late = dict.fromkeys(Key, 0.0)  # by how much a key went down after it was asked for
        self._free = dict.fromkeys(Key, -inf)  # from when on a key may be pressed again
        self._turned = -inf
        self._clicked = -inf

    def start(self) -> None:
        """Begin with what was asked for; needs a running loop."""
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._work(), name="simulated hands")

    def close(self) -> None:
        """Stop, and let go of everything."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        for switch in self._switches.values():
            switch.contact(False)
        self._held.clear()

    def press(self, key: Key, ms: float) -> None:
        """Press ``key`` for ``ms`` milliseconds, then let go; ValueError outside of :data:`PRESS_MS`."""
        if not PRESS_MS[0] <= ms <= PRESS_MS[1]:
            raise ValueError(f"a press lasts {PRESS_MS[0]} to {PRESS_MS[1]} ms, not {ms:g}")
        self._asked.put_nowait(partial(self._press, key, ms))

    def down(self, key: Key) -> None:
        """Press ``key`` until :meth:`up`; one that is down already is let go first."""
        self._asked.put_nowait(partial(self._down, key, self._now()))

    def up(self, key: Key) -> None:
        """Let go of ``key``, after the time that lay between the two calls; one that is up stays up."""
        self._asked.put_nowait(partial(self._up, key, self._now()))

    def turn(self, steps: int) -> None:
        """Turn by ``steps`` detents, clockwise if positive; ValueError for none or too many."""
        if not 1 <= abs(steps) <= MAX_STEPS:
            raise ValueError(f"a turn has 1 to {MAX_STEPS} detents either way, not {steps}")
        self._asked.put_nowait(partial(self._turn, steps))

    async def rest(self) -> None:
        """Wait until all that was asked for so far is done."""
        done = asyncio.Event()

        async def finish() -> None:
            done.set()

        self._asked.put_nowait(finish)
        await done.wait()

    # Gestures

    async def _work(self) -> None:
        while True:
            gesture = await self._asked.get()
            try:
                await gesture()
            except Exception:
                # Whatever listens to the pins failed; the next gesture may reach it again.
                log.exception("simulated hands: a gesture failed")

    async def _press(self, key: Key, ms: float) -> None:
        await self._push(key)
        await self._until(self._held[key] + ms / 1000)
        await self._lift(key)

    async def _down(self, key: Key, asked: float) -> None:
        await self._push(key)
        self._late[key] = self._held[key] - asked if asked > -inf else 0.0

    async def _up(self, key: Key, asked: float) -> None:
        if key in self._held:
            await self._until(max(asked + self._late[key], self._held[key] + _TAP_MS / 1000))
            await self._lift(key)

    async def _turn(self, steps: int) -> None:
        await self._until(self._clicked + self._after_click)
        await self._until(self._turned + self._between_turns)
        way = 1 if steps > 0 else -1
        for _ in range(abs(steps) * self._steps_per_detent):
            before, self._place = _CYCLE[self._place], (self._place + way) % len(_CYCLE)
            for line in before ^ _CYCLE[self._place]:
                await self._move(line, line in _CYCLE[self._place])
            await asyncio.sleep(_STEP_MS / 1000)
        self._turned = self._now()

    # What they are made of

    async def _push(self, key: Key) -> None:
        await self._lift(key)
        await self._until(self._free[key])
        if key is Key.OK:
            await self._until(self._turned + self._after_turn)
            self._clicked = self._now()
        self._held[key] = self._now()
        await self._move(key.value, True)

    async def _lift(self, key: Key) -> None:
        if self._held.pop(key, None) is not None:
            await self._move(key.value, False)
            self._free[key] = self._now() + self._debounce + _MARGIN_MS / 1000

    async def _move(self, name: str, closed: bool) -> None:
        switch = self._switches[name]
        switch.contact(closed)
        if not self._bouncing():
            return
        # Each time to and fro in one moment: however late this loop may be, no wrong level is ever left
        # standing, and no chatter comes after the debounce time, where it would be a press of its own.
        quiet_from = self._now() + min(_CHATTER_MS / 1000, self._debounce / 2)
        for _ in range(self._chance.randint(2, 4)):
            await asyncio.sleep(0.001)
            if self._now() >= quiet_from:
                return
            switch.contact(not closed)
            switch.contact(closed)

    def _now(self) -> float:
        return -inf if self._loop is None else self._loop.time()

    async def _until(self, moment: float) -> None:
        if (wait := moment - self._now()) > 0:
            await asyncio.sleep(wait)
