"""Updates, restoring and making new on the machine, left alone and with the power cut at any moment."""

import json
import random
import shutil
import subprocess

import pytest

from device.backup import look
from device.cli import main
from device.commands import Exit
from tests.machine.machine import (
    CUTS,
    DEBIAN,
    MARKS,
    ROOT,
    SEED,
    released,
    repacked,
)

pytestmark = MARKS
LONGEST = {"update": 40, "reset": 6, "restore": 10, "backup": 2.5, "export": 2.5}
"""What is cut off, and for how many seconds at most it was left alone before."""
BY_HAND_S = 25
VERSIONS = {"older": "0.1.0", "newer": "9.0"}
PYTHON = "/usr/bin/python3"
"""The system's own: the package's may be half there."""


@pytest.fixture
def releases(machine, package, tmp_path):
    """A release that comes up, and one whose daemon ends at once, both by a key that the box trusts."""
    key = tmp_path / "friends"
    subprocess.run([ROOT / ".venv/bin/python", ROOT / "systemd/deb/sign", "--new", key], check=True)
    shutil.copy(key.with_suffix(".pub"), machine.folder)
    released(package, "0.2.0", machine.folder / "release", key.with_suffix(".key"))
    released(package, "0.3.0", machine.folder / "broken", key.with_suffix(".key"), "exit 1")
    disk = tmp_path / "stick.img"
    subprocess.run(["mkfs.vfat", "-C", disk, "65536"], check=True, capture_output=True)
    return [f"ubd1={disk}"]


@pytest.mark.skipif(CUTS <= 3, reason="two boots more: `make soak` has it")
def test_a_signed_update_comes_up_and_a_broken_one_goes_back_though_the_power_is_cut(
    machine, releases, tmp_path
):
    """By the keys from the stick; the broken one is cut off while dpkg works, and resumed."""
    tasks = machine.boot("up", "evening", "update", "cut", options=["--cut-on", "told", *releases], cut=True)
    mine, found = tasks["evening"]["digests"], tasks["update"]
    assert (found["said"], found["version"]) == ("done", f"0.2.0~{DEBIAN} installed"), found["log"]
    assert "0.2.0 is installed" in found["text"]
    assert found["previous"] == [f"podesta_0.1.0~{DEBIAN}_amd64.deb"]
    assert found["home"] == ["installer.py", "previous", "result.json"]
    assert (found["restarts"], found["failed"], found["audit"]) == (0, "", "")
    assert found["digests"] == mine
    print(f"update: up and steady after {found['seconds']:.0f} s")

    machine.check_disk(tmp_path / "copy.img")
    found = machine.boot("resumed")["resumed"]
    assert (found["said"], found["version"]) == ("went_back", f"0.2.0~{DEBIAN} installed"), found["log"]
    assert "0.2.0 is back" in found["text"]
    assert found["previous"] == [f"podesta_0.1.0~{DEBIAN}_amd64.deb"], "it is still the version before"
    assert (found["failed"], found["audit"]) == ("", "")
    assert found["digests"] == mine
    print(f"cut off and broken: back after {found['seconds']:.0f} s")
    for name in ("begun", "updated", "went_back"):
        machine.keep_picture(name, tmp_path)


@pytest.mark.skipif(CUTS <= 3, reason="one boot more: `make soak` has it")
def test_the_box_is_made_new_restored_updated_and_taken_back_by_the_keys(machine, releases):
    tasks = machine.boot("up", "evening", "anew", "back", options=releases)
    found, settings = tasks["anew"], "/etc/podesta/podesta.toml"
    before, reset = found["before"], found["reset"]
    matches = {name: digest for name, digest in before.items() if "/matches/" in name}
    assert reset["said"] == "reset", found["log"]
    assert reset["digests"] == {settings: found["new"], **matches}
    assert not {"facts", "judge", "players"} & set(found["left"])
    assert found["restored"]["said"] == "restore", found["log"]
    assert found["restored"]["digests"] == before
    assert found["owners"] == ["podesta"]

    found = tasks["back"]
    assert (found["updated"]["said"], found["updated"]["version"]) == ("done", "0.2.0")
    assert (found["said"], found["version"]) == ("done", f"0.1.0~{DEBIAN} installed"), found["log"]
    assert found["previous"] == [f"podesta_0.2.0~{DEBIAN}_amd64.deb"]
    assert found["digests"] == before
    print(f"reset {reset['seconds']:.0f} s, back to the version before {found['seconds']:.0f} s")


