"""The pin map, the settings' defaults, WIRING.md, the drawings and the Pi's header say the same."""

import runpy
import tomllib
from operator import attrgetter
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from device.settings import Config
from tests.hardware import drawing

yaml = pytest.importorskip("yaml", reason="WireViz is not installed (pip install -e '.[dev]')")

HARDWARE = Path(__file__).parents[2] / "hardware"
WIRES = runpy.run_path(str(HARDWARE / "box" / "wires"))
PARTS = tomllib.loads((HARDWARE / "pins.toml").read_text("utf-8"))["part"]
EVERY = [(part, wire) for part in PARTS for wire in part["wires"]]
DRAWINGS = tuple(WIRES["DRAWINGS"])
WIRING = HARDWARE / "box" / "wiring"


def test_the_header_has_each_pin_where_the_map_says():
    pins = MockFactory().board_info.headers["J8"].pins
    for _, wire in EVERY:
        name = {"3V3": "3V3", "GND": "GND"}.get(wire.get("rail", ""), f"GPIO{wire.get('gpio')}")
        assert name in pins[wire["pin"]].names, wire


def test_the_defaults_are_the_map_s():
    """Every pin that a setting names has its default there; a display's bus and the clock's have none."""
    settings = {wire["setting"]: wire["gpio"] for _, wire in EVERY if "setting" in wire}
    assert {name: attrgetter(name)(Config()) for name in settings} == settings
    assert {f"keys.{name}" for name in Config().keys.pins} <= set(settings)


@pytest.mark.parametrize("name", DRAWINGS)
def test_no_pin_has_two_uses_in_a_box_but_for_rails_and_the_bus(name):
    held = [wire for part, wire in EVERY if name in part["drawings"] and "gpio" in wire]
    used = [wire["gpio"] for wire in held if wire["leg"] not in ("SDA", "SCL")]
    assert len(used) == len(set(used))
    assert not {2, 3} & set(used)


def test_the_page_has_the_map_s_tables():
    page = (HARDWARE / "WIRING.md").read_text("utf-8")
    assert WIRES["page"](page) == page, "hardware/box/wires writes it anew"
    assert all(f"<!-- pins: {part['table']} -->" in page for part in PARTS)
    assert WIRES["page"](page.replace("| GPIO 22    |", "| GPIO 21    |")) == page


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_drawing_has_the_map_s_wires(name):
    data = WIRING / f"{name}.yml"
    assert data.read_text("utf-8") == WIRES["drawing"](name), "hardware/box/wires writes it anew"
    drawing.check_shown(yaml.safe_load(data.read_text("utf-8")), data.with_suffix(".svg").read_text("utf-8"))


@drawing.needs_dot
@pytest.mark.parametrize("name", DRAWINGS)
def test_the_picture_is_what_the_data_says(name, tmp_path):
    drawing.check_drawn(WIRING / f"{name}.yml", tmp_path)
