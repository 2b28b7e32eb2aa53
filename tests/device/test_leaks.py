"""What a seat told of its hidden pieces reaches nobody else: two tables that differ in nothing but that.

Whatever the other seat or the public can see or be told must be the same at both; each leak that is planted
here must be found.
"""

import logging
from itertools import count
from pathlib import Path
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from device.daemon import Daemon
from device.line.door import LineDoor
from device.match.door import MatchDoor
from device.match.records import Kind
from device.match.referee import Referee
from device.match.replay import Header, Replay
from device.menus import Box
from device.panel import Phones
from engines.contract import Level, Setup
from engines.facts import playable, schema
from tests.device import leaks
from tests.device.conftest import NAMES
from tests.device.games import EVERYBODY, TORRES
from tests.device.leaks import Look, Played, Script, differences, play, script
from tests.engines.walks import seed, soak

ADVANCED = (("nobles", "yes"),)
HEADERS = {
    f"{game}-{level.value}": Header("san_gimignano", NAMES, Setup(options=options, level=level))
    for game, options in (("basic", ()), ("advanced", ADVANCED))
    for level in (Level.FULL, Level.TABLE)
}
HEADERS |= {f"torres-{name}": TORRES[name] for name in ("two", "three", "four")}
HEADERS |= {
    f"castles-{seats}": Header(
        "castles_of_tuscany", EVERYBODY[:seats], playable(schema("castles_of_tuscany"), Setup(seats))
    )
    for seats in (2, 3)
}


def both(plan: Script, folder: Path) -> tuple[Played, Played]:
    """The script played at two tables, which differ in what the teller told."""
    first, second = (play(plan, which, folder / str(which)) for which in (0, 1))
    return first, second


def exact(plan: Script, played: Played, which: int) -> int:
    """At how many looks the teller's hand made a list of its own shorter; each is exactly what it allows."""
    shorter = 0
    for look, seen in zip(plan.looks, played.looks, strict=True):
        assert seen.own["tell"].startswith("ack ")
        assert seen.own["phone"].startswith("204 ")
        assert look.hands[which] in seen.own["phone"]
        prefixes = [asked for asked in seen.own if asked != "tell" and not asked.startswith("phone")]
        everybody = dict(zip(prefixes, seen.others["list"][0], strict=True))
        for prefix, listed in look.lists[which].items():
            assert seen.own[prefix] == (f"legal {listed}" if listed else everybody[prefix])
            if listed:
                assert seen.own[f"phone {prefix}"] in (listed, "-"), "not listed where a number is entered"
        shorter += any(seen.own[prefix] != everybody[prefix] for prefix in prefixes)
    return shorter


def found(plan: Script, folder: Path) -> set[str]:
    """The leaks that playing a script shows."""
    return differences(*both(plan, folder))


DAILY = ("advanced-full", "castles-2")
"""The tables of every day; `make soak` has all."""


@pytest.mark.parametrize("name", DAILY)
def test_nobody_else_learns_what_was_told(tmp_path, monkeypatch, name):
    monkeypatch.setattr(leaks, "PAGES", 8)
    looks = 1
    plan = script(HEADERS[name], seed(), looks)
    first, second = both(plan, tmp_path)
    assert differences(first, second) == set()
    assert len(plan.looks) == looks
    # The teller's own node does learn from it, and not the same at both tables.
    assert exact(plan, first, 0) + exact(plan, second, 1)
    assert [seen.own for seen in first.looks] != [seen.own for seen in second.looks]


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_nobody_else_learns_what_was_told_in_a_thousand_positions(tmp_path):
    first_seed, wanted, looks, shorter, told_apart = seed(), soak(1000, 16), 0, 0, 0
    headers = list(HEADERS.values())
    for number in count():
        if looks >= wanted:
            break
        plan = script(headers[number % len(headers)], first_seed + number, 12, end=True)
        first, second = both(plan, tmp_path / str(number))
        assert differences(first, second) == set(), f"match {number}"
        looks += len(plan.looks)
        shorter += exact(plan, first, 0) + exact(plan, second, 1)
        told_apart += sum(look.lists[0] != look.lists[1] for look in plan.looks)
    print(f"{looks} positions; {shorter} of {2 * looks} lists exact, {told_apart} pairs told apart by them")
    assert shorter > looks / 4
    assert told_apart > looks / 4


# Leaks planted on purpose


def told(referee: Referee) -> str:
    """Return what was told last, whoever asks."""
    return held(referee.replay)


