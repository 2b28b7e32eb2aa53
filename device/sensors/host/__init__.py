"""The daemon's side of the sensors: a process for each, and the way of its readings into the match.

============ =============================================================================
module       what it holds
============ =============================================================================
``service``  the sensors of the settings, their processes and self-checks
``child``    a process that may die or hang: watched, killed, started again
``handover`` a reading's way into the match, and its picture's
============ =============================================================================
"""

from device.sensors.host.child import HUNG_S, Child, End, Patience, run_to_end
from device.sensors.host.handover import BESIDE, Handover, Pictures, shown
from device.sensors.host.service import (
    COMMAND,
    Fitted,
    Lesson,
    SensorService,
    SensorState,
    Sizes,
    checked,
    fitted,
    lessons,
    loaded,
    outcome,
)
from device.sensors.messages import Reading, Taught
