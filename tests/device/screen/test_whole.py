"""No text on the display hides anything: every page of both games' menus is drawn, with the longest names."""

from random import Random

import pytest
from msgspec.structs import replace
from PIL import Image

from device import screen
from device.bench.presses import Pilot
from device.keys import Hold, Holding, Key, KeyEvent, Press, Turn
from device.match.replay import Header
from device.menus import Box
from device.menus.match_menu import make_table_page
from device.screen import CountsPage, GridPage, HeaderMark, ListPage, NoticePage, Page, TablePage, TextPage
from device.screen.pixels import beside, canvas, draw, fit, fonts, layout, pages_of
from engines import GAMES
from engines.contract import Level, Setup
from engines.facts import sample, schema, with_facts
from engines.rules import load
from tests.device.conftest import Ticks
from tests.device.games import TORRES, enter, game_steps
from tests.engines.walks import seed, soak

LONG = ("Maximilian", "Bartholomea", "Wilhelmina", "Theodora")


def tuscany(seats: int, level: Level = Level.FULL) -> Header:
    """A match of The Castles of Tuscany with the sample copy, so that pages are marked."""
    copy = sample(schema("castles_of_tuscany"))
    setup = Setup(seats, options=(("inn_may_discard", "yes"),) if level is Level.FULL else (), level=level)
    return Header("castles_of_tuscany", LONG[:seats], with_facts(copy, setup))


HEADERS = {f"san_gimignano-{level}": Header("san_gimignano", LONG[:2], Setup(level=level)) for level in Level}
HEADERS |= {
    f"torres-{name}": replace(header, names=LONG[: len(header.names)]) for name, header in TORRES.items()
}
HEADERS |= {f"castles_of_tuscany-{seats}": tuscany(seats) for seats in (2, 3, 4)}
HEADERS |= {"castles_of_tuscany-score": tuscany(3, Level.SCORE)}
LONGEST, ENTRY = 17, 80
"""Letters of a line that leaves any prompt room, and of an entry that a list shows whole; OK shows others."""
MOST = 12
"""Letters of a word that is never broken."""
MENU, FEW = 15, 2
"""Lines of a menu, all of which are opened; of a longer list and of a board's cells a few."""
LAST, PRESSES = 6, 30
"""Steps entered by keys, and keys pressed at random after them."""
KEYS = [
    *[Press(Key.OK)] * 8,
    *[Turn(1)] * 4,
    *[Turn(-1)] * 2,
    *[Turn(3), Turn(-4)],
    *[Press(Key.BACK)] * 2,
    Press(Key.UNDO),
    Press(Key.CALL),
    Holding(Key.BACK, 0.3),
    Hold(Key.BACK),
    Hold(Key.CALL),
]


