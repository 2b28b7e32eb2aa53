"""The readers over a folder of pictures with truth: what is right, doubted, and wrong without a word.

A folder holds NAME.json beside the picture that it names. What a truth holds is its game's; the games' own
parts are the modules ``bench`` of their readers. Pictures of other things are counted and passed over. A file
that is not right is told in one line; the others still count.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated, Any, Generic, NamedTuple, Protocol, Self, TypeVar

import msgspec

from device.sensors.readers import BENCHES
from device.sensors.sources import CameraError, read_picture
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
R = TypeVar("R")


class PictureWithTruth(msgspec.Struct, Generic[P], frozen=True):
    """One picture and its truth."""

    picture: Path
    truth: P


class FolderFound(msgspec.Struct, frozen=True):
    """The pictures of a folder: ``scenes`` by game and by the names of the files without their ends.

    ``skipped`` counts pictures of other games, ``wrong`` are the files that are not right, a line each.
    """

    scenes: Mapping[str, Mapping[str, PictureWithTruth[Any]]]
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

    k: int
    n: int

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


class PictureOutcome(NamedTuple):
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


class JudgedPicture(msgspec.Struct, frozen=True):
    """One picture beside its truth: the ``word`` and the ``note`` of its line, the ``outcomes`` of what is
    counted in it and what stages took; of its parts so many are ``right``.
    """

    word: str
    outcomes: tuple[PictureOutcome, ...]
    stages: Stages
    note: str = ""
    right: Share = Share(0, 0)

    @classmethod
    def of(cls, outcome: PictureOutcome, stages: Stages, note: str) -> JudgedPicture:
        """Return that of a picture that is read as a whole."""
        return cls(outcome.word, (outcome,), stages, note)

    def line(self, name: str) -> str:
        """Return the picture's line: what it came to and how long that took."""
        spent = sum(ms for _, ms in self.stages)
        return f"{name}: {self.word}, {spent:.0f} ms{': ' if self.note else ''}{self.note}"


def word_of(parts: Sequence[PictureOutcome], what: str) -> str:
    """Return what became of the parts of a picture, in words."""
    word = f"{sum(one.exact for one in parts)} of {len(parts)} {what} right"
    if doubted := sum(one.doubted for one in parts):
        word += f", {doubted} doubted"
    return f"{word}, SILENT" if any(one.silent for one in parts) else word


class ReadingCounts(msgspec.Struct, frozen=True, kw_only=True):
    """``n`` readings, of which so many were ``exact``, asked about (``doubted``), wrong without a question
    (``silent_wrong``). A picture took so many ms; null of nothing.
    """

    n: int
    exact: int
    doubted: int
    silent_wrong: int
    ms_median: float | None
    ms_worst: float | None

    @classmethod
    def of(cls, outcomes: Sequence[PictureOutcome], stages: Iterable[Stages], **more: float | None) -> Self:
        """Return the sums, with what a kind has ``more`` of."""
        middle, worst = times(stages)
        return cls(
            n=len(outcomes),
            exact=sum(one.exact for one in outcomes),
            doubted=sum(one.doubted for one in outcomes),
            silent_wrong=sum(one.silent for one in outcomes),
            ms_median=middle,
            ms_worst=worst,
            **more,
        )

    @classmethod
    def over(cls, judged: Iterable[JudgedPicture], **more: float | None) -> Self:
        """Return the sums over pictures."""
        pictures = list(judged)
        outcomes = [one for picture in pictures for one in picture.outcomes]
        return cls.of(outcomes, [picture.stages for picture in pictures], **more)


def right_share(judged: Iterable[JudgedPicture]) -> float | None:
    """Return which share of the parts of pictures is right."""
    shares = [one.right for one in judged]
    return Share(sum(one.k for one in shares), sum(one.n for one in shares)).value


def times(all_stages: Iterable[Stages]) -> tuple[float | None, float | None]:
    """Return the median and the worst of all stages together."""
    spent = [math.fsum(ms for _, ms in stages) for stages in all_stages]
    return (round(median(spent), 1), round(max(spent), 1)) if spent else (None, None)


def by_stage(all_stages: Iterable[Stages]) -> list[str]:
    """Return a line for each stage: its median and its worst time."""
    spent: dict[str, list[float]] = {}
    for stages in all_stages:
        for name, ms in stages:
            spent.setdefault(name, []).append(ms)
    return [f"{name}: median {median(found):.1f}, worst {max(found):.1f}" for name, found in spent.items()]


# A report


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


