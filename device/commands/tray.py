"""`podesta tray`: calibrates, tests and simulates the scale under the cube tower's tray."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from anyio.from_thread import start_blocking_portal

from device.commands import Command, CommandError, Exit, Options, UsageError, action, say, show, take
from device.commands.box import choose_section, find_state, load_settings
from device.files import hold_folder
from device.line import LineDoor, LineService
from device.machine import on_a_pi
from device.match import Library, MatchDoor
from device.sensors import scale as weighing
from device.sensors.scale.cell import Settling
from device.settings import SIMULATED, Config, Scale
from device.telemetry import Health, ReceivedMessage, ScaleMessage, Weight
from device.texts import Texts
from device.voices import Voice
from vision.scale import ENOUGH, GOOD, PieceCalibration
from vision.simulated_tray import WeighedTable

PATIENCE_S = 15.0
"""The longest wait for an expected message of a scale."""
FIGURES_S = 5.0
"""The time to listen to a scale before judging its figures."""
LEAST_RATE, MOST_NOISE, LEAST_UNIQUE = 8.0, 50.0, 8
"""The least samples a second; the most noise of a sample in mg, above which no load rests; the fewest
different values of 64.
"""


# The scale, while no box has it


class _Lines:
    """The lines of the settings, which hear the messages of nodes while their ``service`` runs."""

    simulated: Path | None = None

    def __init__(self, config: Config, state: Path) -> None:
        self._arriving: queue.SimpleQueue[ReceivedMessage] = queue.SimpleQueue()
        self._first: list[ReceivedMessage] = []
        door = LineDoor(MatchDoor(Library(state)), Voice().words)
        self.service = LineService(config.line, door, on_telemetry=self._arriving.put)

    def wait(self, seconds: float) -> bool:
        """Sleep at most so long; return True as soon as a node says something."""
        try:
            self._first.append(self._arriving.get(timeout=seconds))
        except queue.Empty:
            return False
        return True

    def telemetry(self) -> list[ReceivedMessage]:
        """Return the messages since the last call."""
        received, self._first = self._first, []
        while not self._arriving.empty():
            received.append(self._arriving.get())
        return received

    def how(self) -> str:
        """Return the state of each line."""
        return "; ".join(
            f"{one.url}: {one.why or (one.node or 'nobody') + ' is on it'}" for one in self.service.states
        )


class _ChipPins:
    """A stand-in for :class:`_Lines` for a scale on the box's own pins: waits, and hears nothing."""

    def __init__(self, simulated: Path | None) -> None:
        self.simulated = simulated

    def wait(self, seconds: float) -> bool:
        time.sleep(seconds)
        return False

    def telemetry(self) -> list[ReceivedMessage]:
        return []


@contextmanager
def _open_scale(
    options: Options,
) -> Iterator[tuple[Scale, weighing.WeighingSource, Path, Callable[[], str]]]:
    """Open the scale of the options: the scale, its source, its folder, and a function that says how its
    device is.

    Raises :class:`device.files.FolderBusy` while a box runs.
    """
    config = load_settings(options)
    scale, state = choose_section(config.scale, "scale", options.scale), find_state(options, config)
    with hold_folder(state):
        folder = state / "sensors" / "scale"
        if not scale.node:
            table = state / "simulated_table.json"
            if scale.source == SIMULATED and not on_a_pi():
                say(Texts.load()("scale.ask.simulated", file=table))
            try:
                source = weighing.open_source(scale, _ChipPins(None if on_a_pi() else table))
            except weighing.NoTable as error:
                raise UsageError(Texts.load()("scale.no_table")) from error
            yield scale, source, folder, lambda: f"{scale.source}: {getattr(source, 'why', '')}"
            return
        if not config.line:
            raise UsageError(f"{scale.source}: there is no [[line]] in the settings")
        lines = _Lines(config, state)
        with start_blocking_portal() as loop:
            serving = loop.start_task_soon(lines.service.run)
            try:
                yield scale, weighing.open_source(scale, lines), folder, lines.how
            finally:
                serving.cancel()


class Feeling:
    """A scale's messages; it tells troubles as they come."""

    def __init__(
        self,
        source: weighing.WeighingSource,
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
        device: Callable[[], str] = lambda: "the scale",
    ) -> None:
        """Read ``source``; ``say`` gets the scale's troubles, ``device`` describes its connection."""
        self.device = device
        self.health = Health("ok")
        self._source, self.say, self._clock = source, say, clock
        self._texts = Texts.load()

    def messages(self, seconds: float) -> Iterator[ScaleMessage]:
        """Yield all messages of the scale for ``seconds``."""
        end = self._clock() + seconds
        while self._clock() < end:
            for message in self._source.messages():
                if isinstance(message, Health):
                    self._note_health(message)
                yield message

    def rest(self) -> Weight:
        """Return the next weight at rest; raises :class:`CommandError` if none comes."""
        for message in self.messages(PATIENCE_S):
            if isinstance(message, Weight) and message.rests:
                return message
        why = self._trouble() or self._texts("scale.waiting")
        raise CommandError(f"no weight at rest within {PATIENCE_S:g} s ({self.device()}). {why}")

    def _note_health(self, health: Health) -> None:
        changed, self.health = health.state != self.health.state, health
        if changed and (said := self._trouble()):
            self.say(said)

    def _trouble(self) -> str:
        if self.health.state in ("ok", "rebooted"):
            return ""
        figures: dict[str, object] = {"gate": "?", "noise": "?"}
        return self._texts(f"scale.{self.health.state}", **figures | dict(self.health.figures))


