"""One state: at a shell the commands work in the installed service's, or say why not."""

import os
import sys

import pytest

from device import config as configs
from device.cli import main
from device.commands import Exit, box
from device.commands.box import give_back

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
SAMPLE = ["facts", "torres", "sample"]


@pytest.fixture
def service(tmp_path, monkeypatch):
    """The state of an installed service, which is nobody's."""
    state = tmp_path / "service"
    state.mkdir(0o700)
    monkeypatch.setattr(configs, "SERVICE_STATE", state)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return state


@pytest.fixture
def closed(service, monkeypatch):
    """Return the same for somebody who may not open it."""
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: path != service and access(path, mode))
    return service


def test_a_command_works_in_the_service_s_state_and_says_so(service, tmp_path, capsys):
    assert main(SAMPLE) == Exit.FINE
    assert (service / "facts" / "torres.toml").exists()
    assert f"podesta: works in {service}, the service's state" in capsys.readouterr().err.splitlines()
    assert not (tmp_path / "home").exists()


def test_settings_may_put_the_state_elsewhere(service, tmp_path, monkeypatch, capsys):
    file = tmp_path / "podesta.toml"
    file.write_text(f'[state]\ndir = "{tmp_path}/far"\n')
    monkeypatch.setattr(configs, "SYSTEM_FILE", file)
    assert main(SAMPLE) == Exit.FINE
    assert (tmp_path / "far" / "facts" / "torres.toml").exists()
    assert capsys.readouterr().err == ""


def test_without_the_rights_no_second_state_is_made(closed, tmp_path, capsys):
    assert main(SAMPLE) == Exit.UNREADABLE
    said = capsys.readouterr().err
    assert str(closed) in said
    assert "sudo podesta facts torres sample" in said
    assert list(closed.iterdir()) == []
    assert not (tmp_path / "home").exists()


def test_at_a_terminal_sudo_is_asked_for_the_rights(closed, monkeypatch, capsys):
    class Gone(Exception):
        pass

    def execv(path, words):
        raise Gone(path, words)

    monkeypatch.setattr(box.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(os, "execv", execv)
    monkeypatch.setenv("PODESTA_DEBUG", "1")
    with pytest.raises(Gone) as asked:
        main(SAMPLE)
    assert asked.value.args == ("/usr/bin/sudo", ["/usr/bin/sudo", "--", "/usr/bin/podesta", *SAMPLE])
    assert f"{closed} is the service's state" in capsys.readouterr().err


@as_root
def test_what_root_makes_belongs_to_the_service(service):
    os.chown(service, 1234, 1235)
    assert main(SAMPLE) == Exit.FINE
    for path in (service / "facts", service / "facts" / "torres.toml"):
        assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1235)


@as_root
def test_nothing_outside_is_given_away(tmp_path):
    state, outside = tmp_path / "state", tmp_path / "outside"
    state.mkdir()
    outside.mkdir()
    (outside / "shadow").write_text("secret")
    (state / "link").symlink_to(outside)
    (state / "file").symlink_to(outside / "shadow")
    os.link(outside / "shadow", state / "hard")
    os.chown(state, 1234, 1235)
    give_back(state)
    assert {outside.stat().st_uid, (outside / "shadow").stat().st_uid} == {0}
    assert (state / "link").lstat().st_uid == 1234
