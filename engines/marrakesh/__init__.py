"""Marrakesh: rules MK-1 to MK-16 (``rules.toml``), two to four players.

=============== =============================================================
module          what it holds
=============== =============================================================
``keshis``      the twelve colours, and how many of them are thrown
``tiles``       scrolls, oases, river tiles by number, and how sure they are
``facts``       what is printed on a copy and in no sure source
``state``       what the referee knows
``book``        the rulebook that the chapters register in; words of effects
``paying``      chapter: prices, what is paid instead of dinars
``gains``       chapter: what bonuses give
``scrolls``     chapter: what scrolls do
``deploying``   chapter: where keshis go, and what each gives at once
``set_up``      chapter: the oasis track, the first provision tile
``choosing``    chapter: three keshis and the assistants
``throwing``    chapter: the throw, what lies on the tray
``claiming``    chapter: the tray is shared out
``using``       chapter: assistants, one after the other
``river``       chapter: the fisherman, rapids
``orchard``     chapter: dates
``souk``        chapter: exchange and luxury goods
``square``      chapter: spectators
``stairs``      chapter: mosque and palace, connections
``madrasa``     chapter: scrolls bought
``medina``      chapter: gates
``sahara``      chapter: oases
``provisions``  chapter: provision tiles
``rounds``      chapter: rounds, seasons, river tiles, the end
``oases``       what claimed oases score
``scoring``     points, who wins
``problems``    what can be wrong with a state
``position``    a state in one line
``notation``    a step in one line
``saying``      a step in words
``telling``     the match in words
``zones``       what lies on the table
``likely``      where a cursor comes first
``goods``       what people may give or take by hand
``worlds``      sampled truths for playouts
``layouts``     the tray as a camera sees it
``tower``       what is inside: conservation, and errors found out later
``reconciling`` the most probable contents of a tray, given all evidence
``ways``        the sums over all ways to colour the pieces seen, with bounds
``counting``    how many pieces: a scale's weight as chances of a count
``lying``       what may lie on the tray where only its number is known
=============== =============================================================

A chapter has, in this order, what its questions may be answered with, fast lists, checks, effects, and what
the pieces allow. Whatever is still to come waits as a word on the stack of frames: see :mod:`.book`.
"""

from __future__ import annotations

from engines import contract
from engines.contract import Game
from engines.marrakesh import (
    choosing,
    claiming,
    deploying,
    gains,
    goods,
    layouts,
    likely,
    madrasa,
    medina,
    notation,
    orchard,
    paying,
    position,
    provisions,
    river,
    rounds,
    sahara,
    scoring,
    scrolls,
    set_up,
    souk,
    square,
    stairs,
    telling,
    throwing,
    using,
    worlds,
)
from engines.marrakesh.book import BOOK
from engines.marrakesh.state import EARLIER, RULES, State
from engines.marrakesh.variants import OPTIONS

GAME: Game[State, None] = Game(
    id="marrakesh",
    title="Marrakesh",
    seats=set_up.SEATS_AT_TABLE,
    rules_version=RULES,
    earlier=EARLIER,
    options=OPTIONS,
    levels=set_up.LEVELS,
    rules=BOOK.of(
        paying,
        gains,
        scrolls,
        deploying,
        set_up,
        choosing,
        throwing,
        claiming,
        using,
        river,
        orchard,
        souk,
        square,
        stairs,
        madrasa,
        medina,
        sahara,
        provisions,
        rounds,
        likely,
        goods,
    ),
    scoring=contract.scoring(scoring),
    notation=contract.notation(notation),
    position=position,
    sights=layouts.SIGHTS,
    worlds=worlds.WORLDS,
    telling=contract.telling(telling),
)
