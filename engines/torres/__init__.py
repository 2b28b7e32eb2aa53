"""Torres: rules TO-1 to TO-6 (``rules.toml``), two to four players.

================ ======================================================
For a search over whole turns: :func:`.ways.reach` (everywhere a knight gets to, by action points),
:func:`.ways.beside_own` (where a new one may stand), ``Ground.room`` (where a block may go),
:func:`.ground.with_block` and :func:`.ground.targets` are pure functions of sets of spaces.
"""

from __future__ import annotations

from engines.contract import Game
from engines.torres import (
    action_cards,
    blocks,
    final,
    knights,
    likely,
    notation,
    phases,
    position,
    scoring,
    set_up,
    sight,
    worlds,
)
from engines.torres.book import BOOK
from engines.torres.state import OPTIONS, State

CHAPTERS = (set_up, blocks, knights, action_cards, phases, final, likely)
"""What the book is put together from, in the order of the printed rules; habits of cursors last."""

GAME: Game[State, worlds.World] = Game(
    id="torres",
    title="Torres",
    seats=set_up.SEATS_AT_TABLE,
    rules_version=1,
    options=OPTIONS,
    levels=set_up.LEVELS,
    rules=BOOK,
    scoring=scoring,
    notation=notation,
    position=position,
    sights=(sight,),
    worlds=worlds,
)
