"""Settings that differ from one tray to the next. Change them here, nowhere else."""

NAME = "tray-1"  # the box's settings say: source = "line:tray-1"

# The converter: "nau7802" on I2C, or "hx711" on two pins.
CHIP = "nau7802"
RATE = 80  # samples a second; an HX711 has 10 or 80, by the wiring of its pin RATE
GAIN = 128
SUPPLY = 3.0  # volts from the NAU7802 to the cell

# The cell, from its data sheet, and its load, in grams.
CAPACITY_G = 500
MV_PER_V = 1.0
TRAY_G = 150  # platform and empty tray
MOST_G = 60  # more than can ever lie in the tray

# Pins of the Pico, by their GP numbers.
SDA, SCL = 4, 5
DATA, CLOCK = 2, 3
GATES = (6, 7)
GATE_BROKEN = 1  # the level of a gate's pin while something is in its beam

WATCHDOG_MS = 8000  # a node that hangs for so long starts again
