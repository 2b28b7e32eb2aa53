"""`podesta camera calibrate`: by a folder of pictures, and by a camera that is held to the board."""

from shutil import copytree

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from device.cli import main
from device.commands import Exit
from device.commands import camera as command
from device.sensors import learnt
from device.sensors.sources.pictures import CameraError, PictureFrame, small_of
from device.settings import CameraSettings
from tests.vision import boards
from vision import calibrate as lens

CAMERA = CameraSettings("picamera", width=800, height=600)


SEEN = {}
"""Where the board lies in each picture that was looked at: most tests show the same ones."""


@pytest.fixture(autouse=True)
def _each_picture_is_looked_at_once(monkeypatch):
    look = lens.look

    def once(picture, name=""):
        key = picture.tobytes()
        if key not in SEEN:
            SEEN[key] = look(picture)
        return SEEN[key] and replace(SEEN[key], name=name)

    monkeypatch.setattr(lens, "look", once)


@pytest.fixture
def calibrate(tmp_path, capsys):
    """Run it; its exit status, output and error lines."""
    config = tmp_path / "podesta.toml"
    config.write_text('[[camera]]\nsource = "picamera"\nwidth = 800\nheight = 600\n')
    state = tmp_path / "state"

    def run(*argv):
        status = main(
            ["camera", "calibrate", "--config", str(config), "--state", str(state), *map(str, argv)]
        )
        out, err = capsys.readouterr()
        return status, out, err.splitlines()

    return run


@pytest.fixture(scope="module")
def taken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("taken")
    for number, picture in enumerate(boards.pictures()):
        cv2.imwrite(str(folder / f"{number:02}.png"), picture)
    return folder


@pytest.fixture
def folder(tmp_path, taken):
    """A folder of pictures that are enough."""
    return copytree(taken, tmp_path / "pictures")


class Held:
    """A camera through which the board is moved about; each view is seen several times."""

    name = "held"

    def __init__(self, *pictures, focus=None, end=None):
        self.frames = [each for each in pictures for _ in range(3)]
        self.facts = {} if focus is None else {"focus": focus}
        self.end = end
        self.closed = False

    def grab(self):
        if not self.frames:
            raise self.end or CameraError("held: unplugged")
        picture = self.frames.pop(0)
        return PictureFrame(picture, small_of(picture), 0.0, self.facts)

    def close(self):
        self.closed = True


def plugged(monkeypatch, source):
    monkeypatch.setattr(command.sources, "open_source", lambda _camera: source)
    return source


def test_by_a_folder(calibrate, folder, tmp_path):
    (folder / "notes.txt").write_text("not a picture")
    status, out, err = calibrate("--pictures", folder)
    assert (status, err) == (Exit.FINE, [])
    found = learnt.load_lens(tmp_path / "state", CAMERA)
    assert str(learnt.lens_file(tmp_path / "state", CAMERA)) in out
    assert found.views == 24
    assert found.rms_px < 0.1
    assert found.lens.fx == pytest.approx(boards.SMALL.fx, rel=0.002)


def test_pictures_that_are_not_taken_are_named(calibrate, folder):
    (folder / "torn.png").write_bytes((folder / "00.png").read_bytes()[:2000])
    cv2.imwrite(str(folder / "wall.png"), np.full((600, 800, 3), 200, np.uint8))
    (folder / "again.png").write_bytes((folder / "05.png").read_bytes())
    status, _, err = calibrate("--pictures", folder)
    assert status == Exit.FINE
    assert len(err) == 3
    # The first of two that are alike, by name, is taken.
    for line, name in zip(err, ["again.png", "torn.png", "wall.png"], strict=True):
        assert name in line


def test_what_is_missing_is_said_and_nothing_saved(calibrate, folder, tmp_path):
    for number in range(8, 24):
        (folder / f"{number:02}.png").unlink()
    status, _, err = calibrate("--pictures", folder)
    assert status == Exit.WRONG
    assert "8 of 20 views" in err[0]
    assert any("12 more" in line for line in err)
    assert not (tmp_path / "state").exists()


@pytest.mark.pictures
def test_a_lens_that_cannot_be_relied_on_is_not_saved(calibrate, folder, tmp_path):
    random = np.random.default_rng(1)
    for file in folder.iterdir():
        # As if the board were a waving sheet: each picture is bent in its own way.
        rows, columns = np.mgrid[:600, :800].astype(np.float32)
        waves = random.uniform(0.01, 0.03, 2), random.uniform(0, 6, 2)
        bent_x = columns + 4 * np.sin(rows * waves[0][0] + waves[1][0]).astype(np.float32)
        bent_y = rows + 4 * np.sin(columns * waves[0][1] + waves[1][1]).astype(np.float32)
        bent = cv2.remap(cv2.imread(str(file)), bent_x, bent_y, cv2.INTER_LINEAR)
        cv2.imwrite(str(file), bent)
    status, _, err = calibrate("--pictures", folder)
    assert status == Exit.WRONG
    assert "more than half a pixel" in err[-1]
    assert not (tmp_path / "state").exists()


def test_no_such_folder_or_camera(calibrate, tmp_path):
    assert calibrate("--pictures", tmp_path / "nowhere")[0] == Exit.UNREADABLE
    status, _, err = calibrate("--camera", 2)
    assert status == Exit.USAGE
    assert "only 1 [[camera]]" in err[0]
    (tmp_path / "podesta.toml").write_text("")
    assert "no [[camera]]" in calibrate()[2][0]


def test_by_a_camera_it_guides_and_stops_when_it_has_enough(calibrate, monkeypatch, tmp_path):
    held = plugged(monkeypatch, Held(*boards.pictures(), boards.pictures()[0]))
    status, _, err = calibrate()
    assert status == Exit.FINE
    assert held.closed
    assert held.frames  # it did not look at more than it needed
    assert err[0].startswith("1 of 20 views.")
    assert len(err) == len(set(err))
    assert any("Show the board at the" in line for line in err)
    assert learnt.load_lens(tmp_path / "state", CAMERA).views >= 20


def test_camera_that_goes_away_or_does_not_see_the_board(calibrate, monkeypatch, tmp_path):
    held = plugged(monkeypatch, Held(*boards.pictures()[:3]))
    status, _, err = calibrate()
    assert status == Exit.WRONG
    assert err[-1] == "podesta: held: unplugged"
    assert held.closed
    wall = np.full((600, 800, 3), 200, np.uint8)
    plugged(monkeypatch, Held(*[wall] * 150))
    status, _, err = calibrate()
    assert status == Exit.WRONG
    assert "podesta: 0 of 20 views." in err
    assert not (tmp_path / "state").exists()
