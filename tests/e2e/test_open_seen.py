"""A box with a simulated camera above what lies open: the market, the display; OK records what was taken."""

import re

import pytest

import engines
from device.copy_file import CopyFile
from device.match.records import Kind
from device.sensors.sources.simulated_table import SimulatedTable
from device.texts import Texts
from engines.contract import Setup
from engines.facts import sample, schema, with_facts
from tests.device.sensors.readers.castles_of_tuscany.test_display import LAID, PITCH_MM, STATES, table
from tests.e2e.watched import LONG, Watched, camera

MARKET = "market=6,8 hand.a=?5 hand.b=?5 turn=a"


class Open(Watched):
    """The box and what lies open under its camera."""

    def read_and_accepted(self):
        """The reading, and what one press made of it."""
        self.recorded(2)
        self.box.look_and_press()
        self.recorded(3)
        _, reading, *steps = self.records()
        assert (reading.kind, reading.simulated) == (Kind.READING, True)
        return reading, [step.payload for step in steps]


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_a_purchase_and_its_refill_are_one_press(tmp_path):
    def lying(*cards):
        columns = {"market": tuple((card,) for card in cards)}
        return SimulatedTable(columns=columns, area_mm=(160.0, 225.0), elevation_deg=70.0, distance_mm=430.0)

    watched = Open(tmp_path, camera("market"))
    with watched.box:
        watched.lay(lying("8", "6"))
        watched.open("san_gimignano", Setup(position=MARKET))
        watched.says("looking")
        watched.lay(lying("9", "7", "10", "5"))
        reading, steps = watched.read_and_accepted()
        assert reading.channel == "camera:market"
        assert reading.payload.endswith("5,7,9,10")
        assert steps == ["P m6 m8", "5 7 9 10"]
        assert watched.box.stop() == 0


@pytest.mark.pictures
@pytest.mark.timeout(600)
def test_a_tile_that_was_taken_and_the_next_are_one_press(tmp_path):
    """Of the display's eight nobody said which is which; that three and two are alike is enough for these."""
    written = engines.game("castles_of_tuscany").position.write(STATES[LAID][0])
    position = re.sub(
        "display=[^ ]* neutral=[^ ]*", "display=c,c,t,i,v,m,m,m neutral=2c3t3i4f4q3v1m4r", written
    )
    lying = tuple("cctivmmm")
    watched = Open(tmp_path, camera("display"))
    CopyFile.of(watched.box.state, "castles_of_tuscany", Texts.load("en", "castles_of_tuscany")).put(
        {"hex_size": PITCH_MM}
    )
    with watched.box:
        watched.lay(table(lying[1:]))
        watched.open(
            "castles_of_tuscany",
            with_facts(sample(schema("castles_of_tuscany")), Setup(2, position=position)),
        )
        watched.says("not as the match has it")
        watched.lay(table(lying))
        watched.box.wait_for(lambda status: "not as the match" not in str(status["sensors"][0]), LONG)
        watched.lay(table(lying[:-1]))
        watched.says("turn up the next one")
        watched.lay(table((*lying[:-1], "c")))
        reading, steps = watched.read_and_accepted()
        assert reading.channel == "camera:display"
        assert reading.payload.endswith("c,c,c,t,i,v,m,m")
        assert steps == ["T m", "refill c"]
        assert watched.box.stop() == 0
