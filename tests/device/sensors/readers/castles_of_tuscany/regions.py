"""Painted regions of a match in their field, as they should lie and otherwise."""

import numpy as np

from device.sensors.messages import Expected
from device.sensors.reader import Seen
from device.sensors.readers.castles_of_tuscany.ground import ground_of
from device.sensors.readers.castles_of_tuscany.reader import RegionReader
from tests.device.sensors.readers.simulated import LENS, framed
from vision import painter
from vision.plane import Light
from vision.tuscany.painter import PaintedHex, TilesScene, painted

PITCH_MM = 29.4
LEVEL = ((0, 0), (0, 0), (0, 0))


def kinds_there(game, state):
    """The kind of each hex of seat a's region and what lies there."""
    land, spaces = state.known_region(0), game.sights[0].of(state)
    lies = ("wild" if name in spaces.wild else "tile" * (name in spaces.tiles) for name in land.names)
    return list(zip(land.kinds, lies, strict=True))


def region(
    game, state, seed, *, moved=LEVEL, turned=False, instead=None, tilt=72.0, light=None, **in_the_way
):
    """A picture of seat a's region: its boards ``moved`` mm east and north, or all ``turned`` by half."""
    ground = ground_of(state.known_region(0).spots, PITCH_MM, "region1")
    ground = ground.turned if turned else ground
    view = painter.PaintedView(LENS, painter.looking(ground.field, tilt, 12.0, 440.0), ground.field)
    there = instead or kinds_there(game, state)
    hexes = [
        PaintedHex(x, y, kind, placed)
        for (x, y), (kind, placed) in zip(ground.found(np.array(moved, float)).tolist(), there, strict=True)
    ]
    # White balance and exposure wander, the lamp stays where it is.
    light = light or Light(0.05 * np.sin(seed), 0.95 + 0.05 * np.cos(3 * seed), 0.3, 7)
    scene = TilesScene(in_the_way.pop("artwork", 1), 5, light, **in_the_way)
    picture = painter.noisy(painted(view, hexes, ground.corner_mm, scene), seed)
    return framed(picture)


class Watching:
    """A reader of seat a's region for a match."""

    def __init__(self, game, setup, state, kinds=None):
        self.game, self.setup = game, setup
        self.reader = RegionReader(LENS, "region1", 0, kinds)
        self.expect(state)

    def expect(self, state, question=""):
        position = self.game.position.write(state)
        self.reader.expect(
            Expected("m", 3, self.game.id, position, PITCH_MM, facts=self.setup.facts, question=question)
        )

    def look(self, frame):
        """A finding, the reading that it makes, and the troubles by key."""
        finding = self.reader.read(frame, None)
        told = self.reader.tell(Seen(finding, frame, agreed=True))
        return finding, told, {one.key: one.values for one in self.reader.troubles}
