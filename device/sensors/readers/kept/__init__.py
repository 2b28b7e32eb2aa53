"""Readings kept from matches (`podesta vision keep`), read again by the very readers of the table.

Their folder holds what was taught as well, as a state directory does: the lens and the copy's looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

import engines
from device import config
from device.sensors import readers
from device.sensors.learnt import LearntError
from device.sensors.messages import Expected, Reading
from device.sensors.reader import Mount, Seen
from device.sensors.readers import bench
from device.sensors.sources import PictureFrame, small_of
from device.settings import CameraSettings
from engines.contract import OutOfStep
from engines.readings import Observation, believed

GAME = "kept"
"""The game of their truth; ``expected`` names the one that was played."""


class KeptTruth(bench.Named, frozen=True, kw_only=True):
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
    written = {"game": GAME, **msgspec.to_builtins(truth)}
    return msgspec.json.format(msgspec.json.encode(written)) + b"\n"


def measure(
    scenes: Mapping[str, bench.PictureWithTruth[KeptTruth]], read: bench.Each, _options: bench.Options
) -> bench.ReportSection:
    """Read all pictures that were kept in a folder."""
    judged = read(scenes, _judged)
    return bench.section(GAME, judged, bench.ReadingCounts.over(judged.values()))


def _judged(scene: bench.PictureWithTruth[KeptTruth]) -> bench.JudgedPicture:
    truth, watch = scene.truth, bench.Stopwatch()
    frame = _frame(scene, scene.picture.name)
    before = [_frame(scene, truth.earlier)] if truth.earlier else []
    found = None
    for field in truth.camera.fields or readers.fields(truth.expected.game):
        mount = Mount(truth.camera, scene.picture.parent, field=field)
        try:
            found = found or _reading(truth, mount, [*before, frame], watch)
        except LearntError as error:
            raise bench.Unreadable(str(error)) from error
    if found is None:
        return bench.JudgedPicture.of(
            bench.PictureOutcome.of(False, sure=False), watch.stages, "nothing is told"
        )
    text = found.candidates[0][0]
    asked = found.question or found.why or len(found.candidates) > 1
    sure = not asked and not any(isinstance(meaning, OutOfStep) for meaning in found.meanings)
    return bench.JudgedPicture.of(bench.PictureOutcome.of(_same(truth, text), sure), watch.stages, text)


def _frame(scene: bench.PictureWithTruth[KeptTruth], name: str) -> PictureFrame:
    picture = bench.open_picture(scene.picture.with_name(name))
    return PictureFrame(picture, small_of(picture), 0.0)


def _reading(
    truth: KeptTruth, mount: Mount, frames: list[PictureFrame], watch: bench.Stopwatch
) -> Reading | None:
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
