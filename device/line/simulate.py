"""A line without hardware: two pseudo-terminals, and between them a cable that can be bad.

The box opens the near end like any serial port. Somebody who plays the node opens the far end with a terminal
program, or with a program of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import tty
from collections.abc import Callable
from pathlib import Path

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
    """A serial line from ``near`` (the box's port) to ``far`` (the node's), both names of symbolic links.

    Needs a running event loop between :meth:`start` and :meth:`close`.
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
