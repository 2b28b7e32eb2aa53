"""Help for building a sensor: a door for its tests, a package to begin with, a check of its behaviour.

The package is made from ``template``, whose files `podesta plugin new` writes. The check plays a simulated
box to a sensor's process: the box's match asks what lies on the ``tray``, moves on and ends. Then the box
goes away and comes back. Each fault has a remedy.
"""

from __future__ import annotations

import asyncio
import math
import queue
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

import engines.kit
from device.sensors import KINDS, messages
from device.sensors.door import STARTING, Checked, Door, Ended
from device.sensors.host import COMMAND, HUNG_S, Child, End, Fitted, Patience, run_to_end
from device.sensors.messages import Away, Beat, Begin, Expected, Heard, Reading
from device.settings import PluginSection, Settings
from device.telemetry import ReceivedMessage
from device.texts import key_of
from engines.packages import Trial

NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")
SENSOR: Final = Path(__file__).parent / "template"
GAME: Final = Path(engines.kit.__file__).parent / "template"
"""The game of ``engines/README.md``."""


class SimulatedDoor(Door):
    """A door for tests: each :meth:`wait` takes the next of ``scenes`` at once: a match, a node's message, or
    nothing. After the last one the box is gone.
    """

    def __init__(self, folder: Path, scenes: Iterable[Expected | ReceivedMessage | None]) -> None:
        """Play ``scenes`` to a sensor whose own folder is ``folder``."""
        self.said: list[messages.Up] = []
        super().__init__(
            Begin(PluginSection("simulated", 0, {}), str(folder)), queue.SimpleQueue(), self.said.append
        )
        self._scenes = iter(scenes)

    @property
    def readings(self) -> list[Reading]:
        """All readings so far."""
        return [one for one in self.said if isinstance(one, Reading)]

    def wait(self, seconds: float) -> bool:
        """Go on to the next scene; raises :class:`Ended` after the last."""
        try:
            scene = next(self._scenes)
        except StopIteration:
            raise Ended from None
        if scene is not None:
            self._receive(messages.encode(Heard(scene) if isinstance(scene, ReceivedMessage) else scene))
        return scene is not None


class MakingError(ValueError):
    """Error raised when no package can be made, with the reason."""


