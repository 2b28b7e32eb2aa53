"""The Castles of Tuscany through a camera: the regions before the seats, and the display.

============ ======================================================================
module       what it holds
============ ======================================================================
``reader``   the region before a seat, and the display: found, read, judged, and reported
``ground``   the place of a region in its field
``teaching`` the look of a copy's kinds, learnt from a tile of each
``bench``    readings of a folder's pictures beside the truth
============ ======================================================================
"""

from device.sensors.readers.castles_of_tuscany.ground import RegionGround, ground_of, list_usual_grounds
from device.sensors.readers.castles_of_tuscany.reader import display_of
