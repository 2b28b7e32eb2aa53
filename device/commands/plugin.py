"""Parts that people build: `podesta plugin` for packages, `podesta node` for nodes on the line.

It lists the installed packages, checks a package or a node, and writes a package to begin with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Literal

import msgspec

from device import config as configs
from device.commands import Command, CommandError, Exit, Options, UsageError, action, print_trials, say, take
from device.sensors.host import find_load_fault, list_sensors
from device.sensors.kit import MakingError, conforming, make
from device.settings import DISPLAYS, SENSORS, LineSettings, PluginSection, Settings
from device.texts import of_device
from engines import conformance
from engines.packages import GROUP, Trial, points, source
from engines.plugged import tried
from engines.texts import plain

LOADED_S = 10.0
"""The longest time to load a sensor."""


class ListedPlugin(msgspec.Struct, frozen=True):
    """One plug-in: the kind of part it adds, its name, its package and the package's summary.

    ``problem`` is why it does not work, ``fault`` what it does wrong although it works, ``remedy`` what to
    do.
    """

    adds: Literal["sensor", "display", "game"]
    name: str
    source: str
    what: str = ""
    problem: str = ""
    fault: str = ""
    remedy: str = ""


@action("what is installed, whose it is, and whether it works")
def list_(_options: Options) -> int:
    """Print all plug-ins, each as soon as it is tried."""
    found = []
    for one in list_plugins():
        found.append(one)
        says = f"does not work: {one.problem}" if one.problem else "works"
        says += f", but {one.fault}" if one.fault else ""
        print(plain(f"{one.adds} {one.name}: {one.source}{one.what and f', {one.what}'}; {says}"), flush=True)
        if one.remedy:
            print(f"{'':<9} remedy: {one.remedy}", flush=True)
    print(f"{len(found)} plug-in{'s' * (len(found) != 1)}")
    return Exit.WRONG if any(one.problem or one.fault for one in found) else Exit.FINE


def list_plugins(only: str = "") -> Iterator[ListedPlugin]:
    """Yield all plug-ins, or those of one name. Sensors are loaded in parallel, each in a process; a display
    is loaded here, a game is played.
    """

    def of(group: str) -> list[tuple[str, EntryPoint]]:
        found = points(group) if not only else {only: points(group).get(only, ())}
        return [(name, one) for name, several in found.items() for one in several]

    with ThreadPoolExecutor(len(of(SENSORS)) or 1) as threads:
        loading = {
            threads.submit(find_load_fault, name, within_s=LOADED_S): (name, one) for name, one in of(SENSORS)
        }
        for done in as_completed(loading):
            name, one = loading[done]
            own = name in Settings.__struct_fields__
            taken = f"[[{name}]] is a section of the box's own settings" if own else ""
            remedy = _suggest_remedy(one) if done.result() and not taken else ""
            yield ListedPlugin(
                "sensor", name, source(one), _read_summary(one), taken or done.result(), remedy=remedy
            )
    for name, one in of(DISPLAYS):
        from device.screen.pixels import find_driver_fault  # noqa: PLC0415 – pictures are heavy

        why = find_driver_fault(name)
        yield ListedPlugin(
            "display", name, source(one), _read_summary(one), why, remedy=_suggest_remedy(one) if why else ""
        )
    for (name, one), game in zip(of(GROUP), tried(tuple(one for _, one in of(GROUP))), strict=True):
        checks = () if game.problem else conformance.conforming(name)
        first = next((f"{each.name}: {each.seen}" for each in checks if each.verdict == "fail"), "")
        remedy = f"podesta plugin check {name} says more" if first else ""
        remedy = _suggest_remedy(one) if game.problem else remedy
        yield ListedPlugin("game", name, source(one), _read_summary(one), game.problem, first, remedy)


@action(
    "say what a plug-in does wrong: run a sensor at a simulated box, open a display, play a game",
    take.option("NAME", "the sensor, display or game"),
    take.option("--section TOML", "its settings, such as 'pin = 4' (default: its first section)"),
    take.config,
)
def check(options: Options) -> Exit:
    """Print each check as it is done."""
    return print_trials(_run_checks(options))


def _run_checks(options: Options) -> Iterator[Trial]:
    """Try everything of that name; an unknown name counts as a sensor."""
    for one in list(list_plugins(options.name)) or [ListedPlugin("sensor", options.name, "")]:
        if one.problem:
            yield Trial("fail", "load", one.problem, one.remedy)
        elif one.adds == "game":
            yield from conformance.conforming(one.name)
        elif one.adds == "display":
            from device.screen.pixels import try_display  # noqa: PLC0415 – pictures are heavy

            config = configs.load(configs.find(options.config)).config
            own = _find_section(one.name, options.section, options.config)
            display = msgspec.structs.replace(config.display, driver=one.name)
            yield from try_display(msgspec.structs.replace(config, display=display, plugins=(own,)))
        else:
            own = _find_section(one.name, options.section, options.config)
            yield from conforming(own, doing=lambda what: say(f"{'':<9} {what}"))


def _suggest_remedy(point: EntryPoint) -> str:
    return f"mend it, or uninstall it: pip uninstall {point.dist.name}" if point.dist else ""


def _read_summary(point: EntryPoint) -> str:
    """Return its package's summary, "" without one; some installers write UNKNOWN then."""
    about = point.dist.metadata if point.dist else None
    return about["Summary"].replace("UNKNOWN", "") if about and "Summary" in about else ""


