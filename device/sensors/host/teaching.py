"""Teaching a camera what a copy's pieces look like: lessons, and the box's questions to the camera's process.

The box's keys and its page are faces of this; `podesta camera enrol` teaches a camera that no box holds.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from itertools import count

import msgspec

from device.sensors import messages
from device.sensors.host.service import Fitted, seen, words
from device.sensors.readers import ENROLMENTS, Size, taught
from device.texts import Texts

Sizes = Mapping[str, tuple[float, float]]
"""Width and height of pieces in mm, by name."""


class Lesson(msgspec.Struct, frozen=True):
    """The pieces of a ``game``, which one camera can be taught."""

    camera: Fitted
    game: str

    @property
    def unknown(self) -> list[str]:
        """The names of the sizes that must be told."""
        return [name for name, usual in self.sizes.items() if usual is None]

    @property
    def sizes(self) -> Mapping[str, Size]:
        """All sizes that can be told, with the usual ones."""
        return ENROLMENTS[self.game].sizes

    def title(self, texts: Texts, game: Texts) -> str:
        """Return what it is called, by the texts of the box and of its ``game``."""
        return texts.by_commas([game("title"), *seen(self.camera.name, texts)])

    def lay(self, texts: Texts) -> str:
        """Return what is to be laid where."""
        return texts("teach.lay", what=texts(f"teach.what.{self.game}"))


def outcome(taught: messages.Taught, texts: Texts) -> str:
    """Say what was learnt, or why nothing was."""
    return " ".join(words(texts, one) for one in taught.says)


class Teaching:
    """The lessons of a box's cameras."""

    def __init__(
        self, sensors: Iterable[Fitted], ask: Callable[[Fitted, messages.Teach], Awaitable[messages.Taught]]
    ) -> None:
        """List the lessons; ``ask`` asks the process of one of the ``sensors``."""
        self._ask, self._numbers = ask, count(1)
        self.lessons = tuple(
            Lesson(one, game)
            for one in sensors
            if one.sensor == "camera"
            for game in taught(one.name.split())
        )

    async def show(self, lesson: Lesson) -> messages.Taught:
        """Return the picture that the camera sees now."""
        return await self._ask(lesson.camera, messages.Teach(next(self._numbers), lesson.game))

    async def teach(self, lesson: Lesson, sizes: Sizes) -> messages.Taught:
        """Have the camera learn by the picture that it sees now, and return what."""
        teach = messages.Teach(next(self._numbers), lesson.game, dict(sizes), learn=True)
        return await self._ask(lesson.camera, teach)
