"""A Torres board through a camera.

============ =============================================================================
module       what it holds
============ =============================================================================
``reader``   the board of a match, by one camera or two: found, read, judged, and reported
``verdicts`` the rules' verdict on a board's picture, also on hidden spaces; whose colour is whose
``bench``    readings of a folder's pictures beside the truth
============ =============================================================================
"""

from device.sensors.readers.torres.reader import field_of
