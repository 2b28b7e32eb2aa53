"""An event in one file, a spare box that goes on with a match, and a lost box's key that counts no more."""

import json
import stat
import zipfile
from pathlib import Path

import pytest

from device.cli import main
from device.commands import Exit
from device.event import BundleError, Journaled, read_keys, read_place, write_bundle
from device.event import bundle as bundles
from device.files import hold_folder
from device.match import Library
from device.match.journal import Journal, read
from tests.device.clocks import FakeClock
from tests.device.commands.recorded import HEADER, drafts
from tests.device.event.desk.evening import Evening

SAMPLE = "m.podesta"
SOME = 12


@pytest.fixture
def evening(tmp_path):
    return Evening(tmp_path, tables=4)


@pytest.fixture
def boxes(evening):
    return evening.boxes


@pytest.fixture
def keys(evening):
    return str(evening.keys_file)


def bundled(box, to, *more):
    """Write a box's matches into one file."""
    return main(["bundle", str(to), "--state", str(box.state), *more])


def verified(capsys, path, *more):
    capsys.readouterr()
    status = main(["verify", str(path), "--json", *more])
    out, err = capsys.readouterr()
    return status, json.loads(out), err


def test_a_box_s_matches_are_one_file_that_is_checked_anywhere(tmp_path, boxes, keys, capsys):
    boxes[0].play()
    boxes[0].play(file="n.podesta")
    file = tmp_path / "stick.zip"
    assert bundled(boxes[0], file) == Exit.FINE
    assert "matches: 2, read back and the same" in capsys.readouterr().out
    status, told, _ = verified(capsys, file, "--keys", keys)
    assert (status, told["fine"], told["forks"]) == (Exit.FINE, True, [])
    assert [(one["signed"], one["signer"]) for one in told["matches"]] == [("whole", "table-01")] * 2
    assert {one["file"].split("/")[0] for one in told["matches"]} == {"table-01"}
    with zipfile.ZipFile(file) as archive:
        listed = json.loads(archive.read("bundle.json"))["matches"][0]
        assert boxes[0].key.public in archive.read("keys.toml").decode()
    assert listed["phrase"] == told["matches"][0]["phrase"] != ""
    assert listed["signed_to"] == listed["records"] == told["matches"][0]["records"]
    assert main(["verify", str(file), "--keys", keys]) == Exit.FINE
    assert "signed by table-01, whole" in capsys.readouterr().out


def test_all_boxes_in_one_and_of_two_journals_the_longer(tmp_path, boxes, keys, capsys):
    sticks = []
    for number, box in enumerate(boxes[:2]):
        box.play(to=SOME)
        sticks.append(str(tmp_path / f"stick-{number}.zip"))
        bundled(box, sticks[-1])
    boxes[0].play(since=SOME)
    assert main(["bundle", str(tmp_path / "all.zip"), "--from", *sticks, str(boxes[0].matches)]) == Exit.FINE
    status, told, err = verified(capsys, tmp_path / "all.zip", "--keys", keys)
    assert [one["finished"] for one in told["matches"]] == [True, False]
    assert (status, told["fine"]) == (Exit.UNFINISHED, True)
    assert "table-02/" in err
    assert read_keys_of(tmp_path / "all.zip") == {"table-01", "table-02"}


def read_keys_of(file):
    with zipfile.ZipFile(file) as archive:
        return {line[5:-1] for line in archive.read("keys.toml").decode().splitlines() if line[:4] == "[box"}


def test_only_the_event_s_matches(tmp_path, boxes, capsys):
    boxes[0].play(to=SOME)
    with Journal.create(boxes[0].matches / "20261101-1.podesta", HEADER.write(), FakeClock().stamp):
        pass
    assert bundled(boxes[0], tmp_path / "a.zip") == Exit.FINE
    assert "matches: 1" in capsys.readouterr().out
    assert bundled(boxes[0], tmp_path / "b.zip", "--event", "Sunday cup") == Exit.WRONG
    assert "no match of Sunday cup" in capsys.readouterr().err
    assert not (tmp_path / "b.zip").exists()
    assert bundled(boxes[0], tmp_path / "a.zip") == Exit.USAGE


def test_a_journal_that_cannot_be_read_is_named_and_the_others_are_written(tmp_path, boxes, capsys):
    boxes[0].play(to=SOME)
    (boxes[0].matches / "torn.podesta").write_bytes(b"\0" * 500)
    assert bundled(boxes[0], tmp_path / "a.zip") == Exit.WRONG
    said = capsys.readouterr()
    assert "torn.podesta: left out" in said.err
    assert "matches: 1" in said.out


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda held: held.pop("bundle.json"), "bundle.json is missing"),
        (lambda held: held.pop(f"table-01/{SAMPLE}"), "not as it was saved"),
        (lambda held: held.update({f"table-01/{SAMPLE}": b"{}"}), "not as it was saved"),
        (lambda held: held.update({"table-09/x.podesta": b"{}"}), "not in its list"),
        (lambda held: held.update({"../x.podesta": b"{}"}), "has no place in it"),
        (lambda held: held.update({"bundle.json": b"{"}), "not a complete bundle"),
    ],
)
def test_a_bundle_that_was_changed_is_refused(tmp_path, boxes, capsys, damage, why):
    boxes[0].play(to=SOME)
    file = tmp_path / "stick.zip"
    bundled(boxes[0], file)
    with zipfile.ZipFile(file) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    damage(held)
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in held.items():
            archive.writestr(name, data)
    assert main(["verify", str(file)]) == Exit.UNREADABLE
    assert why in capsys.readouterr().err