# Calibrate


@action(
    "learn what a keshi of your copy weighs: lay them on the tray one by one",
    take.option("--pieces N", "how many (default: %(default)s)", type=take.whole(ENOUGH, 300), default=GOOD),
    take.option("--at-once", "lay them all on at once: says less of how much they vary"),
    take.option("--weight GRAMS", "lay on a known weight first: masses are then real ones", type=float),
    take.section("scale"),
    take.box,
)
def calibrate(options: Options) -> None:
    """Calibrate a scale with somebody's hands."""
    texts = Texts.load()
    with _open_scale(options) as (scale, source, folder, device):
        feeling = Feeling(source, say, device=device)
        try:
            before = weighing.load(folder, scale.source)
        except weighing.LearntError as error:
            say(str(error))
            before = PieceCalibration()
        known = PieceCalibration(gain=before.gain)
        calibrating = weighing.Calibrating(known)
        _ask(texts("scale.ask.empty"))
        calibrating.rests(feeling.rest())
        if options.weight:
            _ask(texts("scale.ask.weight", grams=f"{options.weight:g}"))
            try:
                calibrating.learn_known(feeling.rest(), options.weight)
            except ValueError as error:
                raise CommandError(str(error)) from error
            _ask(texts("scale.ask.empty"))
            calibrating.rests(feeling.rest())
        count_in(calibrating, feeling, options.pieces, texts, at_once=options.at_once)
        found = calibrating.calibration
        file = weighing.save(folder, scale.source, found)
    print(f"{file}: {_describe(found)}")


def count_in(
    calibrating: weighing.Calibrating, feeling: Feeling, pieces: int, texts: Texts, *, at_once: bool = False
) -> None:
    """Learn from ``pieces``, laid on the empty tray one by one or ``at_once``.

    Raises :class:`CommandError` if the scale says nothing, or the weight at once cannot be so many pieces.
    """
    if at_once:
        _ask(texts("scale.ask.at_once", pieces=pieces))
        if (outcome := calibrating.rests(feeling.rest(), pieces)) != "laid":
            raise CommandError(texts(f"scale.outcome.{outcome.replace(' ', '_')}"))
        return
    say(texts("scale.ask.one_by_one", pieces=pieces))
    began = time.monotonic()
    while (known := calibrating.calibration.pieces) < pieces:
        outcome = calibrating.rests(feeling.rest())
        if outcome == "laid":
            say(f"{known + 1}: {_describe(calibrating.calibration)}")
        elif outcome != "same":
            say(texts(f"scale.outcome.{outcome.replace(' ', '_')}"))
        elif time.monotonic() - began > PATIENCE_S * pieces:
            raise CommandError(texts("scale.ask.one_by_one", pieces=pieces))


def _ask(text: str) -> None:
    """Say a text and wait for Enter."""
    say(text)
    sys.stdin.readline()


def _describe(found: PieceCalibration) -> str:
    spread = f"they vary by {100 * found.spread:.0f} %"
    return f"{found.pieces} pieces, {found.mean_mg:.0f} mg ± {100 * found.error:.1f} %, {spread}"


# Self-test


class ScaleTest(msgspec.Struct, frozen=True):
    """One test of the scale: the finding (``seen``), the ``limit``, and the ``remedy`` beyond it."""

    name: str
    fine: bool
    seen: str
    limit: str
    remedy: str


class ScaleReport(msgspec.Struct, frozen=True):
    """The output of `podesta tray selftest --json`: ``fine`` is false if any test fails."""

    fine: bool
    tests: tuple[ScaleTest, ...]


@action(
    "whether the scale is fit: rate, saturation, noise, different values, a press of the hand",
    take.option("--simulated", "on a simulated scale"),
    take.section("scale"),
    take.box,
    take.json(ScaleReport, ScaleTest),
)
def selftest(options: Options) -> int:
    """Print each test of the scale."""
    if options.simulated:
        clock, source, table = simulate_scale()
        tests = tuple(run_tests(Feeling(source, say, clock), lambda: table.hand(2000)))
    else:
        with _open_scale(options) as (_, source, _folder, device):
            feeling = Feeling(source, say, device=device)
            tests = tuple(run_tests(feeling, lambda: say(Texts.load()("scale.ask.tap"))))
    fine = all(test.fine for test in tests)
    show(options, ScaleReport(fine, tests), lambda: (line for test in tests for line in _write_test(test)))
    return Exit.FINE if fine else Exit.WRONG


