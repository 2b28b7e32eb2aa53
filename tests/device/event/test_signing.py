"""Signed journals: what a box signed is known, however well a forger rebuilds the chain of hashes."""

import json
import stat

import pytest
from msgspec.structs import replace

from device.cli import main
from device.commands import Exit
from device.event.signing import BoxKey, Signed, Trusted, check, judge_signatures, write_keys
from device.match.journal import Journal, read, recover
from device.match.journal_text import encode
from device.match.records import NAME_DIGEST, NAME_SALT, Kind, redact, seal_names, write_phrase
from device.match.rulings import Adjust
from tests.device.clocks import FakeClock
from tests.device.commands.recorded import HEADER, drafts, resealed

LAST = 12


def signed(path, key, groups=None, **header):
    """A journal of the first steps of a match, each group signed."""
    clock = FakeClock()
    with Journal.create(path, HEADER.write() | header, clock.stamp, signer=key) as made:
        for group in drafts(LAST) if groups is None else groups:
            made.append(group if isinstance(group, list) else [group])
            clock.advance(1000)
    return read(path)


def later():
    """A clock that goes on behind what is recorded."""
    clock = FakeClock()
    clock.advance(60_000)
    return clock


@pytest.fixture
def key(tmp_path):
    return BoxKey(tmp_path)


@pytest.fixture
def keys(tmp_path, key):
    """A file with the key of box 7 and of another."""
    (tmp_path / "other").mkdir()
    other = BoxKey(tmp_path / "other")
    file = tmp_path / "keys.toml"
    file.write_text(write_keys({key.public: Trusted("7"), other.public: Trusted("8")}))
    return file


def told(capsys, path, *more):
    status = main(["verify", str(path), "--json", *map(str, more)])
    out, err = capsys.readouterr()
    return status, json.loads(out), err


def test_a_key_is_made_once_for_its_owner_alone(tmp_path, key):
    public = key.public
    assert BoxKey(tmp_path).public == public
    assert stat.S_IMODE((tmp_path / "box.key").stat().st_mode) == 0o600
    assert public not in (tmp_path / "box.key").read_text()
    signature = key.sign("ab" * 32)
    assert check(public, "ab" * 32, signature)
    assert not check(public, "ba" * 32, signature)
    other = "B" if signature[0] == "A" else "A"
    assert not check(public, "ab" * 32, other + signature[1:])
    assert not check("nonsense", "ab" * 32, signature)


@pytest.mark.parametrize("text", ["", "rubbish\n", "AAAA\n"])
def test_a_key_that_cannot_be_read_stops_no_match_and_is_named(tmp_path, caplog, text):
    (tmp_path / "box.key").write_text(text)
    reading = signed(tmp_path / "m.podesta", BoxKey(tmp_path))
    assert len(reading.records) == LAST
    assert not reading.damage
    assert judge_signatures(reading.header, reading.records).signed is Signed.NONE
    assert f"{tmp_path}/box.key: not a key" in caplog.text
    assert (tmp_path / "box.key").read_text() == text, "nobody's key is thrown away"


def test_every_group_is_signed_over_all_before_it(tmp_path, key):
    reading = signed(tmp_path / "m.podesta", key, [drafts(2), *drafts(4)[2:]])
    assert [bool(record.signature) for record in reading.records] == [False, True, True, True]
    assert {record.signer for record in reading.records} == {""}, "the header names it"
    assert reading.header["box_key"] == key.public
    found = judge_signatures(reading.header, reading.records)
    assert found == (type(found))(Signed.WHOLE, key.public, 4, write_phrase(reading.records))


def test_verify_says_who_signed_and_how_far(tmp_path, key, keys, capsys):
    path = tmp_path / "m.podesta"
    reading = signed(path, key)
    status, found, _ = told(capsys, path, "--keys", keys)
    digits = reading.records[-1].hash[:16]
    assert status == Exit.UNFINISHED, "signed, and the match goes on"
    assert (found["signed"], found["signer"], found["signed_to"]) == ("whole", "7", LAST)
    assert found["phrase"] == " ".join(digits[at : at + 4] for at in range(0, 16, 4))
    assert found["fine"]
    status, again, _ = told(capsys, path, "--expect", found["phrase"])
    assert again["expected"] == LAST, "what was noted on paper is found again"
    main(["verify", str(path), "--keys", str(keys)])
    out = capsys.readouterr().out
    assert "signed by 7, whole" in out
    assert "proved: 7 recorded it as it is" in out
    assert "not proved" not in out


def test_a_recovered_match_and_an_export_are_signed_as_the_journal_was(tmp_path, key, keys, capsys):
    path = tmp_path / "m.podesta"
    reading = signed(path, key, drafts(6))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], b"torn\n", *lines[5:]]))
    with recover(path, later().stamp, signer=key) as again:
        again.append([drafts(4)[3]])
    status, found, _ = told(capsys, again.path, "--keys", keys)
    assert (status, found["signed"], found["signed_to"]) == (Exit.UNFINISHED, "whole", 4)
    export = tmp_path / "m.jsonl"
    export.write_bytes(encode(reading.header, map(redact, reading.records), "public"))
    assert judge_signatures(read(export).header, read(export).records).signed is Signed.WHOLE


# Forgers, who rebuild every hash


