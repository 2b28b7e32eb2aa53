"""The first record that fails is named, whatever was done to the file and however well it was covered up."""

import json

import pytest
from msgspec.structs import replace

from device.cli import main
from device.commands import Exit
from device.match import find_hidden, redact_hidden
from device.match.history import Log
from device.match.journal import read
from device.match.journal_text import encode
from device.match.records import Draft, Kind, redact
from device.match.replay import Header, Replay
from engines.contract import Setup
from engines.errors import EngineError
from tests.device.commands.recorded import (
    HEADER,
    NAMES,
    built,
    chained,
    drafts,
    journal,
    played,
    resealed,
    ruled_match,
    ruling,
)

FIELDS = HEADER.write()


def told(capsys, path):
    """Exit status, verdict and errors of a verification."""
    status = main(["verify", str(path), "--json"])
    out, err = capsys.readouterr()
    return status, json.loads(out), err


@pytest.fixture(params=["journal", "export"])
def checked(request, tmp_path, capsys):
    """Verify these records out of a journal, and out of an export."""

    def check(records, header=FIELDS):
        if request.param == "journal":
            return told(capsys, built(tmp_path / "m.podesta", header, records))
        path = tmp_path / "m.jsonl"
        path.write_bytes(encode(header, records, "public"))
        return told(capsys, path)

    return check


@pytest.fixture(scope="module")
def ruled(tmp_path_factory):
    """The records of a match with every kind of ruling."""
    records = read(ruled_match(tmp_path_factory.mktemp("ruled"))).records
    return tuple(resealed(FIELDS, records, lambda record: record))


def failure(found):
    return found["failure"]["record"], found["failure"]["kind"]


class TestFine:
    def test_a_match_with_every_kind_of_ruling(self, checked, ruled):
        status, found, err = checked(ruled)
        assert (status, err, found["failure"]) == (Exit.FINE, "", None)
        assert (found["records"], found["tip"]) == (24, ruled[-1].hash)
        # The step that was taken back was checked too.
        assert found["replayed"] == found["positions"] == 9

    def test_a_first_step_that_its_own_group_strikes_leads_to_no_position(self, checked):
        status, found, _ = checked(chained(FIELDS, [[*drafts(1), ruling("strike 1")]]))
        assert (status, found["failure"]) == (Exit.UNFINISHED, None)
        assert (found["replayed"], found["positions"]) == (1, 0)

    def test_other_rules_may_lead_to_other_positions(self, checked):
        """By other rules equal positions count, and others are not held against the match."""

        def other(record):
            position = record.state_digest[1:] if record.seq < 4 else ":0000000000000000"
            return replace(record, state_digest="9" + position)

        status, found, _ = checked(resealed(FIELDS, chained(FIELDS, drafts(9)), other))
        assert (status, found["replayed"], found["positions"]) == (Exit.UNFINISHED, 9, 3)


class TestMarks:
    """What stands beside a payload is looked at, too: a chain rebuilt around it holds."""

    def test_records_that_are_not_simulated_in_a_match_that_is(self, tmp_path, capsys):
        path = journal(tmp_path / "m.podesta", drafts(), replace(HEADER, simulated=True))
        status, found, _ = told(capsys, path)
        assert (status, failure(found)) == (Exit.WRONG, (1, "record"))

    def test_a_step_without_the_position_that_it_led_to(self, checked):
        bare = [replace(draft, state_digest="") for draft in drafts()]
        status, found, _ = checked(chained(FIELDS, bare))
        assert (status, failure(found)) == (Exit.WRONG, (1, "drift"))

    def test_times_that_run_back(self, checked):
        records = chained(FIELDS, drafts(9))
        late = [replace(one, mono_ms=1000 - one.seq, boot_id="b") for one in records]
        status, found, _ = checked(resealed(FIELDS, late, lambda one: one))
        assert (status, failure(found)) == (Exit.WRONG, (2, "record"))

    def test_a_time_of_day_that_was_set_back(self, checked):
        records = chained(FIELDS, drafts(9))
        back = [replace(one, utc_ms=10**12 - one.seq, mono_ms=one.seq, boot_id="b") for one in records]
        status, found, err = checked(resealed(FIELDS, back, lambda one: one))
        assert (status, found["set_back"]) == (Exit.UNFINISHED, list(range(2, 10)))
        assert "the time of day was set back before record 2 to 9" in err


