"""The moments of the pictures in ``hardware/`` can be drawn, and the table beside them has a row each."""

import re

import pytest
from PIL import Image

from tests.device.screen import scenes


@pytest.mark.parametrize("scene", scenes.ROWS)
def test_a_moment_leads_to_a_page_of_its_own(scene, tmp_path):
    evening = scenes.Evening(str(tmp_path))
    scene(evening)
    page = evening.box.page()
    evening.box.library.leave()
    assert page.header.left or page.header.right
    assert "…" not in page.header.left + getattr(page, "prompt", "") + getattr(page, "text", "")


def test_every_moment_has_a_row_in_the_picture_and_in_the_table():
    height = Image.open(scenes.HARDWARE / "before_after.png").height
    assert height == scenes.sheet([Image.new("RGB", (1, 1))] * 2 * len(scenes.ROWS)).height
    table = (scenes.HARDWARE / "screens.md").read_text("utf-8")
    rows = [int(row) for row in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)]
    assert rows == [*range(1, len(scenes.ROWS) + 1)]
