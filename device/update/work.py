"""The work of ``podesta-update.service``, as root: it checks the box's request and carries it out.

The box may only ask: its request chooses among signed releases, the version kept here, backups, and the state
of a new box. Work in folders that the box can write runs with the box's own rights.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pwd
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import msgspec

from device import config as configs
from device.files import read_file, replace_file
from device.stick import MOUNTED
from device.texts import cause_of
from device.update import RUNTIME, Request, find_here, find_kept, installer
from device.update.installer import ASKED
from device.update.release import CareError, check, read_steps, read_trusted

BACKUP: Final = "restore.tar.gz"
USER: Final = "podesta"
SYSTEM_PYTHON: Final = "/usr/bin/python3"
NEW_SETTINGS: Final = Path("/usr/share/podesta/podesta.toml")
"""The settings of the package."""
STICK_S: Final = 30
"""The time until a plugged-in stick is mounted after a power cut."""
_SCRIPTS: Final = ("preinst", "postinst", "prerm", "postrm", "md5sums", "triggers", "conffiles")


def main(home: Path = installer.HOME) -> int:
    """Carry out the request, or continue it after a power cut; leave the result for the box."""
    try:
        request = take_request(home)
    except (OSError, msgspec.DecodeError) as error:
        print(f"podesta-update: {error}", file=sys.stderr)
        return 1
    try:
        if request.what in ("update", "back"):
            begin(home, request)
            os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-I", str(home / "installer.py")])
        said = _restore_or_reset(home, request)
        installer.report(home, request.what, find_here().version, why=said)
    except (CareError, OSError) as error:
        for name in ("new", "back"):
            shutil.rmtree(home / name, ignore_errors=True)
        why = (error.code, error.detail) if isinstance(error, CareError) else ("system", str(cause_of(error)))
        installer.report(home, "refused", "", *why)
    for name in (ASKED, BACKUP):
        (home / name).unlink(missing_ok=True)
    return 0


def take_request(home: Path, runtime: Path = RUNTIME) -> Request:
    """Return the open request; take a new one over, so that nobody changes it afterwards.

    Raises OSError, and :class:`msgspec.DecodeError` for an invalid request, which is deleted.
    """
    ours = home / ASKED
    source = ours if ours.exists() else runtime / ASKED
    raw = read_file(source)
    try:
        request = msgspec.json.decode(raw, type=Request)
    except msgspec.DecodeError:
        source.unlink()
        raise
    replace_file(ours, raw)
    (runtime / ASKED).unlink(missing_ok=True)
    return request


def begin(home: Path, request: Request, stick: Path = MOUNTED) -> None:
    """Prepare the new packages, copies of the installed ones, and the installer's job.

    After :class:`CareError` or OSError there is no job.
    """
    box, new, back = find_here(), home / "new", home / "back"
    for folder in (new, back):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    if request.what == "update":
        wait_for_file(stick / request.name)
        manifest, packages = check(stick, request.name, read_trusted(), box, into=new)
        version, files = manifest.version, {one.file: one.sha256 for one in packages}
    else:
        version, files = find_kept(home), {}
        for path in sorted((home / "previous").glob("*.deb")):
            shutil.copy(path, new)
            files[path.name] = _hash_file(new / path.name)
        if not files:
            raise CareError("no_before")
    olds = {path.name: _hash_file(path) for path in (repack(name, back) for name in box.packages)}
    replace_file(home / "installer.py", read_file(Path(installer.__file__)), 0o644)
    job = {
        "stage": "install",
        "new": files,
        "back": olds,
        "versions": [version, box.version],
        "before": installer.read_service(),
    }
    installer.save(home / "job.json", job)
    (home / ASKED).unlink()


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _restore_or_reset(home: Path, request: Request) -> str:
    """Restore or reset with the service stopped; return the output for people."""
    state, settings = configs.state_dir(configs.load(configs.SYSTEM_FILE).config), NEW_SETTINGS
    if request.what == "restore":
        copy_backup(MOUNTED / request.name, home / BACKUP)
        settings = RUNTIME / "restored.toml"
        settings.unlink(missing_ok=True)
        command = ["restore", str(home / BACKUP), "--force", "--config", str(settings)]
    else:
        command = ["reset", "--yes", *["--matches"] * request.matches]
    held = (home / "installing").exists()  # we stopped it before a power cut, not people
    active = held or installer.read_service().get("ActiveState") in ("active", "activating")
    with installer.keep_at_rest(home, active):
        done = subprocess.run(
            ["/usr/bin/podesta", *command, "--state", str(state)],
            capture_output=True,
            text=True,
            check=False,
            user=USER,
            group=USER,
            extra_groups=(),
        )
        if done.returncode:
            raise CareError("command", " ".join(done.stderr.split()))
        if settings.exists():  # a backup may hold none
            put_settings(settings, configs.SYSTEM_FILE)
    return "; ".join(done.stdout.splitlines())


def wait_for_file(file: Path, patience_s: int = STICK_S) -> None:
    """Wait for a file of the stick; raises :class:`CareError` if it does not come."""
    for _ in range(patience_s):
        if file.exists():
            return
        time.sleep(1)
    raise CareError("no_file", file.name)


def copy_backup(source: Path, target: Path) -> None:
    """Copy a backup for the box, whole or not at all; keep a copy from before a power cut."""
    if target.exists():
        return
    wait_for_file(source)
    part = target.with_suffix(".part")
    with part.open("wb") as file:
        for data in read_steps(source):
            file.write(data)
        file.flush()
        os.fsync(file.fileno())
    with contextlib.suppress(KeyError):
        os.chown(part, pwd.getpwnam(USER).pw_uid, -1)
    part.replace(target)


def put_settings(source: Path, target: Path) -> None:
    """Replace the settings in force, and keep these beside the new ones as ``….before``.

    The box may have written ``source``, so no link is followed.
    """
    new = b"".join(read_steps(source))
    old = read_file(target) if target.exists() else b""
    if old and old != new:
        replace_file(target.with_name(f"{target.name}.before"), old, 0o644)
    replace_file(target, new, 0o644)


# The installed package, packed again: a box does not keep the file that it was installed from


def repack(name: str, folder: Path, system: Path = Path("/")) -> Path:
    """Pack an installed package into a file in ``folder``; raises OSError.

    It packs the original settings: people's changes are not the package's.
    """
    root = folder / name
    (root / "DEBIAN").mkdir(parents=True)
    info = system / "var/lib/dpkg/info"
    for script in _SCRIPTS:
        if (info / f"{name}.{script}").exists():
            shutil.copy(info / f"{name}.{script}", root / "DEBIAN" / script)
    control = _write_control(_query_dpkg(system, "--status", name))
    (root / "DEBIAN/control").write_text(control, "utf-8")
    lines = _query_dpkg(system, "--listfiles", name).splitlines()
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


def _write_control(status: str) -> str:
    """Return a package's control file from dpkg's status of it."""
    return re.sub(r"(?m)^(Status|Config-Version|Conffiles):.*\n((?<=Conffiles:\n)( .*\n)*)?", "", status)


def _query_dpkg(system: Path, *words: str) -> str:
    return _run("dpkg-query", f"--admindir={system / 'var/lib/dpkg'}", *words)


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"{command[0]}: {' '.join(done.stderr.split())}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
