"""The kit: all that two games would both write and no caller needs.

A game of another package needs no more than these names: see ``template``, which ``podesta plugin new NAME
--game`` writes.

============ ============================================================
module       what it holds
============ ============================================================
``rulebook`` chapters put together: what is legal, why not, what happens
``checks``   named checks, each with its clause; what is wrong with a position
``options``  what a set-up chooses, and whether a position agrees
``position`` the shell of a position text
``forms``    how its fields are written and read
``noting``   what happens while a step is applied, for whoever tells it
``notation`` a step's text, a word a token
``ranking``  points given by hand; places by points and tie-breaks
``sights``   pieces that lie open in a row
``drawing``  what several games draw on their tables
``worlds``   sampled truths of a game in which everything lies open
============ ============================================================
"""

from engines.kit.checks import Objection, impossible, wrong
from engines.kit.forms import listed
from engines.kit.notation import Words
from engines.kit.options import opening
from engines.kit.position import Fields, given, line, standing
from engines.kit.ranking import by_hand, ranked
from engines.kit.rulebook import Frame, Rulebook
from engines.kit.worlds import Open
