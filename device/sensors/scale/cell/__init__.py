"""A load cell, from the chip's pins to milligrams at rest.

The files beside this one run unchanged on a Raspberry Pi Pico under MicroPython 1.25, on the box under
Python, and on the simulated board. They are plain Python, and neither imports the other.

============== ===========================================================================
module         what it holds
============== ===========================================================================
``converters`` the converters: the NAU7802 on two wires of I2C, the HX711 on two pins
``settling``   samples in, milligrams at rest and health out
============== ===========================================================================
"""

from device.sensors.scale.cell.converters import HX711, NAU7802
from device.sensors.scale.cell.settling import Settling, mg_per_count
