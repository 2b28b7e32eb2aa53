"""San Gimignano through a camera: the towers before a seat, read by what there can be, and the market.

============ ======================================================================
module       what it holds
============ ======================================================================
``reader``   the field before a seat, and the open market: found, read, judged, and told
``towers``   which towers the columns are, all together by the cards that there are
``teaching`` what a copy's cards look like, learnt from one of each
``bench``    readings of a folder's pictures beside the truth
============ ======================================================================
"""

from device.sensors.readers.san_gimignano.teaching import SLOTS, deck_of, field_of, laid_out
