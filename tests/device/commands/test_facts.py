"""`podesta facts`: check, edit, template, export, import, compare, and what each refuses."""

import json
import os
import re
import sys

import pytest
from msgspec.structs import replace

from device.cli import main
from device.commands import Exit
from device.copy_file import CopyFile, template
from device.texts import Texts
from engines.fact_kinds import read
from engines.facts import Facts, sample, schema
from tests.device.copies import MARKED, OTHERS


@pytest.fixture
def file(state):
    return CopyFile.of(state, "torres", Texts.load("en", "torres"))


@pytest.fixture
def facts(state, capsys):
    """Run one action; its exit status, output and error lines without what stands before each."""

    def run(*argv):
        action, *rest = map(str, argv)
        status = main(["facts", "torres", action, "--state", str(state), *rest])
        out, err = capsys.readouterr()
        assert all(line.startswith("podesta: ") for line in err.splitlines())
        return status, out, [line.removeprefix("podesta: ") for line in err.splitlines()]

    return run


@pytest.fixture
def editor(monkeypatch, tmp_path):
    """An editor that replaces a text by another, or does as told."""

    def is_(code):
        script = tmp_path / "edit or.py"
        script.write_text(f"import sys; from pathlib import Path\npath = Path(sys.argv[1])\n{code}\n")
        monkeypatch.setenv("EDITOR", f"'{sys.executable}' '{script}'")
        monkeypatch.delenv("VISUAL", raising=False)

    return is_


def replacing(old, new):
    return f"path.write_text(path.read_text().replace({old!r}, {new!r}, 1))"


def settle(file, **changes):
    file.put(raws(changes))


def raws(texts):
    named = {name.replace("__", "."): text for name, text in texts.items()}
    return {name: read(schema("torres").fact(name).kind, text) for name, text in named.items()}


CARDS = {f"master_card__{n}": f'{{"name": "Card {n}", "says": "Do {n}."}}' for n in range(1, 9)}
ALL = {
    "start_castles": MARKED,
    "cell_pitch": "22",
    "block_width": "21.2",
    "block_height": "14.7",
    "board_border": "12",
} | CARDS


class TestCheck:
    def test_at_first_all_is_open(self, facts, file):
        status, out, err = facts("check")
        rows = out.splitlines()
        assert (status, err) == (Exit.WRONG, [])
        assert rows[0] == f"{file.path}: no such file yet"
        assert rows[1].startswith(f"start_castles: {MARKED} (likely); 8 times one of a1 to h8")
        assert (
            rows[2] == "cell_pitch: not known yet; 10 to 60 mm; only your copy tells; for the camera; TO-1.1"
        )
        assert rows[-1] == "0 of 13 facts are settled"
        assert not file.path.exists()

    def test_in_the_language_that_is_asked_for_but_for_programs(self, facts):
        assert facts("check", "--language", "ja")[1].splitlines()[-1] == "13件中0件が確定しています"
        assert facts("check", "--json", "--language", "ja") == facts("check", "--json")

    def test_as_json(self, facts, file):
        settle(file, cell_pitch="22.5")
        file.write(file.path.read_text() + "master_card.9 = 1\n")
        status, out, err = facts("check", "--json")
        found = json.loads(out)
        assert status == Exit.WRONG
        assert found["wrong"] == err
        by_name = {fact["name"]: fact for fact in found["facts"]}
        assert by_name["cell_pitch"] == {
            "name": "cell_pitch",
            "standing": "confirmed",
            "value": "22.5 mm",
            "clause": "TO-1.1",
            "for_sight": True,
        }
        assert (by_name["block_width"]["standing"], by_name["block_width"]["value"]) == ("unknown", None)

    def test_a_game_without_facts_is_fine(self, capsys, state):
        assert main(["facts", "san_gimignano", "check", "--state", str(state)]) == Exit.FINE
        assert "every copy is alike" in capsys.readouterr().out
        assert main(["facts", "san_gimignano", "template", "--state", str(state)]) == Exit.WRONG
        assert "has no table facts" in capsys.readouterr().err


