"""The kit: all that two games would both write and no caller needs.

A game needs no more than these names, and :mod:`.drawing` if it draws its table: see ``template``, which
``podesta plugin new NAME --game`` writes.

============ ============================================================
module       what it holds
============ ============================================================
``rulebook`` chapters put together: what is legal, why not, what happens
``checks``   named checks, each with its clause; what is wrong with a position
``options``  what a set-up chooses, and whether a position agrees
``position`` the shell of a position text
``forms``    how its fields are written and read
``noting``   what happens while a step is applied, for whoever tells it
``parts``    parts as most games have them: notation, an open row, worlds, places, a step in words
``drawing``  what several games draw on their tables
============ ============================================================
"""

from engines.kit import forms
from engines.kit.checks import Objection, impossible, wrong
from engines.kit.forms import Form, listed, matching, several, words, written
from engines.kit.noting import heard, note, unheard
from engines.kit.options import of_variant, opening, variant
from engines.kit.parts import Open, OpenRow, Saying, Teller, WordNotation, by_hand, ranked, split
from engines.kit.position import Fields, given, joined, line, standing
from engines.kit.rulebook import TURN, Frame, Rulebook, of_frame, question, within
