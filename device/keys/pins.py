"""The box on real pins: encoder and keys, whose edges feed our decoder, and a light and a buzzer.

Every contact is wired between its pin and ground, and the Pi's pull-up holds the pin high, so a closed
contact reads low. gpiozero calls back on its own thread; each call passes the time of its edge to the event
loop, where :mod:`device.keys.debounce` decodes it::

    controls = Controls(Keys(), deliver=print, factory=pin_factory("lgpio"))  # inside a running loop
    ...                                                                       # Press(key=<Key.OK: 'ok'>)
    controls.close()

Without a Raspberry Pi the same class runs on ``pin_factory("mock")``, whose pins a test or the simulated
panel drives. The caller always chooses between the two; nothing guesses from missing hardware.

A light and a buzzer say "your turn", "refused", "recorded" to people who look at the board. A cue is a
rhythm, the same on both, recognised without counting: one short, two short, one long. Both parts are
optional; a table that wants silence wires only the light::

    cues = Cues(led_pin=12, buzzer_pin=13, factory=pin_factory("lgpio"))  # inside a running loop
    cues.play(Cue.YOUR_TURN)                                              # returns at once
    cues.close()
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TypeVar

import gpiozero
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.keys import debounce
from device.keys.debounce import Key, KeyEvent
from device.settings import Keys
from device.supervise import wake
from device.texts import quoted, said

OLDEST_EDGE_S = 10.0
"""The age that no edge reaches; a greater one means that the driver counts from another origin."""

AGE_WITHIN_MS = 1.0
AGE_TRIES = 5
"""The precision of an edge's age in ms, and the most tries to measure it."""

SETTLED_S = 0.01
"""The time in which a pull-up surely charges its wire."""

_LEVELS = {"a": 2, "b": 1}
"""The value of each of the encoder's contacts in the levels of its :class:`Knob`."""

T = TypeVar("T")


class ControlsError(Exception):
    """Error raised when pins cannot be used; one line that names the pin and its part."""


def pin_factory(name: str, *, runtime_dir: Path | None = None) -> gpiozero.Factory:
    """Return gpiozero's pins by name: ``"lgpio"`` for the Pi's own, ``"mock"`` for simulated ones.

    lgpio leaves a pipe in its working directory, here ``runtime_dir`` (default: that of ``LG_WD``,
    ``RUNTIME_DIRECTORY`` or ``XDG_RUNTIME_DIR``, else the system's directory for temporary files). Raises
    :class:`ControlsError` if there are no such pins; there is no fallback.
    """
    if name == "mock":
        return MockFactory(pin_class=MockPWMPin)
    if name != "lgpio":
        raise ControlsError(f'no pin factory "{name}": lgpio or mock')
    runtime_dir = runtime_dir or _find_runtime_dir()
    if not os.access(runtime_dir, os.W_OK):
        raise ControlsError(said("gpio.folder", folder=str(runtime_dir)))
    try:
        _import_lgpio(runtime_dir)
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 – it imports lgpio, which needs LG_WD

        return LGPIOFactory()
    except ImportError as error:
        raise ControlsError(said("gpio.library", why=quoted(_take_first_line(error)))) from error
    except gpiozero.PinUnknownPi as error:
        raise ControlsError(said("gpio.no_pi")) from error
    except Exception as error:  # lgpio's own errors derive from Exception itself
        raise ControlsError(said("gpio.group", why=quoted(_take_first_line(error)))) from error


def claim(part: str, number: int, build: Callable[[], T]) -> T:
    """Build a device of gpiozero's on one pin; errors name the ``part`` of the box (a key under
    ``gpio.part``) and GPIO ``number``.

    Raises :class:`ControlsError` if the pin is used elsewhere or does not exist.
    """
    try:
        return build()
    except Exception as error:  # lgpio's own errors derive from Exception itself
        # gpiozero reserves a pin for a device before it has it, and the traceback keeps that device alive:
        # while anybody held this error, the pin could not be claimed again.
        traceback.clear_frames(error.__traceback__)
        if isinstance(error, gpiozero.GPIOPinInUse):
            raise ControlsError(said("gpio.twice", number=number, part=said(f"gpio.part.{part}"))) from error
        told = _take_first_line(error)
        why = said("gpio.busy") if "busy" in told.lower() else quoted(told)
        called = said(f"gpio.part.{part}")
        raise ControlsError(said("gpio.pin", number=number, part=called, why=why)) from error


def is_held_down(keys: Keys, key: Key) -> bool:
    """Return True if a key's pin is low, before anything else claims it; False if it is not available."""
    try:
        factory = pin_factory("lgpio")
    except ControlsError:
        return False
    # No device of gpiozero's: its listener outlives the factory in lgpio's one thread. That calls it for the
    # next factory's edges, it fails there, and ends the thread: then no key is heard any more.
    number = keys.pins[key]
    try:
        pin = claim(key.value, number, partial(factory.pin, number))
        claim(key.value, number, partial(pin.input_with_pull, "up"))
        time.sleep(SETTLED_S)
        return not pin.state
    except ControlsError:
        return False
    finally:
        factory.close()


