"""The region before a seat, painted and read beside the last picture that was as the match had it."""

from functools import lru_cache

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

import engines
from device.match.replay import Header
from device.sensors import readers
from device.sensors.readers import judging
from device.sensors.readers.castles_of_tuscany import reader
from device.sensors.simulated_table import SimulatedTable
from device.texts import said
from engines.contract import Exact, Setup
from engines.facts import sample, schema, with_facts
from engines.match import Match
from tests.device.games import game_steps
from tests.device.sensors.readers.simulated import LENS, Reading, frame
from tests.device.sensors.tables import hexes
from vision import painter
from vision.tuscany.album import SIDE
from vision.tuscany.reading import ReadHex

GAME = engines.game("castles_of_tuscany")
HEADER = Header(
    "castles_of_tuscany", ("Ada", "Bea"), with_facts(sample(schema("castles_of_tuscany")), Setup(2))
)
PITCH_MM = 29.4


@lru_cache
def states():
    """Pairs of states about each step that lays tiles on the region of seat a, and the step."""
    match, found = Match(GAME, HEADER.setup), []
    for step in game_steps(1, HEADER.setup, HEADER.game):
        before = match.state
        match.play(step.text, step.seat)
        if before.known_region(0) and GAME.sights[0].of(before) != GAME.sights[0].of(match.state):
            found.append((before, match.state, step.text))
    return found


def table(state, *faults, **instead):
    return SimulatedTable(
        hexes={"region1": hexes(state, **instead)},
        cell_mm=PITCH_MM,
        elevation_deg=72.0,
        distance_mm=430.0,
        faults=frozenset(faults),
    )


class Watching(Reading):
    """A reader that has seen the region as a match had it."""

    cell_mm = PITCH_MM

    def __init__(self, state):
        first = frame(table(state), "region1")
        super().__init__(HEADER.game, "region1", first, HEADER.setup)
        self.expect(state)
        assert self.look(first)[0].as_expected


@pytest.mark.parametrize("number", [9, *(pytest.param(n, marks=pytest.mark.pictures) for n in (0, -1))])
def test_a_turn_is_read_and_then_expected(number):
    before, after, step = states()[number]
    watching = Watching(before)
    finding, reading = watching.look(table(after))
    assert isinstance(finding.verdict, judging.Proposed)
    assert (reading.what, reading.candidates[0][0]) == ("region.a", str(GAME.sights[0].of(after)))
    meaning = reading.meanings[0]
    told = [meaning.choices] if isinstance(meaning, Exact) else meaning.explanations
    assert any(GAME.notation.text(choices).split()[:2] == step.split()[:2] for choices in told)
    watching.expect(after)
    assert watching.look(table(after))[0].as_expected


def test_a_tile_taken_away_is_never_passed_over():
    before, _, _ = states()[9]
    name = sorted(GAME.sights[0].of(before).tiles)[0]
    finding, reading = Watching(before).look(table(before, **{name: ""}))
    assert not finding.as_expected
    assert name in str(finding.troubles)
    shown = cv2.imdecode(np.frombuffer(reading.crop, np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape[:2] == (SIDE, SIDE)
    assert shown.std() > 10  # the hex and what is around it


def test_a_region_that_is_not_as_the_match_has_it_at_first_is_told():
    before, after, _ = states()[9]
    (name,) = GAME.sights[0].of(after).tiles ^ GAME.sights[0].of(before).tiles
    watching = Watching(before)
    watching.expect(replace(before), cell_mm=PITCH_MM + 0.01)  # as after a restart: nothing is known
    watching.expect(before)
    finding, reading = watching.look(table(after))
    assert (finding.verdict, reading) == (None, None)
    assert watching.reader.troubles == (said("regions.odd", cells=(name,)),)


@pytest.mark.pictures
def test_what_people_told_of_a_doubt_and_the_picture_shows_is_none_any_more(monkeypatch):
    """A wild hex in poor light: people say what it is, and nobody is asked again."""
    before, after, _ = states()[9]
    (name,) = GAME.sights[0].of(after).tiles ^ GAME.sights[0].of(before).tiles
    watching = Watching(before)
    number, read_after = before.known_region(0).names.index(name), reader.read_after

    def doubting(*asked):
        hexes = read_after(*asked)
        hexes[number] = ReadHex(hexes[number].shown, sure=False)
        return hexes

    monkeypatch.setattr(reader, "read_after", doubting)
    finding, _ = watching.look(table(after))
    assert (finding.as_expected, name in str(finding.troubles)) == (False, True)
    watching.expect(after)
    finding, _ = watching.look(table(before))  # the tile was taken off again meanwhile
    assert (finding.as_expected, name in str(finding.troubles)) == (False, True)
    finding, _ = watching.look(table(after))
    assert (finding.as_expected, finding.troubles) == (True, ())


@pytest.mark.parametrize(("number", "covered"), [(reader.MOST_HEXES, False), (reader.MOST_HEXES + 1, True)])
def test_of_too_many_doubts_something_lies_over_them(monkeypatch, number, covered):
    before, _, _ = states()[9]
    watching, read_after = Watching(before), reader.read_after

    def doubting(*asked):
        hexes = read_after(*asked)
        return [ReadHex(one.shown, sure=False) for one in hexes[:number]] + hexes[number:]

    monkeypatch.setattr(reader, "read_after", doubting)
    finding, _ = watching.look(table(before))
    assert (finding.verdict is None) == covered
    names = tuple(before.known_region(0).names[:number])
    key = "regions.covered" if covered else "camera.unseen"
    assert finding.troubles == (said(key, cells=names),)


def test_where_no_region_lies_the_table_is_bare():
    painting = readers.load_painting("region3")
    field = painting.field(SimulatedTable(cell_mm=PITCH_MM))
    assert (field.width_mm, field.height_mm) == pytest.approx((251.1, 187.3), abs=0.1)
    assert field.first_marker == 16
    view = painter.PaintedView(LENS, painter.looking(field, 75.0, 0.0, 400.0), field)
    bare = painting.painted(SimulatedTable(cell_mm=PITCH_MM), view)
    assert (bare == painter.empty(view, painter.TABLE)).all()