class Each(Protocol):
    """Reads scenes one by one; those that cannot be read are left out, and told."""

    def __call__(
        self, scenes: Mapping[str, PictureWithTruth[P]], one: Callable[[PictureWithTruth[P]], R], /
    ) -> dict[str, R]:
        """Return what ``one`` makes of each scene."""


class ReportSection(msgspec.Struct, frozen=True):
    """``figures`` by their key in the report; a line for each picture; the figures for people; what stages
    took how long, by key.
    """

    figures: Mapping[str, msgspec.Struct] = {}
    pictures: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    stages: Mapping[str, tuple[Stages, ...]] = {}

    def __add__(self, other: ReportSection) -> ReportSection:
        """Return both in one."""
        return ReportSection(
            {**self.figures, **other.figures},
            self.pictures + other.pictures,
            self.table + other.table,
            {**self.stages, **other.stages},
        )


def lines(key: str, figures: msgspec.Struct) -> tuple[str, ...]:
    """Return figures for people, a line each, counts of readings with the interval in which the true share
    lies; of no picture none.
    """
    found = msgspec.structs.asdict(figures)
    counts = ("exact", "doubted", "silent_wrong") if isinstance(figures, ReadingCounts) else ()
    found |= {name: Share(found[name], found["n"]) for name in counts}
    shares = (name for name in found if name.endswith(("_right", "_share")) and found[name] is not None)
    found |= {name: f"{found[name]:.2%}" for name in shares}
    return tuple(f"{key}: {name.replace('_', ' ')} {value}" for name, value in found.items() if found["n"])


def section(
    key: str, judged: Mapping[str, JudgedPicture], figures: msgspec.Struct, told: str = ""
) -> ReportSection:
    """Return the section of figures that have a line each, and of their pictures; ``told`` stands behind the
    names of these.
    """
    stages = tuple(one.stages for one in judged.values())
    pictures = tuple(one.line(f"{name}{told}") for name, one in judged.items())
    return ReportSection({key: figures}, pictures, lines(key, figures), {key: stages})


class BenchReport(ReportSection, frozen=True, kw_only=True):
    """The outcomes of a folder's pictures, of all games together. ``skipped`` counts pictures of other
    things, ``unreadable`` are files that are not right and ``failed`` pictures at which a reader failed, a
    line each.
    """

    skipped: Mapping[str, int]
    unreadable: tuple[str, ...]
    failed: tuple[str, ...]

    @property
    def wrong(self) -> tuple[str, ...]:
        """Return what went wrong, a line each."""
        return (*self.unreadable, *self.failed)

    def json(self) -> dict[str, Any]:
        """Return the report as it is printed."""
        counts = {"skipped": self.skipped, "unreadable": len(self.unreadable), "faults": len(self.failed)}
        return {**msgspec.to_builtins(self.figures), **counts}


def measure(folder: Path, options: Options) -> BenchReport:
    """Read all pictures of a folder; raises OSError if it cannot be looked into.

    The first picture of a kind is read twice and the second time counts, as what a reader makes ready once in
    its life belongs to no picture.
    """
    kinds = {game: import_module(name) for game, name in BENCHES.items()}
    found = look(folder, {game: kind.Truth for game, kind in kinds.items()})
    unreadable, failed = list(found.wrong), list[str]()

    def read(
        scenes: Mapping[str, PictureWithTruth[P]], one: Callable[[PictureWithTruth[P]], R]
    ) -> dict[str, R]:
        first = next(iter(scenes.values()), None)
        done: dict[str, R] = {}
        for name, scene in scenes.items():
            try:
                if scene is first:
                    one(scene)
                done[name] = one(scene)
            except Unreadable as error:
                unreadable.append(f"{scene.picture}: {error}")
            except Exception as error:
                # One picture's fault must not cost the others: it is told, and the exit status tells too.
                why = " ".join(str(error).split())
                failed.append(f"{scene.picture}: {type(error).__name__}: {why}")
        return done

    sections = [kind.measure(found.scenes[game], read, options) for game, kind in kinds.items()]
    whole = msgspec.structs.asdict(sum(sections, ReportSection()))
    return BenchReport(**whole, skipped=found.skipped, unreadable=tuple(unreadable), failed=tuple(failed))


def table(measured: BenchReport) -> Iterator[str]:
    """Yield the whole of it for people to read."""
    yield from measured.pictures
    yield from measured.table
    for key, taken in measured.stages.items():
        yield from (f"{key} {line}" for line in by_stage(taken))
    for kind, number in measured.skipped.items():
        yield f"passed over: {number} of {kind}"
