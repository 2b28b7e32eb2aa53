"""The file of a copy: read strictly, changed without losing anything, there whole or not at all."""

import os
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from device.copy_file import CopyFile, FactsError, digest_of, edited, parse, template
from device.texts import Texts
from engines import GAMES
from engines.fact_kinds import item_of, opened
from engines.fact_words import FactWords
from engines.facts import Facts, Known, Standing, schema
from engines.marrakesh.facts import SCHEMA as MARRAKESH
from tests.device.copies import bazaar_texts
from tests.engines.fact_strategies import BAZAAR, COLOURS, Oasis
from tests.engines.test_facts import copies

WORDS = FactWords(BAZAAR, bazaar_texts())
HEAD = 'format = 1\ngame = "bazaar"\n'
MUST = 'must begin with format = 1 and game = "bazaar": is it of this game?'
OASIS = {"points": 3, "colours": ["white", "pink"]}


def read(text):
    return parse(text.encode() if isinstance(text, str) else text, Path("b.toml"), WORDS)


def said(text):
    return [str(problem) for problem in read(text).problems]


@pytest.fixture
def file(tmp_path):
    return CopyFile(tmp_path / "state" / "facts" / "bazaar.toml", WORDS)


class TestReading:
    def test_everything_that_fits(self):
        loaded = read(
            HEAD + 'copy = "Anna\'s"\nsample = true\nriver = 12\nrapids = [7, 2]\ntray = 91.5\n'
            '[oasis]\n04 = { points = 3, colours = ["white", "pink"] }\n'
            '[oasis.06]\npoints = 1\ncolours = [\n  "pink", # as printed\n]\n'
        )
        assert loaded.problems == ()
        assert (loaded.facts.copy, loaded.facts.sample) == ("Anna's", True)
        assert loaded.facts.confirmed == {
            "river": 12,
            "rapids": {2, 7},
            "oasis.04": Oasis(3, ("white", "pink")),
            "oasis.06": Oasis(1, ("pink",)),
            "tray": 91.5,
        }

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("rivver = 12", "b.toml:3: unknown key rivver; did you mean river?"),
            ("[oasys]\n04 = 1", "b.toml:3: unknown key oasys; did you mean oasis?"),
            ("# a\n\n[cost]\n# b\nlefft = 1", 'b.toml:7: in cost, "lefft" must be one of left, right'),
            ("oasis = 3", "b.toml:3: oasis must be a section, not 3"),
            ("river = 4", "b.toml:3: river must be 5 to 40 steps, not 4"),
            ("tray = nan", "b.toml:3: tray must be 40 to 300 mm, not NaN"),
            ("disc = [1, 2, 3, 4, 5, 0, 0, 0]", "b.toml:3: disc[5] must be 0 to 4, not 5"),
            ("disc = [1, 2]", "b.toml:3: disc must be 8 times 0 to 4, not a list of 2"),
            ("rapids = []", "b.toml:3: rapids must be 1 to 6 times 1 to 40, all different, not a list of 0"),
            ("[oasis]\n04 = 3", "b.toml:4: oasis.04 must be a section: [oasis.04], not 3"),
            ("[oasis]\n04 = { points = 3 }", "b.toml:4: oasis.04.colours is missing"),
            (
                '[oasis]\n\n04 = { points = 3, colours = ["pnik"] }',
                "b.toml:5: oasis.04.colours[1] must be one of " + ", ".join(COLOURS) + ', not "pnik"',
            ),
            (
                '[oasis.04]\npoints = 3\ncolour = ["pink"]\ncolours = ["pink"]',
                "b.toml:5: unknown key oasis.04.colour; did you mean colours?",
            ),
            ("river = 12\nrapids = [13]", "b.toml:4: river and rapids: rapid 13 is beyond the river's end"),
        ],
    )
    def test_a_mistake_is_named_with_file_line_and_key(self, text, problem):
        assert said(HEAD + text) == [problem]

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ('A2 = "icmvvimrrv"', ""),
            ('A2 = "icmvvimrr"', 'A2 must be {ten} (there are 9), not "icmvvimrr"'),
            (
                'A2 = "icmvvimrro"',
                "A2 must be {ten} (o, number 10, is none of them; is it v village, orange?), "
                'not "icmvvimrro"',
            ),
            ('A2 = "ICMVVIMRRV"', 'A2 must be {ten}, not "ICMVVIMRRV"'),
            ("A2 = 10", "A2 must be {ten}, not 10"),
            ('A2 = "ccmcvcmrrv"', "A2: 4 castles, but a whole region has three"),
        ],
    )
    def test_signs_are_named_by_number_and_the_nearest_in_words(self, text, why):
        words = FactWords(schema("castles_of_tuscany"), Texts.load("en", "castles_of_tuscany", strict=True))
        data = f'format = 1\ngame = "castles_of_tuscany"\n[board]\n{text}\n'
        problems = [str(one) for one in parse(data.encode(), Path("c.toml"), words).problems]
        ten = "10 of the letters c t i f q v m r"
        assert problems == [f"c.toml:4: board.{why.format(ten=ten)}"] * bool(why)

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("", "b.toml: " + MUST),
            ('format = true\ngame = "bazaar"\n', "b.toml:1: format must be a whole number, not true"),
            ('format = 2\ngame = "bazaar"\n', "b.toml:1: " + MUST),
            ('format = 1\ngame = "torres"\n', "b.toml:2: " + MUST),
            (HEAD + f"copy = '{'x' * 33}'\n", f'b.toml:3: copy must be up to 32 letters, not "{"x" * 33}"'),
            (HEAD + 'sample = "yes"\n', 'b.toml:3: sample must be true or false, not "yes"'),
            (HEAD + "digest = 3\n", "b.toml:3: digest must be a text in quotes, not 3"),
            (HEAD + "river = \n", "b.toml:3: not valid TOML: Invalid value"),
            (HEAD + "river = 12\nriver = 13\n", "b.toml:4: not valid TOML: Cannot overwrite a value"),
            (HEAD.encode() + b"# \xff\n", "b.toml:3: not UTF-8 text"),
        ],
    )
    def test_of_a_file_that_is_not_one_nothing_is_used(self, text, problem):
        loaded = read(text if isinstance(text, bytes) else text + "river = 12\n" * ("river" not in text))
        assert str(loaded.problems[0]) == problem
        assert not loaded.sound
        assert loaded.facts == Facts.of(BAZAAR)

    def test_a_faulty_fact_is_unknown_and_the_rest_is_used(self):
        loaded = read(HEAD + "river = 4\ntray = 91\nnonsense = 1\n[oasis]\n05 = 3\n")
        assert len(loaded.problems) == 3
        assert loaded.sound
        assert loaded.facts.confirmed == {"tray": 91.0}
        assert loaded.facts.known["oasis.05"].standing is Standing.LIKELY

    def test_a_byte_order_mark_and_other_line_ends_are_read(self):
        loaded = read(b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode() + b"river = 4\r\n")
        assert str(*loaded.problems) == "b.toml:3: river must be 5 to 40 steps, not 4"


