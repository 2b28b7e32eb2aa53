"""`podesta run` with the settings that it is given, and `podesta config show`."""

import sys
from pathlib import Path

import pytest

from device import config as configs
from device.cli import main
from device.commands import Exit
from device.settings import SENSORS, Config
from device.starts import Safe, SafeMode
from engines import packages
from tests.engines.newcomers import on_the_path, told


class Called:
    """A module whose ``main`` notes what it was called with."""

    def __init__(self, status):
        self.status = status

    def main(self, *args, **kwargs):
        self.args, self.kwargs = args, kwargs
        return self.status


@pytest.fixture
def stand_in(monkeypatch):
    """Put a stand-in where the module ``NAME`` is imported from."""

    def put(name):
        called = Called(7)
        package, _, module = name.rpartition(".")
        monkeypatch.setitem(sys.modules, name, called)
        monkeypatch.setattr(sys.modules[package], module, called, raising=False)
        return called

    return put


def test_run_passes_everything_on_and_ends_as_the_daemon_does(stand_in, tmp_path):
    daemon = stand_in("device.daemon")
    (tmp_path / "c.toml").write_text("keys.ok = 5\n")
    state = str(tmp_path / "s")
    asked = ["run", "--simulate", "--config", str(tmp_path / "c.toml"), "--state", state, "--port", "0"]
    assert main(asked) == 7
    (loaded,) = daemon.args
    assert (loaded.config.keys.ok, loaded.problems) == (5, ())
    assert daemon.kwargs.pop("starts").failed == 0
    assert daemon.kwargs == {"state": Path(state), "simulate": True, "safe": None, "port": 0}


def test_run_needs_nothing(stand_in, monkeypatch, tmp_path):
    monkeypatch.setattr(configs, "find", lambda: None)
    daemon = stand_in("device.daemon")
    main(["run"])
    assert daemon.args == (configs.LoadedConfig(Config(), (), configs.ConfigSource.DEFAULTS),)
    assert daemon.kwargs.pop("starts").failed == 0
    assert daemon.kwargs == {"state": None, "simulate": False, "safe": None, "port": None}


def test_run_safe_leaves_out_what_other_packages_bring_and_reads_their_sections(
    stand_in, monkeypatch, tmp_path
):
    daemon = stand_in("device.daemon")
    monkeypatch.setattr(packages, "_left_out", [])
    told(tmp_path / "shelf", "beans", "beans:SENSOR", SENSORS)
    with on_the_path(tmp_path / "shelf"):
        (tmp_path / "c.toml").write_text("[[beans]]\npin = 4\n")
        main(["run", "--safe", "--config", str(tmp_path / "c.toml"), "--state", str(tmp_path / "s")])
        assert daemon.kwargs["safe"] == SafeMode(Safe.ASKED, ("beans",))
        assert [section.name for section in daemon.args[0].config.plugins] == ["beans"]
        assert packages.points(SENSORS) == {}


def test_a_named_config_with_a_mistake_is_not_run(stand_in, tmp_path, capsys):
    """Neither on its own last good copy nor on another's."""
    daemon = stand_in("device.daemon")
    file = tmp_path / "c.toml"
    asked = ["run", "--config", str(file), "--state", str(tmp_path / "s")]
    file.write_text("keys.ok = 5\n")
    assert main(asked) == 7
    file.write_text("keys.okk = 5\nkeys.back = 5\nkeys.undo = 5\n")
    del daemon.args
    assert main(asked) == 2
    assert not hasattr(daemon, "args")
    assert capsys.readouterr().err.splitlines() == [
        f"podesta: {file}:1: unknown key keys.okk; did you mean ok?",
        f"podesta: {file}:3: keys.undo uses pin 5, already used by keys.back (line 2)",
    ]
    assert main(["run", "--config", str(tmp_path / "none.toml"), "--state", str(tmp_path / "s")]) == 2
    assert "none.toml: cannot be read: No such file or directory" in capsys.readouterr().err


@pytest.fixture
def file(tmp_path):
    def made(text):
        path = tmp_path / "podesta.toml"
        path.write_text(text, "utf-8")
        return str(path)

    return made


def test_the_defaults_are_shown_as_a_file_that_reads_back(capsys):
    assert main(["config", "show"]) == Exit.FINE
    assert configs.parse(capsys.readouterr().out) == (Config(), ())


def test_only_what_was_changed(file, capsys):
    path = file('[keys]\nok = 9\n[display]\naddress = 0x3d\n[[line]]\nurl = "/dev/ttyUSB0"\n')
    assert main(["config", "show", "--changed", "--config", path]) == Exit.FINE
    assert capsys.readouterr().out.splitlines() == [
        "keys.ok = 9  # default 22",
        "display.address = 0x3D  # default 0x3C",
        'line[1].url = "/dev/ttyUSB0"',
    ]


def test_nothing_changed_is_said(capsys):
    assert main(["config", "show", "--changed"]) == Exit.FINE
    assert capsys.readouterr().out == "# everything stands at its default\n"


def test_every_problem_is_a_line(file, capsys):
    path = file("[keys]\nokk = 9\nback = 99\n")
    assert main(["config", "show", "--config", path]) == Exit.WRONG
    out, err = capsys.readouterr()
    assert not out
    assert [line.split(" ")[1] for line in err.splitlines()] == [f"{path}:2:", f"{path}:3:"]
