"""A judge's word from the event's desk is read at the box and counts once everybody agrees."""

from device.match import Adjust, Answered, Call, Judged, Source, list_scores
from device.menus.play import Play
from device.menus.standstill import CallPage, JudgesWord
from device.screen import ListPage, TextPage
from tests.device.menus.people import payloads

WORD = Source("desk:call-3-1795800000000")


def read(person):
    while isinstance(person.page, TextPage):
        person.later()
        person.ok()


def answer(person, yes):
    read(person)
    assert isinstance(person.page, ListPage)
    if yes:
        person.turn(1)
    person.later()
    person.ok()


def test_an_answer_is_read_agreed_to_and_recorded_with_the_judge_s_name(person, match):
    match.rule(Call("which bag"), channel="keys")
    person.box.propose_ruling("Bea Rossi", Answered("the black one"), WORD)
    assert person.page.text == "Bea Rossi: the black one"
    person.box.propose_ruling("Bea Rossi", Answered("the black one"), WORD)
    assert sum(isinstance(view, JudgesWord) for view in person.box.stack) == 1
    answer(person, yes=True)
    assert payloads(match)[-2:] == ["by judge Bea Rossi", "answered the black one"]
    assert {record.channel for record in match.replay.log[-2:]} == {WORD.channel}
    assert isinstance(person.box.stack[-1], Play)


def test_back_does_not_lead_away_and_no_calls_the_judge_again(person, match):
    match.rule(Call(), channel="keys")
    person.box.propose_ruling("Bea", Answered("go on"), WORD)
    person.back()
    assert person.notice == "First say whether all agree"
    for elsewhere in (person.undo, person.menu):
        person.later()
        elsewhere()
        assert person.notice == "First say whether all agree"
    person.later()
    answer(person, yes=False)
    assert payloads(match)[-1] == "call not everybody agrees with the judge"
    assert match.replay.log[-1].channel == WORD.channel
    assert isinstance(person.box.stack[-1], CallPage)


def test_a_ruling_ends_the_match_and_settles_its_call(person, match):
    match.rule(Call(), channel="keys")
    person.box.propose_ruling("Bea", Judged("60:45", "too late"), WORD)
    assert "For the event it counts 60 : 45 – too late" in person.page.text
    assert "The match ends here." in person.page.text
    answer(person, yes=True)
    assert payloads(match)[-4:] == ["by judge Bea", "answered", "judged 60:45 too late", "abandon too late"]
    assert match.replay.abandoned
    person.box.propose_ruling("Bea", Judged("stands"), Source("desk:ruling-4-1"))
    assert "ends here" not in person.page.text
    answer(person, yes=True)
    assert payloads(match)[-2:] == ["by judge Bea", "judged stands"]


def test_points_by_hand_say_what_comes_of_them_and_the_match_goes_on(person, match):
    before = list_scores(match.replay)
    person.box.propose_ruling("Bea", Adjust(1, -3, "a stone too many"), Source("desk:points-2-1"))
    name = match.replay.names[1]
    assert person.page.text.startswith(f"Bea: {name}: -3 by hand\nWhy: a stone too many")
    assert f"{before[1]} → {before[1] - 3}" in person.page.text
    answer(person, yes=True)
    assert payloads(match)[-2:] == ["by judge Bea", "adjust b -3 a stone too many"]
    assert list_scores(match.replay)[1] == before[1] - 3
    assert not match.replay.over
    assert isinstance(person.box.stack[-1], Play)


def test_the_match_moves_on_meanwhile(person, match):
    match.rule(Call(), channel="keys")
    person.box.propose_ruling("Bea", Answered("go on"), WORD)
    match.rule(Answered(), channel="keys")
    assert not any(isinstance(view, JudgesWord) for view in person.box.stack)
    assert not any(one.channel == WORD.channel for one in match.replay.log)
