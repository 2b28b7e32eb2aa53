"""The sensors as the daemon has them: a process each that reads, and what becomes of a reading.

============ =============================================================================
module       what it holds
============ =============================================================================
``service``  the sensors that the settings name and their processes, told what the match has; self-checks
``child``    a process that may die or hang: watched, killed, started again
``handover`` what becomes of a reading in the match, and of the picture behind it
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
