"""Whole matches by the keys in Japanese: nothing is cut, no sign lacks, no English is left."""

from __future__ import annotations

import re

import pytest

from device.bench import presses
from device.menus import Box
from device.screen import text_lines
from device.screen.pixels import SMALL, canvas, draw, fit, font, grid, layout
from device.voices import Voice, Voices
from engines import matchfile
from engines.words import Words
from tests.rooms import ROOT

ENGLISH = re.compile(r"[A-Za-z]{4,}")
NAMES = {"SAMPLE", "SIMULATED", "Podestà"}
"""Marks that stay; what a copy and people call things stands in the match's file."""

MATCHES = ROOT / "tests" / "matches"


@pytest.mark.parametrize("path", sorted(MATCHES.glob("*.match")), ids=lambda path: path.stem)
def test_what_points_are_made_of_is_said(path):
    file = matchfile.read(path.read_text("utf-8"), path.name)
    match, texts = matchfile.play(file), Voice("ja").game(file.game)
    words = Words(texts, match.game, file.names, file.setup.facts)
    figures = {one.figures for point in match.points for one in match.game.scoring.bookings(point.state)}
    assert [said for said in map(words.figures, figures) if re.search("[A-Za-z]{2,}", said)] == []


@pytest.mark.parametrize("name", ["torres_three", "nobles", "castles_of_tuscany_two", "marrakesh_two"])
def test_a_match_is_played_whole(name, monkeypatch):
    cuts, left, lacking, seen = set(), set(), set(), set()
    whole = fit.cut

    def watched(text, face, width):
        said = whole(text, face, width)
        if said != fit.tidy(text):
            cuts.add(text)
        return said

    for module in (canvas, grid, layout):
        if hasattr(module, "cut"):
            monkeypatch.setattr(module, "cut", watched)

    class JapaneseBox(Box):
        def __init__(self, desk, **more):
            super().__init__(desk, voices=Voices(desk.library.state_dir, "ja", strict=True), **more)

        def key(self, event, seat=None):
            super().key(event, seat)
            page = self.page()
            if page in seen:
                return
            seen.add(page)
            draw(page)
            for line in text_lines(page):
                left.update(ENGLISH.findall(line.replace("[saving…]", "")))
                lacking.update(sign for sign in line if sign not in font(SMALL))

    monkeypatch.setattr(presses, "Box", JapaneseBox)
    played = presses.play(MATCHES / f"{name}.match")
    assert played.taken.presses
    assert len(seen) > 150
    own = set(re.findall(r"[A-Za-z]+", (MATCHES / f"{name}.match").read_text("utf-8")))
    assert cuts == set()
    assert lacking <= {"\t"}
    assert {word for word in left if not any(one.startswith(word) for one in own)} - NAMES == set()
