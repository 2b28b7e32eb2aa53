"""What a piece weighs: learnt piece by piece, kept in a file, and a file that cannot be is refused."""

from itertools import accumulate
from random import Random

import msgspec
import pytest

from device.sensors.learnt import LearntError
from device.sensors.scale import Calibrating, load, save
from device.telemetry import Weight
from vision.scale import PieceCalibration, from_batches

LEARNT = from_batches([(10_000.0, 10), (10_100.0, 10)], 10.0)


def test_what_was_saved_last_is_loaded(tmp_path):
    assert load(tmp_path / "scale", "line:tray-1") == PieceCalibration()
    for learnt in (LEARNT, LEARNT.confirmed(9000.0, 9, 10.0)):
        file = save(tmp_path / "scale", "line:tray-1", learnt)
        assert file == tmp_path / "scale" / "line-tray-1.json"
        assert load(tmp_path / "scale", "line:tray-1") == learnt
    assert [*file.parent.iterdir()] == [file]


def changed(**fields):
    kept = {"source": "nau7802", "made": "2026-11-23", "calibration": msgspec.to_builtins(LEARNT)}
    kept["calibration"] |= fields
    return msgspec.json.encode(kept)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (changed(spreads=[], chances=[], means=[], errors=[]), "one length"),
        (changed(means=[0.0] * len(LEARNT.means)), "negative"),
        (changed(errors=[-1.0] * len(LEARNT.errors)), "negative"),
        (changed(chances=[0.5] * len(LEARNT.chances)), "sum to 1"),
        (changed(pieces=-1), "pieces"),
        (changed(gain=0.0), "gain"),
    ],
)
def test_a_file_that_cannot_be_is_refused(tmp_path, data, why):
    (tmp_path / "nau7802.json").write_bytes(data)
    with pytest.raises(LearntError) as refused:
        load(tmp_path, "nau7802")
    said = str(refused.value)
    assert "nau7802.json" in said
    assert why in said


def test_a_quiet_cell_hides_nothing_of_how_much_pieces_vary():
    rng = Random(4)
    masses = [rng.gauss(540, 0.08 * 540) for _ in range(40)]
    calibrating = Calibrating(PieceCalibration())
    told = [calibrating.rests(Weight(round(mg), 3, rests=True)) for mg in accumulate(masses, initial=0.0)]
    assert told == ["empty"] + ["laid"] * 40
    assert 0.07 < calibrating.calibration.spread < 0.1


def test_what_is_taken_off_or_too_much_for_a_piece_teaches_nothing():
    calibrating = Calibrating(PieceCalibration())
    for mg in range(0, 12_000, 540):
        calibrating.rests(Weight(mg, 3, rests=True))
    known = calibrating.calibration
    told = [calibrating.rests(Weight(mg, 3, rests=True)) for mg in (9_000, 9_050, 14_000, 14_540)]
    assert told == ["taken", "same", "not one", "laid"]  # what is laid on next counts from there
    assert calibrating.calibration.pieces == known.pieces + 1
