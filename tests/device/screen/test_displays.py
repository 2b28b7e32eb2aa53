import errno
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from device.screen import NoticePage, PageHeader
from device.screen.pixels import DisplayError, draw, open_display
from device.screen.pixels.displays import Offscreen
from device.settings import DisplaySettings
from tests.device.screen.recording import RecordedController, RecordingBus

CHIPS = ["ssd1309", "ssd1306", "sh1106"]
HELLO = draw(NoticePage(PageHeader("Podestà"), "Hello"))
WORLD = draw(NoticePage(PageHeader("Podestà"), "Hello, world"))


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.tobytes() == other.tobytes()


@pytest.mark.parametrize("driver", CHIPS)
def test_the_display_shows_what_was_drawn(driver: str) -> None:
    bus = RecordingBus(driver)
    display = open_display(DisplaySettings(driver=driver), bus)
    for image in (HELLO, WORLD, HELLO):
        display.show(image)
        assert same(bus.picture(), image)
    assert bus.chip.started
    assert bus.chip.contrast == 0xCF
    assert display.online
    bus = RecordingBus(driver)
    open_display(DisplaySettings(driver=driver, rotate=180), bus).show(HELLO)
    assert same(bus.picture(), HELLO.rotate(180)), "upside down"


@pytest.mark.parametrize("driver", CHIPS)
def test_an_unchanged_picture_sends_nothing_and_a_dot_very_little(driver: str) -> None:
    bus = RecordingBus(driver)
    display = open_display(DisplaySettings(driver=driver), bus)
    display.show(HELLO)
    assert bus.bytes_sent > 1024
    bus.forget()
    display.show(HELLO.copy())
    display.contrast(0xCF)
    assert (bus.bytes_sent, bus.transfers, bus.first_byte_ns) == (0, 0, None)
    dotted = HELLO.copy()
    dotted.putpixel((77, 33), not dotted.getpixel((77, 33)))
    display.show(dotted)
    assert 0 < bus.bytes_sent <= 12
    assert bus.first_byte_ns is not None
    assert same(bus.picture(), dotted)


@pytest.mark.parametrize("driver", CHIPS)
@given(boxes=st.lists(st.tuples(*[st.integers(0, 127), st.integers(0, 63)] * 2), min_size=1, max_size=6))
@settings(max_examples=25, deadline=None)
def test_changes_anywhere_arrive(driver: str, boxes: list[tuple[int, int, int, int]]) -> None:
    bus = RecordingBus(driver)
    display = open_display(DisplaySettings(driver=driver), bus)
    image = HELLO.copy()
    display.show(image)
    for x, y, to_x, to_y in boxes:
        box = (min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y))
        ImageDraw.Draw(image).rectangle(box, fill=x & 1)
        display.show(image)
        assert same(bus.picture(), image)


@pytest.mark.parametrize("driver", CHIPS)
def test_close_leaves_it_dark(driver: str) -> None:
    bus = RecordingBus(driver)
    display = open_display(DisplaySettings(driver=driver), bus)
    display.show(HELLO)
    display.close()
    assert not bus.chip.on
    bus.chip.on = True
    assert bus.picture().getbbox() is None
    display.close()
    assert not display.online


@pytest.mark.parametrize("driver", CHIPS)
def test_refresh_heals_a_display_that_lost_its_settings(driver: str) -> None:
    bus = RecordingBus(driver)
    display = open_display(DisplaySettings(driver=driver), bus)
    display.show(HELLO)
    display.contrast(8)
    bus.replug()
    display.show(HELLO)
    assert not same(bus.picture(), HELLO)
    display.refresh()
    display.show(HELLO)
    assert same(bus.picture(), HELLO)
    assert bus.chip.started
    assert bus.chip.contrast == 8


