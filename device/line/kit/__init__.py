"""Checks for home-made nodes, which the running box never loads.

========== =============================================================================
module     what it holds
========== =============================================================================
``check``  the trials of a node's protocol, in order
``played`` the box, played to the node
========== =============================================================================
"""

from device.line.kit.check import Kit
from device.line.kit.played import TimedPort
