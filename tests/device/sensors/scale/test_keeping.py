"""The file with what a piece weighs: what is taken, and what is refused with its reason."""

import msgspec
import pytest

from device.sensors.learnt import LearntError
from device.sensors.scale.weighing import calibrating
from vision.scale.calibration import PieceCalibration, from_batches

LEARNT = from_batches([(10_000.0, 10), (10_100.0, 10)], 10.0)


def test_what_was_saved_last_is_loaded(tmp_path):
    assert calibrating.load(tmp_path / "scale", "line:tray-1") == PieceCalibration()
    for learnt in (LEARNT, LEARNT.confirmed(9000.0, 9, 10.0)):
        file = calibrating.save(tmp_path / "scale", "line:tray-1", learnt)
        assert file == tmp_path / "scale" / "line-tray-1.json"
        assert calibrating.load(tmp_path / "scale", "line:tray-1") == learnt
    assert [*file.parent.iterdir()] == [file]


def changed(**fields):
    kept = {"source": "nau7802", "made": "2026-11-23", "calibration": msgspec.to_builtins(LEARNT)}
    kept["calibration"] |= fields
    return msgspec.json.encode(kept)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (changed()[:-20], "truncated"),
        (changed(means="heavy"), "array"),
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
