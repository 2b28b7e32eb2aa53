"""The library on the front page: it plays four games, and says why not."""

import inspect
import pickle
import re
import subprocess
import sys
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random

import msgspec
import pytest

import engines
import podesta
from device.sensors.kit import GAME, fill_in
from engines.conformance import conforming
from engines.contract import Game
from tests.engines.newcomers import on_the_path, told

ROOT = Path(podesta.__file__).parent
MATCHES = Path(__file__).parent / "matches"
SEATS = [(game, 2) for game in podesta.GAMES] + [(game, 3) for game in podesta.GAMES[1:]]


@cache
def finished(game, seats, seed):
    """Return a random match that has ended; nobody plays on with it."""
    match, chance = podesta.new(game, seats=seats, seed=seed), Random(seed)
    while not match.over:
        assert match.to_move is not None
        match.play(match.pick(chance))
    return match


@pytest.mark.parametrize(("game", "seats"), SEATS)
def test_a_random_match_to_its_end(game, seats):
    match = finished(game, seats, 3)
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
    for _ in range(2):
        legal = match.legal()
        assert match.pick(Random(2)) in legal
        shown, question = str(match), match.question
        step = chance.choice(legal)
        assert match.why_not(step) == ""
        match.play(step)
        assert str(match) != shown or match.question == question
        match.undo()
        assert (str(match), match.legal()) == (shown, legal)
        match.play(chance.choice(legal))


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
    with pytest.raises(podesta.Error, match="waiting for b"):
        match.play("E c3", seat=0)


def test_people_may_let_stand_what_a_clause_forbids():
    match = podesta.follow("torres")
    match.play("E d1")
    match.play("E a1", waive="TO-1.5")
    assert [turn.text for turn in match] == ["E d1", "E a1"]
    assert "overruled" not in match[0].said
    assert match[1].said.startswith("Seat b: ")
    assert match[1].said.endswith(" (overruled: TO-1.5)")
    match.undo()
    assert match.why_not("E a1")
    match.undo()
    with pytest.raises(podesta.Error, match="nothing is left to take back"):
        match.undo()


def test_a_seat_is_a_number_a_letter_or_a_name():
    match = podesta.new("san_gimignano", seed=3, names=("Adso", "William"))
    assert match.seen_by(0).startswith(str(match))
    assert "Adso holds" in match.seen_by(0)
    alike = podesta.new("torres", seats=3, names=("A", "A", "B"))
    assert alike.score() == {"A (a)": 0, "A (b)": 0, "B (c)": 0}
    assert match.seen_by(1) == match.seen_by("b") == match.seen_by("William") != match.seen_by("Adso")
    step = match.legal()[0]
    assert match.why_not(step, seat="Adso") == ""
    assert "waiting for" in match.why_not(step, seat="b")


def test_an_unread_step_shows_the_question_and_steps_as_legal_has_them():
    match = podesta.new("torres", seed=7)
    legal = ", ".join(match.legal())
    assert match.why_not("hello") == f"'hello' does not answer {match.question!r}; try {legal}"
    match = podesta.new("san_gimignano", seed=1)
    match.play(next(step for step in match.legal() if step.startswith("X")))
    (begun, *_) = [step for step in match.legal() if step.startswith("X")]
    why = match.why_not(f"{begun.split()[0]} zz")
    assert why.startswith("'zz' does not answer 'Card 1 to put in?'; try ")


def test_a_recorded_match_goes_back_and_on():
    match = podesta.load(MATCHES / "torres_two.match")
    there = match.copy(steps=60)
    assert list(there) == list(match)[:60]
    assert (there.over, match.over) == (False, True)
    there.play(match[60].text, match[60].seat)
    assert list(there) == list(match)[:61]
    for _ in range(2):
        there.undo()
    assert list(there) == list(match)[:59]
    played = match.copy(seed=4, steps=60)
    while not played.over:
        played.play(played.pick(Random(4)))
    assert list(played)[:60] == list(match)[:60]


