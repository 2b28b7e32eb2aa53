"""The final score: each seat confirms it or says what it counts, and what was said is shown."""

import pytest

from device.match.correction import list_undoable
from device.match.journal import JournalFull
from device.match.replay import Header
from device.match.rulings import Agree, Dispute
from device.match.standings import list_scores
from device.menus.play import Play
from device.menus.scores import ConfirmingScore, ScoreAnswers, TheEnd, ask_confirmations, tell_confirmation
from device.screen import WheelPage
from engines import matchfile
from engines.words import score_line
from tests.device.conftest import MATCHES
from tests.device.games import enter, game_steps
from tests.device.menus.people import payloads

STEPS = game_steps(1)


@pytest.fixture
def match(person):
    referee = person.open()
    enter(referee, STEPS)
    person.later()
    return referee


@pytest.fixture
def asked(person, match):
    ask_confirmations(person.box)
    return match


def line(person, match):
    return tell_confirmation(match.replay, person.box.words_of(match.replay))


def views(match):
    return [str(view) for view in match.replay.affairs.views]


def points(match):
    return score_line(match.replay.names, list_scores(match.replay))


def test_each_is_asked_by_name_with_the_score_and_must_not_answer(person, asked):
    assert person.page.header.left == "Adso"
    assert person.page.prompt == f"Is it {points(asked)}?"
    assert person.items == ["yes, that is right", "no, I count…", "later"]
    assert person.page.items[person.page.index] == "yes, that is right"
    person.choose("no")
    person.ok()
    person.ok()
    assert person.notice == "That is the score as it stands", "no claim"
    person.later()
    assert person.page.prompt == f"Is it {points(asked)}?"
    person.choose("later")
    assert isinstance(person.box.stack[-1], Play)
    assert views(asked) == []
    assert line(person, asked) == "To confirm: Adso, William"


def test_one_counts_otherwise(person, asked):
    mine, theirs = list_scores(asked.replay)
    person.choose("no")
    assert isinstance(person.page, WheelPage)
    for name, figure, more in (("Adso", mine, 3), ("William", theirs, -2)):
        page = person.page
        assert (page.header.left, page.prompt) == ("Adso counts", f"{name} has?")
        assert page.items[page.index] == str(figure)
        person.turn(more)
        page = person.page
        assert page.items[page.index] == str(figure + more)
        person.ok()
    assert payloads(asked)[-1] == f"dispute a {mine + 3}:{theirs - 2}"
    assert person.page.header.left == "William"
    person.choose("yes")
    assert person.notice == f"Disputed: Adso counts A{mine + 3} W{theirs - 2}."


def test_back_goes_a_figure_back_then_to_the_question_then_leaves(person, asked):
    mine = list_scores(asked.replay)[0]
    person.choose("no")
    person.turn(5)
    person.ok()
    person.back()
    assert (person.page.prompt, person.page.items[person.page.index]) == ("Adso has?", str(mine + 5))
    person.back()
    assert person.page.prompt == f"Is it {points(asked)}?"
    person.choose("no")
    assert person.page.items[person.page.index] == str(mine)
    person.back()
    person.back()
    assert isinstance(person.box.stack[-1], Play)
    assert views(asked) == []


@pytest.mark.parametrize(("steps", "end"), [(99_999, "9999"), (-99_999, "-9999")])
def test_a_claim_is_a_figure_that_can_be_recorded(person, asked, steps, end):
    person.choose("no")
    person.turn(steps)
    page = person.page
    assert page.items[page.index] == end
    assert not {"10000", "-10000"} & {*page.items}
    person.ok()
    person.ok()
    assert views(asked) == [f"dispute a {end}:{list_scores(asked.replay)[1]}"]


def test_the_end_says_who_is_left_after_each_yes(person, match):
    while person.page.header.left != "The end":
        person.ok()
    person.choose("To confirm: Adso, William", "yes", "later")
    person.later()
    assert person.items[0] == "To confirm: William"
    person.choose("To confirm: William", "yes")
    assert payloads(match)[-2:] == ["agree a", "agree b"]
    assert match.replay.log[-1].channel == "keys"
    assert person.notice == "Confirmed by all"
    person.later()
    assert person.items[0] == "Confirmed by all"


