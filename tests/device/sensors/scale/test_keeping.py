"""The file with what a piece weighs: what is taken, and what is refused with its reason."""

import msgspec
import pytest

from device.sensors.learnt import LearntError
from device.sensors.scale.weighing import calibrating
from vision.scale.calibration import PieceCalibration, from_batches

LEARNT = from_batches([(10_000.0, 10), (10_100.0, 10)], 10.0)


def test_what_was_saved_is_loaded(tmp_path):
    file = calibrating.save(tmp_path / "scale", "line:tray-1", LEARNT)
    assert file == tmp_path / "scale" / "line-tray-1.json"
    assert calibrating.load(tmp_path / "scale", "line:tray-1") == LEARNT


def test_without_a_file_nothing_is_known(tmp_path):
    assert calibrating.load(tmp_path, "nau7802") == PieceCalibration()


def test_a_file_is_replaced_whole(tmp_path):
    calibrating.save(tmp_path, "nau7802", LEARNT)
    calibrating.save(tmp_path, "nau7802", LEARNT.confirmed(9000.0, 9, 10.0))
    assert calibrating.load(tmp_path, "nau7802").pieces == 29
    assert [one.name for one in tmp_path.iterdir()] == ["nau7802.json"]


def changed(**fields):
    kept = {"source": "nau7802", "made": "2026-11-23", "calibration": msgspec.to_builtins(LEARNT)}
    kept["calibration"] |= fields
    return msgspec.json.encode(kept)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "truncated"),
        (b"\xff", "JSON"),
        (changed()[:-20], "truncated"),
        (changed(means="heavy"), "array"),
        (changed(means=[]), "one length"),
        (changed(spreads=[], chances=[], means=[], errors=[]), "one length"),
        (changed(means=[0.0] * len(LEARNT.means)), "negative"),
        (changed(errors=[-1.0] * len(LEARNT.errors)), "negative"),
        (changed(chances=[0.5] * len(LEARNT.chances)), "sum to 1"),
        (changed(pieces=-1), "pieces"),
        (changed(gain=0.0), "gain"),
        (changed().replace(b'"made"', b'"maid"'), "maid"),
    ],
)
def test_a_file_that_cannot_be_is_refused(tmp_path, data, why):
    (tmp_path / "nau7802.json").write_bytes(data)
    with pytest.raises(LearntError) as refused:
        calibrating.load(tmp_path, "nau7802")
    said = str(refused.value)
    assert "nau7802.json" in said
    assert why in said


def test_what_is_no_file_is_refused(tmp_path):
    (tmp_path / "nau7802.json").mkdir()
    with pytest.raises(LearntError, match=r"nau7802\.json"):
        calibrating.load(tmp_path, "nau7802")
