"""A load cell and two light gates, from the chip's pins to milligrams at rest.

The files here run unchanged on a Raspberry Pi Pico under MicroPython 1.25, on the box under Python, and on
the simulated board: nothing but plain Python, and none imports another.

============ =============================================================================
module       what it holds
============ =============================================================================
``nau7802``  the converter by Nuvoton, on two wires of I2C
``hx711``    the converter by Avia, on two pins
``settling`` its samples in, milligrams at rest out, and what is wrong with them
``gates``    pieces that pass the light gates
============ =============================================================================
"""
