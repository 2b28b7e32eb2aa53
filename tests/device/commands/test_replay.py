import json
import os

import pytest
from msgspec.structs import replace

from device.cli import main
from device.commands import Exit
from device.match.records import Draft, Kind
from engines.matchfile import result
from tests.device.commands.recorded import GAME, drafts, journal, match_file, played, ruled_match, ruling


@pytest.fixture
def file(tmp_path):
    """Write a match file of these changes."""

    def made(**changes):
        path = tmp_path / "friday.txt"
        path.write_text(match_file(**changes), "utf-8")
        return str(path)

    return made


def told(capsys, *argv):
    """The exit status, the JSON and the errors of a replay."""
    status = main(["replay", *argv, "--json"])
    out, err = capsys.readouterr()
    return status, json.loads(out), err


def totals():
    points = [0, 0]
    for booking in GAME.scoring.bookings(played().state):
        points[booking.seat] += booking.points
    return {"a": points[0], "b": points[1]}


def test_a_match_file_replays_to_its_score(file, capsys):
    status, found, err = told(capsys, file())
    assert (status, err, found["problems"]) == (Exit.FINE, "", [])
    assert found["kind"] == "match"
    assert found["journal"] is None
    assert found["standing"]["scores"] == totals()
    assert found["result"] == result(played())
    assert found["termination"] == "double_pass"
    assert found["steps"] == len(played().steps)
    booked = [(b["seat"], b["points"], b["clause"]) for b in found["standing"]["bookings"]]
    assert booked == [("ab"[b.seat], b.points, b.clause) for b in GAME.scoring.bookings(played().state)]


def test_a_match_given_up_is_told_to_be(tmp_path, capsys):
    path = journal(tmp_path / "m.podesta", [*drafts(3), ruling("abandon too late")])
    assert told(capsys, path)[1]["journal"]["abandoned"]
    assert main(["replay", path]) == Exit.FINE
    assert "Abandoned." in capsys.readouterr().out
    back = journal(tmp_path / "n.podesta", [*drafts(3), ruling("abandon"), ruling("undo 4")])
    assert not told(capsys, back)[1]["journal"]["abandoned"]


def test_a_damaged_journal_gives_what_is_good_and_names_the_record(tmp_path, capsys):
    path = tmp_path / "m.podesta"
    journal(path)
    raw = path.read_bytes()
    payload = played().steps[19].text.encode()
    assert raw.count(payload) == 1, "the step's text must be found once to be damaged"
    path.write_bytes(raw.replace(payload, payload[:-1] + b"?"))
    status, found, err = told(capsys, str(path))
    assert status == Exit.WRONG
    assert found["steps"] == found["journal"]["records"] == 19
    assert "record 20" in found["journal"]["damage"]
    assert "record 20" in err
    assert "records 1 to 19 are good" in err
    assert found["standing"]["scores"] == scores_after(19)


def scores_after(steps):
    points = [0, 0]
    for booking in GAME.scoring.bookings(played().points[steps].state):
        points[booking.seat] += booking.points
    return {"a": points[0], "b": points[1]}


def test_a_result_that_the_replay_does_not_give_is_wrong(file, capsys):
    status, found, _ = told(capsys, file(result="double_pass, a 1, b 2, won by b"))
    assert status == Exit.WRONG
    assert result(played()) in found["problems"][0]


def test_a_replay_that_drifts_names_the_first_record(tmp_path, capsys):
    recorded = drafts(6)
    recorded[3] = replace(recorded[3], state_digest=f"{GAME.rules_version}:0000000000000000")
    status, found, err = told(capsys, journal(tmp_path / "m.podesta", recorded))
    assert (status, found["journal"]["drift"]) == (Exit.WRONG, 4)
    assert "entry 4" in err


def test_an_entry_that_was_corrected_to_what_does_not_fit_names_the_ruling(tmp_path, capsys):
    at = next(n for n, step in enumerate(played().steps, 1) if step.text.startswith("P "))
    path = journal(tmp_path / "m.podesta", [*drafts(12), ruling(f"amend {at} close")])
    status, _, err = told(capsys, path)
    assert status == Exit.WRONG
    assert f"entry {at} (as ruled in entry 13), 'close' does not fit: SG-3.12: " in err
    path = journal(tmp_path / "n.podesta", [*drafts(12), ruling("insert 12 * 5 5 5 5")])
    assert "n.podesta: entry 13, '5 5 5 5' does not fit: " in told(capsys, path)[2]


def test_what_was_redacted_is_counted(tmp_path, capsys):
    private = Draft(kind=Kind.PRIVATE, payload="5,5,?3", seat=0, visibility="seat:a")
    path = journal(tmp_path / "m.podesta", [*drafts(), private])
    exported = tmp_path / "m.jsonl"
    assert main(["export", path, "--as", "journal", "--out", str(exported)]) == Exit.FINE
    status, found, _ = told(capsys, str(exported))
    assert (status, found["journal"]["redacted"]) == (Exit.FINE, 1)
    assert found["standing"]["scores"] == totals()
    assert main(["replay", str(exported)]) == Exit.FINE
    assert "1 redacted" in capsys.readouterr().out


def test_a_match_file_with_rulings_replays(tmp_path, capsys):
    path = tmp_path / "m.match"
    assert main(["export", ruled_match(tmp_path), "--as", "match", "--out", str(path)]) == Exit.FINE
    status, found, _ = told(capsys, str(path))
    assert (status, found["standing"]["scores"]) == (Exit.FINE, {"a": 20, "b": 0})
    path.write_text(path.read_text().replace(" !SG-3.12", ""))
    status, found, err = told(capsys, str(path))
    assert (status, found["steps"]) == (Exit.WRONG, 6)
    assert "step 7, 'a close' does not fit: SG-3.12" in err
    assert main(["replay", str(path), "--language", "ja"]) == Exit.WRONG
    assert "7手目、'a close'は成り立ちません: SG-3.12: 完成した塔が4つ必要" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"", b"hello\n", b"\xff\xd8\xff\xe0 a picture"])
def test_a_file_that_is_neither_cannot_be_read(content, tmp_path, capsys):
    for name in ("m.txt", "m.podesta"):
        path = tmp_path / name
        path.write_bytes(content)
        assert main(["replay", str(path)]) == Exit.UNREADABLE
        assert name in capsys.readouterr().err


@pytest.mark.parametrize("command", [["replay"], ["verify"], ["export", "--as", "csv"]])
def test_a_pipe_is_not_waited_for(tmp_path, capsys, command):
    pipe = tmp_path / "pipe.podesta"
    os.mkfifo(pipe)
    assert main([*command, str(pipe)]) == Exit.UNREADABLE
    assert capsys.readouterr().err == f"podesta: {pipe}: no plain file\n"