class Eye:
    """Draws pages, and notes what of them is cut, or not written."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hidden: dict[str, str] = {}
        self._page: Page | None = None
        self._entry = False
        self._written: set[str] = set()
        cut, write = fit.cut, fonts.Font.write

        def watched(text: str, font: fonts.Font, width: int) -> str:
            shown = cut(text, font, width)
            if shown != fonts.tidy(text) and not self._entry:
                self._note(f"{text!r} as {shown!r}")
            return shown

        def writing(font: fonts.Font, image: Image.Image, x: int, y: int, text: str, ink: int = 1) -> int:
            self._written.update(words(text))
            return write(font, image, x, y, text, ink)

        monkeypatch.setattr(fonts.Font, "write", writing)
        for module in (canvas, fit, beside, layout):
            if hasattr(module, "cut"):
                monkeypatch.setattr(module, "cut", watched)

    def _note(self, what: str) -> None:
        self.hidden.setdefault(f"{type(self._page).__name__}: {what}", repr(self._page))

    def look(self, page: Page) -> None:
        """See a page and, of one that is paged, all of it."""
        self._page = page
        self._entry = isinstance(page, ListPage) and any(len(item) > ENTRY for item in page.items)
        self._written.clear()
        for number in range(pages_of(page)):
            draw(replace(page, page=number) if isinstance(page, TextPage | TablePage) else page)
        for text in shown(page):
            for word in words(text):
                if len(word) <= MOST and word not in self._written:
                    self._note(f"{word!r} of {text!r}")


def words(text: str) -> list[str]:
    """The words of a text, without brackets around them."""
    return [word.strip("():") for word in text.split()]


def shown(page: Page) -> list[str]:
    """Return what of a page must be read in whole."""
    head = [] if page.header.mark is HeaderMark.SAVING else [page.header.left.partition(": ")[0]]
    match page:
        case TextPage():
            return [*head, page.text]
        case TablePage():
            return [*head, page.note, *(row[0] for row in page.rows)]
        case NoticePage():
            return [*head, page.text]
        case CountsPage():
            return [*head, page.prompt, *page.labels[page.index : page.index + 1]]
        case GridPage() if page.cursor >= 0:
            item = page.items[page.index].replace(page.board.name(page.cursor), "")
            prompt = page.prompt if page.board.grounds or not item else ""  # verbs ask by themselves
            return [prompt, item, *page.about]
        case ListPage() if page.items and len(page.items[page.index]) > LONGEST:
            return [*head, *(text for text in page.items[page.index :][:1] if len(text) <= ENTRY)]
        case _:
            told = getattr(page, "told", "")
            # Above a long one it was a page of its own, and verbs ask by themselves.
            prompt = (
                page.prompt
                if pages_of(page) == 1 and not (page.told and getattr(page, "spoken", False))
                else ""
            )
            return [*head, told, prompt, *page.items[page.index : page.index + 1]]


@pytest.fixture
def eye(monkeypatch):
    return Eye(monkeypatch)


def wander(box: Box, eye: Eye, ticks: Ticks, rng: Random, depth: int) -> None:
    """Open the lines of the list on top, and the lists behind it; the match may change on the way."""
    here = box.stack[-1]
    for at in some_of(box.page(), rng):
        page = here.page()
        if not isinstance(page, ListPage | GridPage) or at >= len(page.items):
            return
        press(box, eye, ticks, Turn(at - page.index or len(page.items)))
        press(box, eye, ticks, Press(Key.OK))
        if depth and box.stack[-1] is not here:
            wander(box, eye, ticks, rng, depth - 1)
        for _ in range(6):
            if box.stack[-1] is not here:
                press(box, eye, ticks, Press(Key.BACK))
        if box.stack[-1] is not here:
            return


def some_of(page: Page, rng: Random) -> list[int]:
    """The places of the items to open."""
    match page:
        case ListPage():
            lines = range(len(page.items))
            return [*lines] if len(lines) <= MENU else sorted(rng.sample(lines, FEW))
        case GridPage():
            words = [at for at, place in enumerate(page.places) if place < 0]
            cells = [at for at, place in enumerate(page.places) if place >= 0]
            return words + rng.sample(cells, min(len(cells), FEW))
        case _:
            return []


def press(box: Box, eye: Eye, ticks: Ticks, event: KeyEvent) -> None:
    """A key, pressed after a look, and another look."""
    ticks.now += 5000
    box.key(event)
    eye.look(box.page())


def wander_about(rng: Random, box: Box, eye: Eye, ticks: Ticks, name: str) -> None:
    """Press keys at random in a match, from anywhere in it."""
    header = HEADERS[name]
    box.open(header)
    pilot, steps = Pilot(box), game_steps(rng.randrange(4), header.setup, header.game)
    at = rng.randrange(len(steps))
    enter(box.library.referee, steps[: max(at - LAST, 0)])
    box.show_match()
    for step in steps[max(at - LAST, 0) : at]:
        for event in pilot.events(step):
            eye.look(box.page())
            ticks.now += 5000
            box.key(event)
    for _ in range(PRESSES):
        press(box, eye, ticks, rng.choice(KEYS))
        box.library.referee.wait(30)


def every_menu(rng: Random, box: Box, eye: Eye, ticks: Ticks, name: str) -> None:
    """Open every menu of a match in the middle of it, and at its end."""
    header = HEADERS[name]
    steps = game_steps(rng.randrange(4), header.setup, header.game)
    for many in (len(steps) // 2, len(steps)):
        for event in (Hold(Key.BACK), Press(Key.UNDO), Hold(Key.CALL)):
            box.open(header)
            enter(box.library.referee, steps[:many])
            box.show_match()
            press(box, eye, ticks, event)
            wander(box, eye, ticks, rng, 1)


DAILY = {"san_gimignano-full", "torres-four", "castles_of_tuscany-score"}


@pytest.mark.parametrize("name", sorted({*DAILY, "san_gimignano-score", "castles_of_tuscany-3"}))
def test_over_a_match_and_its_menus(eye, box, ticks, name):
    wander_about(Random(f"{seed()} {name}"), box, eye, ticks, name)
    assert not eye.hidden, "\n".join(eye.hidden)


NIGHTLY = {"san_gimignano-score", "castles_of_tuscany-3"}


@pytest.mark.parametrize(
    "name", [*sorted(DAILY), *(pytest.param(name, marks=pytest.mark.soak) for name in sorted(NIGHTLY))]
)
def test_over_every_menu_of_a_match(eye, box, ticks, name):
    every_menu(Random(f"{seed()} {name}"), box, eye, ticks, name)
    assert not eye.hidden, "\n".join(eye.hidden)


@pytest.mark.parametrize("name", ["san_gimignano-full", "torres-four", "castles_of_tuscany-4"])
def test_all_that_lies_beside_the_boards_is_said(eye, box, ticks, name):
    header = HEADERS[name]
    steps = game_steps(1, header.setup, header.game)
    box.open(header)
    enter(box.library.referee, steps[: len(steps) // 2])
    play = box.show_match()
    box.push(make_table_page(box, box.library.referee.replay, play.words))
    page = box.page()
    eye.look(page)
    lines = page.text.splitlines()
    assert pages_of(page) > 1
    owners = [play.words.name(seat) for seat in (*range(len(header.names)), None)]
    begins = [lines.index(f"{owner}:") for owner in owners]
    assert begins == sorted(begins)
    for owner, begin, end in zip(owners, begins, [*begins[1:], len(lines)], strict=True):
        zones = play.match.game.telling.zones(play.match.state)
        ours = [zone for zone in zones if play.words.name(zone.seat) == owner]
        titles = dict.fromkeys(play.words(f"zone.{zone.name}") for zone in ours)
        assert [line.split(": ")[0] for line in lines[begin + 1 : end]] == list(titles)
        said = "\n".join(lines[begin:end])
        for zone in ours:
            for piece in zone.pieces:
                called = play.words(piece.label.key, piece.label.figures)
                assert (f"{piece.count} × {called}" if piece.count != 1 else called) in said
    assert not eye.hidden, "\n".join(eye.hidden)


@pytest.mark.parametrize("game", GAMES)
def test_a_chapter_has_room_beside_the_signs(game):
    header = screen.PageHeader(mark=HeaderMark.RECORDED, simulated=True)
    room = canvas.draw_signs(Image.new("1", canvas.SIZE), header) - canvas.MARGIN
    for title in load(game).sections:
        assert canvas.small().measure(title) <= room, title


def test_from_home(eye, box, ticks):
    wander(box, eye, ticks, Random(seed()), 2)
    assert not eye.hidden, "\n".join(eye.hidden)


@pytest.mark.soak
@pytest.mark.parametrize("name", HEADERS)
def test_for_a_long_night(eye, box, ticks, name):
    nights = soak(10, 1)
    for number in range(nights):
        rng = Random(f"{seed()} {name} {number}")
        wander_about(rng, box, eye, ticks, name)
        if nights > 1:
            every_menu(rng, box, eye, ticks, name)
        assert not eye.hidden, "\n".join(eye.hidden)
