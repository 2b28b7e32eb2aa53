"""The file of a copy: read strictly, changed without losing anything, there whole or not at all."""

from __future__ import annotations

import errno
import os
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device import files as small_files
from device.facts.file import CopyFile, FactsError, parse
from device.facts.text import digest_of, edited, exported, template
from device.facts.words import FactWords
from engines.fact_kinds import bare
from engines.facts import BadFact, Facts, Standing
from tests.device.copies import bazaar_texts
from tests.engines.fact_strategies import BAZAAR
from tests.engines.test_facts import copies

WORDS = FactWords(bazaar_texts())
HEAD = 'format = 1\ngame = "bazaar"\n'
OASIS = {"points": 3, "colours": ["white", "pink"]}


def read(text, schema=BAZAAR):
    return parse(text.encode() if isinstance(text, str) else text, schema, "b.toml", WORDS)


def said(text):
    return [str(problem) for problem in read(text).problems]


@pytest.fixture
def file(tmp_path):
    return CopyFile(tmp_path / "state" / "facts" / "bazaar.toml", BAZAAR, WORDS.texts)


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
            "rapids": (2, 7),
            "oasis.04": (3, ("white", "pink")),
            "oasis.06": (1, ("pink",)),
            "tray": 91.5,
        }

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("rivver = 12", "b.toml:3: unknown key rivver; did you mean river?"),
            ("[oasys]\n04 = 1", "b.toml:3: unknown key oasys; did you mean oasis?"),
            ("zzzzzzz = 12", "b.toml:3: unknown key zzzzzzz"),
            ("# a\n\n[cost]\n# b\nlefft = 1", "b.toml:7: unknown key cost.lefft; did you mean cost.left?"),
            (
                "[oasis]\nriver = 12",
                "b.toml:4: unknown key oasis.river; river belongs above the first [section]",
            ),
            ("[cost]\ncopy = 'x'", "b.toml:4: unknown key cost.copy; copy belongs above the first [section]"),
            ("oasis = 3", "b.toml:3: oasis must be a section: [oasis]"),
            ("river = 4", "b.toml:3: river: 5 to 40 steps, not 4"),
            ("river = '12'", 'b.toml:3: river: a whole number, please, not "12"'),
            ("tray = 9.1", "b.toml:3: tray: 40 to 300 mm, not 9.1; if that is cm, it is 91 mm"),
            ("tray = '91 mm'", 'b.toml:3: tray: a number of mm without quotes: 91, not "91 mm"'),
            ("tray = 91.25", "b.toml:3: tray: to a tenth of a mm: 91.2, not 91.25"),
            ("disc = [1, 2, 3, 4, 5, 0, 0, 0]", "b.toml:3: disc[5]: 0 to 4, not 5"),
            ("disc = [1, 2]", "b.toml:3: disc: 8 to 8 of them, not 2"),
            ("rapids = [2, 2]", "b.toml:3: rapids[2]: 2 is there twice"),
            ("[oasis]\n04 = 3", "b.toml:4: oasis.04: a table, please, not 3"),
            ("[oasis]\n04 = { points = 3 }", "b.toml:4: oasis.04.colours: colours is missing"),
            (
                '[oasis]\n\n04 = { points = 3, colours = ["pnik"] }',
                'b.toml:5: oasis.04.colours[1]: "pnik" is not among them; the nearest is pink',
            ),
            (
                '[oasis.04]\npoints = 3\ncolour = ["pink"]\ncolours = ["pink"]',
                'b.toml:3: oasis.04.colour: no field "colour"; the nearest is colours',
            ),
            ("river = 12\nrapids = [13]", "b.toml:4: river and rapids: rapid 13 is beyond the river's end"),
        ],
    )
    def test_a_mistake_is_named_with_file_line_and_key(self, text, problem):
        assert said(HEAD + text) == [problem]

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("", "b.toml: format = 1 is missing: is this a file of facts?"),
            ('game = "bazaar"\n', "b.toml: format = 1 is missing: is this a file of facts?"),
            ('format = true\ngame = "bazaar"\n', "b.toml:1: format = 1 is missing: is this a file of facts?"),
            ('format = 2\ngame = "bazaar"\n', "b.toml:1: format 2 is of a later podesta; this one reads 1"),
            ('format = 1\ngame = "torres"\n', 'b.toml:2: facts of torres; expected game = "bazaar"'),
            ("format = 1\n", 'b.toml: game is missing; expected game = "bazaar"'),
            (HEAD + "copy = 3\n", "b.toml:3: copy must be a name of up to 32 letters in quotes"),
            (HEAD + f"copy = '{'x' * 33}'\n", "b.toml:3: copy must be a name of up to 32 letters in quotes"),
            (HEAD + 'sample = "yes"\n', "b.toml:3: sample must be true or false"),
            (HEAD + "digest = 3\n", "b.toml:3: digest must be a text in quotes"),
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
        assert loaded.facts.known("oasis.05").standing is Standing.LIKELY

    def test_of_two_that_contradict_each_other_neither_is_used(self):
        for text in ("river = 12\nrapids = [13]\n", "rapids = [13]\nriver = 12\n"):
            assert read(HEAD + text).facts.confirmed == {}

    def test_problems_come_by_line(self):
        loaded = read(HEAD + "river = 4\nx = 1\n[oasis]\n04 = 3\n99 = 3\n")
        assert [problem.line for problem in loaded.problems] == [3, 4, 6, 7]

    def test_a_byte_order_mark_and_other_line_ends_are_read(self):
        loaded = read(b"\xef\xbb\xbf" + HEAD.replace("\n", "\r\n").encode() + b"river = 4\r\n")
        assert str(*loaded.problems) == "b.toml:3: river: 5 to 40 steps, not 4"


