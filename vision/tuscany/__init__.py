"""The Castles of Tuscany's hexes through a camera: a region's spaces, or the tiles of the display.

============ ==============================================================================
module       what it holds
============ ==============================================================================
``album``    the looks of hexes cut out of a picture, and of a copy's kinds, taught from known hexes
``tiles``    loose tiles, as in the display, and tiles that people lay out to teach
``reading``  the piece on each hex, by change and by looks, and their disagreements; printed kinds
``lying``    the places of boards in their field, and things beside them
``painter``  painted pictures of regions
============ ==============================================================================
"""
