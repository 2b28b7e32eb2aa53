"""A load cell and two light gates, from the chip's pins to milligrams at rest.

The files beside this one run unchanged on a Raspberry Pi Pico under MicroPython 1.25, on the box under
Python, and on the simulated board: nothing but plain Python, and none imports another.

============ =============================================================================
module       what it holds
============ =============================================================================
``nau7802``  the converter by Nuvoton, on two wires of I2C
``hx711``    the converter by Avia, on two pins
``settling`` its samples in, milligrams at rest out, and what is wrong with them
``gates``    pieces that pass the light gates
============ =============================================================================
"""

from device.sensors.scale.cell.hx711 import HX711
from device.sensors.scale.cell.nau7802 import NAU7802
from device.sensors.scale.cell.settling import Settling, mg_per_count
