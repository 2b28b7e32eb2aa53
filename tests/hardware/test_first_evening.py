"""Pages for a first evening are one side of A4, quote what the box says, and name commands that exist."""

import html
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from device.cli import COMMANDS
from engines import GAMES
from tests.device.panel.chromium import NAMES
from tests.device.test_readme import parser

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "hardware" / "first_evening"
PAGES = sorted(FOLDER.glob("*.html"))
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)


def test_every_game_has_a_page_and_the_first_page_leads_to_it():
    assert {page.stem for page in PAGES} == set(GAMES)
    first = (FOLDER.parent / "FIRST_EVENING.md").read_text("utf-8")
    assert all(f"first_evening/{page.name}" in first for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_quotes_is_what_the_box_says(page):
    texts = [ROOT / "device/texts/en.toml", ROOT / "engines" / page.stem / "texts.en.toml"]
    held = "\n".join(text.read_text("utf-8") for text in texts)
    quoted = re.findall(r"<b>(.*?)</b>", page.read_text("utf-8"), re.S)
    assert len(quoted) > 10
    for words in quoted:
        assert re.search(rf'"[^"]*{re.escape(" ".join(html.unescape(words).split()))}', held), words


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium: apt install chromium-headless-shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_one_side_of_a4(page, tmp_path):
    """Half a second each: a browser lays it out."""
    pdf = tmp_path / "page.pdf"
    command = [CHROMIUM, "--no-sandbox", "--headless", "--no-pdf-header-footer", f"--print-to-pdf={pdf}"]
    subprocess.run([*command, page.as_uri()], check=True, capture_output=True, timeout=60)
    printed = pdf.read_bytes()
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) == 1
    wide, high = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed).groups()
    assert (float(wide), float(high)) == pytest.approx((595, 842), abs=1)


def test_the_commands_are_there():
    text = "\n".join(page.read_text("utf-8") for page in (FOLDER.parent / "FIRST_EVENING.md", *PAGES))
    called = re.findall(r"(?:`|<code>)podesta ([^`<]+)", text)
    assert called
    for words in map(shlex.split, called):
        assert words[0] in COMMANDS
        parser(words[0]).parse_args(words[1:])
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M)
    assert set(re.findall(r"`make (\w+)`", text)) <= set(targets)
