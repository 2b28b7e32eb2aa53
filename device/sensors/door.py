"""The door between a sensor and the box, on the sensor's side: blocking, plain Python.

::

    def run(settings, door):
        while True:
            if door.expected.question == "tray":
                door.reading("tray", [(0.97, "total 9")])
            door.wait(1.0)
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from device.sensors import messages
from device.telemetry import ReceivedMessage
from device.texts import Said, Why, said
from engines.facts import Use

BEAT_S: Final = 1.0
"""The pause between two signs of life."""
BUSY_S: Final = 60
"""The longest work inside :meth:`Door.busy` that gives signs of life."""
TELEMETRY_KEPT: Final = 1000
"""The most messages of nodes kept for a sensor that does not ask for them; the oldest go first."""


STARTING: Final = messages.Away(said("status.starting"))
"""A sensor's state until it tells its own, or waits."""


Verdict = Literal["ok", "warn", "fail"]
"""``warn``: it works, but somebody should know. ``fail``: that part of the box will not work."""


class Checked(msgspec.Struct, frozen=True):
    """The outcome of one check: the verdict, the thing checked, and what was found and what to do."""

    verdict: Verdict
    name: str
    detail: str


class Sensor(msgspec.Struct, frozen=True):
    """A kind of sensor; each ``[[name]]`` section of the settings runs in a process of its own.

    ``settings`` is the type of a section. ``check(settings, folder)`` looks at one section and opens nothing
    that a running box holds. ``run(settings, door)`` works until the door raises
    :class:`~device.sensors.door.Ended`; if it returns or raises anything else, the box starts it again after
    a while. ``folder`` is the sensor's own, :attr:`Door.folder`.

    ``named`` is the setting, a word or several, that tells sections of one kind apart. ``uses(settings)`` are
    the facts of a game that a section needs beside those needed to play. ``keeps(settings)`` is how many of
    its pictures are kept, and how many MB of them. Both are asked only of sensors that come with the box. Two
    sections with the same ``joins(settings)`` share a process, which has the second as :attr:`Door.beside`; a
    section with an empty one runs alone.
    """

    name: str
    settings: type[msgspec.Struct]
    check: Callable[[Any, Path], Iterator[Checked]]
    run: Callable[[Any, Door], None]
    named: str = "name"
    uses: Callable[[Any], Collection[Use]] = lambda _: ()
    keeps: Callable[[Any], tuple[int, int]] = lambda _: (200, 200)
    joins: Callable[[Any], str] = lambda _: ""


class Ended(BaseException):
    """Signal that the box is gone, or needs this process no more. ``run`` must not catch it."""


