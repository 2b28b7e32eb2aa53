"""Correcting an entry from the keys: few presses, everything said before it is done, nothing seen before."""

from __future__ import annotations

import pytest

from device.keys.events import Press, Turn
from device.match.replay import Header, Replay
from device.screen.pages import ListPage, TextPage
from engines.contract import Setup
from tests.device.conftest import NAMES
from tests.device.games import enter, game_steps, replayed

MARKET = "market=6,8,9 hand.a=?5 hand.b=?5"


@pytest.fixture
def match(player):
    player.box.open(Header("san_gimignano", NAMES, Setup(position=MARKET)))
    return player.box.library.referee


def texts(referee):
    return [line.text for line in referee.replay.history]


def say(referee, *steps):
    for step in steps:
        referee.step(step, channel="line:pad#1")
    assert referee.wait(30)


def correct(player, entry):
    """Open the alternatives of the entry whose line begins so."""
    player.later()
    player.undo()
    player.choose("Correct an entry", entry)
    return player.items


def agree(player):
    """Read what would happen, and say yes."""
    said = player.page.text
    while isinstance(player.page, TextPage):
        player.later(1000)
        player.ok()
    assert player.page.prompt == "Everybody agrees?"
    player.later(1000)
    player.choose("yes")
    player.written()
    return said


def test_one_word_is_changed_and_the_rest_stands(player, match):
    say(match, "P m6 d", "P d d", "pass")
    assert "P m8 d" in correct(player, "1 Adso")
    player.choose("P m8 d")
    said = agree(player)
    assert "1 Adso: takes 6 from the market and a card from the deck → P m8 d" in said
    assert "0:0 → 0:0" in said
    assert texts(match) == ["P m8 d", "P d d", "pass"]
    assert [record.payload for record in match.replay.log[-2:]] == ["by ab", "amend 1 P m8 d"]


def test_nothing_is_recorded_before_all_have_said_yes(player, match):
    say(match, "P m6 d", "P d d")
    correct(player, "1 Adso")
    player.choose("P m8 d")
    while isinstance(player.page, TextPage):
        player.later(1000)
        player.ok()
    player.later(1000)
    player.choose("no")
    assert texts(match) == ["P m6 d", "P d d"]
    assert len(match.replay.log) == 2


def test_what_no_longer_fits_is_shown_and_corrected_in_the_same_draft(player, match):
    say(match, "P m6 d", "P m8 d", "pass")
    correct(player, "1 Adso")
    player.choose("P m8 d")
    assert player.page.header.left == "2 no longer fits"
    assert "No 8 lies in the market." in player.page.prompt
    assert "P m6 d" in player.items or "something else…" in player.items
    player.choose("something else…", "Purchase", "market 6", "deck")
    said = agree(player)
    assert "2 William: takes 8 from the market and a card from the deck → P m6 d" in said
    assert texts(match) == ["P m8 d", "P m6 d", "pass"]


def test_a_step_that_never_happened_is_struck(player, match):
    say(match, "P m6 d", "P m8 d", "pass", "pass")
    correct(player, "3 Adso")
    player.choose("it never happened")
    assert player.page.header.left == "4 no longer fits"
    player.choose("it never happened")
    said = agree(player)
    assert said.count("never happened") == 2
    assert texts(match) == ["P m6 d", "P m8 d"]


def test_one_that_was_forgotten_is_put_in(player, match):
    say(match, "P m6 d", "pass")
    correct(player, "2 William")
    player.choose("one is missing before", "Purchase", "market 8", "deck")
    player.choose("it never happened")
    agree(player)
    assert texts(match) == ["P m6 d", "P m8 d"]
    assert [line.seat for line in match.replay.history] == [0, 1]


def test_another_channel_plays_on_meanwhile(player, match):
    """The draft is seen by nobody, nothing played meanwhile is lost, and the draft is tried anew."""
    say(match, "P m6 d")
    correct(player, "1 Adso")
    player.choose("P m8 d")
    assert match.replay.game.position.write(match.replay.match.state).split("market=")[1].startswith("8,9")
    say(match, "P m8 d")
    assert texts(match) == ["P m6 d", "P m8 d"]
    assert not isinstance(player.page, TextPage), "a yes to what was then is no yes to what is now"


def test_given_up_nothing_has_happened(player, match):
    say(match, "P m6 d", "P m8 d")
    correct(player, "1 Adso")
    player.choose("P m8 d")
    player.choose("leave all as it was")
    assert player.page.prompt == "Your action?"
    assert len(match.replay.log) == 2


def test_back_leaves_step_by_step(player, match):
    say(match, "P m6 d")
    correct(player, "1 Adso")
    player.back()
    assert isinstance(player.page, ListPage)
    player.back()
    assert player.page.header.left == "Undo"
    player.back()
    assert player.page.prompt == "Your action?"


def test_evidence_behind_a_refusal_is_openable_and_amendable(player):
    position = "market=8,8,8,9,10 hand.a=?5 hand.b=?5 b=8x5 marker=b"
    player.box.open(Header("san_gimignano", NAMES, Setup(position=position)))
    match = player.box.library.referee
    say(match, "P m8 m9", "P m8 m8")
    player.choose("Build")
    player.turn(-1)
    player.ok()
    player.choose("plain 8")
    assert player.box.pages(player.page) == 1
    player.ok()
    player.choose("Seen before: 1 Adso")
    assert player.items[0] == "Correct it"
    player.choose("Correct it")
    assert player.page.header.left == "1"
    assert "P m8 m10" in player.items


def test_forty_steps_back_takes_at_most_six_presses(player, table):
    """Counted as people would do it: every key but the turning."""
    steps = game_steps(3)
    player.box.open(Header("san_gimignano", NAMES, Setup()))
    referee = table.referee
    count = min(len(steps), 90)
    enter(referee, steps[:count])
    pressed = []
    key = player.box.key
    player.box.key = lambda event: (pressed.append(event), key(event))
    done = 0
    for at in range(count - 41, count - 60, -1):
        line = referee.replay.history[at]
        if line.seat is None:
            continue
        pressed.clear()
        player.later()
        player.undo()
        player.choose("Correct an entry", f"{line.seq} ")
        options = player.items[: player.items.index("something else…")]
        fitting = [text for text in options if fits(referee, at, text)]
        if not fitting:
            player.undo()
            player.back()
            continue
        player.go(fitting[0])
        player.ok()
        player.later(1000)
        player.turn(player.box.pages(player.page))
        player.ok()
        player.later(1000)
        player.choose("yes")
        player.written()
        assert referee.replay.history[at].text == fitting[0]
        presses = [event for event in pressed if not isinstance(event, Turn)]
        assert all(isinstance(event, Press) for event in presses)
        assert len(presses) <= 6, presses
        done += 1
    assert done
    replay = Replay(referee.replay.header.fields(), referee.replay.log)
    assert replay.match.points == referee.replay.match.points


def fits(referee, at, text):
    steps = list(referee.replay.match.steps)
    steps[at] = type(steps[at])(steps[at].seat, text)
    try:
        replayed(steps)
    except Exception:
        return False
    return True
