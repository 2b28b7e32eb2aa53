"""What the readers of towers and of the market share: a field that cards lie on, and the deck they are of."""

from __future__ import annotations

from typing import Final

from device.sensors.readers import judging
from device.sensors.readers.placed import Placed
from device.sensors.readers.san_gimignano import towers
from device.sensors.readers.shelf import TeachingSeen
from device.sensors.sources import Picture
from vision.cards.deck import Deck
from vision.cards.flat import Heap, flatten, heaps
from vision.field import Field
from vision.lens import Lens
from vision.pose import Pose

SURE: Final = judging.MARGIN / towers.CLEAR
"""What likeness is worth as a logarithm: what parts two readings clearly is what the judgement asks for."""


class CardReader(Placed):
    """A field with cards through one camera."""

    def __init__(self, lens: Lens, deck: Deck, field: Field, taken: TeachingSeen | None = None) -> None:
        """Nothing is expected yet; ``taken`` is how the deck was taught."""
        super().__init__(lens, taken)
        self._deck, self._field = deck, field

    @property
    def field(self) -> Field | str:
        """The field that the cards lie on."""
        return self._field

    def _laid(self, picture: Picture, pose: Pose) -> list[Heap]:
        """Return what lies there."""
        return heaps(flatten(picture, self._lens, pose, self._field))
