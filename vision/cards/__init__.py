"""Cards through a camera: columns in front of a seat, fanned towards their far end, or cards side by side.

=========== ============================================================================
module      what it holds
=========== ============================================================================
``deck``    the looks of a copy's cards, taught from one picture of each kind
``reading`` the cards of a heap: a column, or cards side by side
``painter`` painted pictures of cards
=========== ============================================================================
"""
