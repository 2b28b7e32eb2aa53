"""The drawing of the wires, the firmware's pins and the Pico's header say the same."""

import runpy
from pathlib import Path

import pytest

from tests.hardware import drawing

yaml = pytest.importorskip("yaml", reason="WireViz is not installed (pip install -e '.[dev]')")

FOLDER = Path(__file__).parents[3] / "hardware" / "tray"
DRAWINGS = ("nau7802", "hx711")
SETTINGS = runpy.run_path(str(FOLDER / "firmware" / "settings.py"))
PICO = {
    **{f"GP{gp}": pin for gp, pin in enumerate((1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20))},
    "3V3": 36,
    "GND": 38,
}
"""The header of a Pico: what its pins are (Raspberry Pi Pico data sheet, figure 2)."""


def data(name):
    return yaml.safe_load((FOLDER / "wiring" / f"{name}.yml").read_text("utf-8"))


def wires(name):
    return drawing.wires(data(name))


def gp(setting, index=None):
    number = SETTINGS[setting] if index is None else SETTINGS[setting][index]
    return "Pico", f"GP{number}"


def test_the_firmware_has_the_pins_of_the_drawing():
    nau7802, hx711 = wires("nau7802"), wires("hx711")
    assert {(gp("SDA"), ("Amplifier", "SDA")), (gp("SCL"), ("Amplifier", "SCL"))} <= nau7802
    assert {(gp("DATA"), ("Amplifier", "DT")), (gp("CLOCK"), ("Amplifier", "SCK"))} <= hx711
    gates = {
        (gp("GATES", index), (f"Eye {index + 1}", "collector")) for index in range(len(SETTINGS["GATES"]))
    }
    assert gates == {wire for wire in nau7802 if wire[1][1] == "collector"}


def test_a_broken_beam_is_what_the_firmware_takes_it_for():
    """Light lets the phototransistor pull the pin down; in the dark the Pico's own resistor holds it up."""
    eyes = {wire for wire in wires("nau7802") if wire[1][0].startswith("Eye")}
    assert {(start[1], end[1]) for start, end in eyes if end[1] == "emitter"} == {("GND", "emitter")}
    assert SETTINGS["GATE_BROKEN"] == 1


def test_the_chip_that_is_drawn_first_is_the_one_that_is_set():
    assert SETTINGS["CHIP"] == DRAWINGS[0]


@pytest.mark.parametrize("name", DRAWINGS)
def test_pins_are_numbered_as_on_the_pico(name):
    pico = data(name)["connectors"]["Pico"]
    assert dict(zip(pico["pinlabels"], pico["pins"], strict=True)).items() <= PICO.items()


@pytest.mark.parametrize("name", DRAWINGS)
def test_everything_has_power_and_a_wire_of_the_right_end(name):
    joined = wires(name)
    for part, plus, minus in (("Amplifier", "V", "GND"), ("Light 1", "anode", "cathode")):
        ends = {(end[1], start[1]) for start, end in joined if end[0] == part}
        if ends:
            assert {start for pin, start in ends if pin.startswith(plus)} == {"3V3"}  # never the 5 V of USB
            assert {start for pin, start in ends if pin == minus} == {"GND"}
    cell = {(start[1], end[1]) for start, end in joined if end[0] == "Cell"}
    assert cell == {(pin, pin) for pin in ("E+", "E-", "A-", "A+")}


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_picture_shows_every_wire(name):
    drawing.check_shown(data(name), (FOLDER / "wiring" / f"{name}.svg").read_text("utf-8"))


@drawing.needs_dot
@pytest.mark.parametrize("name", DRAWINGS)
def test_the_picture_is_what_the_data_says(name, tmp_path):
    drawing.check_drawn(FOLDER / "wiring" / f"{name}.yml", tmp_path)
