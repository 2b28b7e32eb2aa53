"""Le Torri di San Gimignano: rules SG-1 to SG-11 (``rules.toml``), basic and advanced, one deal or several.

============== ==============================================================
module         what it holds
============== ==============================================================
``cards``      ranks, nobles, bags of cards, towers
``hands``      cards in hands: the known ones, and those that a hand may hold
``state``      options, the referee's knowledge
``scoring``    points and places
``book``       the rulebook, and the code that its chapters share
``turns``      SG-1, SG-2, SG-6, SG-10: set-up, turns, a cursor's first place, filling the market, deals
``draws``      SG-3.1 to SG-3.7: Purchase, Exchange, draws
``donazione``  SG-5: Income, Trade, Conspiracy, Guard
``building``   SG-3.8, SG-4, SG-5.9: Build, and the effects of storeys
``standing``   SG-3.9 to SG-3.12: Extend, Complete, Close
``nobles``     SG-9: nobles as a turn, Palazzo, Giostra
``final``      the report of a final layout, at the level ``score``
``problems``   the faults that a state can have
``position``   a state in one line
``notation``   a step in one line
``telling``    the match in words
``scene``      the table, drawn
``layouts``    a camera's view of towers and market
``worlds``     sampled truths for playouts
============== ==============================================================
"""

from __future__ import annotations

from engines import contract
from engines.contract import Game, Level
from engines.san_gimignano import (
    building,
    donazione,
    draws,
    final,
    layouts,
    nobles,
    notation,
    position,
    problems,
    scoring,
    standing,
    telling,
    turns,
    worlds,
)
from engines.san_gimignano.book import BOOK
from engines.san_gimignano.state import OPTIONS, State

GAME: Game[State, worlds.World] = Game(
    id="san_gimignano",
    title="Le Torri di San Gimignano",
    seats=(2,),
    rules_version=1,
    options=OPTIONS,
    levels=tuple(Level),
    rules=BOOK.of(turns, draws, donazione, building, standing, nobles, final, problems),
    scoring=contract.scoring(scoring),
    notation=notation,
    position=position,
    sights=(contract.sight(layouts), layouts.MarketSight()),
    worlds=worlds,
    telling=contract.telling(telling),
)
