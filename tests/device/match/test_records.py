"""Records: sealed, chained, verified, redacted."""

import hashlib

import msgspec
import pytest

from device.match.records import (
    HASHED,
    Damage,
    Draft,
    Kind,
    Record,
    Stamp,
    find_misnamed,
    has_evidence,
    hash_header,
    keep_whole_groups,
    redact,
    seal,
    seal_names,
    strike_names,
    verify,
)
from device.texts import said
from tests.device.match.test_journal import step

HEADER = {"game": "torres", "seats": "Anna, Bruno"}
STAMP = Stamp(1_700_000_000_123, 4_567, "boot")


def chain(*groups: list[Draft], header: dict[str, str] = HEADER) -> list[Record]:
    records: list[Record] = []
    for group, drafts in enumerate(groups, 1):
        for draft in drafts:
            records.append(
                seal(
                    draft,
                    STAMP,
                    seq=len(records) + 1,
                    group=group,
                    group_size=len(drafts),
                    prev=records[-1].hash if records else hash_header(header),
                    salt=f"{len(records):032x}",
                    table_id="T1",
                    event_id="E1",
                )
            )
    return records


LOG = chain([step("a")], [step("b"), Draft(kind=Kind.REPORT, payload="c", evidence=b"picture")], [step("d")])


class TestHashing:
    def test_follows_the_documented_encoding(self):
        """Computed here from the module's description alone: whoever verifies an export does the same."""

        def packed(*texts: str) -> str:
            raw = b"".join(str(len(t.encode())).encode() + b":" + t.encode() + b"," for t in texts)
            return hashlib.sha256(raw).hexdigest()

        draft = Draft(
            kind=Kind.REPORT, payload="塔 3", seat=2, channel="line", visibility="seat 2", evidence=b"jpg",
            confidence_ppm=7, state_digest="ab", simulated=True,
        )  # fmt: skip
        prev = packed("podesta header 1", "a", "1", "b", "2")
        record = seal(
            draft, STAMP, seq=1, group=1, group_size=1, prev=prev, salt="5a17", table_id="T", event_id="E"
        )
        payload = packed("podesta payload 1", "5a17", "塔 3")
        evidence = packed("podesta evidence 1", "5a17", hashlib.sha256(b"jpg").hexdigest())
        assert (record.payload_digest, record.evidence_digest) == (payload, evidence)
        assert record.hash == packed(
            "podesta record 1", "1", "1", "1", "report", "2", "line", "seat 2", "7", "ab", "1", "1", payload,
            evidence, "1700000000123", "4567", "boot", "T", "E", prev,
        )  # fmt: skip
        assert verify({"b": "2", "a": "1"}, [record]) is None

    def test_every_field_but_payload_salt_and_hash_is_hashed(self):
        outside = {"payload", "salt", "hash", "signer", "signature"}
        assert set(Record.__struct_fields__) - set(HASHED) == outside


class TestVerify:
    @pytest.mark.parametrize(
        "field", [f for f in Record.__struct_fields__ if f not in ("seq", "evidence_digest")]
    )
    def test_any_changed_field_is_named_with_its_record(self, field):
        old = getattr(LOG[1], field)
        new: object
        if field == "kind":
            new = Kind.NOTE
        elif isinstance(old, bool):
            new = not old
        else:
            new = old + 1 if isinstance(old, int) else old + "0"
        changed = [LOG[0], msgspec.structs.replace(LOG[1], **{field: new}), *LOG[2:]]
        damage = verify(HEADER, changed)
        assert damage is not None
        assert damage.seq == 2

    def test_a_changed_payload_is_told_from_a_changed_field(self):
        damage = verify(HEADER, [msgspec.structs.replace(LOG[0], payload="z")])
        assert damage == Damage(1, said("damage.payload"))

    @pytest.mark.parametrize(("group", "size"), [(2, 1), (0, 1), (1, 2), (1, 0)])
    def test_groups_are_counted_from_one_without_gaps(self, group, size):
        first = seal(step(), STAMP, seq=1, group=group, group_size=size, prev=hash_header(HEADER), salt="0")
        second = seal(step(), STAMP, seq=2, group=2, group_size=1, prev=first.hash, salt="0")
        damage = verify(HEADER, [first, second])
        assert damage is not None
        assert "group" in str(damage.what)

    def test_a_last_group_that_is_cut_short_does_not_count(self):
        assert keep_whole_groups(LOG[:2]) == tuple(LOG[:1])
        assert keep_whole_groups(LOG[:3]) == tuple(LOG[:3])
        assert keep_whole_groups([]) == ()


class TestRedaction:
    def test_a_redacted_log_verifies_without_giving_payloads_away(self):
        export = [redact(record) if record.seq in (1, 3) else record for record in LOG]
        assert verify(HEADER, export, allow_redacted=True) is None
        assert [(record.payload, record.salt) for record in export if record.redacted] == [("", ""), ("", "")]
        assert [record.hash for record in export] == [record.hash for record in LOG]

    def test_a_payload_put_in_without_its_salt_is_damage(self):
        forged = msgspec.structs.replace(redact(LOG[0]), payload="z")
        assert verify(HEADER, [forged], allow_redacted=True) is not None

    def test_evidence_can_be_checked_and_may_expire(self):
        assert has_evidence(LOG[2], b"picture")
        assert not has_evidence(LOG[2], b"another")
        assert not has_evidence(redact(LOG[2]), b"picture")


class TestNames:
    SEALED = seal_names(
        {"game": "torres", "seat.a": "Anna", "seat.b": "Bruno"}, iter(("5a17", "c0de")).__next__
    )

    def test_a_digest_stands_for_each_name(self):
        packed = b"14:podesta name 1,4:5a17,4:Anna,"
        assert self.SEALED["name_digest.a"] == hashlib.sha256(packed).hexdigest()
        assert self.SEALED["name_salt.b"] == "c0de"
        assert hash_header(self.SEALED) == hash_header(
            {name: text for name, text in self.SEALED.items() if not name.startswith(("seat.", "name_salt."))}
        )
        assert seal_names(self.SEALED, lambda: "other") == self.SEALED, "once"

    def test_a_struck_name_leaves_every_hash(self):
        records = chain([step()], header=self.SEALED)
        struck = strike_names(self.SEALED | {"recovered_from": "anna-bruno.podesta"}, "a")
        assert "recovered_from" not in struck
        assert "Anna" not in struck.values()
        assert "5a17" not in struck.values(), "nobody tries names until one fits"
        assert struck["seat.b"] == "Bruno"
        assert verify(struck, records) is None

    def test_a_name_that_is_left_out_is_missing(self):
        header = {name: text for name, text in self.SEALED.items() if name != "seat.b"}
        assert find_misnamed(header) == "the name of seat b is missing"

    def test_an_old_match_keeps_its_names(self):
        old = {"game": "torres", "seat.a": "Anna"}
        records = chain([step()], header=old)
        assert verify(old, records) is None
        assert "chain is broken" in str(verify(old | {"seat.a": "Eve"}, records))
        with pytest.raises(ValueError, match="before names could be struck"):
            strike_names(old, "a")
