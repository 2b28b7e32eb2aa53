"""San Gimignano through a camera: the towers before a seat, read by what there can be, and the market.

========== ======================================================================
module     what it holds
========== ======================================================================
``reader`` the field before a seat: found, read, judged, and told
``market`` the open market: found, read, judged, and told
``cards``  what the readers of both share
``towers`` which towers the columns are, all together by the cards that there are
``decks``  what a copy's cards look like, learnt from one of each
``bench``  readings of a folder's pictures beside the truth
========== ======================================================================
"""

from device.sensors.readers.san_gimignano.reader import AreaReader, open_reader

__all__ = ["AreaReader", "open_reader"]
