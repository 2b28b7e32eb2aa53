"""From a scale's words to numbers read: the scale's process, and what commands need of it (numpy).

=============== ==========================================================================
module          what it holds
=============== ==========================================================================
``core``        what a scale makes of what it feels: no input or output
``sources``     where its words come from: a node on the line, a converter on the box's pins
``simulated``   a converter that weighs the simulated table
``calibrating`` what a piece weighs: pieces counted in, and the file in the state directory
``running``     all of it together, in a process; the self-check
=============== ==========================================================================
"""

from device.sensors.scale.weighing.calibrating import Calibrating, CalibrationError, load, save
from device.sensors.scale.weighing.core import LASTS_MS, SILENT_MS, Weighing, WeighingTable
from device.sensors.scale.weighing.running import check, run
from device.sensors.scale.weighing.sources import (
    NodeWeighing,
    NoTable,
    OnLine,
    OnPins,
    WeighingSource,
    open_source,
)

__all__ = [
    "LASTS_MS",
    "SILENT_MS",
    "Calibrating",
    "CalibrationError",
    "NoTable",
    "NodeWeighing",
    "OnLine",
    "OnPins",
    "Weighing",
    "WeighingSource",
    "WeighingTable",
    "check",
    "load",
    "open_source",
    "run",
    "save",
]
