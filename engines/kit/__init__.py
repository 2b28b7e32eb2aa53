"""The kit: code that two games would both write and no caller needs.

A game needs only these names, and :mod:`.drawing` if it draws its table. For an example see ``template``, the
game that ``podesta plugin new NAME --game`` writes.

============ ============================================================
module       what it holds
============ ============================================================
``rulebook`` the rules, put together from chapters: legal answers, reasons, effects
``checks``   named checks, each with its clause; faults of a position
``options``  the options that a set-up chooses, and their agreement with a position
``forms``    a position text: the line of its fields, and their forms
``noting``   notes of what happens while a step is applied, for its telling
``parts``    parts of most games: notation, an open row, worlds, places, a step in words
``drawing``  marks that several games draw on their tables
============ ============================================================
"""

from engines.kit import forms
from engines.kit.checks import Objection, impossible, wrong
from engines.kit.forms import (
    Fields,
    Form,
    given,
    joined,
    line,
    listed,
    matching,
    reading,
    several,
    standing,
    words,
    written,
)
from engines.kit.noting import heard, note, unheard
from engines.kit.options import of_variant, opening, variant
from engines.kit.parts import Open, OpenRow, Saying, Teller, WordNotation, by_hand, ranked, split
from engines.kit.rulebook import TURN, Frame, Rulebook, of_frame, question, within
