"""One field of a simulated table through a camera: its pictures, and what a reader makes of them."""

from functools import lru_cache
from pathlib import Path

import msgspec

import engines
from device.sensors import readers
from device.sensors.learnt import Mount
from device.sensors.messages import Expected
from device.sensors.readers import judging
from device.sensors.readers.reader import Seen
from device.sensors.simulated_table import SimulatedTable
from device.sensors.sources import PictureFrame, small_of
from device.sensors.sources.simulated import lens_of, paint
from device.settings import CameraSettings
from vision import painter

SIZE = (1280, 960)
LENS = lens_of(SIZE)


class Lensed:
    """A simulated camera's source, of which a reader asks the lens."""

    lens = LENS


def framed(picture):
    return PictureFrame(picture, small_of(picture), 0.0)


def frame(shown, field, seed=1):
    """A picture of what is shown, with noise of its own."""
    return framed(painter.noisy(_painted(msgspec.json.encode(shown), field), seed))


@lru_cache(maxsize=24)
def _painted(table, field):
    """A table, as its file has it: painting takes longer than reading."""
    return paint(msgspec.json.decode(table, type=SimulatedTable), LENS, [readers.load_painting(field)])


class Reading:
    """A reader of a field for matches of a game; each picture is another."""

    seed, cell_mm = 1, 0.0

    def __init__(self, game, field, first, setup=None, file=None):
        """``first`` is its first picture, ``file`` that of the simulated table where the reader needs one."""
        camera = CameraSettings("simulated", field=field, width=SIZE[0], height=SIZE[1])
        mount = Mount(camera, Path("absent"), file, field)
        self.game, self.field = engines.game(game), field
        self.facts = setup.facts if setup else ()
        self.reader = readers.open_reader(game, mount, Lensed(), first)

    def expect(self, state, cell_mm=None, question=""):
        """Have the match stand so: a state, or the text of its position."""
        self.state = state
        position = state if isinstance(state, str) else self.game.position.write(state)
        cell_mm = self.cell_mm if cell_mm is None else cell_mm
        told = Expected("m", 3, self.game.id, position, cell_mm, facts=self.facts, question=question)
        self.reader.expect(told)

    def look(self, shown):
        """A finding, and the reading that it makes."""
        self.seed += 1
        picture = shown if isinstance(shown, PictureFrame) else frame(shown, self.field, self.seed)
        finding = self.reader.read(picture, None)
        return finding, self.reader.report(Seen(finding, picture, agreed=True))


def outcome(finding, truth):
    """Return what a finding is beside the truth. Where no turn leads, whichever it is, that is told as a
    doubt.
    """
    match finding.verdict:
        case None:
            return "waited for"
        case judging.Doubted(candidates=candidates):
            return "doubted" if truth in [one.layout for one in candidates] else "doubted, without the truth"
        case verdict if finding.troubles:
            return "doubted" if verdict.layout == truth else "doubted, without the truth"
        case verdict:
            return "exact" if verdict.layout == truth else "wrong and sure"


def opened(path, game, field, position, shown, first=None):
    """Return what a reader opened for a simulated table makes of it, in a match at a position; and the
    reader.
    """
    shown.save(path)
    one = first or frame(shown, field)
    reading = Reading(game, field, one, file=path)
    reading.expect(position)
    return (*reading.look(one), reading.reader)
