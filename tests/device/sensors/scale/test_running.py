"""The scale's process, from the words of a node or the samples of a converter to what it says to the box."""

import queue

import msgspec
import pytest
from gpiozero.pins.mock import MockFactory

from device.keys import ControlsError
from device.sensors import KINDS, messages
from device.sensors import scale as weighing
from device.sensors.door import Door, Ended
from device.sensors.messages import Away, Beat, Begin, Expected, Heard, Reading
from device.sensors.scale import sources
from device.settings import PluginSection, Scale
from device.telemetry import ReceivedMessage
from device.texts import key_of, said
from vision.scale import PieceCalibration, from_batches

(SCALE,) = (one for one in KINDS if one.name == "scale")
NODE = Scale("line:tray-1")
LEARNT = from_batches([(1000.0, 1), (1040.0, 1), (960.0, 1)] * 7, 20.0)
ASKED = Expected("m", 3, "marrakesh", "…", question="tray", lying={"tray": 0})
CLAIM = Expected("m", 4, "marrakesh", "…", lying={"tray": 5})


def told(kind, args, node="tray-1"):
    return Heard(ReceivedMessage(node, kind, args, 0))


class Lines:
    """A box that says a line, waits, says the next, and is gone."""

    def __init__(self, lines):
        self._lines = [*map(messages.encode, lines), b""]

    def get(self, timeout):
        return self._lines.pop(0)

    def get_nowait(self):
        raise queue.Empty


def told_by(folder, *lines, scale=NODE, table=""):
    """Return what its process says to a box that says ``lines`` and is gone."""
    out = []
    begin = Begin(PluginSection("scale", 0, msgspec.to_builtins(scale)), str(folder), str(table))
    door = Door(begin, Lines(lines), out.append)
    with pytest.raises(Ended):
        SCALE.run(scale, door)
    return out


def readings(out):
    return [[text for text, _ in one.candidates] for one in out if isinstance(one, Reading)]


def troubles(out):
    return [key_of(trouble) for one in out if isinstance(one, Beat) for trouble in one.troubles]


@pytest.fixture
def learnt(tmp_path):
    weighing.save(tmp_path, NODE.source, LEARNT)
    return tmp_path


def test_what_its_own_node_weighs_is_read_for_the_match_that_asks(learnt):
    other = told("weight", "9010 4 rest", node="tray-2")
    out = told_by(learnt, ASKED, other, told("weight", "0 4 rest"), told("weight", "5010 4 rest"))
    (reading,) = [one for one in out if isinstance(one, Reading)]
    assert (reading.what, reading.match, reading.steps) == ("tray", "m", 3)
    assert readings(out) == [["total 5"]]
    assert troubles(out) == []


def test_a_confirmed_count_is_kept_on_the_disk(learnt):
    told_by(learnt, ASKED, told("weight", "5010 4 rest"), CLAIM)
    assert weighing.load(learnt, NODE.source).pieces == LEARNT.pieces + 5


def test_a_broken_file_is_told_and_the_scale_learns_anew(tmp_path):
    (tmp_path / "line-tray-1.json").write_text("{")
    out = told_by(tmp_path, ASKED, told("weight", "5010 4 rest"), CLAIM)
    assert readings(out) == []
    assert "scale.broken" in troubles(out)
    assert weighing.load(tmp_path, NODE.source).pieces == 5


def test_a_disk_that_takes_nothing_is_told_and_the_evening_goes_on(tmp_path):
    weighing.save(tmp_path / "scale", NODE.source, LEARNT)
    (tmp_path / "scale" / "line-tray-1.json").unlink()
    (tmp_path / "scale" / "line-tray-1.json").mkdir()
    out = told_by(tmp_path / "scale", ASKED, told("weight", "5010 4 rest"), CLAIM)
    assert "scale.unsaved" in troubles(out)


def test_a_simulated_scale_says_so_and_a_real_box_refuses_it(tmp_path):
    simulated = Scale("simulated")
    assert told_by(tmp_path, scale=simulated) == [Away(said("scale.no_table"))]
    first, *_ = told_by(tmp_path, scale=simulated, table=tmp_path / "simulated_table.json")
    assert first.status == said("scale.simulated", says=said("scale.waiting"))
    assert first.troubles == (said("scale.simulated", says=said("scale.rebooted")),)


# The check


@pytest.mark.parametrize(
    ("known", "verdict", "words"),
    [(LEARNT, "ok", "21 pieces"), (PieceCalibration(), "warn", "0 of 20"), (None, "fail", "cannot be read")],
)
def test_the_check_says_how_well_the_pieces_are_known(tmp_path, known, verdict, words):
    if known is None:
        (tmp_path / "line-tray-1.json").write_text("{")
    else:
        weighing.save(tmp_path, NODE.source, known)
    (found,) = SCALE.check(NODE, tmp_path)
    assert found.verdict == verdict
    assert words in found.detail


# A converter on the box's pins


def test_the_hx711_is_read_through_gpiozeros_pins():
    factory = MockFactory()
    chip = sources.open_hx711(Scale("hx711"), factory)
    chip.begin()
    assert chip.ready() == (factory.pin(20).state == 0)


def test_without_pins_there_is_no_hx711(monkeypatch):
    def none(name):
        raise ControlsError("no GPIO: this is not a Raspberry Pi")

    monkeypatch.setattr(sources, "pin_factory", none)
    with pytest.raises(OSError, match="not a Raspberry Pi"):
        sources.open_hx711(Scale("hx711"))


def test_the_nau7802_is_read_over_smbus(monkeypatch):
    written = []

    class Bus:
        def __init__(self, number):
            self.number = number

        def read_i2c_block_data(self, address, register, count):
            assert address == 0x2A
            return [0x28 if register == 0 else 0x12, 0x34, 0x56][:count]

        def write_i2c_block_data(self, address, register, data):
            written.append((register, data))

    monkeypatch.setattr("smbus2.SMBus", Bus)
    chip = sources.open_nau7802(Scale("nau7802"))
    assert chip.ready()
    assert chip.read() == 0x123456
    assert written == []


def test_a_simulated_table_that_is_none_is_said_with_its_key(tmp_path):
    table = tmp_path / "simulated_table.json"
    table.write_text('{"keshis": 3}')
    out = told_by(tmp_path, CLAIM, ASKED, CLAIM, scale=Scale("simulated"), table=table)
    assert [str(one) for one in out[-1].troubles] == [
        f"SIMULATED: {table}: keshis: Expected `array`, got `int`"
    ]
