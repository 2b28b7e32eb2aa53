"""Displays whose drivers come by entry points: opened by name, and named where they fail."""

import importlib
import sys

import pytest
from PIL import Image

from device import config as configs
from device.cli import main
from device.commands import Exit
from device.commands.checks import check_displays
from device.commands.plugin import list_plugins
from device.daemon import Daemon
from device.screen import NoticePage, PageHeader
from device.screen.pixels import DisplayError, ScreenWorker, draw, open_plugged, try_display
from device.screen.pixels.worker import Painter
from device.sensors.host import list_sensors
from device.settings import DISPLAYS
from tests.device.conftest import in_a_loop
from tests.device.here import running
from tests.engines.newcomers import look_again, on_the_path, told

MATRIX = """
import msgspec
from device.screen.pixels import DisplayError, Driver
from device.sensors import Checked

class Settings(msgspec.Struct, frozen=True):
    path: str = ""
    broken: str = ""

class Matrix:
    online = True
    def __init__(self, settings):
        self.settings = settings
        self.online = settings.broken != "away"
    def show(self, image):
        if self.settings.broken == "show":
            raise ValueError("no such pixel")
        image.save(self.settings.path)
    def contrast(self, level): pass
    def refresh(self): pass
    def close(self): self.online = False

def check(settings):
    if settings.broken == "check":
        raise OSError("no bus")
    yield Checked("ok", "matrix", f"writes {settings.path}")

def open_it(settings):
    if settings.broken == "open":
        raise DisplayError("display matrix: does not answer")
    if settings.broken == "exit":
        raise SystemExit(3)
    return Matrix(settings)

DRIVER = Driver("matrix", Settings, check, open_it)
"""
PAGE = NoticePage(PageHeader("Podestà"), "Welcome")


@pytest.fixture
def shelf(tmp_path):
    """Installs a driver; gives the config that a text means."""
    sys.modules.pop("my_matrix", None)

    def put(section="", code=MATRIX, value="my_matrix:DRIVER"):
        (tmp_path / "my_matrix.py").write_text(code, "utf-8")
        told(tmp_path, "matrix", value, DISPLAYS)
        importlib.invalidate_caches()
        look_again()
        config, problems = configs.parse(f'[display]\ndriver = "matrix"\n{section}')
        assert problems == ()
        return config

    with on_the_path(tmp_path):
        yield put
    sys.modules.pop("my_matrix", None)


def test_it_shows_the_pages(shelf, tmp_path):
    shown = tmp_path / "shown.png"
    config = shelf(f'[[matrix]]\npath = "{shown}"\n')
    worker = ScreenWorker(lambda: open_plugged(config))
    worker.show(PAGE)
    worker.close()
    assert (worker.why, Image.open(shown).tobytes()) == ("", draw(PAGE).tobytes())
    (finding,) = check_displays(config, pi=True)
    assert (finding.verdict, finding.name, finding.detail) == ("ok", "matrix", f"writes {shown}")


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"code": "import nowhere"}, "matrix: ModuleNotFoundError: No module named 'nowhere'"),
        ({"code": "raise SystemExit(3)"}, "matrix: SystemExit: 3"),
        ({"code": "DRIVER = 7"}, "matrix: my_matrix:DRIVER is no Driver of that name"),
        (
            {"section": "[[matrix]]\npth = ''\n"},
            "matrix: podesta.toml:4: unknown key matrix[1].pth",
        ),
        ({"section": "[[matrix]]\n[[matrix]]\n"}, "matrix: more than one section [[matrix]]"),
        ({"section": "[[matrix]]\nbroken = 'open'\n"}, "matrix: does not answer"),
        ({"section": "[[matrix]]\nbroken = 'exit'\n"}, "matrix: SystemExit: 3"),
        ({"section": "[[matrix]]\nbroken = 'show'\n"}, "ValueError: no such pixel"),
    ],
)
def test_one_that_fails_is_named_and_tried_again(shelf, more, why):
    config = shelf(**more)
    now = [0]
    opened = []
    painter = Painter(lambda: opened.append(1) or open_plugged(config), lambda: now[0])
    painter.show(PAGE)
    painter.tick()
    assert painter.online is False
    assert str(painter.why).startswith(why)
    now[0] = 600
    painter.tick()
    assert len(opened) == 2


@pytest.mark.parametrize("broken", ["check", "show"])
def test_a_trial_says_where_to_look_about_what_fails_and_about_nothing_else(shelf, broken):
    found = [*try_display(shelf(f"[[matrix]]\nbroken = '{broken}'\n"))]
    assert {(one.verdict, one.remedy) for one in found} == {
        ("ok", ""),
        ("fail", "see Driver and Display in device.screen.pixels"),
    }


def test_a_driver_that_nobody_installed_is_a_mistake_in_the_settings():
    _, problems = configs.parse('[display]\ndriver = "matrx"\n')
    names = '"none", "offscreen", "sh1106", "ssd1306", "ssd1309"'
    assert [str(one) for one in problems] == [
        f'podesta.toml:2: display.driver must be one of {names}, not "matrx"'
    ]


def test_one_that_was_uninstalled_is_away():
    config, problems = configs.parse('[display]\ndriver = "matrix"\n', others=lambda _: True)
    assert problems == ()
    with pytest.raises(DisplayError, match="display matrix: no package that is used here has it"):
        open_plugged(config)


@pytest.mark.parametrize(("code", "problem"), [(MATRIX, ""), ("DRIVER = 7", "my_matrix:DRIVER is no Driver")])
def test_it_is_listed_with_what_is_wrong_with_it(shelf, code, problem):
    shelf(code=code)
    (one,) = list_plugins()
    assert (one.adds, one.name, one.source) == ("display", "matrix", "matrix 1.0")
    assert one.problem.startswith(problem)
    assert bool(one.problem) == bool(problem)


@pytest.mark.parametrize(
    ("section", "last", "status"),
    [
        ("path = '{shown}'", "ok        close: done\nok        close: done", Exit.FINE),
        ("path = '{shown}'\nbroken = 'show'", "fail      show: ValueError: no such pixel", Exit.WRONG),
        ("broken = 'open'", "fail      open: display matrix: does not answer", Exit.WRONG),
        ("broken = 'away'", "fail      open: says that it is away, just opened", Exit.WRONG),
        ("path = '{shown}'\nbroken = 'check'", "fail      display matrix: OSError: no bus", Exit.WRONG),
        ("pth = ''", "--section: unknown key matrix[1].pth", Exit.WRONG),
    ],
)
def test_a_check_opens_it_shows_a_page_and_closes_it(shelf, tmp_path, capsys, section, last, status):
    shelf()
    shown = tmp_path / "shown.png"
    words = ["plugin", "check", "matrix", "--section", section.format(shown=shown)]
    assert main(words) == status
    said = capsys.readouterr().out
    assert last in said
    assert ("close: done" in said) == shown.exists()


def test_its_section_is_no_sensor_s(shelf):
    assert list(list_sensors(shelf("[[matrix]]\npath = 'x'\n"))) == []


@in_a_loop
async def test_the_match_goes_on_without_it(shelf, tmp_path):
    config = shelf("[[matrix]]\nbroken = 'show'\n")
    state = tmp_path / "state"
    state.mkdir()
    daemon = Daemon(configs.LoadedConfig(config, (), configs.ConfigSource.FILE), state, simulate=True, port=0)
    async with running(daemon, state / "line-node") as here:
        await here.until(lambda: "display: ValueError: no such pixel" in daemon.status_lines())
        await here.open()
        assert here.recorded == 2
        assert daemon.status()["display"] is False
