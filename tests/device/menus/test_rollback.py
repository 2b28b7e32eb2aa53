"""Going back: what falls, what stays seen and where the match stands then are said before it is done."""

import re

import pytest

from device.match import tell_numbered
from device.match.history import RulingError
from device.match.replay import Tried
from device.match.rulings import Adjust, Rollback
from device.match.standings import list_scores
from device.menus.play import Play
from device.menus.undoing import ask_rollback, tell_rollback
from engines.errors import EngineError
from tests.device.conftest import a_box
from tests.device.games import FULL, enter, game_steps
from tests.device.menus.people import Person, payloads
from tests.engines.walks import seed

STEPS = game_steps(1)
PLAYED = 30


@pytest.fixture
def match(person):
    referee = person.open()
    enter(referee, STEPS[:PLAYED])
    person.later()
    return referee


@pytest.fixture
def words(person, match):
    return person.box.words_of(match.replay)


@pytest.fixture
def listed(person, match):
    ask_rollback(person.box)
    return match


def at_the_match(person):
    return isinstance(person.box.stack[-1], Play)


def test_what_it_will_do_is_said_and_all_must_agree(person, listed, words):
    assert person.page.header.left == "Go back"
    history = listed.replay.history
    assert person.items == [tell_numbered(listed.replay, words, line) for line in reversed(history)]
    line = history[20]
    position = listed.replay.match.points[20]
    person.choose(f"{line.seq} ")
    text = person.read_on()
    assert text.startswith(f"10 entries are dropped, from {line.seq} ")
    assert len(listed.replay.history) == PLAYED
    person.choose("yes", "no")
    assert person.notice == "William did not agree"
    person.later()
    assert (person.page.header.left, len(listed.replay.log)) == ("Go back", PLAYED)
    person.choose(f"{line.seq} ")
    person.read_on()
    person.choose("yes", "yes")
    assert payloads(listed)[-2:] == ["by ab", f"rollback {line.seq}"]
    assert listed.replay.match.points[-1] is position
    assert at_the_match(person)


def test_what_is_said_is_what_comes(person):
    from_everywhere(person, "san_gimignano", game_steps(seed()), 19)


def test_what_is_said_is_what_comes_where_the_table_reports_often(toy, table, ticks):
    person = Person(a_box(table, ticks), ticks)
    from_everywhere(person, toy, game_steps(seed(), FULL, toy), 1)


def from_everywhere(person, game, steps, stride):
    """Entries that fall, the score, who is asked what, what was seen."""
    for at in range(len(steps) - 1, -1, -stride):
        referee = person.open(game)
        enter(referee, steps)
        words = person.box.words_of(referee.replay)
        before, line = list_scores(referee.replay), referee.replay.history[at]
        fallen, entry = referee.replay.history[at:], tell_numbered(referee.replay, words, line)
        text = tell_rollback(person.box, line)
        referee.rule(Rollback(line.seq), channel="keys", by="ab")
        count = len(fallen)
        first, score, following = text.splitlines()[:3]
        dropped = f"Dropped: {entry}" if count == 1 else f"{count} entries are dropped, from {entry} on."
        assert first == dropped
        points = zip(words.names, before, list_scores(referee.replay), strict=True)
        changed = [f"{name} {old} → {new}" for name, old, new in points if old != new]
        assert score == (", ".join(changed) or "No points change.")
        pending = referee.replay.match.pending
        assert following == f"Then {words.actor(pending)}: {words.prompt(pending)}"
        seen = [tell_numbered(referee.replay, words, one) for one in fallen if one.seat is None]
        assert re.findall(r"^\d+ Table: .*", text, re.MULTILINE) == seen
        assert ("Stays seen:" in text) == bool(seen)


def test_a_report_that_is_gone_back_to_is_answered_from_what_was_seen(person, match, words):
    """So that it is not the table that is asked then, but whoever comes after it."""
    report = next(line for line in match.replay.history if line.seat is None)
    text = tell_rollback(person.box, report)
    assert not text.splitlines()[2].startswith("Then Table")
    match.rule(Rollback(report.seq), channel="keys", by="ab")
    assert text.splitlines()[2].startswith(f"Then {words.actor(match.replay.match.pending)}: ")


def test_a_report_seen_at_another_position_answers_nothing(toy, table, ticks):
    """Points by hand, which stay, have changed what the table is asked about."""
    person = Person(a_box(table, ticks), ticks)
    referee = person.open(toy)
    enter(referee, game_steps(seed(), FULL, toy)[:3])
    report = referee.replay.history[-1]
    assert report.seat is None
    for points, asked in ((0, "Adso + William"), (5, "Table")):
        if points:
            referee.rule(Adjust(0, points, ""), channel="keys", by="ab")
        text = tell_rollback(person.box, report)
        assert text.splitlines()[2].startswith(f"Then {asked}: ")
    referee.rule(Rollback(report.seq), channel="keys", by="ab")
    assert person.box.words_of(referee.replay).actor(referee.replay.match.pending) == "Table"


def test_an_entry_that_is_gone_is_said_not_to_count_any_more(person, match, words):
    line = match.replay.history[-1]
    match.rule(Rollback(line.seq), channel="line:pad#1", by="ab")
    person.later()
    head = match.head
    ask_rollback(person.box, line)
    assert person.notice == "That entry no longer counts"
    assert at_the_match(person)
    assert match.head == head


def test_points_by_hand_stay_and_are_no_entry_that_falls(person, match, words):
    match.rule(Adjust(1, 5, ""), channel="keys", by="ab")
    text = tell_rollback(person.box, match.replay.history[-2])
    assert "Dropped: " in text
    assert "William" not in text.splitlines()[1], "those points stay"
    before = list_scores(match.replay)[1]
    match.rule(Rollback(match.replay.history[-2].seq), channel="keys", by="ab")
    assert list_scores(match.replay)[1] == before


def cannot_be_followed(replay):
    raise RulingError(1, "no")


def no_longer_fits(replay):
    return Tried((), replay.match, replay.history[0], EngineError("no"))


@pytest.mark.parametrize(("tried", "why"), [(cannot_be_followed, "record 1: no"), (no_longer_fits, "no")])
def test_what_would_not_do_is_said_before_anybody_is_asked(person, match, words, monkeypatch, tried, why):
    monkeypatch.setattr(match.replay, "try_rulings", lambda _: tried(match.replay))
    ask_rollback(person.box, match.replay.history[3])
    assert (person.notice, person.page.urgent) == (why, True)
    assert at_the_match(person)
