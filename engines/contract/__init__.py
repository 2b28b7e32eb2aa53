"""The contract: the things that every game offers and every caller may rely on.

A *state* is the referee's knowledge, not the truth. It asks one *pending* question at a time. An *action* is
a :class:`Choice`, one token out of the question's small :class:`Domain`. Several choices make a *step*. Its
first choice *opens* the question: a person may still step back, and nothing is recorded. Its last choice
closes it. A step's text, its *notation*, is its tokens side by side: ``X 8 8 > m6 d``.

A :class:`Game` is a record of *parts*, each small enough for one module of the game's package:
:class:`Rules` (questions, legal answers and effects), :class:`Scoring`, :class:`Notation`,
:class:`Positions`, :class:`Sight` (a camera's view), :class:`Worlds` (sampled truths) and :class:`Telling` (a
game master's words, and the table as everybody sees it).
"""

from engines.contract.domains import AnyDomain, Domain, Multiset, Number, Picker, Printed, Verb
from engines.contract.game import (
    Game,
    Layouts,
    Notation,
    Points,
    Positions,
    Rules,
    Scoring,
    Sight,
    Telling,
    Worlds,
    notation,
    scoring,
    sight,
    telling,
    winners,
)
from engines.contract.scene import COLOURS, HEIGHT, WIDTH, Drawing, Mark, Panel, Scene, Shape
from engines.contract.values import (
    ADJUSTMENT,
    SEATS,
    Booking,
    Choice,
    Decide,
    Exact,
    Figures,
    Good,
    Hidden,
    Interpretation,
    Key,
    Label,
    Lay,
    Level,
    Misread,
    Option,
    OutOfStep,
    Over,
    Pending,
    Piece,
    Place,
    Problem,
    Refusal,
    Report,
    Setup,
    Several,
    Tally,
    Tie,
    Told,
    Zone,
    totals,
)