def _write_test(test: ScaleTest) -> list[str]:
    told = f"{'ok' if test.fine else 'FAIL':<4} {test.name}: {test.seen} ({test.limit})"
    return [told] if test.fine else [told, f"     {test.remedy}"]


REMEDIES = {
    "rate": "Look at the converter's wires and its address or pins; on a line, whether the node is there.",
    "saturation": "Take off what presses on the tray; look for a broken wire between cell and converter.",
    "noise": "Put it on a firm table, shorten and twist the cell's wires, keep fans and lamps' cables away.",
    "different values": "The converter hangs or its input is open: switch it off and on, look at the cell's "
    "four wires.",
    "press": "The tray touches something beside its cell, or the cell is not screwed down at one end only.",
}


def run_tests(feeling: Feeling, tap: Callable[[], None]) -> Iterator[ScaleTest]:
    """Yield each test of a scale; ``tap`` asks for a press on it. Without samples there is only the first."""
    rests = False
    for message in feeling.messages(FIGURES_S):
        rests = message.rests if isinstance(message, Weight) else rests
    figures = dict(feeling.health.figures)
    rate, noise, unique = (figures.get(name) for name in ("rate", "noise", "unique"))
    ends = feeling.health.state == "saturated"
    for name, fine, seen, limit in (
        (
            "rate",
            rate is not None and rate >= LEAST_RATE,
            f"{rate:g} samples/s" if rate else f"no samples ({feeling.device()})",
            f"≥ {LEAST_RATE:g}",
        ),
        ("saturation", not ends, "at its end" if ends else "within its range", "within its range"),
        (
            "noise",
            noise is not None and noise <= MOST_NOISE,
            "not known" if noise is None else f"{noise:g} mg",
            f"≤ {MOST_NOISE:g} mg",
        ),
        (
            "different values",
            unique is not None and unique >= LEAST_UNIQUE,
            "not known" if unique is None else f"{unique:g} of 64",
            f"≥ {LEAST_UNIQUE}",
        ),
    ):
        yield ScaleTest(name, fine, seen, limit, REMEDIES[name])
        if not rate:
            return
    tap()
    felt = rests and any(isinstance(one, Weight) and not one.rests for one in feeling.messages(PATIENCE_S))
    limit = f"felt within {PATIENCE_S:g} s"
    yield ScaleTest("press", felt, "felt" if felt else "not felt", limit, REMEDIES["press"])


def simulate_scale() -> tuple[Callable[[], float], weighing.WeighingSource, WeighedTable]:
    """Return a scale that only exists here: its clock, the source of its messages, and the tray on it."""
    table, now = WeighedTable(1), 0.0

    def wait(seconds: float) -> None:
        nonlocal now
        now += seconds

    def clock() -> float:
        return now

    converter = weighing.WeighedConverter(table, clock)
    settling = Settling(table.cell.mg_per_count, tray_mg=round(table.cell.tray_mg))
    return clock, weighing.OnPins(lambda: converter, settling, wait, clock), table


# Simulate


EXPECT: Final = """\
What to expect: by weight alone few keshis are counted at once, and of many the box is in doubt. Doubted is
not wrong: it shows the likeliest numbers and people answer with a press; taken off one by one they settle it.
Where pieces vary by 5 % and 40 were counted in, one throw of nine in twelve is doubted and one of twelve in
four; a copy may be better or much worse. Wrong without a doubt: less than 1 in 1,000. Why: COUNTING.md."""


@action(
    "throws into a simulated tower, on the node's real firmware and a whole box with a match",
    take.option("--seed N", "default: %(default)s", type=int, default=1),
    take.option("--throws N", "default: %(default)s", type=take.whole(1, 100_000), default=20),
    take.option("--camera", "read the colours too, by a modelled camera"),
    take.option("--json", "the figures as JSON, the last line"),
)
def simulate(options: Options) -> None:
    """Print the outcome of so many throws."""
    from device.bench.tray import measure  # noqa: PLC0415 – OpenCV, with a camera

    say(EXPECT)
    try:
        found = measure(options.seed, options.throws, camera=options.camera, say=say)
    except (RuntimeError, TimeoutError) as error:
        raise CommandError(str(error)) from error
    if options.json:
        print(msgspec.json.encode(found).decode())
        return
    print(f"SIMULATED: seed {found.seed}, {found.throws} throws, pieces vary by {found.spread:.0%}")
    print(f"firmware by {found.firmware}, camera {found.camera}")
    print(f"exact {found.exact}, doubted {found.doubted}, silently wrong {found.silent_wrong}")
    if found.alone:
        alone = found.alone
        print(f"alone: exact {alone.exact}, doubted {alone.doubted}, silently wrong {alone.silent_wrong}")
    for name in found.latency_ms.__struct_fields__:
        median, worst = getattr(found.latency_ms, name)
        print(f"{name:8} median {median:.0f} ms, worst {worst:.0f} ms")


run = Command(actions={"calibrate": calibrate, "selftest": selftest, "simulate": simulate})
