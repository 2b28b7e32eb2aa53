"""The cameras as the daemon has them: a process each that looks and reads, and what becomes of a reading.

============ =============================================================================
module       what it holds
============ =============================================================================
``service``  the processes of all cameras, told what the match has on the table
``child``    a process that may die or hang: watched, killed, started again
``desk``     what becomes of a reading in the match
``pictures`` the pictures behind readings, kept beside the journal
``checking`` the self-check
============ =============================================================================
"""

from device.sensors.camera.checking import CAMERA
from device.sensors.camera.desk import CameraDesk
from device.sensors.camera.pictures import Pictures
from device.sensors.camera.service import CameraService, CameraState
from device.sensors.messages import NOTHING, Reading

__all__ = ["CAMERA", "NOTHING", "CameraDesk", "CameraService", "CameraState", "Pictures", "Reading"]
