"""README as it stands: its commands exist and run, its wires are the defaults, its first game is played."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from device.cli import COMMANDS, add_options, main
from device.commands import Exit
from device.keys.pins import pin_factory
from device.match.library import Library
from device.match.replay import Header
from device.screen import TablePage, text_lines
from device.settings import Keys
from tests.device.conftest import NAMES
from tests.device.games import FULL, enter, game_steps
from tests.device.player import Player

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
FURTHER = ("device/exports/README.md", "hardware/COPY.md", "hardware/CAMERA.md")
PAGES = [README, *((ROOT / page).read_text("utf-8") for page in FURTHER)]
"""The README, and the pages that its table of commands leads to."""


def section(title):
    """The text below a heading, to the next heading as high."""
    level, _, rest = re.search(rf"^(#+) {re.escape(title)}\n(.*)", README, re.M | re.S).group(1, 0, 2)
    return re.split(rf"^#{{1,{len(level)}}} ", rest, maxsplit=1, flags=re.M)[0]


def test_the_wires_are_the_defaults():
    wires = re.findall(r"(?<=\| )([^|\n]+?) \| (\d+) \((\d+)\)(?= \|)", section("Wiring"))
    told = {part: (int(pin), int(place)) for part, pin, place in wires}
    header = pin_factory("mock").board_info.headers["J8"]
    assert all(f"GPIO{pin}" in header.pins[place].names for pin, place in told.values())
    called = {"encoder_a": "encoder A", "encoder_b": "encoder B", "ok": "OK (the knob)"}
    expected = {called.get(name, name.title()): pin for name, pin in Keys().pins.items()}
    assert {part: pin for part, (pin, _) in told.items()} == expected | {"OLED SDA": 2, "OLED SCL": 3}
    page = (ROOT / "hardware" / "WIRING.md").read_text("utf-8")
    assert all(re.search(rf"\| GPIO {pin} +\| {place} +\|", page) for pin, place in told.values())


def parser(name):
    """Return what a command takes."""
    made = argparse.ArgumentParser(prog=name, exit_on_error=False)
    add_options(name, made)
    return made


def actions(made):
    """The words of a command's own commands, with what each takes."""
    found = [one for one in made._actions if isinstance(one, argparse._SubParsersAction)]
    return dict(found[0].choices) if found else {}


def rows():
    """Each command of the table: its name, the words behind it, and in turn every choice of ``a|b``."""
    for cell in re.findall(r"^\| (`.*?`) \| ", section("The command"), re.M):
        for span in re.findall(r"`(.*?)`", cell):
            words = [word.strip("[]") for word in span.replace("\\|", "|").removeprefix("podesta ").split()]
            if words and words[0] in COMMANDS:
                yield words[0], words[1:]


def test_the_table_has_every_command_and_what_each_does():
    told = {}
    for name, words in rows():
        told.setdefault(name, set()).update(one for word in words for one in word.split("|"))
    assert set(told) == set(COMMANDS)
    for name, words in told.items():
        missing = set(actions(parser(name))) - words
        assert not missing, f"podesta {name}: {missing}"


def test_what_the_table_names_is_there():
    for name, words in rows():
        made = parser(name)
        own = actions(made)
        flags = {flag for one in (made, *own.values()) for flag in one._option_string_actions}
        named = {one for word in words for one in word.split("|")}
        assert {one for one in named if one.startswith("-")} <= flags, f"podesta {name}"
        if own:
            assert {one for one in named if re.fullmatch("[a-z]+", one)} <= set(own), f"podesta {name}"


LINES = [
    line.partition("  #")[0].strip()
    for page in PAGES
    for block in re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S)
    for line in block.splitlines()
]
NEEDS = {
    "camera": "a camera",
    "tray": "a scale or its firmware",
    "vision": "pictures with truth",
    "provision": "a box",
    "bundle": "an event",
    "verify all.podesta.zip": "an event's bundle",
}
"""What is only read, and what it would need to run."""
STAND_INS = {"RECORD": "1", "HASH": "0123456789abcdef"}
ENDS = {"podesta facts torres check": Exit.WRONG}
"""Not all is known of a new copy."""


def test_every_line_of_the_shell_blocks_is_a_command():
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M)
    for line in LINES:
        words = shlex.split(line)
        if words[0] == "make":
            assert set(words[1:]) <= set(targets)
        else:
            assert Path(words[0]).name == "podesta"
            parser(words[1]).parse_args([STAND_INS.get(word, word) for word in words[2:]])
    assert len(LINES) >= 20


def test_the_lines_that_need_no_hardware_run(tmp_path, monkeypatch, capsys):
    """In their order, in one folder, with a match to give away."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    library = Library(tmp_path / "table")
    referee = library.open_match(Header("san_gimignano", NAMES, FULL))
    enter(referee, game_steps(1))
    library.leave()
    (journal,) = (tmp_path / "table" / "matches").iterdir()
    journal.rename("FILE")
    ran = 0
    for line in LINES:
        words = shlex.split(line)
        if words[0] != "make" and not {words[1], " ".join(words[1:3])} & NEEDS.keys():
            status = main(words[1:])
            assert status == ENDS.get(line, Exit.FINE), (line, capsys.readouterr())
            ran += 1
    assert ran >= 14
    assert {"friday.html", "friday.jsonl", "mine.toml"} <= {path.name for path in tmp_path.iterdir()}


class Watched(Player):
    """A player who remembers every page that was in sight."""

    def __init__(self, box, ticks):
        self.seen = ""
        super().__init__(box, ticks)

    def _draw(self, page):
        self.seen += " ".join(" ".join(text_lines(page)).split()) + "\n"
        super()._draw(page)

    def key(self, event):
        self.box.key(event)
        if self.box.library.referee:
            self.box.library.referee.wait(30)
        self._draw(self.box.page())
        return self.page


@pytest.fixture
def watched(box, ticks):
    return Watched(box, ticks)


SEEN_ELSEWHERE = {"SAVING…", "Fill the market: 4 from the deck"}
"""The bar in the screen's own tests, the market below."""


def test_the_first_game_goes_as_printed(watched):
    told = section("A first game in two minutes")
    told = " ".join(told.partition("\nTo score only the end")[0].split())
    words = set(re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", told)) - SEEN_ELSEWHERE
    assert len(words) >= 6
    watched.choose("New match")
    watched.choose("START")
    # "Enter the four market cards as they lie: turn to the rank, OK."
    for rank in ("5", "7", "8", "9"):
        watched.choose(rank)
    watched.choose("Purchase", "deck", "market 8")
    watched.choose("Purchase", "market 5", "market 7")
    # "What cannot be done stands in its place, and OK on it says why."
    watched.choose("Close")
    assert "Closing takes 4 completed towers" in watched.text
    watched.ok()
    assert watched.items == ["Drop it", "Let it stand…", "What is possible", "The rule"]
    watched.choose("The rule")
    assert "SG-" in watched.text
    watched.back()
    while "Purchase" not in getattr(watched.page, "items", ()):
        watched.back()
    # The rules stand in the menu, by chapter and by word.
    watched.menu()
    watched.choose("Rules")
    assert len(watched.items) > 5
    # "At the end: the breakdown."
    while "Pass" not in getattr(watched.page, "items", ()):
        watched.back()
    watched.choose("Pass")
    watched.choose("Pass")
    assert isinstance(watched.page, TablePage)
    for word in words:
        assert word in watched.seen, f"README says {word!r}, which no page showed"
