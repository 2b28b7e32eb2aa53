"""The shipped looks of the twelve colours: figures and their source.

Means and covariances of the nine figures of :func:`vision.tray.palette.features` over keshis in pictures
drawn by a ray tracer (``tests/vision/scenes``, look ``tune``), whose paints, lamps and white balances all
vary. The means, and the effect of lying flat, are over 1271 keshis in 131 pictures (trays from number 100,
300 and 5000 on), the covariances, by maximum likelihood, over 358 in 35 (trays and strips from 29130001 on).
None of these pictures counts in any figure quoted elsewhere.
"""

COLOURS = (
    *("turquoise", "green", "black", "white", "gray", "beige"),
    *("brown", "pink", "red", "yellow", "purple", "orange"),
)
"""The colours of pieces; kinds are their indices, also in a bag of pieces."""
KINDS = len(COLOURS)

MEANS = (
    (54.6, -26.3, -2.2, 66.0, -30.0, -3.8, 70.3, -31.3, -4.3),
    (40.9, -26.9, 23.8, 52.8, -31.3, 25.7, 58.0, -32.2, 26.5),
    (13.6, 0.4, 2.0, 27.1, 0.0, 1.9, 32.0, 0.1, 1.8),
    (73.5, 1.5, 4.7, 90.0, 0.6, 2.6, 95.2, 0.3, 1.9),
    (45.7, 1.6, 1.5, 57.1, 1.3, 0.5, 61.4, 1.5, 0.2),
    (65.5, 2.6, 22.6, 78.7, 2.4, 24.9, 84.3, 2.7, 25.9),
    (30.0, 10.5, 13.5, 40.6, 10.9, 12.8, 43.7, 10.8, 12.4),
    (54.2, 31.3, 3.1, 66.6, 36.5, 1.5, 71.3, 39.1, 1.2),
    (35.5, 40.8, 23.6, 47.2, 45.8, 24.2, 51.5, 47.9, 25.1),
    (66.0, -0.3, 52.8, 80.3, -1.8, 61.0, 85.9, -2.0, 63.6),
    (29.1, 22.1, -16.6, 39.6, 24.6, -20.2, 43.6, 25.4, -21.3),
    (52.0, 26.0, 41.0, 66.1, 30.4, 46.8, 70.8, 32.4, 49.0),
)
"""By colour, in the order of :data:`COLOURS`: Lab of the dark part of all faces, of the darker half of the
upper ones, and of their median.
"""

FLAT, SIDE = (3.0, 6.3, 3.1), (-1.8, -3.7, -1.8)
"""The extra lightness of those three for a piece that lies flat, and for one on its side."""

SHADE = (
    (0.0795, 0.0151, 0.0038),
    (0.0151, 0.0160, 0.0120),
    (0.0038, 0.0120, 0.0114),
)
"""The covariance of the shade on those three parts of a piece, in logarithms of light."""
GLOSS = (
    (0.00047, 0.00045, 0.00053),
    (0.00045, 0.00092, 0.00110),
    (0.00053, 0.00110, 0.00133),
)
"""The covariance of the gloss on them, in shares of white."""
TINT, REST = 0.033, 1.00
"""The deviation of the light's colour at a piece, in logarithms by channel, and of each figure besides."""
PAINT, LIGHT = (0.039, 0.058), (0.039, 0.101)
"""Deviations in logarithms of light, of each channel and of all together: of a colour's paint from copy to
copy, and of a picture's white.
"""
PAINT_REST = 0.99
"""The further deviation of each mean from copy to copy."""
