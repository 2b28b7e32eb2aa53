"""A whole game on the running daemon by nothing but edges on the lines of a kernel's GPIO chip."""

import time

import pytest

from device.keys import Key
from device.settings import Keys
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.keys_driver import Player
from tests.e2e.whole_game import check_journal, keep, play, recorded_game
from tests.gpio_chip.chip import Chip, ChipFingers

pytestmark = pytest.mark.gpio_chip

CONFIG = """
[keys]
factory = "lgpio"
[cues]
led = 12
"""


@pytest.fixture
def chip():
    return Chip()


@pytest.fixture
def box(chip, tmp_path):
    with DaemonProcess(tmp_path, config=CONFIG, simulate=False) as box:
        yield box


@pytest.fixture
def player(box, chip, tmp_path):
    box.start()
    player = Player(box, ChipFingers(chip), tmp_path / "shadow")
    yield player
    player.close()


@pytest.mark.timeout(200)
def test_a_whole_game(box, player, chip, tmp_path):
    file = recorded_game()
    assert box.status()["simulated"] is False
    begin = time.monotonic()
    play(player, file)
    seconds = time.monotonic() - begin
    picture = player.see()
    assert box.stop() == 0
    check_journal(box.state, file, simulated=False)
    kept = keep(picture, "gpio_game.png", tmp_path)
    kept.with_suffix(".txt").write_text(
        f"{len(file.steps)} steps by {player.presses} presses and {player.detents} detents, "
        f"{chip.edges} edges, in {seconds:.1f} s: {file.result}\n"
    )


def test_keys_that_another_program_has_are_waited_for(box, chip, tmp_path):
    import lgpio

    other = lgpio.gpiochip_open(0)
    lgpio.gpio_claim_input(other, Keys().ok)
    box.start(ready=lambda status: True)
    why = f"GPIO {Keys().ok} (ok key): another program uses this pin"
    box.wait_for(lambda status: why in box.log)
    assert box.status()["keys"] is False

    lgpio.gpiochip_close(other)
    box.wait_for(lambda status: status["keys"], timeout=60)
    player = Player(box, ChipFingers(chip), tmp_path / "shadow")  # sees a header without a warning
    player.turn(1)
    player.press(Key.OK)
    assert box.stop() == 0
