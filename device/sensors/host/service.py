"""The sensors of the settings: a process for each, which hears of the expected table.

A self-check has a process of its own too; if that dies, people are told the cause.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Final

import msgspec

from device.sensors import KINDS, messages
from device.sensors.door import STARTING, Checked
from device.sensors.host.child import PATIENT, Allowance, Child, Patience, describe_nonsense, run_to_end
from device.sensors.readers import ENROLMENTS, Size, Sizes, list_teachable
from device.settings import Config, PluginSection
from device.telemetry import ReceivedMessage
from device.texts import Said, Texts, Why, in_words
from engines.facts import Use
from engines.texts import plain

log = logging.getLogger(__name__)

COMMAND: Final = (sys.executable, "-P", "-m", "device.sensors.process")
"""``-P``: a folder ``device`` in the working directory is not ours."""
READINGS_A_SECOND: Final = 5
"""Readings a second on average; a sensor that says more floods, and is ended."""
READINGS_AT_ONCE: Final = 5
"""Readings that enter the match at once; later ones enter one a second, and only the last of them waits."""
WELL_S: Final = 60.0
"""The time a sensor must run before the cause of its last end is dropped."""
LINES_A_SECOND: Final = 100
"""Lines of any kind a second on average; a sensor that says more floods, too."""
LETTERS: Final = 160
"""The most letters of a sensor's own text about itself."""

LONGEST_CHECK_S: Final = 60.0
"""The longest time for a self-check; then it is ended."""


class Fitted(msgspec.Struct, frozen=True):
    """One sensor of the settings: its ``name`` among its kind, and its ``section``.

    ``uses`` are the facts of a game that it needs. At most ``keep`` of its pictures and ``keep_mb`` MB of
    them are kept. ``beside`` is a section that shares its process.
    """

    name: str
    section: PluginSection
    uses: frozenset[Use] = frozenset()
    keep: int = 200
    keep_mb: int = 200
    beside: PluginSection | None = None

    @property
    def sensor(self) -> str:
        """The kind of sensor."""
        return self.section.name

    @property
    def title(self) -> str:
        """The name on the status page."""
        return f"{self.sensor} {self.name}".rstrip()

    def begin(self, state_dir: Path, simulated: Path | None = None) -> messages.Begin:
        """Return the first message to its process."""
        folder = state_dir / "sensors" / self.sensor
        return messages.Begin(self.section, str(folder), str(simulated or ""), self.beside)


def list_sensors(config: Config, *, safe: bool = False, apart: bool = False) -> Iterator[Fitted]:
    """Yield the sensors of the settings, kind by kind.

    With ``safe`` only those that come with the box are yielded. Two sections that work together are one
    sensor, unless ``apart``.
    """
    for kind in KINDS:
        found: dict[str, Fitted] = {}
        for number, settings in enumerate(getattr(config, kind.name)):
            section = PluginSection(kind.name, number, msgspec.to_builtins(settings))
            value, key = section.values[kind.named], "" if apart else kind.joins(settings)
            first = found.get(key)
            if key and first and first.beside is None:
                found[key] = msgspec.structs.replace(first, beside=section)
                continue
            name = value if isinstance(value, str) else " ".join(value)
            one = Fitted(name, section, frozenset(kind.uses(settings)), *kind.keeps(settings))
            found[key if key and not first else f"{key}{number}"] = one
        yield from found.values()
    plugins = [section for section in config.plugins if section.name != config.display.driver]
    several = {section.name for section in plugins if section.number}
    for section in () if safe else plugins:
        nth = str(section.number + 1) if section.name in several else ""
        yield Fitted(str(section.values.get("name", nth)), section)


class SensorState(msgspec.Struct, frozen=True):
    """A sensor's state: ``why`` it is away, or its ``status`` and troubles.

    ``before`` is why it ended not long ago.
    """

    sensor: str
    name: str
    online: bool
    why: Why = ""
    status: Why = ""
    troubles: messages.Troubles = ()
    before: Why = ""

    @property
    def title(self) -> str:
        """The name on the status page."""
        return f"{self.sensor} {self.name}".rstrip()

    def name_for_people(self, texts: Texts) -> str:
        """Return the sensor's name for people."""
        kind = f"part.{self.sensor}"
        return " ".join([texts(kind) if kind in texts else self.sensor, *name_fields(self.name, texts)])

    def describe(self, texts: Texts) -> str:
        """Return the state in words: away and why, its troubles, or its own status."""
        troubles = texts.by_semicolons(to_plain_text(texts, one) for one in self.troubles)
        how = troubles or to_plain_text(texts, self.status) or texts("status.ok")
        how = how if self.online else to_plain_text(texts, self.why) or texts("status.away")
        if not self.before:
            return how
        return texts("status.before", how=how, before=to_plain_text(texts, self.before))


