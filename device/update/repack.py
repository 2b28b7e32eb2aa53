"""The package that is installed, packed anew: a box does not have the file that it was installed from."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

NEW_SETTINGS: Final = Path("/usr/share/podesta/podesta.toml")
"""The settings as the package has them."""
_SCRIPTS: Final = ("preinst", "postinst", "prerm", "postrm", "md5sums", "triggers", "conffiles")


def repack(name: str, folder: Path, system: Path = Path("/")) -> Path:
    """Pack an installed package into a file in ``folder``; raises OSError.

    Settings are packed as they came: what people changed in them is theirs, not the package's.
    """
    root = folder / name
    (root / "DEBIAN").mkdir(parents=True)
    info = system / "var/lib/dpkg/info"
    for script in _SCRIPTS:
        if (info / f"{name}.{script}").exists():
            shutil.copy(info / f"{name}.{script}", root / "DEBIAN" / script)
    control = _control(_query(system, "--status", name))
    (root / "DEBIAN/control").write_text(control, "utf-8")
    lines = _query(system, "--listfiles", name).splitlines()
    folders = {str(parent) for line in lines for parent in Path(line).parents}
    for line in lines:
        source, target = system / line[1:], root / line[1:]
        if line.startswith("/etc/") and not source.is_dir():
            source = system / str(NEW_SETTINGS)[1:]
        if source.is_symlink() and line not in folders:  # /lib itself is a link
            target.symlink_to(os.readlink(source))
        elif source.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            shutil.copystat(source, target)
        else:
            shutil.copy2(source, target)
    version, arch = (re.search(rf"(?m)^{field}: (.*)$", control) for field in ("Version", "Architecture"))
    assert version, control
    assert arch, control
    packed = folder / f"{name}_{version[1]}_{arch[1]}.deb"
    _run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(root), str(packed))
    shutil.rmtree(root)
    with packed.open("rb") as file:
        os.fsync(file.fileno())
    return packed


def _control(status: str) -> str:
    """Return a package's control file from what dpkg keeps of it."""
    return re.sub(r"(?m)^(Status|Config-Version|Conffiles):.*\n((?<=Conffiles:\n)( .*\n)*)?", "", status)


def _query(system: Path, *words: str) -> str:
    return _run("dpkg-query", f"--admindir={system / 'var/lib/dpkg'}", *words)


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{command[0]}: {' '.join(done.stderr.split())}")
    return done.stdout
