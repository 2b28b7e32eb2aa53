"""A running box writes its matches to a stick by the keys, and takes its file of an event from one."""

from device.event import make_event
from device.match import read
from tests.e2e.daemon_process import DaemonProcess, choose
from tests.e2e.line_node import LineNode, opening
from tests.e2e.test_line_game import recorded


def test_a_box_takes_its_file_by_the_keys_and_is_that_table_when_it_is_back_by_itself(tmp_path):
    node = LineNode(tmp_path / "port")
    config = node.settings
    with DaemonProcess(tmp_path / "box", config=config, simulate=True) as box:
        make_event(box.state / "stick", "Friday cup", 2)
        box.start()
        for label in ("Set-up", "Stick", "Join an event", "table-02", "Join an event"):
            choose(box, label)
        box.wait_for(lambda _: "This is now table-02 of Friday cup." in " ".join(box.text()))
        assert not (box.state / "stick" / "table-02.toml").exists()
        box.wait_for(lambda status: box.log.count("SIMULATED keys") == 2 and status["keys"])
        assert "held" in node.do(opening(recorded("closed.match")))
        choose(box, "Yes: play")
        box.wait_for(lambda status: status["recorded"] == 1)
        (path,) = (box.state / "matches").iterdir()
        header = read(path).header
        assert (header["table_id"], header["event_id"]) == ("table-02", "Friday cup")
    node.close()
