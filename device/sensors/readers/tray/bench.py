"""Pictures of trays beside the truth: the number of keshis of each colour, and their weight."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec

from device.sensors.learnt import LearntError
from device.sensors.readers import bench
from device.sensors.readers.tray.reader import judge as judge_reading
from device.sensors.readers.tray.teaching import find_samples, make_palette
from device.texts import key_of
from engines import bags
from engines.bags import Bag
from engines.marrakesh.pieces import COLOURS, keshis
from vision.mast import stands
from vision.scale import NOISE_MG, PieceCalibration, count_pieces
from vision.tray import reading as trays
from vision.tray.palette import KeshiPalette
from vision.tray.plan import Keshi

KEY, OUTSIDE = "tray", "tray_outside"
STANDARD_DEG = 70.0
"""The least elevation of a tray's camera by the table standard; trays seen from lower are counted apart."""
SPREAD = 0.05
"""The standard deviation of a piece's mass in the folders of trays, as a share of the mean."""
Count = Annotated[int, msgspec.Meta(ge=0, le=255)]


class Truth(bench.FieldTruth, frozen=True, kw_only=True):
    """A tray's truth, by the names of the file; a scale knows ``weight_mg`` and ``piece_mg``. ``strip`` is a
    picture of the strip with the copy's colours, by the same camera under the same lamps.
    """

    keshi_mm: tuple[bench.Positive, bench.Positive]
    counts: dict[str, Count]
    piece_mg: bench.Positive | None = None
    weight_mg: float | None = None
    strip: str = ""

    @property
    def keshis(self) -> Bag:
        """The keshis on the tray."""
        return keshis(self.counts)

    def __post_init__(self) -> None:
        _ = self.keshis


class TrayRead(msgspec.Struct, frozen=True):
    """The reading of one picture of a tray: the keshis, None if no tray was found, and whether people would
    be asked. ``outside`` is true if the camera stands lower than :data:`STANDARD_DEG`.
    """

    keshis: Bag | None
    asks: bool = False
    stages: bench.Stages = ()
    note: str = ""
    outside: bool = False


def name_figures(_options: bench.Options) -> Mapping[str, Mapping[str, bench.Total]]:
    """Return the figures by key."""
    return {KEY: bench.COUNTED, OUTSIDE: bench.COUNTED}


def judge(
    scene: bench.PictureWithTruth[Truth], _scenes: bench.Scenes[Truth], options: bench.Options
) -> bench.JudgedPicture:
    """Read a tray and compare it with its truth; people are told of one that was not found."""
    read, truth = read_tray(scene.picture, scene.truth, options), scene.truth.keshis
    notes = [read.note] if read.note else []
    notes += ["outside the standard"] if read.outside else []
    if read.keshis is None:
        notes.append("no tray found")
    else:
        more = (bags.count(read.keshis, kind) - bags.count(truth, kind) for kind in range(len(COLOURS)))
        notes += [f"{number:+d} {colour}" for number, colour in zip(more, COLOURS, strict=True) if number]
    outcome = bench.PictureOutcome.of(read.keshis == truth, not (read.asks or read.keshis is None))
    return bench.JudgedPicture.whole(OUTSIDE if read.outside else KEY, outcome, read.stages, "; ".join(notes))


def read_tray(picture: Path, tray: Truth, options: bench.Options) -> TrayRead:
    """Read a tray; nothing is known of the tower, so any number of each colour may lie there."""
    pixels, watch = bench.open_picture(picture), bench.Stopwatch()
    palette = _learn_palette(picture.with_name(tray.strip), tray) if options.strip and tray.strip else None
    with watch("find"):
        lens, field, sight = bench.place_of(pixels, tray)
    with watch("read"):
        reading = trays.read(pixels, lens, field, sight, Keshi(*tray.keshi_mm), palette)
    if sight.pose is None:
        return TrayRead(None, asks=True, stages=watch.stages, note=bench.name_troubles(sight))
    with watch("judge"):
        total = None
        if options.scale and tray.weight_mg is not None and tray.piece_mg is not None:
            pieces = PieceCalibration.exact(tray.piece_mg, SPREAD)
            total = count_pieces(tray.weight_mg, NOISE_MG, pieces)
        judged = judge_reading(reading, total=total)
    note = ", ".join(
        (*(key_of(one).partition(".")[2] for one in judged.why), f"{judged.contents[0].chance:.1%} sure")
    )
    outside = stands(sight.pose, field)[0] < STANDARD_DEG
    return TrayRead(judged.best, bool(judged.why), watch.stages, note, outside)


def _learn_palette(strip: Path, tray: Truth) -> KeshiPalette:
    """Return the colours learnt from a picture of the strip; raises :class:`.bench.Unreadable`."""
    pixels = bench.open_picture(strip)
    lens, _, _ = bench.place_of(pixels, tray)
    try:
        samples, _ = find_samples([(strip.name, pixels)], lens, Keshi(*tray.keshi_mm))
    except LearntError as error:
        raise bench.Unreadable(f"{strip}: {error}") from error
    return make_palette(samples)[0]
