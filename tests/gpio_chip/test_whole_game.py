"""A whole game on the running daemon by nothing but edges on the lines of a kernel's GPIO chip."""

import time

import pytest

from device.keys.events import Key
from device.match.journal import read
from device.match.replay import Replay
from device.screen import TextPage
from device.settings import Keys
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.keys_driver import Player
from tests.e2e.line_node import LineNode, opening, said
from tests.e2e.test_line_game import last_page
from tests.e2e.whole_game import check_journal, header, keep, play, recorded_game
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
    beside = last_page(file, tmp_path / "beside", simulated=False)
    by_line, picture = line_game(tmp_path / "line", file, beside)
    assert by_line.match.steps == list(file.steps)
    assert picture.tobytes() in beside
    keep(picture, "line_game.png", tmp_path)


def line_game(folder, file, due):
    """The game once more on the same chip by a line alone: what its journal tells, and the last picture.

    ``due`` are the pictures that would do; the box is given time to come to one of them.
    """
    folder.mkdir()
    node = LineNode(folder / "port")
    config = f'{CONFIG}\n[[line]]\nurl = "{node.path}"\nchecked = true\n'
    with DaemonProcess(folder / "box", config=config, simulate=False) as box:
        box.start()
        assert node.do(opening(file)) == f"ack {node.seq} 1"
        for number, step in enumerate(file.steps, 1):
            assert node.do(said(step, number)).startswith("ack ")
        recorded = len(file.steps) + 2  # opened, the steps, and the ruling that it is over
        box.wait_for(lambda status: status["recorded"] == recorded)
        picture = box.wait_for_screen(lambda picture: picture.tobytes() in due)
        assert box.stop() == 0
    node.close()
    (path,) = (box.state / "matches").glob("*.podesta")
    reading = read(path)
    assert {record.channel.partition("#")[0] for record in reading.records} == {"line:laptop"}
    return Replay(reading.header, reading.records), picture


@pytest.mark.timeout(200)
def test_a_power_cut_costs_no_more_than_the_choice_being_made(box, player):
    file = recorded_game()
    middle = next(at for at, step in enumerate(file.steps) if at >= 8 and " > " in step.text)
    player.open(header(file))
    for step in file.steps[:middle]:
        player.enter(step)
    assert player.begin(file.steps[middle])
    box.kill()
    check_journal(box.state, file, simulated=False, steps=middle)

    player.resume()
    again = player.shadow.page()
    assert "Guido to move" in (again.text if isinstance(again, TextPage) else again.told)
    box.start()
    player.see()  # before any key
    for step in file.steps[middle : middle + 2]:
        player.enter(step)
    assert box.stop() == 0
    check_journal(box.state, file, simulated=False, steps=middle + 2)


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