def make(name: str, folder: Path, *, game: bool = False) -> list[Path]:
    """Write the package of a sensor or a ``game`` into the new ``folder``; return its files.

    :raises MakingError: if the name is invalid or taken, or the folder exists.
    """
    if not NAME.fullmatch(name):
        raise MakingError(f"{name!r} is not up to 32 of a-z, 0-9 and _, beginning with a letter")
    if game and name in engines.GAMES:
        raise MakingError(f"game {name} comes with the box")
    if not game and (name in Settings.__struct_fields__ or name in {kind.name for kind in KINDS}):
        raise MakingError(f"{name} is a section of the box's own settings")
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise MakingError(f"{folder}: exists") from None
    made, template = [], GAME if game else SENSOR
    for file in template.rglob("*.txt"):
        path = folder / fill_in(str(file.relative_to(template)).removesuffix(".txt"), name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(fill_in(file.read_text("utf-8"), name), "utf-8")
        made.append(path)
    return sorted(made)


def fill_in(text: str, name: str) -> str:
    """Return a template's text for ``name``: ``nines``, and ``Nines`` for people."""
    return text.replace("MINE", name).replace("TITLE", name.replace("_", " ").capitalize())


# The check

START_S: Final = 60.0
"""The longest time to load a sensor, and the longest for its self-check."""
FIRST_S: Final = 10.0
"""The longest time until it first says how it is, and until it ends once the box is gone."""
LATE_S: Final = 0.5
"""The time for which a reading of an earlier scene is no fault: it may cross with the news."""
BURST: Final = 50
A_SECOND: Final = 5
"""The limits of readings that are no flood: the number at once, and per second."""
LONGEST: Final = 200
"""The longest candidate, in letters."""

TRAY: Final = Expected(
    "a match", 7, "a game", "a position", question="tray", lying={"tray": 6}, simulated=True
)
NO_MATCH: Final = msgspec.structs.replace(messages.NO_MATCH, simulated=True)
SCENES: Final = (NO_MATCH, TRAY, msgspec.structs.replace(TRAY, steps=8, lying={"tray": 9}), NO_MATCH)
"""The table that the box expects in each scene."""
SCENE_NAMES: Final = ("no match", "the tray is asked for", "the match moves on", "the match ends")
"""Names of the scenes for people."""


class PlayedAct(msgspec.Struct, frozen=True):
    """One scene: the expected table, its length in seconds, and the sensor's messages with their times."""

    expected: Expected
    lasted_s: float
    said: tuple[tuple[float, messages.Up], ...]

    @property
    def readings(self) -> tuple[tuple[float, Reading], ...]:
        """The readings with their times."""
        return tuple((at, one) for at, one in self.said if isinstance(one, Reading))

    @property
    def silent(self) -> bool:
        """True if the sensor called nothing of the door."""
        return all(one == STARTING for _, one in self.said)


def conforming(
    section: PluginSection, *, scene_s: float = 3.0, doing: Callable[[str], None] = lambda _: None
) -> Iterator[Trial]:
    """Yield each check of a sensor as it is done; a scene lasts ``scene_s``, more than a second.

    ``section`` is one that the sensor takes. The checks end early if nothing more can be tried. ``doing`` is
    told the current check, for people.
    """
    with tempfile.TemporaryDirectory() as folder:
        box = _SimulatedBox(section, Path(folder), doing)
        doing(f"loads it, and looks at its settings: up to {START_S:g} s each")
        end, _ = box.run_to_end(messages.LOAD)
        if end.status != 0:
            yield Trial("fail", "load", str(end.why), "podesta plugin list says where it is installed from")
            return
        yield Trial("ok", "load", "it can be imported")
        yield _try_nonsense(box)
        check, fits = _try_self_check(box)
        yield check
        if not fits:
            return
        acts, ended = box.play([(one, scene_s) for one in SCENES])
        yield from judge_acts(acts, ended)
        if acts[-1].silent and not ended:
            return
        doing("begins it anew")
        again, ended = box.play([(NO_MATCH, scene_s)])
        yield msgspec.structs.replace(next(judge_acts(again, ended)), name="coming back")
        printed = box.printed.read_text("utf-8", "replace").strip().splitlines()
        seen = f"prints {printed[0]!r}" if printed else "prints nothing"
        yield Trial.judge(not printed, "output", seen, "use logging, or print to sys.stderr")


def judge_acts(acts: Sequence[PlayedAct], ended: str) -> Iterator[Trial]:
    """Judge a sensor's behaviour in some scenes; ``ended`` is why its process ended early, or empty."""
    if not ended and (hangs := next((act for act in acts if act.silent), None)):
        yield Trial(
            "fail",
            "signs of life",
            f"run does not call the door: nothing for {hangs.lasted_s:.0f} s",
            f"call door.wait, door.status or door.reading at least every {HUNG_S:g} seconds; "
            "what takes longer goes inside `with door.busy()`",
        )
        return
    said = [one for act in acts for _, one in act.said]
    own = (one for one in said if isinstance(one, Beat | Away))
    how = next((one for one in own if one not in (Beat(), STARTING)), None)
    if how:
        states = (*how.troubles, how.status) if isinstance(how, Beat) else (how.why,)
        yield Trial("ok", "how it is", key_of(states[0]))
    else:
        yield Trial("fail", "how it is", "says nothing of itself", "call door.status, .trouble or .away")
    if ended:
        yield Trial("fail", "staying", ended, "catch what can be mended, and go on")
        return
    yield Trial("ok", "staying", "it worked until the box was gone, then it ended")
    yield Trial("ok", "signs of life", "at least one in each scene")
    yield from _judge_readings(acts)


def _judge_readings(acts: Sequence[PlayedAct]) -> Iterator[Trial]:
    made = [one for act in acts for _, one in act.readings]
    if not made:
        yield Trial("not tried", "readings", "made none of a tray that was asked for")
        return
    lasted_s = sum(act.lasted_s for act in acts)
    few, seen = len(made) <= BURST + A_SECOND * lasted_s, f"{len(made)} readings within {lasted_s:.0f} s"
    yield Trial.judge(few, "flood", seen, "tell a reading once, and again when it changed")
    wrong = next(filter(None, map(_find_fault, made)), None)
    yield Trial.judge(not wrong, "readings", *(wrong or (f"for example {_describe(made[0])}", "")))
    late = [
        one
        for act in acts
        for at, one in act.readings
        if at > LATE_S and (one.match, one.steps) != (act.expected.match, act.expected.steps)
    ]
    seen = "reads anew when the match has moved on, and nothing after its end"
    deaf = {one.steps for one in made} < {act.expected.steps for act in acts if act.expected.position}
    if late or deaf:
        seen = "reads nothing when the tray is asked for again"
        seen = f"reads what is asked no more: {_describe(late[0])}" if late else seen
    remedy = "look at door.expected before each reading, and call door.wait between two"
    yield Trial.judge(not (late or deaf), "moving on", seen, remedy)


def _find_fault(reading: Reading) -> tuple[str, str] | None:
    """Return the fault of a reading and its remedy, None without a fault."""
    if not reading.what or not reading.what.replace("_", "a").isalnum():
        return (
            f"reads {reading.what!r}",
            "say what lies where: the name of a sight, or what the table is asked",
        )
    if reading.candidates[0][1] > 0.999:
        return f"is certain: {_describe(reading)}", "no sensor is: say how often it is wrong, 0.99 at most"
    for text, _ in reading.candidates:
        if not text.isprintable() or not 0 < len(text) <= LONGEST:
            return f"says {text[:40]!r}", f"a candidate is 1 to {LONGEST} letters of the game's notation"
    return None


def _describe(reading: Reading) -> str:
    return f"{reading.what} " + " | ".join(f"{chance:.2f} {text}" for text, chance in reading.candidates)


def _try_nonsense(box: _SimulatedBox) -> Trial:
    """Check that the sensor refuses nonsense in its settings, key by key."""
    keys = [key for key, value in box.section.values.items() if not isinstance(value, dict)]
    values = {**box.section.values, **{key: {"nonsense": True} for key in keys}, "no_such_key": 1}
    section = msgspec.structs.replace(box.section, values=values, file="podesta.toml")
    end, _ = _SimulatedBox(section, box.folder).run_to_end(messages.CHECK)
    for key in ("no_such_key", *keys):
        if end.status != messages.CANNOT or f"{section.name}[{section.number + 1}].{key}" not in str(end.why):
            remedy = "give each field of its settings a type of its own, so that nothing else is taken"
            return Trial("fail", "nonsense in its settings", f"takes any {key}", remedy)
    return Trial("ok", "nonsense in its settings", "is refused by its key")


def _try_self_check(box: _SimulatedBox) -> tuple[Trial, bool]:
    """Return the outcome of its self-check, and whether it takes its section."""
    end, said = box.run_to_end(messages.CHECK)
    if end.status == messages.CANNOT:
        remedy = "put a section for it into the settings, or use --section"
        return Trial("fail", "self-check", str(end.why), remedy), False
    if end.status != 0:
        return Trial(
            "fail", "self-check", str(end.why), "`check` yields Checked values and raises nothing"
        ), True
    try:
        found = [msgspec.json.decode(line, type=Checked) for line in said]
    except ValueError as error:
        return Trial("fail", "self-check", str(error), "`check` yields Checked values"), True
    return Trial("ok", "self-check", "; ".join(f"{one.name}: {one.detail}" for one in found) or "fine"), True


class _SimulatedBox:
    """The box's side of a sensor's process."""

    def __init__(
        self, section: PluginSection, folder: Path, doing: Callable[[str], None] = lambda _: None
    ) -> None:
        self.section, self.folder, self._tell = section, folder, doing
        self.printed = folder / "printed"
        self.printed.touch()
        self._command = [*COMMAND, section.name]
        self._begin = messages.encode(Fitted("", section).begin(folder))

    def run_to_end(self, what: str) -> tuple[End, list[bytes]]:
        """Run a process with the option ``what``; return its end and its lines."""
        return run_to_end([*self._command, what], self._begin, START_S)

    def play(self, scenes: Sequence[tuple[Expected, float]]) -> tuple[list[PlayedAct], str]:
        """Play each scene for some seconds; return the sensor's acts, and why it ended early, "" if it did
        not.

        The first scene is over as soon as the sensor says how it is; a scene without a call is the last.
        """
        return asyncio.run(self._play_scenes(scenes))

    async def _play_scenes(self, scenes: Sequence[tuple[Expected, float]]) -> tuple[list[PlayedAct], str]:
        heard: asyncio.Queue[tuple[float, messages.Up]] = asyncio.Queue()
        began = asyncio.Event()

        def hear(line: bytes) -> None:
            heard.put_nowait((time.monotonic(), messages.up(line)))

        command = [*self._command, f"{messages.PRINTED}{self.printed}"]
        child = Child(command, hear, began.set, patience=Patience(math.inf, math.inf))
        life = asyncio.create_task(child.run_once())
        try:
            await began.wait()
            child.say(self._begin)
            acts = await self._play_each(child, life, heard, scenes)
            if not life.done():
                child.hang_up()
                late = not acts[-1].silent and not (await asyncio.wait([life], timeout=FIRST_S))[0]
                goes_on = "its process goes on when the box is gone; nobody may catch Ended"
                return acts, goes_on if late else ""
            return acts, str(life.result().why)
        finally:
            life.cancel()
            await asyncio.wait([life])

    async def _play_each(
        self,
        child: Child,
        life: asyncio.Task[End],
        heard: asyncio.Queue[tuple[float, messages.Up]],
        scenes: Sequence[tuple[Expected, float]],
    ) -> list[PlayedAct]:
        acts: list[PlayedAct] = []
        for expected, lasts_s in scenes:
            self._tell(f"plays: {SCENE_NAMES[len(acts)]}")
            child.say(messages.encode(expected))
            self._send_node_message(child)
            begin, said = time.monotonic(), list[tuple[float, messages.Up]]()
            end = begin + (lasts_s if acts else START_S)
            calls = False
            while not life.done():
                left = (end if calls or not acts else max(end, begin + HUNG_S)) - time.monotonic()
                if left <= 0:
                    break
                try:
                    async with asyncio.timeout(min(left, 0.1)):
                        at, message = await heard.get()
                except TimeoutError:
                    continue
                if not (said or acts):
                    end = at + FIRST_S  # it is loaded
                said.append((at - begin, message))
                calls = calls or message != STARTING
                if not (acts or isinstance(message, Reading) or message in (Beat(), STARTING)):
                    break
            acts.append(PlayedAct(expected, time.monotonic() - begin, tuple(said)))
            if acts[-1].silent:
                break
        return acts

    def _send_node_message(self, child: Child) -> None:
        """Say what a node that the sensor reads would: something lies on its scale, and rests."""
        for value in self.section.values.values():
            if isinstance(value, str) and value.startswith("line:"):
                node, now = value.removeprefix("line:"), round(time.monotonic() * 1000)
                child.say(messages.encode(Heard(ReceivedMessage(node, "weight", "31250 12 rest", now))))