class TestUnfinished:
    """What holds together and is no whole match has an exit code of its own."""

    @pytest.mark.parametrize("cut", [1, 500])
    def test_a_last_entry_that_is_cut_short_is_said(self, tmp_path, capsys, cut):
        path = tmp_path / "m.podesta"
        text = encode(FIELDS, chained(FIELDS, drafts()))
        path.write_bytes(text[:-cut])
        status, found, err = told(capsys, path)
        assert (status, found["fine"], found["finished"]) == (Exit.UNFINISHED, True, False)
        assert found["unfinished"] == len(text.splitlines(keepends=True)[-1]) - cut
        assert f"does not count: {found['unfinished']} bytes" in err


class TestExpect:
    """A hash that somebody wrote down shows what no chain can: that the file was not rebuilt since."""

    @staticmethod
    def expect(capsys, path, text):
        status = main(["verify", str(path), "--json", "--expect", text])
        out, err = capsys.readouterr()
        return status, json.loads(out), err

    @pytest.mark.parametrize("at", [1, 7, len(played().steps)])
    def test_any_record_will_do(self, tmp_path, capsys, at):
        records = chained(FIELDS, drafts())
        path = built(tmp_path / "m.podesta", FIELDS, records)
        written = records[at - 1].hash
        for text in (written, written.upper(), written[:16], f"{written[:8]} {written[8:20]}"):
            status, found, _ = self.expect(capsys, path, text)
            assert (status, found["expected"]) == (Exit.FINE, at)

    def test_a_file_that_was_rebuilt_is_caught_by_it_alone(self, tmp_path, capsys):
        records = chained(FIELDS, drafts())
        written = records[20].hash
        other = FIELDS | {"seat.a": "Remigio", "simulated": "no"}
        rebuilt = resealed(other, records, lambda r: replace(r, utc_ms=r.utc_ms + 86_400_000))
        path = built(tmp_path / "m.podesta", other, rebuilt)
        assert told(capsys, path)[0] == Exit.FINE
        status, found, err = self.expect(capsys, path, written)
        assert (status, found["failure"]["kind"], found["expected"]) == (Exit.WRONG, "hash", None)
        assert f"no record has the hash {written}" in err

    @pytest.mark.parametrize("text", ["", "0123", "g" * 64, "0" * 65])
    def test_what_is_no_hash_is_refused(self, tmp_path, capsys, text):
        path = built(tmp_path / "m.podesta", FIELDS, [])
        assert main(["verify", path, "--expect", text]) == Exit.USAGE
        assert "is not a hash" in capsys.readouterr().err


class TestBeyond:
    def test_what_stands_behind_a_damaged_line_is_shown(self, tmp_path, capsys):
        private = Draft(kind=Kind.PRIVATE, payload="5,5,?3", seat=0, visibility="seat:a")
        records = chained(FIELDS, [*drafts(12), private])
        path = built(
            tmp_path / "m.podesta", FIELDS, [*records[:4], replace(records[4], seq=50), *records[5:]]
        )
        assert main(["verify", path]) == Exit.WRONG
        out = capsys.readouterr().out
        assert "4 records hold together" in out
        assert "beyond the damage, not counted, 8 records can be read:\n  6 step: " in out
        for record in records[5:-1]:
            assert f"  {record.seq} {record.kind}: {record.payload}\n" in out
        assert "  13 private: not for everybody\n" in out


