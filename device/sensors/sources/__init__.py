"""Sources of pictures.

=================== ======================================================================
module              what it holds
=================== ======================================================================
``frames``          a picture with its time, and what a source of them is
``opening``         which source the settings name
``picamera``        a Raspberry Pi's camera, everything that adapts by itself locked
``usb``             a USB camera
``folder``          a folder of pictures, or a video, played as a camera
``simulated``       a camera that paints a table which only exists here
``simulated_table`` that table, as a file
=================== ======================================================================
"""

from device.sensors.sources.folder import PICTURES, read_picture
from device.sensors.sources.frames import (
    SMALL,
    CameraError,
    Picture,
    PictureFrame,
    PicturesEnded,
    PictureSource,
    Work,
    small_of,
)
from device.sensors.sources.opening import load, open_source
from device.sensors.sources.simulated_table import CameraFault, ScaleFault, SimulatedTable, TableError
from device.sensors.sources.simulated_table import load as load_table

__all__ = [
    "PICTURES",
    "SMALL",
    "CameraError",
    "CameraFault",
    "Picture",
    "PictureFrame",
    "PictureSource",
    "PicturesEnded",
    "ScaleFault",
    "SimulatedTable",
    "TableError",
    "Work",
    "load",
    "load_table",
    "open_source",
    "read_picture",
    "small_of",
]
