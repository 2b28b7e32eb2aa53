"""A whole game on a running box by its line alone: no key is pressed, and every step is acknowledged."""

import random
from pathlib import Path

import msgspec
import pytest

import engines
from device.cli import main
from device.commands.export import JOURNAL, export
from device.commands.files import open_match
from device.event import BoxKey, Trusted, plan, read_keys, signatures, take
from device.match.door import MatchDoor
from device.match.journal import read
from device.match.library import Library
from device.match.records import Kind
from device.match.replay import Header, Replay
from device.menus import Box
from device.screen.pixels import draw, pages_of
from device.screen.pixels.worker import WALK
from engines import matchfile
from engines.match import Match
from engines.match import replay as replay_steps
from engines.matchfile import MatchFile
from tests.device.hidden import written
from tests.e2e.daemon_process import DaemonProcess, choose
from tests.e2e.line_node import LineNode, opening, said
from tests.e2e.whole_game import keep

MATCHES = Path(__file__).parents[1] / "matches"


def recorded(name: str) -> MatchFile:
    return matchfile.read((MATCHES / name).read_text("utf-8"), name)


def last_page(
    file: MatchFile, folder: Path, *, simulated: bool = True, again: bool = False, warning: str = ""
) -> set[bytes]:
    """What a box beside it, of the same hardware, shows at the end: wherever the picture has walked to.

    With ``again`` it was switched off and on; ``warning`` stands in the header.
    """
    table = Library(folder, simulated=simulated)
    box = Box(MatchDoor(table), pages=pages_of)
    box.open(Header(file.game, file.names, file.setup))
    assert table.referee
    for step in file.steps:
        table.referee.step(step.text, seat=step.seat, channel="here")
    table.referee.wait()
    shown = Box(MatchDoor(table), pages=pages_of) if again else box
    shown.warning = warning and shown.texts(f"warning.{warning}")
    page = shown.page()
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


def short_hand(match: Match) -> tuple[str, str]:
    """A hand that a may hold there and what it allows, which is less than what all its hands may."""
    chance = random.Random(1)
    while True:
        hand = written(match.game.worlds.sample(match.state, chance).hands[0])
        allowed = [choice.token for choice in match.game.rules.legal_for(match.state, 0, hand)]
        if len(allowed) < len(match.game.rules.legal(match.state)):
            return hand, " ".join(allowed)


def test_a_pad_tells_what_its_seat_holds(tmp_path):
    """It alone is answered from that, until the power goes; nobody else sees or is told anything of it."""
    file = recorded("closed.match")
    file = msgspec.structs.replace(file, steps=file.steps[:8])  # a is asked next
    match = replay_steps(engines.game(file.game), file.setup, file.steps)
    hand, exact = short_hand(match)
    general = " ".join(choice.token for choice in match.game.rules.legal(match.state))
    laptop = LineNode(tmp_path / "port")
    pad, spy = (LineNode(tmp_path / name, name, "a") for name in ("pad", "spy"))
    nodes = (laptop, pad, spy)
    config = "".join(node.settings for node in nodes)
    with DaemonProcess(tmp_path / "box", config=config, simulate=True) as box:
        box.start()
        laptop.do(opening(file))
        for number, step in enumerate(file.steps, 2):
            laptop.do(said(step, number - 1))
        first = len(file.steps) + 2
        for record in (first, first + 1):
            assert pad.do("ask legal").split(" ", 2)[2] == general
            seq = pad.number()
            for _ in range(2):
                assert pad.do(f"tell {hand}", seq) == f"ack {seq} {record}"
            assert pad.do("ask legal").split(" ", 2)[2] == exact
            assert spy.do("ask legal").split(" ", 2)[2] == general
            assert laptop.do("ask legal").split(" ", 2)[2] == general
            beside = tmp_path / f"beside-{record}"
            due = last_page(file, beside, again=record > first, warning="line")  # the spy is refused the seat
            seen = box.wait_for_screen(lambda picture, due=due: picture.tobytes() in due)
            assert seen is not None
            assert seen.tobytes() in due
            assert hand not in str(box.status())
            box.kill()
            box.start()
        assert box.stop() == 0
    assert hand not in box.log
    assert not [event for node in nodes for event in node.events if hand in event]
    (path,) = (box.state / "matches").glob("*.podesta")
    told = [record for record in read(path).records if record.kind is Kind.PRIVATE]
    assert [record.payload for record in told] == [hand, hand]
    assert hand.encode() not in export(open_match(path), JOURNAL)
    for node in nodes:
        node.close()