class TestForeign:
    """Whoever made the file commands no terminal by it."""

    EVIL = "Ad\x1b]0;so\x07\u202e\x9b2J"

    def test_names_remarks_and_reasons_are_made_plain(self, tmp_path, capsys):
        header = replace(HEADER, names=(self.EVIL, "William"))
        note = Draft(kind=Kind.NOTE, payload=self.EVIL)
        path = journal(tmp_path / "m.podesta", [*drafts(), note], header)
        wrong = [*drafts(3), ruling(f"exile {self.EVIL}")]
        other = built(tmp_path / "n.podesta", header.write(), chained(header.write(), wrong))
        for command in (["verify", path], ["replay", path], ["explain", path, "42"], ["verify", other]):
            main(command)
            out, err = capsys.readouterr()
            assert "Ad\N{REPLACEMENT CHARACTER}]0;so" in out, command
            assert not set(out + err) & set("\x1b\x07\x9b\u202e"), command


class TestForged:
    """The chain was made good again: only the rules and the positions tell."""

    def test_an_illegal_step_is_caught_by_the_replay(self, checked):
        records = chained(FIELDS, drafts(20))
        at = next(r.seq for r in records if r.kind is Kind.STEP and r.seq > 9 and r.payload.startswith("P"))
        forged = resealed(FIELDS, records, lambda r: replace(r, payload="close") if r.seq == at else r)
        status, found, err = checked(forged)
        assert (status, failure(found)) == (Exit.WRONG, (at, "replay"))
        assert f"record {at}: 'close' does not fit: SG-3.12: Closing takes 4 completed towers" in err

    def test_a_legal_step_that_was_not_the_one_is_caught_by_the_position(self, checked):
        records = chained(FIELDS, drafts(20))
        at, text = another_purchase()
        forged = resealed(FIELDS, records, lambda r: replace(r, payload=text) if r.seq == at else r)
        status, found, err = checked(forged)
        assert (status, failure(found)) == (Exit.WRONG, (at, "drift"))
        assert f"record {at}: it leads to another position than was recorded" in err

    @pytest.mark.parametrize(
        ("payload", "what"),
        [
            ("exile b", "unknown ruling 'exile'"),
            ("undo 9", "no group 9 stands before it"),
            ("amend 9 pass", "9 is no step or report that stands before it"),
            ("adjust c +5", "nobody sits at c"),
            ("agree d", "nobody sits at d"),
            ("dispute a 5", "it counts 1 scores of 2"),
        ],
    )
    def test_a_ruling_that_cannot_be_followed_is_named(self, checked, payload, what):
        status, found, err = checked(chained(FIELDS, [*drafts(5), ruling(payload), *drafts(7)[5:]]))
        assert (status, failure(found)) == (Exit.WRONG, (6, "ruling"))
        assert f"record 6: {what}" in err

    def test_an_override_without_agreement_to_that_clause_does_not_cover_it(self, checked, ruled):
        forged = resealed(
            FIELDS,
            ruled,
            lambda r: (
                replace(r, payload=r.payload.replace("SG-3.12", "SG-3.11"))
                if r.payload.startswith("override")
                else r
            ),
        )
        assert failure(checked(forged)[1]) == (19, "replay")


def another_purchase():
    """A record that is a purchase, and another that would have been legal in its place."""
    for at, step in enumerate(played().steps[:20]):
        for text in ("P d d", "P m5 d", "P m6 d", "P m7 d", "P m8 d", "P m9 d", "P m10 d"):
            if step.text.startswith("P ") and step.text != text:
                match = played().branch(at)
                try:
                    match.play(text, step.seat)
                except EngineError:
                    continue
                return at + 1, text
    raise AssertionError("no purchase")


