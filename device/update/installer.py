"""Installs checked packages, watches the service start, and goes back by itself if it does not.

This file stands alone: it runs from a copy beside the packages, on the system's Python, because the version
that it replaces may be half installed. The job is in ``job.json`` and moves from stage to stage; after a
power cut the unit starts this program again, and it continues with the stage it had reached. It counts no
tries: a stage ends by the word of dpkg and the service, so no number of cuts uses up either version.
"""

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Job = dict[str, Any]
Cause = dict[str, str]
"""The cause of a failed stage: the ``code`` of a text of the box (``care.why``), and its detail as ``why``;
empty after a success.
"""

HOME = Path("/var/cache/podesta")
ASKED = "asked.json"
"""The file with a request, both where the box leaves it and where root keeps it during the work."""
STARTS = Path("/run/podesta/starts")
"""The service's count of failed starts; two lead to safe mode."""
UNIT = "podesta.service"
UP_S = float(os.environ.get("PODESTA_UP_S", "150"))
STEADY_S = float(os.environ.get("PODESTA_STEADY_S", "60"))
LOOK_S = 1.0

AFTER = {
    "install": ("watch", "back"),
    "watch": ("done", "back"),
    "back": ("watch back", "watch back"),
    "watch back": ("went_back", "stuck"),
}
"""The next stage after each: after a success, and after a failure. On the way back only the start counts."""
INSTALLS = {"install": "new", "back": "back"}
"""The folder of the packages that a stage installs."""
KEEP = ("--force-confdef", "--force-confold")
"""Options of dpkg that keep people's settings."""


def save(path: Path, value: Job) -> None:
    """Write a file whole or not at all; after a power cut it is the old or the new."""
    fresh = path.with_name(f".{path.name}.new")
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(value, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Write a folder's names to the disk."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def report(home: Path, said: str, version: str = "", code: str = "", why: str = "") -> None:
    """Write the result for the box and into the log."""
    print("podesta-update:", *filter(None, (said, version, code, why)), flush=True)
    result = {"id": secrets.token_hex(8), "said": said, "version": version, "code": code, "why": why}
    save(home / "result.json", result)


def run_command(*command: str) -> str:
    """Run a command; return why it failed in one line, empty if it did not."""
    print(f"podesta-update: {' '.join(command)}", flush=True)
    done = subprocess.run(command, capture_output=True, text=True, check=False, errors="replace")
    said = " ".join((done.stderr or done.stdout).split()) or f"status {done.returncode}"
    return said[-300:] if done.returncode else ""


def read_service() -> dict[str, str]:
    """Return the state of the box's service."""
    names = "ActiveState,MainPID,NRestarts"
    done = subprocess.run(
        ["systemctl", "show", UNIT, "-p", names], capture_output=True, text=True, check=False
    )
    found = dict(line.split("=", 1) for line in done.stdout.splitlines() if "=" in line)
    try:
        failed = json.loads(STARTS.read_text("utf-8"))["failed"]
    except (OSError, ValueError, KeyError):
        failed = 0
    return {**found, "safe": "yes" if failed >= 2 else ""}


def watch_start(
    before: dict[str, str],
    look: Callable[[], dict[str, str]] = read_service,
    now: Callable[[], float] = time.monotonic,
    wait: Callable[[float], None] = time.sleep,
) -> Cause:
    """Watch the service; return why it is worse than ``before``, empty if it is not.

    It must be up (by its own word, ``Type=notify``) within :data:`UP_S`, and then stay the same process for
    :data:`STEADY_S`. Nothing is required that did not work before.
    """
    if before.get("ActiveState") != "active":
        return {}
    began, up, process = now(), None, ""
    while True:
        seen, at = look(), now()
        if seen.get("ActiveState") == "active" and (before.get("safe") or not seen.get("safe")):
            up, process = (at, seen["MainPID"]) if up is None else (up, process)
            if seen["MainPID"] != process:
                return {"code": "ended"}
            if at - up >= STEADY_S:
                return {}
        elif up is not None:
            return {"code": "ended"}
        elif at - began >= UP_S:
            return {"code": "safe_mode"} if seen.get("safe") else {"code": "not_up", "why": f"{UP_S:g}"}
        wait(LOOK_S)


@contextlib.contextmanager
def keep_at_rest(home: Path, active: bool, run: Callable[..., str] = run_command) -> Iterator[None]:
    """Keep the service stopped, even after a power cut: it must not load half a version or state.

    Afterwards start it if it was ``active``; earlier failures do not count against it.
    """
    mark = home / "installing"
    mark.touch()
    sync_folder(home)
    try:
        run("systemctl", "stop", UNIT)
        yield
    finally:
        STARTS.unlink(missing_ok=True)
        mark.unlink()
        run("systemctl", "reset-failed", UNIT)
        if active:
            run("systemctl", "--no-block", "restart", UNIT)


def install(home: Path, job: Job, stage: str, run: Callable[..., str] = run_command) -> Cause:
    """Install a stage's packages after comparing their hashes; return the cause of a failure."""
    folder = home / INSTALLS[stage]
    for name, digest in job[INSTALLS[stage]].items():
        try:
            held = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError as error:
            return {"code": "system", "why": f"{folder / name}: {error.strerror}"}
        if held != digest:
            return {"code": "changed", "why": f"{folder / name}"}
    with keep_at_rest(home, job["before"].get("ActiveState") == "active", run):
        run("dpkg", *KEEP, "--configure", "-a")
        files = [str(folder / name) for name in job[INSTALLS[stage]]]
        why = run("dpkg", *KEEP, "--force-downgrade", "-i", *files)
        return {"code": "dpkg", "why": why} if why else {}


def step(
    home: Path,
    job: Job,
    run: Callable[..., str] = run_command,
    watch: Callable[[dict[str, str]], Cause] = watch_start,
) -> Job:
    """Do a stage; return the job after it."""
    stage = job["stage"]
    why = install(home, job, stage, run) if stage in INSTALLS else watch(job["before"])
    first = {} if job.get("code") else why
    return {**job, **first, "stage": AFTER[stage][bool(why)]}


def finish(home: Path, job: Job) -> None:
    """Keep the previous version, report the result, and clean up; a power cut may repeat this."""
    back, kept = home / "back", home / "previous"
    if job["stage"] == "done" and back.exists():
        shutil.rmtree(kept, ignore_errors=True)
        back.replace(kept)
    version = job["versions"][job["stage"] != "done"]
    report(home, job["stage"], version, job.get("code", ""), job.get("why", ""))
    shutil.rmtree(home / "new", ignore_errors=True)
    if job["stage"] != "stuck":
        shutil.rmtree(back, ignore_errors=True)
    (home / ASKED).unlink(missing_ok=True)  # the job came from it; a power cut may have brought it back
    (home / "job.json").unlink()
    sync_folder(home)


def main(home: Path = HOME) -> int:
    """Continue the job to its end."""
    job = json.loads((home / "job.json").read_text("utf-8"))
    while job["stage"] in AFTER:
        print(f"podesta-update: {job['stage']}", flush=True)
        job = step(home, job)
        save(home / "job.json", job)
    finish(home, job)
    return 0


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        sys.exit(main())
