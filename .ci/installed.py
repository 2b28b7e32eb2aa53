"""What a person has who installs the wheel: run by that environment's Python, in a folder without the source.

It plays a match of random steps with the library, enters it by keys into ``podesta play`` in a terminal, and
compares what the terminal shows, the journal and the points with the library's. Then every game is played to
its end. It needs nothing of the checkout but itself.
"""

from __future__ import annotations

import importlib
import os
import pty
import random
import select
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import podesta
from device.bench.presses import Pilot
from device.commands.terminal import KEYS
from device.keys import Key, KeyEvent, Press, Turn
from device.match import Library, MatchDoor
from device.menus import Box, NewMatch
from device.screen import text_lines

GAME, SEED = "san_gimignano", 8
COMMAND = Path(sysconfig.get_path("scripts"), "podesta")
CLEAR = "\x1b[2J\x1b[H"
SENT = {event: key for key, event in reversed(KEYS.items())}
LONGEST_S = 20


class Terminal:
    """``podesta play`` in a terminal, beside a box of our own in memory that gets the same keys: after each
    the terminal must show that box's page.
    """

    def __init__(self, folder: Path) -> None:
        self.ours, theirs = pty.openpty()
        command = [str(COMMAND), "play", GAME, "--state", str(folder / "state")]
        environment = {**os.environ, "PYTHONUTF8": "1"}
        self.process = subprocess.Popen(command, stdin=theirs, stdout=theirs, env=environment, cwd=folder)
        os.close(theirs)
        self.seen, self.presses = "", 0
        self.box = Box(MatchDoor(Library(folder / "shadow")), pages=lambda _: 1)
        self.pilot = Pilot(self.box)
        form = NewMatch(self.box)
        form.choose(GAME)
        self.box.stack.insert(1, form)
        self.see()

    def see(self) -> str:
        """Wait for the page that is due."""
        due = " ".join("\n".join([*text_lines(self.box.page()), "", self.box.texts("shell.keys")]).split())
        end = time.monotonic() + LONGEST_S
        while (shown := " ".join(self.seen.rpartition(CLEAR)[2].split())) != due:
            ready, _, _ = select.select([self.ours], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise SystemExit(f"after {self.presses} keys the terminal shows\n  {shown}\nnot\n  {due}")
            self.seen = self.seen[-4096:] + os.read(self.ours, 65536).decode("utf-8", "replace")
        return due

    def key(self, event: KeyEvent) -> None:
        """Press a key and look. OK counts at once after a turn to and fro: who turns has looked."""
        looks = [Turn(1), Turn(-1)] if event == Press(Key.OK) else []
        for one in [*looks, event]:
            os.write(self.ours, SENT[one].encode())
            self.box.key(one)
            if referee := self.box.library.referee:
                referee.wait()
            self.presses += 1
            self.see()

    def leave(self) -> int:
        """Type q; the command's exit status."""
        os.write(self.ours, b"q")
        self.box.library.leave()
        return self.process.wait(LONGEST_S)


def said(*words: str | Path) -> str:
    """Return what a command prints; one that fails ends us."""
    ran = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"podesta {' '.join(map(str, words))} ended with {ran.returncode}: {ran.stderr}")
    return ran.stdout


def played(game: str) -> podesta.Match:
    """Play a match of random steps, to its end."""
    match, chance = podesta.new(game, seed=SEED), random.Random(SEED)
    while not match.over:
        match.play(match.pick(chance))
    return match


def by_keys() -> str:
    """Play one match through the terminal; what there is to tell of it."""
    match = played(GAME)
    with TemporaryDirectory() as name:
        terminal = Terminal(Path(name))
        terminal.key(Press(Key.OK))
        for step in match.rules.steps:
            for event in terminal.pilot.events(step):
                terminal.key(event)
        last, status = terminal.see(), terminal.leave()
        (journal,) = Path(name, "state", "matches").glob("*.podesta")
        assert status == 0, status
        assert all(str(points) in last for points in match.score().values()), (last, match.score())
        assert list(podesta.load(journal).score().values()) == list(match.score().values())
        said("replay", journal)
        said("verify", journal)
    return f"{len(match.rules.steps)} steps of {GAME} by {terminal.presses} keys: {match.score()}"


def main() -> None:
    """Say what was done; a failure ends it with a line or a traceback."""
    site = Path(sysconfig.get_path("purelib"))
    for name in ("podesta", "device", "engines", "vision"):
        place = Path(str(importlib.import_module(name).__file__))
        assert place.is_relative_to(site), f"{name} comes from {place}, not from {site}"
    print(f"Python {sys.version.split()[0]}, {said('--version').strip()}")
    print(by_keys())
    for game in podesta.GAMES:
        print(f"{game}: {played(game).score()}")


main()
