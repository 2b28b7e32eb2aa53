"""The simulated scale: what lies on the simulated table is counted, and each fault has its sentence."""

from pathlib import Path

import pytest

from device.sensors.scale import OnPins, Weighing
from device.sensors.scale.cell import Settling, mg_per_count
from device.sensors.scale.sources import SimulatedConverter
from device.sensors.simulated_table import ScaleFault, SimulatedTable, TableError
from device.sensors.simulated_table import load as load_table
from device.settings import Scale
from device.texts import Texts, in_words
from tests.device.sensors.scale.test_weighing import recorded
from vision.scale import from_batches

SCALE = Scale("simulated")
LEARNT = from_batches([(540.0 * share, 1) for share in (0.95, 1.0, 1.05)] * 20)
EMPTY = recorded("m", "", 0)
ASKED = recorded("m", "tray", 0)


class Laptop:
    """A scale's process without its process; a second passes at once."""

    def __init__(self, folder):
        self.file, self.ms = folder / "table.json", 0
        settling = Settling(mg_per_count(SCALE.capacity_g, SCALE.mv_per_v))
        self.source = OnPins(
            lambda: SimulatedConverter(SCALE, self.file, self._clock), settling, self._wait, self._clock
        )
        self.weighing = Weighing("tray", LEARNT)
        self.read = []

    def _clock(self):
        return self.ms / 1000

    def _wait(self, seconds):
        self.ms += max(10, round(seconds * 1000))

    def put(self, number, *faults):
        keshis = (("red", 50.0, 50.0, 0.0),) * number
        SimulatedTable(keshis=keshis, scale_faults=frozenset(faults)).save(self.file)

    def run(self, table, seconds):
        """So long goes by; returns what it says then."""
        end = self.ms + 1000 * seconds
        while self.ms < end:
            if read := self.weighing.look(table, self.source.messages(), self.ms):
                self.read.append(read.candidates[0][1])
        return in_words(self.weighing.trouble or self.weighing.says, Texts.load(strict=True))


@pytest.fixture
def laptop(tmp_path):
    laptop = Laptop(tmp_path)
    laptop.put(0)
    assert laptop.run(EMPTY, 8) == "0 on the tray"
    return laptop


def test_what_is_laid_on_and_taken_off_is_counted(laptop):
    laptop.put(5)
    assert laptop.run(ASKED, 4) == "5 on the tray"
    laptop.put(3)
    assert laptop.run(recorded("m", "", 5), 3) == "3 on the tray"
    laptop.put(0)
    assert laptop.run(recorded("m", "", 3), 3) == "0 on the tray"
    assert laptop.read == ["total 5", "total 3", "total 0"]


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (ScaleFault.UNPLUGGED, "The scale does not hear its load cell. Check the cell's cable."),
        (ScaleFault.SATURATED, "The load cell is overloaded. Take off what presses on the tray."),
        (
            ScaleFault.REVERSED,
            "The weight falls when something is added. Swap the cell's two signal wires.",
        ),
        (ScaleFault.LIFTED, "The tray is off its scale. Put it back."),
        (ScaleFault.HAND, "Something rests on the tray. Take the hand away."),
        (ScaleFault.SHAKEN, "The scale shakes ("),
    ],
)
def test_a_fault_is_said_until_it_is_over_and_reads_nothing(laptop, fault, sentence):
    laptop.put(5, fault)
    assert laptop.run(ASKED, 7).startswith(sentence)
    assert laptop.read == []
    laptop.put(5)
    assert laptop.run(ASKED, 5) == "5 on the tray"
    assert laptop.read == ["total 5"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "Input data was truncated"),
        ('{"keshi": []}', "Object contains unknown field `keshi`"),
        ('{"keshis": [["red", 1, 2, "x"]]}', "keshis[0][3]: Expected `float`, got `str`"),
        ('{"scale_faults": ["gone"]}', "scale_faults[0]: Invalid enum value 'gone'"),
    ],
)
def test_a_table_that_cannot_be_read_is_named_with_its_key(tmp_path, text, said):
    file = tmp_path / "table.json"
    file.write_text(text)
    with pytest.raises(TableError) as raised:
        load_table(file)
    assert str(raised.value) == f"{file}: {said}"


def test_the_table_of_the_page_can_be_read(laptop):
    page = Path(__file__).parents[4].joinpath("hardware/tray/README.md").read_text("utf-8")
    laptop.file.write_text(page.split("```json\n")[1].split("```")[0])
    assert laptop.run(ASKED, 7) == "Something rests on the tray. Take the hand away."
    assert len(load_table(laptop.file).keshis) == 2