def _find_section(name: str, text: str | None, file: Path | None) -> PluginSection:
    """Return the settings for a sensor: those given, else its first section in the file."""
    if text is not None:
        try:
            return PluginSection(name, 0, tomllib.loads(text), "--section")
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"--section: {error}") from None
    config = configs.load(configs.find(file)).config
    own = (one.section for one in list_sensors(config, safe=True, apart=True))
    return next((one for one in (*config.plugins, *own) if one.name == name), PluginSection(name, 0, {}))


@action(
    "write a package with a sensor or a game, to begin with",
    take.option("NAME", "what it adds: up to 32 of a-z, 0-9 and _"),
    take.option("--game", "with a game"),
    take.option("--into FOLDER", "(default: podesta-NAME)"),
)
def new(options: Options) -> None:
    """Write the package; raises :class:`UsageError` if it cannot be made."""
    folder = options.into or Path(f"podesta-{options.name}")
    try:
        made = make(options.name, folder, game=options.game)
    except MakingError as error:
        raise UsageError(str(error)) from None
    for path in made:
        print(path)
    print(f"next: {folder / 'README.md'}")


run = Command(actions={"list": list_, "check": check, "new": new})


# podesta node

PATIENCE_S = 30


@action(
    "play the box to a node and say what it does wrong (half a minute, with a hand at its keys)",
    take.option("PORT", "a device path such as /dev/ttyUSB0; no box may have it open"),
    take.option(
        "--baud BAUD",
        "bits per second (%(default)s)",
        type=take.whole(300, 4_000_000),
        default=LineSettings("").baud,
    ),
    take.option(
        "--patience SECONDS",
        "how long a hand may take where the node sends nothing by itself (%(default)s)",
        type=take.whole(0, 3600),
        default=PATIENCE_S,
    ),
)
def check_node(options: Options) -> Exit:
    """Print each check as it is done; raises :class:`CommandError` if the port cannot be opened."""
    from device.line.kit import Kit, TimedPort  # noqa: PLC0415 – for nodes alone

    try:
        return print_trials(Kit(TimedPort(options.port, options.baud), _ask, options.patience).run())
    except (OSError, ValueError) as error:
        raise CommandError(f"{options.port}: {of_device(error, 'dialout')}", code=Exit.UNREADABLE) from error


def _ask(text: str) -> None:
    print(f"{'':<9} {text}", flush=True)


node = Command(actions={"check": check_node})
