"""What a match file tells of the copy: it reads back, the replay goes by it, what cannot be is refused."""

import pytest

from engines import matchfile
from engines.contract import Setup
from engines.errors import BadMatchFile
from tests.engines.test_matchfile import play

FILE = """\
podesta match 1
game: torres
seats: Adso, William
fact.cell_pitch: confirmed 22 mm
fact.start_castles: likely a1 c1 e1 g1 a8 c8 e8 g8
facts.copy: Anna's: the blue one
facts.sample: yes

1 a E a1
2 b E g8
3 b K c1
"""


def test_the_replay_goes_by_it():
    file = matchfile.read(FILE)
    assert dict(file.setup.facts)["facts.copy"] == "Anna's: the blue one"
    match = play(FILE)
    assert "blocks=1.1.1.1///////1.1.1.1 a=a1 b=g8 king=c1" in match.game.position.write(match.state)
    headers = FILE.partition("\n\n")[0].splitlines()
    assert set(headers) <= set(matchfile.write(file).splitlines())


def test_without_it_the_usual_copy_is_supposed():
    with pytest.raises(BadMatchFile, match=r"x\.match:9: TO-1\.5: "):
        play(
            FILE.replace("fact.start_castles: likely a1 c1 e1 g1 a8 c8 e8 g8", "fact.start_castles: unknown")
        )


def test_a_file_written_before_there_were_facts_replays():
    plain = "podesta match 1\ngame: torres\n\n1 a E d1\n2 b E c3\n3 b K f3\n"
    assert matchfile.read(plain).setup == Setup()
    assert play(plain).steps == play(matchfile.write(matchfile.read(plain))).steps


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("cell_pitch", "cell_pich", "4: unknown header 'fact.cell_pich'; did you mean 'fact.cell_pitch'?"),
        ("facts.copy", "facts.coppy", "6: unknown header 'facts.coppy'; did you mean 'facts.copy'?"),
        ("confirmed 22", "22", "4: fact.cell_pitch: standing (got 22 mm)"),
        ("22 mm", "9 mm", "4: fact.cell_pitch: value (got 9 mm)"),
        ("likely a1 c1", "likely a9 c1", "5: fact.start_castles: value (got a9 c1 "),
        ("sample: yes", "sample: si", "7: facts.sample is yes or no, not 'si'"),
        (
            "facts.copy: Anna's: the blue one",
            "fact.block_width: confirmed 23 mm",
            "4: fact.cell_pitch fact.block_width: block_fits (",
        ),
    ],
)
def test_what_cannot_be_is_named_with_its_line(old, new, message):
    assert old in FILE
    with pytest.raises(BadMatchFile) as refused:
        play(FILE.replace(old, new, 1))
    assert str(refused.value).startswith(f"x.match:{message}")
    assert "\n" not in str(refused.value)


def test_a_header_that_says_nothing_is_as_if_it_were_not_there():
    text = FILE.replace("facts.copy: Anna's: the blue one", "facts.copy:")
    assert matchfile.read(text).setup == matchfile.read(text.replace("facts.copy:\n", "")).setup


def test_a_game_without_facts_knows_no_such_header():
    with pytest.raises(BadMatchFile, match=r"x\.match:3: unknown header 'facts.copy'"):
        play("podesta match 1\ngame: san_gimignano\nfacts.copy: Anna's\n\n")
