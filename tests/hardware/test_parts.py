"""What is printed can be printed, and is what its source says: the tray's parts, the box's, the mast's."""

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.hardware import stl

HARDWARE = Path(__file__).parents[2] / "hardware"
PARTS = {
    "tray": ("base", "electronics", "gate", "marker_post", "platform", "spacer", "tray"),
    "box": ("case", "lid"),
    "mast": ("bracket", "foot", "head_oblique", "head_steep"),
}
LARGE = {"case", "lid", "foot", "base", "platform", "electronics", "head_oblique", "head_steep"}
"""OpenSCAD takes a second of a core or more for each of these."""
EVERY = [(folder, name) for folder, names in PARTS.items() for name in names]
PICTURES = {"assembly", "exploded", "lid_exploded"}
BED_MM = 200.0
WALL_MM = 1.2
STEEPEST_DEG = 46.0
"""How far a surface may lean out over nothing; from upright."""
OPENSCAD = shutil.which("openscad")


def source(folder):
    return HARDWARE / folder / "parts" / f"{folder}.scad"


def part(folder, name):
    return stl.read(HARDWARE / folder / "parts" / f"{name}.stl")


@pytest.mark.parametrize("folder", PARTS)
def test_every_part_is_there_and_on_the_page(folder):
    named = set(re.findall(r'part == "(\w+)"', source(folder).read_text("utf-8"))) - PICTURES
    assert named == set(PARTS[folder]) == {path.stem for path in source(folder).parent.glob("*.stl")}
    page = (HARDWARE / folder / "README.md").read_text("utf-8")
    assert set(re.findall(r"`(\w+)\.stl`", page)) == named
    assert "parts/exploded.png" in page


@pytest.mark.parametrize(("folder", "name"), EVERY)
def test_a_part_can_be_printed(folder, name):
    triangles = part(folder, name)
    assert stl.open_edges(triangles) == []
    assert stl.volume(triangles) > 0
    assert max(stl.size(triangles)[:2]) <= BED_MM
    assert abs(triangles[:, :, 2].min()) < 1e-4
    assert stl.thinnest(triangles) >= WALL_MM - 0.001
    assert stl.leaning(triangles) <= STEEPEST_DEG
    assert len(triangles) < 6000


def test_a_hole_a_turned_facet_a_thin_wall_and_an_overhang_would_be_found():
    box = part("tray", "tray")
    assert stl.open_edges(box[1:])
    assert stl.open_edges(np.concatenate([box[:1, ::-1], box[1:]]))
    assert stl.volume(box[:, ::-1]) < 0
    assert stl.thinnest(box * [1, 1, 0.5]) < WALL_MM
    assert stl.leaning(part("tray", "marker_post") * [1, 1, 0.5]) > STEEPEST_DEG


@pytest.mark.skipif(
    OPENSCAD is None, reason="openscad is not here: the parts are not compared with their source"
)
@pytest.mark.parametrize(
    ("folder", "name"),
    [pytest.param(*one, marks=[pytest.mark.soak] if one[1] in LARGE else []) for one in EVERY],
)
def test_the_stl_is_what_the_source_says(folder, name, tmp_path):
    """Versions of OpenSCAD cut a surface into other triangles; size and volume stay."""
    made = tmp_path / f"{name}.stl"
    subprocess.run(
        [OPENSCAD, "-D", f'part="{name}"', "--export-format", "binstl", "-o", made, source(folder)],
        check=True,
        capture_output=True,
        timeout=110,
    )
    assert np.allclose(stl.size(stl.read(made)), stl.size(part(folder, name)), atol=0.01)
    assert stl.volume(stl.read(made)) == pytest.approx(stl.volume(part(folder, name)), rel=1e-4)
