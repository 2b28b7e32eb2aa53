"""`podesta plugin`: packages that add to the box: which are there, what one does wrong, one to begin with."""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.metadata import EntryPoint
from pathlib import Path

import msgspec

from device import config as configs
from device.commands import CommandError, Exit
from device.commands.kits import report
from device.commands.values import add_config
from device.config import DISPLAYS, SENSORS, Config, Section
from device.sensors import kinds
from device.sensors.host import loaded
from device.sensors.kit import MakingError, conforming, make
from engines.packages import points, source
from engines.plugged import plugged
from engines.texts import plain

LOADED_S = 10.0
"""Whatever takes longer to load is not waited for."""


class Listed(msgspec.Struct, frozen=True):
    """One plug-in: what it adds, its name, whose it is and what that is.

    ``problem`` is why it does not work, if so, ``remedy`` what to do then.
    """

    adds: str
    name: str
    source: str
    what: str
    problem: str
    remedy: str = ""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    actions.add_parser("list", help="what is installed, whose it is, and whether it works")
    what = "run a sensor at a simulated box and say what it does wrong"
    check = actions.add_parser("check", help=what, description=what)
    check.add_argument("name", metavar="NAME", help="the sensor")
    check.add_argument(
        "--section", metavar="TOML", help="its settings, such as 'pin = 4' (default: its first section)"
    )
    add_config(check)
    new = actions.add_parser("new", help="write a package with a sensor, to begin with")
    new.add_argument("name", metavar="NAME", help="the sensor: up to 32 of a-z, 0-9 and _")
    new.add_argument("--into", metavar="FOLDER", type=Path, help="(default: podesta-NAME)")


def run(options: argparse.Namespace) -> int:
    """Do it; raises :class:`CommandError` for what cannot be done."""
    if options.action == "new":
        return _new(options.name, options.into or Path(f"podesta-{options.name}"))
    if options.action == "check":
        section = _section(options.name, options.section, options.config)
        return report(conforming(section, doing=_doing))
    found = []
    for one in listed():
        found.append(one)
        says = f"does not work: {one.problem}" if one.problem else "works"
        print(plain(f"{one.adds} {one.name}: {one.source}{one.what and f', {one.what}'}; {says}"), flush=True)
        if one.remedy:
            print(f"{'':<9} remedy: {one.remedy}", flush=True)
    print(f"{len(found)} plug-in{'s' * (len(found) != 1)}")
    return Exit.WRONG if any(one.problem for one in found) else Exit.FINE


def listed() -> Iterator[Listed]:
    """All plug-ins. Sensors are loaded side by side, each in a process; a display and a game here."""
    sensors = [(name, one) for name, several in points(SENSORS).items() for one in several]
    with ThreadPoolExecutor(len(sensors) or 1) as threads:
        loading = {threads.submit(loaded, name, within_s=LOADED_S): (name, one) for name, one in sensors}
        for done in as_completed(loading):
            (name, one), problem = loading[done], done.result()
            remedy = f"mend it, or uninstall it: pip uninstall {one.dist.name}" if one.dist else ""
            taken = _taken(name)
            yield Listed(
                "sensor",
                name,
                source(one),
                _summary(one),
                taken or problem,
                remedy if problem and not taken else "",
            )
    for name, several in points(DISPLAYS).items():
        from device.screen.pixels import wrong  # noqa: PLC0415 – pictures are heavy

        for one in several:
            yield Listed("display", name, source(one), _summary(one), wrong(name))
    for game in plugged():
        yield Listed("game", game.name, game.source, "", game.problem)


def _doing(what: str) -> None:
    print(f"{'':<9} {what}", file=sys.stderr, flush=True)


def _taken(name: str) -> str:
    taken = name in configs.Settings.__struct_fields__
    return f"[[{name}]] is a section of the box's own settings" if taken else ""


def _summary(point: EntryPoint) -> str:
    return (point.dist.metadata["Summary"] or "") if point.dist else ""


def _section(name: str, text: str | None, file: Path | None) -> Section:
    """The settings to run a sensor with."""
    if text is not None:
        try:
            return Section(name, 0, tomllib.loads(text), "--section")
        except tomllib.TOMLDecodeError as error:
            raise CommandError(f"--section: {error}", code=Exit.USAGE) from None
    config = configs.load(configs.find(file)).config
    return next((one for one in _sections(config) if one.name == name), Section(name, 0, {}))


def _sections(config: Config) -> Iterator[Section]:
    yield from config.plugins
    for kind in kinds():
        for settings in getattr(config, kind.name):
            yield Section(kind.name, 0, msgspec.to_builtins(settings))


def _new(name: str, folder: Path) -> int:
    try:
        made = make(name, folder)
    except MakingError as error:
        raise CommandError(str(error), code=Exit.USAGE) from None
    for path in made:
        print(path)
    print(f"next: {folder / 'README.md'}")
    return Exit.FINE