def to_plain_text(texts: Texts, why: Why) -> str:
    """Put a text by key into words; a text without a key is plain text."""
    if isinstance(why, Said) and why.key in texts:
        return in_words(why, texts)
    return plain(why.key if isinstance(why, Said) else why)[:LETTERS]


def name_fields(name: str, texts: Texts) -> list[str]:
    """Return the names for people of the fields in a sensor's ``name``."""
    fields = {one: f"sheets.field.{one}" for one in name.split()}
    return [texts(field) if field in texts else one for one, field in fields.items()]


class SensorService:
    """The service that keeps the sensors' processes running and hands on their readings."""

    def __init__(
        self,
        fitted: Sequence[Fitted],
        state_dir: Path,
        *,
        on_reading: Callable[[Fitted, messages.Reading], None],
        on_state: Callable[[SensorState], None],
        simulated: Path | None = None,
        command: Sequence[str] = COMMAND,
        patience: Patience = PATIENT,
    ) -> None:
        """Prepare the sensors; both callbacks are called on the event loop.

        ``simulated`` is the file of the simulated table.
        """
        self._expected, self._numbers = messages.NO_MATCH, count(1)
        self._running = [
            _Running(one, one.begin(state_dir, simulated), on_reading, on_state, command, patience)
            for one in fitted
        ]

    @property
    def states(self) -> tuple[SensorState, ...]:
        """The state of each sensor, in the order of the settings."""
        return tuple(one.state for one in self._running)

    def expect(self, expected: messages.Expected) -> None:
        """Tell the sensors the expected table, if it changed."""
        if expected != self._expected:
            self._expected = expected
            for one in self._running:
                one.expect(expected)

    async def teach(self, lesson: Lesson, sizes: Sizes | None = None) -> messages.Taught:
        """Return the answer of the lesson's camera with its picture of now; with ``sizes`` it learns from it.
        If the camera goes away, that is the answer.
        """
        learn = sizes is not None
        teach = messages.Teach(next(self._numbers), lesson.game, dict(sizes or {}), learn=learn)
        return await next(one for one in self._running if one.fitted is lesson.camera).teach(teach)

    def hear(self, received: ReceivedMessage) -> None:
        """Hand on a node's message to the sensors that read this node."""
        for one in self._running:
            one.hear(received)

    async def run(self) -> None:
        """Serve until cancelled; no process is left behind."""
        async with asyncio.TaskGroup() as tasks:
            for one in self._running:
                tasks.create_task(one.child.run(), name=one.state.title)