def test_no_display_at_start_is_one_line_that_says_where() -> None:
    bus = RecordingBus()
    bus.gone = True
    with pytest.raises(DisplayError) as caught:
        open_display(DisplaySettings(driver="sh1106", port=3, address=0x3D), bus)
    assert str(caught.value) == "display sh1106 on I2C bus 3 at 0x3d: I2C device not found on address: 0x3D"
    with pytest.raises(DisplayError, match=r"^display ssd1309 on I2C bus 97 at 0x3c: .*/dev/i2c-97$"):
        open_display(DisplaySettings(port=97))


@pytest.mark.parametrize("number", [errno.EREMOTEIO, errno.EIO, errno.ETIMEDOUT, errno.ENXIO])
def test_a_display_that_goes_is_an_error_once_and_closed_afterwards(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = RecordingBus()
    display = open_display(DisplaySettings(), bus)
    display.show(HELLO)

    def fail(*_: object) -> None:
        raise OSError(number, "no answer\nat all")

    monkeypatch.setattr(bus, "write_i2c_block_data", fail)
    with pytest.raises(DisplayError, match=r"^display ssd1309 on I2C bus 1 at 0x3c: [^\n]*$"):
        display.show(WORLD)
    assert not display.online
    with pytest.raises(DisplayError, match="closed"):
        display.show(WORLD)
    display.close()


def test_offscreen_keeps_the_picture_and_writes_it_whole(tmp_path: Path) -> None:
    path = tmp_path / "screen.png"
    display = open_display(DisplaySettings(driver="offscreen", path=str(path)))
    assert isinstance(display, Offscreen)
    display.show(HELLO)
    display.show(HELLO.copy())
    assert display.frames == 1
    display.show(WORLD)
    assert display.frames == 2
    assert same(display.image, WORLD)
    with Image.open(path) as written:
        assert same(written.convert("1"), WORLD)
    assert [each.name for each in tmp_path.iterdir()] == ["screen.png"]
    with pytest.raises(DisplayError, match=r"cannot write .*screen\.png"):
        Offscreen(tmp_path / "gone" / "screen.png").show(HELLO)


class SpiStub:
    """``spidev.SpiDev`` with a chip at its end, told commands from data by the DC pin."""

    def __init__(self, chip: RecordedController, pins: MockFactory) -> None:
        self.chip, self.pins = chip, pins
        self.opened: tuple[int, int] | None = None
        self.mode = self.max_speed_hz = 0

    def open(self, port: int, device: int) -> None:
        self.opened = (port, device)

    def writebytes(self, data: list[int]) -> None:
        (self.chip.data if self.pins.pin(5).state else self.chip.command)(data)

    def close(self) -> None:
        self.opened = None


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    before, Device.pin_factory = Device.pin_factory, MockFactory()
    yield Device.pin_factory
    Device.pin_factory.reset()
    Device.pin_factory = before


@pytest.mark.parametrize("driver", CHIPS)
def test_the_same_over_spi(driver: str, pins: MockFactory) -> None:
    spi = SpiStub(RecordedController(driver), pins)
    config = DisplaySettings(driver=driver, interface="spi", spi_device=1)
    display = open_display(config, spi)
    assert spi.opened == (0, 1)
    display.show(HELLO)
    assert same(spi.chip.picture(), HELLO)
    display.close()
    assert not spi.chip.on
    assert spi.opened is None
    open_display(config, spi).close()  # the pins were given back


def test_spi_without_its_library_says_so(pins: MockFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    config = DisplaySettings(interface="spi")
    for _ in range(2):
        with pytest.raises(DisplayError, match=r"^display ssd1309 on SPI 0\.0 \(DC pin 5\): .*spidev"):
            open_display(config)


def test_opening_again_and_again_leaves_nothing_to_do_at_exit(monkeypatch: pytest.MonkeyPatch) -> None:
    import atexit

    open_display(DisplaySettings(), RecordingBus())
    registered: list[object] = []
    monkeypatch.setattr(atexit, "register", registered.append)
    for _ in range(3):
        open_display(DisplaySettings(), RecordingBus())
    assert registered == []
