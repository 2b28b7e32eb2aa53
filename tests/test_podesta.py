"""The front page: a library that plays four games, and says why not."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest

import podesta
from device.sensors.kit.making import GAME, named
from engines.conformance import conforming
from tests.engines.newcomers import on_the_path, told

ROOT = Path(podesta.__file__).parent
MATCHES = Path(__file__).parent / "matches"
SEATS = [
    (game, seats)
    for game in podesta.GAMES
    for seats in (2, 3, 4)
    if (game, seats > 2) != (podesta.GAMES[0], True)
]


@cache
def finished(game, seats, seed):
    """A random match that has ended; nobody plays on with it."""
    match, chance = podesta.new(game, seats=seats, seed=seed), Random(seed)
    while not match.over:
        assert match.to_move is not None
        match.play(match.pick(chance))
    return match


@pytest.mark.parametrize(("game", "seats"), SEATS)
def test_a_random_match_to_its_end(game, seats):
    for seed in range(2):
        match = finished(game, seats, seed)
        assert (match.legal(), match.to_move) == ([], None)
        assert set(match.winners()) <= set(match.names)
        turns = list(match)
        assert tuple(match.score().values()) == turns[-1].points
        assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
        assert all(turn.said for turn in turns)
        with pytest.raises(podesta.Error, match="nothing to pick from"):
            match.pick(Random(1))


@pytest.mark.parametrize("game", podesta.GAMES)
def test_what_is_legal_can_be_played_and_taken_back(game):
    match, chance = podesta.new(game, seed=5), Random(5)
    for _ in range(4):
        legal = match.legal()
        assert match.pick(Random(2)) in legal
        shown, question = str(match), match.question
        for step in chance.sample(legal, min(2, len(legal))):
            assert match.why_not(step) == ""
            match.play(step)
            assert str(match) != shown or match.question == question
            match.undo()
            assert (str(match), match.legal()) == (shown, legal)
        match.play(chance.choice(legal))


@pytest.mark.parametrize("game", podesta.GAMES)
def test_the_same_seed_is_the_same_match(game):
    one, other = finished(game, 2, 1), finished.__wrapped__(game, 2, 1)
    assert [turn.text for turn in one] == [turn.text for turn in other]
    assert [turn.text for turn in one] != [turn.text for turn in finished(game, 2, 0)]


def test_a_step_that_is_refused_says_why_and_changes_nothing():
    match = podesta.new("torres", seed=7)
    match.play("E d1")
    before = str(match)
    why = match.why_not("E a1")
    assert why == "There is no castle on a1. Choose a castle without a piece. TO-1.5"
    with pytest.raises(podesta.Refused) as refused:
        match.play("E a1")
    assert (str(refused.value), refused.value.clause, refused.value.figures) == (
        why,
        "TO-1.5",
        {"cell": "a1"},
    )
    assert str(match) == before
    assert match.why_not("zz").startswith("'zz' does not answer")
    with pytest.raises(podesta.Error, match="b is asked"):
        match.play("E c3", seat=0)


def test_people_may_let_stand_what_a_clause_forbids():
    match = podesta.follow("torres")
    match.play("E d1")
    match.play("E a1", waive="TO-1.5")
    assert [turn.text for turn in match] == ["E d1", "E a1"]
    match.undo()
    assert match.why_not("E a1")
    match.undo()
    with pytest.raises(podesta.Error, match="nothing is left to take back"):
        match.undo()


def test_what_a_player_does_not_hold_cannot_be_played():
    match = podesta.new("san_gimignano", seed=1)
    possible = set(podesta.Match.legal(match))
    unknown = podesta.Match(match.rules, match.names)
    guesses = (unknown.pick(Random(n)) for n in range(999))
    false = next(step for step in guesses if step not in possible)
    assert "does not have what that takes" in match.why_not(false)
    with pytest.raises(podesta.Error, match="does not have"):
        match.play(false)


def test_a_real_table_reports():
    match = podesta.follow("san_gimignano", names=["Adso", "William"])
    assert (match.to_move, match.over) == (None, False)
    match.play(match.legal()[0])
    assert match.to_move == 0
    assert next(iter(match)).name == ""


def test_what_a_player_sees_besides():
    match = podesta.new("san_gimignano", seed=3)
    mine, theirs = match.seen_by(0), match.seen_by(1)
    assert mine.startswith(str(match))
    assert mine != theirs
    assert "Seat a holds" in mine
    assert "Seat b holds" in theirs


def test_branches_and_playouts_leave_the_match_alone():
    for game in podesta.GAMES:
        match = podesta.new(game, seed=4)
        before = str(match)
        points = match.playout(Random(1))
        assert points == match.playout(Random(1))
        assert len(points) == 2
        branch = match.copy()
        branch.play(branch.pick(Random(1)))
        assert str(match) == before
        assert str(branch) != before


@pytest.mark.parametrize("file", sorted(MATCHES.glob("*.match"))[:6], ids=lambda file: file.stem)
def test_a_recorded_match_gives_its_scores_by_turn(file):
    match = podesta.load(file)
    assert [turn.points for turn in match][-1] == tuple(match.score().values())


def test_a_journal_of_the_box_is_loaded(tmp_path):
    from device.match import Header, Library

    library = Library(tmp_path, simulated=True)
    library.open_match(Header("torres", ("Ada", "Bea"), podesta.new("torres").rules.setup))
    library.referee.step("E d1", seat=0, channel="keys")
    library.referee.wait()
    library.leave()
    (path,) = (tmp_path / "matches").glob("*.podesta")
    assert [(turn.name, turn.text) for turn in podesta.load(path)] == [("Ada", "E d1")]


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (lambda: podesta.new("tores"), "did you mean torres"),
        (lambda: podesta.new("torres", seats=9), "two to four players"),
        (lambda: podesta.new("torres", colour="red"), "colour"),
        (lambda: podesta.new("torres", level="most"), "level"),
        (lambda: podesta.new("torres", names=["Ada"]), "1 names for 2 seats"),
        (lambda: podesta.new("torres").seen_by(2), "no seat 2: they are 0 to 1"),
        (lambda: podesta.new("nines"), "game nines: its package is not installed, or was left out by --safe"),
    ],
)
def test_what_is_wrong_is_said(made, says):
    with pytest.raises(podesta.Error, match=says):
        made()


def test_it_needs_msgspec_and_nothing_else():
    """As somebody has it who installed the library without the box."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import podesta;"
        "match = podesta.new('marrakesh', seed=1); match.play(match.legal()[0]); print(match);"
        "tops = {name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names;"
        "print(*sorted(top for top in tops if not top.startswith('_')), file=sys.stderr)"
    )
    command = [sys.executable, "-P", "-c", code, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    # msgspec looks whether typing_extensions is there.
    assert set(done.stderr.split()) - {"typing_extensions"} == {"engines", "msgspec", "podesta"}


README, OWN = (ROOT / "engines" / "README.md").read_text("utf-8").split("## A game of your own\n")
PROGRAMS = re.findall(r"^## ([^\n]*)\n(?:(?!^## ).)*?^```python\n(.*?)^```", README, re.S | re.M)
BLOCKS = re.findall(r"^```\w+\n(.*?)^```", OWN, re.S | re.M)


def ran(title, program, capsys):
    exec(compile(program, title, "exec"), {"__name__": "page"})
    assert capsys.readouterr().out or "assert" in program


@pytest.mark.parametrize(("title", "program"), PROGRAMS, ids=[title for title, _ in PROGRAMS])
def test_the_programs_of_the_page_run_as_they_stand(title, program, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    ran(title, program, capsys)


def test_the_page_has_its_programs():
    assert len(PROGRAMS) == README.count("```python") == 6
    assert len(BLOCKS) == 5


def test_the_game_of_the_page_runs_as_it_stands(tmp_path, capsys):
    """Its files, taken from the page, are a package; the program beside them plays it."""
    _, program, *files = BLOCKS
    folder = tmp_path / "podesta_nines"
    folder.mkdir()
    for name, text in zip(("__init__.py", "rules.toml", "texts.en.toml"), files, strict=True):
        (folder / name).write_text(text, "utf-8")
    told(tmp_path, "nines", "podesta_nines:GAME")
    with on_the_path(tmp_path):
        ran("nines", program, capsys)
        assert {one.verdict for one in conforming("nines")} == {"ok"}


@pytest.mark.parametrize("name", ["__init__.py", "rules.toml", "texts.en.toml"])
def test_the_game_of_the_page_is_the_template_s(name):
    template = (GAME / "podesta_MINE" / f"{name}.txt").read_text("utf-8")
    assert named(template, "nines") in BLOCKS
