"""The towers of San Gimignano before a seat: columns of cards, read by what towers there can be.

========== ======================================================================
module     what it holds
========== ======================================================================
``reader`` the field before a seat: found, read, judged, and told
``towers`` which towers the columns are, all together by the cards that there are
``decks``  what a copy's cards look like, learnt from one of each
``bench``  readings of a folder's pictures beside the truth
========== ======================================================================
"""

from device.sensors.readers.san_gimignano.reader import AreaReader, open_reader

__all__ = ["AreaReader", "open_reader"]
