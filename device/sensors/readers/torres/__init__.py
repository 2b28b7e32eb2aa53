"""A Torres board through a camera.

============ =============================================================================
module       what it holds
============ =============================================================================
``board``    the board as the match sees it: found, read, judged, and told
``seats``    whose colour is whose, learnt from the board
``verdicts`` what the rules make of a board's picture, and of what stacks hide there
``second``   the board as another camera sees it
``painting`` the board on a simulated table
``bench``    readings of a folder's pictures beside the truth
============ =============================================================================
"""

from device.sensors.readers.torres.board import open_reader
from device.sensors.readers.torres.seats import Seats, coloured, layout_of
from device.sensors.readers.torres.verdicts import apart, verdict
