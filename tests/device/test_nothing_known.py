"""An owner's first match: of what a match may ask for late nothing is known, and all is shown all the same.

Random matches of every game through the box, the page, *On the table*, the line and every export; whatever is
raised, and each text that is missing, fails.
"""

from pathlib import Path

import pytest
from msgspec.structs import replace

from device.exports import FORMATS
from device.exports.account import read_log
from device.match.door import MatchDoor
from device.match.journal import read
from device.menus import Box
from device.menus.match_menu import make_table_page
from device.panel.asking import ask_next
from device.panel.table import Course, describe_table
from device.screen.pixels import pages_of
from engines.contract import SEATS, Decide, Setup
from engines.facts import Facts, sample, schema, with_facts
from engines.words import Words
from tests.device.conftest import Ticks
from tests.device.games import EVERYBODY, PLAYED, game_steps
from tests.device.grammar import proofread
from tests.device.line.by_name import NamedLineDoor as LineDoor
from tests.engines.marrakesh.lines import EVERYTHING
from tests.engines.walks import seed, soak

EXPORTED = 150
"""Every so many looks a match is exported in every format."""
SELDOM, LOOKS = 4, 4
"""After so many steps at least, and so often in a match, each day looks at all; a soak after each step."""


def fresh(header):
    """The match with a copy of which only that is known which has to be."""
    facts = schema(header.game)
    whole = sample(facts)
    known = Facts.of(facts).confirm({fact.name: whole[fact.name] for fact in facts if not fact.late})
    return replace(header, setup=with_facts(known, replace(header.setup, facts=())))


FRESH = {name: fresh(header) for name, header in PLAYED.items()}
FRESH["marrakesh-everything"] = fresh(
    replace(PLAYED["marrakesh-two"], names=EVERYBODY[:3], setup=Setup(3, options=tuple(EVERYTHING.items())))
)


DAILY = ("torres-four", "tuscany-two", "marrakesh-everything")
"""The matches of every day; a soak plays all."""


@pytest.mark.parametrize("name", DAILY)
def test_everything_is_shown_though_nothing_is_known(name, table, tmp_path):
    with proofread() as wrong:
        walked(name, seed(), table, LOOKS)
    assert wrong == set()


@pytest.mark.soak
def test_everything_is_shown_in_many_matches(table):
    for number in range(soak(40 * len(FRESH), 6)):
        walked([*FRESH][number % len(FRESH)], seed() + number, table)


def walked(name: str, number: int, table, looks: int = 0) -> None:
    """Play a match to its end and look at everything on the way, so often, or after each step."""
    header = FRESH[name]
    box = Box(MatchDoor(table), pages=pages_of, strict=True, now_ms=Ticks())
    referee = table.open_match(header)
    texts = box.game_texts[header.game]
    words = Words(texts, referee.replay.game, header.names, header.setup.facts)
    line, course = LineDoor(box.door, box.words_of), Course()
    box.play(referee)
    steps = game_steps(number, header.setup, header.game)
    every = max(SELDOM, len(steps) // looks) if looks else 1
    for at, step in enumerate(steps):
        referee.step(step.text, seat=step.seat, channel="keys")
        replay = referee.replay
        if (at + number) % every and not replay.over:
            continue
        describe_table(replay, words, course.of(replay))
        ask_next(replay, words, shown=True)
        make_table_page(box, replay, words)
        box.page()
        pending = replay.match.pending
        for what in ("turn", "legal", "score", "position", "readings"):
            line.answer(what, "", seat=SEATS[pending.seats[0]] if isinstance(pending, Decide) else None)
        if at // every % EXPORTED == 0:
            exported(referee)
    exported(referee)


def exported(referee) -> None:
    """Write what there is of a match in every format."""
    assert referee.wait(30)
    reading = read(Path(referee.path))
    told = read_log(reading.header, reading.records)
    for kind, (_, write) in FORMATS.items():
        if kind != "bgstats" or referee.replay.over:
            assert write(told)
