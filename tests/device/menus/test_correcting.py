"""Correcting an entry from the keys: few presses, everything said before it is done, nothing seen before."""

from contextlib import suppress

import pytest

from device.keys import Press, Turn
from device.match import Amend, find_ruling, tell_line, tell_numbered
from device.match.correction import list_alternatives
from device.match.replay import Replay
from device.menus import Box
from device.screen import TextPage
from device.screen.pixels import pages_of
from engines.errors import EngineError
from engines.match import Step
from tests.device.games import enter, game_steps, replayed

OTHER, NEVER, MISSING = "replace it…", "drop it: it never happened", "keep it: one is missing before it"
LAST = [OTHER, NEVER, MISSING, "leave it as it was"]
STUCK = [OTHER, NEVER, MISSING, "give up correcting"]
KEPT = ["go on with it", "one more entry…", "give up correcting"]
MARKET = "market=6,8,9 hand.a=?5 hand.b=?5"
ROOM = "market=6,8,9 hand.a=?1 hand.b=?1"


@pytest.fixture
def match(player):
    return player.open(position=MARKET)


@pytest.fixture
def roomy(player):
    return player.open(position=ROOM)


def texts(referee):
    return [line.text for line in referee.replay.history]


def say(referee, *steps):
    for step in steps:
        referee.step(step, channel="line:pad#1")
    assert referee.wait(30)


def would(player, referee, at, text):
    """A step in words, without whose, as it would be made instead of the one at that place."""
    match = referee.replay.match.branch(at)
    return player.box.words_of(referee.replay).would_say(match, match.pending.seats[0], text)


def correct(player, entry):
    """Open the alternatives of the entry whose line begins so."""
    player.later()
    player.undo()
    player.choose("Correct an entry", entry)
    return player.items


def agree(player):
    """Read what would happen, and say yes."""
    said = player.page.text
    asked(player)
    player.choose("yes")
    player.written()
    return said


def test_one_word_is_changed_and_the_rest_stands(player, match):
    say(match, "P m6 d", "P d d", "pass")
    other = would(player, match, 0, "P m8 d")
    assert other in correct(player, "1 Adso")
    assert (player.page.header.left, player.items[-4:]) == ("Entry 1", LAST)
    assert player.page.prompt == tell_line(
        match.replay, player.box.words_of(match.replay), match.replay.history[0]
    )
    player.choose(other)
    was = tell_numbered(match.replay, player.box.words_of(match.replay), match.replay.history[0])
    assert agree(player).splitlines() == [
        f"{was} → {other}",
        "No points change. Then William: Your action?",
    ]
    assert texts(match) == ["P m8 d", "P d d", "pass"]
    assert [record.payload for record in match.replay.log[-2:]] == ["by ab", "amend 1 P m8 d"]


def test_an_entry_that_does_something_else_by_the_correction_is_told(player):
    """William's donazione destroys Adso's tower, whichever he built."""
    match = player.open(position="market=6,8,9 hand.a=?9 hand.b=?9")
    say(match, "B 7 x3", "B 10 x4", "use", "allow")
    words = player.box.words_of(match.replay)
    before = [tell_numbered(match.replay, words, line) for line in match.replay.history]
    amended(player, match, "1", "B 7 x4")
    told = agree(player).splitlines()
    after = [would(player, match, at, line.text) for at, line in enumerate(match.replay.history)]
    assert told[:-1] == [f"{was} → {now}" for was, now in zip(before, after, strict=True) if "7" in now]
    assert len(told) == 4


def test_each_entry_of_a_correction_is_told_as_it_was_before_all_of_it(player, match):
    """Neither fits what the other was: they take each other's card."""
    say(match, "P m6 d", "P m8 d")
    words = player.box.words_of(match.replay)
    was = [words.made(match.replay.match, at) for at in range(2)]
    match.rule(Amend(1, "P m8 d"), Amend(2, "P m6 d"), channel="keys", by="ab")
    now = [words.made(match.replay.match, at) for at in range(2)]
    told = [find_ruling(match.replay, at).tell(words) for at in (3, 4)]
    for at, line in enumerate(told):
        assert line == f"Entry {at + 1} corrected: {now[at]} (was {was[at]}) (agreed: Adso, William)"


def test_a_step_that_never_happened_is_struck(player, match):
    say(match, "P m6 d", "P m8 d", "pass", "pass")
    correct(player, "3 Adso")
    player.choose(NEVER)
    assert player.page.header.left == "Entry 4"
    assert "Adso is asked: Your action?" in player.page.text
    player.ok(player.box.pages(player.page))
    player.choose(NEVER)
    said = agree(player)
    assert said.count("Dropped: ") == 2
    assert texts(match) == ["P m6 d", "P m8 d"]


