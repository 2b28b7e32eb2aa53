"""Limits between sure and doubtful, each with its derivation.

They come from the twelve sample pictures and from rendered pictures of the same kind made for tuning, with
the earlier layout known unless stated: figures of a rendered table, not of a photographed one.
"""

CHANGE = 25.0
"""Log evidence by which a changed stack must exceed an unchanged one: outlines a pixel or two off their
block's true place can feign a change. On 29 pictures true changes brought 56 and more, feigned ones up to 46.
"""

CHANGE_MORE = 3.0
"""The same for each block beyond the first."""

CHANGE_PIECE = 15.0
"""The same for a piece that came, went or was replaced by another."""

TEMPER = 10.0
"""Log evidence that counts as one unit of log odds: pixels agree more than chance would have it."""

FLED = 30.0
"""Log evidence against an alternative in which a hidden piece has vanished and stands nowhere else."""

MARGIN = 30.0
"""Log evidence by which the best layout must lead the next, or the reading is not sure."""

PLAIN = 90.0
"""The lead over all other contents, in every second row and column, at which a space needs no closer look and
no other view.
"""

MARGIN_COLD = 80.0
"""The same without an earlier layout, when one misread space makes others fit it. Of 64 boards, 25 of them
with misread spaces, mostly behind stacks, a margin of 60 left 5 with a misread space that was not doubted, 80
one; with 80 a board has 8 doubted spaces on average.
"""

STEEP_DEG = 70.0
"""Elevation above which a camera sees too little of blocks' sides."""

MARGIN_STEEP = 90.0
"""The margin at such an elevation."""

HIDDEN = 40
"""A change in fewer pixels of the canvas than this is not seen."""

HIDDEN_PIECE = 16
"""A piece that shows in fewer pixels than this is not seen; a whole one has 150 and more."""

CHANGED, CHANGED_WEIGHTS = 4.0, (0.6, 1.0, 1.0)
"""The least distance in L*, a*, b* of a changed pixel from the picture before, and the weights in it;
lightness counts less, since shadows move with hands and stacks.
"""

CHANGED_FEW = 8
"""The fewest changed pixels of a space that make it worth a look."""

PLAINLY = 0.9
"""The share of a space's possible pixels from which a view shows it plainly: then it would show a change."""

CHANGED_MOST = 0.75
"""If more than this share of all spaces changed, the light did: then all are looked at."""

POOR = -16.0
"""The log density below which a pixel is badly explained."""

FOREIGN = 0.5
"""A space with more than this share of its visible pixels badly explained shows something foreign."""

LITTLE = 0.12
"""If more than this share of all visible pixels is badly explained, the picture shows something else, such as
a photograph or a cloth. Then no space is known. Of 18 pictures of boards one has 0.06, the others up to 0.04;
ten of other things behind a board's markers had 0.17 and more.
"""

FOREIGN_COLOUR, FOREIGN_LEAST = 75.0, 60
"""A face of at least so many pixels whose colour is so many squared deviations from its kind's belongs to no
board. Over 45 pictures the strangest true face had 43; gray, skin and purple patches on a board had 160 and
more.
"""

ALTERNATIVES = 32
"""The most other layouts in a reading."""

ROUNDS = ((20.0, -9.0), (10.0, -11.0))
"""The rounds without an earlier layout: the least gain of a change, and the lowest log density of a pixel. At
first most of the board is yet to be found: a stack must not be taken for everything behind it.
"""

PIECE = 3.0
"""Log evidence that a piece must bring there."""
