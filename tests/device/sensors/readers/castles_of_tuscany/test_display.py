"""The display, painted and read: which tile is which is learnt from what the match says of it."""

import time
from collections import Counter
from functools import lru_cache
from random import Random

import cv2
import numpy as np
import pytest

import engines
from device.sensors.readers import judging
from device.sensors.readers.castles_of_tuscany import reader
from device.sensors.simulated_table import CameraFault, SimulatedTable
from device.texts import said
from engines.contract import Setup, Several
from engines.facts import sample, schema, with_facts
from engines.match import Match
from engines.readings import Observation, believed
from tests.device.games import game_steps
from tests.device.sensors.readers.simulated import LENS, Reading, frame, framed, outcome
from vision import painter
from vision.field import find
from vision.painter import Light
from vision.tuscany import tiles
from vision.tuscany.painter import PaintedHex, TilesScene
from vision.tuscany.painter import painted as hexes_painted

GAME = engines.game("castles_of_tuscany")
SETUP = with_facts(sample(schema("castles_of_tuscany")), Setup(2))
PITCH_MM = 29.4
(SIGHT,) = (sight for sight in GAME.sights if sight.NAME == "display")


def states():
    """The states of a match that differ in the display, each with the step that led there."""
    match, found = Match(GAME, SETUP), []
    for step in game_steps(1, SETUP, GAME.id):
        before = match.state
        match.play(step.text, step.seat)
        if SIGHT.of(before) != SIGHT.of(match.state):
            found.append((match.state, step.text))
    return found


STATES = states()
LAID = next(at for at, (state, _) in enumerate(STATES) if len(SIGHT.of(state)) == 8)
"""From here on the display is whole, or a tile short."""


