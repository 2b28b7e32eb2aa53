"""San Gimignano through a camera: the towers before a seat, read by the cards that exist, and the market.

============ ======================================================================
module       what it holds
============ ======================================================================
``reader``   the field before a seat, and the open market: found, read, judged, and reported
``towers``   the towers in columns of cards, read together by the cards that exist
``teaching`` the look of a copy's cards, learnt from one of each
``bench``    readings of a folder's pictures beside the truth
============ ======================================================================
"""

from device.sensors.readers.san_gimignano.teaching import SLOTS, deck_of, field_of, find_laid_out
