import re
from importlib.resources import files

import pytest

from engines.errors import EngineError
from engines.rules import Clause, Rules, UnknownClause, load

GAMES = sorted(
    folder.name
    for folder in files("engines").iterdir()
    if folder.is_dir() and folder.joinpath("rules.toml").is_file()
)


SECTIONS = {
    "san_gimignano": ("SG", [4, 2, 13, 2, 9, 4, 2, 7, 12, 2, 2]),
    "torres": ("TO", [8, 2, 13, 9, 5, 3]),
    "castles_of_tuscany": ("CT", [6, 6, 8, 3, 10, 4, 4]),
    "marrakesh": ("MK", [8, 2, 4, 3, 8, 5, 3, 1, 4, 2, 3, 5, 5, 6, 4, 4, 5]),
}
"""How many clauses each section has; some expansions of Marrakesh have several of a number."""


@pytest.mark.parametrize("game", SECTIONS)
def test_every_clause_of_the_rulebook_is_there(game):
    prefix, counts = SECTIONS[game]
    numbered = [clause.id for clause in load(game) if clause.id.count(".") == 1]
    wanted = [f"{prefix}-{at}.{n}" for at, count in enumerate(counts, 1) for n in range(1, count + 1)]
    if game == "castles_of_tuscany":  # CT-2.0 comes before the others of its section
        wanted = [f"CT-2.{int(one[5:]) - 1}" if one.startswith("CT-2.") else one for one in wanted]
    assert numbered == wanted


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("SG-3.88", "SG-3.8"), ("sg-9.12", "SG-9.12"), ("SG5.3", "SG-5.3"), ("TO-8.4", "SG-8.4")],
)
def test_an_unknown_clause_names_the_nearest(wrong: str, nearest: str):
    rules = load("san_gimignano")
    assert rules.nearest(wrong) == nearest
    with pytest.raises(
        UnknownClause, match=f"^san_gimignano has no clause {wrong}; the nearest is {nearest}$"
    ):
        rules.clause(wrong)


def ids(clauses: list[Clause]) -> list[str]:
    return [clause.id for clause in clauses]


SOME = Rules(
    "x",
    "X",
    "",
    (
        Clause("X-1.1", "Parts", "A knight stands where no king does."),
        Clause("X-1.2", "Parts", "Kings build. Building ends it."),
        Clause("X-2.1", "The end of a king", "All is counted, 3 points each."),
    ),
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("king", ["X-1.2", "X-1.1", "X-2.1"]),  # the clause that speaks of it first comes first
        ("KNIGHT king", ["X-1.1"]),
        ("kin", ["X-1.2", "X-1.1", "X-2.1"]),
        ("ing", []),
        ("king queen", []),
        ("x-1.1", ["X-1.1"]),
        ("x-1", ["X-1.1", "X-1.2"]),
        ("3", ["X-2.1"]),
        ("", []),
        ("?!", []),
    ],
)
def test_clauses_are_found_by_their_words(text: str, found: list[str]):
    assert sorted(ids(SOME.search(text))) == sorted(found)
    assert ids(SOME.search(text))[:1] == found[:1]


def test_the_index_has_every_word_that_leads_somewhere_once():
    assert SOME.index == ("build", "counted", "end", "king", "knight", "parts", "points", "stands")


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_the_index_finds_clauses_and_no_word_stands_beside_its_plural(game: str):
    rules = load(game)
    for word in rules.index[::5]:
        assert rules.search(word), word
        assert not {word + "s", word + "ed", word + "ing"} & set(rules.index)
    assert not {"the", "and", "not"} & set(rules.index)


def test_words_are_looked_up_as_they_are_read():
    clauses = (
        Clause("X-1.1", "城", "城を建設します。ブロックは城の一部です。"),
        Clause("X-1.2", "騎士", "裁定: 騎士は塔に登れます。"),
    )
    readings = {"建設": "ケンセツ", "城": "シロ", "騎士": "キシ", "農場": "ノウジョウ"}
    rules = Rules("x", "X", "", clauses, ruling="裁定: ", readings=readings)
    assert rules.index == ("騎士", "建設", "城", "ブロック")
    assert [rules.reading(word) for word in rules.index] == ["キシ", "ケンセツ", "シロ", "ブロック"]
    assert rules.subject(rules.clause("X-1.2")) == "騎士は塔に登れます"


@pytest.mark.parametrize("game", ["chess", "", "../device"])
def test_a_game_without_rules(game: str):
    with pytest.raises(EngineError, match="no rules for a game"):
        load(game)


def test_an_id_stands_once():
    clause = Clause("X-1", "One", "Text")
    with pytest.raises(ValueError, match="x: clause X-1 is there twice"):
        Rules("x", "X", "", (clause, clause))


@pytest.mark.parametrize("game", GAMES)
def test_every_game(game: str):
    rules = load(game)
    assert rules.game == game
    ids = {clause.id for clause in rules}
    for clause in rules:
        assert rules.clause(clause.id) is clause
        assert clause.section
        assert clause.text == clause.text.strip() != ""
        notes = r"\b(sheets?|digest|overview|edition|sources?|published|mistranslation|engine|default)\b"
        assert not re.search(rf"_|{notes}", clause.text), f"{clause.id}: a note, or a name of the program"
        assert not re.search(r"[*`_]{2}|`|\n|\t", clause.text), f"{clause.id}: markdown or a line end"
        # A clause that is cited in full exists; "SG-9" alone is a section.
        prefix = clause.id.partition("-")[0]
        cited = set(re.findall(rf"{prefix}-\d+\.\d+", clause.text))
        assert cited <= ids, f"{clause.id} cites {cited - ids}"
