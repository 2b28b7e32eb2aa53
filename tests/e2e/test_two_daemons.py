"""One state directory, one box: a second one ends at once and takes nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from device.commands import Exit
from tests.e2e.daemon_process import REPOSITORY, DaemonProcess
from tests.e2e.line_node import LineNode


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_second_refuses_by_name_and_takes_nothing(tmp_path):
    node = LineNode(tmp_path / "port")
    config = node.settings
    with DaemonProcess(tmp_path / "box", config=config, simulate=True) as box:
        box.start(ready=lambda status: status["keys"] and all(line["online"] for line in status["lines"]))
        node.do("ping")
        assert node.do("open san_gimignano Adso,William").startswith("ack ")
        (match,) = (box.state / "matches").iterdir()
        before = everything(box.state)
        command = [sys.executable, "-m", "device.cli", "run", "--simulate", "--port", "0"]
        command += ["--state", str(box.state), "--config", str(tmp_path / "box" / "podesta.toml")]
        second = subprocess.run(
            command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=False
        )
        assert second.returncode == Exit.BUSY
        assert second.stderr == f"podesta: {box.state}: another podesta works in it; stop that one first\n"
        assert everything(box.state) == before
        assert node.do("ping").startswith("ack ")
        assert node.do("step 6 8 8 10").startswith("ack ")
        # Told hands stand in these files: nobody else on the machine may read them.
        assert {path.stat().st_mode & 0o077 for path in box.state.rglob("*") if not path.is_symlink()} == {0}
        assert box.state.stat().st_mode & 0o777 == 0o700
        assert match.stat().st_mode & 0o777 == 0o600
        box.kill()
        box.start(ready=lambda status: status["recorded"] == 2)
    node.close()
