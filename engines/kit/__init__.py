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
``saying``   steps in words, a text a question
``noting``   what happens while a step is applied, for whoever tells it
``notation`` a step's text, a word a token
``ranking``  points given by hand; places by points and tie-breaks
``sights``   pieces that lie open in a row
``drawing``  what several games draw on their tables
``worlds``   sampled truths of a game in which everything lies open
============ ============================================================
"""

from engines.kit import forms
from engines.kit.checks import Objection, impossible, wrong
from engines.kit.forms import Form, listed, matching, several, words, written
from engines.kit.notation import WordNotation, split
from engines.kit.noting import heard, note, unheard
from engines.kit.options import of_variant, opening, variant
from engines.kit.position import Fields, given, joined, line, standing
from engines.kit.ranking import by_hand, ranked
from engines.kit.rulebook import TURN, Frame, Rulebook, of_frame, question, within
from engines.kit.saying import Saying, Teller
from engines.kit.sights import OpenRow
from engines.kit.worlds import Open
