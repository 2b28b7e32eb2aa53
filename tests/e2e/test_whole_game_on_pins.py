"""A recorded game on a running box, by the contacts of its simulated keys."""

import pytest

from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.keys_driver import PanelFingers, Player
from tests.e2e.whole_game import check_journal, keep, play, recorded_game

BEGINNING = 5
"""Steps of every day, at the pace of a hand: all kinds but exchanges and the end, which other tests enter."""


@pytest.mark.parametrize("steps", [BEGINNING, pytest.param(None, marks=pytest.mark.soak)])
def test_a_game_by_the_simulated_keys(tmp_path, steps):
    file = recorded_game()
    with DaemonProcess(tmp_path, simulate=True) as box:
        box.start()
        player = Player(box, PanelFingers(box), tmp_path / "shadow")
        play(player, file, steps)
        keep(player.see(), "simulated_game.png", tmp_path)
        player.close()
        assert box.stop() == 0
    check_journal(box.state, file, simulated=True, steps=steps)