class TestTemplate:
    def test_it_says_what_each_may_be_and_where_from(self):
        text = template(Facts.of(BAZAAR), WORDS)
        assert "# River: About river.\n# 5 to 40 steps; only your copy tells; MK-1\n#river =\n" in text
        assert "# 40 to 300 mm; sure; for the camera; MK-1\n#tray = 90\n" in text
        assert "\n[oasis]\n# About oasis.\n" in text
        assert '\n#03 = { points = 2, colours = ["pink"] }\n#04 =\n#05 = {' in text
        assert all(f"\n#{fact.name.rpartition('.')[2]} =" in text for fact in BAZAAR)

    def test_what_is_behind_a_sign_is_not_known(self):
        loaded = read(template(Facts.of(BAZAAR), WORDS))
        assert (loaded.problems, loaded.facts) == ((), Facts.of(BAZAAR))

    def test_one_that_was_taken_off_and_not_filled_in_is_named(self):
        text = template(Facts.of(BAZAAR), WORDS).replace("#river =", "river =")
        line = text.split("\n").index("river =") + 1
        assert said(text) == [f"b.toml:{line}: not valid TOML: Invalid value"]

    @given(copies(), st.booleans())
    def test_filled_in_it_reads_back(self, facts, sample):
        facts = Facts(BAZAAR, facts.states, facts.copy, sample)
        loaded = read(template(facts, WORDS))
        assert (loaded.problems, loaded.facts) == ((), facts)

    @given(copies())
    def test_filled_in_line_by_line_it_is_the_same_text(self, facts):
        text = template(Facts.of(BAZAAR, facts.copy), WORDS)
        for name, value in facts.confirmed.items():
            text = edited(text, BAZAAR, {name: value})
        assert text == template(facts, WORDS)