def test_one_that_was_forgotten_is_put_in(player, match):
    say(match, "P m6 d", "pass")
    correct(player, "2 William")
    put_in = would(player, match, 1, "P m8 d")
    player.choose(MISSING, "Purchase", "market 8", "deck")
    player.ok(player.box.pages(player.page))
    player.choose(NEVER)
    assert f"Added before 2: William: {put_in}" in agree(player)
    assert texts(match) == ["P m6 d", "P m8 d"]
    assert [line.seat for line in match.replay.history] == [0, 1]


def amended(player, match, entry, text):
    """The entry of that number was another."""
    words = {"1": "1 Adso", "2": "2 William"}[entry]
    correct(player, words)
    player.choose(would(player, match, int(entry) - 1, text))


def asked(player):
    """Through what would happen, to whether all agree."""
    while isinstance(player.page, TextPage):
        player.later(1000)
        player.ok()
    player.later(1000)
    assert player.page.prompt == "Everybody agrees?"


@pytest.mark.parametrize("pages", [0, 1])
def test_without_a_yes_the_correction_is_kept(player, match, pages):
    """After a no, which one OK too many gives, and after Back from the first page."""
    say(match, "P m6 d", "P d d")
    amended(player, match, "1", "P m8 d")
    if pages:
        asked(player)
        player.ok()
    else:
        player.back()
    assert texts(match) == ["P m6 d", "P d d"]
    assert len(match.replay.log) == 2
    assert (player.page.header.left, player.items, player.page.index) == ("Your correction", KEPT, 0)
    assert player.page.prompt == "It counts once it is agreed to."
    player.ok()
    agree(player)
    assert texts(match) == ["P m8 d", "P d d"]
    assert player.box.draft is None


def test_a_correction_outlives_a_restart_until_it_is_recorded(player, match):
    def kept():
        box = Box(player.box.door, pages=pages_of, strict=True)
        return [str(edit) for edit in box.draft.edits] if box.draft else []

    say(match, "P m6 d", "P d d")
    amended(player, match, "1", "P m8 d")
    player.back()
    assert kept() == ["amend 1 P m8 d"]
    player.box.play(match)  # as after a change of the language
    player.later()
    player.undo()
    player.choose("Correct an entry")
    assert player.items == KEPT
    player.ok()
    agree(player)
    assert (texts(match), kept()) == (["P m8 d", "P d d"], [])


def test_markets_that_are_the_same_are_offered_once(player):
    match = player.open()
    say(match, "5 7 8 8")
    offered = list_alternatives(match.replay.match.branch(0), match.replay.match.steps[0])
    assert offered
    cards = [sorted(text.split()) for text in offered]
    assert all(cards.count(one) == 1 for one in cards)
    assert sorted(("5", "7", "8", "8")) not in cards


def test_another_entry_is_corrected_in_the_same_draft(player, roomy):
    """One of the log, and one that the draft itself put in, which has no number yet."""
    match = roomy
    say(match, "P m6 d", "P d d", "pass")
    correct(player, "2 William")
    player.choose(MISSING, "Purchase", "market 8", "deck")
    player.ok(player.box.pages(player.page))
    player.choose(MISSING, "Pass")
    added, other = would(player, match, 1, "P m8 d"), would(player, match, 1, "P m9 d")
    player.back()
    player.choose("one more entry…", f"Added: William: {added}")
    assert player.page.header.left == "Added entry"
    player.choose(other)
    player.back()
    player.choose("one more entry…", "1 Adso", would(player, match, 0, "P m8 d"))
    player.back()
    player.choose("one more entry…", "1 Adso")
    player.choose(would(player, match, 0, "P d d"))
    said = agree(player)
    assert f"Added before 2: William: {other}; Adso: passes" in said
    assert said.count("→") == 1
    assert texts(match) == ["P d d", "P m9 d", "pass", "P d d", "pass"]


def test_after_the_end_nothing_else_can_have_happened(player, match):
    say(match, "P m6 d", "pass", "pass")
    correct(player, "1 Adso")
    player.choose(OTHER, "Pass")
    assert player.page.text.endswith("The match is over by then.")
    player.ok(player.box.pages(player.page))
    assert (player.items, player.page.index, player.page.grey) == (STUCK, 1, (0, 2))


def test_a_correction_is_given_up_by_one_choice(player, match):
    say(match, "P m6 d", "P m8 d")
    amended(player, match, "1", "P m8 d")
    player.ok(player.box.pages(player.page))
    player.choose("give up correcting")
    assert player.notice == "Correction given up"
    player.later()
    assert player.page.prompt == "Your action?"
    assert len(match.replay.log) == 2
    correct(player, "2 William")
    assert player.items[-4:] == LAST


