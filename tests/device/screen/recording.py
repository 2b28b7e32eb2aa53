"""A display that is only a bus: counts what is sent, keeps the time of it, and can vanish.

The tests rebuild the picture from the bytes.
"""

import errno
import time
from collections.abc import Callable, Sequence

from PIL import Image

# Commands that are followed by parameter bytes (SSD1306 data sheet, chapter 9; SH1106 data sheet, commands).
_PARAMETERS = {0x81: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
_SSD_PARAMETERS = {**_PARAMETERS, 0x20: 1, 0x21: 2, 0x22: 2, 0x8D: 1}
_SH_PARAMETERS = {**_PARAMETERS, 0xAD: 1}


class RecordedController:
    """The controller's memory, as its commands and data leave it."""

    def __init__(self, driver: str) -> None:
        """Play the chip ``driver``: ``ssd1309``, ``ssd1306`` or ``sh1106``."""
        self._sh1106 = driver == "sh1106"
        self.power_up()

    def power_up(self) -> None:
        """Reset everything as power coming on does: dark, settings lost, memory full of noise."""
        self.on = False
        self.contrast = 0x7F
        self.started = False
        """Whether the settings that turn the picture the right way round were sent since power came on."""
        width = 132 if self._sh1106 else 128
        self._memory = [
            bytearray((37 * column + 11 * page) % 256 for column in range(width)) for page in range(8)
        ]
        self._columns, self._pages = (0, width - 1), (0, 7)
        self._column, self._page = 0, 0
        self._horizontal = False

    def command(self, data: Sequence[int]) -> None:
        """Take command bytes."""
        parameters = _SH_PARAMETERS if self._sh1106 else _SSD_PARAMETERS
        rest = list(data)
        while rest:
            code = rest.pop(0)
            values, rest = rest[: parameters.get(code, 0)], rest[parameters.get(code, 0) :]
            self._execute(code, values)

    def data(self, data: Sequence[int]) -> None:
        """Take picture bytes."""
        for byte in data:
            if self._column < len(self._memory[0]):
                self._memory[self._page][self._column] = byte
            self._column += 1
            if self._horizontal and self._column > self._columns[1]:
                self._column = self._columns[0]
                self._page = self._pages[0] if self._page == self._pages[1] else self._page + 1

    def picture(self) -> Image.Image:
        """Return the picture on the glass, mode ``"1"``, 128×64; black while the display is off."""
        if not self.on:
            return Image.new("1", (128, 64))
        offset = 2 if self._sh1106 else 0
        turned = bytearray(8 * 128)  # a quarter turn, so that the eight dots of a byte lie in a row
        for page, row in enumerate(self._memory):
            turned[7 - page :: 8] = row[offset : offset + 128]
        return Image.frombytes("1", (64, 128), bytes(turned)).transpose(Image.Transpose.ROTATE_90)

    def _execute(self, code: int, values: list[int]) -> None:
        if code in (0xAE, 0xAF):
            self.on = code == 0xAF
        elif code == 0x81:
            self.contrast = values[0]
        elif code == 0xA1:
            self.started = True
        elif self._sh1106 and code & 0xF8 == 0xB0:
            self._page = code & 7
        elif self._sh1106 and code <= 0x0F:
            self._column = self._column & 0xF0 | code
        elif self._sh1106 and code & 0xF0 == 0x10:
            self._column = self._column & 0x0F | (code & 0x0F) << 4
        elif code == 0x20:
            self._horizontal = bool(values) and values[0] == 0
        elif code == 0x21:
            self._columns, self._column = (values[0], values[1]), values[0]
        elif code == 0x22:
            self._pages, self._page = (values[0], values[1]), values[0]


class RecordingBus:
    """Stands in for ``smbus2.SMBus`` with one display on it, for ``open_display(config, bus)``.

    Example::

        bus = RecordingBus("ssd1309")
        display = open_display(DisplaySettings(), bus)
        bus.forget()
        display.show(draw(page))
        print(bus.bytes_sent, bus.first_byte_ns, bus.picture())
    """

    def __init__(self, driver: str = "ssd1309", now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        """Connect the chip ``driver``; ``now_ns`` is the clock for :attr:`first_byte_ns`."""
        self.chip = RecordedController(driver)
        self.gone = False
        """True if the display is unplugged: set it, and everything sent raises :class:`OSError`."""
        self.attempts = 0
        """Transfers tried while the display was gone."""
        self._now_ns = now_ns
        self.forget()

    def forget(self) -> None:
        """Start counting anew."""
        self.bytes_sent = 0
        """Bytes on the wire, each transfer's address and control byte included."""
        self.transfers = 0
        self.first_byte_ns: int | None = None
        """When the first transfer began, on the clock given."""

    def replug(self) -> None:
        """Plug the display in again; as it had no power, it knows nothing any more."""
        self.gone = False
        self.chip.power_up()

    def picture(self) -> Image.Image:
        """Return the picture on the display."""
        return self.chip.picture()

    def write_i2c_block_data(self, address: int, register: int, data: Sequence[int]) -> None:
        """Take one SMBus block write, as luma calls it: register 0x00 is commands, 0x40 is data."""
        if self.gone:
            self.attempts += 1
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        if self.first_byte_ns is None:
            self.first_byte_ns = self._now_ns()
        self.transfers += 1
        self.bytes_sent += 2 + len(data)
        if register == 0x40:
            self.chip.data(data)
        else:
            self.chip.command(data)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