class TestExport:
    @given(copies(), st.booleans())
    def test_it_reads_back_and_its_digest_fits(self, facts, sample):
        facts = Facts(BAZAAR, facts.states, facts.copy, sample)
        loaded = read(exported(facts, WORDS))
        assert (loaded.problems, loaded.facts, loaded.digest) == ((), facts, digest_of(facts))

    def test_a_torn_or_garbled_one_is_noticed(self):
        """Cut off anywhere or with any byte changed it is no export, or says the same."""
        facts = Facts.of(BAZAAR, "Anna's").confirm("river", 12).confirm("oasis.04", OASIS).confirm("tray", 91)
        whole = exported(facts, WORDS).encode()
        for cut in range(len(whole) - 1):
            loaded = read(whole[:cut])
            assert loaded.problems or not loaded.digest, whole[:cut]
        for at in range(len(whole)):
            for bit in (0x01, 0x04, 0x20, 0x80):
                damaged = whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :]
                loaded = read(damaged)
                assert loaded.problems or not loaded.digest or loaded.facts == facts, damaged

    def test_one_that_was_changed_is_refused_with_the_line(self):
        text = exported(Facts.of(BAZAAR).confirm("river", 12), WORDS)
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
        file.put({"tray": 92.0, "oasis.05": (3, ("white",)), "river": 12})
        text = file.path.read_text()
        assert file.load().facts.confirmed == read(HAND).facts.confirmed | {
            "tray": 92.0,
            "oasis.05": (3, ("white",)),
            "river": 12,
        }
        kept = [row for row in HAND.split("\n") if row and not row.startswith("tray")]
        assert [row for row in text.split("\n") if row in kept] == kept
        assert "tray = 92 # the small ruler\n" in text

    def test_the_same_again_changes_no_byte(self, file):
        file.write(HAND)
        file.put({"tray": 91.5, "rapids": (2, 7), "river": None})
        assert file.path.read_text() == HAND

    @pytest.mark.parametrize("base", [HAND, NESTED, DOTTED, BARE, template(Facts.of(BAZAAR), WORDS)])
    @given(data=st.data())
    def test_any_layout_takes_any_change(self, base, data):
        """These, as people write them, take every change; what would not is refused, see below."""
        old, wish = read(base).facts, data.draw(copies())
        names = data.draw(st.lists(st.sampled_from([fact.name for fact in BAZAAR]), max_size=6, unique=True))
        changes = {name: wish.confirmed.get(name) for name in names}
        text = edited(base, BAZAAR, changes, data.draw(st.none() | st.just("Bert's")))
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

    def test_fields_of_a_section_keep_their_remarks(self, file):
        file.write(NESTED)
        file.put({"oasis.04": (4, ("white",))})
        assert file.path.read_text() == NESTED.replace("points = 3 # really", "points = 4 # really")

    def test_forgetting(self, file):
        file.put({"river": 12, "oasis.04": (3, ("white",))})
        file.put({"river": None, "oasis.04": None})
        assert file.load().facts == Facts.of(BAZAAR)
        assert file.load().problems == ()

    def test_the_first_one_makes_a_template(self, file):
        assert file.load().text is None
        facts = file.put({"river": 12}, copy="Anna's")
        assert file.path.read_text() == template(facts, WORDS)
        assert file.load().facts == facts

    def test_the_digest_of_an_export_goes(self, file):
        file.write(exported(Facts.of(BAZAAR).confirm("river", 12), WORDS))
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
        with pytest.raises(BadFact, match="rapids_fit"):
            file.put({"rapids": (13,)})
        with pytest.raises(BadFact, match="range"):
            file.put({"river": 41})
        assert file.path.read_text() == HEAD + "river = 12\n"

    @pytest.mark.parametrize("text", ["river = = 3\n", 'format = 2\ngame = "bazaar"\n', "\xff"])
    def test_a_file_that_is_not_one_is_left_alone(self, file, text):
        file.path.parent.mkdir(parents=True)
        file.path.write_text(text, "latin-1")
        with pytest.raises(FactsError, match=r"bazaar\.toml:1: "):
            file.put({"river": 12})
        assert file.path.read_text("latin-1") == text

    def test_a_folder_in_its_place(self, file):
        file.path.mkdir(parents=True)
        assert [str(problem) for problem in file.load().problems] == [
            f"{file.path}: cannot be read: Is a directory"
        ]
        with pytest.raises(FactsError, match="cannot be read"):
            file.put({"river": 12})

    def test_a_layout_that_cannot_be_changed_is_refused(self, file):
        text = HEAD + 'oasis = { "04" = { points = 3, colours = ["white"] } }\nx = nan\n'
        file.write(text)
        with pytest.raises(FactsError, match="use an editor"):
            file.put({"oasis.06": (1, ("pink",))})
        assert file.path.read_text() == text


class TestDisk:
    @pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EIO])
    @pytest.mark.parametrize("before", [None, HAND])
    def test_one_that_refuses_leaves_the_old_file(self, file, monkeypatch, number, before):
        if before:
            file.write(before)

        def full(descriptor):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(small_files.os, "fsync", full)
        with pytest.raises(OSError, match=os.strerror(number)) as error:
            file.put({"river": 12})
        assert error.value.filename == str(file.path)
        assert os.listdir(file.path.parent) == (["bazaar.toml"] if before else [])
        assert file.load().text == before

    def test_a_short_write_leaves_the_old_file(self, file, tmp_path):
        """A process that may write no more than a few bytes, as on a disk with no more room than that."""
        import resource
        import signal

        file.write(HAND)
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        old = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        try:
            with pytest.raises(OSError, match="File too large"):
                file.put({"river": 12})
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, old)
        assert file.path.read_text() == HAND
        assert os.listdir(file.path.parent) == ["bazaar.toml"]

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
    def test_what_root_writes_belongs_to_whom_the_box_runs_as(self, file):
        file.path.parents[1].mkdir(parents=True)
        os.chown(file.path.parents[1], 1234, 1235)
        file.put({"river": 12})
        for path in (file.path, file.path.parent):
            assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1235)


def test_a_value_is_shown_as_people_read_it():
    def value(name, raw):
        kind = BAZAAR.fact(name).kind
        return WORDS.value(kind, Facts.of(BAZAAR).confirm(name, raw)[name])

    assert value("river", 12) == "12 steps"
    assert value("tray", 91) == "91 mm"
    assert value("rapids", [7, 2]) == "2 7"
    assert value("oasis.04", OASIS) == "3, white pink"
    assert bare(BAZAAR.fact("tray").kind, 91.0) == 91


def test_toml_is_what_a_template_is():
    assert tomllib.loads(template(Facts.of(BAZAAR), WORDS))["game"] == "bazaar"
