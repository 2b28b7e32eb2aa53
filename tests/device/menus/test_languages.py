"""Whole matches by the keys in Japanese, and in a language that takes 40 % more room than English."""

import gettext
import json
import re
from functools import cache
from math import ceil
from random import Random
from typing import NamedTuple

import pytest

import engines
from device.bench import presses
from device.keys import Key, Press, Turn
from device.match import Library
from device.menus import Box
from device.menus.readings import CountsQuestion
from device.screen import text_lines
from device.screen.pixels import SMALL, beside, canvas, draw, fit, layout, load_font
from device.texts import Texts
from device.voices import Voice, Voices
from engines import matchfile
from engines.conformance import TriedGame, setups
from engines.contract import Choice, Multiset
from engines.words import Words
from tests.recorded import RECORDED
from tests.rooms import ROOT

ENGLISH = re.compile(r"[A-Za-z]{4,}")
NAMES = {"Podestà"}
"""What stays; what a copy and people call things stands in the match's file."""
WORD = re.compile(r"\{[^}]*\}|[A-Za-z]{3,}")

MATCHES = ROOT / "tests" / "matches"
WHOLE = ["torres_three", "nobles", "castles_of_tuscany_two", "marrakesh_two"]


def whole(*daily):
    """A whole match of each game; those that are not of every day are of `make soak`."""
    soaked = {True: (), False: pytest.mark.soak}
    return pytest.mark.parametrize(
        "name", [pytest.param(name, marks=soaked[name in daily]) for name in WHOLE]
    )


class Asking(presses.Pilot):
    """Asks of each grey verb and word once why not, before it plays on."""

    def __init__(self, box):
        super().__init__(box)
        self.asked = set()

    def events(self, step):
        yield from self.leaving()
        play = self.box.stack[-1]
        for at in sorted(play.ring.grey) if not play.picker else ():
            if (label := play.label(play.ring, at)) not in self.asked:
                self.asked.add(label)
                yield Turn(at - play.index)
                yield Press(Key.OK)
                yield Press(Key.BACK)
        yield from super().events(step)


class PlayedPages(NamedTuple):
    """Every page of a match played by keys and of what is refused there, what it took, what was cut on its
    pages, and its records but for salts, times and what covers them.
    """

    pages: set
    taken: presses.Taken
    cut: set
    records: list


@cache
def played(name, language):
    """A match, played once for all tests; of pages that differ in digits alone, one is drawn."""
    seen, drawn, cut, records = set(), set(), set(), []
    whole, leave = fit.cut, Library.leave

    class OtherBox(Box):
        def __init__(self, door, **more):
            super().__init__(door, voices=Voices(door.library.state_dir, language, strict=True), **more)

        def key(self, event, seat=None):
            super().key(event, seat)
            page = self.page()
            if page not in seen:
                seen.add(page)
                shape = re.sub(r"\d", "0", repr(page))
                if shape not in drawn:
                    drawn.add(shape)
                    draw(page)

    def watched(text, face, width):
        said = whole(text, face, width)
        if said != fit.tidy(text):
            cut.add(text)
        return said

    def read_first(library):
        assert not library.referee or library.referee.wait(30)
        for file in library.state_dir.rglob("*.podesta"):
            records[:] = [
                {name: record[name] for name in ("seq", "group", "kind", "seat", "payload")}
                for record in map(json.loads, file.read_text("utf-8").splitlines()[1:])
            ]
        leave(library)

    with pytest.MonkeyPatch.context() as patch:
        for module in (canvas, beside, layout):
            if hasattr(module, "cut"):
                patch.setattr(module, "cut", watched)
        patch.setattr(Library, "leave", read_first)
        patch.setattr(presses, "Box", OtherBox)
        taken = presses.play(MATCHES / f"{name}.match", Asking).taken
    assert len(seen) > 150
    return PlayedPages(seen, taken, cut, records)


@pytest.mark.parametrize("path", RECORDED)
def test_what_points_are_made_of_is_said(path):
    file = matchfile.read(path.read_text("utf-8"), path.name)
    match, texts = matchfile.play(file), Voice("ja").game(file.game)
    words = Words(texts, match.game, file.names, file.setup.facts)
    figures = {one.figures for point in match.points for one in match.game.scoring.bookings(point.state)}
    assert [said for said in map(words.figures, figures) if re.search("[A-Za-z]{2,}", said)] == []


