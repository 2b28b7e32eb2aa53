"""The shipped looks of the twelve colours: figures and their source.

Means and covariances of the nine figures of :func:`vision.tray.palette.features` over keshis in pictures
drawn by a ray tracer (``tests/vision/scenes``, look ``tune``), whose paints, lamps and white balances all
vary. The covariances are over 391 keshis in 42 pictures (trays from number 5000 on); the means, and the
effect of lying flat, also over 880 more in 89 pictures (from 100 and from 300 on). None of these pictures
counts in any figure quoted elsewhere.
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

WITHIN = (
    (31.3, -0.2, 4.0, 16.8, 0.6, 2.1, 7.5, 0.6, 0.9),
    (-0.2, 7.1, 3.3, 2.1, 2.5, 1.3, 1.5, 1.5, 0.9),
    (4.0, 3.3, 11.0, 2.8, 0.9, 4.1, 0.5, -0.5, 2.9),
    (16.8, 2.1, 2.8, 43.4, -1.5, 1.1, 26.7, -1.5, -2.3),
    (0.6, 2.5, 0.9, -1.5, 4.9, 1.0, -0.1, 3.2, 1.1),
    (2.1, 1.3, 4.1, 1.1, 1.0, 5.2, 0.1, 0.6, 2.9),
    (7.5, 1.5, 0.5, 26.7, -0.1, 0.1, 24.1, -0.7, 0.0),
    (0.6, 1.5, -0.5, -1.5, 3.2, 0.6, -0.7, 6.2, 0.6),
    (0.9, 0.9, 2.9, -2.3, 1.1, 2.9, 0.0, 0.6, 5.8),
)
"""The covariance of pieces of one colour in one picture, (9, 9)."""

BETWEEN = (
    (37.8, 1.7, 8.1, 12.5, 0.5, 3.5, 6.2, -0.1, 0.6),
    (1.7, 5.5, -2.9, -0.2, 4.4, -1.9, -0.7, 3.8, -1.9),
    (8.1, -2.9, 10.2, 5.5, -3.0, 6.4, 5.5, -3.1, 5.3),
    (12.5, -0.2, 5.5, 13.5, -0.8, 1.5, 11.1, -0.7, 0.4),
    (0.5, 4.4, -3.0, -0.8, 5.4, -2.3, -2.5, 4.9, -2.4),
    (3.5, -1.9, 6.4, 1.5, -2.3, 7.7, 2.0, -2.6, 7.3),
    (6.2, -0.7, 5.5, 11.1, -2.5, 2.0, 12.7, -2.7, 1.4),
    (-0.1, 3.8, -3.1, -0.7, 4.9, -2.6, -2.7, 5.0, -2.8),
    (0.6, -1.9, 5.3, 0.4, -2.4, 7.3, 1.4, -2.8, 8.0),
)
"""The covariance of a colour's mean from copy to copy and light to light, (9, 9)."""