@pytest.mark.parametrize("game", podesta.GAMES)
def test_a_match_with_a_world_goes_back_to_a_decision(game):
    match = finished(game, 2, 3)
    there = match.copy(steps=len(match) // 2)
    assert 0 < len(there) <= len(match) // 2
    assert list(there) == list(match)[: len(there)]
    assert there.to_move is not None
    assert match[len(there)].text in there.legal()


def test_what_a_player_does_not_hold_cannot_be_played():
    match = podesta.new("san_gimignano", seed=1)
    possible = set(podesta.Match.legal(match))
    unknown = podesta.Match(match.rules, match.names)
    guesses = (unknown.pick(Random(n)) for n in range(999))
    false = next(step for step in guesses if step not in possible)
    assert "does not have what that takes" in match.why_not(false)
    with pytest.raises(podesta.Error, match="does not have"):
        match.play(false)


@pytest.mark.parametrize("game", podesta.GAMES[:2])
def test_branches_and_playouts_leave_the_match_alone_and_one_seed_is_one_match(game):
    match = podesta.new(game, seed=4)
    before = str(match)
    assert before == str(podesta.new(game, seed=4))
    points = match.playout(Random(1))
    assert points == match.playout(Random(1))
    assert len(points) == 2
    branch = match.copy()
    branch.play(branch.pick(Random(1)))
    assert str(match) == before
    assert str(branch) != before


@pytest.mark.parametrize("game", podesta.GAMES)
def test_a_match_goes_to_another_process_and_to_a_file(game, tmp_path):
    match, chance = podesta.new(game, seed=3, names=("Ada", "Bea")), Random(1)
    for _ in range(4):
        match.play(match.pick(chance))
    for other in (pickle.loads(pickle.dumps(match)), deepcopy(match)):
        assert str(other) == str(match)
        step = match.pick(chance)
        for one in (match, other):
            one.play(step)
        assert str(other) == str(match)  # the same world answers
        for one in (match, other):
            one.undo()
    match.save(tmp_path / "one.match")
    assert str(podesta.load(tmp_path / "one.match")) == str(match)
    again = podesta.new(game, names=match.names, position=match.position)
    assert (str(again), again.position) == (str(match), match.position)


def test_a_match_is_cut_where_it_began_and_sliced_as_a_list():
    match = podesta.new("san_gimignano", seed=1)  # its market is reported before anybody decides
    assert len(match.copy(steps=0)) == len(match.copy(steps=-1)) == 1
    assert [step.number for step in match[:5]] == [1]
    assert match[-1] == match[0]
    with pytest.raises(IndexError, match="no step 5: there are 1"):
        match[5]
    assert podesta.new("torres", names=("A", "B", "C")).names == ("A", "B", "C")


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
        (lambda: podesta.new("torres", seats=9), "Torres is for 2 or 3 or 4 players"),
        (lambda: podesta.new("torres", seats=2, names=["Ada"]), "1 names for 2 seats"),
        (lambda: podesta.new("torres").save("/nowhere/torres.match"), "/nowhere/torres.match: No such file"),
        (lambda: podesta.new("torres").seen_by(2), "no seat 2: they are 0 to 1, or Seat a, Seat b"),
        (lambda: podesta.new("torres").play("E d1", seat="Ada"), "no seat 'Ada'"),
        (lambda: podesta.new("torres").play(3), "a step is text, as legal.. has it, not 3"),
        (lambda: podesta.new(3), "a game's name and a number of seats, not 3 and 2"),
        (lambda: podesta.follow("torres", 2.0), "not 'torres' and 2.0"),
        (lambda: podesta.new("torres", level="master"), "no level 'master': torres has full and score"),
        (lambda: podesta.new("torres", level=3), "no level 3: torres has full and score"),
        (lambda: podesta.new("torres", doors=True), "option doors is castle or descend, not 'yes'"),
        (
            lambda: podesta.new("torres").play("E d1", waive="TO-1.5"),
            "nothing forbids 'E d1': play it without",
        ),
        (lambda: podesta.load("none.podesta"), "none.podesta: no such match file"),
        (lambda: podesta.load(ROOT / "hardware/screen.png"), "screen.png: not a match file"),
        (lambda: podesta.new("nines"), "by --safe; there are san_gimignano, torres,"),
    ],
)
def test_what_is_wrong_is_said(made, says):
    with pytest.raises(podesta.Error, match=says):
        made()