@pytest.mark.skipif(CUTS < 50, reason="a boot for each of CUTS / 50: `make soak` has it")
@pytest.mark.parametrize(("what", "longest"), LONGEST.items())
def test_power_cuts_at_any_moment_leave_a_box_that_plays(machine, releases, tmp_path, what, longest):
    """One version or state or the other, whole; never safe mode; matches as they were; no torn file."""
    print(f"PODESTA_SEED={SEED}")
    chance = random.Random(f"{SEED} {what}")
    moments = [chance.uniform(0, longest) for _ in range(CUTS // 50)]

    def cut(after, *tasks):
        before = f"export UP_S=150 WHAT={what} AFTER={after}"
        options = ["--cut-on", "told", *releases]
        found = machine.boot(*tasks, "cut_anywhere", before=before, options=options, cut=True)
        machine.check_disk(tmp_path / "copy.img")
        return found, json.loads((machine.folder / "mine.json").read_text("utf-8"))

    tasks, mine = cut(moments[0], "up", "evening", "later")
    restored = tasks["later"]["before"]
    matches = {name: digest for name, digest in restored.items() if "/matches/" in name}
    for after, following in zip(moments, [*moments[1:], None], strict=True):
        was = mine
        if following is None:
            tasks = machine.boot("settled", options=releases)
        else:
            tasks, mine = cut(following, "settled")
        found = tasks["settled"]
        assert found["version"] in (f"0.1.0~{DEBIAN} installed", f"0.2.0~{DEBIAN} installed"), found["log"]
        assert (found["failed"], found["audit"]) == ("", ""), found["log"]
        assert found["starts"] == 0, (
            "a power cut or a slow machine counted as a start that failed",
            found["box"],
        )
        assert matches.items() <= found["digests"].items(), found["log"]
        if what != "reset":
            assert found["digests"] in ((was, restored) if what == "restore" else (was,)), found["log"]
        assert found["came"].get("said") not in ("went_back", "stuck"), "a power cut is no reason to go back"
        came, stick = found["came"].get("said", "nothing"), check_stick(machine.folder / "stick")
        version = found["version"].split()[0]
        print(f"{what} cut after {after:.1f} s: {came}; {version}; stick {stick}")


def check_stick(folder):
    """Check that every file on the stick that has its name is whole; how many are, and how many have none."""
    named = [path for path in folder.iterdir() if path.name.startswith("podesta-")]
    whole = [path for path in named if path.suffix in (".gz", ".zip")]
    for path in whole:
        if path.suffix == ".gz":
            look(path)
        else:
            assert main(["verify", str(path)]) in (Exit.FINE, Exit.UNFINISHED), path
    begun = [path.name for path in folder.iterdir() if path.name.startswith(".")]
    return f"{len(whole)} whole, {len(begun)} begun"


@pytest.mark.skipif(CUTS < 50, reason="a boot for each of CUTS / 50: `make soak` has it")
@pytest.mark.parametrize("what", ["install", "upgrade"])
def test_power_cuts_under_dpkg_are_mended_by_dpkg(machine, package, tmp_path, what):
    """The first installation, or one of a newer and an older version in turn with a match open."""
    print(f"PODESTA_SEED={SEED}")
    chance = random.Random(f"{SEED} {what}")
    shutil.copy(package, machine.folder / "older.deb")
    repacked(package, f"9.0~{DEBIAN}", machine.folder / "newer.deb", tmp_path / "newer")
    debs = ["older" if what == "install" or number % 2 else "newer" for number in range(CUTS // 50)]
    cuts = [(deb, chance.uniform(0, BY_HAND_S)) for deb in debs]

    def cut(deb, after, *tasks, was=""):
        before = f"export WHAT={what} DEB={deb} AFTER={after} WAS={was}"
        options = ["--cut-on", "told"]
        found = machine.boot(*tasks, "cut_dpkg", before=before, options=options, cut=True, python=PYTHON)
        machine.check_disk(tmp_path / "copy.img")
        return found

    machine.boot("up", "opened")
    cut(*cuts[0])
    for (was, after), following in zip(cuts, [*cuts[1:], None], strict=True):
        if following:
            found = cut(*following, "mended", was=was)["mended"]
        else:
            found = machine.boot("mended", before=f"export WAS={was}", python=PYTHON)["mended"]
        assert found["version"] == f"{VERSIONS[was]}~{DEBIAN} installed", found["log"]
        assert (found["failed"], found["audit"]) == ("", ""), found["log"]
        assert "Safe mode" not in " ".join(found["text"]), found["box"]
        assert found["kept"] == [what == "upgrade"], "purging deletes matches, and nothing else does"
        left = found["found"] or "nothing"
        print(f"{what} of {VERSIONS[was]} cut after {after:.1f} s: {left}, the service {found['was']}")
