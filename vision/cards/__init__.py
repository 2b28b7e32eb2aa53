"""Cards through a camera: columns in front of a seat, fanned towards their far end, or cards side by side.

=========== ============================================================================
module      what it holds
=========== ============================================================================
``flat``    a field as seen from straight above, and the heaps that lie on it
``deck``    the looks of a copy's cards, taught from one picture of each kind
``fan``     the cards of a column, with their places and confidence
``lone``    cards that do not overlap, and their kinds
``painter`` painted pictures of cards
=========== ============================================================================
"""
