import threading
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace
from PIL import Image

from device.screen import HeaderMark, ListPage, NoticePage, Page, PageHeader
from device.screen.pixels import Display, ScreenWorker, draw, open_display
from device.screen.pixels.displays import Offscreen
from device.screen.pixels.worker import DIMMED, HOLD_MS, WALK, Painter
from device.settings import DisplaySettings
from tests.device.screen.recording import RecordingBus

HEAD = PageHeader("Anna")
PATIENCE = 10.0  # s; only ever spent by a test that fails


def notice(text: str) -> Page:
    return NoticePage(HEAD, text)


class Clock:
    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


class Table:
    """A painter with a clock to turn and a display to unplug."""

    def __init__(self, driver: str = "ssd1309", idle_ms: int = 300_000) -> None:
        self.clock = Clock()
        self.bus = RecordingBus(driver)
        self.opened = 0
        self.images: list[Image.Image] = []

        def opener() -> Display:
            self.opened += 1
            return open_display(DisplaySettings(driver=driver), self.bus)

        self.painter = Painter(opener, self.clock, idle_ms=idle_ms, on_image=self.images.append)

    def run(self, ms: int) -> None:
        """Let time pass, ticking exactly when the painter asks for it."""
        end = self.clock.ms + ms
        pause = self.painter.tick()
        while self.clock.ms + pause <= end:
            self.clock.ms += max(pause, 1)
            pause = self.painter.tick()
        self.clock.ms = end


@pytest.fixture(params=["ssd1309", "ssd1306", "sh1106"])
def table(request: pytest.FixtureRequest) -> Table:
    return Table(request.param)


def test_walk_visits_every_position_in_single_steps() -> None:
    assert len(set(WALK)) == len(WALK) == 16
    assert all(0 <= step <= 3 for place in WALK for step in place)
    for (x, y), (to_x, to_y) in zip(WALK, (*WALK[1:], WALK[0]), strict=True):
        assert abs(x - to_x) + abs(y - to_y) == 1


def test_a_page_is_drawn_once_and_then_costs_nothing(table: Table) -> None:
    table.painter.show(notice("Hello"))
    table.run(0)
    assert table.bus.picture().tobytes() == draw(notice("Hello")).tobytes()
    table.bus.forget()
    table.painter.show(notice("Hello"))
    table.run(59_000)
    assert table.bus.bytes_sent == 0
    assert len(table.images) == 1


SAVING, KEPT = (
    ListPage(PageHeader("Ben", "12", mark), "Build where?", ("a1", "b2", "c3"), 0)
    for mark in (HeaderMark.SAVING, HeaderMark.RECORDED)
)


