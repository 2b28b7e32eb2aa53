"""The readers over a folder of pictures with truth: what is right, doubted, and wrong without a word.

A folder holds NAME.json beside the picture that it names. Each kind of picture has a module ``bench``:
``Truth`` is what its truth holds, ``nothing`` its figures of no picture, and ``judge`` reads one picture and
sets it beside its truth. Pictures of other things are counted and passed over. A file that is not right is
told in one line; the others still count.

This module is the kind ``kept`` itself: readings of matches (`podesta vision keep`), read again by the very
readers of the table. Their folder holds what was taught, too, as a state directory does.
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
    """Of which file something is known: ``picture``, of the truth's name where it is empty."""

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
"""The pictures of one kind in a folder, by the names of the files without their ends."""


class FolderFound(msgspec.Struct, frozen=True):
    """The pictures of a folder: ``scenes`` by game.

    ``skipped`` counts pictures of other games, ``wrong`` are the files that are not right, a line each.
    """

    scenes: Mapping[str, Scenes[Any]]
    skipped: Mapping[str, int]
    wrong: tuple[str, ...]


class Unreadable(Exception):
    """A file that should hold a picture and does not; the message says how so."""


class _Game(msgspec.Struct, frozen=True):
    game: str


def look(folder: Path, truths: Mapping[str, type[Named]]) -> FolderFound:
    """Return everything in a folder, by what the truth of each game holds; raises OSError where that cannot
    be looked into.
    """
    scenes: dict[str, dict[str, PictureWithTruth[Any]]] = {game: {} for game in truths}
    skipped: Counter[str] = Counter()
    wrong = []
    for path in sorted(one for one in folder.iterdir() if one.suffix == ".json"):
        try:
            text = path.read_bytes()
            game = msgspec.json.decode(text, type=_Game).game
            if game in truths:
                truth = msgspec.json.decode(text, type=truths[game])
                scenes[game][path.stem] = PictureWithTruth(_picture(path, truth.picture), truth)
            else:
                skipped[game] += 1
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
            wrong.append(f"{path}: {' '.join(str(error).split())}")
        except OSError as error:
            wrong.append(f"{error.filename or path}: {error.strerror or error}")
    return FolderFound(scenes, dict(skipped), tuple(wrong))


def _picture(path: Path, named: str) -> Path:
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
    """Return the lens, the field, and where that lies in the picture, by its ``camera`` if not the first."""
    height, width = picture.shape[:2]
    camera = camera or place.camera
    lens = Lens((width, height), camera.fx, camera.fy, camera.cx, camera.cy, camera.dist)
    field = Field(*place.field_mm, place.first_marker, place.marker_gap_mm)
    return lens, field, find(picture, lens, field)


def troubles_of(sight: FieldSight) -> str:
    """Return what is wrong with the markers."""
    return ", ".join(trouble.kind.name.lower() for trouble in sight.troubles)


def named(scenes: Scenes[P], name: str, what: str) -> PictureWithTruth[P]:
    """Return the picture with a ``name``, which another one calls ``what``; raises :class:`.Unreadable`."""
    if found := scenes.get(Path(name).stem):
        return found
    raise Unreadable(f"{what}: there is no truth of {name}")


# Figures

Stages = tuple[tuple[str, float], ...]
"""The stages in order, each with its time in ms."""

Z = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations."""


class Stopwatch:
    """A stopwatch, stage by stage."""

    def __init__(self) -> None:
        self._found: list[tuple[str, float]] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Take the time of what is done meanwhile."""
        begin = perf_counter()
        yield
        self._found.append((name, round(1000 * (perf_counter() - begin), 2)))

    @property
    def stages(self) -> Stages:
        """All stages so far."""
        return tuple(self._found)


