"""A private page leaves the display as a cover: at /status, /events and /screen.png nobody reads it."""

import base64
import io

import pytest
from msgspec.structs import replace
from PIL import Image

from device.panel import make_app
from device.panel.feed import Feed
from device.screen import COVERED, NoticePage, PageHeader, cover, text_lines
from device.screen.pixels import ScreenWorker, draw, open_display
from device.settings import DisplaySettings
from tests.device.conftest import in_a_loop
from tests.device.panel.test_panel import Client, until_drawn
from tests.device.screen.test_draw import KINDS

SECRET = PageHeader("PIN", private=True)
PUBLIC = draw(NoticePage(SECRET, COVERED), (0, 0)).tobytes()


@pytest.fixture(params=KINDS.values(), ids=KINDS)
def page(request):
    """One of each kind."""
    return replace(request.param, header=SECRET)


@pytest.fixture
def screen():
    worker = ScreenWorker(lambda: open_display(DisplaySettings(driver="none")))
    yield worker
    worker.close()


def test_a_cover_says_nothing_of_any_kind_of_page(page):
    assert cover(page) == NoticePage(SECRET, COVERED)
    assert cover(replace(page, header=PageHeader("Adso"))) == replace(page, header=PageHeader("Adso"))


def test_nobody_reads_it_from_elsewhere(page, screen):
    screen.show(page)
    until_drawn(screen)
    client = Client(make_app(None, screen, dict))
    try:
        picture = Image.open(io.BytesIO(client.get("/screen.png?scale=1").content))
        assert picture.convert("1").tobytes() == PUBLIC
        assert tuple(client.get("/status").json()["text"]) == tuple(text_lines(cover(page)))
    finally:
        client.loop.run_until_complete(client.http.aclose())
        client.loop.close()


@in_a_loop
async def test_nobody_reads_it_in_the_stream(page, screen):
    screen.show(page)
    until_drawn(screen)
    feed = Feed(None, screen, dict, lambda _: "null")
    _, picture = [await anext(events) for _ in range(2)] if (events := feed.stream()) else []
    assert base64.b64decode(picture.partition("data: ")[2]) == PUBLIC
    assert list(feed.describe()["text"]) == list(text_lines(cover(page)))
