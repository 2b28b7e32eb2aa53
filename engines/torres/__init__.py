"""Torres: rules TO-1 to TO-6 (``rules.toml``), two to four players.

================ =============================================================
module           what it holds
================ =============================================================
``cells``        the 64 spaces, sets of them, their neighbours
``ground``       heights, castles, the places for a block
``ways``         the ways of a knight: on foot, through doors, by the cards
``stacks``       blocks in front of players, and those left after a turn
``facts``        the facts printed on a copy that no sure source has
``state``        the ten action cards, options, the referee's knowledge
``scoring``      the track, the end of a phase, the winners
``book``         the rulebook that the chapters register in
``blocks``       chapter: blocks
``knights``      chapter: new knights, moves, doors
``action_cards`` chapter: cards taken and played, their effects
``turns``        chapter: turns, score steps, stacks, rounds, phases, the king; the cursor's first places
``final``        chapter: a last board, points entered by hand
``layouts``      the board as a camera sees it
``problems``     the faults that a state can have
``position``     a state in one line
``set_up``       chapter: options, castles, first knights, the king's space
``notation``     a step in one line
``worlds``       sampled truths for playouts
``sight``        a camera's view
``reading``      a layout read as the turn that leads there: ``reading_search`` the cheapest turns,
                 ``reading_walks`` the order of walks, ``reading_turns`` each as choices
``telling``      the match in words
``scene``        the table, drawn
================ =============================================================

A chapter has, in this order, the answers to its questions, fast lists, checks, effects, and the answers that
the pieces allow. Each action of a turn has its tokens, list, checks and effect in its own chapter; ``turns``
puts them together.

For a search over whole turns, use these pure functions of sets of spaces: :func:`.ways.reach` (all spaces
that a knight reaches, by action points), :func:`.ways.beside_own` (the spaces for a new one), ``Ground.room``
(the spaces for a block), :func:`.ground.with_block` and :func:`.ground.targets`.
"""

from __future__ import annotations

from engines import contract
from engines.contract import Game
from engines.torres import (
    action_cards,
    blocks,
    final,
    knights,
    notation,
    position,
    scoring,
    set_up,
    sight,
    telling,
    turns,
    worlds,
)
from engines.torres.book import BOOK
from engines.torres.state import OPTIONS, State

GAME: Game[State, worlds.World] = Game(
    id="torres",
    title="Torres",
    seats=set_up.SEATS_AT_TABLE,
    rules_version=2,
    options=OPTIONS,
    levels=set_up.LEVELS,
    rules=BOOK.of(set_up, blocks, knights, action_cards, turns, final),
    scoring=contract.scoring(scoring),
    notation=notation,
    position=position,
    sights=(contract.sight(sight),),
    worlds=worlds,
    telling=contract.telling(telling),
)