class TestTemplate:
    def test_it_says_what_each_may_be_and_where_from(self):
        text = template(Facts.of(BAZAAR), WORDS)
        assert "# River: About river.\n# 5 to 40 steps; only your copy tells; MK-1\n#river =\n" in text
        assert "# 40 to 300 mm; sure; for the camera; MK-1\n#tray = 90\n" in text
        assert "\n# Oases: About oasis.\n# a table of points: 0 to 9; colours: 1 to 3 times one of " in text
        assert '\n#oasis.03 = { points = 2, colours = ["pink"] }\n#oasis.04 =\n#oasis.05 = {' in text
        assert all(f"\n#{fact.name} =" in text for fact in BAZAAR)

    @settings(max_examples=10)
    @given(copies())
    def test_filled_in_line_by_line_it_is_the_same_text(self, facts):
        known, text = Facts.of(BAZAAR, facts.copy), template(Facts.of(BAZAAR, facts.copy), WORDS)
        for name, value in facts.confirmed.items():
            before, known = (
                known,
                replace(known, known={**known.known, name: Known(value, Standing.CONFIRMED)}),
            )
            text = edited(text, before, known, [name])
        assert text == template(facts, WORDS)
        assert edited(text, facts, Facts.of(BAZAAR, facts.copy), facts.known) == template(
            Facts.of(BAZAAR, facts.copy), WORDS
        )


