"""A camera's process answers what the box asks it: a picture, a lesson, or that the camera is gone."""

import queue
import threading

import cv2
import numpy as np
import pytest

from device.sensors import messages, readers
from device.sensors.camera import Worker
from device.sensors.camera.eye import TooMuchToSee
from device.sensors.door import Door, Ended
from device.sensors.learnt import Mount
from device.sensors.messages import Away, Begin, Taught, Teach
from device.sensors.readers.san_gimignano import teaching as decks
from device.sensors.simulated_table import CameraFault, SimulatedTable
from device.sensors.sources.pictures import CameraError, PictureFrame, small_of
from device.settings import CameraSettings, PluginSection
from device.texts import quoted, said
from tests.device.sensors.readers.test_shelf import ABOVE, LENS
from vision.cards.painter import CardsScene, slots

DECK = Teach(1, "san_gimignano", learn=True)


class Shown:
    """A camera that shows one picture after the other, or is unplugged."""

    name = "a camera"
    lens = LENS

    def __init__(self, *shown):
        self.shown, self.closed = list(shown), 0

    def grab(self):
        shown = self.shown.pop(0)
        if isinstance(shown, Exception):
            raise shown
        return PictureFrame(shown, small_of(shown), 0.0)

    def close(self):
        self.closed += 1


class Asked:
    """A camera's process without a process, asked by a box that waits for an answer to each line."""

    def __init__(self, state, source, table=None, work=None):
        self._heard, self.said = queue.SimpleQueue(), queue.SimpleQueue()
        camera = CameraSettings("simulated" if table else "folder:/pictures", width=1280, height=960)
        begin = Begin(PluginSection("camera", 0, {}), str(state / "sensors" / "camera"), str(table or ""))
        worker = Worker(Mount(camera, state, table), Door(begin, self._heard, self.said.put))
        if source:
            worker._open = lambda: source
        if work:
            worker._limit_work = work
        self._thread = threading.Thread(target=self._run, args=(worker,), daemon=True)
        self._thread.start()

    def _run(self, worker):
        try:
            worker.run()
        except Ended:
            return

    def ask(self, *lessons):
        """The answers, and what else was said till then."""
        for lesson in lessons:
            self._heard.put(messages.encode(lesson))
        answers, others = [], []
        while len(answers) < len(lessons):
            said = self.said.get(timeout=60)
            (answers if isinstance(said, Taught) else others).append(said)
        return answers, others

    def end(self):
        self._heard.put(b"")
        self._thread.join(30)
        assert not self._thread.is_alive()


@pytest.fixture(scope="module")
def deck():
    return slots(ABOVE, decks.SLOTS, CardsScene(3, 4))


def test_without_a_match_it_opens_shows_learns_and_closes(tmp_path, deck):
    source = Shown(deck, deck)
    asked = Asked(tmp_path, source)
    (shown, taught), _ = asked.ask(Teach(7, "san_gimignano"), Teach(8, "san_gimignano", learn=True))
    asked.end()
    assert (shown.number, shown.says, shown.learnt) == (7, (), False)
    picture = cv2.imdecode(np.frombuffer(shown.picture, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == deck.shape
    assert np.abs(picture.astype(int) - deck).mean() < 8
    assert (taught.number, taught.says, taught.learnt) == (
        8,
        (said("teach.learnt", what=said("teach.cards", n=8)),),
        True,
    )
    assert set(
        decks.Taught.load(tmp_path, CameraSettings("folder:/pictures", width=1280, height=960)).corners
    ) == set(decks.SLOTS)
    assert source.closed >= 1


def test_what_is_wrong_is_answered_with_the_picture(tmp_path, deck):
    asked = Asked(tmp_path, Shown(np.zeros_like(deck), deck))
    (nothing, sizes), _ = asked.ask(DECK, Teach(2, "san_gimignano", {"card": (5.0, 9.0)}, learn=True))
    asked.end()
    assert nothing.says == (said("cards.no_field"),)
    assert nothing.picture
    assert not nothing.learnt
    assert sizes.says == (said("teach.impossible", what=said("teach.piece.card"), width="5", height="9"),)
    assert not list(tmp_path.glob("decks/*"))


def test_a_camera_unplugged_in_the_middle_is_an_answer(tmp_path, deck):
    asked = Asked(tmp_path, Shown(deck, CameraError("a camera: pulled out"), deck))
    (shown, gone), others = asked.ask(Teach(1, "san_gimignano"), Teach(2, "san_gimignano", learn=True))
    assert shown.picture
    assert gone == Taught(2, (quoted("a camera: pulled out"),))
    assert Away(quoted("a camera: pulled out")) in others
    (again,), _ = asked.ask(Teach(3, "san_gimignano", learn=True))  # it is plugged in again
    asked.end()
    assert again.learnt


def test_too_much_to_see_is_an_answer(tmp_path, deck):
    class Work:
        def __enter__(self):
            raise TooMuchToSee

        def __exit__(self, *_):
            return False

    asked = Asked(tmp_path, Shown(deck), work=Work)
    (taught,), _ = asked.ask(DECK)
    asked.end()
    assert taught.says == (said("camera.too_much"),)


@pytest.mark.parametrize(
    ("game", "sizes", "learnt"),
    [
        pytest.param("san_gimignano", {}, said("teach.cards", n=8), marks=pytest.mark.pictures),
        ("marrakesh", {"keshi": (11.0, 7.0)}, said("teach.colours", n=12)),
    ],
)
def test_a_simulated_camera_paints_the_pieces_and_says_so(tmp_path, game, sizes, learnt):
    table = tmp_path / "table.json"
    SimulatedTable().save(table)
    asked = Asked(tmp_path, None, table)
    (taught,), _ = asked.ask(Teach(1, game, sizes, learn=True))
    assert taught.says == (said("teach.learnt", what=learnt), said("teach.simulated"))
    SimulatedTable(faults=frozenset({CameraFault.UNPLUGGED})).save(table)
    (gone,), _ = asked.ask(Teach(2, game, sizes, learn=True))
    asked.end()
    assert gone.says == (said("camera.gone", camera=said("camera.simulated")),)


def test_a_real_camera_loads_nothing_that_paints(tmp_path, monkeypatch):
    (tmp_path / "1.jpg").touch()
    monkeypatch.setattr(readers, "load_painting", pytest.fail)
    camera = CameraSettings(f"folder:{tmp_path}", field="board")
    begin = Begin(PluginSection("camera", 0, {}), str(tmp_path / "sensors" / "camera"))
    worker = Worker(Mount(camera, tmp_path), Door(begin, queue.SimpleQueue(), lambda _: None))
    assert worker._open().name == str(tmp_path)
