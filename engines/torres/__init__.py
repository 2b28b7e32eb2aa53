"""Torres: rules TO-1 to TO-6 (``rules.toml``), two to four players.

=============== =============================================================
module          what it holds
=============== =============================================================
``cells``       the 64 spaces, sets of them, what lies beside what
``ground``      heights, castles, where a block may go
``facts``       what is printed on a copy and in no sure source
``ways``        where a knight may go: on foot, through doors, by the cards
``cards``       the ten action cards
``stacks``      blocks in front of players, and what a turn leaves of them
``state``       what the referee knows
``questions``   the questions, their domains and tokens
``moves``       the fast list of what is legal
``checks``      the same with reasons: named checks, each with its clause
``play``        what a choice does in a turn
``phases``      set-up, rounds, phases, and what is entered by hand
``scoring``     the track, the end of a phase, who wins
``possible``    what the pieces allow where a clause was overruled
``overrule``    an illegal choice that stands
``problems``    what can be wrong with a state
``position``    a state in one line
``notation``    a step in one line
``layout``      the board as a camera sees it
``reading``     a layout read as the turn that leads there (with ``reading_plans``, ``_far``,
                ``_search``, ``_steps`` and ``_doubts``)
``worlds``      sampled truths for playouts
``likely``      where a cursor comes first
=============== =============================================================

For a search over whole turns: :func:`.ways.reach` (everywhere a knight gets to, by action points),
:func:`.ways.beside_own` (where a new one may stand), ``Ground.room`` (where a block may go),
:func:`.ground.with_block` and :func:`.ground.targets` are pure functions of sets of spaces.
"""

from __future__ import annotations

from engines.contract import Game
from engines.torres import notation, position, scoring, sight, worlds
from engines.torres.book import BOOK, LEVELS, SEATS_AT_TABLE
from engines.torres.state import OPTIONS, State

GAME: Game[State, worlds.World] = Game(
    id="torres",
    title="Torres",
    seats=SEATS_AT_TABLE,
    rules_version=1,
    options=OPTIONS,
    levels=LEVELS,
    rules=BOOK,
    scoring=scoring,
    notation=notation,
    position=position,
    sights=(sight,),
    worlds=worlds,
)