class TestEdit:
    def test_a_list_a_record_and_the_name(self, facts, file):
        assert facts("edit", "start_castles", *OTHERS.split())[0] == Exit.FINE
        assert facts("edit", "start_castles", MARKED)[0] == Exit.FINE
        assert facts("edit", "master_card.3", '{"name": "Fog", "says": "No one moves."}')[0] == Exit.FINE
        assert facts("edit", "copy", "Anna's", "box")[0] == Exit.FINE
        loaded = file.load()
        assert loaded.facts.copy == "Anna's box"
        assert set(loaded.facts.confirmed) == {"start_castles", "master_card.3"}

    @pytest.mark.parametrize(
        ("argv", "status", "why"),
        [
            (["cell_pitch", "2.2"], 1, "cell_pitch: 10 to 60 mm, not 2.2"),
            (["cell_pitch", "22", "px"], 1, "cell_pitch: 10 to 60 mm, not 22 px"),
            (
                ["block_width", "23"],
                1,
                "cell_pitch and block_width: a block of 23 mm does not fit a space of 22 mm",
            ),
            (["cel_pitch", "22"], 1, "torres has no fact cel_pitch; did you mean cell_pitch?"),
            (
                ["start_castles", "d1", "d2"],
                1,
                "start_castles: 8 times one of a1 to h8, all different, not d1",
            ),
            (["block_height", "--as-printed"], 2, "block_height: only the copy tells; enter what it shows"),
            (["--unknown"], 2, "edit NAME VALUE, edit NAME --as-printed or edit NAME --unknown"),
            (["block_height", "--unknown", "12"], 2, ""),
            (["copy", "x" * 33], 2, "copy: a name of 1 to 32 letters"),
        ],
    )
    def test_what_does_not_fit_changes_nothing(self, facts, file, argv, status, why):
        settle(file, cell_pitch="22")
        before = file.path.read_bytes()
        code, out, err = facts("edit", *argv)
        assert (code, out) == (status, "")
        assert err[0].startswith(why)
        assert file.path.read_bytes() == before

    def test_several_at_once(self, facts, file):
        status, out, _ = facts("edit", "cell_pitch=22.5 mm", f"start_castles={MARKED}", "block_width=21")
        assert (status, out.splitlines()) == (
            Exit.FINE,
            [
                f"{file.path}: cell_pitch = 22.5 mm",
                f"{file.path}: start_castles = {MARKED}",
                f"{file.path}: block_width = 21 mm",
            ],
        )
        assert set(file.load().facts.confirmed) == {"cell_pitch", "start_castles", "block_width"}

    @pytest.mark.parametrize(
        ("told", "status", "why"),
        [
            (["cell_pitch=22", "block_width=2"], 1, "block_width: 5 to 60 mm, not 2"),
            (
                ["cell_pitch=22", "block_witdh=21"],
                1,
                "torres has no fact block_witdh; did you mean block_width?",
            ),
            (["cell_pitch=22", "block_width"], 2, "block_width: must be NAME=VALUE, like the others"),
            (["cell_pitch=22", "block_width="], 2, "block_width=: must be NAME=VALUE, like the others"),
            (["cell_pitch=22", "cell_pitch=23"], 2, "cell_pitch: is told twice"),
            (
                ["block_width=23", "cell_pitch=22"],
                1,
                "cell_pitch and block_width: a block of 23 mm does not fit a space of 22 mm",
            ),
        ],
    )
    def test_all_of_several_or_none(self, facts, file, told, status, why):
        assert facts("edit", *told) == (status, "", [why])
        assert not file.path.exists()


