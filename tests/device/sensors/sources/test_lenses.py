"""Calibrations of lenses are kept whole, and one that does not fit is refused with words."""

import pytest
from msgspec.structs import replace

from device.sensors import learnt
from device.sensors.learnt import Calibrated, LearntError
from device.settings import CameraSettings
from vision.lens import Lens

CAMERA = CameraSettings("picamera", width=1280, height=960, focus=2.5)
LENS = Lens((1280, 960), 1065.1, 1066.2, 641.0, 477.5, (-0.045, 0.012, 0.0004, -0.0003, 0.0))
FOUND = Calibrated("picamera", 2.5, LENS, 0.21, 24, "2025-03-09")


def refused(call, *arguments):
    with pytest.raises(LearntError) as error:
        call(*arguments)
    return error.value


def test_what_is_saved_is_loaded(tmp_path):
    file = learnt.save_lens(tmp_path, CAMERA, FOUND)
    assert file.parent == tmp_path / "lenses"
    assert learnt.load_lens(tmp_path, CAMERA) == FOUND
    newer = replace(FOUND, rms_px=0.1)
    assert learnt.save_lens(tmp_path, CAMERA, newer) == file
    assert learnt.load_lens(tmp_path, CAMERA) == newer


def test_without_one(tmp_path):
    assert refused(learnt.load_lens, tmp_path, CAMERA).args[0].key == "lens.missing"
    learnt.save_lens(tmp_path, CAMERA, FOUND)
    assert refused(learnt.load_lens, tmp_path, replace(CAMERA, focus=3.0)).args[0].key == "lens.other"
    assert (
        refused(learnt.load_lens, tmp_path, replace(CAMERA, source="picamera1")).args[0].key == "lens.missing"
    )


@pytest.mark.parametrize(
    ("camera", "found", "key"),
    [
        (CAMERA, replace(FOUND, lens=replace(LENS, size=(640, 480))), "lens.size"),
        (CAMERA, replace(FOUND, focus=2.6), "lens.focus"),
        (CAMERA, replace(FOUND, focus="fixed"), "lens.focus"),
        (replace(CAMERA, focus="fixed"), FOUND, "lens.focus"),
        (CAMERA, replace(FOUND, camera="/dev/video0"), "lens.camera"),
    ],
)
def test_another_camera_s_is_neither_saved_nor_loaded(tmp_path, camera, found, key):
    error = refused(learnt.save_lens, tmp_path, camera, found)
    assert error.args[0].key == key
    assert "{" not in str(error)
    assert not list(tmp_path.iterdir())
    file = learnt.lens_file(tmp_path, camera)
    own = CameraSettings(found.camera, width=found.lens.size[0], height=found.lens.size[1], focus=found.focus)
    learnt.save_lens(tmp_path, own, found).rename(file)
    assert refused(learnt.load_lens, tmp_path, camera).args[0].key == key


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace('"fx"', '"fz"'),
        lambda text: text.replace('"rms_px"', '"rms"'),
        lambda _: "\udcff",
    ],
)
def test_damaged_file_is_named(tmp_path, change):
    file = learnt.save_lens(tmp_path, CAMERA, FOUND)
    file.write_bytes(change(file.read_text()).encode(errors="surrogateescape"))
    error = refused(learnt.load_lens, tmp_path, CAMERA)
    assert error.args[0].key == "lens.unreadable"
    assert file.name in str(error)


def test_picture_must_be_as_it_is_set():
    learnt.check_picture(CAMERA, (1280, 960))
    learnt.check_picture(CAMERA, (1280, 960), 2.48)
    assert refused(learnt.check_picture, CAMERA, (640, 480)).args[0].key == "lens.set_size"
    assert refused(learnt.check_picture, CAMERA, (1280, 960), 2.3).args[0].key == "lens.set_focus"
    learnt.check_picture(replace(CAMERA, focus="fixed"), (1280, 960), 7.0)