def rebuilt(header, records, change=lambda record: record):
    """The log as a forger without the key makes it: a sound chain, the old signatures where they stood."""
    made = resealed(header, records, change)
    return [
        replace(new, signature=old.signature, signer=old.signer)
        for new, old in zip(made, records, strict=True)
    ]


def without_signatures(records):
    return [replace(record, signature="", signer="") for record in records]


def renamed(header, **names):
    """Give people other names, and the digests that belong to them."""
    bare = {field: text for field, text in header.items() if not field.startswith((NAME_SALT, NAME_DIGEST))}
    return seal_names(bare | {f"seat.{seat}": name for seat, name in names.items()}, lambda: "5a17")


def forged_name(header, records, _):
    header = renamed(header, a="Bernard")
    return header, rebuilt(header, records)


def forged_points(header, records, _):
    def more(record):
        if record.seq < LAST:
            return record
        return replace(record, kind=Kind.RULING, payload=str(Adjust(0, 9)), state_digest="")

    return header, rebuilt(header, records, more)


def dropped_entry(header, records, _):
    kept = [*records[:4], *records[5:]]
    seqs = {record.hash: at for at, record in enumerate(kept, 1)}
    return header, rebuilt(
        header, kept, lambda record: replace(record, seq=seqs[record.hash], group=seqs[record.hash])
    )


def moved_signature(header, records, _):
    return header, [*records[:-1], replace(records[-1], signature=records[-2].signature)]


def stripped(header, records, _):
    header = renamed({name: text for name, text in header.items() if name != "box_key"}, a="Bernard")
    return header, without_signatures(resealed(header, records, lambda record: record))


def own_key(header, records, forger):
    header = renamed(header | {"box_key": forger.public}, a="Bernard")
    made = resealed(header, records, lambda record: record)
    return header, [replace(record, signature=forger.sign(record.hash)) for record in made]


def own_key_at_the_end(header, records, forger):
    return header, [
        *without_signatures(records[:-1]),
        replace(records[-1], signer=forger.public, signature=forger.sign(records[-1].hash)),
    ]


def another_s_signature_under_a_trusted_name(header, records, forger):
    header = renamed(header, a="Bernard")
    made = resealed(header, records, lambda record: record)
    return header, [replace(record, signature=forger.sign(record.hash)) for record in made]


NOT_RECORDED = "its signature is not of what was recorded"
FORGERS = {
    forged_name: ("bad", f"record 1: {NOT_RECORDED}"),
    forged_points: ("bad", f"record 1: {NOT_RECORDED}"),
    dropped_entry: ("bad", "record 5: 'X 5 8 > m6 m7' does not fit: 'X' does not answer 'guard'"),
    moved_signature: ("bad", f"record {LAST}: {NOT_RECORDED}"),
    stripped: ("none", "not signed"),
    own_key: ("foreign", "signed by another's key, FORGER'S"),
    own_key_at_the_end: ("foreign", "signed by another's key, FORGER'S"),
    another_s_signature_under_a_trusted_name: ("bad", f"record 1: {NOT_RECORDED}"),
}


@pytest.mark.parametrize("forger", FORGERS)
def test_a_forger_is_refused_with_what_is_wrong(tmp_path, key, keys, capsys, forger):
    groups = [replace(draft, simulated=True) for draft in drafts(LAST)]
    reading = signed(tmp_path / "m.podesta", key, groups, simulated="yes", table_id="4")
    (tmp_path / "forger").mkdir()
    own = BoxKey(tmp_path / "forger")
    header, records = forger(dict(reading.header), list(reading.records), own)
    path = tmp_path / "forged.podesta"
    path.write_bytes(encode(header, records))
    assert read(path).damage is None, "the chain holds"
    status, found, err = told(capsys, path, "--keys", keys)
    assert (status, found["fine"]) == (Exit.WRONG, False)
    how, said = FORGERS[forger]
    assert found["signed"] == how
    assert f"forged.podesta: {said}".replace("FORGER'S", own.public) in err


def test_a_shorter_match_is_found_by_the_phrase_that_was_noted(tmp_path, key, keys, capsys):
    path = tmp_path / "m.podesta"
    reading = signed(path, key)
    noted = write_phrase(reading.records)
    path.write_bytes(encode(reading.header, reading.records[:-2]))
    status, found, _ = told(capsys, path, "--keys", keys)
    assert found["signed"] == "whole", "a match that was cut off looks like one that goes on"
    status, found, err = told(capsys, path, "--keys", keys, "--expect", noted)
    assert (status, found["failure"]["kind"]) == (Exit.WRONG, "hash")
    assert "no record has the hash" in err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[box.7]\n", "missing required field `key`"),
        ('[box.7]\nkey = "short"\n', "key"),
        ('[bax.7]\nkey = ""\n', "bax"),
        ("[box", "keys.toml"),
    ],
)
def test_a_keys_file_that_is_none_is_named(tmp_path, key, capsys, text, why):
    signed(tmp_path / "m.podesta", key)
    (tmp_path / "keys.toml").write_text(text)
    assert (
        main(["verify", str(tmp_path / "m.podesta"), "--keys", str(tmp_path / "keys.toml")])
        == Exit.UNREADABLE
    )
    err = capsys.readouterr().err
    assert "keys.toml" in err
    assert why in err
