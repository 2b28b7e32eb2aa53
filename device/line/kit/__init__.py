"""Checks for home-made nodes; the running box never loads them.

========== =============================================================================
module     what it holds
========== =============================================================================
``check``  the trials of a node's protocol, in order
``played`` a box that is played to the node
========== =============================================================================
"""

from device.line.kit.check import Kit
from device.line.kit.played import TimedPort
