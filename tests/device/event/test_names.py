"""Names can be struck out of a signed match; what was signed stays good."""

import msgspec
import pytest

from device.cli import main
from device.commands import Exit
from device.event import read_bundle
from device.match import Adjust, Draft, Header, Kind, encode, read
from device.match.journal_text import UNSEALED, Head, _add_checksum, decode, write_line
from device.match.records import NAME_SALT
from tests.device.commands.recorded import HEADER, chained, drafts
from tests.device.event.desk.evening import Evening

FIELDS = HEADER.write()


@pytest.fixture
def evening(tmp_path):
    return Evening(tmp_path, tables=1)


@pytest.fixture
def played(evening):
    return evening.boxes[0].play("Adso", "William", file="20261127-adso-william.podesta")


def test_a_struck_name_is_gone_and_the_match_is_signed_to_its_end(played, evening, tmp_path, capsys):
    out = tmp_path / "struck.podesta"
    assert main(["export", str(played), "--as", "journal", "--strike", "Adso", "--out", str(out)]) == 0
    assert b"Adso" not in out.read_bytes()
    assert b"William" in out.read_bytes()
    salt = read(played).header[NAME_SALT + "a"]
    assert salt.encode() not in out.read_bytes()
    assert Header.read(read(out).header).names == ("struck a", "William")
    capsys.readouterr()
    assert main(["verify", str(out), "--keys", str(evening.keys_file)]) == 0
    said = capsys.readouterr().out
    assert "signed by table-01, whole" in said
    assert "struck a : William" in said


def test_another_name_put_in_its_place_is_found(played, tmp_path, capsys):
    out = tmp_path / "forged.podesta"
    reading = read(played)
    for name, salt in (("Eve", reading.header[NAME_SALT + "a"]), ("Eve", ""), ("", "5a17")):
        out.write_bytes(encode(reading.header | {"seat.a": name, NAME_SALT + "a": salt}, reading.records))
        assert main(["verify", str(out)]) == Exit.WRONG
        assert "the name of seat a is not what was recorded" in capsys.readouterr().err


def test_an_old_match_says_that_its_names_cannot_be_struck(tmp_path, capsys):
    old = tmp_path / "old.podesta"
    old.write_bytes(encode(FIELDS, chained(FIELDS, drafts())))
    assert old.read_bytes().startswith(b'{"podesta":"journal 2"')
    assert main(["verify", str(old)]) == 0
    name = FIELDS["seat.a"]
    assert main(["export", str(old), "--as", "journal", "--strike", name]) == Exit.WRONG
    assert "recorded before names could be struck" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--as", "journal", "--strike", "Zoe"), "nobody called Zoe played: Adso, William"),
        (("--as", "json", "--strike", "Adso"), "--strike is for --as journal"),
    ],
)
def test_what_cannot_be_struck_is_named(played, capsys, options, why):
    assert main(["export", str(played), *options]) == Exit.USAGE
    assert why in capsys.readouterr().err


def test_a_match_of_the_new_form_says_so(played):
    data = played.read_bytes()
    assert data.startswith(b'{"podesta":"journal 3"')
    first, _, rest = data.partition(b"\n")
    head = msgspec.structs.replace(msgspec.json.decode(first, type=Head), podesta=UNSEALED)
    found = decode(write_line(_add_checksum(head)) + rest)
    assert str(found.damage) == "line 1 is not what was written"


@pytest.mark.parametrize(
    "more",
    [
        {"kind": Kind.RULING, "payload": str(Adjust(0, 9, "Adso counted twice"))},
        {"kind": Kind.NOTE, "payload": "x", "channel": "page:Adso"},
    ],
)
def test_a_name_that_is_signed_elsewhere_is_not_said_to_be_gone(evening, capsys, more):
    path = evening.boxes[0].play("Adso", "William", to=10, more=[Draft(**more)])
    assert main(["export", str(path), "--as", "journal", "--strike", "Adso"]) == Exit.WRONG
    assert "record 11 tells the name, and what is signed covers that" in capsys.readouterr().err
    assert main(["export", str(path), "--as", "journal", "--strike", "William"]) == 0


def test_a_bundle_without_a_name_verifies(played, evening, tmp_path, capsys):
    out = tmp_path / "cup.zip"
    box = ["--state", str(evening.boxes[0].state)]
    assert main(["bundle", str(out), "--strike", "william", *box]) == 0
    held = read_bundle(out).journals
    assert not any("william" in name or b"William" in data for name, data in held.items())
    assert main(["verify", str(out), "--keys", str(evening.keys_file)]) == 0
    assert "Adso : struck b" in capsys.readouterr().out
    assert main(["bundle", str(tmp_path / "x.zip"), "--strike", "William", "--whole", *box]) == Exit.USAGE
    old = tmp_path / "old.podesta"
    old.write_bytes(encode(FIELDS, chained(FIELDS, drafts())))
    more = ["--from", str(old), str(played), "--strike", FIELDS["seat.a"]]
    assert main(["bundle", str(tmp_path / "y.zip"), *more]) == Exit.WRONG
    assert "old.podesta: left out: it was recorded before names could be struck" in capsys.readouterr().err
    assert len(read_bundle(tmp_path / "y.zip").journals) == 1
