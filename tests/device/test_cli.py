import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from device import cli
from device.cli import COMMANDS, LONGEST, main
from device.commands import Command, CommandError, Exit


def podesta(*argv, **kwargs):
    """The command in a process of its own."""
    command = [sys.executable, "-m", "device.cli", *argv]
    return subprocess.run(command, capture_output=True, text=True, check=False, **kwargs)


@pytest.fixture
def command(monkeypatch):
    """Make `podesta rules` do something else."""

    def replace(run):
        module = SimpleNamespace(run=Command(run=run))
        monkeypatch.setattr(cli, "import_module", lambda name: module)

    return replace


def failing(error):
    def run(options):
        raise error

    return run


def test_the_help_lists_every_command_and_every_exit_status(capsys):
    assert main(["--help"]) == Exit.FINE
    out = capsys.readouterr().out
    assert all(re.search(f"\n    {name}[ \n]", out) for name in COMMANDS)
    assert all(f"\n  {status.value} " in out for status in Exit)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_tells_about_itself(name, capsys):
    assert main([name, "--help"]) == Exit.FINE
    assert f"podesta {name}" in capsys.readouterr().out


def test_the_version_is_the_packages(capsys):
    assert main(["--version"]) == Exit.FINE
    assert capsys.readouterr().out.startswith("podesta 0.")


@pytest.mark.parametrize(
    ("argv", "what"),
    [
        ([], "which command?"),
        (["reply"], "'reply'"),
        (["replay"], "FILE"),
        (["verify"], "FILE"),
        (["export", "m.podesta"], "--as"),
        (["export", "m.podesta", "--as", "pdf"], "'pdf'"),
        (["rules", "san_gimigano"], "did you mean san_gimignano?"),
        (["perft", "san_gimignano", "--depth", "x"], "'x' is not a whole number"),
        (["run", "--port", "65536"], "from 0 to 65535"),
        (["config"], "ACTION"),
        (["bench", "engines", "--seconds", "0"], "'0'"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_status_2(argv, what, capsys):
    assert main(argv) == Exit.USAGE
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("podesta: ")
    assert err.count("\n") == 1
    assert what in err


def test_each_reason_of_a_command_is_a_line_and_its_code_the_status(command, capsys):
    command(failing(CommandError("one\nthing", "another", code=Exit.LACKING)))
    assert main(["rules"]) == Exit.LACKING
    assert capsys.readouterr().err == "podesta: one thing\npodesta: another\n"


def test_a_missing_package_is_said_to_be_missing(command, capsys):
    command(failing(ModuleNotFoundError("No module named 'cv2'", name="cv2")))
    assert main(["rules"]) == Exit.LACKING
    lacks = "podesta: cv2 is not installed here, and this command needs it: pip install 'podesta[box]'\n"
    assert capsys.readouterr().err == lacks


def test_a_fault_is_one_line_unless_the_traceback_is_asked_for(command, capsys, monkeypatch):
    monkeypatch.delenv("PODESTA_DEBUG", raising=False)
    command(failing(ZeroDivisionError("by zero")))
    assert main(["rules"]) == Exit.FAULT
    assert capsys.readouterr().err == (
        "podesta: ZeroDivisionError: by zero; set PODESTA_DEBUG=1 for the traceback\n"
    )
    monkeypatch.setenv("PODESTA_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["rules"])


def test_of_a_line_without_end_the_beginning_is_quoted(tmp_path, capsys):
    path = tmp_path / "long.match"
    path.write_text(f"podesta match 1\ngame: torres\n{'x' * 3_000_000}\n")
    assert main(["replay", str(path)]) == Exit.WRONG
    said = capsys.readouterr().err
    assert said.startswith("podesta: long.match:3: 'xxx")
    assert len(said) < 2 * LONGEST


def test_control_c_ends_quietly(command, capsys):
    command(failing(KeyboardInterrupt()))
    assert main(["rules"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_reader_that_has_seen_enough_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)  # as `| head` that is gone before we write
    command = [sys.executable, "-m", "device.cli", "rules", "san_gimignano"]
    run = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (run.returncode, run.stderr) == (141, "")


def test_counting_brings_no_hardware_and_no_pictures():
    code = (
        "import sys; from device.cli import main; "
        "status = main(['perft', 'san_gimignano', '--depth', '2']); "
        "heavy = {'luma', 'gpiozero', 'PIL', 'starlette', 'cv2', 'numpy', 'sqlite3', 'asyncio', 'serial'}; "
        "sys.exit(status or ' '.join(heavy & set(sys.modules)) or None)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (0, "36\n", "")
