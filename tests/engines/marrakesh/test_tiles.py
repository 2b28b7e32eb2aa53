"""What public lists say of a copy, as it stands in ``tiles.txt``: fact, value, how sure, clause."""

from pathlib import Path

from engines.fact_kinds import write
from engines.marrakesh import tiles
from engines.marrakesh.facts import SCHEMA

LISTED = Path(__file__).with_name("tiles.txt")


def test_every_value_stands_there_with_its_mark():
    """Whoever changes a value or a mark on purpose writes it there too."""
    lines = []
    for fact in SCHEMA:
        known = fact.default
        value = "?" if known.value is None else write(fact.kind, known.value)
        lines.append(f"{fact.name} {value} {known.standing.value} {fact.clause}\n")
    assert "".join(lines) == LISTED.read_text()


def test_scrolls_are_all_there_once():
    there = [*tiles.KESHI_SCROLLS, *tiles.SCROLLS, *tiles.GOODS_SCROLLS]
    assert sorted(there) == [f"{number:02}" for number in range(1, 73)]
    assert sum(last - first + 1 for first, last in tiles.COLOURS.values()) == 72


def test_river_faces_are_all_there_once():
    assert sorted(tiles.RIVER) == sorted(face for faces in tiles.SEASON_FACES for face in faces)
    assert len(tiles.RIVER) == 18


def test_scrolls_that_act_at_once_are_effects_of_scrolls():
    words = {*tiles.EFFECTS, *tiles.KESHI_EFFECTS, *tiles.PAIR_EFFECTS}
    assert words >= tiles.AT_ONCE