class Controls:
    """The encoder and the four keys of the settings ``keys``, delivering key events in the event loop.

    ``deliver`` is called once for each event, in the loop's thread. ``loop`` defaults to the running one and
    is also the clock. ``online`` is True from construction, which claims the pins, to :meth:`close`.

    Raises :class:`ControlsError` if a pin is not available; the others are then released.
    """

    def __init__(
        self,
        keys: Keys,
        deliver: Callable[[KeyEvent], None],
        *,
        factory: gpiozero.Factory,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Claim the pins and listen."""
        self.online = False
        self._deliver = deliver
        self._timing = debounce.Timing.of(keys)
        self._steps_per_detent = keys.steps_per_detent
        self._loop = loop or asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        with ExitStack() as devices:
            self._buttons = {
                key: devices.enter_context(_claim_contact(key.value, keys.pins[key], factory)) for key in Key
            }
            self._encoder = {
                name: devices.enter_context(
                    _claim_contact(f"encoder_{name}", keys.pins[f"encoder_{name}"], factory)
                )
                for name in _LEVELS
            }
            self._devices = devices.pop_all()
        for key, button in self._buttons.items():
            button.when_activated = partial(self._on_edge, key, True)
            button.when_deactivated = partial(self._on_edge, key, False)
        for name, contact in self._encoder.items():
            contact.when_activated = partial(self._on_encoder, name, True)
            contact.when_deactivated = partial(self._on_encoder, name, False)
        self._knob = debounce.Knob(
            sum(_LEVELS[name] for name, contact in self._encoder.items() if contact.is_active)
        )
        self._state: debounce.KeyState = debounce.start(
            key for key, button in self._buttons.items() if button.is_active
        )
        self._looked_ms = self._now_ms()
        self.online = True

    @property
    def stuck(self) -> frozenset[Key]:
        """The keys held down since the start: ignored until released once, and worth a line on the screen."""
        return self._state.stuck

    def close(self) -> None:
        """Release the pins; nothing is delivered any more."""
        self.online = False
        if self._timer is not None:
            self._timer.cancel()
        self._devices.close()

    # On gpiozero's threads.

    def _on_edge(self, key: Key, down: bool) -> None:
        wake(self._loop, self._take, debounce.ContactEdge(self._find_edge_ms(self._buttons[key]), key, down))

    def _on_encoder(self, name: str, closed: bool) -> None:
        wake(self._loop, self._move, self._find_edge_ms(self._encoder[name]), name, closed)

    def _find_edge_ms(self, contact: gpiozero.DigitalInputDevice) -> float:
        # The kernel's time, not ours: on a busy box a turn and a click may arrive in one moment. gpiozero
        # gives its age, so the thread must not lose the processor between the age and the clock.
        for _ in range(AGE_TRIES):
            before_ms = self._now_ms()
            age = contact.active_time or contact.inactive_time
            now_ms = self._now_ms()
            if now_ms - before_ms < AGE_WITHIN_MS:
                break
        return now_ms - (age * 1000 if age and 0 < age < OLDEST_EDGE_S else 0.0)

    # In the loop's thread.

    def _now_ms(self) -> float:
        return self._loop.time() * 1000

    def _take(self, seen: debounce.ContactEdge | debounce.Detent) -> None:
        if self.online:
            self._looked_ms = seen.time_ms
            self._advance(debounce.feed(self._state, self._timing, seen))

    def _move(self, seen_ms: float, name: str, closed: bool) -> None:
        bit = _LEVELS[name]
        levels = self._knob.levels | bit if closed else self._knob.levels & ~bit
        self._knob, steps = debounce.turn_knob(self._knob, levels, self._steps_per_detent)
        if steps:
            self._take(debounce.Detent(seen_ms, steps))

    def _tick(self, due_ms: float) -> None:
        # A timer may fire a clock tick early, and must not find nothing to do.
        now_ms = max(self._now_ms(), due_ms)
        for key, button in self._buttons.items():
            # Edges can be late or lost, the level cannot. A key found up was up since the last check, so that
            # a stall never counts as a hold; a key found down is down from now.
            down = button.is_active
            if down != self._state.contact(key).seen:
                edge = debounce.ContactEdge(now_ms if down else self._looked_ms, key, down)
                self._advance(debounce.feed(self._state, self._timing, edge))
        self._looked_ms = now_ms
        self._advance(debounce.tick(self._state, self._timing, now_ms))

    def _advance(self, step: debounce.Step) -> None:
        self._state, events = step
        due_ms = debounce.next_deadline(self._state)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if due_ms is None else self._loop.call_at(due_ms / 1000, self._tick, due_ms)
        for event in events:
            self._deliver(event)


def _claim_contact(part: str, number: int, factory: gpiozero.Factory) -> gpiozero.DigitalInputDevice:
    # No gpiozero.Button: the hold is ours, and its thread for each would wake ten times a second.
    build = partial(gpiozero.DigitalInputDevice, number, pull_up=True, pin_factory=factory)
    return claim(part, number, build)


def _find_runtime_dir() -> Path:
    for variable in ("LG_WD", "RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"):
        if named := os.environ.get(variable):
            return Path(named.split(":")[0])
    return Path(tempfile.gettempdir())


def _import_lgpio(runtime_dir: Path) -> None:
    """Import lgpio with its pipe in ``runtime_dir``, and restore the working directory, which it changes."""
    os.environ["LG_WD"] = str(runtime_dir)
    working_dir = Path.cwd()
    try:
        import lgpio  # noqa: F401, PLC0415 – for its side effect, and only here
    finally:
        os.chdir(working_dir)


def _take_first_line(error: Exception) -> str:
    return (str(error).strip("'\"") or type(error).__name__).splitlines()[0]


# Light and sound


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

    ``factory`` gives the pins (:func:`pin_factory`), ``loop`` defaults to the running one.
    ``online`` is True while there is at least one of the two.

    Raises :class:`ControlsError` if a pin is not available.
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
