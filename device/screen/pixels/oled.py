"""The OLED itself: luma starts the chip, this module sends it as little as possible.

luma's own ``display()`` sends all 1024 bytes (25 ms at 400 kHz I²C) even if nothing changed. This module
keeps the bytes last sent. Of each page (a band 8 px high) it sends only the columns from the first to the
last changed one; an unchanged picture sends nothing.

Data sheets: Solomon Systech SSD1306 rev. 1.1 and SSD1309 rev. 1.1 (chapter 9, command table), Sino Wealth
SH1106 v2.3.
"""

from __future__ import annotations

from functools import cache
from typing import Protocol

from luma.oled import device as chips
from PIL import Image

PAGES, COLUMNS = 8, 128
BRIGHT = 0xCF
"""The contrast in use, of 0 to 255."""

_NOP, _CONTRAST, _OFF, _ON = 0xE3, 0x81, 0xAE, 0xAF
_COLUMN_WINDOW, _PAGE_WINDOW = 0x21, 0x22  # SSD1306 and SSD1309
_PAGE_START = 0xB0  # SH1106
_SH1106_OFFSET = 2  # its memory is 132 columns wide, of which the glass shows the middle 128


class Wire(Protocol):
    """luma's serial interfaces (``luma.core.interface.serial``): I²C or SPI."""

    def command(self, *cmd: int) -> None:
        """Send command bytes, at most 32."""

    def data(self, data: list[int]) -> None:
        """Send picture bytes."""

    def cleanup(self) -> None:
        """Release the bus."""


class Oled:
    """A 128×64 display with a controller of the SSD1306 family on a wire.

    The wire's errors pass through; after one the object is useless, open a new one. Only I²C detects a
    missing display: on SPI it looks like a present one.
    """

    def __init__(self, driver: str, wire: Wire, *, upside_down: bool = False) -> None:
        """Start the ``driver`` ``ssd1309``, ``ssd1306`` or ``sh1106`` on a wire."""
        self._paged = driver == "sh1106"
        self._start = start_commands(driver)
        self._wire = wire
        self._upside_down = upside_down
        self._contrast = BRIGHT
        self._sent: list[bytes] | None = None
        wire.command(_NOP)

    def show(self, image: Image.Image) -> None:
        """Show a picture of mode ``"1"``, 128×64, sending the changes since the last one."""
        pages = pack(image.rotate(180) if self._upside_down else image)
        if self._sent is None:
            for command in self._start:
                self._wire.command(*command)
            self._wire.command(_CONTRAST, self._contrast)
            for number, page in enumerate(pages):
                self._send(number, 0, page)
            self._wire.command(_ON)  # last, so that the noise in a fresh chip's memory is never seen
        else:
            for number, (old, new) in enumerate(zip(self._sent, pages, strict=True)):
                if old != new:
                    changed = [column for column in range(COLUMNS) if old[column] != new[column]]
                    self._send(number, changed[0], new[changed[0] : changed[-1] + 1])
        self._sent = pages

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255; send nothing if it is already set."""
        if level != self._contrast:
            self._wire.command(_CONTRAST, level)
            self._contrast = level

    def refresh(self) -> None:
        """Let the next :meth:`show` start the chip again and send everything.

        This heals a display that lost power for a moment: it acknowledges what it gets, but stays dark.
        """
        self._sent = None

    def close(self) -> None:
        """Blank the display and switch it off."""
        self._sent = [b"\xff" * COLUMNS] * PAGES
        self.show(Image.new("1", (COLUMNS, 8 * PAGES)))
        self._wire.command(_OFF)

    def _send(self, page: int, column: int, data: bytes) -> None:
        if self._paged:
            column += _SH1106_OFFSET
            self._wire.command(_PAGE_START | page, column & 0x0F, 0x10 | column >> 4)
        else:
            self._wire.command(_COLUMN_WINDOW, column, column + len(data) - 1, _PAGE_WINDOW, page, page)
        self._wire.data(list(data))


def pack(image: Image.Image) -> list[bytes]:
    """Return a picture in the chips' order: for each page a byte for each column, its lowest bit on top."""
    columns = image.transpose(Image.Transpose.ROTATE_270).tobytes()
    return [columns[PAGES - 1 - page :: PAGES] for page in range(PAGES)]


@cache
def start_commands(driver: str) -> tuple[tuple[int, ...], ...]:
    """Return the settings that luma starts a chip with, without on, off and contrast.

    A running chip takes them without blinking.
    """
    heard: list[tuple[int, ...]] = []

    class Listener:
        def command(self, *cmd: int) -> None:
            heard.append(cmd[1:] if cmd[0] == _OFF else cmd)

        def data(self, data: object) -> None:
            pass

        def cleanup(self) -> None:
            pass

    chip = getattr(chips, driver)
    mute = type(driver, (chip,), {"display": lambda self, image: None})
    mute(Listener(), width=COLUMNS, height=8 * PAGES)
    return tuple(command for command in heard if command and command[0] not in (_CONTRAST, _ON))