@pytest.mark.parametrize(
    ("game", "figures", "said"),
    [
        ("castles_of_tuscany", "all castle 6", "城全部 6"),
        ("castles_of_tuscany", "round 2: 7", "第2ラウンド: 7"),
        ("castles_of_tuscany", "inn, farm, cart, cart", "宿屋、農場、荷馬車、荷馬車"),
        ("torres", "3 taken", "埋まり3"),
        ("marrakesh", "oasis 25: 4 × 2 complete areas", "オアシス 25: 4 × 完了エリア2"),
        ("marrakesh", "oasis 30: not 2 lines of 5", "オアシス 30: ライン2本で不足(必要5本)"),
        ("marrakesh", "8 caravans + vendor", "隊商8 + 水売り"),
        ("marrakesh", "not the jetty", "桟橋なし"),
    ],
)
def test_figures_stand_in_the_order_of_the_language(game, figures, said):
    texts = {language: Texts.load(language, game, strict=True) for language in ("en", "ja")}
    assert texts["ja"].recast("made", figures) == said
    assert texts["en"].recast("made", figures) == figures


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_whatever_is_asked_named_refused_told_and_drawn_is_said_in_japanese(game_id):
    """The walk of the conformance suite: every text is there and finds what fills it."""
    said = set()

    class Heard(Texts):
        def __call__(self, key, /, **values):
            said.add(text := super().__call__(key, **values))
            return text

    for number, setup in enumerate(list(setups(engines.game(game_id)).values())[:2]):
        tried = TriedGame(engines.game(game_id), setup)
        texts, names = Heard.load("ja", game_id, strict=True), ("アドソ", "ウィリアム", "フィナ", "グイド")
        tried.words = Words(texts, tried.game, names[: setup.seats], setup.facts)
        match, states = tried.played(Random(number))
        assert [*tried.sayable(match)] == []
        assert [wrong for state in states[::6] for wrong in (*tried.texts(state), *tried.drawn(state))] == []
    english = {word for text in said for word in ENGLISH.findall(text)}
    own = {word for text in dict(setup.facts).values() for word in ENGLISH.findall(text)}
    assert english - own == set()
    assert len(said) > 100


@whole("nobles")
def test_records_and_presses_are_the_same_in_each_language(name):
    """Presses by 2 %, of a short match by four: what fits one screen in one language needs none more."""
    english, japanese = (played(name, language) for language in ("en", "ja"))
    assert english.records == japanese.records
    assert len(japanese.records) > 50
    assert japanese.taken.presses == pytest.approx(english.taken.presses, rel=0.02, abs=4)
    assert japanese.taken.detents == english.taken.detents


def test_lists_are_joined_as_the_language_does():
    game = engines.game("san_gimignano")
    for language, stones, tower in (
        ("en", "Buona Pietra as 5, 6", "4-7 (4, 6: Buona Pietra)"),
        ("ja", "5、6が高級な石材", "4-7(4、6が高級な石材)"),
    ):
        words = Words(Voice(language).game(game.id), game, ("Adso", "William"))
        assert words.choice(Choice("stones", "s5s6")) == stones
        assert words.choice(Choice("tower", "4-7s4s6")) == tower


@pytest.mark.parametrize(
    ("language", "said"), [("en", ["2 green, 1 black", "without 1 green"]), ("ja", ["緑2、黒1", "緑1少ない"])]
)
def test_counts_are_told_as_the_language_does(language, said):
    game = engines.game("marrakesh")
    words = Words(Voice(language).game(game.id), game, ("Adso", "William"))
    counts = CountsQuestion(words, "tray", Multiset("tray", ("g", "k"), 0, 9))
    assert counts.list_labels(["2g1k", "1g1k"]) == said


@whole("nobles")
def test_in_japanese_nothing_is_cut_no_sign_lacks_and_no_english_is_left(name):
    lines = [line for page in played(name, "ja").pages for line in text_lines(page)]
    left = {word for line in lines for word in ENGLISH.findall(line)}
    own = set(re.findall(r"[A-Za-z]+", (MATCHES / f"{name}.match").read_text("utf-8")))
    assert played(name, "ja").cut == set()
    assert {sign for line in lines for sign in line if sign not in load_font(SMALL)} <= {"\t"}
    assert {word for word in left if not any(one.startswith(word) for one in own)} - NAMES == set()


def stretched(text):
    """Lengthen the words of a text, but not its blanks: ``Playyy {name}``."""
    return WORD.sub(lambda word: word[0] + word[0][-1] * ceil(0.4 * len(word[0])) * (word[0][0] != "{"), text)


class Stretched(gettext.NullTranslations):
    """The catalogue of that language."""

    def pgettext(self, context, message):
        return stretched(message)

    def npgettext(self, context, msgid1, msgid2, n):
        return stretched(msgid1 if n == 1 else msgid2)


@whole("nobles")
def test_in_longer_words_nothing_is_cut(name, monkeypatch):
    monkeypatch.setattr(Texts, "languages", lambda: ("en", "longer"))
    monkeypatch.setattr(Texts, "catalogue", lambda *_: Stretched())
    pages, _, cut, _ = played(name, "longer")
    assert any(re.search(r"(\w)\1\1", line) for page in pages for line in text_lines(page))
    assert cut == set()
