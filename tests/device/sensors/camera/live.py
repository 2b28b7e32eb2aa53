"""The camera's process with a table in front of it, picture by picture in a time of its own."""

import queue
import threading
import time
from functools import lru_cache
from pathlib import Path

import msgspec

from device.sensors import messages, readers
from device.sensors.camera import QUARTER_DEG, Worker
from device.sensors.door import Door, Ended
from device.sensors.learnt import Mount
from device.sensors.messages import NO_MATCH, Away, Beat, Begin, Expected, Reading
from device.sensors.simulated_table import CameraFault, SimulatedTable
from device.sensors.sources.pictures import CameraError, PictureFrame, small_of
from device.sensors.sources.simulated import lens_of, paint
from device.settings import CameraSettings, PluginSection
from device.texts import Texts, in_words, key_of
from tests.e2e.test_camera import standing
from vision import painter

SIZE = (960, 720)
LENS = lens_of(SIZE)
EVERY_MS = 150.0
BOARD = Mount(CameraSettings("simulated"), Path("/nowhere"))
TEXTS = Texts.load(strict=True)


@lru_cache(maxsize=64)
def shown(table, seed, fields=("board",), lens=LENS):
    """A painted table, as its file has it, with a picture's noise; and the small picture."""
    picture = painter.noisy(_painted(table, fields, lens), seed)
    return picture, small_of(picture)


@lru_cache(maxsize=4)
def _painted(table, fields, lens):
    return paint(msgspec.json.decode(table, type=SimulatedTable), lens, [*map(readers.load_painting, fields)])


class Scripted:
    """A camera that gives the pictures it is handed, or says what it is handed: that it is gone."""

    name = "a camera"

    def __init__(self, lens):
        self.lens = lens
        self.frames = queue.Queue()
        self.busy = False

    def grab(self):
        if self.busy:
            self.frames.task_done()
        self.busy = True
        frame = self.frames.get()
        if isinstance(frame, BaseException):
            raise frame
        return frame

    def close(self):
        if self.busy:
            self.frames.task_done()
        self.busy = False


class Beside:
    """A second camera before the same table, whose pictures are painted when they are asked for."""

    def __init__(self, lens):
        self.lens, self.table, self.grabbed = lens, SimulatedTable(), 0

    def opened(self):
        if CameraFault.UNPLUGGED in self.table.second_faults:
            raise CameraError("the second camera: pulled out")
        return self

    def grab(self):
        table = self.opened().table
        azimuth = table.azimuth_deg + QUARTER_DEG
        turned = msgspec.structs.replace(table, azimuth_deg=azimuth, faults=table.second_faults)
        self.grabbed += 1
        frame = shown(msgspec.json.encode(turned), self.grabbed % 3, ("board",), self.lens)
        return PictureFrame(*frame, self.grabbed * EVERY_MS, simulated=True)

    def close(self):
        pass


class Playing(Worker):
    """The camera's process, without a process."""

    def __init__(self, source, heard, say, mount, beside=None):
        door = Door(Begin(PluginSection("camera", 0, {}), "/nowhere"), heard, say)
        second = msgspec.structs.replace(mount, turned_deg=QUARTER_DEG) if beside else None
        self.source, self.beside = source, beside
        super().__init__(mount, door, second)

    def _open_source(self, mount, *fields):
        return self.beside.opened() if mount.turned_deg else self.source


class Live:
    """A table under a camera; ``said`` is everything that the process said.

    ``expected`` is on the table unless a test says otherwise before its first picture: what is said while the
    process waits for one counts only from the next on.
    """

    def __init__(self, expected: Expected, mount: Mount = BOARD, lens=LENS, *, beside=None):
        self._mount, self._beside = mount, beside
        self.source, self.said = Scripted(lens), []
        self._expected = expected
        self._fields = mount.camera.fields or readers.list_fields(expected.game)
        self._heard, self._at, self._failed = queue.SimpleQueue(), 0, []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        try:
            Playing(self.source, self._heard, self.said.append, self._mount, self._beside).run()
        except Ended:
            return
        except BaseException as error:
            self._failed.append(error)
            while True:  # nobody must wait for what is dead
                self.source.frames.task_done()
                self.source.frames.get()

    def expect(self, expect: Expected):
        """People have said what is on the table."""
        self._expected = None
        self._heard.put(messages.encode(expect))

    def look(self, table, pictures=12):
        """So many pictures of a table; what they told."""
        if self._expected:
            self.expect(self._expected)
        before = len(self.said)
        if self._beside:
            self._beside.table = table
        for _ in range(pictures):
            self._at += 1
            picture, small = shown(msgspec.json.encode(table), self._at % 3, self._fields, self.source.lens)
            self.source.frames.put(PictureFrame(picture, small, self._at * EVERY_MS, simulated=True))
        self.source.frames.join()
        if self._failed:
            raise self._failed[0]
        return [one for one in self.said[before:] if isinstance(one, Reading)]

    def see(self, layout, *faults, pictures=12):
        """Return the same of a board."""
        return self.look(standing(layout, *faults), pictures)

    def rests(self, pictures=3):
        """The match ends: how many of so many pictures more are left alone."""
        self.expect(NO_MATCH)
        self.source.frames.put(
            PictureFrame(*shown(msgspec.json.encode(SimulatedTable()), 0), self._at * EVERY_MS)
        )
        self.source.frames.join()  # the one that was waited for already
        for _ in range(pictures):
            self.source.frames.put(None)
        time.sleep(0.05)
        left = self.source.frames.qsize()
        for _ in range(left):
            self.source.frames.get()
            self.source.frames.task_done()
        return left

    @property
    def words(self):
        """What the process says is wrong, or that its camera is away, as people read it."""
        last = next(one for one in reversed(self.said) if isinstance(one, Beat | Away))
        if isinstance(last, Away):
            return key_of(last.why)
        return "; ".join(in_words(one, TEXTS) for one in last.troubles)

    @property
    def away(self):
        """Why the camera was away, each time."""
        return [str(one.why) for one in self.said if isinstance(one, Away)]

    def end(self):
        """Nobody listens any more."""
        self._heard.put(b"")
        self.source.frames.put(Ended())
        self._thread.join(5)
