"""A whole game on a running box by its line alone: no key is pressed, and every step is acknowledged."""

from pathlib import Path

import pytest

from device.cli import main
from device.event import BoxKey, Trusted, plan, read_keys, signatures, take
from device.match.door import MatchDoor
from device.match.journal import read
from device.match.library import Library
from device.match.replay import Header, Replay
from device.menus import Box
from device.screen.pixels import draw, pages_of
from device.screen.pixels.worker import WALK
from engines import matchfile
from engines.matchfile import MatchFile
from tests.e2e.daemon_process import DaemonProcess, choose
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


def check(
    box: DaemonProcess,
    file: MatchFile,
    *,
    nodes: set[str],
    boxes: dict[str, Trusted] | None = None,
) -> None:
    """The journal holds the file's game, and each of its records came from the line's node; ``boxes`` signed
    it, the box alone unless they are given.
    """
    (path,) = (box.state / "matches").glob("*.podesta")
    reading = read(path)
    assert reading.damage is None
    assert {record.channel.partition("#")[0] for record in reading.records} == nodes
    assert len({record.channel for record in reading.records[1:-1]}) == len(reading.records) - 2
    replay = Replay(reading.header, reading.records)
    assert (replay.header.asked, replay.header.simulated) == (Header(file.game, file.names, file.setup), True)
    assert replay.match.steps == list(file.steps)
    assert not replay.drift
    assert matchfile.result(replay.match) == file.result
    assert replay.over
    key = BoxKey(box.state).public
    boxes = boxes or {key: Trusted("this box")}
    signing = signatures(reading.header, reading.records, boxes)
    assert (signing.signed, signing.signer) == ("whole", boxes[key].name)


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
    check(box, file, nodes={"line:laptop"})
    node.close()


@pytest.mark.soak
def test_a_spare_box_goes_on_where_a_box_broke(tmp_path, capsys):
    """From a bundle on a stick: what was acknowledged is there, and both boxes' signatures are known."""
    file = recorded("closed.match")
    half = len(file.steps) // 2
    files = plan(tmp_path / "cup", "Friday cup", 2)
    node = LineNode(tmp_path / "port")
    config = node.settings
    with (
        DaemonProcess(tmp_path / "broken", config=config, simulate=True) as broken,
        DaemonProcess(tmp_path / "spare", config=config, simulate=True) as spare,
    ):
        for box, its in zip((broken, spare), files, strict=True):
            take(its, box.state)
        broken.start()
        assert "held" in node.do(opening(file))
        choose(broken, "Yes: play")
        broken.wait_for(lambda status: status["recorded"] == 1)
        assert node.do(opening(file), node.seq) == f"ack {node.seq} 1"
        for number, step in enumerate(file.steps[:half], 2):
            assert node.do(said(step, number - 1)) == f"ack {node.seq} {number}"
        broken.kill()
        stick = str(tmp_path / "stick.zip")
        assert main(["bundle", stick, "--whole", "--state", str(broken.state)]) == 0
        assert main(["continue", stick, "--state", str(spare.state)]) == 0
        node.unplug()
        node.plug()
        spare.start()
        for number, step in enumerate(file.steps[half:], half + 2):
            records = 1 if step is not file.steps[-1] else 2
            assert node.do(said(step, number - 1)) == f"ack {node.seq} {number + records - 1}"
        assert spare.stop() == 0
    check(spare, file, nodes={"line:laptop"}, boxes=read_keys(tmp_path / "cup" / "keys.toml"))
    node.close()