class Share(msgspec.Struct, frozen=True):
    """``k`` of ``n``, and between what lies the true share with 95 % (Wilson), 0 to 1."""

    k: int = 0
    n: int = 0

    @classmethod
    def of(cls, found: Sequence[bool]) -> Share:
        """Return the share of what is true."""
        return cls(sum(found), len(found))

    def __add__(self, other: Share) -> Share:
        """Return the share of both together."""
        return Share(self.k + other.k, self.n + other.n)

    @property
    def value(self) -> float | None:
        """The share; None of nothing."""
        return self.k / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval; of nothing everything."""
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


class Median(msgspec.Struct, frozen=True):
    """The median of numbers, None of nothing."""

    of: tuple[float, ...] = ()

    def __add__(self, other: Median) -> Median:
        """Return that of both together."""
        return type(self)(self.of + other.of)

    @property
    def value(self) -> float | None:
        """The figure itself."""
        return round(median(self.of), 1) if self.of else None


class Worst(Median, frozen=True):
    """The greatest of numbers, None of nothing."""

    @property
    def value(self) -> float | None:
        """The figure itself."""
        return round(max(self.of), 1) if self.of else None


Figures = Mapping[str, Any]
"""Figures by name: what adds up to those of several pictures, numbers, :class:`Share` or :class:`Median`."""
COUNTS = ("exact", "doubted", "silent_wrong")


class PictureOutcome(msgspec.Struct, frozen=True):
    """The outcome of one reading: whether it was ``exact``, whether people would be asked (``doubted``), and
    whether something was wrong that nobody would be asked about (``silent``).
    """

    exact: bool
    doubted: bool
    silent: bool

    @classmethod
    def of(cls, exact: bool, sure: bool) -> PictureOutcome:
        """Return that of a reading that is sure as a whole, or is not."""
        return cls(exact, not sure, sure and not exact)

    @property
    def word(self) -> str:
        """For people."""
        word = "right" if self.exact else "wrong"
        return f"{word}, doubted" if self.doubted else f"{word}, SILENT" if self.silent else word


def word_of(parts: Sequence[PictureOutcome], what: str) -> str:
    """Return what became of the parts of a picture, in words."""
    word = f"{sum(one.exact for one in parts)} of {len(parts)} {what} right"
    if doubted := sum(one.doubted for one in parts):
        word += f", {doubted} doubted"
    return f"{word}, SILENT" if any(one.silent for one in parts) else word


def counted(outcomes: Sequence[PictureOutcome] = (), stages: Stages | None = None) -> Figures:
    """Return the figures of readings in a picture: how many were exact, doubted and silently wrong, and the
    time it took.
    """
    return {
        "n": len(outcomes),
        "exact": sum(one.exact for one in outcomes),
        "doubted": sum(one.doubted for one in outcomes),
        "silent_wrong": sum(one.silent for one in outcomes),
        **times(stages),
    }


def times(stages: Stages | None = None) -> Figures:
    """Return the figures of the time that a picture took; of none without any."""
    spent = () if stages is None else (math.fsum(ms for _, ms in stages),)
    return {"ms_median": Median(spent), "ms_worst": Worst(spent)}


class JudgedPicture(msgspec.Struct, frozen=True):
    """One picture beside its truth: the ``word`` and the ``note`` of its line, what stages took, and what it
    adds to ``figures``, by their key in the report, of which the first is that of its kind.
    """

    word: str
    stages: Stages
    figures: Mapping[str, Figures]
    note: str = ""

    @classmethod
    def whole(cls, key: str, outcome: PictureOutcome, stages: Stages, note: str) -> JudgedPicture:
        """Return that of a picture that is read as a whole."""
        return cls(outcome.word, stages, {key: counted([outcome], stages)}, note)

    @property
    def key(self) -> str:
        """The key of its kind."""
        return next(iter(self.figures))

    def line(self, name: str) -> str:
        """Return the picture's line: what it came to and how long that took."""
        spent = sum(ms for _, ms in self.stages)
        return f"{name}: {self.word}, {spent:.0f} ms{': ' if self.note else ''}{self.note}"


# The report


class Options(msgspec.Struct, frozen=True):
    """The parts of a truth that the readers may use: with ``prior`` what stood there before and whose turn it
    was, with ``scale`` the weight, with ``one_view`` no more than the first picture. In an ``evening``
    the pictures are turns of one match by one fixed camera, in the order of their names.
    """

    prior: bool = False
    scale: bool = False
    one_view: bool = False
    evening: bool = False
    by_keys: Callable[[str, str, Sequence[str]], int] = lambda *_: 0
    """Counts the presses that the steps of a turn cost at the keys, of a game from a position."""


class BenchReport(msgspec.Struct, frozen=True):
    """The outcomes of a folder's pictures, of all games together: ``judged`` by name, ``figures`` by key;
    None is one of nothing. ``skipped`` counts pictures of other things, ``unreadable`` are files that are not
    right and ``failed`` pictures at which a reader failed, a line each.
    """

    judged: Mapping[str, JudgedPicture]
    figures: Mapping[str, Mapping[str, float | None]]
    skipped: Mapping[str, int]
    unreadable: tuple[str, ...]
    failed: tuple[str, ...]

    @property
    def wrong(self) -> tuple[str, ...]:
        """Return what went wrong, a line each."""
        return (*self.unreadable, *self.failed)

    @property
    def pictures(self) -> list[str]:
        """Return a line for each picture."""
        return [one.line(name) for name, one in self.judged.items()]

    def json(self) -> dict[str, Any]:
        """Return the report as it is printed."""
        counts = {"skipped": self.skipped, "unreadable": len(self.unreadable), "faults": len(self.failed)}
        return {**self.figures, **counts}


