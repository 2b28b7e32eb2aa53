"""Every refusal of every game is one screen: the reason with its figures, and the remedy."""

from __future__ import annotations

import pytest

import engines
from device.match import Words
from device.menus.why_not import reason
from device.screen import Header, TextPage
from device.screen.pixels import pages_of
from device.texts import Texts
from engines.contract import Choice, Over
from tests.engines import cases
from tests.engines.test_texts import states

NAMES = ("Maximilianea", "Bartholomaus", "Wilhelminaxx", "Theodoraxxxx")
"""As long as the box lets people type."""

LONGER: set[str] = set()
"""The texts of refusals that take more than one screen with their longest figures."""


def refusals(game_id):
    """What its cases and random matches at every table are refused."""
    rules = engines.game(game_id).rules
    yield from (cases.refused(game_id, one) for one in cases.of(game_id).values())
    for state in states(game_id)[::3]:
        asked = rules.pending(state)
        if isinstance(asked, Over) or not asked.domain.listed:
            continue
        legal = set(rules.legal(state))
        choices = (Choice(asked.question, token) for token in asked.domain.tokens)
        refused = (rules.why_not(state, choice) for choice in choices if choice not in legal)
        yield from filter(None, refused)


def pages(text):
    return pages_of(TextPage(Header(), text))


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_every_refusal_fits_one_screen(game_id):
    words = Words(Texts.load("en", game_id, strict=True), engines.game(game_id), NAMES)
    told = {}
    for refusal in set(refusals(game_id)):
        text = reason(words, refusal, pages)
        told[text] = f"{game_id} {dict(refusal.figures).get('variant', refusal.check)}"
    assert len(set(told.values())) > 30
    assert {text: name for text, name in told.items() if pages(text) > 1 and name not in LONGER} == {}


def test_reason_and_remedy_stand_apart_where_there_is_room():
    words = Words(Texts.load("en", "torres", strict=True), engines.game("torres"), NAMES)
    refusal = next(one for one in refusals("torres") if one.check == "place.knights")
    assert reason(words, refusal, lambda _: 1) == "All 6 knights are on the board.\nMove one that is there."
    assert reason(words, refusal, len) == "All 6 knights are on the board. Move one that is there."
    bare = next(one for one in refusals("torres") if one.check == "take.deck")
    assert reason(words, bare, lambda _: 1) == "The deck of action cards is used up."