class TestExport:
    @given(copies(), st.booleans())
    def test_it_reads_back_and_its_digest_fits(self, facts, sample):
        facts = Facts(BAZAAR, facts.known, facts.copy, sample)
        loaded = read(template(facts, WORDS, export=True))
        assert (loaded.problems, loaded.facts, loaded.digest) == ((), facts, digest_of(facts))

    def test_a_torn_or_garbled_one_is_noticed(self):
        """Cut off or with a byte changed, at every twelfth place, it is no export, or says the same."""
        facts = Facts.of(BAZAAR, "Anna's").confirm({"river": 12, "oasis.04": OASIS, "tray": 91})
        whole = template(facts, WORDS, export=True).encode()
        for cut in range(0, len(whole) - 1, 12):
            loaded = read(whole[:cut])
            assert loaded.problems or not loaded.digest or loaded.facts == facts, whole[:cut]
        for at in range(1, len(whole), 12):
            bit = (0x01, 0x04, 0x20, 0x80)[at // 12 % 4]
            damaged = whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :]
            loaded = read(damaged)
            assert loaded.problems or not loaded.digest or loaded.facts == facts, damaged

    def test_one_that_was_changed_is_refused_with_the_line(self):
        text = template(Facts.of(BAZAAR).confirm({"river": 12}), WORDS, export=True)
        line = next(at for at, row in enumerate(text.split("\n"), 1) if row.startswith("digest"))
        assert said(text.replace("river = 12", "river = 13")) == [
            f"b.toml:{line}: digest does not fit: something was changed after the export"
        ]


HAND = """\
# Anna's copy, measured on Sunday
format = 1   # by hand
game = "bazaar"

tray = 91.5 # the small ruler
rapids = [
  7, # the wild one
  2,
]
[oasis]
# from the back of the box
04 = { points = 3, colours = ["white"] } # sure?

[cost]
left = { dates = 1, dinars = 0, water = 0 }
# that is all
"""

NESTED = HEAD + '[oasis.04]\n# seen\npoints = 3 # really\ncolours = ["white"]\n\n[cost.left]\ndates = 1\n'
NESTED += "dinars = 0\nwater = 0\n"
DOTTED = (
    HEAD + 'oasis.04 = { points = 3, colours = ["white"] }\ncost.left.dates = 1\n# c\ncost.left.dinars = 0\n'
)
DOTTED += "cost.left.water = 0\n"
BARE = HEAD.rstrip()


class TestChanging:
    def test_only_what_is_named_changes(self, file):
        file.write(HAND)
        file.put({"tray": 92.0, "oasis.05": Oasis(3, ("white",)), "river": 12})
        text = file.path.read_text()
        assert file.load().facts.confirmed == read(HAND).facts.confirmed | {
            "tray": 92.0,
            "oasis.05": Oasis(3, ("white",)),
            "river": 12,
        }
        kept = [row for row in HAND.split("\n") if row and not row.startswith("tray")]
        assert [row for row in text.split("\n") if row in kept] == kept
        assert "tray = 92 # the small ruler\n" in text

    @pytest.mark.parametrize("base", [HAND, NESTED, DOTTED, BARE, template(Facts.of(BAZAAR), WORDS)])
    @settings(max_examples=12)
    @given(data=st.data())
    def test_any_layout_takes_any_change(self, base, data):
        """These, as people write them, take every change; what would not is refused, see below."""
        old, wish = read(base).facts, data.draw(copies())
        names = data.draw(st.lists(st.sampled_from(list(BAZAAR.facts)), max_size=6, unique=True))
        changes = {name: wish.confirmed.get(name) for name in names}
        told = wish.confirmed.keys()
        known = {name: wish.known[name] if name in told else BAZAAR.fact(name).default for name in names}
        copy = data.draw(st.sampled_from((old.copy, "Bert's")))
        text = edited(base, old, replace(old, known={**old.known, **known}, copy=copy), names)
        assert text is not None
        want = {name: value for name, value in (old.confirmed | changes).items() if value is not None}
        loaded = read(text)
        assert all("river and rapids" in problem.message for problem in loaded.problems)
        if not loaded.problems:
            assert loaded.facts.confirmed == want
        remarks = [row for row in base.split("\n") if row.startswith("# ")]
        if "[oasis.04]" in base and "oasis.04" in names and changes["oasis.04"] is None:
            remarks.remove("# seen")  # a section that is forgotten goes with what stands in it
        assert [row for row in text.split("\n") if row in remarks] == remarks

    def test_the_first_one_makes_a_template(self, file):
        assert file.load().text is None
        facts = file.put({"river": 12}, copy="Anna's")
        assert file.path.read_text() == template(facts, WORDS)
        assert file.load().facts == facts

    def test_the_digest_of_an_export_goes(self, file):
        file.write(template(Facts.of(BAZAAR).confirm({"river": 12}), WORDS, export=True))
        file.put({"river": 13})
        assert (file.load().digest, file.load().problems) == ("", ())

    def test_a_faulty_line_stays_for_its_owner_to_mend(self, file):
        file.write(HEAD + "river = 4 # odd\nnonsense = 1\n")
        file.put({"tray": 91.0})
        assert "river = 4 # odd\nnonsense = 1\n" in file.path.read_text()
        file.put({"river": 5})
        assert "river = 5 # odd\n" in file.path.read_text()

    def test_what_does_not_fit_the_file_changes_nothing(self, file):
        file.write(HEAD + "river = 12\n")
        with pytest.raises(FactsError, match="river and rapids: rapid 13 is beyond") as refused:
            file.put({"rapids": (13,)})
        assert refused.value.said == "rapid 13 is beyond the river's end"
        with pytest.raises(FactsError, match="5 to 40 steps, not 41"):
            file.put({"river": 41})
        assert file.path.read_text() == HEAD + "river = 12\n"

    @pytest.mark.parametrize("text", ["river = = 3\n", 'format = 2\ngame = "bazaar"\n', "\xff"])
    def test_a_file_that_is_not_one_is_left_alone(self, file, text):
        file.path.parent.mkdir(parents=True)
        file.path.write_text(text, "latin-1")
        with pytest.raises(FactsError, match=r"bazaar\.toml:1: "):
            file.put({"river": 12})
        assert file.path.read_text("latin-1") == text

    def test_a_folder_or_a_pipe_in_its_place_makes_nobody_wait(self, file):
        file.path.mkdir(parents=True)
        assert [str(problem) for problem in file.load().problems] == [
            f"{file.path}: cannot be read: Is a directory"
        ]
        with pytest.raises(FactsError, match="cannot be read"):
            file.put({"river": 12})
        file.path.rmdir()
        os.mkfifo(file.path)
        assert not file.load().sound
        with pytest.raises(FactsError, match="cannot be read"):
            file.put({"river": 12})

    def test_a_layout_that_cannot_be_changed_is_refused(self, file):
        text = HEAD + 'oasis = { "04" = { points = 3, colours = ["white"] } }\nx = nan\n'
        file.write(text)
        with pytest.raises(FactsError, match="use an editor"):
            file.put({"oasis.06": Oasis(1, ("pink",))})
        assert file.path.read_text() == text


