"""The Castles of Tuscany through a camera: the regions before the seats, and the display.

========= ======================================================================
module    what it holds
========= ======================================================================
``bench`` readings of a folder's pictures beside the truth
========= ======================================================================
"""