def table(kinds, *faults, seed=1, light=1.0):
    """Tiles as they lie, whatever their order."""
    hexes = tuple((at // 4, at % 4, "", kind) for at, kind in enumerate(kinds))
    return SimulatedTable(
        hexes={"display": hexes},
        cell_mm=PITCH_MM,
        elevation_deg=72.0,
        distance_mm=330.0,
        faults=frozenset(faults),
        seed=seed,
        light=light,
    )


class Watching(Reading):
    """A reader, and the table that it sees."""

    cell_mm = PITCH_MM

    def __init__(self, state):
        super().__init__(GAME.id, "display", frame(table(()), "display"), SETUP)
        self.expect(state)

    def ways(self, reading):
        """The tokens that a reading may mean."""
        if reading.meanings:
            (meaning,) = reading.meanings
        else:
            seen = Observation(reading.what, reading.candidates)
            meaning, _ = believed(GAME, self.state, seen)
        ways = meaning.explanations if isinstance(meaning, Several) else (meaning.choices,)
        return [" ".join(choice.token for choice in way) for way in ways]


class Table:
    """What lies on the display, in an order of its own."""

    def __init__(self, kinds):
        self.kinds = list(kinds)
        Random(2).shuffle(self.kinds)

    def put(self, kinds):
        """Only what differs is moved."""
        for kind in (Counter(self.kinds) - Counter(kinds)).elements():
            self.kinds.remove(kind)
        self.kinds += (Counter(kinds) - Counter(self.kinds)).elements()
        return table(self.kinds)


@lru_cache
def played(number=16):
    """Return what became of so many changes of the display in a row, and what was learnt by then."""
    told, watching = Counter(), Watching(STATES[LAID][0])
    lying = Table(SIGHT.of(watching.state))
    assert watching.look(table(lying.kinds))[0].as_expected
    for after, step in STATES[LAID + 1 : LAID + 1 + number]:
        there = SIGHT.of(after)
        if GAME.rules.pending(after).question == "refill":
            continue  # the next tile comes up before anybody looks
        shown = frame(lying.put(there), "display", 2 + sum(told.values()))
        finding, _ = watching.look(shown)
        match finding.verdict:
            case judging.Proposed(layout=layout):
                assert layout == there
                told["proposed"] += 1
            case judging.Doubted(candidates=candidates):
                assert there in [one.layout for one in candidates]
                told["asked"] += 1
            case None:
                told["by hand"] += 1
            case _:
                raise AssertionError(step)
        watching.expect(after)
        assert watching.look(shown)[0].as_expected
    return told, watching.reader._learnt


def watched(at=14):
    """A reader that has learnt every kind, and the display of a state of the match."""
    watching = Watching(STATES[LAID + at][0])
    watching.reader._learnt = played()[1]
    return watching


def test_a_match_is_read_and_never_wrongly():
    """What is sure is right, and what is asked has the truth among its answers."""
    told, learnt = played()
    assert told["proposed"] > told["asked"] + told["by hand"]
    assert len(learnt.known) == len(
        {kind for state, _ in STATES[LAID : LAID + 17] for kind in SIGHT.of(state)}
    )


def test_a_tile_taken_before_the_next_lies_there_is_waited_for():
    """It looks as one that is not seen does."""
    watching = watched()
    finding, reading = watching.look(table("mcvivmr"))
    assert (finding.verdict, reading) == (None, None)
    assert watching.reader.troubles == (said("display.short"),)


def test_a_tile_taken_and_the_next_are_one_look():
    watching = watched()
    there = SIGHT.of(watching.state)
    assert there == tuple("ciqvvmmr")
    assert watching.look(table("mcviqvmr"))[0].as_expected
    finding, reading = watching.look(table("tmcvivmr"))
    assert (reading.what, reading.candidates[0][0]) == ("display", "c,t,i,v,v,m,m,r")
    assert watching.ways(reading) == ["Tq t"]
    assert isinstance(finding.verdict, judging.Proposed)


def test_a_kind_that_was_never_seen_is_a_doubt_with_its_picture():
    """Its picture is shown; it is of a kind that no other look is."""
    watching = watched()
    learnt = watching.reader._learnt
    at = learnt.ways[0].index("t")
    ways = tuple(way[:at] + way[at + 1 :] for way in learnt.ways)
    watching.reader._learnt = reader.TilesLearnt((*learnt.known[:at], *learnt.known[at + 1 :]), ways)
    finding, reading = watching.look(table("tmcvivmr"))
    assert isinstance(finding.verdict, judging.Doubted)
    assert "Tq t" in watching.ways(reading)
    assert reading.why == (said("display.unsure", n=1),)
    shown = cv2.imdecode(np.frombuffer(reading.crop, np.uint8), cv2.IMREAD_COLOR)
    assert min(shown.shape[:2]) > 80


def test_a_display_that_is_not_as_the_match_has_it_at_first_teaches_nothing():
    watching = Watching(STATES[LAID][0])  # three alike
    finding, reading = watching.look(table("ctivvmmr"))
    assert (finding.verdict, reading) == (None, None)
    assert watching.reader.troubles == (said("display.odd"),)
    assert watching.look(table("mctmivmr"))[0].as_expected


@pytest.mark.parametrize("fault", [CameraFault.HAND, CameraFault.COVERED])
def test_what_lies_over_tiles_proposes_nothing(fault):
    finding, _ = watched().look(table("ciqvvmmr", fault))
    assert not isinstance(finding.verdict, judging.Proposed)


def test_without_the_size_of_a_hex_nothing_is_read():
    watching = watched()
    watching.expect(watching.state, cell_mm=0.0)
    assert watching.look(table("ciqvvmmr"))[1] is None
    assert watching.reader.troubles == (said("regions.size"),)


def test_ways_to_name_looks():
    assert reader.extend_ways(("",), 1) == tuple("ctifqvmr")
    assert reader.extend_ways(("v",), 1) == tuple("v" + kind for kind in "ctifqmr")
    assert "ff" in reader.extend_ways(("f",), 1)
    assert reader.extend_ways(("vt", "vq"), 0, lambda way: way == "vq") == ("vq",)
    assert reader.extend_ways(("v",), 1, lambda way: way in ("v", "vc")) == ("vc",)


@pytest.mark.pictures
@pytest.mark.timeout(900)
def test_of_painted_displays_none_is_wrong_and_sure(capsys):
    """Each seed is another copy and light: one picture shows every kind; in others a tile was taken and the
    next turned up.
    """
    told, ms = Counter(), []
    field, corner_mm = reader.display_of(PITCH_MM), PITCH_MM / 3**0.5
    state = next(state for state, _ in STATES[LAID:] if SIGHT.of(state) == tuple("ctifqvmr"))
    for seed in range(300, 315):
        rng = Random(seed)
        learnt = None
        for number in range(4):
            kinds = list("ctifqvmr")
            if number:
                kinds.remove(rng.choice(kinds))
                kinds.append(rng.choice("ctifqvmr"))
            rng.shuffle(kinds)
            hexes = [  # the second row farther east, so that it is known which comes first
                PaintedHex(
                    (2 * (at % 4) + 1) * PITCH_MM + 8 * (at // 4) + rng.uniform(-2.5, 2.5),
                    (2 * (at // 4) + 1) * PITCH_MM + rng.uniform(-6, 6),
                    "",
                    kind,
                    rng.uniform(0, 360),
                )
                for at, kind in enumerate(kinds)
            ]
            angles = rng.uniform(62, 80), rng.uniform(-20, 20), rng.uniform(330, 380)
            view = painter.PaintedView(LENS, painter.looking(field, *angles), field)
            light = Light(rng.uniform(-0.1, 0.1), rng.uniform(0.8, 1.1), rng.uniform(0, 0.5), seed + number)
            picture = hexes_painted(view, hexes, corner_mm, TilesScene(seed, seed * 9 + number, light))
            if not number:
                pose = find(picture, LENS, field).pose
                seen = tiles.find_tiles(picture, LENS, pose, field, corner_mm)
                way = "".join(one.placed for one in sorted(hexes, key=lambda one: one.x_mm))
                if seen is not None:
                    known = tuple(tiles.taught(tile, np.zeros(3)) for tile in seen)
                    learnt = reader.TilesLearnt(known, (way,))
            elif learnt is None:
                told["not learnt"] += 1
            else:
                watching = Watching(state)
                watching.reader._learnt = learnt
                start = time.process_time()
                finding, _ = watching.look(framed(picture))
                ms.append(1000 * (time.process_time() - start))
                told[outcome(finding, tuple(sorted(kinds, key="ctifqvmr".index)))] += 1
    with capsys.disabled():
        median = sorted(ms)[len(ms) // 2]
        print(f"\ndisplays painted, seeds 300 to 314: {dict(told)}; {median:.0f} ms of CPU (median)")
    assert not told["wrong and sure"]
    assert told["exact"] > 0.6 * sum(told.values())
