"""A new game at the box, from the form to the last key.

``python -m tests.device.newcomer GAME TITLE STATE`` says how it ended.
"""

from __future__ import annotations

import sys
from pathlib import Path

from device.bench.presses import Pilot
from device.match.door import MatchDoor
from device.match.library import Library
from device.menus import Box
from device.screen.pixels import pages_of
from tests.device.conftest import Ticks
from tests.device.games import FULL, game_steps
from tests.device.player import Player


def played(game_id: str, title: str, state: Path) -> str:
    """How a match ends that is begun at the form and played by the keys alone."""
    library = Library(state)
    try:
        player = Player(Box(MatchDoor(library), pages=pages_of, strict=True, now_ms=Ticks()), Ticks())
        player.choose("New match")
        while player.page.prompt != title:
            player.choose("another game")
        player.choose("START")
        pilot = Pilot(player.box)
        for step in game_steps(1, FULL, game_id):
            pilot.enter(step)
        player.written()
        replay = library.referee.replay
        return f"{replay.header.game} {replay.match.state.termination} {len(replay.match.steps)}"
    finally:
        library.leave()


if __name__ == "__main__":
    sys.stdout.write(played(*sys.argv[1:3], Path(sys.argv[3])) + "\n")
