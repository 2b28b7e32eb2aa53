"""Why not: every rule that refuses is reached from "not listed…" and says its clause, reason, a way on."""

from __future__ import annotations

import pytest

from device.keys.cues import Cue
from device.match import told as in_words
from device.match.replay import Header
from device.menus.why_not import WhyNot
from device.screen.pages import ListPage, Mark, TextPage
from engines.contract import Choice, Setup
from engines.rules import load
from tests.device.conftest import NAMES
from tests.device.games import enter, game_steps
from tests.engines.san_gimignano.cases import CASES, ONE_CARD
from tests.engines.san_gimignano.table import GAME, at
from tests.engines.walks import seed

RULES = load(GAME.id)

HANDS = "market=5 hand.a=?5 hand.b=?5"
CAPPED = f"{HANDS} marker=b used.b=palazzo"
TWO_WAYS = {
    "exchange.hand": ("market=5 hand.a=6,6,8,8", "X 8", "9"),
    "exchange.replaced": (f"{ONE_CARD} market=6,8 hand.a=5,6,8,8 hand.b=?9", "X 8", "6"),
    "draw.deck": (f"{ONE_CARD} market=5,6,8 hand.a=8,8 hand.b=?10", "X 8 8 > d", "d"),
    "build.hand": ("market=5 hand.a=7,7,7,8,8,8", "B", "9"),
    "height.hand": ("market=5 hand.a=8,8,8,8", "B 8", "x5"),
    "extend.complete": ("market=5 hand.a=?2 a=8x3*,9x3,10x3 marker=a", "E", "8x3*"),
    "extend.top": ("market=5 hand.a=?2 a=5-7,9x3,10x3 marker=a", "E", "5-7"),
    "extend.hand": ("market=5 hand.a=9,10 a=8x3,9x3,10x3 marker=a", "E", "8x3"),
    "storeys.run": ("market=5 hand.a=?4 a=7-9 marker=a", "E 7-9", "+3"),
    "storeys.copies": ("market=6 hand.a=?4 a=5x3 marker=a", "E 5x3", "+3"),
    "storeys.hand": ("market=5 hand.a=8,8 a=8x3 marker=a", "E 8x3", "+3"),
    "extend.tower_cap": (f"{CAPPED} a=8x3,9x4,10x3 b=7x4", "E", "9x4"),
    "extend.stone": (f"{HANDS} a=8x3,10x3,5-7 marker=a nobles.a=pietra used.a=via", "E", "5-7"),
    "height.cap": (f"{CAPPED} b=9x4", "B 8", "x5"),
    "storeys.cap": (f"{CAPPED} a=8x3 b=7x5", "E 8x3", "+3"),
    "stones.hand": ("market=5 hand.a=5,6,?1 nobles.a=pietra", "B 5-8s", "s5"),
    "complete.flipped": ("market=5 hand.a=?1 a=8x3*,9x3,10x3 marker=a", "C", "8x3*"),
}
"""Positions in which the question has two legal answers: one with a single answer is passed over by the keys,
and with it its "not listed…". The other checks are reached in the positions of the engine's own tests."""

WRITTEN = {"extend.own", "complete.own"}
"""Of what people write and nobody picks: another's tower."""
CLAUSES = {check.name: check.clause for check in GAME.rules.checks if check.name not in WRITTEN}
WAYS = {case.check: (case.position, case.path, case.token) for case in reversed(CASES)} | TWO_WAYS
WAYS = {check: way for check, way in WAYS.items() if check not in WRITTEN}


def open_at(player, text):
    """A match that starts in a position text; gives the view that shows it."""
    position = " ".join(text.split())
    state = GAME.position.read(position)
    options = (("donazione", "must"),) if state.must_donate else ()
    player.box.open(Header(GAME.id, NAMES, Setup(2, 0, options, state.level, position)))
    return player.box.stack[-1]


def ask_why_not(player, play, token):
    """Choose the token from "not listed…"; the text of the page that answers."""
    question = play.pending.question
    player.turn(len(player.items) - 1 - player.page.index)
    player.ok()
    assert isinstance(player.page, ListPage)
    assert player.page.header.left == "Not listed"
    player.go(play.words.choice(Choice(question, token)))
    player.ok()
    assert isinstance(player.page, TextPage)
    return player.page


