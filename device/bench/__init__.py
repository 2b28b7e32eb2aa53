"""Figures, measured: `podesta bench engines` and `podesta bench presses`."""