EMPTIED = "market=6,8 hand.a=?5 hand.b=?5"


@pytest.mark.parametrize(
    ("position", "steps", "text", "cursor", "why"),
    [
        # The same question: what it was is no longer to be had.
        (MARKET, ["P m6 d", "P m8 d"], "P m8 d", OTHER, "No 8 in the market."),
        # A report is asked before it.
        (EMPTIED, ["P m6 d", "P d d"], "P m6 m8", MISSING, "Table is asked: "),
        # A player is asked instead of the table, who answers next: nothing was to be seen.
        (EMPTIED, ["P m6 m8", "6 7 8 9", "P d d"], "P m6 d", NEVER, "William is asked: "),
        # The same, and nobody answers.
        (EMPTIED, ["P m6 m8", "6 7 8 9"], "P m6 d", MISSING, "William is asked: "),
    ],
)
def test_the_cursor_starts_on_what_is_likeliest(player, position, steps, text, cursor, why):
    match = player.open(position=position)
    say(match, *steps)
    amended(player, match, "1", text)
    assert why in player.page.text
    player.ok(player.box.pages(player.page))
    assert player.items[-4:] == STUCK
    at = player.items[player.page.index]
    assert at == cursor or (cursor == OTHER and player.page.index == 0), "what it may have been stands first"


def test_evidence_behind_a_refusal_is_openable_and_amendable(player):
    position = "market=8,8,8,9,10 hand.a=?5 hand.b=?5 b=8x5 marker=b"
    match = player.open(position=position)
    say(match, "P m8 m9", "P m8 m8")
    player.choose("Build", "not listed…", "plain 8")
    assert player.box.pages(player.page) == 1
    player.ok()
    player.choose("Seen before: 1 Adso")
    assert player.items[0] == "Correct it"
    player.choose("Correct it")
    assert player.page.header.left == "Entry 1"
    assert would(player, match, 0, "P m8 m10") in player.items


def fitting(referee, at):
    """Yield what the entry at that place could have been so that all after it still fits, as
    ``alternatives``.
    """
    steps = list(referee.replay.match.steps)
    for text in list_alternatives(referee.replay.match.branch(at), steps[at]):
        with suppress(EngineError):
            replayed([*steps[:at], Step(steps[at].seat, text), *steps[at + 1 :]])
            yield text


def test_forty_steps_back_takes_at_most_six_presses(player, table):
    """Counted as people would do it: every key but the turning, and the page of a long entry."""
    player.open()
    referee = table.referee
    enter(referee, game_steps(1)[:90])
    at, text = next(
        (at, text)
        for at in range(len(referee.replay.history) - 41, 0, -1)
        for text in fitting(referee, at)
        if referee.replay.history[at].seat is not None
    )
    pressed = []
    key = player.box.key
    # What is told once it is corrected is no part of correcting.
    player.box.key = lambda event: (player.box.is_for_news(event) or pressed.append(event), key(event))
    player.later()
    player.undo()
    player.choose("Correct an entry", f"{referee.replay.history[at].seq} ")
    if long := isinstance(player.page, TextPage):
        player.ok(player.box.pages(player.page))
    player.choose(would(player, referee, at, text))
    player.later(1000)
    player.turn(player.box.pages(player.page))
    player.ok()
    player.later(1000)
    player.choose("yes")
    player.written()
    assert referee.replay.history[at].text == text
    presses = [event for event in pressed if not isinstance(event, Turn)]
    assert all(isinstance(event, Press) for event in presses)
    assert len(presses) <= 6 + long, presses
    replay = Replay(referee.replay.header.write(), referee.replay.log)
    assert replay.match.points == referee.replay.match.points


def test_what_is_replaced_begins_where_the_entry_is(player, match):
    """A tray of twelve counts was begun anew, a number at its lowest digit."""
    say(match, "P m8 d", "pass")
    correct(player, "1 Adso")
    player.choose(OTHER)
    assert player.items[player.page.index] == "Purchase"
    player.ok()
    assert player.items[player.page.index] == "market 8"
    player.ok()
    assert player.items[player.page.index] == "deck"
    player.choose("market 6")
    assert "8 from the market and a card from the deck → takes 8, 6 from the market" in agree(player)
    assert texts(match) == ["P m8 m6", "pass"]


def test_the_entry_once_more_is_no_correction(player, match):
    """Everybody was asked to agree to what nobody had changed."""
    say(match, "P m8 d", "pass")
    correct(player, "1 Adso")
    player.choose(OTHER)
    for _ in range(3):
        player.ok()
    assert player.page.text == "It says that already"
    player.later()
    assert player.items[player.page.index] == "deck"
    assert player.box.draft is None
    player.choose("market 6")
    agree(player)
    assert texts(match) == ["P m8 m6", "pass"]
