"""The command: which format goes where, and what it refuses."""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from device import files
from device.cli import main
from device.commands import Exit
from device.commands.export import FORMATS, JOURNAL
from device.match.journal import read
from device.match.journal_text import decode
from tests.device.commands.recorded import HEADER, NAMES, drafts, journal, match_file, ruled_match, ruling


@pytest.fixture
def path(tmp_path):
    """A journal with every kind of ruling."""
    return ruled_match(tmp_path / "table")


def export(capsysbinary, path, kind, *more):
    """Exit status, output and errors of an export."""
    status = main(["export", str(path), "--as", kind, *map(str, more)])
    out, err = capsysbinary.readouterr()
    return status, out, err.decode()


@pytest.mark.parametrize("kind", [*FORMATS, JOURNAL])
def test_every_format_goes_to_the_output_or_to_a_file(kind, path, tmp_path, capsysbinary):
    status, out, err = export(capsysbinary, path, kind)
    assert (status, err) == (Exit.FINE, "")
    target = tmp_path / "out"
    status, nothing, err = export(capsysbinary, path, kind, "--out", target)
    assert (status, nothing, err) == (Exit.FINE, b"", "")
    assert target.read_bytes() == out
    assert sorted(os.listdir(tmp_path)) == ["out", "table"]


@pytest.mark.parametrize("kind", ["match", "csv", "json", "sheet"])
def test_a_match_file_is_exported_too(kind, tmp_path, capsysbinary):
    path = tmp_path / "m.match"
    path.write_text(match_file(), "utf-8")
    status, out, _ = export(capsysbinary, path, kind)
    assert status == Exit.FINE
    assert all(name.encode() in out for name in NAMES)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("bgstats", "a match file does not tell when it was played"),
        ("journal", "a match file holds no records"),
    ],
)
def test_but_not_as_what_needs_records(kind, why, tmp_path, capsysbinary):
    path = tmp_path / "m.match"
    path.write_text(match_file(), "utf-8")
    status, out, err = export(capsysbinary, path, kind)
    assert (status, out) == (Exit.WRONG, b"")
    assert why in err


def test_what_exists_is_replaced_only_by_force(path, tmp_path, capsysbinary):
    target = tmp_path / "sheet.html"
    target.write_text("precious")
    status, _, err = export(capsysbinary, path, "sheet", "--out", target)
    assert (status, target.read_text()) == (Exit.USAGE, "precious")
    assert err == f"podesta: {target}: exists; --force replaces it\n"
    assert export(capsysbinary, path, "sheet", "--out", target, "--force")[0] == Exit.FINE
    assert target.read_text().startswith("<!doctype html>")


def test_a_folder_is_no_file(path, tmp_path, capsysbinary):
    status, _, err = export(capsysbinary, path, "csv", "--out", tmp_path, "--force")
    assert status == Exit.USAGE
    assert "is a folder" in err


@pytest.mark.parametrize("force", [[], ["--force"]])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_a_disk_that_refuses_leaves_everything_as_it_was(
    number, force, path, tmp_path, capsysbinary, monkeypatch
):
    target = tmp_path / "out.csv"
    if force:
        target.write_text("precious")

    def full(descriptor):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(files.os, "fsync", full)
    status, _, err = export(capsysbinary, path, "csv", "--out", target, *force)
    assert status == Exit.UNREADABLE
    assert err == f"podesta: {target}: {os.strerror(number)}; nothing was written\n"
    assert sorted(os.listdir(tmp_path)) == (["out.csv", "table"] if force else ["table"])
    assert not force or target.read_text() == "precious"


class TestViews:
    def test_public_is_the_default_and_a_seat_may_be_named(self, path, capsysbinary):
        default = export(capsysbinary, path, JOURNAL)
        assert default == export(capsysbinary, path, JOURNAL, "--public")
        assert decode(default[1]).view == "public"
        assert decode(export(capsysbinary, path, JOURNAL, "--for", "a")[1]).view == "a"

    @pytest.mark.parametrize("argv", [["--for", "e"], ["--for", "a", "--public"], ["--for"]])
    def test_no_other_view(self, argv, path, capsysbinary):
        assert export(capsysbinary, path, "json", *argv)[0] == Exit.USAGE

    def test_a_seat_that_nobody_sits_at_has_none(self, path, capsysbinary):
        status, _, err = export(capsysbinary, path, "json", "--for", "c")
        assert status == Exit.USAGE
        assert "nobody sits at c" in err


class TestDamage:
    def test_of_a_damaged_journal_what_is_good_is_exported_and_the_damage_said(self, tmp_path, capsysbinary):
        path = tmp_path / "m.podesta"
        journal(path, drafts(20))
        payload = drafts(20)[14].payload.encode()
        raw = path.read_bytes()
        assert raw.count(payload) == 1
        path.write_bytes(raw.replace(payload, payload[:-1] + b"?"))
        status, out, err = export(capsysbinary, path, "json")
        assert status == Exit.WRONG
        assert len(json.loads(out)["lines"]) == 14
        assert "record 15" in err
        assert "records 1 to 14 are good, 5 beyond can still be read; only the good ones were exported" in err
        assert decode(export(capsysbinary, path, JOURNAL)[1]).records == read(path).records

    def test_a_match_that_does_not_replay_is_exported_as_a_log_alone(self, tmp_path, capsysbinary):
        path = journal(tmp_path / "m.podesta", [*drafts(12), ruling("insert 12 * 5 5 5 5")])
        for kind in FORMATS:
            status, out, err = export(capsysbinary, path, kind)
            assert (status, out) == (Exit.WRONG, b""), kind
            assert "m.podesta: record 13 does not fit: " in err
        assert export(capsysbinary, path, JOURNAL)[0] == Exit.FINE


def test_a_sheet_tells_what_else_was_played_that_evening(path, tmp_path, capsysbinary):
    """The journals of the same players beside it, whatever lies among them."""
    beside, other = Path(path).parent, ruled_match(tmp_path / "other", later_ms=60_000)
    strangers = ruled_match(tmp_path / "strangers", replace(HEADER, names=("Jorge", "Remigio")))
    shutil.copy(other, beside / "other.podesta")
    shutil.copy(strangers, beside / "strangers.podesta")
    (beside / "damaged.podesta").write_bytes(b"no journal\n")
    status, out, err = export(capsysbinary, path, "sheet")
    assert (status, err) == (Exit.FINE, "")
    assert out.decode().count("San Gimignano: Adso 20, William 0") == 2
    assert b"Won: Adso 2, William 0" in out
    assert b"Jorge" not in out
    assert b"This evening" not in export(capsysbinary, other, "sheet")[1]
