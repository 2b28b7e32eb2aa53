"""The Castles of Tuscany through a camera: the regions before the seats, and the display.

========= ======================================================================
module    what it holds
========= ======================================================================
``reader`` the region before a seat: found, read, judged, and told
``display`` the tiles open before all: found, read, judged, and told
``ground`` where a region lies in its field
``kinds``  what a copy's kinds look like, learnt from a tile of each
``painting`` a region and the display on a simulated table
``bench`` readings of a folder's pictures beside the truth
========= ======================================================================
"""
