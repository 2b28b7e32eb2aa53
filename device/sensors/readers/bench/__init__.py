"""The readers over a folder of pictures with truth: right, doubted, and silently wrong readings.

A folder holds NAME.json beside the picture that it names. Each kind of picture has a module ``bench``:
``Truth`` is the form of its truth, ``name_figures`` names its figures, and ``judge`` reads one picture and
compares it with its truth. Pictures of other things are counted and passed over. A faulty file is reported in
one line; the others still count.

This module is the kind ``kept`` itself: readings of matches (`podesta vision keep`), read again by the
readers of the table. Their folder also holds the teachings, like a state directory.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated, Any, Generic, TypeVar

import msgspec

import engines
from device.sensors import readers
from device.sensors.learnt import LearntError, Mount
from device.sensors.messages import Expected, Reading
from device.sensors.readers.reader import Seen
from device.sensors.sources import CameraError, PictureFrame, read_picture, small_of
from device.settings import CameraSettings
from engines.contract import OutOfStep
from engines.readings import Observation, believed
from vision.field import Field, FieldSight, find
from vision.lens import Lens, Picture

# Truth

Positive = Annotated[float, msgspec.Meta(gt=0)]


class LensTruth(msgspec.Struct, frozen=True):
    """The lens as a calibration gives it, in px; ``dist`` is k1 k2 p1 p2 k3."""

    fx: Positive
    fy: Positive
    cx: float
    cy: float
    dist: tuple[float, float, float, float, float]


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """The file that a truth is about: ``picture``, by default the one with the truth's name."""

    picture: str = ""


class FieldTruth(Named, frozen=True, kw_only=True):
    """The field that a picture shows: its size in mm and its markers."""

    field_mm: tuple[Positive, Positive]
    first_marker: Annotated[int, msgspec.Meta(ge=0)]
    marker_gap_mm: Annotated[float, msgspec.Meta(ge=0)]
    camera: LensTruth


P = TypeVar("P", bound=Named)


class PictureWithTruth(msgspec.Struct, Generic[P], frozen=True):
    """One picture and its truth."""

    picture: Path
    truth: P


Scenes = Mapping[str, PictureWithTruth[P]]
"""The pictures of one kind in a folder, by the names of the files without their suffix."""


class FolderFound(msgspec.Struct, frozen=True):
    """The pictures of a folder: ``scenes`` by game.

    ``skipped`` counts pictures of other games, ``wrong`` are the faulty files, a line each.
    """

    scenes: Mapping[str, Scenes[Any]]
    skipped: Mapping[str, int]
    wrong: tuple[str, ...]


class Unreadable(Exception):
    """Error raised when a file should hold a picture and does not; the message says why."""


class _Game(msgspec.Struct, frozen=True):
    game: str


def find_pictures(folder: Path, truths: Mapping[str, type[Named]]) -> FolderFound:
    """Return everything in a folder, by the truth of each game; raises OSError if it cannot be opened."""
    scenes: dict[str, dict[str, PictureWithTruth[Any]]] = {game: {} for game in truths}
    skipped: Counter[str] = Counter()
    wrong = []
    for path in sorted(one for one in folder.iterdir() if one.suffix == ".json"):
        try:
            text = path.read_bytes()
            game = msgspec.json.decode(text, type=_Game).game
            if game in truths:
                truth = msgspec.json.decode(text, type=truths[game])
                scenes[game][path.stem] = PictureWithTruth(_find_picture(path, truth.picture), truth)
            else:
                skipped[game] += 1
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
            wrong.append(f"{path}: {' '.join(str(error).split())}")
        except OSError as error:
            wrong.append(f"{error.filename or path}: {error.strerror or error}")
    return FolderFound(scenes, dict(skipped), tuple(wrong))


def _find_picture(path: Path, named: str) -> Path:
    """Return the picture that a file names, beside it; raises OSError if it is missing."""
    picture = path.with_name(named or f"{path.stem}.jpg")
    picture.stat()
    return picture


def open_picture(path: Path) -> Picture:
    """Read the picture in a file; raises :class:`.Unreadable`."""
    try:
        return read_picture(path)
    except CameraError as error:
        raise Unreadable(str(error).removeprefix(f"{path}: ")) from error


def place_of(
    picture: Picture, place: FieldTruth, camera: LensTruth | None = None
) -> tuple[Lens, Field, FieldSight]:
    """Return the lens, the field, and its place in the picture, by its ``camera`` if not the first."""
    height, width = picture.shape[:2]
    camera = camera or place.camera
    lens = Lens((width, height), camera.fx, camera.fy, camera.cx, camera.cy, camera.dist)
    field = Field(*place.field_mm, place.first_marker, place.marker_gap_mm)
    return lens, field, find(picture, lens, field)


