"""A whole game on a running box by its line alone: no key is pressed, and every step is acknowledged."""

from pathlib import Path

import pytest

from device.event import BoxKey, Trusted, judge_signatures
from device.match.door import MatchDoor
from device.match.journal import read
from device.match.library import Library
from device.match.replay import Header, Replay
from device.menus import Box
from device.screen.pixels import draw, pages_of
from device.screen.pixels.worker import WALK
from engines import matchfile
from engines.matchfile import MatchFile
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.line_node import LineNode, opening, said
from tests.e2e.whole_game import keep

MATCHES = Path(__file__).parents[1] / "matches"


def recorded(name: str) -> MatchFile:
    return matchfile.read((MATCHES / name).read_text("utf-8"), name)


def last_page(file: MatchFile, folder: Path) -> set[bytes]:
    """Return what a simulated box beside it shows at the end: wherever the picture has walked to."""
    table = Library(folder, simulated=True)
    box = Box(MatchDoor(table), pages=pages_of)
    box.open(Header(file.game, file.names, file.setup))
    assert table.referee
    for step in file.steps:
        table.referee.step(step.text, seat=step.seat, channel="here")
    table.referee.wait()
    page = box.page()
    table.leave()
    return {draw(page, shift).tobytes() for shift in WALK}


def check(box: DaemonProcess, file: MatchFile) -> None:
    """Check that the journal holds the game, each record from the line's node, signed by the box."""
    (path,) = (box.state / "matches").glob("*.podesta")
    reading = read(path)
    assert reading.damage is None
    assert {record.channel.partition("#")[0] for record in reading.records} == {"line:laptop"}
    assert len({record.channel for record in reading.records[1:-1]}) == len(reading.records) - 2
    replay = Replay(reading.header, reading.records)
    assert (replay.header.asked, replay.header.simulated) == (Header(file.game, file.names, file.setup), True)
    assert replay.match.steps == list(file.steps)
    assert not replay.drift
    assert matchfile.result(replay.match) == file.result
    assert replay.over
    keys = {BoxKey(box.state).public: Trusted("this box")}
    signing = judge_signatures(reading.header, reading.records, keys)
    assert (signing.signed, signing.signer) == ("whole", "this box")


@pytest.mark.parametrize("name", ["figure_2", pytest.param("torres_three", marks=pytest.mark.soak)])
def test_a_whole_game(tmp_path, name):
    file, node = recorded(f"{name}.match"), LineNode(tmp_path / "port")
    with DaemonProcess(tmp_path / "box", config=node.settings, simulate=True) as box:
        box.start()
        assert node.do(opening(file)) == f"ack {node.seq} 1"
        for number, step in enumerate(file.steps, 2):
            records = 1 if step is not file.steps[-1] else 2  # with the last one comes a ruling: it is over
            assert node.do(said(step, number - 1)) == f"ack {node.seq} {number + records - 1}"
        due = last_page(file, tmp_path / "beside")
        seen = box.wait_for_screen(lambda picture: picture.tobytes() in due)
        assert seen is not None
        keep(seen, f"line_{name}.png", tmp_path)
        assert seen.tobytes() in due
        assert node.do("ask turn") == f"turn {node.seq} over {file.result.partition(',')[0]}"
        assert box.stop() == 0
    check(box, file)
    node.close()
