"""Marrakesh: rules MK-1 to MK-16 (``rules.toml``), two to four players.

=============== =============================================================
module          what it holds
=============== =============================================================
``pieces``      keshis by colour; scrolls, oases, river tiles, towns by number, and their certainty
``facts``       the facts printed on a copy and in no sure source
``frames``      the questions in progress and effects to come
``state``       the referee's knowledge
``book``        the rulebook that the chapters register in; effects and their words; expansions
``gains``       chapter: the gains of bonuses and scrolls; goods given or taken by hand
``paying``      chapter: payment of a price, goods in place of dinars; provision tiles
``assistants``  chapter: keshis chosen, assistants placed and used
``tower``       chapter: the throw, the keshis inside; a camera's or a scale's view of the tray
``claiming``    chapter: claims from the tray, keshis deployed
``river``       chapter: the fisherman, rapids; date pickers
``souk``        chapter: exchange and luxury goods
``square``      chapter: spectators
``stairs``      chapter: mosque and palace, connections
``madrasa``     chapter: the purchase of scrolls
``medina``      chapter: gates, their costs and gains
``sahara``      chapter: oases
``rounds``      chapter: set-up, rounds, seasons, river tiles, the end; the cursor's first places
``overlays``    expansions: staircase tiles, exchange offices, spectators
``attendants``  expansion: imam and sultan
``towns``       expansion: desert towns
``scoring``     points, the scores of oases, the winners
``problems``    the faults that a state can have
``position``    a state in one line
``notation``    a step in one line
``saying``      a step in words, and the pieces on the table
``telling``     the match in words
``scene``       the table, drawn; ``scene_board`` a player's board
=============== =============================================================

A chapter has, in this order, the answers to its questions, fast lists, checks, effects, and the positions
that may ask them. Effects to come wait on the stack of frames: see :mod:`.book`.
"""

from __future__ import annotations

from engines import contract
from engines.contract import Game
from engines.kit import Open
from engines.marrakesh import (
    assistants,
    attendants,
    claiming,
    gains,
    madrasa,
    medina,
    notation,
    overlays,
    paying,
    position,
    problems,
    river,
    rounds,
    sahara,
    scoring,
    souk,
    square,
    stairs,
    telling,
    tower,
    towns,
)
from engines.marrakesh.book import BOOK, list_options
from engines.marrakesh.state import EARLIER, RULES, State

GAME: Game[State, None] = Game(
    id="marrakesh",
    title="Marrakesh",
    seats=rounds.SEATS_AT_TABLE,
    rules_version=RULES,
    earlier=EARLIER,
    options=list_options(),
    levels=rounds.LEVELS,
    rules=BOOK.of(
        paying,
        gains,
        claiming,
        assistants,
        tower,
        river,
        souk,
        square,
        stairs,
        madrasa,
        medina,
        sahara,
        rounds,
        overlays,
        attendants,
        towns,
        problems,
    ),
    scoring=contract.scoring(scoring),
    notation=contract.notation(notation),
    position=position,
    sights=tower.SIGHTS,
    worlds=Open(BOOK, {"tray": tower.draw_tray, "line": souk.draw_line, "print": gains.draw_print}),
    telling=contract.telling(telling),
)
