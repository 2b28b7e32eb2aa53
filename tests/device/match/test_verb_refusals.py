"""Why nothing of a verb is legal: the furthest reason, which names nothing that nobody chose."""

from __future__ import annotations

import re
from functools import cache

import pytest

import engines
from device.match import Words
from device.texts import Texts
from engines import matchfile
from engines.contract import Choice, Over
from engines.refusals import why_none
from tests.device.conftest import MATCHES
from tests.engines.tables import TABLES

NAMES = ("Adso", "William", "Severin", "Ubertino")
PLACE = re.compile(r"\b[a-z]\d+\b")
"""A cell, a space, a tile: what a token is made of."""
TEXTS = ("place", "take", "block", "knight", "steps", "turn", "scroll_gray", "tile_f", "area_s")


@cache
def words(game_id):
    return Words(Texts.load("en", game_id, strict=True), engines.game(game_id), NAMES)


def recorded(path):
    """Every state of a match file that asks something, those in the middle of a step among them."""
    file = matchfile.read(path.read_text("utf-8"))
    match = matchfile.play(file)
    for point, step in zip(match.points, match.steps, strict=False):
        state = point.state
        yield state
        if hasattr(step, "text"):
            choices, _ = engines.notation.read(match.game, state, step.text, step.seat, step.waived)
            for choice in choices[:-1]:
                state = match.game.rules.apply(state, choice)
                yield state


def refused(game, state):
    """The verbs of several answers none of which is legal, each with what those are refused for."""
    asked = game.rules.pending(state)
    if isinstance(asked, Over):
        return
    seat = getattr(asked, "seats", (None,))[0]
    for verb in getattr(asked.domain, "verbs", ()):
        choices = [Choice(asked.question, token) for token in verb.tokens]
        why = [game.rules.why_not(state, choice, seat) for choice in choices]
        if len(why) > 1 and all(why):
            yield verb.name, seat, list(zip(choices, why, strict=True))


def look_at(game, states):
    """What is said of each verb that nothing is legal of, and by which check, each seen to be right."""
    told, order = set(), [check.name for check in game.rules.checks]
    for state in states:
        for verb, seat, answers in refused(game, state):
            choice, refusal = why_none(game.rules, state, verb, seat)
            assert (choice, refusal.check) in [(one, why.check) for one, why in answers]
            furthest = [why for _, why in answers if why.depth == refusal.depth]
            assert refusal.depth == max(why.depth for _, why in answers)
            assert {why.check for why in furthest} == {refusal.check} <= set(order)
            for why in furthest:  # what is said holds for each of them
                said = [figure for figure in why.figures if figure[0] not in (*why.names, "remedy")]
                assert {*said, ("verb", verb)} == {one for one in refusal.figures if one[0] != "remedy"}, refusal
            sentence = words(game.id).refusal(refusal)
            assert not PLACE.search(sentence), sentence
            for one, _ in answers:
                assert words(game.id).choice(one).lower() not in sentence.lower(), sentence
            assert sentence != words(game.id)("refusal.none"), (verb, refusal)
            told.add((verb, refusal.check, sentence))
    return told


@pytest.mark.parametrize("path", sorted(MATCHES.glob("*.match")), ids=lambda path: path.stem)
def test_no_reason_of_a_recorded_match_names_what_nobody_chose(path):
    game = engines.game(matchfile.read(path.read_text("utf-8")).game)
    told = look_at(game, recorded(path))
    print(sorted(told))


@pytest.mark.parametrize("name", TABLES)
def test_no_reason_of_a_random_match_names_what_nobody_chose(name):
    table = TABLES[name]
    told = look_at(table.game, [step.state for step in table.steps(1)])
    print(sorted(told))
