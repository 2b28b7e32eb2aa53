"""The sensors as the daemon has them: a process each that reads, and what becomes of a reading.

============ =============================================================================
module       what it holds
============ =============================================================================
``fitting``  the sensors that the settings name
``service``  the processes of all sensors, told what the match has on the table; the self-checks
``child``    a process that may die or hang: watched, killed, started again
``desk``     what becomes of a reading in the match
``teaching`` what is asked and told when a camera is taught a copy's pieces
``pictures`` the pictures behind readings, kept beside the journal, and what they show
============ =============================================================================
"""

from device.sensors.host.child import HUNG_S, Child, End, Patience, run_to_end
from device.sensors.host.desk import SensorDesk
from device.sensors.host.fitting import Fitted, fitted
from device.sensors.host.pictures import BESIDE, Pictures, readings_before, shown
from device.sensors.host.service import COMMAND, SensorService, SensorState, checked, loaded
from device.sensors.host.teaching import Lesson, Sizes, Teaching, told
from device.sensors.messages import NOTHING, Reading, Taught, Teach
