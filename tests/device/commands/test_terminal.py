"""The menus in a real terminal: a child process behind a pty, played with the arrow keys."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from device.match.journal import read
from device.texts import Texts

ROOT = Path(__file__).parents[3]
CHILD = (
    "import sys; from device.cli import main; "
    "sys.exit(main(['play', 'san_gimignano', '--state', sys.argv[1]]))"
)
UP, DOWN, RIGHT, LEFT, ENTER, BACKSPACE = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r", "\x7f"
KEYS_TOLD = Texts.load()("shell.keys")
CLEAR = "\x1b[2J\x1b[H"


def environment():
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}


class Terminal:
    """``podesta play`` in a terminal of its own."""

    def __init__(self, state, child=CHILD):
        self.ours, self.theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", child, str(state)],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=subprocess.PIPE,
            env=environment(),
            start_new_session=True,
        )
        self.seen = ""

    @property
    def screen(self):
        """The page shown last, without its line breaks."""
        return " ".join(self.seen.rpartition(CLEAR)[2].split())

    def until(self, *words):
        """Read until the page shows all the words."""
        deadline = time.monotonic() + 20
        while not all(word in self.screen for word in words):
            ready, _, _ = select.select([self.ours], [], [], deadline - time.monotonic())
            assert ready, f"{words} never came; the screen says: {self.screen}"
            try:
                chunk = os.read(self.ours, 65536)
            except OSError as error:
                raise AssertionError(f"{words} never came; it has ended: {self.screen}") from error
            self.seen += chunk.decode("utf-8", "replace")
        return self.screen

    def type(self, *keys):
        os.write(self.ours, "".join(keys).encode())

    def end(self):
        """The exit code, and what was said to stderr."""
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said.decode()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()
        os.close(self.ours)
        os.close(self.theirs)


@pytest.fixture
def start(tmp_path):
    made = []

    def start(child=CHILD):
        made.append(Terminal(tmp_path / "state", child))
        return made[-1]

    yield start
    for one in made:
        one.close()


def payloads(folder):
    (path,) = (folder / "state" / "matches").glob("*.podesta")
    return [record.payload for record in read(path).records]


def test_a_match_is_played_left_and_resumed(start, tmp_path):
    first = start()
    first.until("> START", "A: Player A", " ".join(KEYS_TOLD.split()))
    first.type(ENTER)
    first.until("Table", "Turned up? 4 left", "[5] 6 7 8 9 10")
    first.type(DOWN, DOWN, RIGHT, ENTER)
    first.until("Turned up? 3 left", "[8]")
    first.type(UP, LEFT, ENTER, BACKSPACE)
    first.until("Turned up? 3 left")
    first.type(ENTER, ENTER, "j", ENTER)
    first.until("Player A", "Your action?", "✓", "> Purchase")
    first.type(UP)
    first.until("> Pass")
    first.type(ENTER)
    first.until("Pass this turn?")
    first.type(UP, ENTER)
    first.until("It ends if Player B passes too.", "✓")
    first.type("q")
    assert first.end() == (0, "")
    assert payloads(tmp_path)[1:] == ["pass"]
    again = start()
    again.until("Player A: passes", "Player B to move")
    again.type("u")
    again.until("> Take back – Player A: ")
    again.type(ENTER)
    again.until("Player A", "Your action?", "✓")
    again.type("m")
    again.until("Abandon match")
    again.type(BACKSPACE)
    again.until("Your action?")
    again.type("c")
    again.until("Call")
    again.type("q")
    assert again.end() == (0, "")
    assert payloads(tmp_path)[1:] == ["pass", "undo 2", "call"]


def test_a_message_goes_by_itself_and_ctrl_c_gives_the_terminal_back(start, tmp_path):
    child = start()
    before = termios.tcgetattr(child.theirs)
    child.until("> START")
    assert not termios.tcgetattr(child.theirs)[3] & termios.ICANON
    child.type(ENTER)
    child.until("Turned up?")
    child.type(BACKSPACE)
    child.until("* Hold Back for the menu")
    child.until("Turned up?")
    os.kill(child.process.pid, signal.SIGINT)
    assert child.end() == (0, "")
    assert termios.tcgetattr(child.theirs) == before
    assert payloads(tmp_path) == []


@pytest.mark.parametrize("piped", ["stdin", "stdout"])
def test_without_a_terminal_it_says_what_to_use(piped, tmp_path):
    ours, theirs = pty.openpty()
    streams = {"stdin": theirs, "stdout": theirs, "stderr": subprocess.PIPE, piped: subprocess.PIPE}
    run = subprocess.run(
        [sys.executable, "-c", CHILD, str(tmp_path / "state")],
        **streams,
        env=environment(),
        check=False,
        timeout=60,
    )
    os.close(ours)
    os.close(theirs)
    assert run.returncode == 4
    assert re.fullmatch(rb"podesta: play needs a terminal; .*\n", run.stderr)
    assert not (tmp_path / "state").exists()
