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
from device.sensors.host.handover import BESIDE, Handover, Pictures, find_shown
from device.sensors.host.service import (
    COMMAND,
    Fitted,
    Lesson,
    SensorService,
    SensorState,
    Sizes,
    check_sensor,
    describe_outcome,
    find_load_fault,
    list_lessons,
    list_sensors,
)
from device.sensors.messages import Reading, Taught