def name_troubles(sight: FieldSight) -> str:
    """Return the troubles with the markers."""
    return ", ".join(trouble.kind.name.lower() for trouble in sight.troubles)


def find_named(scenes: Scenes[P], name: str, what: str) -> PictureWithTruth[P]:
    """Return the picture with a ``name``, which another one calls ``what``; raises :class:`.Unreadable`."""
    if found := scenes.get(Path(name).stem):
        return found
    raise Unreadable(f"{what}: there is no truth of {name}")


# Figures

Stages = tuple[tuple[str, float], ...]
"""The stages in order, each with its time in ms."""

Z = 1.959963984540054
"""The number of standard deviations that hold 95 % of a normal distribution."""


class Stopwatch:
    """A stopwatch, stage by stage."""

    def __init__(self) -> None:
        self._found: list[tuple[str, float]] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Time the work inside."""
        begin = perf_counter()
        yield
        self._found.append((name, round(1000 * (perf_counter() - begin), 2)))

    @property
    def stages(self) -> Stages:
        """All stages so far."""
        return tuple(self._found)


class Share(msgspec.Struct, frozen=True):
    """A share, ``k`` of ``n``, with the interval of the true share at 95 % (Wilson), 0 to 1."""

    k: int = 0
    n: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval; 0 to 1 without any."""
        if not self.n:
            return 0.0, 1.0
        share, z2 = self.k / self.n, Z * Z
        middle = share + z2 / (2 * self.n)
        half = Z * math.sqrt(share * (1 - share) / self.n + z2 / (4 * self.n * self.n))
        scale = 1 + z2 / self.n
        # Of none or all the end is 0 or 1, which the sums miss by a last digit.
        return min(max((middle - half) / scale, 0.0), share), max(min((middle + half) / scale, 1.0), share)

    def __str__(self) -> str:
        if not self.n:
            return "0 of 0"
        low, high = self.interval
        return f"{self.k} of {self.n} = {self.k / self.n:.1%} ({low:.1%} to {high:.1%})"


Figures = Mapping[str, Any]
"""The figures of one picture by name: numbers, and a pair (how many, of how many) for a share."""
Total = Callable[[Sequence[Any]], float | None]
"""Makes a figure of all pictures from those of each; None without a value."""


def sum_shares(found: Sequence[tuple[int, int]]) -> float | None:
    """Return a share from pairs (how many, of how many)."""
    n = sum(each for _, each in found)
    return sum(each for each, _ in found) / n if n else None


def take_median(found: Sequence[float]) -> float | None:
    """Return the median."""
    return round(median(found), 1) if found else None


def take_worst(found: Sequence[float]) -> float | None:
    """Return the greatest."""
    return round(max(found), 1) if found else None


COUNTS = ("exact", "doubted", "silent_wrong")
TIMES: Mapping[str, Total] = {"ms_median": take_median, "ms_worst": take_worst}
COUNTED: Mapping[str, Total] = {**dict.fromkeys(("n", *COUNTS), sum), **TIMES}
"""The figures of :func:`count_outcomes`."""


class PictureOutcome(msgspec.Struct, frozen=True):
    """The outcome of one reading: whether it was ``exact``, whether people would be asked (``doubted``), and
    whether a fault would go unasked (``silent``).
    """

    exact: bool
    doubted: bool
    silent: bool

    @classmethod
    def of(cls, exact: bool, sure: bool) -> PictureOutcome:
        """Return the outcome of a reading that is sure as a whole, or is not."""
        return cls(exact, not sure, sure and not exact)

    @property
    def text(self) -> str:
        """The outcome for people."""
        text = "right" if self.exact else "wrong"
        return f"{text}, doubted" if self.doubted else f"{text}, SILENT" if self.silent else text


def describe_outcomes(parts: Sequence[PictureOutcome], what: str) -> str:
    """Return the outcome of the parts of a picture, in words."""
    text = f"{sum(one.exact for one in parts)} of {len(parts)} {what} right"
    if doubted := sum(one.doubted for one in parts):
        text += f", {doubted} doubted"
    return f"{text}, SILENT" if any(one.silent for one in parts) else text


def count_outcomes(outcomes: Sequence[PictureOutcome], stages: Stages) -> Figures:
    """Return the figures of readings in a picture: the numbers of exact, doubted and silently wrong ones, and
    the time.
    """
    return {
        "n": len(outcomes),
        "exact": sum(one.exact for one in outcomes),
        "doubted": sum(one.doubted for one in outcomes),
        "silent_wrong": sum(one.silent for one in outcomes),
        **add_times(stages),
    }


