"""Throws into a simulated cube tower, from the piece that falls to the number on the screen.

============= ===============================================================================
module        what it holds
============= ===============================================================================
``simulated`` a node, and somebody at another line who plays on
``throws``    the box as a process with them, throw after throw; what came of them
============= ===============================================================================
"""

from device.bench.tray.simulated import SimulatedNode
from device.bench.tray.throws import measure