class Door:
    """A sensor's way to the box: what the box tells it, and what it may say. Every call is a sign of life: a
    sensor that calls nothing for ten seconds hangs, and the box ends it.
    """

    folder: Path
    """The sensor's own folder in the state directory; it may not exist yet."""
    simulated: Path | None
    """The file of the simulated table, None on a real box."""
    beside: Any = None
    """The settings of another section that shares this process, None without one."""

    def __init__(
        self, begin: messages.Begin, lines: queue.SimpleQueue[bytes], say: Callable[[messages.Up], None]
    ) -> None:
        """Open the door; ``lines`` gives those from the box, an empty one after the last.

        ``say`` is called from two threads.
        """
        self.folder = Path(begin.folder)
        self.simulated = Path(begin.simulated) if begin.simulated else None
        self._lines, self._say = lines, say
        self._expected = self._last_read = messages.NO_MATCH
        self._telemetry: deque[ReceivedMessage] = deque(maxlen=TELEMETRY_KEPT)
        self._lessons: deque[messages.Teach] = deque()
        self._how: messages.Beat | messages.Away = STARTING
        self._last_said_s = -BEAT_S

    @property
    def expected(self) -> messages.Expected:
        """The match now. A reading counts for the value read here last. It changes only in :meth:`wait`."""
        self._last_read = self._expected
        return self._expected

    def wait(self, seconds: float) -> bool:
        """Sleep at most ``seconds``; return True as soon as the box tells something new, such as a change of
        :attr:`expected`.

        :raises Ended: if the box is gone.
        """
        end = time.monotonic() + seconds
        changed = False
        if self._how is STARTING:
            self.how(messages.Beat())
        while True:
            self._beat_if_due()
            left = 0.0 if changed else end - time.monotonic()
            try:
                line = self._lines.get(timeout=min(left, BEAT_S)) if left > 0 else self._lines.get_nowait()
            except queue.Empty:
                if left <= 0:
                    return changed
            else:
                self._receive(line)
                changed = True

    def reading(
        self,
        what: str,
        candidates: Sequence[tuple[float, str]],
        why: Sequence[Why] = (),
        picture: bytes = b"",
    ) -> None:
        """Say what lies at ``what``, a sight of the game or the name of the table's question.

        ``candidates`` are confidences, 0 to 1 and together no more than 1, each with a text, the likeliest
        first: a layout, an answer, or ``total 9``. ``why`` lists reasons for doubt, ``picture`` is a JPEG.
        Without a match nothing is said.

        :raises ValueError: if the candidates break these rules.
        """
        chances = [chance for chance, _ in candidates]
        if not chances or min(chances) < 0 or sum(chances) > 1 + 1e-6 or chances != sorted(chances)[::-1]:
            raise ValueError(f"candidates are confidences that sum to 1 at most, greatest first: {chances}")
        if self._last_read.position:
            texts = tuple((text, float(chance)) for chance, text in candidates)
            at = self._last_read
            self.say(messages.Reading(what, at.match, at.steps, texts, picture=picture, why=tuple(why)))

    def status(self, text: str, **figures: str | int) -> None:
        """Tell the sensor's status, one line for the status page; "" means that all is well."""
        troubles = self._how.troubles if isinstance(self._how, messages.Beat) else ()
        self.how(messages.Beat(Said(text, {**figures}), troubles))

    def trouble(self, text: str = "", **figures: str | int) -> None:
        """Tell of a trouble, shown in place of the status; without a text it is over."""
        status = self._how.status if isinstance(self._how, messages.Beat) else ""
        self.how(messages.Beat(status, (Said(text, {**figures}),) if text else ()))

    def away(self, text: str, **figures: str | int) -> None:
        """Tell that the device is gone, such as unplugged. Any status or trouble says that it is back."""
        self.how(messages.Away(Said(text, {**figures})))

    def how(self, how: messages.Beat | messages.Away) -> None:
        """Tell the whole state, for example several troubles at once."""
        changed, self._how = how != self._how, how
        if changed:
            self.say(how)

    def telemetry(self) -> list[ReceivedMessage]:
        """Return nodes' messages about themselves since the last call, the oldest first."""
        received = list(self._telemetry)
        self._telemetry.clear()
        return received

    @property
    def lesson(self) -> messages.Teach | None:
        """The box's wish that a camera show or learn something, until :meth:`answer`; None without one."""
        return self._lessons[0] if self._lessons else None

    def answer(self, taught: messages.Taught) -> None:
        """Answer :attr:`lesson`; the next lesson follows."""
        self._lessons.popleft()
        self.say(taught)

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Give signs of life for up to a minute while the work inside takes long."""
        done = threading.Event()

        def beat() -> None:
            # If the box listens no more, the next call of the working thread finds it out.
            with contextlib.suppress(Exception, Ended):
                for _ in range(BUSY_S):
                    if done.wait(BEAT_S):
                        return
                    self._beat_if_due()

        thread = threading.Thread(target=beat, name="signs of life", daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    def say(self, message: messages.Up) -> None:
        """Say a whole message, such as a reading with its meanings from a reader that knows the rules."""
        self._last_said_s = time.monotonic()
        self._say(message)

    def _beat_if_due(self) -> None:
        if time.monotonic() - self._last_said_s >= BEAT_S:
            self.say(self._how)

    def _receive(self, line: bytes) -> None:
        if not line:
            raise Ended
        match messages.down(line):
            case messages.Expected() as expected:
                self._expected = expected
            case messages.Heard(received):
                self._telemetry.append(received)
            case messages.Teach() as lesson:
                self._lessons.append(lesson)
