"""Limits between sure and doubtful, each with how it was found.

Found on the twelve sample pictures and on rendered pictures of the same kind made for tuning, with the
earlier layout known unless said: figures of a rendered table, not of a photographed one.
"""

CHANGE = 25.0
"""Log evidence that a stack's change must bring beside an unchanged one: what outlines a pixel or two from
their block's true place can feign. On 29 pictures true changes brought 56 and more, feigned ones up to 46."""

CHANGE_MORE = 3.0
"""The same for each block beyond the first."""

CHANGE_PIECE = 15.0
"""The same for a piece that came, went or was changed for another."""

TEMPER = 10.0
"""Log evidence that counts as one unit of log odds: pixels agree with each other more than chance would."""

FLED = 30.0
"""How much less likely an alternative is in which a hidden piece has vanished and stands nowhere else."""

MARGIN = 30.0
"""Log evidence by which the best layout must be ahead of the next, or the reading is not sure."""

PLAIN = 90.0
"""The lead over all else, in every second row and column, from which a space is not looked at more
closely, nor in another view.
"""

MARGIN_COLD = 80.0
"""The same without an earlier layout, where one space misread makes others fit it. Over 64 boards (of 25 of
which something was misread, mostly behind stacks) a margin of 60 left 5 boards with a misread space that was
not doubted, 80 one; it has 8 spaces of a board doubted on average."""

STEEP_DEG = 70.0
"""Elevation above which a camera sees too little of blocks' sides."""

MARGIN_STEEP = 90.0
"""What the margin must be there."""

HIDDEN = 40
"""A change that would show in fewer pixels of the canvas than this is not seen."""

HIDDEN_PIECE = 16
"""A piece that shows in fewer pixels than this is not seen; a whole one has 150 and more."""

CHANGED, CHANGED_WEIGHTS = 4.0, (0.6, 1.0, 1.0)
"""From which distance in L*, a*, b* on a pixel is another than in the picture before; lightness counts less,
for shadows move with hands and stacks."""

CHANGED_FEW = 8
"""The changed pixels where a space shows from which it is looked at."""

PLAINLY = 0.9
"""The share of where a space can show from which a view shows it plainly: then it would show a change."""

CHANGED_MOST = 0.75
"""Where more than this share of all spaces changed, the light did: then all are looked at."""

POOR = -16.0
"""The log density below which a pixel is badly explained."""

FOREIGN = 0.5
"""A space of whose visible pixels more than this share are badly explained shows something foreign."""

LITTLE = 0.12
"""Where more than this share of all that the spaces show is badly explained, something else is shown there: a
photograph, a cloth. Then no space is known. Of 18 pictures of boards one has 0.06, the others up to 0.04; ten
of other things behind a board's markers had 0.17 and more.
"""

FOREIGN_COLOUR, FOREIGN_LEAST = 75.0, 60
"""A face of so many pixels whose colour is so many squared deviations from its kind's belongs to no board.
Over 45 pictures the strangest true face had 43; gray, skin and purple patches on a board had 160 and more."""

ALTERNATIVES = 32
"""How many other layouts a reading names at most."""

ROUNDS = ((20.0, -9.0), (10.0, -11.0))
"""Without an earlier layout, round by round: what a change must gain, and the log density below which no
pixel falls. At first most of the board is yet to be found: a stack must not be taken for all behind it."""

PIECE = 3.0
"""Log evidence that a piece must bring there."""

STRANGE, STRANGE_SHARE = -10.0, 0.33
"""The log density below which a pixel is not an empty board's, and how many of a stack's pixels must be so:
on 22 pictures of 64 spaces true stacks had 0.26 and more, all but a few 0.34."""
