"""A Debian with systemd on a kernel of its own, driven by the tools that ``PODESTA_BOX_SIM`` names.

A disk is a file; :meth:`Machine.boot` starts it as a machine with a folder of ours at ``/host`` and has it do
tasks of :mod:`tests.machine.guest` there; :meth:`Machine.cut` takes its power away.
"""

import compileall
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import tty
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from device.line.frames import FrameReader, LineFrame
from tests.e2e.line_node import LineNode
from tests.e2e.whole_game import keep

ROOT = Path(__file__).parents[2]
TESTS = ("e2e", "gpio_chip", "machine", "matches", "engines/grid_toy", "engines/newcomers.py")
"""What of these tests the machine needs."""

DEBIAN = os.environ.get("PODESTA_DEBIAN", "bookworm")
"""The distribution on the machine: ``bookworm`` or ``trixie``; the package in ``build/deb`` is for it."""

SEED = int(os.environ.get("PODESTA_SEED") or random.SystemRandom().randrange(10**6))
CUTS = int(os.environ.get("PODESTA_CUTS", "3"))
"""How often the power is cut; with more than three the trials that have a boot of their own are made, too."""
MARKS = [pytest.mark.machine, pytest.mark.timeout(900 + 120 * CUTS)]

SETTINGS = """
[display]
driver = "offscreen"
path = "/run/podesta/screen.png"

[[line]]
url = "/dev/ttyS0"
checked = true
"""
WATCHED = ("ubd*", "gpiochip*", "ttyS0", "watchdog*", "uinput", "rtc*", "device-mapper")
"""The devices that a rule or a trial waits for; the kernel has 200 more, most of them terminals."""
IDLE = (
    *(f"modprobe@{name}.service" for name in ("configfs", "dm_mod", "drm", "efi_pstore", "fuse", "loop")),
    *("sys-kernel-debug.mount", "sys-fs-fuse-connections.mount", "systemd-modules-load.service"),
    *("systemd-update-utmp.service", "systemd-update-utmp-runlevel.service", "systemd-random-seed.service"),
    *("e2scrub_reap.service", "e2scrub_all.timer", "fstrim.timer", "dpkg-db-backup.timer"),
    *("apt-daily.timer", "apt-daily-upgrade.timer"),
)
"""What Debian starts that neither the box nor a trial needs; each costs a tenth of a second or more."""
GENERATORS = (
    *("cryptsetup", "debug", "getty", "gpt-auto", "hibernate-resume", "integritysetup", "rc-local", "run"),
    *("system-update", "sysv", "veritysetup"),
)
"""What systemd runs at each boot and each daemon-reload, half of its cost, and makes no unit of here."""
LOUD = "systemd.journald.forward_to_console=1"
"""What the log says goes to the console too: a cut takes the log's last minutes."""
CUT = 75
"""The status of a machine that lost its power, as ``boot`` has it."""
BOOT_S = 600.0
LOOPS_S, TICKS = 10.0, 20
"""A machine's kernel loops that never waits for so long, and works for more than so many ticks."""
OFF_S = 15.0
"""What was done is on the disk by then: the power goes."""

Found = dict[str, dict[str, Any]]


def tools() -> Path | None:
    """The folder with ``boot``, ``image`` and ``make-root``; None where there is none, or we are not root."""
    named = os.environ.get("PODESTA_BOX_SIM", "")
    folder = Path(named).parent if named.endswith("make-root") else Path(named or "nowhere")
    return folder.absolute() if (folder / "boot").exists() and os.geteuid() == 0 else None


