"""For whoever builds a node: a check of what it does, which the running box never loads.

========== =============================================================================
module     what it holds
========== =============================================================================
``check``  whether a home-made node keeps to the protocol: what is tried, in order
``played`` the box as such a node hears it
========== =============================================================================
"""

from device.line.kit.check import Kit
from device.line.kit.played import TimedPort
