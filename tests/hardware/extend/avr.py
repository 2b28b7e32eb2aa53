"""An Arduino Uno without one: a sketch built as the Arduino IDE does, run by simavr in the wall's time."""

import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

HERE = Path(__file__).parent
CORE = Path("/usr/share/arduino/hardware/arduino/avr")
FLAGS = (
    *("-mmcu=atmega328p", "-DF_CPU=16000000L", "-DARDUINO=10808", "-DARDUINO_AVR_UNO", "-DARDUINO_ARCH_AVR"),
    *("-DDECIMAL_DIG=17", "-Os", "-std=gnu++11", "-fno-exceptions", "-fno-threadsafe-statics"),
    *("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-w"),
)
PARTS = (
    *("HardwareSerial.cpp", "HardwareSerial0.cpp", "Print.cpp", "main.cpp", "abi.cpp"),
    *("wiring.c", "wiring_digital.c", "hooks.c"),
)


def lacking() -> str:
    """Return what is not installed here and needed; empty when all is there."""
    needs = {
        "gcc": shutil.which("gcc"),
        "libc6-dev": Path("/usr/include/stdio.h").exists(),
        "gcc-avr": shutil.which("avr-gcc"),
        "avr-libc": Path("/usr/lib/avr/include/avr/io.h").exists(),
        "arduino-core-avr": CORE.exists(),
        "libsimavr-dev": Path("/usr/include/simavr/sim_avr.h").exists(),
    }
    return ", ".join(name for name, there in needs.items() if not there)


def build(folder: Path, sketch: Path) -> Path:
    """The firmware of a sketch; ``folder`` gets it and whatever is made on the way."""
    (folder / "sketch.cpp").write_text(f'#include <Arduino.h>\n#include "{sketch}"\n')
    core = CORE / "cores" / "arduino"
    places = [f"-I{folder}" for folder in (core, CORE / "variants" / "standard", sketch.parent)]
    firmware = folder / "firmware.elf"
    parts = [core / part for part in PARTS]
    subprocess.run(["avr-gcc", *FLAGS, *places, folder / "sketch.cpp", *parts, "-o", firmware], check=True)
    return firmware


class Uno:
    """A board that runs ``firmware``, its serial port at ``link``, which appears when it starts."""

    def __init__(self, folder: Path, firmware: Path, link: Path) -> None:
        self._lamp = folder / "lamp"
        runner = folder / "avr_node"
        subprocess.run(["gcc", "-O2", "-o", runner, HERE / "avr_node.c", "-lsimavr", "-lutil"], check=True)
        self._process = subprocess.Popen(
            [runner, firmware, link],
            stdin=subprocess.PIPE,
            stdout=(folder / "lamp").open("w"),
            stderr=subprocess.DEVNULL,
        )
        while not link.is_symlink() and self._process.poll() is None:
            time.sleep(0.01)

    def say(self, command: str) -> None:
        """``D4 60``: hold the button at that pin for so many ms; ``off``, ``on``: the cable."""
        assert self._process.stdin
        self._process.stdin.write(f"{command}\n".encode())
        self._process.stdin.flush()

    def lit(self) -> None:
        """Wait until its lamp is lit: it has heard the box. A press before that is not sent."""
        for _ in range(6000):
            if self._lamp.read_text().endswith("lamp 1\n"):
                return
            time.sleep(0.01)
        raise AssertionError("its lamp is not lit")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()
