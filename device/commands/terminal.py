"""``podesta play``: the box's own menus in a terminal, with the arrow keys for the encoder.

=============== ==========
key             does
=============== ==========
up, down, k, j  turn
Enter, right    OK
Backspace, left Back
u               Undo
m               hold Back: the menu
c               hold Call
q               leave; the match stays as it is
=============== ==========
"""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
import tty

from device import config as configs
from device.commands import CommandError, Exit, Options, command, take
from device.files import hold_folder
from device.keys import Hold, Key, KeyEvent, Press, Turn
from device.match import Library, MatchDoor
from device.menus import Box, NewMatch
from device.screen import text_lines

KEYS: dict[str, KeyEvent] = {
    "\x1b[A": Turn(-1),
    "\x1b[B": Turn(1),
    "\x1b[D": Turn(-1),
    "\x1b[C": Turn(1),
    "k": Turn(-1),
    "j": Turn(1),
    "\r": Press(Key.OK),
    "\n": Press(Key.OK),
    "\x7f": Press(Key.BACK),
    "u": Press(Key.UNDO),
    "m": Hold(Key.BACK),
    "c": Hold(Key.CALL),
}


KEY = re.compile(r"\x1b\[.|.", re.DOTALL)
"""A key as it is typed; an arrow is three characters."""

LEAVE = b"q"
"""The byte that wakes the menus on Ctrl-C."""


@command(take.game, take.state)
def run(options: Options) -> None:
    """Play until the match is over or somebody leaves by ``q``; raises :class:`CommandError` without a
    terminal.

    Raises :class:`device.files.FolderBusy` if another process has the state directory.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        why = "play needs a terminal; podesta run serves keys, line and panel"
        raise CommandError(why, code=Exit.LACKING)
    folder = options.state or configs.default_state_dir()
    with hold_folder(folder):
        _play(options.game, Library(folder))


def _play(game: str, table: Library) -> None:
    reader, writer = os.pipe()

    def wake() -> None:
        os.write(writer, b".")

    table.wake = wake
    table.resume()
    box = Box(MatchDoor(table), pages=lambda _: 1)  # a terminal shows every page whole
    if not table.referee or table.referee.replay.over:
        form = NewMatch(box)
        form.choose(game)
        box.stack.insert(1, form)  # over home, under what went wrong at the start
    # A KeyboardInterrupt is lost if it comes while Python deletes an object.
    before = signal.signal(signal.SIGINT, lambda *_: os.write(writer, LEAVE))
    terminal = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)  # it hands over each key at once, and shows none
        _serve(box, reader)
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, terminal)
        signal.signal(signal.SIGINT, before)
        table.leave()
        os.close(reader)
        os.close(writer)
        print("\x1b[2J\x1b[H", end="")


def _serve(box: Box, written: int) -> None:
    while True:
        lines = [*text_lines(box.page()), "", box.texts("shell.keys")]
        print("\x1b[2J\x1b[H" + "\n".join(lines), end="", flush=True)
        due = box.due_ms()
        ready, _, _ = select.select([sys.stdin, written], [], [], None if due is None else due / 1000)
        if written in ready:
            if LEAVE in os.read(written, 64):
                return
            if box.library.referee:
                box.library.referee.poll()
        if sys.stdin in ready:
            typed = os.read(sys.stdin.fileno(), 64).decode("utf-8", "replace")
            for key in KEY.findall(typed):
                if key == "q":
                    return
                if key in KEYS:
                    box.key(KEYS[key])
            if not typed:
                return