class TestRedacted:
    @pytest.fixture
    def beans(self, toy):
        return Header(toy, NAMES, Setup())

    @staticmethod
    def guess(seat, text):
        return Draft(kind=Kind.STEP, payload=text, seat=seat, visibility=f"seat:{'ab'[seat]}")

    def groups(self, *tail):
        beans = Draft(kind=Kind.REPORT, payload="1r")
        return [self.guess(0, "odd"), self.guess(1, "odd"), beans, *tail]

    def public(self, tmp_path, header, groups):
        fields = header.write()
        records = chained(fields, groups)
        path = tmp_path / "m.jsonl"
        hidden = find_hidden(Log(records), "public", Replay(fields, records))
        path.write_bytes(encode(fields, redact_hidden(records, hidden), "public"))
        return path

    def test_what_is_only_told_in_private_is_not_missed(self, tmp_path, capsys):
        private = Draft(kind=Kind.PRIVATE, payload="5,5,?3", seat=0, visibility="seat:a")
        path = self.public(tmp_path, HEADER, [*drafts(5), private, *drafts(9)[5:]])
        status, found, _ = told(capsys, path)
        assert (status, found["redacted"], found["unchecked"]) == (Exit.UNFINISHED, [6], [])
        assert (found["view"], found["replayed"], found["positions"]) == ("public", 9, 9)
        assert main(["verify", str(path)]) == Exit.UNFINISHED
        out = capsys.readouterr().out
        assert "exported for everybody, 1 records redacted\nredacted: 6\n" in out
        assert out.endswith("\nfine\n")

    def test_a_sealed_choice_ends_what_can_be_checked(self, tmp_path, capsys, beans):
        path = self.public(tmp_path, beans, self.groups(self.guess(0, "sit")))
        status, found, _ = told(capsys, path)
        assert (status, found["redacted"], found["unchecked"], found["replayed"]) == (
            Exit.UNFINISHED,
            [4],
            [4],
            3,
        )
        assert main(["verify", str(path)]) == Exit.UNFINISHED
        out = capsys.readouterr().out
        assert "not replayed for what was redacted: 4\n" in out
        assert out.endswith("\nfine as far as it can be checked\n")

    def test_a_redacted_ruling_about_it_ends_the_checking_too(self, tmp_path, capsys, beans):
        tail = [self.guess(0, "sit"), ruling("amend 4 even"), ruling("adjust a +5")]
        found = told(capsys, self.public(tmp_path, beans, self.groups(*tail)))[1]
        assert (found["fine"], found["redacted"], found["unchecked"]) == (True, [4, 5], [4])
        assert not found["finished"]
        found = told(capsys, self.public(tmp_path, beans, self.groups(*tail, ruling("abandon"))))[1]
        assert found["finished"]

    @pytest.mark.parametrize("at", [1, 4])
    def test_what_was_public_must_not_be_taken_out(self, tmp_path, capsys, at):
        records = chained(FIELDS, drafts(6))
        records[at - 1] = redact(records[at - 1])
        path = tmp_path / "m.jsonl"
        path.write_bytes(encode(FIELDS, records, "public"))
        status, found, err = told(capsys, path)
        assert (status, failure(found)) == (Exit.WRONG, (at, "redaction"))
        assert f"record {at}: it is public, and its payload was taken out" in err


class TestFiles:
    def test_a_file_whose_header_is_lost_is_said_to_be(self, tmp_path, capsys):
        path = tmp_path / "m.jsonl"
        path.write_bytes(b'{"podesta":"journal 2"}\n')
        assert main(["verify", str(path)]) == Exit.WRONG
        assert "line 1 is not what was written" in capsys.readouterr().err

    def test_a_later_format_cannot_be_read(self, tmp_path, capsys):
        path = tmp_path / "m.jsonl"
        path.write_bytes(encode(FIELDS, [], "public").replace(b"journal 2", b"journal 4"))
        assert main(["verify", str(path)]) == Exit.UNREADABLE
        assert "written as 'journal 4'" in capsys.readouterr().err

    def test_damage_beside_the_records_is_the_files(self, tmp_path, capsys):
        path = tmp_path / "m.podesta"
        path.write_bytes(encode(FIELDS, chained(FIELDS, drafts(3))).replace(b'"sha256":"', b'"sha256":"0', 1))
        status, found, _ = told(capsys, path)
        assert (status, failure(found), found["records"]) == (Exit.WRONG, (0, "file"), 3)