def held(replay: Replay) -> str:
    return next((record.payload for record in reversed(replay.log) if record.kind is Kind.PRIVATE), "nothing")


def into_the_list(door, seat, *, source):
    """The list of a seat for whoever says that they are of that seat."""
    return door.referee.replay.find_held(seat) if seat is not None else ""


def into_refusals(original):
    return lambda door, referee, error: f"{original(door, referee, error)} {told(referee)}"


def into_the_log(original):
    def tell(referee, seat, held, **more):
        logging.getLogger("device.match.referee").debug("seat %d holds %s", seat, held)
        return original(referee, seat, held, **more)

    return tell


def into_a_file_name(original):
    def tell(referee, seat, held, **more):
        Path(referee.path).with_suffix(f".{held}").touch()
        return original(referee, seat, held, **more)

    return tell


def onto_the_screen(original):
    return lambda *args, **more: replace(original(*args, **more), warning=told(args[0].library.referee))


def into_the_scores(original):
    return lambda replay: [*original(replay), held(replay)]


def into_the_status(original):
    return lambda daemon, voice=None: original(daemon, voice) | {"held": told(daemon.library.referee)}


def into_events(referee):
    last = referee.replay.log[referee.recorded - 1]
    return f"turn {last.kind.value} {last.payload}"


def into_a_question(original):
    return lambda replay, words, tokens, **more: replace(
        original(replay, words, tokens, **more), prompt=held(replay)
    )


def into_every_phone(phones, _cookies, _seat):
    """Return what was told last, whichever phone asks."""
    return told(phones._door.referee)


LEAKS = {
    "another phone's page": ("page", (Phones, "find_held", lambda _: into_every_phone)),
    "a list of a seat that others claim": ("list", (MatchDoor, "find_held", lambda _: into_the_list)),
    "a refusal": ("refusal", (LineDoor, "_write_refusal", into_refusals)),
    "the score": ("answer", ("device.line.door.list_scores", into_the_scores)),
    "an export": ("export", ("device.exports.account.find_hidden", lambda _: lambda *_: frozenset())),
    "what a table shows over the broker": ("broker", ("device.event.publisher.list_scores", into_the_scores)),
    "a line of the log": ("log", (Referee, "tell", into_the_log)),
    "the name of a file": ("file", (Referee, "tell", into_a_file_name)),
    "the screen": ("screen", (Box, "header", onto_the_screen)),
    "the panel": ("panel", (Daemon, "status", into_the_status)),
    "a question on the page": ("page", ("device.panel.acting.ask_next", into_a_question)),
    "an event": ("event", ("device.daemon.describe_event", lambda _: into_events)),
}
FOUND_DAILY = ("an export", "what a table shows over the broker", "an event")
"""The leaks planted every day; `make soak` plants all."""


def shortest(name: str, most: int) -> Script:
    """At most so many steps, then a look at which the two hands allow different things."""
    for number in count():
        plan = script(HEADERS[name], number, 2)
        places = [at for at, event in enumerate(plan.events) if isinstance(event, Look)]
        if places and places[0] < most and plan.looks[0].lists[0] != plan.looks[0].lists[1]:
            return replace(plan, events=plan.events[: places[0] + 1])
    raise AssertionError


@pytest.fixture(scope="module")
def short():
    return shortest("basic-full", 12)


@pytest.fixture
def few_pages(monkeypatch):
    monkeypatch.setattr(leaks, "PAGES", 8)


def planted(where, leak):
    """A patch that puts a leak in place of a method or a function of a module."""
    if isinstance(where[0], str):
        module, _, name = where[0].rpartition(".")
        original = getattr(__import__(module, fromlist=[name]), name)
        return patch(where[0], leak(original))
    return patch.object(where[0], where[1], leak(getattr(where[0], where[1])))


def test_every_leak_has_its_place():
    """A name that has changed is told every day, not by `make soak` alone."""
    for _, (*target, leak) in LEAKS.values():
        with planted(target, leak):
            pass


@pytest.mark.usefixtures("few_pages")
@pytest.mark.parametrize(
    ("channel", "where"),
    [
        pytest.param(*leak, id=name, marks=() if name in FOUND_DAILY else pytest.mark.soak)
        for name, leak in LEAKS.items()
    ],
)
def test_a_leak_is_found(tmp_path, short, channel, where):
    *target, leak = where
    with planted(target, leak):
        assert channel in found(short, tmp_path)
