"""A copy's colours are enrolled from the strip, kept whole, and a broken file is refused."""

import cv2
import pytest

from device import config as configs
from device.cli import main
from device.commands import Exit
from device.sensors import learnt
from device.sensors.learnt import LearntError
from device.sensors.readers.tray import teaching as enrolment
from device.settings import CameraSettings
from engines.marrakesh.pieces import COLOURS
from tests.vision.tray.painted import KESHI, LENS, tray, view
from vision.sheets import STRIP
from vision.tray.palette import KeshiPalette
from vision.tray.plan import Keshi

CAMERA = CameraSettings("picamera", width=1280, height=960)
PAPER = (0.8, 0.8, 0.8)
SEEN = view(elevation=82, distance=260, field=STRIP)


def palette_of(pictures, lens, keshi):
    """The palette by pictures of the strip, and the colours that none of them shows."""
    return enrolment.make_palette(enrolment.find_samples(pictures, lens, keshi)[0])


def strip(colours=COLOURS, seed=3):
    """A picture of the strip with a keshi in the slot of each of the colours."""
    pieces = [
        (colour, x, y, True, 7 * n)
        for n, (colour, (x, y)) in enumerate(zip(COLOURS, STRIP.slots, strict=True))
        if colour in colours
    ]
    return tray(SEEN, pieces, floor=PAPER, light=0.8, seed=seed)


def test_a_strip_without_a_piece_is_refused():
    with pytest.raises(LearntError) as error:
        palette_of([("1", strip(()))], LENS, KESHI)
    assert error.value.args[0].key == "enrol.no_piece"


def test_what_is_saved_is_loaded(tmp_path):
    assert enrolment.Taught.load(tmp_path, CAMERA) is None
    found = enrolment.Taught(keshi=Keshi(11.0, 7.0), palette=KeshiPalette())
    file = found.save(tmp_path, CAMERA)
    assert enrolment.Taught.load(tmp_path, CAMERA) == found
    file.write_bytes(file.read_bytes().replace(b'"means": [', b'"means": [[1.0],', 1))
    with pytest.raises(LearntError, match="not twelve colours") as error:
        enrolment.Taught.load(tmp_path, CAMERA)
    assert error.value.args[0].key == "enrol.unreadable"


@pytest.fixture
def enrol(tmp_path, capsys, monkeypatch):
    """Run the command; its exit status, output and error text."""
    monkeypatch.delenv("PODESTA_CONFIG", raising=False)
    monkeypatch.setattr(configs, "SYSTEM_FILE", tmp_path / "absent.toml")
    config = tmp_path / "podesta.toml"
    config.write_text('[[camera]]\nsource = "picamera"\nwidth = 1280\nheight = 960\n')
    learnt.save_lens(
        tmp_path / "state", CAMERA, learnt.Calibrated("picamera", CAMERA.focus, LENS, 0.2, 24, "2025-03-09")
    )

    def run(*argv):
        state = tmp_path / "state"
        status = main(["camera", "enrol", "--config", str(config), "--state", str(state), *map(str, argv)])
        out, err = capsys.readouterr()
        return status, out, err

    return run


def test_the_command_keeps_what_it_learned(enrol, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), strip(("red", "green", "black")))
    status, out, err = enrol("--pictures", folder, "--keshi", 11, 8)
    assert (status, "3 colours" in out, "turquoise" in err) == (Exit.FINE, True, True)
    kept = enrolment.Taught.load(tmp_path / "state", CAMERA)
    assert kept is not None
    assert kept.keshi == Keshi(11.0, 8.0)
    assert kept.palette.pieces[COLOURS.index("black")] == 1
    assert kept.palette.means[0] == KeshiPalette().means[0]  # an empty slot stays as shipped


def test_the_command_says_what_is_wrong(enrol, tmp_path):
    folder = tmp_path / "pictures"
    folder.mkdir()
    status, _, err = enrol("--pictures", folder, "--keshi", 11, 8)
    assert status != Exit.FINE
    assert "strip" in err
    status, _, err = enrol("--pictures", folder, "--keshi", 110, 8)
    assert status == Exit.USAGE
