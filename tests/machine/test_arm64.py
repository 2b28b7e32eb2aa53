"""The package for the Pi's own processor, installed on a Debian of it under qemu-user, without a kernel."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.machine.machine import CUTS, DEBIAN, ROOT

EMULATED = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
RUNS = EMULATED.exists() and os.getuid() == 0
LACKING = "no arm64 program runs here: arch-test, qemu-user-static, its binfmt_misc (flag F), root"
if CUTS < 50:
    LACKING = "ten minutes: `make soak` has it"
MARKS = [pytest.mark.machine, pytest.mark.timeout(3600)]
pytestmark = [*MARKS, pytest.mark.skipif(CUTS < 50 or not RUNS, reason=LACKING)]


def test_the_packages_are_installed_and_the_doctor_answers(tmp_path):
    subprocess.run(["systemd/deb/build", DEBIAN, "arm64", tmp_path], cwd=ROOT, check=True)
    told = subprocess.check_output(["apt-get", "indextargets", "--format", "$(REPO_URI)"], text=True)
    mirror = next(one for one in told.splitlines() if "security" not in one)
    root = tmp_path / "root"
    making = ["mmdebstrap", "--quiet", "--variant=minbase", "--mode=root", "--arch=arm64"]
    # What the packages depend on; the camera's of trixie on Debian's own OpenCV.
    needed = ["systemd", "python3", "python3-numpy", *["python3-opencv"] * (DEBIAN == "trixie")]
    subprocess.run([*making, f"--include={','.join(needed)}", DEBIAN, root, mirror], check=True)

    @contextmanager
    def mounted() -> Iterator[None]:
        subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
        try:
            yield
        finally:
            subprocess.run(["umount", root / "proc"], check=True)

    def inside(*words: str) -> str:
        done = subprocess.run(["chroot", root, *words], text=True, stdout=subprocess.PIPE, check=False)
        assert done.returncode == 0, done.stdout
        return done.stdout

    for package in tmp_path.glob("*.deb"):
        package.rename(root / "opt" / package.name)
    with mounted():
        inside("sh", "-c", "dpkg -i /opt/podesta_*.deb")
        told = json.loads(inside("podesta", "doctor", "--json"))
        found = {one["name"]: (one["verdict"], one["detail"]) for one in told["findings"]}
        assert found["64-bit"] == ("ok", "aarch64")
        assert found["state"] == ("ok", "/var/lib/podesta can be written and synced")
        assert {found[f"package {name}"][0] for name in ("msgspec", "gpiozero", "luma.oled")} == {"ok"}
        inside("sh", "-c", "dpkg -i /opt/podesta-camera_*.deb")
        python = "/usr/lib/podesta/bin/python3"
        version = inside(python, "-c", "import cv2, vision.torres; print(cv2.__version__)")
        print("doctor:", told["fine"], "OpenCV:", version)
        inside("dpkg", "--purge", "podesta-camera", "podesta")
        assert not list((root / "usr/lib/podesta").rglob("*.py"))
