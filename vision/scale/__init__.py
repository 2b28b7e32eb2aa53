"""Counting the pieces on a tray by their weight.

=============== ==============================================================================
module          what it holds
=============== ==============================================================================
``calibration`` the weight of this copy's pieces, its spread, and the certainty of both
``counting``    a weight in, the chance of each count out; the bar for doubt
``simulated``   tray, tower, gates and cell, simulated from a seed: samples, and the truth
=============== ==============================================================================
"""
