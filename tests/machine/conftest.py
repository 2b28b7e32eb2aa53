"""A disk with the package installed, made once; tests copy it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.machine.machine import ROOT, SETTINGS, Machine, make_root, tools

BUILD = ROOT / "build"
PACKAGE = "podesta_*~bookworm_amd64.deb"


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
        pytest.skip(f"no {PACKAGE} in build/deb: CAMERA=no make deb DEB='bookworm amd64'")
    return packages[-1]


@pytest.fixture(scope="session")
def blank(box_sim: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The disk of a fresh system, without the package."""
    folder = Path(os.environ.get("PODESTA_MACHINE", BUILD / "machine"))
    root, disk = folder / "root", folder / "blank.img"
    make_root(box_sim, root, tmp_path_factory.mktemp("wheels"))
    settings = root / "etc/podesta/podesta.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text(SETTINGS, "utf-8")
    subprocess.run([box_sim / "image", root, disk, "1000M"], check=True)
    return disk


@pytest.fixture(scope="session")
def installed(box_sim: Path, blank: Path, package: Path, tmp_path_factory: pytest.TempPathFactory):
    """The disk after the first boot, in which the package was installed by dpkg, and what that boot saw."""
    disk = blank.with_name("installed.img")
    subprocess.run(["cp", "--sparse=always", blank, disk], check=True)
    machine = Machine(box_sim, disk, tmp_path_factory.mktemp("first"))
    (machine.folder / "podesta.deb").write_bytes(package.read_bytes())
    found = machine.boot(
        "up", before="dpkg --force-confold -i podesta.deb && podesta --version && date +%s.%N >installed"
    )
    return disk, found


@pytest.fixture
def machine(box_sim: Path, installed, tmp_path: Path):
    """A machine of one's own with the package installed."""
    disk = tmp_path / "disk.img"
    subprocess.run(["cp", "--sparse=always", installed[0], disk], check=True)
    machine = Machine(box_sim, disk, tmp_path / "host")
    yield machine
    machine.close()
    disk.unlink()
