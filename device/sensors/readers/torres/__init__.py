"""A Torres board through a camera.

============ =============================================================================
module       what it holds
============ =============================================================================
``reader``   the board as the match sees it, by two cameras, too: found, read, judged, and told
``verdicts`` what the rules make of a board's picture, of what stacks hide there, whose colour is whose
``bench``    readings of a folder's pictures beside the truth
============ =============================================================================
"""

from device.sensors.readers.torres.reader import field_of
