"""The display of hardware/extend, in both Pythons: at a running box, and at the conformance kit."""

import os
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from tests.e2e.daemon_process import DaemonProcess
from tests.e2e.line_node import LineNode
from tests.micropython import micropython

ROOT = Path(__file__).parents[3]
DISPLAY = ROOT / "hardware" / "extend" / "display"
OLED = Path(__file__).parent / "oled"


@contextmanager
def running(which: str, folder: Path) -> Iterator[tuple[Path, IO[str]]]:
    """The display at the far end of a line: the box's end of it, and what it shows."""
    run = micropython() if which == "micropython" else sys.executable
    near, far = os.openpty(), os.openpty()
    for _, slave in (near, far):
        tty.setraw(slave)
    port, shown = folder / "port", folder / "shown"
    port.symlink_to(os.ttyname(near[1]))
    shown.touch()
    pumps = [threading.Thread(target=pump, args=pair) for pair in ((near[0], far[0]), (far[0], near[0]))]
    for thread in pumps:
        thread.start()
    command = [run, "display.py", os.ttyname(far[1])]
    streams: dict[str, object] = {"stdout": shown.open("w")}
    environment = {**os.environ, "SHOWN": str(shown)}
    if which == "micropython":  # as on a Pico: the line is where its prompt would be
        command = [run, "display.py"]
        streams = {"stdin": far[1], "stdout": far[1]}
        environment["MICROPYPATH"] = str(OLED)
    process = subprocess.Popen(command, cwd=DISPLAY, env=environment, **streams)
    try:
        with shown.open() as rows:
            yield port, rows
    finally:
        process.kill()
        process.wait()
        for master, slave in (near, far):
            os.close(slave)
            os.close(master)
        for thread in pumps:
            thread.join()


def pump(source: int, target: int) -> None:
    try:
        while data := os.read(source, 4096):
            os.write(target, data)
    except OSError:
        pass


def wait_for(shown: IO[str], *rows: str) -> None:
    said = ""
    for _ in range(3000):
        said += shown.read()
        if all(row in said.rstrip().rpartition("\n\n")[2].splitlines() for row in rows):
            return
        time.sleep(0.01)
    raise AssertionError(f"not shown: {rows}; but: {said}")


@pytest.mark.parametrize("which", [pytest.param("python", marks=pytest.mark.soak), "micropython"])
def test_it_shows_game_names_and_score(which, tmp_path):
    with running(which, tmp_path) as (port, shown):
        node = LineNode(tmp_path / "laptop")
        config = f'[[line]]\nurl = "{port}"\n[[line]]\nurl = "{node.path}"\n'
        with DaemonProcess(tmp_path, config=config, simulate=True) as box:
            box.start(lambda status: status["lines"] and status["lines"][0]["node"] == "display-1")
            wait_for(shown, "no match")
            assert node.do("open san_gimignano Adso,William start=b").startswith("ack")
            node.do("step 6 8 8 10")
            width = 16 if which == "micropython" else 30
            wait_for(shown, "San Gimignano", f"{'Adso':{width - 1}}0", f"{'William':{width - 1}}0")
            for step in ("P d m6", "a: P d m8", "B 6x3"):
                assert node.do(f"step {step}").startswith("ack")
            wait_for(shown, f"{'Adso':{width - 1}}0", f"{'William':{width - 2}}16")
        node.close()