class _Running:
    """One sensor and its process."""

    def __init__(
        self,
        fitted: Fitted,
        begin: messages.Begin,
        on_reading: Callable[[Fitted, messages.Reading], None],
        on_state: Callable[[SensorState], None],
        command: Sequence[str],
        patience: Patience,
    ) -> None:
        self.fitted, self._begin = fitted, begin
        self._on_reading, self._on_state = on_reading, on_state
        self._expected = messages.NO_MATCH
        self._hand_on_allowance = Allowance(1, READINGS_AT_ONCE)
        self._waiting: dict[str, messages.Reading] = {}
        self._due: asyncio.TimerHandle | None = None
        self._lessons: dict[int, asyncio.Future[messages.Taught]] = {}
        self._began_s = 0.0
        self._ended: Why = ""
        self.state = SensorState(fitted.sensor, fitted.name, False, STARTING.why)
        self.child = Child(
            [*command, fitted.sensor],
            self._hear_line,
            self._greet,
            self._lose,
            title=fitted.title,
            patience=patience,
        )

    def expect(self, expected: messages.Expected) -> None:
        self._expected = expected
        self.child.say(messages.encode(expected))

    async def teach(self, teach: messages.Teach) -> messages.Taught:
        if self.child.pid is None:
            return messages.Taught(teach.number, (self.state.why,))
        answer: asyncio.Future[messages.Taught] = asyncio.get_running_loop().create_future()
        self._lessons[teach.number] = answer
        self.child.say(messages.encode(teach))
        return await answer

    def hear(self, received: ReceivedMessage) -> None:
        if f"line:{received.node}" in self.fitted.section.values.values():
            self.child.say(messages.encode(messages.Heard(received)))

    def _greet(self) -> None:
        self._began_s = time.monotonic()
        self._readings, self._lines = Allowance(READINGS_A_SECOND), Allowance(LINES_A_SECOND)
        self.child.say(messages.encode(self._begin))
        self.child.say(messages.encode(self._expected))

    def _hear_line(self, line: bytes) -> None:
        self._lines.spend("lines")
        match messages.up(line):
            case messages.Reading() as reading:
                self._readings.spend("readings")
                self._waiting.pop(reading.what, None)
                self._waiting[reading.what] = reading
                self._hand_on()
            case messages.Taught() as taught:
                self._answer(taught)
            case messages.Beat() | messages.Away() as how if how != STARTING:
                self._set_state(how)

    def _answer(self, taught: messages.Taught) -> None:
        answer = self._lessons.pop(taught.number, None)
        if answer and not answer.done():
            answer.set_result(taught)

    def _hand_on(self) -> None:
        """Hand on the readings that the sensor may give now, and the rest later."""
        if self._due:
            self._due.cancel()
            self._due = None
        for what, reading in list(self._waiting.items()):
            if (reading.match, reading.steps) != (self._expected.match, self._expected.steps):
                del self._waiting[what]
            elif self._hand_on_allowance.use():
                del self._waiting[what]
                self._on_reading(self.fitted, reading)
            else:
                self._due = asyncio.get_running_loop().call_later(1.0, self._hand_on)
                return

    def _lose(self, why: Why) -> None:
        self._waiting.clear()
        self._began_s = time.monotonic()
        self._ended = why
        for number in list(self._lessons):
            self._answer(messages.Taught(number, (why,)))
        self._set_state(messages.Away(why))

    def _set_state(self, how: messages.Beat | messages.Away) -> None:
        if time.monotonic() - self._began_s > WELL_S:
            self._ended = ""
        before = "" if isinstance(how, messages.Away) and how.why == self._ended else self._ended
        was, fields = self.state, msgspec.structs.asdict(how)
        state = SensorState(was.sensor, was.name, isinstance(how, messages.Beat), before=before, **fields)
        if state != was:
            if (state.online, state.why) != (was.online, was.why):
                log.info("%s: %s", state.title, "online" if state.online else state.why)
            self.state = state
            self._on_state(state)


def check_sensor(one: Fitted, state_dir: Path, *, command: Sequence[str] = COMMAND) -> Iterator[Checked]:
    """Yield the outcomes of one sensor's self-check; the first is that of starting its process."""
    begin = messages.encode(one.begin(state_dir))
    end, lines = run_to_end([*command, one.sensor, messages.CHECK], begin, LONGEST_CHECK_S)
    try:
        found = [msgspec.json.decode(line, type=Checked) for line in lines]
    except ValueError as error:
        yield Checked("fail", one.title, str(describe_nonsense(error)))
    else:
        starts = Checked("ok", one.title, "its process starts")
        yield Checked("fail", one.title, str(end.why)) if end.status != 0 else starts
        yield from found


def find_load_fault(name: str, *, command: Sequence[str] = COMMAND, within_s: float = LONGEST_CHECK_S) -> str:
    """Say why the sensor ``name`` cannot be loaded, with file and line; "" if it can."""
    end, _ = run_to_end([*command, name, messages.LOAD], b"", within_s)
    return str(end.why) if end.status != 0 else ""


# Lessons: a camera learns the look of a copy's pieces


class Lesson(msgspec.Struct, frozen=True):
    """A lesson: one camera can be taught the pieces of a ``game``."""

    camera: Fitted
    game: str

    @property
    def unknown(self) -> list[str]:
        """The names of the sizes that must be given."""
        return [name for name, usual in self.sizes.items() if usual is None]

    @property
    def sizes(self) -> Mapping[str, Size]:
        """All sizes that can be given, with the usual ones."""
        return ENROLMENTS[self.game].sizes

    def title(self, texts: Texts, game: Texts) -> str:
        """Return the lesson's title, with the texts of the box and of its ``game``."""
        return texts.by_commas([game("title"), *name_fields(self.camera.name, texts)])

    def lay(self, texts: Texts) -> str:
        """Return what people must lay where."""
        return texts("teach.lay", what=texts(f"teach.what.{self.game}"))


def list_lessons(sensors: Iterable[Fitted]) -> tuple[Lesson, ...]:
    """Return every lesson that the cameras among the sensors can be taught."""
    cameras = (one for one in sensors if one.sensor == "camera")
    return tuple(Lesson(one, game) for one in cameras for game in list_teachable(one.name.split()))


def describe_outcome(taught: messages.Taught, texts: Texts) -> str:
    """Say what was learnt, or why nothing was."""
    return " ".join(to_plain_text(texts, one) for one in taught.says)
