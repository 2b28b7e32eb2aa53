"""Displays of the settings: an OLED on I²C or SPI, one off the screen, a plug-in's, or none.

Example::

    display = open_display(DisplaySettings(driver="ssd1309", interface="i2c", port=1, address=0x3C))
    display.show(draw(page))

Drivers in packages of their own are entry points of the group ``podesta.displays``::

    [project.entry-points."podesta.displays"]
    matrix = "my_matrix:DRIVER"          # a Driver of that name

    [display]                            # in the box's settings
    driver = "matrix"

    [[matrix]]                           # its own, as its Driver.settings defines them
    path = "/dev/spidev1.0"

Only the screen's thread imports and uses a driver. The status page tells its errors, and the display is
opened again after a while.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec
from gpiozero import DigitalOutputDevice, Factory, GPIOZeroError
from luma.core.error import Error as LumaError
from luma.core.interface.serial import i2c, spi
from PIL import Image

from device.files import replace_file
from device.screen import NoticePage, PageHeader
from device.screen.pixels.layout import draw
from device.screen.pixels.oled import Oled, Wire
from device.sensors import Checked
from device.settings import DISPLAYS, Config, DisplaySettings
from device.strict_toml import check_table
from device.supervise import describe_error
from engines.packages import Trial, points, source

SPI_HZ = 4_000_000  # the slowest of the three, the SH1106, wants a clock cycle of 250 ns or more
_UNANSWERED = (OSError, LumaError, GPIOZeroError)


class DisplayError(Exception):
    """Error raised when the display cannot be opened or does not answer; one line naming driver, bus and
    address.
    """


class Display(Protocol):
    """A device for 128×64 pictures of mode ``"1"``. Not thread-safe: one thread owns it.

    Every method but ``close`` raises :class:`DisplayError` if the display does not answer. It is then closed
    for good; open a new one.
    """

    @property
    def online(self) -> bool:
        """True if there is a display and it answered last time."""

    def show(self, image: Image.Image) -> None:
        """Show a picture; an unchanged one costs nothing."""

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255."""

    def refresh(self) -> None:
        """Forget the sent picture: the next :meth:`show` starts the display again and sends everything."""

    def close(self) -> None:
        """Blank the display and release it; never raises, may be called twice."""


def open_display(config: DisplaySettings, bus: object = None, factory: Factory | None = None) -> Display:
    """Open the display of the settings ``config``; over I²C make sure that it answers.

    ``bus`` replaces the kernel's bus: an object like ``smbus2.SMBus`` or ``spidev.SpiDev``. ``factory`` gives
    an SPI display's two pins, by default gpiozero's own. Raises :class:`DisplayError`.
    """
    match config.driver:
        case "none":
            return NoDisplay()
        case "offscreen":
            return Offscreen(config.path)
        case _:
            return _Attached(config, bus, factory)


class Offscreen:
    """A display in memory only: it keeps the last picture and counts those that differ."""

    def __init__(self, path: str | Path = "") -> None:
        """Start with a blank picture; with a ``path`` also write each there as PNG, whole or not at all."""
        self.online = True
        self.image = Image.new("1", (128, 64))
        """The last picture."""
        self.frames = 0
        """The number of pictures that differed from the one before."""
        self.level = 0xFF
        """The last contrast."""
        self._path = Path(path) if path else None

    def show(self, image: Image.Image) -> None:
        """Keep the picture; raises :class:`DisplayError` if the file cannot be written."""
        if self.frames and image.tobytes() == self.image.tobytes():
            return
        self.image = image.copy()
        self.frames += 1
        if self._path:
            png = io.BytesIO()
            image.save(png, "PNG")
            try:
                replace_file(self._path, png.getvalue())
            except OSError as error:
                raise DisplayError(
                    f"display offscreen: cannot write {self._path}: {error.strerror}"
                ) from error

    def contrast(self, level: int) -> None:
        """Keep the level."""
        self.level = level

    def refresh(self) -> None:
        """Do nothing: nothing can be lost here."""

    def close(self) -> None:
        """Go offline; picture and file stay."""
        self.online = False


class NoDisplay(Offscreen):
    """A box without a display: it takes every picture and shows none."""

    def __init__(self) -> None:
        """Be offline."""
        super().__init__()
        self.online = False

    def show(self, image: Image.Image) -> None:
        """Do nothing."""


class _Attached:
    """An OLED; its wire's many kinds of errors become :class:`DisplayError`."""

    def __init__(self, config: DisplaySettings, bus: object, factory: Factory | None) -> None:
        self._where = _name_bus(config)
        self._held = contextlib.ExitStack()
        self.online = True
        with self._errors():
            wire = self._open_wire(config, bus, factory)
            self._held.callback(wire.cleanup)
            self._oled = Oled(config.driver, wire, upside_down=config.rotate == 180)

    def show(self, image: Image.Image) -> None:
        with self._errors():
            self._oled.show(image)

    def contrast(self, level: int) -> None:
        with self._errors():
            self._oled.contrast(level)

    def refresh(self) -> None:
        self._oled.refresh()

    def close(self) -> None:
        if self.online:
            self.online = False
            with contextlib.suppress(*_UNANSWERED), self._held:
                self._oled.close()

    def _open_wire(self, config: DisplaySettings, bus: object, factory: Factory | None) -> Wire:
        wire: Wire
        if config.interface == "i2c":
            wire = i2c(bus=bus, port=config.port, address=config.address)
            return wire
        pins = _Pins(factory)
        self._held.callback(pins.close)
        wire = spi(
            spi=bus,
            gpio=pins,
            port=0,
            device=config.spi_device,
            gpio_DC=config.dc,
            gpio_RST=config.rst,
            bus_speed_hz=SPI_HZ,
            reset_hold_time=0.001,
            reset_release_time=0.001,
        )
        return wire

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        if not self.online:
            raise DisplayError(f"display {self._where}: is closed")
        try:
            yield
        except (*_UNANSWERED, ImportError) as error:
            self.online = False
            with contextlib.suppress(*_UNANSWERED):
                self._held.close()
            reason = " ".join(str(error).split()) or type(error).__name__
            raise DisplayError(f"display {self._where}: {reason}") from error


