"""What root takes from the box, lays ready, and leaves behind; and the installed package packed anew."""

import contextlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from device.cli import main
from device.commands import Exit
from device.update import ASKED, Care, Request, find_here, work
from device.update.release import CareError, read_trusted
from device.update.work import repack
from tests.device.update.conftest import DEB, HERE, NAME, PUBLIC

UPDATE = Request("update", NAME)


@pytest.fixture
def home(tmp_path):
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache"


@pytest.fixture
def runtime(tmp_path):
    (tmp_path / "run").mkdir()
    return tmp_path / "run"


def ask(runtime, raw):
    (runtime / ASKED).write_bytes(raw if isinstance(raw, bytes) else msgspec.json.encode(raw))


# The request


def test_a_request_becomes_ours_and_is_there_after_a_power_cut(home, runtime):
    ask(runtime, UPDATE)
    assert work.take_request(home, runtime) == UPDATE
    assert list(runtime.iterdir()) == []
    ask(runtime, Request("back"))
    assert work.take_request(home, runtime) == UPDATE, "one that was begun is finished first"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b'{"what": "shell"}',
        b'{"what": "update", "name": "../../etc/shadow"}',
        b'{"what": "update", "name": ".hidden"}',
        b'{"what": "reset", "matches": "no"}',
        b'{"what": "reset", "more": 1}',
    ],
)
def test_what_is_no_request_is_thrown_away(home, runtime, raw):
    ask(runtime, raw)
    with pytest.raises(msgspec.DecodeError):
        work.take_request(home, runtime)
    assert list(runtime.iterdir()) == list(home.iterdir()) == []
    ask(home, raw)
    with pytest.raises(msgspec.DecodeError):
        work.take_request(home, runtime)
    assert list(home.iterdir()) == [], "nor does it stand in the way of the next one"


# What is laid ready


@pytest.fixture
def system(monkeypatch, tmp_path):
    (tmp_path / "friends.pub").write_text(PUBLIC)
    monkeypatch.setattr(work, "find_here", lambda: HERE)
    monkeypatch.setattr(work, "read_trusted", lambda: read_trusted(tmp_path))
    monkeypatch.setattr(work.installer, "read_service", lambda: {"ActiveState": "active"})

    def packed(name, folder):
        (folder / f"{name}_0.1.0~bookworm_arm64.deb").write_bytes(b"installed")
        return folder / f"{name}_0.1.0~bookworm_arm64.deb"

    monkeypatch.setattr(work, "repack", packed)


@pytest.mark.usefixtures("system")
def test_an_update_is_laid_ready_with_a_way_back(home, stick):
    (home / ASKED).touch()
    work.begin(home, UPDATE, stick)
    job = json.loads((home / "job.json").read_text())
    assert (job["stage"], job["versions"]) == ("install", ["0.2.0", "0.1.0"])
    assert list(job["new"]) == [DEB]
    assert list(job["back"]) == ["podesta_0.1.0~bookworm_arm64.deb"]
    assert job["before"] == {"ActiveState": "active"}
    assert (home / "back").stat().st_mode & 0o5 == 0o5, "the box sees which version is kept"
    assert (home / "installer.py").read_bytes() == Path(work.installer.__file__).read_bytes()
    assert not (home / ASKED).exists()


@pytest.mark.usefixtures("system")
def test_what_came_of_it_is_left_for_the_box_and_told_once(home, stick, tmp_path, monkeypatch):
    ask(home, UPDATE)
    monkeypatch.setattr(work, "MOUNTED", stick)
    (stick / NAME).unlink()
    monkeypatch.setattr(work.begin, "__defaults__", (stick,))
    monkeypatch.setattr(work.time, "sleep", lambda _: None)
    assert work.main(home) == 0
    (tmp_path / "state").mkdir()
    monkeypatch.setattr("device.update.HOME", home)
    care = Care(tmp_path / "state", stick)
    news = care.news()
    assert (news.said, NAME in news.why) == ("refused", True)
    assert care.news() is None
    assert not (home / ASKED).exists()
    assert not (home / "new").exists()


@pytest.mark.usefixtures("system")
def test_going_back_takes_the_version_that_is_kept(home):
    with pytest.raises(CareError, match="no old version"):
        work.begin(home, Request("back"))
    (home / "previous").mkdir()
    (home / "previous" / "podesta_0.0.9~bookworm_arm64.deb").write_bytes(b"older")
    (home / ASKED).touch()
    work.begin(home, Request("back"))
    job = json.loads((home / "job.json").read_text())
    assert job["versions"] == ["0.0.9", "0.1.0"]
    assert (home / "new" / "podesta_0.0.9~bookworm_arm64.deb").read_bytes() == b"older"
    assert (home / "previous").exists(), "until the other one is kept in its place"


STATUS = """\
Package: podesta-camera
Status: deinstall ok config-files
Architecture: amd64
Version: 0.1.0~bookworm

Package: podesta
Status: install ok installed
Architecture: arm64
Depends: python3 (>= 3.11),
 libc6
Version: 0.2.0~bookworm
Description: referee
 Package: podesta
 Version: 9

Package: podestax
Status: install ok installed
Architecture: all
Version: 7
"""


def test_what_is_installed_is_read_from_what_dpkg_keeps(tmp_path):
    """Without a process: dpkg may take longer on a slow card than the watchdog waits."""
    status = tmp_path / "status"
    status.write_text(STATUS)
    box = find_here(status)
    assert (box.version, box.architecture, box.packages) == ("0.2.0", "arm64", ("podesta",))
    status.write_text(STATUS.replace("deinstall ok config-files", "hold ok installed"))
    assert find_here(status).packages == ("podesta", "podesta-camera")


