"""Injected input: a person's presses and turns on contacts that only exist here.

One gesture after the other is done, in the order asked, none sooner than the box can tell it from the last.
So nothing that is clicked in a browser or written in a script is taken for the chatter of what came before,
while the box keeps the strict timing of :mod:`device.keys.debounce`.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from math import inf
from typing import Protocol

from device.keys.debounce import Timing
from device.keys.events import Key
from device.settings import Keys
from device.texts import said

log = logging.getLogger(__name__)

PRESS_MS = (10, 60_000)
"""How short and how long a press may be."""

MAX_STEPS = 100
"""The most detents of one turn; some four times round."""

WAITING = 64
"""The most gestures that wait; a whole turn at the table takes a dozen."""

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


class OvertakenError(Exception):
    """A gesture was given up because so many came after it while it waited."""


class Gesture:
    """Something the injector was asked for."""

    def __init__(self, do: Callable[[], Awaitable[None]], lifts: Key | None = None) -> None:
        """Take what the gesture does; ``lifts`` is the key, if it only lets one go."""
        self.do = do
        self.lifts = lifts
        self._settled = asyncio.Event()
        self._overtaken = False

    async def begun(self) -> None:
        """Wait for the gesture's turn; raises :class:`OvertakenError` when it has been given up."""
        await self._settled.wait()
        if self._overtaken:
            raise OvertakenError(said("stopped.overtaken", number=WAITING))

    def settle(self, *, overtaken: bool = False) -> None:
        """Tell whoever waits that the gesture begins now, or is given up."""
        self._overtaken = overtaken
        self._settled.set()


class Injector:
    """Presses the four keys and turns the encoder.

    ``switches`` has a contact for each name in ``keys.pins``; the box decodes them as ``keys`` says. While
    ``bouncing()``, every edge chatters, differently with every ``chance``.

    It may be asked at any time in the loop's thread, and begins with :meth:`start`. Of more than
    :data:`WAITING` gestures the oldest is given up, and whoever waits for it is told; letting go of a key is
    then done at once.
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
        self._waiting: deque[Gesture] = deque()
        self._asked = asyncio.Event()
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
        self._task = self._loop.create_task(self._work(), name="injector")

    def close(self) -> None:
        """Stop, and let go of everything."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        for switch in self._switches.values():
            switch.contact(False)
        self._held.clear()
        while self._waiting:
            self._waiting.popleft().settle(overtaken=True)

    def press(self, key: Key, ms: float = 60) -> Gesture:
        """Press ``key`` for ``ms`` milliseconds, then let go; ValueError outside of :data:`PRESS_MS`."""
        if not PRESS_MS[0] <= ms <= PRESS_MS[1]:
            raise ValueError(said("stopped.lasts", least=PRESS_MS[0], most=PRESS_MS[1], ms=f"{ms:g}"))
        return self._ask(Gesture(partial(self._press, key, ms)))

    def down(self, key: Key) -> Gesture:
        """Press ``key`` until :meth:`up`; let it go first if it is down already."""
        return self._ask(Gesture(partial(self._down, key, self._now())))

    def up(self, key: Key) -> Gesture:
        """Let go of ``key``, after the time that lay between the two calls; nothing if it is up."""
        return self._ask(Gesture(partial(self._up, key, self._now()), lifts=key))

    def turn(self, steps: int) -> Gesture:
        """Turn by ``steps`` detents, clockwise if positive; ValueError for none or too many."""
        if not 1 <= abs(steps) <= MAX_STEPS:
            raise ValueError(said("stopped.detents", most=MAX_STEPS, steps=steps))
        return self._ask(Gesture(partial(self._turn, steps)))

    async def rest(self) -> None:
        """Wait until all that was asked for so far is done; raises :class:`OvertakenError`."""

        async def nothing() -> None:
            pass

        await self._ask(Gesture(nothing)).begun()

    def _ask(self, gesture: Gesture) -> Gesture:
        if len(self._waiting) >= WAITING:
            oldest = self._waiting.popleft()
            oldest.settle(overtaken=oldest.lifts is None)
            if oldest.lifts is not None:  # at once, since a key must not stay down
                self._held.pop(oldest.lifts, None)
                self._switches[oldest.lifts.value].contact(False)
            log.warning("injector: more than %d gestures wait; the oldest is given up", WAITING)
        self._waiting.append(gesture)
        self._asked.set()
        return gesture

    # Gestures

    async def _work(self) -> None:
        while True:
            while not self._waiting:
                self._asked.clear()
                await self._asked.wait()
            gesture = self._waiting.popleft()
            gesture.settle()
            try:
                await gesture.do()
            except Exception:
                # Whatever listens to the pins failed; the next gesture may reach it again.
                log.exception("injector: a gesture failed")

    async def _press(self, key: Key, ms: float) -> None:
        down = await self._push(key)
        await self._until(down + ms / 1000)
        await self._lift(key)

    async def _down(self, key: Key, asked: float) -> None:
        down = await self._push(key)
        self._late[key] = down - asked if asked > -inf else 0.0

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

    async def _push(self, key: Key) -> float:
        """Press a key; return when it went down."""
        await self._lift(key)
        await self._until(self._free[key])
        if key is Key.OK:
            await self._until(self._turned + self._after_turn)
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
