from __future__ import annotations

import pytest

from device.cli import main
from device.commands import Exit
from engines.match import Step
from tests.device.commands.recorded import GAME, drafts, journal, match_file, played, ruling


def number_of(start):
    """The first step whose text begins so."""
    return next(n for n, step in enumerate(played().steps, 1) if step.text.startswith(start))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "friday.txt"
    path.write_text(match_file(), "utf-8")
    return str(path)


def explained(capsys, *argv):
    status = main(["explain", *map(str, argv)])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_purchase_is_told_choice_by_choice(file, capsys):
    at = number_of("P ")
    step = played().steps[at - 1]
    status, out, _ = explained(capsys, file, at)
    assert status == Exit.FINE
    assert out.startswith(f"step {at} of {len(played().steps)}\n")
    assert f"{('Adso', 'William')[step.seat]}: {step.text}\n" in out
    assert "Your action?  Purchase\n" in out
    assert "Take from? 2 left  " in out
    assert "Take from? 1 left  " in out


def test_what_else_was_legal_and_what_was_not_stand_beside_it(file, capsys):
    at = number_of("P ")
    state = played().points[at - 1].state
    legal = [GAME.label(choice).key for choice in GAME.legal(state)]
    assert "action.pass" in legal
    assert "action.close" not in legal
    _, out, _ = explained(capsys, file, at)
    listed = next(line for line in out.splitlines() if line.startswith("  legal: "))
    assert "Pass" in listed
    assert "Close" not in listed
    assert "  not: Close (SG-3.12: Closing needs 4 completed towers" in out
    assert "SG-3.12  Close: allowed with 4 or more" in out


def test_points_are_told_with_their_clause(file, capsys):
    at = number_of("C ")
    before, after = (
        sum(b.points for b in GAME.bookings(played().points[n].state) if b.category == "completion")
        for n in (at - 1, at)
    )
    assert after > before
    _, out, _ = explained(capsys, file, at)
    changed = next(line for line in out.splitlines() if line.startswith("  Completed, "))
    assert changed.endswith(", SG-8.1")
    assert "SG-8.1  " in out


def test_the_marker_is_told_where_it_moves(file, capsys):
    for at in range(1, len(played().steps) + 1):
        before, after = played().points[at - 1].state.marker, played().points[at].state.marker
        _, out, _ = explained(capsys, file, at)
        assert ("  marker=" in out) == (before != after)


def test_the_end_is_told_with_its_clause(file, capsys):
    _, out, _ = explained(capsys, file, len(played().steps))
    assert "Both passed: the game is over." in out
    assert "SG-2.2  When both players pass" in out


def test_a_record_tells_when_where_and_whether_it_counts(tmp_path, capsys):
    path = journal(tmp_path / "m.podesta", [*drafts(3), ruling("undo 3"), ruling("undo 4")])
    _, out, _ = explained(capsys, path, 3)
    assert out.startswith("record 3 of 5\n2023-11-14 22:13:20 UTC, keys, group 3\n")
    assert "undone by record 4\nit counts again\n" in out
    _, out, _ = explained(capsys, path, 4)
    assert "ruling: undo 3\n" in out
    assert f"it undoes record 3: {played().steps[2].text}\n" in out
    assert "undone by record 5\nit does not count\n" in out


def test_an_undone_record_is_explained_where_it_stood(tmp_path, capsys):
    recorded = drafts(12)
    path = journal(tmp_path / "m.podesta", [*recorded[:11], ruling("undo 11"), recorded[10], recorded[11]])
    status, out, _ = explained(capsys, path, 11)
    assert status == Exit.FINE
    assert f": {recorded[10].payload}\n" in out


def test_a_step_that_does_not_fit_is_explained_by_its_clause(tmp_path, capsys):
    seat = GAME.pending(played().points[5].state).seats[0]
    path = tmp_path / "m.txt"
    path.write_text(match_file(steps=(*played().steps[:5], Step(seat, "close")), result=""), "utf-8")
    status, out, err = explained(capsys, path, 6)
    assert status == Exit.WRONG
    assert "Your action?  (nothing that fits)" in out
    assert "m.txt: step 6 of 6 does not fit: SG-3.12: Closing needs 4" in err


def test_a_step_that_is_not_there_is_told_with_the_last(file, tmp_path, capsys):
    status, out, err = explained(capsys, file, 999)
    assert (status, out) == (Exit.WRONG, "")
    assert f"there is no step 999, the last is {len(played().steps)}" in err
    status, _, err = explained(capsys, journal(tmp_path / "m.podesta", drafts(3)), 4)
    assert status == Exit.WRONG
    assert "there is no record 4, records 1 to 3 are good" in err


def test_steps_are_counted_from_1(file, capsys):
    assert explained(capsys, file, 0)[0] == Exit.USAGE