MARRAKESH_WORDS = FactWords(MARRAKESH, Texts.load("en", "marrakesh", strict=True))


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
        ("gate_places", "ntygkwbp", "brown, turquoise, gray, green, black, white, beige, pink"),
    ],
)
def test_a_value_is_said_in_words(name, value, said):
    assert MARRAKESH_WORDS.value(MARRAKESH.fact(name).kind, value) == said


def test_every_word_that_has_a_table_has_a_name_of_its_own():
    """Texts are strict here: a missing one raises."""
    tables = 0
    for fact in MARRAKESH:
        assert MARRAKESH_WORDS.label(fact)
        assert MARRAKESH_WORDS.about(fact)
        assert not fact.table or MARRAKESH_WORDS.table(fact.table)
        for kind in filter(None, (fact.kind, item_of(fact.kind))):
            if opened(kind)[1].get("called"):
                words = opened(kind)[1]["words"]
                names = [MARRAKESH_WORDS.called(kind, word) for word in words]
                assert len({*names}) == len(words), fact.name
                tables += 1
    assert tables > 100


def test_what_is_chosen_by_its_name_is_not_told_as_codes():
    assert "harvest" not in MARRAKESH_WORDS.remark(MARRAKESH.fact("scroll.23"))
    assert "5 to 40 spaces" in MARRAKESH_WORDS.remark(MARRAKESH.fact("river_length"))


def test_a_record_is_told_by_the_names_of_its_file_or_of_people():
    torres = schema("torres")
    words, card = FactWords(torres, Texts.load("ja", "torres", strict=True)), torres.fact("master_card.1")
    assert re.findall("name|says|名前|内容", words.remark(card)) == ["name", "says"]
    assert re.findall("name|says|名前|内容", words.domain(card.kind, card)) == ["名前", "内容"]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_counted_has_a_unit_in_each_language(game):
    """Letters stay where they are what is written: signs of spaces, and mm."""
    words, facts = FactWords(schema(game), Texts.load("ja", game, strict=True)), Facts.of(schema(game))
    said = [words.range(fact.kind, facts) for fact in facts.schema]
    assert [one for one in said if re.search("[a-z]{3,}", one)] == []
