"""Every refusal of every game is one screen: the reason with its figures, and the remedy."""

from __future__ import annotations

import pytest

import engines
from device.menus.why_not import reason
from device.screen import PageHeader, TextPage
from device.screen.pixels import pages_of
from device.texts import Texts
from engines.remedies import told_of
from engines.words import Words
from tests.device.grammar import proofread
from tests.engines.test_remedies import looked_at

NAMES = {
    "en": ("Maximilianea", "Bartholomaus", "Wilhelminaxx", "Theodoraxxxx"),
    "ja": ("マクシミリアネア", "バルトロメウスア", "ウィルヘルミナナ", "テオドラテオドラ"),
}
"""As long as the box lets people type, and as names in kana may be."""

LONGER: set[str] = set()
"""The texts of refusals that take more than one screen with their longest figures."""


def pages(text):
    return pages_of(TextPage(PageHeader(), text))


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("game_id", engines.GAMES)
def test_every_refusal_fits_one_screen(game_id, language):
    """With each remedy that may be told of it, in whatever state."""
    words = Words(Texts.load(language, game_id, strict=True), engines.game(game_id), NAMES[language])
    told = {}
    with proofread() as wrong:
        for refusal, shown in {(one.refusal, one.remedy) for one in looked_at(game_id)}:
            for remedy in ("", *told_of(game_id, refusal), shown):
                texts = [words.refusal(refusal), words(f"remedy.{remedy}", refusal.figures) if remedy else ""]
                told[" ".join(filter(None, texts))] = (
                    f"{game_id} {dict(refusal.figures).get('variant', refusal.check)}"
                )
    assert wrong == set()
    assert len(set(told.values())) > 30
    assert {text: name for text, name in told.items() if pages(text) > 1 and name not in LONGER} == {}


def test_reason_and_remedy_stand_apart_where_there_is_room():
    words = Words(Texts.load("en", "torres", strict=True), engines.game("torres"), NAMES["en"])
    knights = next(one for one in looked_at("torres") if one.remedy == "place.knights")
    assert reason(words, knights, lambda _: 1) == "All 6 knights are on the board.\nMove one that is there."
    assert reason(words, knights, len) == "All 6 knights are on the board. Move one that is there."
    bare = next(one for one in looked_at("torres") if one.refusal.check == "take.deck")
    assert reason(words, bare, lambda _: 1) == "The deck of action cards is used up."