class TestWhatIsNotOnTheDisk:
    @pytest.fixture
    def table(self, table: Table) -> Table:
        table.painter.show(notice("Hello"))
        table.run(0)
        table.images.clear()
        return table

    def test_a_quick_disk_shows_as_one_change(self, table: Table) -> None:
        table.painter.show(SAVING)
        table.run(HOLD_MS - 1)
        assert table.bus.picture().tobytes() == draw(notice("Hello")).tobytes()
        table.painter.show(KEPT)
        table.run(1_000)
        assert [image.tobytes() for image in table.images] == [draw(KEPT).tobytes()]

    def test_a_slow_disk_is_shown(self, table: Table) -> None:
        table.painter.show(SAVING)
        table.run(HOLD_MS)
        assert table.bus.picture().tobytes() == draw(SAVING).tobytes()
        table.run(2_000)
        table.painter.show(KEPT)
        table.run(0)
        assert table.bus.picture().tobytes() == draw(KEPT).tobytes()

    def test_keys_pressed_meanwhile_make_it_no_later_and_show_at_once_then(self, table: Table) -> None:
        for index in range(2):
            table.painter.show(replace(SAVING, index=index))
            table.run(HOLD_MS // 2)
        assert [image.tobytes() for image in table.images] == [draw(replace(SAVING, index=1)).tobytes()]
        table.painter.show(replace(SAVING, index=2))
        table.run(0)
        assert table.bus.picture().tobytes() == draw(replace(SAVING, index=2)).tobytes()


def test_the_picture_moves_each_minute_round_and_round(table: Table) -> None:
    table.painter.show(notice("Hello"))
    table.run(0)
    for minute in range(1, 18):
        table.run(60_000)
        assert table.bus.picture().tobytes() == draw(notice("Hello"), WALK[minute % 16]).tobytes()
    assert len(table.images) == 18


def test_dims_when_idle_and_wakes_with_the_next_page(table: Table) -> None:
    table.painter.show(notice("Hello"))
    table.run(299_999)
    assert table.bus.chip.contrast == 0xCF
    table.run(1)
    assert table.bus.chip.contrast == DIMMED
    table.run(600_000)
    assert table.bus.chip.contrast == DIMMED
    table.painter.show(notice("Hello"))
    table.run(0)
    assert table.bus.chip.contrast == 0xCF


def test_gone_and_back_shows_the_newest_page_whole(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    table.bus.gone = True
    table.painter.show(notice("Hello"))
    table.run(5_000)
    assert table.painter.online is False, "no display at the start"
    assert table.images != []
    table.bus.replug()
    table.run(8_000)
    assert table.painter.online
    table.bus.gone = True
    table.painter.show(notice("Lost"))
    table.run(1_000)
    table.painter.show(notice("Found"))
    table.run(1_000)
    assert table.painter.online is False
    table.bus.replug()
    table.run(8_000)
    assert table.painter.online
    assert caplog.text.count("screen: on") == 2
    assert table.bus.picture().tobytes() == draw(notice("Found")).tobytes()
    assert table.bus.chip.started


def test_backs_off_from_half_a_second_to_thirty_and_starts_over(table: Table) -> None:
    table.bus.gone = True
    times = []
    start = table.clock.ms
    seen = 0
    while table.clock.ms < start + 120_000:
        table.clock.ms += table.painter.tick()
        if table.opened > seen:
            seen = table.opened
            times.append(table.clock.ms - start)
    assert times[:8] == [500, 1_500, 3_500, 7_500, 15_500, 31_500, 60_000, 91_500]
    table.bus.replug()
    table.run(31_000)
    table.bus.gone = True
    table.painter.show(notice("Hello"))
    table.run(0)
    seen = table.opened
    table.run(500)
    assert table.opened == seen + 1


def test_any_error_of_a_display_is_survived() -> None:
    class Broken(Offscreen):
        def show(self, image: Image.Image) -> None:
            raise ZeroDivisionError

        def close(self) -> None:
            raise KeyError

    displays: Iterator[Display] = iter([Broken(), good := Offscreen()])
    clock = Clock()
    painter = Painter(lambda: next(displays), clock)
    painter.show(notice("Hello"))
    painter.tick()
    assert painter.online is False
    clock.ms += 500
    painter.tick()
    assert painter.online
    assert good.image.tobytes() == draw(notice("Hello")).tobytes()


def test_a_page_that_cannot_be_drawn_does_not_stop_the_next(caplog: pytest.LogCaptureFixture) -> None:
    display = Offscreen()
    painter = Painter(lambda: display, Clock())
    painter.show(ListPage(HEAD, "?", (None,), 0))  # type: ignore[arg-type]  # wrong on purpose
    painter.tick()
    assert "cannot draw ListPage" in caplog.text
    why = "This page cannot be drawn: AttributeError: 'NoneType' object has no attribute 'split'"
    assert display.image.tobytes() == draw(NoticePage(PageHeader(), why, urgent=True)).tobytes()
    painter.show(notice("Hello"))
    painter.tick()
    assert display.image.tobytes() == draw(notice("Hello")).tobytes()


class Slow(Offscreen):
    """Shows the first picture only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.entered, self.go = threading.Event(), threading.Event()
        self.shown: list[bytes] = []

    def show(self, image: Image.Image) -> None:
        self.entered.set()
        assert self.go.wait(PATIENCE)
        super().show(image)
        self.shown.append(image.tobytes())


def test_showing_never_waits_and_only_the_newest_page_counts() -> None:
    display = Slow()
    worker = ScreenWorker(lambda: display)
    worker.show(notice("first"))
    assert display.entered.wait(PATIENCE)
    for number in range(100):
        worker.show(notice(f"page {number}"))
    display.go.set()
    worker.close()
    assert display.shown == [draw(notice("first")).tobytes(), draw(notice("page 99")).tobytes()]


def test_close_blanks_the_display_and_ends_the_thread() -> None:
    bus = RecordingBus()
    before = threading.active_count()
    worker = ScreenWorker(lambda: open_display(DisplaySettings(), bus))
    worker.show(notice("Bye"))
    worker.close()
    assert not bus.chip.on
    assert threading.active_count() == before
    worker.close()


def awaited(subscribe: Callable[[Callable[[Image.Image], None]], object], count: int) -> Callable[[], None]:
    """Waits until ``count`` pictures have come."""
    come = threading.Semaphore(0)
    subscribe(lambda image: come.release())

    def wait() -> None:
        for _ in range(count):
            assert come.acquire(timeout=PATIENCE)

    return wait


def test_subscribers_get_every_picture_and_may_fail_or_leave() -> None:
    worker = ScreenWorker(lambda: open_display(DisplaySettings(driver="none")))
    heard: list[Image.Image] = []

    def fail(image: Image.Image) -> None:
        raise RuntimeError

    worker.subscribe(fail)
    leave = worker.subscribe(heard.append)
    wait = awaited(worker.subscribe, 1)
    assert worker.last_image is None
    worker.show(notice("one"))
    wait()
    leave()
    worker.show(notice("two"))
    wait()
    worker.close()
    assert [image.tobytes() for image in heard] == [draw(notice("one")).tobytes()]
    assert worker.last_image is not None
    assert worker.last_image.tobytes() == draw(notice("two")).tobytes()
