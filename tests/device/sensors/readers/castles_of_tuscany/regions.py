"""Painted regions of a match in their field, as they should lie and otherwise."""

import numpy as np

from device.sensors.readers.castles_of_tuscany.ground import ground_of
from device.sensors.readers.castles_of_tuscany.reader import RegionReader
from tests.device.sensors.readers.simulated import LENS, Reading, framed
from tests.device.sensors.tables import hexes
from vision import painter
from vision.painter import Light
from vision.tuscany.painter import PaintedHex, TilesScene, painted

PITCH_MM = 29.4
LEVEL = ((0, 0), (0, 0), (0, 0))


def region(
    game, state, seed, *, moved=LEVEL, turned=False, instead=None, tilt=72.0, light=None, **in_the_way
):
    """A picture of seat a's region: its boards ``moved`` mm east and north, or all ``turned`` by half."""
    ground = ground_of(state.known_region(0).spots, PITCH_MM, "region1")
    ground = ground.turned if turned else ground
    view = painter.PaintedView(LENS, painter.looking(ground.field, tilt, 12.0, 440.0), ground.field)
    there = instead or [(kind, lies) for _, _, kind, lies in hexes(state)]
    laid = [
        PaintedHex(x, y, kind, placed)
        for (x, y), (kind, placed) in zip(
            ground.place_hexes(np.array(moved, float)).tolist(), there, strict=True
        )
    ]
    # White balance and exposure wander, the lamp stays where it is.
    light = light or Light(0.05 * np.sin(seed), 0.95 + 0.05 * np.cos(3 * seed), 0.3, 7)
    scene = TilesScene(in_the_way.pop("artwork", 1), 5, light, **in_the_way)
    picture = painter.noisy(painted(view, laid, ground.corner_mm, scene), seed)
    return framed(picture)


class Watching(Reading):
    """A reader of seat a's region for a match."""

    cell_mm = PITCH_MM

    def __init__(self, game, setup, state, kinds=None):
        self.game, self.facts = game, setup.facts
        self.reader = RegionReader(LENS, "region1", 0, kinds)
        self.expect(state)

    def look(self, shown):
        """A finding, the reading that it makes, and the troubles by key."""
        return *super().look(shown), {one.key: one.values for one in self.reader.troubles}
