"""A box with sensors of other packages, most of which fail: a match goes on, each is named with its cause."""

import pytest
from msgspec.structs import replace

from device.match.journal import read
from device.match.records import Kind
from device.match.replay import Header
from tests.device.sensors.plugged import put
from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.line_node import LineNode
from tests.e2e.watched import opened
from tests.engines.marrakesh.lines import setup, turn

SAYS = {
    "counts": "pin 17",
    "prints": "ok so far",
    "raises": "its process ended with 1: OSError: no chip at 0x2a",
    "returns": "left off: its run returned",
    "exits": "its process ended with 3",
    "floods": "its process floods: more than 5 readings a second",
    "broken": (
        "cannot begin: broken:SENSOR cannot be imported: "
        "ModuleNotFoundError: No module named 'a_library_that_nobody_has'"
    ),
    "rambles": "ok",
}
LONG = 180
THROW = turn("tray", "throw", round=2, inside="1l")
"""Two brown, two pink and two red were thrown, and a yellow one is inside."""


@pytest.mark.timeout(300)
@pytest.mark.soak
def test_a_match_goes_on_whatever_plug_ins_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(put(tmp_path / "shelf", *SAYS)))
    node = LineNode(tmp_path / "port")
    config = node.settings + "[[counts]]\npin = 17\n"
    config += "".join(f"[[{name}]]\n" for name in SAYS if name != "counts")
    box = DaemonProcess(tmp_path / "box", config=config, simulate=True)
    opened(box.state, Header("marrakesh", ("Adso", "William"), replace(setup(), position=THROW)))
    heard = {}

    def said(status):
        for one in status["sensors"]:
            heard.setdefault(one["sensor"], set()).add(one["says"])
        return all(says in heard[name] for name, says in SAYS.items())

    with box:
        box.start(said, LONG)
        status = box.wait_for(lambda status: any("rambles" in one for one in status["problems"]))
        assert "rambles: goes on after" in " ".join(status["problems"])
        assert node.do("step tray 2n1p2r1l", node.number()).startswith("ack")
        assert box.stop() == 0
    (path,) = (box.state / "matches").glob("*.podesta")
    records = read(path).records
    assert ("counts:tray", "tray 0.97 total 6") in {(one.channel, one.payload) for one in records}
    assert [one.payload for one in records if one.kind is Kind.REPORT] == ["tray 2n1p2r1l"]
    node.close()
