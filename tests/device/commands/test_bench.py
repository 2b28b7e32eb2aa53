import json
import sys
from random import Random

import pytest

import engines
from device.bench import engines as bench
from device.cli import main
from device.commands import Exit
from device.commands.bench import list_recorded_matches
from engines import matchfile
from tests.device.commands.recorded import ruled_match


def test_the_json_has_the_documented_shape_also_without_python_chess(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "chess", None)
    monkeypatch.setattr(bench, "PLAYOUTS", 2)
    monkeypatch.setattr(bench, "time_import", lambda game: 12.34)
    assert main(["bench", "engines", "--json", "--seconds", "0.02"]) == Exit.FINE
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert set(found) == {"games", "import_ms"}
    assert set(found["games"]) == set(engines.GAMES)
    assert set(found["games"]["san_gimignano"]) == {
        "ratio",
        "decisions_per_s",
        "list_mean",
        "list_worst",
        "records_per_turn",
        "why_not_us",
        "replay_ms",
        "legal_worst_ms",
        "sample",
    }
    assert found["games"]["san_gimignano"]["ratio"] is None
    assert "pip install 'podesta[bench]'" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [("donazione=often", "'donazione=often' is not donazione="), ("x=yes", "'x=yes' is not an option of")],
)
def test_an_option_that_no_game_has_is_refused(capsys, text, said):
    assert main(["bench", "engines", "--option", text]) == Exit.USAGE
    assert said in capsys.readouterr().err


def test_a_turn_of_several_steps_is_one_turn():
    """Torres: twelve turns a player, set up before them, the king moved between them."""
    torres = engines.game("torres")
    drawn = bench.sample(torres, Random(1))
    steps = sum(len(steps) for _, steps in drawn.matches) / bench.PLAYOUTS
    # The last player starts the next phase, and so may move twice on end.
    assert steps / 24 <= drawn.records_per_turn <= steps / 22
    assert steps > 3 * 24


def test_a_fresh_python_is_timed():
    assert bench.time_import("san_gimignano", runs=1) > 1


def test_a_match_with_a_step_against_the_rules_can_be_measured(tmp_path):
    from device.bench.presses import play

    path = tmp_path / "ruled.match"
    source = ruled_match(tmp_path)
    assert main(["export", source, "--as", "match", "--out", str(path)]) == Exit.FINE
    assert " !SG-3.12" in path.read_text("utf-8")
    assert len(play(path).turns) == 5  # Adso's Close is nobody's way with the keys


def test_reading_without_recorded_boards(tmp_path):
    found = bench.measure_reading(1, tmp_path)
    assert found.recorded == {}
    lines = found.lines()
    assert any(line.startswith("torres p99_ms: ") and line.endswith("< 1000") for line in lines)


def test_calls_are_printed_for_the_longest_match_of_each_game(capsys, monkeypatch):
    from device.bench import latency

    asked = []
    monkeypatch.setattr(
        "device.bench.measure_calls",
        lambda paths: asked.extend(paths) or latency.CallFigures({"torres": latency.Calls(3, 1.5, 2)}, []),
    )
    assert main(["bench", "calls", "--json", "--longest"]) == Exit.FINE
    assert json.loads(capsys.readouterr().out)["games"]["torres"] == {"presses": 3, "record": 1.5, "page": 2}
    assert {matchfile.read(path.read_text()).game for path in asked} == set(engines.GAMES)
    assert len(asked) == len(engines.GAMES)
    assert main(["bench", "calls"]) == Exit.FINE
    assert capsys.readouterr().out.startswith("torres: 1.5 calls")
    assert len(asked) == len(engines.GAMES) + len(list_recorded_matches())
