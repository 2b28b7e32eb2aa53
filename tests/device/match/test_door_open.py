"""A match opened with nothing but a line, and what may follow in a step."""

import asyncio
from pathlib import Path

import pytest

import engines
import podesta
from device.copy_file import CopyFile
from device.line.door import list_following, make_header, may_do
from device.line.messages import MessageError
from device.match.journal import JournalFull, read
from device.match.replay import Header
from device.match.rulings import Abandon
from device.texts import Texts
from engines import matchfile
from engines.contract import Level, Setup
from engines.errors import Malformed, Refused
from engines.match import Step
from tests.device.conftest import NAMES
from tests.device.copies import OTHERS
from tests.device.games import enter
from tests.device.match.test_door import AtTheLine, refused
from tests.engines.marrakesh.lines import turn

GAME = "san_gimignano"
CHANNEL = "line:k#3"
CLOSED = Path(__file__).parents[2] / "matches" / "closed.match"


def test_what_is_settled():
    header = make_header(GAME, ("Adso", "William"), {"start": "b", "level": "table", "donazione": "must"})
    setup = Setup(2, 1, (("donazione", "must"),), Level.TABLE)
    assert header == Header(GAME, ("Adso", "William"), setup)
    header = make_header("torres", ("Ida", "Leo", "Pia"), {"start": "c", "doors": "descend"})
    assert header == Header("torres", ("Ida", "Leo", "Pia"), Setup(3, 2, (("doors", "descend"),)))
    assert make_header("torres", (), {}) == Header("torres", ("Player A", "Player B"), Setup(2))


@pytest.mark.parametrize(
    ("game", "names", "settings", "says"),
    [
        ("san_gimigano", (), {}, "did you mean san_gimignano?"),
        (GAME, ("A", "B", "C"), {}, "for 2 players, not 3"),
        (GAME, ("A",), {}, "for 2 players, not 1"),
        (GAME, (), {"donazone": "may"}, "no setting donazone; did you mean donazione?"),
        (GAME, (), {"colour": "red"}, "no setting colour; there are start, level, donazione"),
        (GAME, (), {"donazione": "mst"}, "no donazione mst; did you mean must?"),
        (GAME, (), {"start": "c"}, "no start c; there are a, b"),
        (GAME, (), {"level": "tabel"}, "no level tabel; did you mean table?"),
        ("torres", ("A", "B", "C", "D", "E"), {}, "for 2 or 3 or 4 players, not 5"),
        ("torres", ("A", "B", "C"), {"start": "d"}, "no start d; there are a, b, c"),
        ("torres", (), {"donazione": "may"}, "no setting donazione; there are start, level, doors"),
    ],
)
def test_what_cannot_be_settled(game, names, settings, says):
    with pytest.raises(MessageError, match="malformed") as caught:
        make_header(game, names, settings)
    assert says in caught.value.text


def test_what_may_follow():
    game = engines.game(GAME)
    state = game.rules.start(Setup(2))
    for text in ("6", "8", "8", "10"):
        state = game.rules.apply(state, next(c for c in game.rules.legal(state) if c.token == text))
    assert list_following(game, state, "") == ["P", "X", "B", "pass"]
    assert list_following(game, state, "P d") == ["d", "m6", "m8", "m10"]
    assert list_following(game, state, "P d d") == []
    assert list_following(game, state, "B 6") == ["x3", "x4", "x5"]
    with pytest.raises(Refused, match=r"SG-3\.11"):
        list_following(game, state, "C")
    for text in ("Q", "P Q", "P d d d"):
        with pytest.raises(Malformed, match="no step has"):
            list_following(game, state, text)


def test_what_goes_without_saying_may_be_said_otherwise():
    """With six keshis left, yellow alone names the last three; whoever asks may go on to others."""
    game = engines.game("marrakesh")
    position = turn("choose", "choose_a", round=3, behind_a="1t1g1k1l1u1o")
    assert list_following(game, game.position.read(position), "choose l") == ["t", "g", "k", "u", "o"]


@pytest.mark.parametrize("name", ["figure_2", "torres_two", "castles_of_tuscany_two", "marrakesh_two"])
def test_why_of_each_step_that_was_played_is_that_it_is_legal(name):
    """A step's last word may be half of a token, as of Torres' ``E d1``, and never names a verb then."""
    match = podesta.load(CLOSED.with_name(f"{name}.match")).rules
    for made, point in zip(match.steps, match.points, strict=False):
        if isinstance(made, Step):
            assert not may_do(match.game, point.state, made.text, made.seat), made.text


@pytest.fixture
def door(table, ticks):
    return AtTheLine(table, ticks)


def opened(door, *names, game=GAME, **settings):
    return door.run(door.door.open(game, names, settings, channel=CHANNEL))


def test_nobody_opens_over_a_match_being_played(door, table):
    opened(door, "Adso", "William")
    match = table.referee
    says = "Adso – William is being played; people can abandon it at the box"
    refused("busy", says, opened, door)
    assert table.referee is match
    assert len(list(table.matches.glob("*.podesta"))) == 1
    match.rule(Abandon(), channel="keys")
    assert opened(door, "Fina", "Guido") == 1
    assert table.referee.replay.names == ("Fina", "Guido")


def test_an_opening_cut_off_before_its_first_record(door, table):
    """The match is there and nothing in it: asked for again it is the one, anything else is another."""
    match = table.open_match(make_header(GAME, ("Adso", "William"), {"start": "b"}))
    refused("busy", "", opened, door, "Adso", "William")
    assert opened(door, "Adso", "William", start="b") == 1
    assert table.referee is match
    refused("busy", "", opened, door, "Adso", "William", start="b")


def test_the_end_of_a_match_is_on_the_disk_before_the_next_is_opened(door, table, disk):
    file = matchfile.read(CLOSED.read_text())
    first = table.open_match(Header(file.game, file.names, file.setup))
    enter(first, file.steps[:-1])

    async def scenario():
        disk.hold()
        first.step(file.steps[-1].text, seat=file.steps[-1].seat, channel="keys")
        coming = asyncio.create_task(door.door.open(GAME, (), {}, channel=CHANNEL))
        await asyncio.sleep(0.01)
        assert table.referee is first
        disk.go_on()
        assert await coming == 1

    door.run(scenario())
    assert read(first.path).records[-1].payload == "over double_pass"


def test_an_end_that_the_disk_refused_is_for_people_to_decide(door, table, disk):
    first = table.open_match(make_header(GAME, (), {}))
    disk.fail(JournalFull("no room on the disk"))
    first.rule(Abandon(), channel="keys")
    refused("disk", "", opened, door)
    assert table.referee is first
    assert first.lost


def test_the_match_has_the_facts_of_the_copy_and_settings_that_no_match_can_have_are_refused(door, table):
    CopyFile.of(table.state_dir, "torres", Texts.load("en", "torres")).put({"start_castles": OTHERS.split()})
    refused("malformed", "TO-6.3", opened, door, *NAMES, game="torres", master_cards="yes")
    assert table.referee is None
    assert opened(door, *NAMES, game="torres", master="yes", master_cards="yes") == 1
    table.referee.rule(Abandon(), channel="keys")
    assert opened(door, *NAMES, game="torres") == 1
    assert dict(table.referee.replay.header.setup.facts)["fact.start_castles"] == f"confirmed {OTHERS}"
