"""Number pads, button boxes and knobs of the kernel: ``/dev/input/event*``, which come and go.

The kernel's protocol is 24 bytes an event and four requests, so this module speaks it: the library ``evdev``
has no wheels and needs a compiler at every installation. A FIFO in a device's place takes the same bytes,
with the times of this machine's monotonic clock. A pure function translates events to keys of the box.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import logging
import os
import stat
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from device.keys.debounce import (
    ContactEdge,
    Detent,
    Key,
    KeyEvent,
    KeyState,
    Step,
    Timing,
    Turn,
    feed,
    next_deadline,
    start,
    tick,
)
from device.settings import AXIS_CODES, KEY_CODES, TURNS, Keypad, Keys
from device.supervise import Backoff
from device.texts import Why, of_device, said
from engines.contract import SEATS

EVENT = struct.Struct("@llHHi")
"""``struct input_event`` of linux/input.h: seconds, microseconds, type, code, value; 24 bytes."""

SYN, KEY, REL = 0, 1, 2
DROPPED = 3
"""The code of a :data:`SYN` that reports lost events: read the levels again."""

RELEASED, PRESSED, REPEATED = 0, 1, 2


class InputEvent(msgspec.Struct, frozen=True):
    """One event: its time, and the kernel's type, code and value."""

    time_ms: float
    kind: int
    code: int
    value: int


def read_events(data: bytes) -> Iterator[InputEvent]:
    """Read whole events: ``data`` is a multiple of :data:`EVENT`'s size."""
    for seconds, micros, kind, code, value in EVENT.iter_unpack(data):
        yield InputEvent(seconds * 1000 + micros / 1000, kind, code, value)


class Meanings(msgspec.Struct, frozen=True):
    """Meanings of the kernel's codes: keys of the box, keys that turn by a detent one way, axes that turn."""

    keys: Mapping[int, Key]
    turns: Mapping[int, int]
    axes: frozenset[int]

    @classmethod
    def of(cls, pad: Keypad) -> Meanings:
        """Read the meanings from the settings."""
        keys = {KEY_CODES[name]: key for key in Key for name in pad.names[key]}
        ways = zip(TURNS, (1, -1), strict=True)
        turns = {KEY_CODES[name]: way for setting, way in ways for name in pad.names[setting]}
        return cls(keys, turns, frozenset(AXIS_CODES[name] for name in pad.turn))

    def down(self, held: Iterable[int]) -> frozenset[Key]:
        """Return the keys of the box that are down while the kernel's keys ``held`` are."""
        return frozenset(self.keys[code] for code in held if code in self.keys)


def translate(
    held: frozenset[int], meanings: Meanings, event: InputEvent
) -> tuple[frozenset[int], tuple[ContactEdge | Detent | Turn, ...]]:
    """Take an event; return the kernel's keys held after it, and the resulting events at the box.

    Of two keys with the same meaning, the first down and the last up count. A key that turns gives a
    :class:`Turn` at once, and more while it is held: unlike a knob it does not wobble.
    """
    if event.kind == REL and event.code in meanings.axes and event.value:
        return held, (Detent(event.time_ms, event.value),)
    if event.kind != KEY:
        return held, ()
    if event.code in meanings.turns and event.value != RELEASED:
        return held, (Turn(meanings.turns[event.code]),)
    if event.code not in meanings.keys or event.value == REPEATED:
        return held, ()
    now = held | {event.code} if event.value else held - {event.code}
    return now, find_edges(held, now, meanings, event.time_ms)


def find_edges(
    held: frozenset[int], now: frozenset[int], meanings: Meanings, time_ms: float
) -> tuple[ContactEdge, ...]:
    """Return the edges of the box's keys when the kernel's keys change from ``held`` to ``now``."""
    before, after = meanings.down(held), meanings.down(now)
    return tuple(ContactEdge(time_ms, key, key in after) for key in Key if (key in before) != (key in after))


log = logging.getLogger(__name__)

CLASS = Path("/sys/class/input")
DEV = Path("/dev/input")
AT_ONCE = 64
"""The most events in one read; the kernel itself keeps about as many for a late reader."""

RETRY_S = (0.2, 2.0)
"""The first and longest wait before another try to open a keypad."""

OLDEST_S = 10.0
"""The age that no event reaches; a greater one means that it has another clock."""

