"""A value made once is the one that would be made afresh, however a match goes on."""

from random import Random

import pytest

import engines
from device.bench.presses import Pilot
from device.match import KEYS, Adjust, CannotUndo, Log, Question, Rollback, Source, list_undoable
from device.match.door import MatchDoor
from device.match.library import Library
from device.match.replay import Header, Replay
from device.menus import Box
from device.screen.pixels import pages_of
from engines.contract import Choice, Decide, Over, Setup
from engines.errors import EngineError
from engines.facts import playable, schema
from engines.match import Match, Step
from engines.search import playout
from tests.engines.walks import seed

ENTRIES = 30
SOMETHING_ELSE = 8
"""One entry in so many is a ruling."""


def same(one, other):
    """Compare two questions in all that they tell."""
    told = ("state", "pending", "seat", "choices", "sealed", "whole", "sight", "board")
    assert [getattr(one, name) for name in told] == [getattr(other, name) for name in told]
    if not isinstance(one.pending, Over):
        assert (one.legal, one.every) == (other.legal, other.every)


def afresh(match, choices):
    """The question that a draft has reached, from a match that has answered nothing before."""
    copy = Match(match.game, match.setup)
    copy.steps, copy.points = list(match.steps), list(match.points)
    question = Question.of(copy)
    for choice in choices:
        question = question.choose(choice, forced=False)
    return question


def check(box):
    """Compare all that is kept with what the log says."""
    (play,) = (view for view in box.stack if hasattr(view, "drafts"))
    replay = box.library.referee.replay
    same(play.question, afresh(replay.match, play.question.choices))
    assert replay.match.question == replay.game.rules.pending(replay.match.state)
    log = Log(list(replay.log))
    assert (replay.log.lines, replay.log.standing) == (log.lines, log.standing)
    assert [line.record for line in replay.log.lines] == [line.record for line in log.lines]
    assert replay.log.cancelled == log.cancelled


def next_step(match, rng):
    """A step at random where a match stands."""
    choices = []
    pending = match.pending
    for state, _, choice in playout(match.game, match.state, rng):
        if choices and not match.game.rules.pending(state).open:
            break
        choices.append(choice)
    seat = pending.seats[0] if isinstance(pending, Decide) else None
    return Step(seat, match.game.notation.text(choices))


def rule(box, rng):
    """Take something back, or give points."""
    replay = box.library.referee.replay
    plays = [line for line in replay.history if line.play]
    how = rng.randrange(3)
    try:
        if how == 0 and plays:
            box.door.rule(Rollback(rng.choice(plays[-3:]).seq), source=KEYS)
        elif how == 1:
            box.door.undo(list_undoable(replay)[0], source=KEYS)
        else:
            box.door.rule(Adjust(0, rng.randint(-3, 3)), source=KEYS)
    except (CannotUndo, EngineError):
        return


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_a_question_is_never_one_of_an_earlier_record(tmp_path, game_id):
    rng = Random(f"{seed()} {game_id}")
    box = Box(MatchDoor(Library(tmp_path)), pages=pages_of)
    box.open(Header(game_id, ("Adso", "William"), playable(schema(game_id), Setup())))
    pilot = Pilot(box)
    for _ in range(ENTRIES):
        if isinstance(pilot.match.pending, Over):
            break
        step = next_step(pilot.match, rng)
        if rng.random() < 0.5:
            for event in pilot.events(step):
                box.key(event)
                if not box.is_for_news(event):
                    check(box)
        else:
            box.door.step(step.text, seat=step.seat, source=Source("line:pad"))
        check(box)
        if rng.randrange(2):
            box.library.referee.wait()
            check(box)
        if not rng.randrange(SOMETHING_ELSE):
            box.library.referee.note("somebody sneezed", channel="line:pad")
            check(box)
        if not rng.randrange(SOMETHING_ELSE):
            rule(box, rng)
            check(box)
    replay = box.library.referee.replay
    again = Replay(replay.header.write(), list(replay.log))
    assert [point.state for point in again.match.points] == [point.state for point in replay.match.points]
    assert [point.made for point in again.match.points] == [point.made for point in replay.match.points]
    box.library.leave()


def test_what_nobody_has_a_choice_about_is_chosen_but_was_not_made():
    game = engines.game("san_gimignano")
    question = Question.at(game, game.position.read("market=6,8 hand.a=8,8,8 hand.b=?5"))
    build = question.choose(Choice("action", "B"))
    assert (build.text, build.made, build.whole) == ("B 8x3", (Choice("action", "B"),), True)
    alone = question.choose(Choice("action", "B"), forced=False)
    assert (alone.choices, alone.take_forced().choices) == (build.made, build.choices)