class TestEditor:
    def test_what_was_edited_is_kept_comments_and_all(self, facts, file, editor):
        editor(replacing("#cell_pitch =", "# by Anna\ncell_pitch = 22.5  # eight are 180"))
        assert facts("edit") == (Exit.FINE, f"{file.path}: changed\n", [])
        assert "# by Anna\ncell_pitch = 22.5  # eight are 180\n" in file.path.read_text()
        assert file.load().facts.confirmed == {"cell_pitch": 22.5}
        assert os.listdir(file.path.parent) == ["torres.toml"]

    def test_a_mistake_leaves_the_old_and_the_draft(self, facts, file, editor):
        settle(file, cell_pitch="22")
        before = file.path.read_bytes()
        editor(replacing("cell_pitch = 22", "cell_pitch = 220"))
        status, _, err = facts("edit")
        draft = file.path.with_name("torres.draft.toml")
        assert status == Exit.WRONG
        assert re.fullmatch(rf"{draft}:\d+: cell_pitch must be 10 to 60 mm, not 220", err[0])
        assert err[1] == f"{file.path} is as it was; edit again to go on with {draft}"
        assert file.path.read_bytes() == before
        editor(replacing("cell_pitch = 220", "cell_pitch = 22.5"))
        assert main(["facts", "torres", "edit", "--state", str(file.path.parents[1])]) == Exit.FINE
        assert file.load().facts["cell_pitch"] == 22.5
        assert not draft.exists()

    @pytest.mark.parametrize(
        ("code", "status"),
        [("pass", Exit.FINE), ("sys.exit(3)", Exit.WRONG), ("path.unlink()", Exit.FINE)],
    )
    def test_nothing_edited_changes_nothing(self, facts, file, editor, code, status):
        settle(file, cell_pitch="22")
        before = file.path.read_bytes()
        editor(code)
        assert facts("edit")[0] == status
        assert file.path.read_bytes() == before

    def test_a_file_that_was_changed_meanwhile_is_not_overwritten(self, facts, file, editor):
        settle(file, cell_pitch="22")
        other = f"other = Path({str(file.path)!r}); other.write_text(other.read_text() + '# box\\n')"
        editor(f"{replacing('#block_width =', 'block_width = 21')}; {other}")
        status, _, err = facts("edit")
        assert status == Exit.WRONG
        assert "was changed meanwhile" in err[0]
        assert file.load().facts.confirmed == {"cell_pitch": 22.0}
        assert "block_width = 21" in file.path.with_name("torres.draft.toml").read_text()

    @pytest.mark.parametrize("tampered", [False, True])
    def test_a_draft_left_before_the_file_changed_overwrites_nothing(self, facts, file, editor, tampered):
        settle(file, cell_pitch="22")
        editor(replacing("cell_pitch = 22", "cell_pitch = 220"))
        assert facts("edit")[0] == Exit.WRONG
        draft = file.path.with_name("torres.draft.toml")
        if tampered:
            draft.write_text(draft.read_text().partition("\n")[2])
        else:
            file.put({"block_width": 21.0})
        before = file.path.read_bytes()
        editor(replacing("cell_pitch = 220", "cell_pitch = 23"))
        status, _, err = facts("edit")
        assert status == Exit.WRONG
        assert err == [f"{draft}: was left before {file.path} changed; look at both, then remove it"]
        assert file.path.read_bytes() == before
        draft.unlink()
        editor(replacing("cell_pitch = 22", "cell_pitch = 23"))
        assert facts("edit")[0] == Exit.FINE
        assert file.load().facts["cell_pitch"] == 23.0


class TestSample:
    def test_a_made_up_copy_is_marked(self, facts, file):
        status, out, _ = facts("sample")
        assert (status, out) == (Exit.FINE, f"{file.path}: 13 of 13 facts, copy SAMPLE\n")
        assert file.load().facts == replace(sample(schema("torres")), copy="SAMPLE")
        assert file.load().problems == ()
        assert facts("check")[1].splitlines()[1].startswith("SAMPLE: ")
        assert facts("sample")[0] == Exit.FINE


class TestAway:
    @pytest.mark.parametrize("action", ["template", "export"])
    def test_a_file_is_replaced_only_by_force(self, facts, file, tmp_path, action):
        settle(file, cell_pitch="22")
        target = tmp_path / "out.toml"
        _, out, _ = facts(action)
        assert facts(action, "--out", target) == (Exit.FINE, "", [])
        assert target.read_text() == out
        target.write_text("precious")
        assert facts(action, "--out", target)[::2] == (Exit.USAGE, [f"{target}: exists; --force replaces it"])
        assert target.read_text() == "precious"
        assert facts(action, "--out", target, "--force")[0] == Exit.FINE
        assert target.read_text() == out


