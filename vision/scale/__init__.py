"""Counting pieces by their weight: what a scale says of how many lie on a tray.

=============== ==============================================================================
module          what it holds
=============== ==============================================================================
``calibration`` how heavy the pieces of this copy are, how much they vary, and how well that is known
``counting``    a weight in, the chance of each count out; when it is doubted
``simulated``   tray, tower, gates and cell, simulated from a seed: samples, and the truth
=============== ==============================================================================
"""
