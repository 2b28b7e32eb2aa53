"""A load cell and two light gates, from the chip's pins to milligrams at rest.

The files beside this one run unchanged on a Raspberry Pi Pico under MicroPython 1.25, on the box under
Python, and on the simulated board. They are plain Python, and none imports another.

============ =============================================================================
module       what it holds
============ =============================================================================
``nau7802``  the converter by Nuvoton, on two wires of I2C
``hx711``    the converter by Avia, on two pins
``settling`` samples in, milligrams at rest and health out
``gates``    counts of pieces through the light gates
============ =============================================================================
"""

from device.sensors.scale.cell.hx711 import HX711
from device.sensors.scale.cell.nau7802 import NAU7802
from device.sensors.scale.cell.settling import Settling, mg_per_count
