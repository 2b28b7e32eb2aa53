"""The box's simulated hardware: pins, display and line in memory only, and presses to inject.

The daemon runs on it unchanged. It takes the pin factory, the display and the line's name from here, and
builds its own ``Controls``, ``Cues``, ``ScreenWorker`` and ``LineService`` on them. So a click in the browser
takes the way of a finger: contact, gpiozero, debounce, menu::

    hardware = SimulatedHardware(Keys(), lines=[Path("line")])
    hardware.start()                                     # inside a running loop
    controls = Controls(hardware.keys, print, factory=hardware.factory)
    hardware.hand.press(Key.OK)                          # returns at once; done as soon as it counts
    hardware.hand.turn(-2)
    hardware.set_fault("bouncing_keys", True)
    hardware.close()
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import time
import tty
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

import gpiozero
import msgspec
from gpiozero.pins.mock import MockPWMPin
from PIL import Image

from device.keys import Injector, pin_factory
from device.match import JournalFull
from device.screen.pixels import Display, DisplayError, Offscreen
from device.settings import Config, Keys, LineSettings
from device.texts import said

GARBLE = 0.02
"""The share of bytes that a bad line damages."""

SLOW_DISK_S = 2.0
"""The delay that a slow disk adds to each commit."""

_HISTORY = 1000  # changes that a pin remembers for tests; gpiozero's own keep all of an evening


_PORT = re.compile(r"simulated:([1-9])")


def place_lines(ports: Sequence[Path], lines: Sequence[LineSettings]) -> tuple[LineSettings, ...]:
    """Return the lines with each ``simulated:N`` on the Nth of ``ports``, and default lines on the other
    ports.
    """
    placed = [_place_line(line, ports) for line in lines]
    taken = {line.url for line in placed}
    return (*placed, *(LineSettings(url=str(port)) for port in ports if str(port) not in taken))


def _place_line(line: LineSettings, ports: Sequence[Path]) -> LineSettings:
    port = _PORT.fullmatch(line.url)
    return msgspec.structs.replace(line, url=str(ports[int(port[1]) - 1])) if port else line


class Fault(StrEnum):
    """A deliberate fault of the simulated hardware."""

    BOUNCING_KEYS = "bouncing_keys"
    GARBLED_LINE = "garbled_line"
    LINE_UNPLUGGED = "line_unplugged"
    DISPLAY_GONE = "display_gone"
    DISK_FULL = "disk_full"
    SLOW_DISK = "slow_disk"


LINE_FAULTS = frozenset({Fault.GARBLED_LINE, Fault.LINE_UNPLUGGED})


class SimulatedHardware:
    """Everything that has a wire in a real box.

    ``keys`` are the settings of the keys: presses keep to their times, so that none is taken for another's
    chatter. ``led`` and ``buzzer`` are the pins of the cues (None: not built in). ``lines`` are the names
    under which the box finds its serial ports; a node's end has ``-node`` appended. ``table`` is the file of
    a simulated camera's table.

    ``hand`` presses and turns one after the other, in the requested order. All methods but
    :meth:`stall` belong to the event loop's thread.
    """

    def __init__(
        self,
        keys: Keys,
        *,
        lines: Sequence[Path] = (),
        table: Path | None = None,
        led: int | None = 12,
        buzzer: int | None = 13,
        seed: int = 0,
    ) -> None:
        """Build it; before :meth:`start` nobody touches a key, and there is no line."""
        self.keys = keys
        self.led = led
        self.buzzer = buzzer
        self.factory: gpiozero.Factory = pin_factory("mock")
        self.factory.pin_class = _Pin
        self.line_paths = tuple(lines)
        self.table_path = table
        self.node_paths = tuple(line.with_name(f"{line.name}-node") for line in lines)
        self.display: Offscreen | None = None
        """The display last opened, None before the first."""
        self._lines = tuple(map(SimulatedLine, self.line_paths, self.node_paths))
        self._started = False
        self._faults = {fault: False for fault in Fault if lines or fault not in LINE_FAULTS}
        self._watchers: list[Callable[[], None]] = []
        self._lights = {
            name: self.factory.pin(number, changed=self._tell)
            for name, number in (("led", led), ("buzzer", buzzer))
            if number is not None
        }
        self.hand = Injector(
            {name: self.factory.pin(number) for name, number in keys.pins.items()},
            keys,
            random.Random(seed),
            lambda: self._faults[Fault.BOUNCING_KEYS],
        )

    @classmethod
    def of(cls, config: Config, folder: Path) -> SimulatedHardware:
        """Build what the settings of a box have, and a light and a buzzer in any case.

        Its serial ports are ``line``, ``line2`` … in ``folder``, as many as set, its camera's table beside
        them.
        """
        named = [int(port[1]) for line in config.line if (port := _PORT.fullmatch(line.url))]
        count = max(config.simulated.lines, *named, 1)
        led, buzzer = config.cues.led, config.cues.buzzer
        return cls(
            config.keys,
            lines=[folder / f"line{number if number > 1 else ''}" for number in range(1, count + 1)],
            table=folder / "simulated_table.json",
            led=12 if led == "none" else led,
            buzzer=13 if buzzer == "none" else buzzer,
        )

    def start(self) -> None:
        """Plug in the lines and begin with the requested presses; needs a running loop.

        :raises FileExistsError: if something other than a symbolic link has a line's name.
        """
        for line in self._lines:
            line.start()
            if self._faults[Fault.LINE_UNPLUGGED]:
                line.unplug()
        self._started = True
        self.hand.start()

    def close(self) -> None:
        """Let go of everything and remove the lines; the loop must still run."""
        self.hand.close()
        for line in self._lines if self._started else ():
            line.close()
        self._started = False

    # Lights

    @property
    def lights(self) -> dict[str, bool]:
        """The state of ``led`` and ``buzzer`` by name, True for on; only those that are built in."""
        return {name: pin.function == "output" and bool(pin.state) for name, pin in self._lights.items()}

    @property
    def brightness(self) -> float:
        """The display's brightness, 0 (dark, or gone, whether or not the box has noticed) to 1."""
        lit = self.display is not None and self.display.online and not self._faults[Fault.DISPLAY_GONE]
        return self.display.level / 255 if self.display is not None and lit else 0.0

    def watch(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call ``callback`` when a light or a fault changes; return a function that ends this.

        It is called in the thread that makes the change.
        """
        self._watchers.append(callback)

        def unwatch() -> None:
            with contextlib.suppress(ValueError):  # it has ended already
                self._watchers.remove(callback)

        return unwatch

    def _tell(self) -> None:
        for watcher in tuple(self._watchers):
            watcher()

    # Display

    def open_display(self, path: str | Path = "") -> Display:
        """Open the display, any number of times; ``path`` is as in ``Offscreen``.

        :raises DisplayError: while it is gone.
        """
        self.display = _Glass(lambda: self._faults[Fault.DISPLAY_GONE], path)
        return self.display

    # Faults

    @property
    def faults(self) -> dict[str, bool]:
        """The state of each fault that this hardware can have; without a line, none of a line."""
        return {fault.value: on for fault, on in self._faults.items()}

    def set_fault(self, name: str, on: bool) -> None:
        """Break or mend something.

        :raises ValueError: for a name that is not in :attr:`faults`.
        """
        if name not in self._faults:
            raise ValueError(said("stopped.none_of", name=name, known=tuple(self._faults)))
        fault = Fault(name)
        self._faults[fault] = on
        for line in self._lines:
            if fault is Fault.GARBLED_LINE:
                line.to_box.garble = line.to_node.garble = GARBLE if on else 0.0
            elif fault is Fault.LINE_UNPLUGGED and self._started:
                (line.unplug if on else line.replug)()
        self._tell()

    def stall(self) -> None:
        """Act as the disk that a journal's ``Writer`` waits for; called in the writer's thread.

        :raises JournalFull: while the disk is full.
        """
        if self._faults[Fault.SLOW_DISK]:
            time.sleep(SLOW_DISK_S)
        if self._faults[Fault.DISK_FULL]:
            raise JournalFull("no room on the disk (simulated)")


class _Pin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin with a contact to ground, which no pull-up overcomes, and a watcher."""

    def __init__(self, factory: Any, info: Any, changed: Callable[[], None] = lambda: None) -> None:
        self._closed = False
        self._changed = changed
        super().__init__(factory, info)

    def contact(self, closed: bool) -> None:
        """Close or open the contact. A later listener finds the level that it left."""
        self._closed = closed
        if self.function == "input":
            (self.drive_low if closed else self.drive_high)()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self._closed:
            self.drive_low()

    def _change_state(self, value: float) -> bool:
        changed: bool = super()._change_state(value)
        if changed:
            del self.states[:-_HISTORY]
            self._changed()
        return changed


class _Glass(Offscreen):
    """A display that stops answering once ``gone()``, and then stays closed like a real one."""

    def __init__(self, gone: Callable[[], bool], path: str | Path) -> None:
        super().__init__(path)
        self._gone = gone
        self._check()

    def show(self, image: Image.Image) -> None:
        self._check()
        super().show(image)

    def contrast(self, level: int) -> None:
        self._check()
        super().contrast(level)

    def _check(self) -> None:
        if self._gone():
            self.online = False
            raise DisplayError("display offscreen: does not answer (simulated)")
        if not self.online:
            raise DisplayError("display offscreen: is closed")


# The line

_CHUNK = 4096


class Cable:
    """One direction of a cable; ``garble`` is the probability (0 to 1) that one bit of a byte is flipped."""

    def __init__(self, seed: int) -> None:
        """Draw the damage by ``seed``: the same seed does the same damage."""
        self.garble = 0.0
        self._random = random.Random(seed)

    def carry(self, data: bytes) -> bytes:
        """Return the bytes that arrive."""
        draw = self._random
        return bytes(
            byte ^ (1 << draw.randrange(8)) if draw.random() < self.garble else byte for byte in data
        )


class SimulatedLine:
    """A serial line of two pseudo-terminals, from ``near`` (the box's port) to ``far`` (the node's), both
    names of symbolic links.

    The box opens the near end like any serial port; a terminal or another program plays the node at the far
    end. Needs a running event loop between :meth:`start` and :meth:`close`.
    """

    def __init__(self, near: Path, far: Path, *, seed: int = 0) -> None:
        """Prepare both ends; the cables damage nothing at first."""
        self.to_box, self.to_node = Cable(seed), Cable(seed + 1)
        self._near = _End(near)
        self._far = _End(far)

    @property
    def plugged(self) -> bool:
        """True if the near end can be opened."""
        return self._near.there

    def start(self) -> None:
        """Make both ends.

        :raises FileExistsError: if one of the names belongs to something else than a symbolic link.
        """
        self._far.make(lambda data: self._near.put(self.to_box.carry(data)))
        self.replug()

    def unplug(self) -> None:
        """Pull the box's end: its name goes, and its user is disconnected."""
        self._near.remove()

    def replug(self) -> None:
        """Put the box's end back under the same name."""
        if not self._near.there:
            self._near.make(lambda data: self._far.put(self.to_node.carry(data)))

    def close(self) -> None:
        """Remove both ends."""
        self._near.remove()
        self._far.remove()


class _End:
    """A pseudo-terminal under a name; its user's bytes go to ``on_bytes``."""

    def __init__(self, link: Path) -> None:
        self._link = link
        self._fds: tuple[int, int] | None = None

    @property
    def there(self) -> bool:
        return self._fds is not None

    def make(self, on_bytes: Callable[[bytes], None]) -> None:
        if self._link.exists() and not self._link.is_symlink():
            raise FileExistsError(f"{self._link} is in the way of a simulated line")
        master, slave = os.openpty()
        # The slave stays open here, too: without a user each read of the master fails.
        self._fds = master, slave
        tty.setraw(slave)
        os.set_blocking(master, False)
        self._link.parent.mkdir(parents=True, exist_ok=True)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(os.ttyname(slave))
        asyncio.get_running_loop().add_reader(master, lambda: on_bytes(os.read(master, _CHUNK)))

    def put(self, data: bytes) -> None:
        if self._fds is not None:
            # If nobody reads at the other side the bytes are lost, as on a wire.
            with contextlib.suppress(BlockingIOError):
                os.write(self._fds[0], data)

    def remove(self) -> None:
        if self._fds is None:
            return
        master, slave = self._fds
        self._fds = None
        asyncio.get_running_loop().remove_reader(master)
        os.close(master)
        os.close(slave)
        self._link.unlink(missing_ok=True)
