"""The tray of Marrakesh's cube tower through a camera.

============= ============================================================================
module        what it holds
============= ============================================================================
``reader``    the tray: found, read, judged, and told
``judging``   what picture, total and ledger come to
``enrolment`` the colours of a copy's keshis, learnt from pieces on the printed strip
``painting``  the tray on a simulated table
``drawn``     what a camera would read of a tray, by colours drawn at random
``bench``     readings of a folder's pictures beside the truth
============= ============================================================================
"""

from device.sensors.readers.tray.drawn import DrawnCamera
from device.sensors.readers.tray.judging import judge
from device.sensors.readers.tray.reader import open_reader
