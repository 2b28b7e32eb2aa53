"""The Castles of Tuscany's hexes through a camera: a region's spaces, or the tiles of the display.

============ ==============================================================================
module       what it holds
============ ==============================================================================
``hexes``    each hex cut out of a picture, upright, and what it looks like
``album``    what the kinds of a copy look like, taught from hexes that are known
``tiles``    tiles that lie loose, as those of the display do
``reading``  what lies on each hex, by change and by looks, and where the two disagree; what is printed
``lying``    where boards lie in their field, and what lies beside them
``teaching`` tiles that people lay out to be learnt
``painter``  painted pictures of regions
============ ==============================================================================
"""
