"""Displays whose drivers come in packages of their own: entry points of the group ``podesta.displays``.

::

    [project.entry-points."podesta.displays"]
    matrix = "my_matrix:DRIVER"          # a Driver of that name

    [display]                            # in the box's settings
    driver = "matrix"

    [[matrix]]                           # its own, as its Driver.settings has them
    path = "/dev/spidev1.0"

A driver is imported and used in the screen's thread alone. What it raises is said on the status page, and the
display is opened again after a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from device.config import DISPLAYS, Config
from device.screen.pages import NoticePage, PageHeader
from device.screen.pixels.displays import Display, DisplayError
from device.screen.pixels.layout import draw
from device.sensors import Checked
from device.strict_toml import check_table
from device.supervise import cause
from engines.packages import points, source
from engines.trying import Trial


class Driver(msgspec.Struct, frozen=True):
    """A kind of display: its name, what its section of the settings may hold, a self-check that opens nothing
    a running box holds, and what opens it; that raises :class:`DisplayError` where it does not answer.
    """

    name: str
    settings: type[msgspec.Struct]
    check: Callable[[Any], Iterator[Checked]]
    open: Callable[[Any], Display]


def open_plugged(config: Config) -> Display:
    """Open the display that ``config`` names with its driver; raises :class:`DisplayError`."""
    driver, settings = _found(config)
    try:
        return driver.open(settings)
    except DisplayError:
        raise
    except (Exception, SystemExit) as error:
        raise DisplayError(f"display {driver.name}: {cause(error)}") from error


def look_at(config: Config) -> Iterator[Checked]:
    """Yield the findings of that display's self-check; an error becomes one of them."""
    name = f"display {config.display.driver}"
    try:
        driver, settings = _found(config)
        yield from driver.check(settings)
    except (Exception, SystemExit) as error:
        said = str(error).removeprefix(f"{name}: ") if isinstance(error, DisplayError) else cause(error)
        yield Checked("fail", name, said)


def trial(config: Config) -> Iterator[Trial]:
    """Try the self-check of that display, then all that a box does with one, up to what fails."""
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
        yield Trial("fail", what, str(error) if isinstance(error, DisplayError) else cause(error), remedy)


def wrong(name: str) -> str:
    """Say in one line why a driver cannot be used, empty if it can; this loads it."""
    try:
        _driver(name)
    except DisplayError as error:
        return str(error).removeprefix(f"display {name}: ")
    return ""


def _driver(name: str) -> Driver:
    """Load the driver of that name; raises :class:`DisplayError`."""
    several = points(DISPLAYS).get(name, ())
    if len(several) != 1:
        whose = " and ".join(map(source, several))
        what = f"it is in {whose}" if several else "no package that is used here has it"
        raise DisplayError(f"display {name}: {what}")
    try:
        driver = several[0].load()
    except (Exception, SystemExit) as error:
        raise DisplayError(f"display {name}: {cause(error)}") from error
    if not isinstance(driver, Driver) or driver.name != name:
        raise DisplayError(f"display {name}: {several[0].value} is no Driver of that name")
    return driver


def _found(config: Config) -> tuple[Driver, Any]:
    """Return the driver that ``config`` names and its settings; raises :class:`DisplayError`."""
    name = config.display.driver
    driver = _driver(name)
    sections = [one for one in config.plugins if one.name == name]
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
