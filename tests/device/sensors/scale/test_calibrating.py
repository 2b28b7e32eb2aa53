"""Pieces laid on the tray one after the other teach what one weighs, and how much that varies."""

from itertools import accumulate
from random import Random

from device.sensors.scale.weighing import Calibrating
from device.telemetry import Weight
from vision.scale.calibration import PieceCalibration


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
