"""A release passes as it was signed, each other one is refused by name, and what was checked is installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device import ed25519
from device.texts import Texts
from device.update import release
from device.update.release import (
    CareError,
    Here,
    check,
    find,
    read_trusted,
    read_version,
    sign,
)
from tests.device.update.conftest import CAMERA, DEB, HERE, KEYS, NAME, OTHER, PUBLIC, SECRET, manifest, put

SIGN = Path(__file__).parents[3] / "systemd" / "deb" / "sign"


def refused(why, folder, *, here=HERE, keys=KEYS, ours=None):
    """Check where it lies, and copy it: both refuse, for that reason; what they say."""
    with pytest.raises(CareError) as looked:
        check(folder, NAME, keys, here)
    if ours:
        with pytest.raises(CareError) as copied:
            check(folder, NAME, keys, here, into=ours)
        assert copied.value.code == looked.value.code
    assert looked.value.code == why
    assert str(looked.value) == Texts.load()(f"care.why.{why}", detail=looked.value.detail)
    assert "\n" not in str(looked.value)
    return str(looked.value)


def test_it_is_found_checked_and_copied(stick, ours):
    assert find(stick) == (NAME,)
    assert read_version(NAME) == "0.2.0"
    told, packages = check(stick, NAME, KEYS, HERE)
    assert (told.version, [one.file for one in packages]) == ("0.2.0", [DEB])
    assert check(stick, NAME, KEYS, HERE, into=ours) == (told, packages)
    assert (ours / DEB).read_bytes() == (stick / DEB).read_bytes()
    assert not (ours / CAMERA).exists(), "what is not installed here is left on the stick"


def test_the_newest_comes_first_and_notes_of_a_system_are_none(stick):
    for version in ("0.10.0", "0.9.1"):
        (stick / f"podesta_{version}~bookworm_arm64.update").touch()
    (stick / f"._{NAME}").touch()
    assert [read_version(name) for name in find(stick)] == ["0.10.0", "0.9.1", "0.2.0"]
    assert find(stick / "gone") == ()


def test_each_package_that_is_installed_is_in_it(stick, ours):
    both = Here("0.1.0", "bookworm", "arm64", ("podesta", "podesta-camera"))
    assert [one.file for one in check(stick, NAME, KEYS, both, into=ours)[1]] == [DEB, CAMERA]
    put(stick, manifest(**{DEB: b"podesta" * 9}))
    assert "lacks podesta-camera" in refused("other_box", stick, here=both)


def test_without_a_key(stick, ours, tmp_path):
    (tmp_path / "empty").mkdir()
    assert "put there the key" in refused("no_key", stick, keys=read_trusted(tmp_path / "empty"), ours=ours)


def test_by_a_key_that_is_not_trusted(stick, ours):
    assert "(other)" in refused("unknown_key", stick, keys={OTHER: "other"}, ours=ours)
    put(stick, manifest(), secret=ed25519.make_pair()[0])
    assert "(other, ours)" in refused("unknown_key", stick, ours=ours)


@pytest.mark.parametrize("here", [Here("0.1.0", "trixie", "arm64"), Here("0.1.0", "bookworm", "amd64")])
def test_for_another_box(stick, ours, here):
    said = refused("other_box", stick, here=here, ours=ours)
    assert "is for bookworm arm64" in said
    assert f"this box is {here.distribution} {here.architecture}" in said


def test_an_older_one_is_refused_the_same_again_is_not(stick, ours):
    newer = Here("0.10", "bookworm", "arm64")
    assert "0.2.0 is older than 0.10" in refused("older", stick, here=newer, ours=ours)
    assert check(stick, NAME, KEYS, Here("0.2.0", "bookworm", "arm64"))[0].version == "0.2.0"


@pytest.mark.parametrize("raw", [b"", b"podesta", b"podesta" * 9 + b"x", b"podestA" * 9])
def test_a_package_that_differs_or_is_cut_off_or_too_long(stick, ours, raw):
    (stick / DEB).write_bytes(raw)
    assert DEB in refused("hash", stick, ours=ours)


@pytest.mark.parametrize("name", [NAME, f"{NAME}.sig", DEB])
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_no_file_is_read_through_a_link_or_waited_for(stick, ours, name, kind):
    there = stick / name
    there.rename(stick / "real")
    {"link": lambda: there.symlink_to("real"), "pipe": lambda: os.mkfifo(there), "folder": there.mkdir}[
        kind
    ]()
    assert name in refused("damaged", stick, ours=ours)


@pytest.mark.parametrize(
    "name", ["../podesta_0.2.0.deb", "/a.deb", "a/b.deb", ".deb", "-i.deb", "a.deb\n", "a.exe", "ä.deb"]
)
def test_a_name_that_leads_out_is_never_signed_nor_read(stick, ours, name):
    odd = manifest(**{name: b"podesta"})
    with pytest.raises(ValueError, match="regex"):
        sign(odd, SECRET)
    raw, signature = signed_all_the_same(odd)
    (stick / NAME).write_bytes(raw)
    (stick / f"{NAME}.sig").write_bytes(signature)
    refused("damaged", stick, ours=ours)
    with pytest.raises(CareError, match="a path"):
        check(stick, f"../stick/{NAME}", KEYS, HERE)


def signed_all_the_same(told):
    """Return what somebody signs who has the key and other tools."""
    import msgspec

    raw = msgspec.json.encode(told)
    return raw, f"{PUBLIC} {ed25519.sign(SECRET, release.CONTEXT + raw)}\n".encode()


@given(data=st.data())
def test_any_flipped_byte_is_refused(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("stick")
    put(folder, manifest())
    check(folder, NAME, KEYS, HERE)
    file = folder / data.draw(st.sampled_from([NAME, f"{NAME}.sig", DEB]))
    raw = bytearray(file.read_bytes())
    at, by = data.draw(st.integers(0, len(raw) - 1)), data.draw(st.integers(1, 255))
    raw[at] ^= by
    file.write_bytes(raw)
    with pytest.raises(CareError):
        check(folder, NAME, KEYS, HERE)


def test_every_spelling_of_a_signature_but_its_own_is_refused(stick):
    """Base64 has several for the same bytes."""
    file = stick / f"{NAME}.sig"
    raw = file.read_bytes()
    letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    spelt = [raw + b"\n", raw[:-1], raw.replace(b" ", b"  "), raw.replace(b"\n", b"\r\n")]
    spelt += [raw[:-4] + bytes([one]) + raw[-3:] for one in letters if one != raw[-4]]
    for other in spelt:
        file.write_bytes(other)
        with pytest.raises(CareError):
            check(stick, NAME, KEYS, HERE)


def test_a_copy_is_judged_not_the_stick(stick, ours, monkeypatch):
    """A stick that gives other bytes the second time is caught, as what is on our disk is read again."""
    real, times = release.read_steps, []

    def turning(path):
        times.append(path)
        for data in real(path):
            yield data if path.parent == stick else data.replace(b"podesta", b"malware")

    monkeypatch.setattr(release, "read_steps", turning)
    with pytest.raises(CareError):
        check(stick, NAME, KEYS, HERE, into=ours)
    assert {path.parent for path in times} == {stick, ours}


def test_keys_are_read_by_name_and_a_broken_one_is_told(tmp_path):
    (tmp_path / "friends.pub").write_text(f"{PUBLIC}\n")
    (tmp_path / "readme.txt").write_text("x")
    assert read_trusted(tmp_path) == {PUBLIC: "friends"}
    (tmp_path / "old.pub").write_text("x")
    with pytest.raises(CareError, match=r"old\.pub: not a public key"):
        read_trusted(tmp_path)


# The command of whoever makes releases


def ran(*words):
    return subprocess.run(
        [sys.executable, SIGN, *map(str, words)], capture_output=True, text=True, check=False
    )


@pytest.fixture
def built(tmp_path):
    """A package as `make deb` leaves it."""
    control = tmp_path / "root" / "DEBIAN" / "control"
    control.parent.mkdir(parents=True)
    control.write_text(
        "Package: podesta\nVersion: 0.2.0~bookworm\nArchitecture: arm64\nMaintainer: a <a@box.invalid>\n"
        "Description: a box\n"
    )
    file = tmp_path / "build" / DEB
    file.parent.mkdir()
    subprocess.run(["dpkg-deb", "-b", tmp_path / "root", file], check=True, capture_output=True)
    return file


def test_what_the_command_signs_is_installed_by_its_public_key(built, tmp_path, ours):
    assert ran("--new", tmp_path / "friends").returncode == 0
    assert (tmp_path / "friends.key").stat().st_mode & 0o77 == 0
    signed = ran(tmp_path / "friends.key", built)
    assert signed.returncode == 0, signed.stderr
    (tmp_path / "trusted").mkdir()
    (tmp_path / "friends.pub").rename(tmp_path / "trusted" / "friends.pub")
    told, _ = check(built.parent, NAME, read_trusted(tmp_path / "trusted"), HERE, into=ours)
    assert told.version == "0.2.0"
