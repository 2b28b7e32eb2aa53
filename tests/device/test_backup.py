"""A backup holds all that a box keeps, and another box goes on with it."""

import io
import os
import tarfile

import pytest

from device import config as configs
from device.backup import LIST, SETTINGS, BackupError, look, restore, save
from device.cli import main
from device.commands import Exit
from device.files import hold_folder
from device.match import read
from device.match.library import Library
from device.match.replay import Header
from engines.contract import Setup
from tests.device.conftest import NAMES


@pytest.fixture
def box(tmp_path, clock):
    """A state with an open match, facts, a PIN and pictures."""
    state = tmp_path / "state"
    library = Library(state, stamp=clock.stamp)
    referee = library.open_match(Header("san_gimignano", NAMES, Setup()))
    referee.step("8 6 10 9", channel="keys")
    assert referee.wait(30)
    (state / "facts").mkdir()
    (state / "facts" / "torres.toml").write_text("format = 1\n")
    (state / "facts" / "link.toml").symlink_to("torres.toml")
    (state / "judge").write_bytes(b"\x00hash")
    (state / "pictures" / "m").mkdir(parents=True)
    (state / "pictures" / "m" / "1.jpg").write_bytes(bytes(1000))
    (state / "page").write_text("http://127.0.0.1:8080/")
    (state / ".asked.0123456789abcdef.new").write_text("half")
    yield state
    library.leave()


@pytest.fixture
def settings(tmp_path):
    file = tmp_path / "etc" / "podesta.toml"
    file.parent.mkdir()
    file.write_text("[keys]\nok = 5\n")
    return file


@pytest.fixture
def saved(box, settings, tmp_path):
    file = tmp_path / "box.tar.gz"
    save(box, settings, file, "0.1.0")
    return file


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def test_another_box_goes_on_with_it(box, saved, settings, tmp_path, clock):
    other, etc = tmp_path / "other", tmp_path / "etc2" / "podesta.toml"
    contents, aside = restore(saved, other, etc)
    assert (contents.matches, contents.version, aside) == (1, "0.1.0", None)
    kept = {name: data for name, data in files(box).items() if not name.startswith(("pictures", "page", "."))}
    assert files(other) == kept
    assert {"current", "judge", "players", "facts/torres.toml"} < set(kept)
    assert etc.read_text() == settings.read_text()
    library = Library(other, stamp=clock.stamp)
    referee = library.resume()
    assert referee.replay.log[0].payload == "8 6 10 9"
    library.leave()


def test_a_state_that_is_not_empty_is_replaced_only_when_told_and_kept_beside(saved, settings, tmp_path):
    other = tmp_path / "other"
    (other / "matches").mkdir(parents=True)
    (other / "matches" / "old.podesta").write_text("mine")
    with pytest.raises(BackupError, match="--force"):
        restore(saved, other, settings)
    assert files(other) == {"matches/old.podesta": b"mine"}
    settings.write_text("[keys]\nok = 6\n")
    _, aside = restore(saved, other, settings, force=True)
    assert files(aside) == {"matches/old.podesta": b"mine"}
    assert settings.with_name("podesta.toml.before").read_text() == "[keys]\nok = 6\n"
    assert len([name for name in files(other) if name.startswith("matches/")]) == 1
    restore(saved, other, settings, force=True)
    assert len(list(other.glob("replaced-*"))) == 2
    assert settings.with_name("podesta.toml.before").read_text() == "[keys]\nok = 6\n"


def repacked(saved, change):
    """The archive with members changed by hand: a dict of name to data."""
    with tarfile.open(saved) as archive:
        held = {one.name: archive.extractfile(one).read() for one in archive}
    change(held)
    with tarfile.open(saved, "w:gz") as archive:
        for name, data in held.items():
            about = tarfile.TarInfo(name)
            about.size = len(data)
            archive.addfile(about, io.BytesIO(data))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda held: held.update({SETTINGS: b"[keys]\n"}), "settings/podesta.toml is not as it was saved"),
        (lambda held: held.pop("state/judge"), "state/judge is not as it was saved"),
        (lambda held: held.update({"state/more": b"x"}), "state/more is not in its list"),
        (lambda held: held.update({"state/../../evil": b"x"}), "has no place in it"),
        (lambda held: held.update({"/etc/evil": b"x"}), "has no place in it"),
        (lambda held: held.pop(LIST), "not a complete backup"),
        (lambda held: held.update({LIST: held[LIST].replace(b'"format":1', b'"format":9')}), "newer podesta"),
    ],
)
def test_one_that_was_changed_is_refused(saved, settings, tmp_path, change, why):
    repacked(saved, change)
    with pytest.raises(BackupError, match=why):
        look(saved)


def test_a_disk_that_is_full_leaves_the_old_backup(box, saved, settings, monkeypatch):
    before = saved.read_bytes()
    saved.write_bytes(before[: len(before) // 3])
    with pytest.raises(BackupError, match="not a complete backup"):
        restore(saved, saved.parent / "other", settings)
    assert not (saved.parent / "other").exists(), "half a one is refused before anything is written"
    saved.write_bytes(before)

    def full(_file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(box, settings, saved, "0.1.0")
    assert saved.read_bytes() == before
    assert list(saved.parent.glob(".*.new")) == []


def test_the_commands(box, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(configs, "SYSTEM_FILE", tmp_path / "absent" / "podesta.toml")
    file, other = str(tmp_path / "b.tar.gz"), str(tmp_path / "other")
    assert main(["backup", file, "--state", str(box)]) == Exit.FINE
    assert f"{file}: 1 matches" in capsys.readouterr().out
    assert main(["backup", file, "--state", str(box)]) == Exit.USAGE
    assert main(["restore", file, "--state", other]) == Exit.FINE
    assert main(["restore", file, "--state", other]) == Exit.WRONG
    assert main(["restore", file, "--state", other, "--force"]) == Exit.FINE
    assert "what was there is in" in capsys.readouterr().out
    assert main(["backup", file, "--force", "--state", str(tmp_path / "nowhere")]) == Exit.WRONG
    with hold_folder(tmp_path / "other"):
        assert main(["restore", file, "--state", other, "--force"]) == Exit.BUSY
        assert capsys.readouterr().err.endswith("another podesta works in it; stop that one first\n")
        monkeypatch.setattr("device.config.SERVICE_STATE", tmp_path / "other")
        assert main(["restore", file, "--state", other, "--force"]) == Exit.BUSY
    assert "sudo systemctl stop podesta" in capsys.readouterr().err
    (path,) = (tmp_path / "other" / "matches").glob("*.podesta")
    assert read(path).damage is None