def _name_bus(config: DisplaySettings) -> str:
    """Name driver, bus and address for messages: ``ssd1309 on I2C bus 1 at 0x3c``."""
    if config.interface == "i2c":
        return f"{config.driver} on I2C bus {config.port} at {config.address:#04x}"
    return f"{config.driver} on SPI 0.{config.spi_device} (DC pin {config.dc})"


class _Pins:
    """RPi.GPIO for luma, made of gpiozero's pins: all pins of the box go through one factory."""

    LOW, HIGH, OUT = 0, 1, 0

    def __init__(self, factory: Factory | None) -> None:
        self._factory = factory
        self._outputs: dict[int, DigitalOutputDevice] = {}

    def setup(self, pin: int, direction: int) -> None:
        self._outputs[pin] = DigitalOutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, value: int) -> None:
        self._outputs[pin].value = value

    def close(self) -> None:
        for output in self._outputs.values():
            output.close()


class Driver(msgspec.Struct, frozen=True):
    """A kind of display: its name, the fields of its section of the settings, a self-check that opens nothing
    that a running box holds, and its opener, which raises :class:`DisplayError` if the display does not
    answer.
    """

    name: str
    settings: type[msgspec.Struct]
    check: Callable[[Any], Iterator[Checked]]
    open: Callable[[Any], Display]


def open_plugged(config: Config) -> Display:
    """Open the display that ``config`` names with its driver; raises :class:`DisplayError`."""
    driver, settings = _find_driver(config)
    try:
        return driver.open(settings)
    except DisplayError:
        raise
    except (Exception, SystemExit) as error:
        raise DisplayError(f"display {driver.name}: {describe_error(error)}") from error


def look_at(config: Config) -> Iterator[Checked]:
    """Yield the findings of that display's self-check; an error becomes one of them."""
    name = f"display {config.display.driver}"
    try:
        driver, settings = _find_driver(config)
        yield from driver.check(settings)
    except (Exception, SystemExit) as error:
        said = (
            str(error).removeprefix(f"{name}: ") if isinstance(error, DisplayError) else describe_error(error)
        )
        yield Checked("fail", name, said)


def try_display(config: Config) -> Iterator[Trial]:
    """Try the self-check of that display, then everything that a box does with one, until something fails."""
    remedy = "see Driver and Display in device.screen.pixels"
    for one in look_at(config):
        failed = one.verdict == "fail"
        yield Trial("fail" if failed else "ok", one.name, one.detail, remedy if failed else "")
    page = draw(NoticePage(PageHeader("Podestà"), "A display that is tried"))
    what = "open"
    try:
        display = open_plugged(config)
        if not display.online:
            raise DisplayError("says that it is away, just opened")
        yield Trial("ok", what, "it answers")
        for what in ("show", "contrast", "refresh", "show", "close", "close"):
            given = {"show": (page,), "contrast": (128,)}.get(what, ())
            getattr(display, what)(*given)
            yield Trial("ok", what, "done")
    except (Exception, SystemExit) as error:
        yield Trial(
            "fail", what, str(error) if isinstance(error, DisplayError) else describe_error(error), remedy
        )


def find_driver_fault(name: str) -> str:
    """Load a driver and say in one line why it cannot be used, empty if it can."""
    try:
        _load_driver(name)
    except DisplayError as error:
        return str(error).removeprefix(f"display {name}: ")
    return ""


def _load_driver(name: str) -> Driver:
    """Load the driver of that name; raises :class:`DisplayError`."""
    several = points(DISPLAYS).get(name, ())
    if len(several) != 1:
        whose = " and ".join(map(source, several))
        what = f"it is in {whose}" if several else "no package that is used here has it"
        raise DisplayError(f"display {name}: {what}")
    try:
        driver = several[0].load()
    except (Exception, SystemExit) as error:
        raise DisplayError(f"display {name}: {describe_error(error)}") from error
    if not isinstance(driver, Driver) or driver.name != name:
        raise DisplayError(f"display {name}: {several[0].value} is no Driver of that name")
    return driver


def _find_driver(config: Config) -> tuple[Driver, Any]:
    """Return the driver that ``config`` names and its settings; raises :class:`DisplayError`."""
    name = config.display.driver
    driver = _load_driver(name)
    sections = [section for section in config.plugins if section.name == name]
    if len(sections) > 1:
        raise DisplayError(f"display {name}: more than one section [[{name}]]")
    try:
        if not sections:
            return driver, check_table({}, driver.settings, "", {}, (name,))
        (one,) = sections
        lines = dict(one.lines)
        return driver, check_table(one.values, driver.settings, one.file, lines, (name, one.number))
    except ValueError as error:
        raise DisplayError(f"display {name}: {error}") from error