class TestWhatWasSaid:
    def test_whoever_disputes_may_still_agree(self, person, match):
        match.rule(Agree(0), channel="keys")
        match.rule(Dispute(1, (60, 66)), channel="keys")
        assert line(person, match) == "Disputed: William counts A60 W66."
        ask_confirmations(person.box)
        assert isinstance(person.box.stack[-1], ScoreAnswers)
        assert person.page.prompt == points(match)
        assert person.items == ["Adso agrees", "William counts A60 W66", "leave it"]
        assert person.page.index == 2
        person.choose("William")
        assert person.page.prompt == f"Is it {points(match)}?"
        person.choose("yes")
        assert person.notice == "Confirmed by all"
        person.later()
        assert person.items == ["Adso agrees", "William agrees", "leave it"]
        person.choose("leave")
        assert isinstance(person.box.stack[-1], Play)

    def test_a_correction_opens_it_again(self, person, match):
        for seat in (0, 1):
            match.rule(Agree(seat), channel="keys")
        ask_confirmations(person.box)
        match.undo(list_undoable(match.replay)[0], channel="keys")
        assert person.items == ["leave it"]
        person.ok()
        assert isinstance(person.box.stack[-1], Play)


class TestAScoreThatChanges:
    def test_a_match_that_goes_on_asks_no_more(self, person, asked):
        person.choose("no")
        person.turn(2)
        asked.undo(list_undoable(asked.replay)[0], channel="line:pad#1")
        assert person.notice == "The match goes on"
        assert not any(isinstance(view, ConfirmingScore) for view in person.box.stack)

    def test_another_score_is_asked_about_anew(self, person, asked, monkeypatch):
        person.choose("no")
        person.turn(2)
        others = [number + 1 for number in list_scores(asked.replay)]
        monkeypatch.setattr("device.menus.scores.list_scores", lambda _: others)
        asked.note("a remark", channel="keys")
        assert person.notice == "The score has changed"
        person.later()
        assert person.page.prompt == f"Is it A{others[0]} W{others[1]}?"
        assert person.page.items[person.page.index] == "yes, that is right"


def test_what_cannot_be_recorded_is_said(person, asked, disk):
    disk.fail(JournalFull("/x: no room"))
    view = person.box.stack[-1]
    asked.note("a remark", channel="keys")
    asked.wait(30)
    person.box.stack.remove(view)
    person.box.push(view)
    person.choose("yes")
    assert "was not recorded" in person.notice
    assert views(asked) == []
    person.later()
    assert (person.page.prompt, person.page.index) == (f"Is it {points(asked)}?", 0)


def test_of_four_who_is_left_is_named_whatever_the_others_said(person):
    """Four names and four scores do not fit in a line."""
    file = matchfile.read((MATCHES / "torres_four.match").read_text("utf-8"))
    person.box.open(Header(file.game, ("Benedettina", "Guglielmo", "Ida", "Leo"), file.setup))
    four = person.box.library.referee
    enter(four, file.steps)
    assert line(person, four) == "To confirm: Benedettina, Guglielmo, Ida, Leo"
    four.rule(Agree(0), channel="keys")
    assert line(person, four) == "To confirm: Guglielmo, Ida, Leo"
    four.rule(Dispute(2, (1, 2, 3, 4)), channel="keys")
    assert line(person, four) == "Disputed: Ida counts B1 G2 I3 L4. To confirm: Guglielmo, Leo"
    four.rule(Dispute(0, (11, 2, 3, 4)), channel="keys")
    assert line(person, four) == "Disputed by Benedettina, Ida. To confirm: Guglielmo, Leo"


def test_what_a_box_signed_is_noted_after_the_end(person, match, monkeypatch):
    """Only where it is signed; the phrase has a page of its own, with a code for a phone's camera."""
    assert not any("Note it" in item.label for item in TheEnd(person.box, []).items)
    monkeypatch.setattr("device.menus.scores.write_phrase", lambda _log: "1f0c 9a2b 77d4 0e51")
    item = TheEnd(person.box, []).items[1]
    assert item.label == "Note it: 1f0c 9a2b 77d4 0e51"
    item.act()
    assert person.box.page().text == "1f0c 9a2b 77d4 0e51"
    depth = len(person.box.stack)
    person.box.stack[-1].ok()
    assert len(person.box.stack) == depth - 1
