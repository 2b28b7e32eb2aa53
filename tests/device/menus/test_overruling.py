"""What the rules forbid stands if people say so: from the keys, with clause, reason and everybody's yes."""

import pytest

from device.match.door import KEYS
from device.match.replay import Replay
from device.menus import Play
from device.screen import TextPage
from engines.contract import Choice
from engines.errors import Impossible
from tests.device.menus.people import payloads
from tests.device.menus.test_refusals import EACH, WAYS, open_at
from tests.engines.san_gimignano.table import GAME

FULL = "market=5,6,7 hand.a=?6 hand.b=?5"


def refuse(person, label):
    """Ask for something that cannot be chosen; the reason that is given."""
    person.choose("not listed…", label)
    return person.page.text


def stand(person):
    """From the reason on: read it, and let it stand."""
    while isinstance(person.page, TextPage):
        person.ok()
    person.choose("Let it stand")


def test_a_step_too_many_stands_with_clause_reason_and_consent(person):
    referee = person.open(position=FULL)
    assert "over the limit of 7" in refuse(person, "Purchase")
    stand(person)
    person.choose("market 5", "market 6")
    assert person.page.header.left == "Why?"
    person.choose("noticed too late")
    said = person.agree(2)
    assert "Adso: takes 5, 6 from the market stands – noticed too late" in said
    assert "Against it: 6 in hand and 2 more are over the limit of 7. SG-3.2" in said
    assert payloads(referee) == ["by ab", "override SG-3.2 noticed too late", "P m5 m6"]
    assert person.page.header.left == "William"
    person.written()
    replay = Replay(referee.replay.header.write(), referee.replay.log)
    assert replay.match.points == referee.replay.match.points
    for says in ("Take back", "Put back"):
        person.later()
        person.undo()
        person.choose(f"{says} – Adso: takes 5, 6 from the market")


def test_a_step_that_the_page_wants_to_stand_is_shown_at_once(person):
    person.open(position=FULL)
    person.menu()
    shown = []
    person.box.on_page = lambda: shown.append(person.page.header.left)
    person.box.overrule(["P", "m5", "m6"], "SG-3.2", KEYS)
    assert shown == ["Why?"]


def test_no_reason_is_asked_for_what_is_not_asked_any_more(person):
    referee = person.open(position=FULL)
    refuse(person, "Purchase")
    stand(person)
    person.choose("market 5", "market 6")
    referee.step("pass", channel="line:keypad")
    assert person.notice == "The match has moved on: ask again"
    assert isinstance(person.box.stack[-1], Play)


@pytest.mark.parametrize("check", EACH)
def test_every_refusal_can_be_overruled_from_the_keys_or_says_why_not(person, check):
    position, path, token = WAYS[check]
    play = open_at(person, position)
    for at_step, wanted in enumerate(path.split()):
        if len(play.drafts[-1].choices) == at_step:
            person.later()
            person.choose(play.words.choice(Choice(play.question.pending.question, wanted)))
    person.later()
    choice = Choice(play.question.pending.question, token)
    refusal = GAME.rules.why_not(play.question.state, choice)
    try:
        after = GAME.rules.overrule(play.question.state, choice, refusal.clause)
    except Impossible:
        after = None
    refuse(person, play.words.choice(choice))
    if after is None:
        person.ok()
        assert person.page.prompt == "It cannot stand"
        assert "Let it stand…" not in person.items
        return
    stand(person)
    for _ in range(20):
        person.later()
        if person.page.header.left == "Why?":
            break
        grey = getattr(person.page, "grey", ())
        person.turn(next(at for at in range(len(person.items)) if at not in grey) - person.page.index)
        person.ok()
    person.choose("no reason")
    person.agree(2)
    waived = play.referee.replay.match.steps[-1].waived
    assert refusal.clause in waived
    assert GAME.position.status(GAME.position.write(play.referee.replay.match.state)) == []


def test_what_came_from_elsewhere_meanwhile_is_not_overruled_by_an_old_reason(person):
    referee = person.open(position=FULL)
    refuse(person, "Purchase")
    while isinstance(person.page, TextPage):
        person.ok()
    referee.step("B 5-7", channel="line:keypad-1#1")
    person.choose("Let it stand")
    assert "moved on" in person.page.text
    assert payloads(referee) == ["B 5-7"]
