"""Le Torri di San Gimignano: rules SG-1 to SG-11 (``rules.toml``), basic and advanced, one deal or several.

=============== =============================================================
module          what it holds
=============== =============================================================
``cards``       ranks, nobles, bags of cards, towers
``state``       what the referee knows
``questions``   the questions, their domains and tokens
``moves``       the fast list of what is legal (``layout_moves``: of a layout)
``checks``      the same with reasons: named checks, each with its clause (also
                ``tower_checks``, ``answer_checks``; ``objections`` serves all)
``play``        what a choice does: by question, out of

                - ``drawing``: draws, refills, the end of a turn
                - ``building``: towers, donazione, Guard, Trade
                - ``nobles``: nobles played, Giostra, Palazzo
                - ``counting``: a final layout
                - ``deals``: one deal after the other
                - ``zones``: cards between hands, decks and the table
``possible``    what the pieces allow where a clause was overruled
``overrule``    an illegal choice that stands
``scoring``     points and winners
``problems``    what can be wrong with a state
``position``    a state in one line
``notation``    a step in one line
``layouts``     the towers as a camera sees them
``worlds``      sampled truths for playouts
=============== =============================================================
"""

from __future__ import annotations

from engines.contract import Game, Level
from engines.san_gimignano import layouts, notation, position, scoring, worlds
from engines.san_gimignano.book import BOOK, OPTIONS
from engines.san_gimignano.state import State

GAME: Game[State, worlds.World] = Game(
    id="san_gimignano",
    title="Le Torri di San Gimignano",
    seats=(2,),
    rules_version=1,
    options=OPTIONS,
    levels=tuple(Level),
    rules=BOOK,
    scoring=scoring,
    notation=notation,
    position=position,
    sights=(layouts,),
    worlds=worlds,
)
