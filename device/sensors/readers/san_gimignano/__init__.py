"""The towers of San Gimignano before a seat: columns of cards, read by what towers there can be.

========== ======================================================================
module     what it holds
========== ======================================================================
``towers`` which towers the columns are, all together by the cards that there are
``bench``  readings of a folder's pictures beside the truth
========== ======================================================================
"""
