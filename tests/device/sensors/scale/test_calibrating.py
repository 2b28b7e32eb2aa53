"""Pieces laid on the tray one after the other teach what one weighs, and how much that varies."""

from __future__ import annotations

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
