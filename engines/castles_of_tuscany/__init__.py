"""The Castles of Tuscany: rules CT-1 to CT-7 (``rules.toml``), two to four players.

============ ====================================================================
module       what it holds
============ ====================================================================
``kinds``    kinds of tiles, spaces, cards, square tiles, rewards
``regions``  boards put together: spaces, neighbours, areas
``facts``    the facts printed on a copy that no sure source has
``state``    the referee's knowledge
``scoring``  both tracks, the winners
``book``     the rulebook that the chapters register in
``set_up``   chapter: boards and seams, castles, first square tiles, the display
``taking``   chapter: tiles taken, the display refilled, five alike
``placing``  chapter: a stored tile placed, its price, full areas, colour bonuses
``effects``  chapter: the effects of placed tiles, one after the other
``turns``    chapter: turns, marble, rounds, the end; the cursor's first places; goods by hand
``final``    chapter: a final table entered by hand
``problems`` the faults that a state can have
``position`` a state in one line
``notation`` a step in one line
``telling``  the match in words, the pieces on the table
``scene``    the table, drawn
``worlds``   sampled truths for playouts
``layouts``  regions and display as a camera sees them
============ ====================================================================

A chapter has, in this order, the answers to its questions, fast lists, checks, effects, and the answers that
the pieces allow. Each action of a turn has its tokens, list, checks and effect in its own chapter; ``turns``
puts them together. Effects that follow a report (a tile is turned up first) wait as frames of the state: an
``effect`` frame is no question; it happens once the questions above it are answered.
"""

from __future__ import annotations

from engines import contract
from engines.castles_of_tuscany import (
    effects,
    final,
    layouts,
    notation,
    placing,
    position,
    problems,
    scoring,
    set_up,
    taking,
    telling,
    turns,
    worlds,
)
from engines.castles_of_tuscany.book import BOOK
from engines.castles_of_tuscany.state import EARLIER, OPTIONS, RULES, State
from engines.contract import Game

GAME: Game[State, worlds.World] = Game(
    id="castles_of_tuscany",
    title="The Castles of Tuscany",
    seats=set_up.SEATS_AT_TABLE,
    rules_version=RULES,
    earlier=EARLIER,
    options=OPTIONS,
    levels=set_up.LEVELS,
    rules=BOOK.of(set_up, taking, placing, effects, turns, final, problems),
    scoring=contract.scoring(scoring),
    notation=contract.notation(notation),
    position=position,
    sights=layouts.SIGHTS,
    worlds=worlds,
    telling=contract.telling(telling),
)