_GRAB = 0x40044590  # EVIOCGRAB
_CLOCK = 0x400445A0  # EVIOCSCLOCKID
_LEVELS = 0x80604518  # EVIOCGKEY of 96 bytes: KEY_MAX is 0x2ff


class Input(msgspec.Struct, frozen=True):
    """An input device in the kernel's list: its path, its name, and its keys and axes as bits."""

    path: Path
    name: str
    keys: int
    axes: int

    def has(self, meanings: Meanings) -> bool:
        """Return True if it has any of the keys and axes with a meaning."""
        keys = any(self.keys >> code & 1 for code in (*meanings.keys, *meanings.turns))
        return keys or any(self.axes >> code & 1 for code in meanings.axes)


def list_inputs(folder: Path = CLASS) -> tuple[Input, ...]:
    """List all input devices, by number. Open none, so that it needs no rights and disturbs nobody."""
    found = []
    for entry in sorted(folder.glob("event*"), key=lambda entry: int(entry.name.removeprefix("event"))):
        about = entry / "device"
        with contextlib.suppress(OSError):  # unplugged meanwhile
            name = (about / "name").read_text("utf-8", "replace").strip("\n")
            bits = [_read_bits((about / "capabilities" / kind).read_text()) for kind in ("key", "rel")]
            found.append(Input(DEV / entry.name, name, *bits))
    return tuple(found)


def locate(pad: Keypad, there: Sequence[Input]) -> Path:
    """Return a keypad's path, or that of the device with its name and a key that has a meaning.

    A USB keyboard often comes as several devices of one name, of which one has the keys. Raises OSError
    (ENOENT) if there is none.
    """
    if pad.device.startswith("/"):
        return Path(pad.device)
    meanings = Meanings.of(pad)
    for one in there:
        if one.name == pad.device and one.has(meanings):
            return one.path
    raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), pad.device)


class KeypadState(msgspec.Struct, frozen=True):
    """A keypad's state for people: the reason ``why`` it is away, or the keys held since it came."""

    device: str
    online: bool
    why: Why = ""


class Keypads:
    """The keypads of the settings, opened for this box alone; each comes back by itself."""

    def __init__(
        self,
        pads: Sequence[Keypad],
        keys: Keys,
        deliver: Callable[[KeyEvent, int | None], None],
        on_state: Callable[[], None] = lambda: None,
    ) -> None:
        """Open nothing before :meth:`run`.

        ``keys`` has the times of debounce and hold. The event loop calls ``deliver(event, seat)`` for each
        event, with the keypad's seat, and ``on_state()`` when one comes or goes.
        """
        self._pads = tuple(_Pad(pad, Timing.of(keys), deliver, on_state) for pad in pads)

    @property
    def states(self) -> tuple[KeypadState, ...]:
        """Each keypad's state, in the order of the settings."""
        return tuple(pad.state for pad in self._pads)

    async def run(self) -> None:
        """Serve until cancelled; then release the devices."""
        async with asyncio.TaskGroup() as tasks:
            for pad in self._pads:
                tasks.create_task(pad.run(), name=f"keypad {pad.state.device}")
            await asyncio.get_running_loop().create_future()


