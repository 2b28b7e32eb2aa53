"""Throws into a simulated cube tower, from the piece that falls to the number on the screen.

========== ==================================================================================
module     what it holds
========== ==================================================================================
``player`` somebody at another line who plays on
``throws`` the box as a process with both, throw after throw; what came of them
========== ==================================================================================
"""

from device.bench.tray.throws import LatencyMs, Throws, measure