def test_every_check_can_be_reached_by_keys():
    assert WAYS.keys() == CLAUSES.keys()


@pytest.mark.parametrize("check", CLAUSES)
def test_a_refusal_says_why(player, check):
    position, path, token = WAYS[check]
    play = open_at(player, position)
    heard = []
    player.box.on_cue = heard.append
    for at_step, wanted in enumerate(path.split()):
        if len(play.drafts[-1].choices) == at_step:
            player.later()
            player.choose(play.words.choice(Choice(play.pending.question, wanted)))
    player.later()
    state = at(position, path)
    assert play.state == state, "the keys passed the question over"
    refusal = GAME.rules.why_not(state, Choice(play.pending.question, token))
    assert refusal.check == check
    page = ask_why_not(player, play, token)
    assert page.header.left == CLAUSES[check]
    assert page.header.mark is Mark.REFUSED
    assert heard == [Cue.REFUSED]
    reason, *rest = page.text.splitlines()
    assert rest[0] == play.words.remedy(refusal)
    assert reason.endswith(play.words.refusal(refusal))
    assert reason.startswith(play.words.choice(Choice(play.pending.question, token)))
    listed = ", ".join(play.words.choice(choice) for choice in play.options)
    assert f"Possible: {listed}" in rest
    assert rest[-1] == f"{CLAUSES[check]}: {RULES.clause(CLAUSES[check]).text}"
    player.read_all()
    player.back()
    assert play.state == state
    assert play.referee.replay.log == []


def test_while_an_entry_is_on_its_way_a_refusal_is_marked_so_too(player, disk):
    check = next(iter(WAYS))
    play = open_at(player, WAYS[check][0])
    player.box.push(WhyNot(player.box, play.words, *refused(play, check), []))
    assert player.page.header.mark is Mark.REFUSED
    disk.hold()
    play.referee.note("a remark", channel="test")
    assert player.page.header.mark is Mark.SAVING


def refused(play, check):
    """What that check refuses, and the refusal."""
    position, path, token = WAYS[check]
    state = at(position, path)
    choice = Choice(GAME.rules.pending(state).question, token)
    return choice, GAME.rules.why_not(state, choice)


def test_every_reason_has_its_own_words(box):
    keys = [f"{section}.{check}" for check in CLAUSES for section in ("refused", "remedy")]
    assert all(key in box.game_texts[GAME.id] for key in keys)
    assert all("{" not in key for key in keys)


def test_where_everything_is_listed_it_says_so(player, monkeypatch):
    monkeypatch.setattr("device.menus.ring.LINES", 0)  # no word stands in the list with its answers only
    open_at(player, "market=5 hand.a=?2 hand.b=?5 a=8x3 marker=a doing=donazione:n3:p-:t8x3:s-:new")
    player.go("not listed")
    player.ok()
    assert player.notice == "Everything is in the list already."


def test_every_list_of_a_match_ends_with_not_listed(player, table):
    player.box.open(Header(GAME.id, NAMES, Setup()))
    for step in game_steps(seed()):
        assert player.items[-1] in ("not listed…", "…")
        enter(table.referee, [step])
        player.later()


def test_a_refusal_by_knowledge_names_the_records_it_rests_on(player, table):
    """Over some games: every tower that is refused for what was seen shows where it was seen."""
    told = 0
    for number in range(seed(), seed() + 3):
        player.box.open(Header(GAME.id, NAMES, Setup()))
        play = player.box.stack[-1]
        for step in game_steps(number)[:30]:
            enter(table.referee, [step])
            player.later()
            build = Choice("action", "B")
            if build in play.options and len(GAME.rules.legal(GAME.rules.apply(play.state, build))) > 1:
                told += look_for_records(player, play)
    assert told


def look_for_records(player, play):
    told = 0
    player.choose("Build")
    for token in play.pending.domain.tokens:
        refusal = GAME.rules.why_not(play.state, Choice("build", token))
        records = play.referee.replay.evidence(refusal) if refusal else []
        if records:
            text = ask_why_not(player, play, token).text.splitlines()
            shown = text[text.index("Seen before:") + 1 :][: len(records)]
            for record, line in zip(records, shown, strict=True):
                assert line == f"{record.seq} {in_words(play.referee.replay, play.words, record)}"
            told += 1
            player.back()
            player.back()
    player.back()
    return told
