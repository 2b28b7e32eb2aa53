"""Marrakesh: the tower's ledger, the first piece of the game; rules MK-1 to MK-17.

=============== =============================================================
module          what it holds
=============== =============================================================
``keshis``      the twelve colours, and how many of them are thrown
``tower``       what is inside: conservation, and errors found out later
``reconciling`` the most probable contents of a tray, given all evidence
``ways``        the sums over all ways to colour the pieces seen, with bounds
``counting``    how many pieces: a scale's weight as chances of a count
=============== =============================================================

It is no :class:`engines.contract.Game` yet: what is here are values and pure functions.
"""
