"""Facts in words, looked at in a game whose facts are words of its own: Marrakesh."""

import pytest

from device.texts import Texts
from engines.fact_kinds import item_of, opened
from engines.fact_words import FactWords
from engines.marrakesh.facts import SCHEMA

WORDS = FactWords(SCHEMA, Texts.load("en", "marrakesh", strict=True))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("scroll.23", "harvest_water", "date pickers bring dates or water"),
        ("rapid_bonus", ("vp", "any"), "1 VP, 1 resource of choice"),
        ("link.12", (), "-"),
        ("price.left1", (0, 1, 2), "Water 0, Dates 1, Dinars 2"),
        (
            "good.lamp2",
            (0, 0, 1, 2, 1, 0, 0),
            "Yellow 0, Purple 0, Orange 1, VP 2, Water 1, Dates 0, Dinars 0",
        ),
        ("gate_oasis.01", ("t2", "g1"), "turquoise 2, green 1"),
        ("good_oasis.14", "lamp3", "oil lamp, VP 3"),
        ("more_counts", "yes", "yes"),
        ("jetty", (7, 5), "7 5"),
    ],
)
def test_a_value_is_said_in_words(name, value, said):
    assert WORDS.value(SCHEMA.fact(name).kind, value) == said


def test_every_word_that_has_a_table_has_a_name_of_its_own():
    """Texts are strict here: a missing one raises."""
    tables = 0
    for fact in SCHEMA:
        assert WORDS.label(fact)
        assert WORDS.about(fact)
        assert not fact.table or WORDS.table(fact.table)
        for kind in filter(None, (fact.kind, item_of(fact.kind))):
            if opened(kind)[1].get("called"):
                words = opened(kind)[1]["words"]
                names = [WORDS.called(kind, word) for word in words]
                assert len({*names}) == len(words), fact.name
                tables += 1
    assert tables > 100


def test_what_is_chosen_by_its_name_is_not_told_as_codes():
    assert "harvest" not in WORDS.remark(SCHEMA.fact("scroll.23"))
    assert "5 to 40 spaces" in WORDS.remark(SCHEMA.fact("river_length"))


def test_one_that_is_counted_is_no_plural():
    kind = item_of(SCHEMA.fact("disc").kind)
    said = [WORDS.value(kind, number) for number in (0, 1, 3)]
    assert said == ["0 spectators", "1 spectator", "3 spectators"]