def make_root(box_sim: Path, root: Path, wheels: Path) -> None:
    """Make the root that all disks begin with: Debian, and what Raspberry Pi OS has beside it.

    Of the Pi's own archive lgpio is there, from its wheel; there is none for Python 3.13, which loads that of
    3.12 under a name of its own. spidev and picamera2 are names, as no such device is here. ``raspi-config``
    keeps what it was told.
    """
    root.parent.mkdir(parents=True, exist_ok=True)
    if not (root / "etc/fstab").exists():
        shutil.rmtree(root, ignore_errors=True)
        subprocess.run(
            [box_sim / "make-root", root, DEBIAN, "sudo", "dmsetup", "e2fsprogs"],
            check=True,
            capture_output=True,
        )
    fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    fetch += [
        "--python-version",
        "3.11" if DEBIAN == "bookworm" else "3.12",
        "--platform",
        "manylinux_2_34_x86_64",
        "--dest",
        str(wheels),
    ]
    subprocess.run([*fetch, "lgpio==0.2.2.0"], check=True, capture_output=True)
    (wheel,) = wheels.glob("lgpio-*.whl")
    archive, index = root / "opt/archive", ""
    archive.mkdir(exist_ok=True)
    for name in ("python3-lgpio", "python3-spidev", "python3-picamera2"):
        folder, package = wheels / name, archive / f"{name}.deb"
        (folder / "DEBIAN").mkdir(parents=True, exist_ok=True)
        control = f"Package: {name}\nVersion: 1\nArchitecture: amd64\nMaintainer: none <none@box.invalid>\n"
        (folder / "DEBIAN/control").write_text(
            f"{control}Description: as in the archive of the Pi\n", "utf-8"
        )
        if name == "python3-lgpio":
            modules = folder / "usr/lib/python3/dist-packages"
            with zipfile.ZipFile(wheel) as packed:
                packed.extractall(modules)
            for module in modules.glob("*.cpython-312-*"):
                module.rename(modules / module.name.replace("-312-", "-313-"))
        subprocess.run(["dpkg-deb", "-Zgzip", "-b", folder, package], check=True, capture_output=True)
        digest = hashlib.sha256(package.read_bytes()).hexdigest()
        index += f"{control}Filename: ./{package.name}\nSize: {package.stat().st_size}\nSHA256: {digest}\n\n"
    (archive / "Packages").write_text(index, "utf-8")
    (root / "etc/apt/sources.list").write_text("deb [trusted=yes] file:/opt/archive ./\n", "utf-8")
    asked = root / "usr/bin/raspi-config"
    asked.write_text('#!/bin/sh\necho "$@" >> /var/log/raspi-config\n', "utf-8")
    asked.chmod(0o755)
    (root / "boot/firmware").mkdir(exist_ok=True)
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n127.0.1.1 box\n", "utf-8")
    (root / "etc/sudoers.d/eva").write_text("eva ALL=(ALL) NOPASSWD: ALL\n", "utf-8")
    _spare(root)


def _spare(root: Path) -> None:
    """Leave out of a root's boot what no trial needs; the log is in memory, as on Raspberry Pi OS."""
    units, generators = root / "etc/systemd/system", root / "etc/systemd/system-generators"
    generators.mkdir(exist_ok=True)
    spared = [units / name for name in IDLE]
    for path in (*spared, *(generators / f"systemd-{name}-generator" for name in GENERATORS)):
        path.unlink(missing_ok=True)
        path.symlink_to("/dev/null")
    named = " ".join(f"--sysname-match={name}" for name in WATCHED)
    cold = "[Service]\nExecStart=\nExecStart=-udevadm trigger --action=add"
    for file, text in (
        (units / "systemd-udev-trigger.service.d/few.conf", f"{cold} {named}\n"),
        (root / "etc/systemd/journald.conf.d/memory.conf", "[Journal]\nStorage=volatile\n"),
    ):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8")


def first_evening(page: Path = ROOT / "hardware/FIRST_EVENING.md") -> list[str]:
    """Return the commands of the page that goes from an empty card to the first evening, in their order.

    They are those of a box with keys, of this machine's distribution and architecture.
    """
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    lines += re.findall(r"`(podesta doctor)`", page.read_text("utf-8"))
    return [
        line.replace("trixie", DEBIAN).replace("arm64", "amd64")
        for line in lines
        if "install ./podesta-camera" not in line
    ]


def _worker() -> int:
    """Return which of several test processes this is."""
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))


class KernelLoopsError(Exception):
    """The simulated machine's own kernel hangs, which says nothing of the box.

    A signal that comes while the stack of the current task is not mapped on the host is never handled:
    ``to_irq_stack`` copies from that stack, faults, and takes the fault for a signal that waits. It comes
    where the host's cores are much in demand.
    """


