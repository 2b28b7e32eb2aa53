"""Sensors of other packages for tests, as an installer leaves them: one that works, and every way to fail."""

from pathlib import Path

from device.settings import SENSORS
from tests.engines.newcomers import told

HEAD = """
import msgspec
from device.sensors import Checked, Sensor

class Settings(msgspec.Struct):
    pin: int = 4
    name: str = ""

def check(settings, folder):
    yield Checked("ok", "pin", f"is {settings.pin}")
"""
RUNS = {
    "counts": """
def run(settings, door):
    told = None
    while True:
        now = door.expected
        door.status(f"pin {settings.pin}")
        if now.question == "tray" and (now.match, now.steps) != told:
            told = now.match, now.steps
            door.reading("tray", [(0.97, "total 6")])
        door.wait(1.0)
""",
    "prints": """
import os
def run(settings, door):
    print("a library says hello")
    os.write(1, b"and so does C\\n")
    while True:
        door.status("ok so far")
        door.wait(1.0)
""",
    "raises": """
def run(settings, door):
    raise OSError("no chip at 0x2a")
""",
    "returns": """
def run(settings, door):
    door.status("done")
""",
    "hangs": """
import time
def run(settings, door):
    door.status("here")
    time.sleep(600)
""",
    "broken": "import a_library_that_nobody_has",
    "asleep": "import time\ntime.sleep(600)",
}


def put(folder: Path, *names: str) -> Path:
    """Leave those in ``folder``, which is to go on the path."""
    for name in names:
        told(folder, name, f"{name}:SENSOR", SENSORS)
        end = f'\nSENSOR = Sensor("{name}", Settings, check, run)\n'
        body = RUNS[name] + end if "def run" in RUNS[name] else RUNS[name]
        (folder / f"{name}.py").write_text(HEAD + body, "utf-8")
    return folder
