"""Cards through a camera: columns fanned towards their far end before a seat, or side by side.

=========== ============================================================================
module      what it holds
=========== ============================================================================
``flat``    a field as seen from straight above, and what lies on it, heap by heap
``deck``    what the cards of a copy look like, taught from one picture of each kind
``fan``     which card lies where in a column, and how sure each is
``lone``    cards of which none lies on another, and which each is
``painter`` painted pictures of cards
=========== ============================================================================
"""
