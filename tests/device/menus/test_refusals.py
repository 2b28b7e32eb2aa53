"""Why not: every rule that refuses is reached from "not listed…" and says why, and what people can do."""

import pytest

from device.keys import Cue
from device.match.replay import Header
from device.panel.asking import explain_illegal
from device.screen import GridPage, HeaderMark, TextPage
from engines.contract import Choice, Setup
from engines.remedies import Attempt
from engines.rules import load
from tests.device.conftest import NAMES
from tests.engines.san_gimignano.cases import CASES, ONE_CARD
from tests.engines.san_gimignano.table import GAME, at

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

WRITTEN = {"extend.own", "complete.own", "build.run", "height.least"}
"""Of what people write and nobody picks: another's tower, one that is none."""
CLAUSES = {check.name: check.clause for check in GAME.rules.checks if check.name not in WRITTEN}
WAYS = {case.check: (case.position, case.path, case.token) for case in reversed(CASES)} | TWO_WAYS
WAYS = {check: way for check, way in WAYS.items() if check not in WRITTEN}
DAILY = {check.partition(".")[0]: check for check in WAYS}.values()
"""One of each kind; the engine's own tests have every check every day."""
EACH = [pytest.param(one, marks=() if one in DAILY else pytest.mark.soak) for one in sorted(WAYS)]


def open_at(player, text):
    """A match that starts in a position text; gives the view that shows it."""
    position = " ".join(text.split())
    state = GAME.position.read(position)
    options = (("donazione", "must"),) if state.must_donate else ()
    player.box.open(Header(GAME.id, NAMES, Setup(2, 0, options, state.level, position)))
    return player.box.stack[-1]


def ask_why_not(player, play, token):
    """Choose the token where it stands grey, or from "not listed…"; the text of the page that answers."""
    player.choose("not listed…", play.words.choice(Choice(play.question.pending.question, token)))
    assert isinstance(player.page, TextPage)
    return player.page


def test_a_title_that_fits_nowhere_gives_way_to_who_is_asked(player, monkeypatch):
    """Kana and kanji are twice as wide as Latin letters."""
    monkeypatch.setattr("tests.device.player.UNLISTED", ("一覧に無い",))
    player.box.voices.speak("ja")
    player.box.renew_pages()
    stone = "market=5 hand.a=?1 hand.b=?5 a=7-9s8*,9x3,10x3 marker=a used.a=pietra"
    play = open_at(player, stone)
    player.choose(play.words.choice(Choice("action", "C")))
    player.choose("一覧に無い", play.words.choice(Choice("complete", "7-9s8*")))
    assert (player.page.header.left, player.page.header.mark) == (NAMES[0], HeaderMark.REFUSED)


def test_every_check_can_be_reached_by_keys():
    assert WAYS.keys() == CLAUSES.keys()


@pytest.mark.parametrize("check", EACH)
def test_a_refusal_says_why(player, check):
    position, path, token = WAYS[check]
    play = open_at(player, position)
    heard = []
    player.box.on_cue = heard.append
    for at_step, wanted in enumerate(path.split()):
        if len(play.drafts[-1].choices) == at_step:
            player.later()
            player.choose(play.words.choice(Choice(play.question.pending.question, wanted)))
    player.later()
    state = at(position, path)
    assert play.question.state == state, "the keys passed the question over"
    refusal = GAME.rules.why_not(state, Choice(play.question.pending.question, token))
    assert refusal.check == check
    page = ask_why_not(player, play, token)
    words = play.words
    names = " ".join(words.choice(Choice(name, text)) for name, text in tried(play, token))
    assert page.header.left
    assert page.header.left in names
    assert page.header.right == ""
    assert page.header.mark is HeaderMark.REFUSED
    assert heard == [Cue.REFUSED]
    attempt = Attempt(
        play.match, play.drafts[-1].choices, Choice(play.question.pending.question, token), refusal
    )
    assert page.text.split() == f"{words.refusal(refusal)} {words.remedy(attempt)}".split()
    assert words.remedy(attempt)
    told = explain_illegal(play.referee.replay, words, [*path.split(), token])
    assert (told.reason, told.remedy) == (words.refusal(refusal), words.remedy(attempt))
    assert player.box.pages(page) == 1
    player.ok()
    assert player.items[0] == "Drop it"
    player.choose("The rule")
    clause = RULES.clause(CLAUSES[check])
    assert (player.page.header.left, player.page.text) == (clause.section, clause.text)
    player.read_all()
    player.choose("Drop it")
    assert player.box.stack[-1] is play
    assert play.question.state == state
    assert play.referee.replay.log == []


def tried(play, token):
    """The questions and answers of the step so far, and the one refused."""
    made = [(choice.question, choice.token) for choice in play.drafts[-1].choices]
    return [*made, (play.question.pending.question, token)]


def test_what_is_possible_leads_to_where_it_is_chosen(player):
    position, _, token = WAYS["purchase.hand_limit"]
    play = open_at(player, position)
    options = play.question.legal
    for number, option in enumerate(options):
        ask_why_not(player, play, token)
        player.ok()
        player.choose("What is possible")
        assert player.items == [play.words.choice(one) for one in options]
        player.turn(number)
        player.ok()
        assert player.box.stack[-1] is play
        assert player.items[player.page.index].startswith(play.words.choice(option))
    assert play.referee.replay.log == []


def test_what_is_possible_on_a_board_is_shown_on_it(player):
    player.open("torres")
    play = player.box.stack[-1]
    board, legal = play.question.board, play.question.legal
    taken = next(
        one
        for one in play.question.pending.domain.tokens
        if Choice(play.question.pending.question, one) not in legal
    )
    choice = Choice(play.question.pending.question, taken)
    play.show_refusal(choice, play.match.game.rules.why_not(play.question.state, choice))
    player.ok()
    player.choose("What is possible")
    assert isinstance(player.page, GridPage)
    assert set(player.page.places) == {board.place(one.token) for one in legal}
    cells = [place for place in player.page.places if place >= 0]
    assert player.page.places == (*sorted(cells), *[-1] * (len(player.items) - len(cells)))
    wanted = player.items[3]
    player.turn(3)
    player.ok()
    assert player.box.stack[-1] is play
    assert player.page.items[player.page.index] == wanted


def refused(play, check):
    """Return what that check refuses, and the refusal."""
    position, path, token = WAYS[check]
    state = at(position, path)
    choice = Choice(GAME.rules.pending(state).question, token)
    return choice, GAME.rules.why_not(state, choice)