class Machine:
    """One disk, and the folder that the machine and we share."""

    def __init__(self, box_sim: Path, disk: Path, folder: Path) -> None:
        """``disk`` is there already; ``folder`` is made."""
        self.disk, self.folder = disk, folder
        self._box_sim = box_sim
        self._running: subprocess.Popen[bytes] | None = None
        self._asked, self._pace_then = 0.0, (0, 0)
        for name in TESTS:
            target = folder / "tests" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / "tests" / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / "tests" / name, target, ignore=ignored, dirs_exist_ok=True)
            else:
                shutil.copy(ROOT / "tests" / name, target)
        # Compiled here: the machine is twenty times slower at it, and has a process of its own for each boot.
        compileall.compile_dir(folder / "tests", quiet=1)

    def begin(self, script: str, *options: str) -> None:
        """Switch it on, with that to do as root once it is up."""
        # Of the boot before: they would count as this one's end, and its port as this one's.
        for left in ("out", "status", "console", "told"):
            (self.folder / left).unlink(missing_ok=True)
        self._asked, self._pace_then = time.monotonic(), (0, 0)
        file = self.folder / "script"
        file.write_text(f"#!/bin/bash\ncd /host\n{script}\n", "utf-8")
        file.chmod(0o755)
        command = [self._box_sim / "boot", self.disk, self.folder, "--serial", "1", *options]
        cores = sorted(os.sched_getaffinity(0))
        command[:0] = ["taskset", "--cpu-list", str(cores[_worker() % len(cores)])]
        environment = {**os.environ, "BOX_SIM_TIMEOUT": str(int(BOOT_S))}
        self._running = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def end(self) -> int:
        """Wait until it is off: the script's status, or :data:`CUT`."""
        assert self._running, "begin first"
        return self._running.wait(BOOT_S + 30)

    def _done(self) -> int:
        """Wait until the script is over, then until the machine is off, but not for long: its status.

        Raises :class:`KernelLoopsError`.
        """
        assert self._running, "begin first"
        file = self.folder / "status"
        while self._running.poll() is None and not file.exists():
            time.sleep(0.2)
            if self.loops():
                self.close()
                raise KernelLoopsError
        try:
            self._running.wait(OFF_S)
        except subprocess.TimeoutExpired:
            self.close()
        return int(file.read_text()) if file.exists() else self._running.wait()

    def loops(self) -> bool:
        """Return True if the machine's own kernel hangs, see :class:`KernelLoopsError`, since it was asked
        :data:`LOOPS_S` ago; asked sooner it is False.
        """
        if time.monotonic() < self._asked + LOOPS_S:
            return False
        (waited, worked), self._pace_then, self._asked = self._pace_then, self._pace(), time.monotonic()
        return self._pace_then[0] == waited and self._pace_then[1] > worked + TICKS

    def _pace(self) -> tuple[int, int]:
        """Return how often the machine's kernel has waited, and how many ticks it has worked."""
        assert self._running, "begin first"
        children = Path(f"/proc/{self._running.pid}/task/{self._running.pid}/children")
        for child in children.read_text().split() if children.exists() else ():
            stat = Path(f"/proc/{child}/stat").read_text()
            if "(linux)" in stat:
                status = Path(f"/proc/{child}/status").read_text()
                waited = re.search(r"\nvoluntary_ctxt_switches:\s+(\d+)", status)
                return int(waited[1]) if waited else 0, sum(map(int, stat.split()[13:15]))
        return 0, 0

    def boot(self, *tasks: str, **how: Any) -> Found:
        """Do :meth:`_boot`, and again from the disks as they were where the machine's own kernel hung."""
        named = (option.partition("=") for option in how.get("options", ()))
        disks = [self.disk, *(Path(file) for name, _, file in named if name.startswith("ubd"))]
        kept = {disk: disk.with_suffix(".kept") for disk in disks}
        for disk, copy in kept.items():
            subprocess.run(["cp", "--sparse=always", disk, copy], check=True)
        try:
            return self._boot(*tasks, **how)
        except KernelLoopsError:
            print("the machine's kernel hung: booted again from the disks as they were")
            for disk, copy in kept.items():
                copy.replace(disk)
            return self._boot(*tasks, **how)
        finally:
            for copy in kept.values():
                copy.unlink(missing_ok=True)

    def _boot(
        self,
        *tasks: str,
        before: str = "",
        options: Sequence[str] = (),
        cut: bool = False,
        python: str = "/usr/lib/podesta/bin/python3",
    ) -> Found:
        """Switch it on, do tasks in it, and switch it off: what each saw. ``before`` is done first;
        ``options`` are the kernel's. With ``cut`` the last task takes its power. Where the package may not be
        whole another ``python`` does the tasks.
        """
        run = f"{python} -m tests.machine.guest {' '.join(tasks)}"
        script = f"export PYTHONPATH=/host PYTHONDONTWRITEBYTECODE=1\nset -e\n{before}\n{run}\nsync"
        self.begin(script, *options)
        status = self._done()
        said = self.out
        told = (self.folder / "told").exists()  # else its time was up, which has the status of a cut
        assert (status, told) == (CUT if cut else 0, cut), (
            f"the machine's script ended with {status}:\n{said[-6000:]}\n{self.console}"
        )
        rows = [json.loads(line) for line in said.splitlines() if line.startswith('{"task"')]
        return {row["task"]: row for row in rows}

    def cut(self) -> None:
        """Take its power: its kernel is gone within a moment, and with it all that was not on the disk."""
        assert self._running, "begin first"
        (self.folder / "told").touch()
        assert self.end() == CUT

    def close(self) -> None:
        """Leave nothing running."""
        if self._running and self._running.poll() is None:
            self._running.send_signal(signal.SIGTERM)
            self._running.wait(30)

    @property
    def out(self) -> str:
        """What the script has said."""
        file = self.folder / "out"
        return file.read_text("utf-8", "replace") if file.exists() else ""

    def keep_picture(self, name: str, folder: Path) -> None:
        """Keep what the display showed last, for people to look at."""
        with Image.open(self.folder / f"{name}.png") as picture:
            keep(picture.convert("1"), f"machine_{name}.png", folder)

    def check_disk(self, copy: Path) -> None:
        """Let the journal of a copy of the disk be replayed, and check that all else is clean."""
        subprocess.run(["cp", "--sparse=always", self.disk, copy], check=True)
        try:
            subprocess.run(["e2fsck", "-fy", copy], capture_output=True, check=False)
            again = subprocess.run(["e2fsck", "-fn", copy], capture_output=True, text=True, check=False)
            assert again.returncode == 0, again.stdout
        finally:
            copy.unlink()

    @property
    def console(self) -> str:
        """The end of what kernel and services have said, those of a machine that was cut off, too."""
        file = self.folder / "console"
        return file.read_text("utf-8", "replace")[-3000:] if file.exists() else ""