def test_a_stick_that_does_not_keep_what_it_is_given_is_found(tmp_path, boxes, monkeypatch):
    reading = read(boxes[0].play(to=SOME))
    monkeypatch.setattr(bundles, "read_file", lambda path, limit: path.read_bytes()[:-1])
    with pytest.raises(BundleError, match="the disk lost what was written"):
        write_bundle(tmp_path / "a.zip", [Journaled("a/b.podesta", b"", reading)], {}, "1")


def test_a_spare_box_goes_on_and_both_boxes_are_known(tmp_path, boxes, keys, capsys):
    lost, spare = boxes[1], boxes[3]
    lost.play(to=SOME)
    stick = tmp_path / "stick.zip"
    assert bundled(lost, stick, "--whole") == Exit.FINE
    assert stat.S_IMODE(stick.stat().st_mode) == 0o600
    assert main(["continue", str(stick), "--state", str(spare.state)]) == Exit.FINE
    said = capsys.readouterr().out
    assert read_place(spare.state).table == "table-02"
    library = Library(spare.state, stamp=FakeClock().stamp, signer=spare.key)
    referee = library.resume()
    assert library.problems == []
    assert [line.text for line in referee.replay.history] == [draft.payload for draft in drafts(SOME)]
    library.leave()
    assert read(spare.matches / SAMPLE).records[SOME - 1].hash[:4] in said
    spare.play(since=SOME)
    status, told, _ = verified(capsys, spare.matches / SAMPLE, "--keys", keys)
    assert (status, told["signed"], told["signer"]) == (Exit.FINE, "whole", "table-04")
    # The lost box turns up, and was played on: both are kept, and named.
    lost.play(to=SOME + 3, since=SOME)
    assert (
        main(["bundle", str(tmp_path / "all.zip"), "--from", str(lost.matches), str(spare.matches)])
        == Exit.FINE
    )
    status, told, err = verified(capsys, tmp_path / "all.zip", "--keys", keys)
    assert status == Exit.WRONG
    assert [fork["record"] for fork in told["forks"]] == [SOME + 1]
    assert f"go apart at record {SOME + 1}" in err
    assert main(["continue", str(lost.matches / SAMPLE), "--state", str(spare.state)]) == Exit.WRONG
    assert f"goes apart at record {SOME + 1}" in capsys.readouterr().err


def test_what_cannot_go_on(tmp_path, boxes, capsys):
    def refused(file, why, *more, status=Exit.WRONG):
        assert main(["continue", str(file), "--state", str(boxes[3].state), *more]) == status
        assert why in capsys.readouterr().err
        assert not list(boxes[3].matches.iterdir())
        assert read_place(boxes[3].state).table == "table-04"

    one, other = boxes[0].play(to=SOME), boxes[1].play(to=SOME)
    bundled(boxes[0], tmp_path / "public.zip")
    public = main(["export", str(one), "--as", "journal", "--out", str(tmp_path / "m.podesta")])
    assert public == Exit.FINE
    refused(tmp_path / "m.podesta", "made for everybody")
    refused(tmp_path / "public.zip", "made for everybody")
    main(["bundle", str(tmp_path / "two.zip"), "--whole", "--from", str(one.parent), str(other.parent)])
    refused(tmp_path / "two.zip", "--table says which: table-01, table-02", status=Exit.USAGE)
    refused(tmp_path / "two.zip", "no match of table-03", "--table", "table-03")
    with hold_folder(boxes[3].state):
        refused(one, "stop that one first", status=Exit.BUSY)
    one.write_bytes(one.read_bytes().replace(b'"kind":"step"', b'"kind":"note"', 1))
    refused(one, "nothing was taken over")
    over = boxes[2].play()
    refused(over, "not over")
    done = main(
        ["continue", str(tmp_path / "two.zip"), "--table", "table-02", "--state", str(boxes[3].state)]
    )
    assert done == Exit.FINE
    assert main(["continue", str(other), "--state", str(boxes[3].state)]) == Exit.FINE, "twice is once"


def test_a_lost_box_s_key_counts_up_to_what_its_table_noted(boxes, keys, capsys):
    path = boxes[0].play(to=SOME)
    noted = read(path).records[-1].hash[:16]
    boxes[0].play(since=SOME)
    done = main(["provision", "--revoke", "table-01", "--keys", keys, "--counts-to", noted])
    assert done == Exit.FINE
    assert [box.name for box in read_keys(Path(keys)).values() if box.counts_to] == ["table-01"]
    status, told, err = verified(capsys, path, "--keys", keys)
    assert (status, told["signed"], told["signed_to"]) == (Exit.WRONG, "part", SOME)
    assert f"only up to record {SOME}" in err
    main(["provision", "--revoke", "table-01", "--keys", keys])
    assert read_keys(Path(keys))[boxes[0].key.public].counts_to == (noted,), "what was told before stays"
    main(["provision", "--revoke", "table-02", "--keys", keys])
    other = boxes[1].play(to=SOME)
    status, told, err = verified(capsys, other, "--keys", keys)
    assert (told["signed"], told["signer"]) == ("foreign", "table-02 (revoked)")
    assert status == Exit.WRONG
    assert main(["provision", "--revoke", "table-77", "--keys", keys]) == Exit.WRONG
    assert "it has no table-77" in capsys.readouterr().err