def add_times(stages: Stages) -> Figures:
    """Return the figures of a picture's time."""
    return dict.fromkeys(TIMES, math.fsum(ms for _, ms in stages))


class JudgedPicture(msgspec.Struct, frozen=True):
    """One picture beside its truth: ``outcome`` and ``note`` of its line, the times of its ``stages``, and
    its ``figures`` by their key in the report, of which the first is that of its kind.
    """

    outcome: str
    stages: Stages
    figures: Mapping[str, Figures]
    note: str = ""

    @classmethod
    def whole(cls, key: str, outcome: PictureOutcome, stages: Stages, note: str) -> JudgedPicture:
        """Return the judgement of a picture that is read as a whole."""
        return cls(outcome.text, stages, {key: count_outcomes([outcome], stages)}, note)

    @property
    def key(self) -> str:
        """The key of its kind."""
        return next(iter(self.figures))

    def line(self, name: str) -> str:
        """Return the picture's line: its outcome and time."""
        spent = sum(ms for _, ms in self.stages)
        return f"{name}: {self.outcome}, {spent:.0f} ms{': ' if self.note else ''}{self.note}"


# The report


class Options(msgspec.Struct, frozen=True):
    """The parts of a truth that the readers may use: with ``prior`` the earlier layout and the seat to move,
    with ``scale`` the weight, with ``strip`` the picture of a copy's own colours, with ``one_view`` only the
    first picture. In an ``evening`` the pictures are turns of one match by one fixed camera, in the order of
    their names.
    """

    prior: bool = False
    scale: bool = False
    strip: bool = False
    one_view: bool = False
    evening: bool = False
    by_keys: Callable[[str, str, Sequence[str]], int] = lambda *_: 0
    """Counts the presses that a turn's steps cost at the keys, from a game's position."""


