"""What is installed comes up or goes back by itself, however often the power is cut on the way."""

import hashlib
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.update import installer
from device.update.installer import AFTER, finish, main, save, step, watch_start

ACTIVE = {"ActiveState": "active", "MainPID": "7", "NRestarts": "0", "safe": ""}


class PowerCut(Exception):
    """The power is gone: nothing behind this is done."""


class Box:
    """dpkg and the service in a word each; ``cuts`` are the commands at which the power goes."""

    def __init__(self, home, *, comes_up=("old", "new"), unpacks=("old", "new"), cuts=()):
        self.home, self.good, self.unpacks, self.cuts = home, comes_up, unpacks, list(cuts)
        self.installed, self.ran, self.marked = "old", 0, []

    def run(self, *command):
        self.ran += 1
        if self.ran in self.cuts:
            if "-i" in command:
                self.installed = "half"
            raise PowerCut
        if "-i" in command:
            self.marked.append((self.home / "installing").exists())
            which = "new" if "/new/" in command[-1] else "old"
            if which not in self.unpacks:
                return "dpkg: no space"
            self.installed = which
        return ""

    def watch(self, before):
        self.ran += 1
        if self.ran in self.cuts:
            raise PowerCut
        return {} if self.installed in self.good else {"code": "not_up", "why": "150"}

    def power_up(self):
        """Go on until the job is over, from power cut to power cut; what came of it."""
        while (self.home / "job.json").exists():
            job = json.loads((self.home / "job.json").read_text())
            try:
                while job["stage"] in AFTER:
                    job = step(self.home, job, self.run, self.watch)
                    save(self.home / "job.json", job)
                finish(self.home, job)
            except PowerCut:
                continue
        return json.loads((self.home / "result.json").read_text())


def laid_ready(home):
    """Lay a job as it is begun, with a version kept from before."""
    job = {"stage": "install", "versions": ["0.2.0", "0.1.0"], "before": ACTIVE}
    for folder in ("new", "back"):
        (home / folder).mkdir(parents=True)
        (home / folder / "podesta.deb").write_text(folder)
        job[folder] = {"podesta.deb": hashlib.sha256(folder.encode()).hexdigest()}
    (home / "previous").mkdir()
    (home / "previous" / "podesta.deb").write_text("oldest")
    save(home / "job.json", job)
    return home


@pytest.fixture(autouse=True)
def starts(tmp_path, monkeypatch):
    monkeypatch.setattr(installer, "STARTS", tmp_path / "starts")
    return tmp_path / "starts"


@pytest.fixture
def home(tmp_path):
    return laid_ready(tmp_path / "home")


def kept(home):
    return (home / "previous" / "podesta.deb").read_text()


@pytest.mark.parametrize("change", ["swapped", "gone"])
def test_a_package_that_is_not_as_it_was_checked_is_not_installed(home, change):
    file = home / "new" / "podesta.deb"
    file.write_text("malware") if change == "swapped" else file.unlink()
    box = Box(home)
    assert (box.power_up()["said"], box.installed) == ("went_back", "old")
    assert len(box.marked) == 1, "only the way back was installed"


def test_the_service_may_start_again_whatever_happens(home, starts):
    starts.write_text("{}")

    def breaks(*command):
        if command[0] == "dpkg":
            raise RuntimeError
        return ""

    with pytest.raises(RuntimeError):
        step(home, json.loads((home / "job.json").read_text()), breaks)
    assert not (home / "installing").exists()
    assert not starts.exists(), "what failed before counts for no other version"


@given(cuts=st.sets(st.integers(1, 40)), good=st.sets(st.sampled_from(["old", "new"])))
def test_no_number_of_power_cuts_uses_up_a_version_that_works(tmp_path_factory, cuts, good):
    home = laid_ready(tmp_path_factory.mktemp("box") / "home")
    box = Box(home, comes_up=good, cuts=cuts)
    result = box.power_up()
    expected = "new" if "new" in good else "old"
    assert box.installed == expected
    said = "done" if "new" in good else "went_back" if "old" in good else "stuck"
    assert result["said"] == said
    assert kept(home) == ("back" if said == "done" else "oldest")


def test_clearing_away_is_done_again_after_a_power_cut(home, monkeypatch):
    job = {**json.loads((home / "job.json").read_text()), "stage": "done"}
    save(home / "job.json", job)

    def gone(*_, **__):
        raise PowerCut

    with monkeypatch.context() as cut:
        cut.setattr(installer, "report", gone)
        with pytest.raises(PowerCut):
            finish(home, job)
    assert kept(home) == "back"
    assert main(home) == 0
    assert kept(home) == "back"
    assert json.loads((home / "result.json").read_text())["said"] == "done"


# What counts as up


class Timeline:
    """A service by the second: the last state goes on for ever."""

    def __init__(self, *seen):
        self.at, self.seen = 0.0, seen

    def look(self):
        return self.seen[min(int(self.at), len(self.seen) - 1)]

    def wait(self, seconds):
        self.at += seconds

    def judged(self, before=ACTIVE):
        return watch_start(before, self.look, lambda: self.at, self.wait)


STARTING = {"ActiveState": "activating", "MainPID": "6", "NRestarts": "0", "safe": ""}
OTHER = {**ACTIVE, "MainPID": "9", "NRestarts": "1"}
SAFE = {**ACTIVE, "safe": "yes"}
GONE = {"ActiveState": "failed", "MainPID": "0", "NRestarts": "0", "safe": ""}


@pytest.mark.parametrize(
    ("seen", "seconds"),
    [((ACTIVE,), 60), ((*[STARTING] * 149, ACTIVE), 209), ((GONE, STARTING, ACTIVE), 62)],
)
def test_up_and_steady(seen, seconds):
    line = Timeline(*seen)
    assert line.judged() == {}
    assert line.at == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        ((STARTING,), {"code": "not_up", "why": "150"}),
        ((SAFE,), {"code": "safe_mode"}),
        ((*[ACTIVE] * 59, GONE), {"code": "ended"}),
        ((*[ACTIVE] * 30, OTHER), {"code": "ended"}),
    ],
)
def test_not_up_or_not_steady(seen, why):
    assert Timeline(*seen).judged() == why


def test_what_did_not_work_before_is_not_asked_for():
    assert Timeline(GONE).judged(GONE) == {}
    assert Timeline(SAFE).judged(SAFE) == {}


def test_it_needs_nothing_of_what_it_replaces():
    code = f"import runpy; print(runpy.run_path({installer.__file__!r})['HOME'])"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "/var/cache/podesta\n"