class _Pad:
    """One keypad: opened, read, decoded."""

    def __init__(
        self,
        pad: Keypad,
        timing: Timing,
        deliver: Callable[[KeyEvent, int | None], None],
        on_state: Callable[[], None],
    ) -> None:
        self._pad = pad
        self._meanings = Meanings.of(pad)
        self._seat = SEATS.index(pad.seat) if pad.seat else None
        self._timing = timing
        self._deliver = deliver
        self._on_state = on_state
        self._backoff = Backoff(*RETRY_S)
        self._online = False
        self._why: Why = said("status.unopened")
        self._timer: asyncio.TimerHandle | None = None
        self._held: frozenset[int] = frozenset()
        self._rest = b""
        self._state: KeyState = start()

    @property
    def state(self) -> KeypadState:
        stuck = tuple(said(f"web.box.{key}") for key in sorted(self._state.stuck))
        why = said("warning.stuck", key=stuck) if self._online and stuck else self._why
        return KeypadState(self._pad.device, self._online, why)

    async def run(self) -> None:
        while True:
            try:
                device = open_device(locate(self._pad, list_inputs()))
            except OSError as error:
                other = error.errno == errno.ENOTTY
                self._set_state(False, said("status.no_input") if other else of_device(error, "input"))
            else:
                self._backoff.reset()
                await self._listen(device)
            await asyncio.sleep(self._backoff.wait())

    async def _listen(self, device: int) -> None:
        """Read until the device is gone."""
        loop = asyncio.get_running_loop()
        gone = loop.create_future()
        try:
            self._begin(read_levels(device))
            loop.add_reader(device, self._read_events, device, gone)
            self._set_state(True, "")
            await gone
        finally:
            loop.remove_reader(device)
            os.close(device)
            if self._timer is not None:
                self._timer.cancel()
        self._let_go()
        self._set_state(False, said("status.unplugged"))

    def _read_events(self, device: int, gone: asyncio.Future[None]) -> None:
        try:
            data = os.read(device, AT_ONCE * EVENT.size)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            if not gone.done():
                gone.set_result(None)
            return
        data = self._rest + data
        whole = len(data) - len(data) % EVENT.size
        self._rest = data[whole:]
        for event in read_events(data[:whole]):
            self._take(device, event)

    def _take(self, device: int, event: InputEvent) -> None:
        now_ms = time.monotonic() * 1000
        if not 0 <= now_ms - event.time_ms < OLDEST_S * 1000:
            event = msgspec.structs.replace(event, time_ms=now_ms)
        seen: tuple[ContactEdge | Detent | Turn, ...]
        if (event.kind, event.code) == (SYN, DROPPED):
            held = read_levels(device)
            seen = find_edges(self._held, held, self._meanings, event.time_ms)
        else:
            held, seen = translate(self._held, self._meanings, event)
        self._held = held
        stuck = self._state.stuck
        for one in seen:
            if isinstance(one, Turn):
                self._deliver(one, self._seat)
            else:
                self._advance(feed(self._state, self._timing, one))
        if stuck != self._state.stuck:
            self._on_state()

    # Time

    def _begin(self, held: frozenset[int]) -> None:
        self._held = held
        self._rest = b""
        self._state = start(self._meanings.down(held))

    def _let_go(self) -> None:
        """Release all held keys, so that a key that went with its device is not held for ever."""
        for edge in find_edges(self._held, frozenset(), self._meanings, time.monotonic() * 1000):
            self._advance(feed(self._state, self._timing, edge))
        while (due_ms := next_deadline(self._state)) is not None:
            self._tick(due_ms)
        self._begin(frozenset())

    def _tick(self, due_ms: float) -> None:
        # A timer may fire a clock tick early, and must not find nothing to do.
        self._advance(tick(self._state, self._timing, max(time.monotonic() * 1000, due_ms)))

    def _advance(self, step: Step) -> None:
        self._state, delivered = step
        due_ms = next_deadline(self._state)
        if self._timer is not None:
            self._timer.cancel()
        call_at = asyncio.get_running_loop().call_at
        self._timer = None if due_ms is None else call_at(due_ms / 1000, self._tick, due_ms)
        for event in delivered:
            self._deliver(event, self._seat)

    def _set_state(self, online: bool, why: Why) -> None:
        if (online, why) != (self._online, self._why):
            self._online, self._why = online, why
            log.info("keypad %s: %s", self._pad.device, why or "online")
            self._on_state()


def open_device(path: Path) -> int:
    """Open a device exclusively, so that nobody else gets its keys; raises OSError if that fails."""
    device = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        mode = os.fstat(device).st_mode
        if stat.S_ISCHR(mode):
            fcntl.ioctl(device, _CLOCK, time.CLOCK_MONOTONIC.to_bytes(4, "little"))
            fcntl.ioctl(device, _GRAB, 1)
        elif not stat.S_ISFIFO(mode):
            raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY), str(path))
    except BaseException:
        os.close(device)
        raise
    return device


def read_levels(device: int) -> frozenset[int]:
    """Return the keys of an open device that are down now; none for a FIFO."""
    try:
        bits = int.from_bytes(fcntl.ioctl(device, _LEVELS, bytes(96)), "little")
    except OSError:
        return frozenset()
    return frozenset(code for code in range(bits.bit_length()) if bits >> code & 1)


def _read_bits(text: str) -> int:
    """Read a bitmap as the kernel writes it: words of 64 bits in hex, the highest first."""
    return sum(int(word, 16) << 64 * at for at, word in enumerate(reversed(text.split())))
