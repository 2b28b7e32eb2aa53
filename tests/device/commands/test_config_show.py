import os

import pytest

from device import config as configs
from device.cli import main
from device.commands import Exit
from device.settings import Config


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


def test_a_file_is_shown_whole(file, capsys):
    path = file("[keys]\nok = 9\n")
    assert main(["config", "show", "--config", path]) == Exit.FINE
    out = capsys.readouterr().out
    assert path in out
    config, problems = configs.parse(out)
    assert (config.keys.ok, problems) == (9, ())


def test_a_pipe_is_not_waited_for(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe")
    assert main(["config", "show", "--config", str(tmp_path / "pipe")]) == Exit.UNREADABLE
    assert capsys.readouterr().err == f"podesta: {tmp_path / 'pipe'}: not a plain file\n"


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


def test_a_file_that_is_not_there_cannot_be_read(tmp_path, capsys):
    assert main(["config", "show", "--config", str(tmp_path / "none.toml")]) == Exit.UNREADABLE
    assert "none.toml: No such file" in capsys.readouterr().err
