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
