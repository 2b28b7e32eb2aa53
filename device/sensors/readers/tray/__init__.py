"""The tray of Marrakesh's cube tower through a camera.

============ =============================================================================
module       what it holds
============ =============================================================================
``reader``   the tray: found, read, judged by picture, total and ledger, and reported; drawn readings
``teaching`` the colours of a copy's keshis, learnt from pieces on the printed strip
``bench``    readings of a folder's pictures beside the truth
============ =============================================================================
"""

from device.sensors.readers.tray.reader import TRAY, DrawnCamera, judge