def measure(folder: Path, options: Options) -> BenchReport:
    """Read all pictures of a folder; raises OSError if it cannot be looked into.

    The first picture of a kind is read twice and the second time counts, as what a reader makes ready once in
    its life belongs to no picture.
    """
    kinds = {game: readers.part(game, "bench") for game in readers.GAMES} | {KEPT: sys.modules[__name__]}
    found = look(folder, {game: kind.Truth for game, kind in kinds.items()})
    unreadable, failed = list(found.wrong), list[str]()
    judged: dict[str, JudgedPicture] = {}
    sums: dict[str, Figures] = {}
    for game, kind in kinds.items():
        sums |= kind.nothing(options)
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
                # One picture's fault must not cost the others: it is told, and the exit status tells too.
                why = " ".join(str(error).split())
                failed.append(f"{scene.picture}: {type(error).__name__}: {why}")
                continue
            if one:  # else it only teaches how to read others
                ready.add(one.key)
                judged[name] = one
                sums |= {key: _added(sums[key], figures) for key, figures in one.figures.items()}
    told = {
        key: {name: getattr(figure, "value", figure) for name, figure in figures.items()}
        for key, figures in sums.items()
    }
    return BenchReport(judged, told, found.skipped, tuple(unreadable), tuple(failed))


def _added(one: Figures, other: Figures) -> Figures:
    return {name: figure + other[name] for name, figure in one.items()}


def table(measured: BenchReport) -> Iterator[str]:
    """Yield the whole of it for people to read."""
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
        yield from (f"{key} {line}" for line in by_stage(taken))
    for kind, number in measured.skipped.items():
        yield f"passed over: {number} of {kind}"


def by_stage(all_stages: Iterable[Stages]) -> list[str]:
    """Return a line for each stage: its median and its worst time."""
    spent: dict[str, list[float]] = {}
    for stages in all_stages:
        for name, ms in stages:
            spent.setdefault(name, []).append(ms)
    return [f"{name}: median {median(found):.1f}, worst {max(found):.1f}" for name, found in spent.items()]


# Readings kept from matches

KEPT = "kept"
"""The game of their truth; ``expected`` names the one that was played."""


class KeptTruth(Named, frozen=True, kw_only=True):
    """A picture: the layout it was ``expected`` to show, and the one it did: a layout of the sight ``what``,
    or what the table answered. ``earlier`` is the picture before it, in which all was as the match had it.
    """

    camera: CameraSettings
    expected: Expected
    what: str
    layout: str
    earlier: str = ""


Truth = KeptTruth


def kept_file(truth: KeptTruth) -> bytes:
    """Return what the file of a truth holds."""
    written = {"game": KEPT, **msgspec.to_builtins(truth)}
    return msgspec.json.format(msgspec.json.encode(written)) + b"\n"


def nothing(_options: Options) -> Mapping[str, Figures]:
    """Return the figures of no picture, by key."""
    return {KEPT: counted()}


def judge(scene: PictureWithTruth[KeptTruth], _scenes: Scenes[KeptTruth], _options: Options) -> JudgedPicture:
    """Read a picture that was kept, and set it beside what was there."""
    truth, watch = scene.truth, Stopwatch()
    frames = [_frame(scene.picture.with_name(truth.earlier))] if truth.earlier else []
    frames.append(_frame(scene.picture))
    found = None
    for field in truth.camera.fields or readers.fields(truth.expected.game):
        mount = Mount(truth.camera, scene.picture.parent, field=field)
        try:
            found = found or _reading(truth, mount, frames, watch)
        except LearntError as error:
            raise Unreadable(str(error)) from error
    if found is None:
        outcome, text = PictureOutcome.of(False, sure=False), "nothing is told"
    else:
        text = found.candidates[0][0]
        asked = found.question or found.why or len(found.candidates) > 1
        sure = not asked and not any(isinstance(meaning, OutOfStep) for meaning in found.meanings)
        outcome = PictureOutcome.of(_same(truth, text), sure)
    return JudgedPicture.whole(KEPT, outcome, watch.stages, text)


def _frame(path: Path) -> PictureFrame:
    picture = open_picture(path)
    return PictureFrame(picture, small_of(picture), 0.0)


def _reading(truth: KeptTruth, mount: Mount, frames: list[PictureFrame], watch: Stopwatch) -> Reading | None:
    """Return what a field's reader tells of the last picture; None where it shows that field not."""
    nowhere: Any = None  # where a lens comes from that was not calibrated
    reader = readers.open_reader(truth.expected.game, mount, nowhere, frames[-1])
    reader.expect(truth.expected)
    told = None
    for frame in frames:
        if reader.region(frame) is None:
            return None
        with watch("read" if frame is frames[-1] else "earlier"):
            told = reader.tell(Seen(reader.read(frame, None), frame, agreed=True))
    return told if told is not None and told.what == truth.what else None


def _same(truth: KeptTruth, text: str) -> bool:
    """Return whether a text of what was read means what was there; raises Malformed."""
    game = engines.game(truth.expected.game)
    state = game.position.read(truth.expected.position, truth.expected.facts)
    sight = game.in_sight(state).get(truth.what)
    if sight is None:
        one, other = (Observation(truth.what, ((each, 1.0),)) for each in (text, truth.layout))
        return believed(game, state, one) == believed(game, state, other)
    return bool(sight.read(text) == sight.read(truth.layout))
