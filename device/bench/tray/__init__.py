"""Throws into a simulated cube tower, from the piece that falls to the number on the screen.

============= ===============================================================================
module        what it holds
============= ===============================================================================
``simulated`` a node, and a player at another line
``throws``    the box as a process with both; throws and their outcome
============= ===============================================================================
"""

from device.bench.tray.throws import measure
