"""The first boot of a fresh disk, in which the package is installed; others copy its disk."""

import fcntl
import json
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.machine.machine import DEBIAN, ROOT, SETTINGS, Machine, first_evening, make_root, tools

BUILD = ROOT / "build"
PACKAGE = f"podesta_*~{DEBIAN}_amd64.deb"
FIRST = ("up", "looks", "power_off", "states", "doctor", "reset")
LATER = ("make ", "scp ", "ssh ", "podesta ", "sudo reboot")
"""The page's commands that belong to the computer where the package is made, or to a later task or boot."""
INSTALL = """
useradd --create-home eva
cp podesta_*.deb page /home/eva
yes | runuser -l eva -c 'bash -ex page'
cp settings /etc/podesta/podesta.toml
systemctl restart podesta
"""


@pytest.fixture(scope="session")
def box_sim() -> Path:
    """The machine's tools."""
    if found := tools():
        return found
    pytest.skip("PODESTA_BOX_SIM names no folder with a machine to boot, or this is not root")


@pytest.fixture(scope="session")
def package() -> Path:
    """The package of this checkout, which ``make deb`` has built."""
    packages = sorted((BUILD / "deb").glob(PACKAGE))
    if not packages:
        pytest.skip(f"no {PACKAGE} in build/deb: CAMERA=no make deb DEB='{DEBIAN} amd64'")
    return packages[-1]


def blank(box_sim: Path, folder: Path) -> Path:
    """Make the disk of a fresh system, without the package."""
    root, disk = folder / "root", folder / "disk.img"
    make_root(box_sim, root, folder / "wheels")
    disk.unlink(missing_ok=True)
    subprocess.run([box_sim / "image", root, disk, "1000M"], check=True)
    return disk


@pytest.fixture(scope="session")
def first(box_sim: Path, package: Path, tmp_path_factory: pytest.TempPathFactory, testrun_uid: str):
    """The disk after the first boot, and what that boot saw; whoever comes first makes it for all."""
    folder = BUILD / "machine"
    folder.mkdir(parents=True, exist_ok=True)
    told = folder / "first.json"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = json.loads(told.read_text("utf-8")) if told.exists() else {}
        if kept.get("run") != testrun_uid:
            told.unlink(missing_ok=True)
            machine = Machine(box_sim, blank(box_sim, folder), tmp_path_factory.mktemp("first"))
            shutil.copy(package, machine.folder)
            page = [line for line in first_evening() if not line.startswith(LATER)]
            (machine.folder / "page").write_text("\n".join(page), "utf-8")
            (machine.folder / "settings").write_text(SETTINGS, "utf-8")
            kept = {"run": testrun_uid, "folder": str(machine.folder)}
            kept["found"] = machine.boot(*FIRST, before=INSTALL)
            told.write_text(json.dumps(kept), "utf-8")
    return folder / "disk.img", kept["found"], Path(kept["folder"])


@pytest.fixture(scope="session")
def machines(box_sim: Path, first):
    """Make a machine with the package installed in a folder, and leave nothing of it running."""

    @contextmanager
    def made(folder: Path):
        disk = folder / "disk.img"
        subprocess.run(["cp", "--sparse=always", first[0], disk], check=True)
        machine = Machine(box_sim, disk, folder / "host")
        try:
            yield machine
        finally:
            machine.close()
            disk.unlink()

    return made


@pytest.fixture
def machine(machines, tmp_path: Path):
    """A machine of one's own with the package installed."""
    with machines(tmp_path) as machine:
        yield machine