def test_where_no_package_is_installed_it_says_so(tmp_path):
    status = tmp_path / "status"
    status.write_text(STATUS.replace("install ok installed", "install ok half-configured"))
    with pytest.raises(CareError, match="not installed as a package"):
        find_here(status)
    status.unlink()
    with pytest.raises(CareError, match="status"):
        find_here(status)


@pytest.mark.parametrize(
    ("state", "cut", "started"),
    [("active", False, True), ("inactive", False, False), ("inactive", True, True)],
)
def test_the_box_is_started_again_unless_people_had_stopped_it(home, monkeypatch, state, cut, started):
    """After a power cut it is the mark that kept it from starting."""
    seen = []

    @contextlib.contextmanager
    def at_rest(_, active):
        seen.append(active)
        yield

    if cut:
        (home / "installing").touch()
    done = subprocess.CompletedProcess([], 0, "", "")
    monkeypatch.setattr(work.installer, "read_service", lambda: {"ActiveState": state})
    monkeypatch.setattr(work.installer, "keep_at_rest", at_rest)
    monkeypatch.setattr(work.subprocess, "run", lambda *_, **__: done)
    monkeypatch.setattr(work, "NEW_SETTINGS", home / "none")
    work._restore_or_reset(home, Request("reset"))
    assert seen == [started]


def test_a_backup_is_copied_whole_and_once(tmp_path):
    source, target = tmp_path / "a.tar.gz", tmp_path / "ours.tar.gz"
    source.write_bytes(b"first")
    work.copy_backup(source, target)
    source.write_bytes(b"second")
    work.copy_backup(source, target)
    assert target.read_bytes() == b"first"
    (tmp_path / "link").symlink_to(source)
    with pytest.raises(CareError, match="link"):
        work.copy_backup(tmp_path / "link", tmp_path / "other")


def test_settings_are_replaced_and_the_old_ones_kept(tmp_path):
    new, old = tmp_path / "new.toml", tmp_path / "podesta.toml"
    new.write_text("[keys]\nok = 5\n")
    old.write_text("[keys]\nok = 6\n")
    work.put_settings(new, old)
    work.put_settings(new, old)
    assert old.read_text() == new.read_text()
    assert (tmp_path / "podesta.toml.before").read_text() == "[keys]\nok = 6\n", (
        "done twice it is still there"
    )
    old.unlink()
    work.put_settings(new, old)
    assert old.read_text() == new.read_text()


# A reset


@pytest.fixture
def state(tmp_path):
    folder = tmp_path / "state"
    for name in ("matches/a.podesta", "facts/torres.toml", "judge", "box.key", "replaced-1/judge"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x")
    (folder / "matches.link").symlink_to("matches")
    return folder


def test_the_command_says_what_would_go_and_does_it_when_told(state, capsys):
    assert main(["reset", "--state", str(state)]) == Exit.USAGE
    assert "all there but the matches would go for good; --yes" in capsys.readouterr().err
    assert (state / "judge").exists()
    assert main(["reset", "--yes", "--state", str(state)]) == Exit.FINE
    assert [path.name for path in state.iterdir()] == ["matches"]


# The package that is installed


def built(folder, target):
    """Build a small package with settings, a link and a script for its removal."""
    for name, text in {
        "DEBIAN/control": "Package: toy\nVersion: 1.2~x\nArchitecture: all\nMaintainer: a <a@box.invalid>\n"
        "Description: a toy\n of two lines\n",
        "DEBIAN/conffiles": "/etc/podesta/podesta.toml\n",
        "etc/podesta/podesta.toml": "as it came\n",
        "usr/share/podesta/podesta.toml": "as it came\n",
        "usr/bin/toy": "#!/bin/sh\n",
        "lib/systemd/toy.service": "[Unit]\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "usr/bin/toy").chmod(0o755)
    (folder / "usr/bin/game").symlink_to("toy")
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", folder, target], check=True, capture_output=True)


def unpacked(file, folder):
    subprocess.run(["dpkg-deb", "-R", file, folder], check=True)
    return {
        str(path.relative_to(folder)): (
            os.readlink(path) if path.is_symlink() else path.read_bytes(),
            path.lstat().st_mode,
        )
        for path in folder.rglob("*")
        if not path.is_dir()
    }


@pytest.mark.skipif(not shutil.which("dpkg") or os.geteuid() != 0, reason="only root installs packages")
def test_the_installed_package_is_packed_as_it_came(tmp_path):
    system, folder = tmp_path / "system", tmp_path / "back"
    for name in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"):
        (system / name).mkdir(parents=True)
    (system / "var/lib/dpkg/status").touch()
    (system / "usr/lib").mkdir(parents=True)
    (system / "lib").symlink_to("usr/lib")
    folder.mkdir()
    built(tmp_path / "root", tmp_path / "toy.deb")
    install = ["dpkg", f"--root={system}", "--force-all", "--log=/dev/null", "-i", tmp_path / "toy.deb"]
    subprocess.run(install, check=True, capture_output=True)
    (system / "etc/podesta/podesta.toml").write_text("as its people like it\n")
    packed = repack("toy", folder, system)
    assert packed.name == "toy_1.2~x_all.deb"
    assert [path.name for path in folder.iterdir()] == [packed.name]
    came, again = unpacked(tmp_path / "toy.deb", tmp_path / "a"), unpacked(packed, tmp_path / "b")
    (told, _), (told_again, _) = (one.pop("DEBIAN/control") for one in (came, again))
    assert sorted(told_again.splitlines()) == sorted(told.splitlines())
    again.pop("DEBIAN/md5sums")  # dpkg made them at the installation
    assert again == came