def test_it_needs_msgspec_and_nothing_else():
    """People may install the library without the box."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import podesta;"
        "match = podesta.new('marrakesh', seed=1); match.play(match.legal()[0]); print(match);"
        "tops = {name.partition('.')[0] for name in sys.modules} - sys.stdlib_module_names;"
        "print(*sorted(top for top in tops if not top.startswith('_')), file=sys.stderr)"
    )
    command = [sys.executable, "-P", "-c", code, str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    # msgspec checks for typing_extensions.
    assert set(done.stderr.split()) - {"typing_extensions"} == {"engines", "msgspec", "podesta"}


README, OWN = (ROOT / "engines" / "README.md").read_text("utf-8").split("## A game of your own\n")
PROGRAMS = [
    (f"{title} {number}", program)
    for title, part in re.findall(r"^## ([^\n]*)\n((?:(?!^## ).)*)", README, re.S | re.M)
    for number, program in enumerate(re.findall(r"^```python\n(.*?)^```", part, re.S | re.M))
]
BLOCKS = re.findall(r"^```\w+\n(.*?)^```", OWN, re.S | re.M)


def ran(title, program, capsys):
    exec(compile(program, title, "exec"), {"__name__": "page"})
    assert capsys.readouterr().out or "assert" in program


@pytest.mark.parametrize(("title", "program"), PROGRAMS, ids=[title for title, _ in PROGRAMS])
def test_the_programs_of_the_page_run_as_they_stand(title, program, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    ran(title, program, capsys)


def test_the_page_names_what_there_is():
    for game in podesta.GAMES:
        (row,) = [line for line in README.splitlines() if line.startswith(f"| `{game}`")]
        options = [f"`{option.name}`" for option in podesta.new(game).rules.game.options]
        assert row.split(" | ")[-1] == f"{', '.join(options)} |"
    signatures = re.findall(r"^\| `(?:match\.)?(\w+)(?:\((.*?)\))?` \| \D", README, re.M)
    assert len(signatures) >= 15
    for name, shape in signatures:
        there = getattr(podesta if name in podesta.__all__ else podesta.Match, name)
        if not callable(there):
            assert (isinstance(there, property), shape) == (True, "")
            continue
        about = inspect.signature(there).parameters.values()
        told = [f"{'**' if one.kind is one.VAR_KEYWORD else ''}{one.name}" for one in about]
        assert re.sub(r"=[^,]*", "", shape.replace("()", "")).split(", ") == (
            told[told[0] == "self" :] or [""]
        )
    left_out = {one.name for one in msgspec.structs.fields(Game) if not one.required}
    assert left_out == {"options", "earlier", "telling"}


def test_the_page_has_its_programs():
    assert len(PROGRAMS) == README.count("```python") == 7
    assert len(BLOCKS) == 5


def test_the_game_of_the_page_runs_as_it_stands(tmp_path, capsys):
    """The files on the page are a package, and the program beside them plays it."""
    _, program, *files = BLOCKS
    folder = tmp_path / "podesta_nines"
    folder.mkdir()
    for name, text in zip(("__init__.py", "rules.toml", "texts.en.toml"), files, strict=True):
        (folder / name).write_text(text, "utf-8")
    told(tmp_path, "nines", "podesta_nines:GAME")
    with on_the_path(tmp_path):
        ran("nines", program, capsys)
        assert {one.verdict for one in conforming("nines")} == {"ok"}
        assert podesta.games() == (*podesta.GAMES, "nines")
        three = engines.game("nines").position
        assert three.read("piles=9,0,4/3,0,0/1,1,1 turn=17").adjusted == (0, 0, 0)
        assert "by_hand" not in three.write(three.read("piles=0,0,0/0,0,0/0,0,0"))


@pytest.mark.parametrize("name", ["__init__.py", "rules.toml", "texts.en.toml"])
def test_the_game_of_the_page_is_the_template_s(name):
    template = (GAME / "podesta_MINE" / f"{name}.txt").read_text("utf-8")
    assert fill_in(template, "nines") in BLOCKS
