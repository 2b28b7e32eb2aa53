"""A whole game on a running box, by the contacts of its simulated keys."""

from __future__ import annotations

from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.keys_driver import PanelFingers, Player
from tests.e2e.whole_game import check_journal, keep, play, recorded_game


def test_a_whole_game_by_the_simulated_keys(tmp_path):
    file = recorded_game()
    with DaemonProcess(tmp_path, simulate=True) as box:
        box.start()
        player = Player(box, PanelFingers(box), tmp_path / "shadow")
        play(player, file)
        keep(player.see(), "simulated_game.png", tmp_path)
        player.close()
        assert box.stop() == 0
    check_journal(box.state, file, simulated=True)