class BenchReport(msgspec.Struct, frozen=True):
    """The outcomes of a folder's pictures, of all games together: ``judged`` by name, ``figures`` by key,
    None for a figure without pictures. ``skipped`` counts pictures of other things, ``unreadable`` are faulty
    files and ``failed`` pictures at which a reader failed, a line each.
    """

    judged: Mapping[str, JudgedPicture]
    figures: Mapping[str, Mapping[str, float | None]]
    skipped: Mapping[str, int]
    unreadable: tuple[str, ...]
    failed: tuple[str, ...]

    @property
    def wrong(self) -> tuple[str, ...]:
        """All faults, a line each."""
        return (*self.unreadable, *self.failed)

    @property
    def pictures(self) -> list[str]:
        """A line for each picture."""
        return [one.line(name) for name, one in self.judged.items()]

    def json(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        counts = {"skipped": self.skipped, "unreadable": len(self.unreadable), "faults": len(self.failed)}
        return {**self.figures, **counts}


def measure(folder: Path, options: Options) -> BenchReport:
    """Read all pictures of a folder; raises OSError if it cannot be opened.

    The first picture of a kind is read twice and the second time counts: a reader's one-time preparation
    belongs to no picture.
    """
    kinds = {game: readers.load_part(game, "bench") for game in readers.GAMES} | {KEPT: sys.modules[__name__]}
    found = find_pictures(folder, {game: kind.Truth for game, kind in kinds.items()})
    unreadable, failed = list(found.wrong), list[str]()
    judged: dict[str, JudgedPicture] = {}
    totals: dict[str, Mapping[str, Total]] = {}
    for game, kind in kinds.items():
        totals |= kind.name_figures(options)
        scenes, ready = found.scenes[game], set[str]()
        for name, scene in scenes.items():
            try:
                one = kind.judge(scene, scenes, options)
                if one and one.key not in ready:
                    one = kind.judge(scene, scenes, options)
            except Unreadable as error:
                unreadable.append(f"{scene.picture}: {error}")
                continue
            except Exception as error:
                # One picture's fault must not cost the others: it is reported, and changes the exit status.
                why = " ".join(str(error).split())
                failed.append(f"{scene.picture}: {type(error).__name__}: {why}")
                continue
            if one:  # else it only teaches how to read others
                ready.add(one.key)
                judged[name] = one
    totalled = {}
    for key, figures in totals.items():
        each = [one.figures[key] for one in judged.values() if key in one.figures]
        totalled[key] = {name: total([one[name] for one in each]) for name, total in figures.items()}
    return BenchReport(judged, totalled, found.skipped, tuple(unreadable), tuple(failed))


def write_table(measured: BenchReport) -> Iterator[str]:
    """Yield the report for people."""
    yield from measured.pictures
    for key, figures in measured.figures.items():
        for name, value in figures.items() if figures["n"] else ():
            shown: object = value
            if name in COUNTS:
                shown = Share(int(value or 0), int(figures["n"] or 0))
            elif name.endswith(("_right", "_share")) and value is not None:
                shown = f"{value:.2%}"
            yield f"{key}: {name.replace('_', ' ')} {shown}"
        taken = [one.stages for one in measured.judged.values() if one.key == key]
        yield from (f"{key} {line}" for line in list_stages(taken))
    for kind, number in measured.skipped.items():
        yield f"passed over: {number} of {kind}"


def list_stages(all_stages: Iterable[Stages]) -> list[str]:
    """Return a line for each stage: its median and its worst time."""
    spent: dict[str, list[float]] = {}
    for stages in all_stages:
        for name, ms in stages:
            spent.setdefault(name, []).append(ms)
    return [f"{name}: median {median(found):.1f}, worst {max(found):.1f}" for name, found in spent.items()]


# Readings kept from matches

KEPT = "kept"
"""The game in their truth files; ``expected`` names the one that was played."""


class KeptTruth(Named, frozen=True, kw_only=True):
    """A picture: the ``expected`` table, and the true ``layout`` of the sight ``what``, or the table's
    answer. ``earlier`` is the last picture before it that was as expected.
    """

    camera: CameraSettings
    expected: Expected
    what: str
    layout: str
    earlier: str = ""


Truth = KeptTruth


def encode_truth(truth: KeptTruth) -> bytes:
    """Return the content of a truth's file."""
    written = {"game": KEPT, **msgspec.to_builtins(truth)}
    return msgspec.json.format(msgspec.json.encode(written)) + b"\n"


def name_figures(_options: Options) -> Mapping[str, Mapping[str, Total]]:
    """Return the figures by key."""
    return {KEPT: COUNTED}


def judge(scene: PictureWithTruth[KeptTruth], _scenes: Scenes[KeptTruth], _options: Options) -> JudgedPicture:
    """Read a kept picture, and compare it with its true layout."""
    truth, watch = scene.truth, Stopwatch()
    frames = [_open_frame(scene.picture.with_name(truth.earlier))] if truth.earlier else []
    frames.append(_open_frame(scene.picture))
    found = None
    for field in truth.camera.fields or readers.list_fields(truth.expected.game):
        mount = Mount(truth.camera, scene.picture.parent, field=field)
        try:
            found = found or _read_field(truth, mount, frames, watch)
        except LearntError as error:
            raise Unreadable(str(error)) from error
    if found is None:
        outcome, text = PictureOutcome.of(False, sure=False), "nothing is told"
    else:
        text = found.candidates[0][0]
        asked = found.question or found.why or len(found.candidates) > 1
        sure = not asked and not any(isinstance(meaning, OutOfStep) for meaning in found.meanings)
        outcome = PictureOutcome.of(_means_same(truth, text), sure)
    return JudgedPicture.whole(KEPT, outcome, watch.stages, text)


def _open_frame(path: Path) -> PictureFrame:
    picture = open_picture(path)
    return PictureFrame(picture, small_of(picture), 0.0)


def _read_field(
    truth: KeptTruth, mount: Mount, frames: list[PictureFrame], watch: Stopwatch
) -> Reading | None:
    """Return what a field's reader tells of the last picture, None if a picture does not show the field."""
    nowhere: Any = None  # the source of a lens that was not calibrated
    reader = readers.open_reader(truth.expected.game, mount, nowhere, frames[-1])
    reader.expect(truth.expected)
    reading = None
    for frame in frames:
        if reader.find_region(frame) is None:
            return None
        with watch("read" if frame is frames[-1] else "earlier"):
            reading = reader.report(Seen(reader.read(frame, None), frame, agreed=True))
    return reading if reading is not None and reading.what == truth.what else None


def _means_same(truth: KeptTruth, text: str) -> bool:
    """Return True if a text that was read means the true layout; raises Malformed."""
    game = engines.game(truth.expected.game)
    state = game.position.read(truth.expected.position, truth.expected.facts)
    sight = game.in_sight(state).get(truth.what)
    if sight is None:
        one, other = (Observation(truth.what, ((each, 1.0),)) for each in (text, truth.layout))
        return believed(game, state, one) == believed(game, state, other)
    return bool(sight.read(text) == sight.read(truth.layout))
