"""`podesta plugin`: list, check, new."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from device.cli import main
from device.commands import Exit, plugin
from device.sensors import kit
from tests.device.sensors.plugged import put
from tests.engines import newcomers
from tests.engines.newcomers import on_the_path


@pytest.fixture(autouse=True)
def shelf(tmp_path, monkeypatch):
    folder = tmp_path / "shelf"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    with on_the_path(folder):
        yield folder


def podesta(capsys, *argv):
    status = main(["plugin", *map(str, argv)])
    said = capsys.readouterr()
    return status, said.out + said.err


def test_each_is_listed_with_its_package_and_why_it_does_not_work(capsys, shelf):
    put(shelf, "counts", "broken", "returns")
    (shelf / "counts-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: counts\nVersion: 1.0\nSummary: Counts beans\n", "utf-8"
    )
    # Like a section of the box's own.
    info = shelf / "returns-1.0.dist-info" / "entry_points.txt"
    info.write_text("[podesta.sensors]\ndisplay = returns:SENSOR\n", "utf-8")
    with on_the_path(shelf):
        status, said = podesta(capsys, "list")
    assert status == Exit.WRONG
    *lines, number = said.splitlines()
    (counts,) = [line for line in lines if "counts" in line]
    (taken,) = [line for line in lines if "display" in line]
    broken = next(at for at, line in enumerate(lines) if "broken" in line)
    assert lines[broken] == (
        "sensor broken: broken 1.0; does not work: cannot begin: broken:SENSOR cannot be imported: "
        f"ModuleNotFoundError: No module named 'a_library_that_nobody_has', in {shelf}/broken.py line 11"
    )
    assert lines[broken + 1] == "          remedy: mend it, or uninstall it: pip uninstall broken"
    assert counts == "sensor counts: counts 1.0, Counts beans; works"
    assert taken.endswith("does not work: [[display]] is a section of the box's own settings")
    assert number == "3 plug-ins"


def test_one_that_hangs_holds_up_no_other(capsys, shelf, monkeypatch):
    listed = threading.Event()

    def find_load_fault(name, *, within_s):
        assert within_s == plugin.LOADED_S
        return "" if name == "counts" else str(listed.wait(30))

    monkeypatch.setattr(plugin, "find_load_fault", find_load_fault)
    put(shelf, "asleep", "counts")
    with on_the_path(shelf):
        found = plugin.list_plugins()
        assert next(found).name == "counts"
        listed.set()
        (asleep,) = found
    assert (asleep.problem, asleep.remedy) == ("True", "mend it, or uninstall it: pip uninstall asleep")


def test_its_first_section_is_taken_for_a_check(capsys, shelf, tmp_path, monkeypatch):
    monkeypatch.setattr(kit, "SCENES", kit.SCENES[:1])
    put(shelf, "counts")
    file = tmp_path / "box.toml"
    file.write_text("[[counts]]\npin = 21\n", "utf-8")
    with on_the_path(shelf):
        status, said = podesta(capsys, "check", "counts", "--config", file)
    assert "how it is: pin 21" in said
    assert "not tried readings: made none of a tray that was asked for" in said
    assert status == Exit.UNFINISHED


def test_a_check_of_what_is_not_there_or_not_toml(capsys):
    status, said = podesta(capsys, "check", "no_beans")
    assert status == Exit.WRONG
    assert said.splitlines()[0] == "fail      load: cannot begin: no plug-in no_beans is installed"
    assert podesta(capsys, "check", "beans", "--section", "pin =")[0] == Exit.USAGE


WITHOUT_THE_BOX = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        known = sys.stdlib_module_names | {"device", "engines", "vision", *sys.argv[1:3]}
        if name.partition(".")[0] not in known:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
from device.cli import main
sys.exit(main(sys.argv[3:]))
"""


def test_a_game_is_begun_and_checked_where_the_library_alone_is_installed(shelf, tmp_path):
    def without(*words):
        command = [sys.executable, "-P", "-c", WITHOUT_THE_BOX, "msgspec", "podesta_nines", "plugin", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr, done.stdout.splitlines()[-1]

    assert without("new", "nines", "--game") == (0, "", f"next: {Path('podesta-nines/README.md')}")
    newcomers.put(tmp_path / "podesta-nines", shelf)
    assert without("list") == (0, "", "1 plug-in")
    assert without("check", "nines") == (0, "", "11 ok, 0 failed, 0 not tried")


def test_new(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, said = podesta(capsys, "new", "beans")
    assert status == Exit.FINE
    assert "podesta-beans/pyproject.toml" in said
    assert (tmp_path / "podesta-beans" / "podesta_beans.py").exists()
    told = (tmp_path / "podesta-beans" / "README.md").read_text("utf-8")
    assert not re.search(r"(?<![\w.])/\w+/", told), "no folder that a box need not have"
    assert "pip install pytest && python -m pytest" in told, "nothing brought pytest before"
    assert podesta(capsys, "new", "beans") == (Exit.USAGE, "podesta: podesta-beans: exists\n")
    assert podesta(capsys, "new", "camera")[1] == "podesta: camera is a section of the box's own settings\n"
