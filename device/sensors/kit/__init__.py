"""For whoever builds a sensor: a door for its tests, a check of what it does, and a package to begin with.

=============== =============================================================================
module          what it holds
=============== =============================================================================
``simulated``   a door without a box, for a sensor's own tests
``conformance`` a sensor's process at a simulated box: what it does wrong, with a remedy
``template``    the files of ``podesta plugin new``
``making``      these files under a name, and those of a game
=============== =============================================================================
"""

from device.sensors.kit.conformance import conforming
from device.sensors.kit.making import MakingError, make
from device.sensors.kit.simulated import SimulatedDoor
from device.sensors.messages import Away, Beat, Expected, Reading

__all__ = ["Away", "Beat", "Expected", "MakingError", "Reading", "SimulatedDoor", "conforming", "make"]