class Port(LineNode):
    """A node at the machine's serial port; the link goes when the machine does, and comes with the next."""

    def __init__(self, machine: Machine) -> None:
        """Nothing is plugged in yet."""
        self.machine = machine
        self.heard: list[str] = []
        """Every frame that came, for whoever looks for a fault."""
        super().__init__(machine.folder / "ttyS0")

    def plug(self) -> None:
        """Forget the line of the machine that was, if any."""
        self._fds = None
        self._greeted = False

    def wait(self, seconds: float) -> None:
        """Open the far end of the machine's port as soon as the box has opened its own."""
        end = time.monotonic() + seconds
        while not self.path.is_symlink() or not self.path.exists():
            assert time.monotonic() < end, f"nothing opens the port\n{self.machine.console}"
            if self.machine.loops():
                raise KernelLoopsError
            time.sleep(0.1)
        file = os.open(self.path.resolve(), os.O_RDWR | os.O_NOCTTY)
        tty.setraw(file)
        os.set_blocking(file, False)
        self._fds = file, os.dup(file)
        self._reader = FrameReader(checked=True)
        self._greeted = False

    def _take(self, frame: LineFrame, seq: int) -> str | None:
        self.heard.append(f"{frame.seq} {frame.kind} {frame.args}")
        return super()._take(frame, seq)

    def do(self, said: str, seq: int | None = None, *, timeout: float = 60) -> str:
        """Say it until it is answered; where nobody answers, tell what the machine said."""
        try:
            return super().do(said, seq, timeout=timeout)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.heard[-20:]}\n{self.machine.console}") from error

    def unplug(self) -> None:
        """Close our end."""
        for descriptor in self._fds or ():
            os.close(descriptor)
        self._fds = None


def repacked(
    package: Path, version: str, target: Path, folder: Path, change: Callable[[Path], object] = str
) -> None:
    """Pack a package anew under another version, to upgrade to; ``change`` gets the folder before."""
    subprocess.run(["dpkg-deb", "-R", package, folder], check=True)
    change(folder)
    control = folder / "DEBIAN" / "control"
    lines = control.read_text("utf-8").splitlines()
    control.write_text(
        "\n".join(f"Version: {version}" if line.startswith("Version:") else line for line in lines) + "\n",
        "utf-8",
    )
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", folder, target],
        check=True,
        capture_output=True,
    )
    shutil.rmtree(folder)


def released(package: Path, version: str, folder: Path, key: Path, command: str = "") -> None:
    """Make a release of a package under another version, signed, in a folder of its own.

    It brings settings of its own, which replace nobody's; with ``command`` that is all ``podesta`` does.
    """

    def change(root: Path) -> None:
        with (root / "etc/podesta/podesta.toml").open("a", encoding="utf-8") as file:
            file.write(f"# of {version}\n")
        if command:
            (root / "usr/bin/podesta").write_text(f"#!/bin/sh\n{command}\n", "utf-8")

    folder.mkdir()
    deb = folder / f"podesta_{version}~{DEBIAN}_amd64.deb"
    repacked(package, f"{version}~{DEBIAN}", deb, folder / "root", change)
    subprocess.run([sys.executable, ROOT / "systemd/deb/sign", key, deb], check=True, capture_output=True)


def chosen(steps: Sequence[Any], number: int, chance: Any) -> list[int]:
    """So many different steps in their order, at which something happens."""
    return sorted(chance.sample(range(1, len(steps)), number))