@pytest.fixture
def given(tmp_path, file):
    """A file that another box exported: of a copy with this name and these facts."""

    def made(copy="Bert's", sample=False, **changes):
        facts = Facts.of(schema("torres"), copy).confirm(raws(changes))
        path = tmp_path / "given.toml"
        facts = Facts(facts.schema, facts.known, copy, sample)
        path.write_text(template(facts, file.words, export=True))
        return path

    return made


class TestImport:
    def test_into_nothing(self, facts, file, given):
        path = given(**ALL)
        assert facts("import", path) == (Exit.FINE, f"{file.path}: 13 of 13 facts, copy Bert's\n", [])
        assert file.load().problems == ()
        assert facts("compare", path)[0] == Exit.FINE
        assert facts("export")[1] == path.read_text()

    def test_more_of_the_same_copy_is_taken_and_comments_stay(self, facts, file, given):
        settle(file, cell_pitch="22")
        file.write(file.path.read_text().replace("cell_pitch = 22", "cell_pitch = 22 # by Anna"))
        assert facts("import", given(cell_pitch="22", block_width="21"))[0] == Exit.FINE
        assert "cell_pitch = 22 # by Anna\n" in file.path.read_text()
        assert file.load().facts.confirmed == {"cell_pitch": 22.0, "block_width": 21.0}
        assert file.load().facts.copy == "Bert's"

    @pytest.mark.parametrize(
        ("there", "lost"),
        [
            ({"cell_pitch": "23", "block_width": "21"}, "cell_pitch: Space size: here 22 mm; there 23 mm"),
            ({"block_width": "21"}, "cell_pitch: Space size: here 22 mm; there not known yet"),
            ({"cell_pitch": "22", "copy": "Bert's"}, "copy: Anna's, there Bert's"),
            ({"cell_pitch": "22", "copy": ""}, "copy: Anna's, there without a name"),
            ({"cell_pitch": "22", "sample": True}, "sample: no, there yes"),
        ],
    )
    def test_what_would_be_lost_is_shown_and_needs_force(self, facts, file, given, there, lost):
        settle(file, cell_pitch="22")
        file.put({}, copy="Anna's")
        before = file.path.read_text()
        path = given(**{"copy": "Anna's"} | there)
        status, out, err = facts("import", path)
        assert (status, out) == (Exit.WRONG, "")
        assert err == [lost, f"{file.path}: that would be lost; --force replaces it"]
        assert file.path.read_text() == before
        assert facts("import", path, "--force")[0] == Exit.FINE
        assert facts("export")[1] == path.read_text()
        assert file.path.with_name("torres.before.toml").read_text() == before

    @pytest.mark.parametrize(
        ("old", "new", "why"),
        [
            ("cell_pitch = 22", "cell_pitch = 23", "digest does not fit"),
            ("cell_pitch = 22", "cell_pitch = 2", "10 to 60 mm"),
            ('game = "torres"', 'game = "marrakesh"', "must begin with"),
            ("digest =", "#digest =", "has no digest"),
            ('copy = "Bert\'s"', 'copy = "Anna\'s"', "digest does not fit"),
            ("cell_pitch", "cell_pitch cell", "not valid TOML"),
        ],
    )
    @pytest.mark.parametrize("force", [[], ["--force"]])
    def test_what_does_not_fit_is_refused_force_or_not(self, facts, file, given, old, new, why, force):
        path = given(cell_pitch="22")
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new, 1))
        status, _, err = facts("import", path, *force)
        assert status == Exit.WRONG
        assert why in " ".join(err)
        assert all(str(path) in line for line in err)
        assert not file.path.exists()


class TestCompare:
    def test_the_copy_in_use_with_another(self, facts, file, given):
        settle(file, cell_pitch="22", start_castles=MARKED)
        path = given(cell_pitch="22.5", block_width="21")
        status, out, _ = facts("compare", path)
        assert status == Exit.WRONG
        assert out.splitlines() == [
            f"copy: {path} Bert's; {file.path} -",
            f"start_castles: Start castles: {path} {MARKED} (likely); {file.path} {MARKED}",
            f"cell_pitch: Space size: {path} 22.5 mm; {file.path} 22 mm",
            f"block_width: Block width: {path} 21 mm; {file.path} not known yet",
        ]
