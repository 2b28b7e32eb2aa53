"""A log as JSON lines: it reads back, and whatever is done to it is noticed where it was done."""

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import asdict, replace

from device.match.journal_text import Head, OtherFormat, _add_checksum, decode, encode, write_line
from device.texts import said
from tests.device.commands.recorded import HEADER, chained, drafts, ruling

FIELDS = HEADER.write() | {"table_id": "kitchen"}
GROUPS = [*drafts(5), ruling("undo 5"), [ruling("by ab"), ruling("adjust a +5 façade")]]
RECORDS = chained(FIELDS, GROUPS)
DATA = encode(FIELDS, RECORDS, "public")


def lines_of(records):
    """The file's lines with other records below the same first line, whose sums are made good."""
    return encode(FIELDS, records, "public")


def test_it_reads_back_as_written():
    found = decode(DATA)
    assert (found.header, found.records, found.damage, found.view) == (FIELDS, tuple(RECORDS), None, "public")
    written = set(asdict(RECORDS[0])) - {"signer", "signature"}  # of what is not signed nothing stands there
    assert [set(json.loads(line)) for line in DATA.splitlines()[1:]] == [written] * len(RECORDS)


@pytest.mark.parametrize("at", range(len(RECORDS)))
def test_a_record_that_was_dropped_is_missed(at):
    found = decode(lines_of(RECORDS[:at] + RECORDS[at + 1 :]))
    if at == len(RECORDS) - 1:
        assert "lacks 1 of its 2 records" in str(found.damage)
    else:
        assert found.damage.seq == at + 1


def test_a_header_that_was_changed_breaks_the_chain():
    """Its facts are still told where the chain proves them."""
    damaged = "line 1 is not what was written"
    found = decode(DATA.replace(b"Adso", b"Abbo", 1))
    assert (str(found.damage), found.header, found.records) == (damaged, {}, ())
    assert found.beyond == tuple(RECORDS)
    found = decode(DATA.replace(b'"sha256":"', b'"sha256":"0', 1))
    assert (str(found.damage), found.header, found.records) == (damaged, FIELDS, tuple(RECORDS))
    found = decode(encode(FIELDS | {"seat.a": "Abbo"}, RECORDS, "public"))  # summed again
    assert str(found.damage).startswith("record 1: the chain is broken")


@settings(max_examples=100)
@given(st.data())
def test_no_cut_and_no_insertion_goes_unnoticed(data):
    at = data.draw(st.integers(0, len(DATA)))
    length = data.draw(st.integers(0, 40))
    put = data.draw(st.binary(max_size=40))
    changed = DATA[:at] + put + DATA[at + length :]
    if changed != DATA:
        try:
            assert decode(changed).damage
        except OtherFormat:
            assert DATA[:at].count(b"\n") == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"seq":2,', b'"seq": 2,'),
        (b'"seq":2,', b'"seq":2.0,'),
        (b'"seq":2,', b'"seq":2,"more":1,'),
        ("façade".encode(), b"fa\\u00e7ade"),
        (b"\n", b"\r\n"),
    ],
)
def test_it_is_held_to_the_byte(old, new):
    assert old in DATA
    damage = decode(DATA.replace(old, new)).damage
    assert damage
    line = DATA[: DATA.index(old)].count(b"\n") + 1
    assert damage.what == said("damage.line", line=line)
    assert damage.seq == line - 1


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"{}\n", b"[" * 100_000, b'{"podesta":"journal 2"}\n', b"\xff\n"]
)
def test_what_is_no_log_is_said_to_be_none(data):
    found = decode(data)
    assert str(found.damage) == "line 1 is not what was written"
    assert (found.header, found.records) == ({}, ())


def test_an_export_that_does_not_end_with_what_line_1_names_is_noticed_however_well_it_is_covered_up():
    head = msgspec.json.decode(DATA.partition(b"\n")[0], type=Head)
    assert head.tip == RECORDS[-1].hash
    forged = write_line(_add_checksum(replace(head, tip="0" * 64))) + DATA.partition(b"\n")[2]
    assert str(decode(forged).damage) == "record 9: the records do not end with the one that line 1 names"
