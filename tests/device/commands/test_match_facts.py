"""What commands tell of the facts a match was played with, and of what is known here."""

import csv
import io
import json
from functools import cache

import pytest

from device.cli import main
from device.commands import Exit
from device.copy_file import CopyFile
from device.match.library import Library
from device.match.replay import Header
from device.texts import Texts
from engines.contract import Setup
from engines.fact_kinds import read
from engines.facts import schema
from tests.device.clocks import FakeClock
from tests.device.copies import MARKED, OTHERS
from tests.device.games import enter, game_steps

SAMPLE = 'format = 1\ngame = "torres"\ncopy = "Try-out"\nsample = true\n'


@pytest.fixture
def file(tmp_path):
    """Return what is known here of the copy of Torres."""
    return CopyFile.of(tmp_path / "state", "torres", Texts.load("en", "torres"))


def known(**texts):
    return {name: read(schema("torres").fact(name).kind, text) for name, text in texts.items()}


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """Play a whole match elsewhere, with a copy whose file says ``text``; its journal's path."""

    @cache
    def made(text):
        table = Library(tmp_path_factory.mktemp("elsewhere"), stamp=FakeClock().stamp)
        CopyFile.of(table.state_dir, "torres", Texts.load("en", "torres")).write(text)
        referee = table.open_match(Header("torres", ("Adso", "William"), Setup()))
        steps = game_steps(1, Setup(facts=referee.replay.header.setup.facts), "torres")
        enter(referee, steps)
        assert referee.replay.over
        table.leave()
        return referee.path

    return made


class Commands:
    """Commands on this machine."""

    def __init__(self, state, capsys):
        self.state, self.capsys = str(state), capsys

    def __call__(self, *argv):
        status = main(list(map(str, argv)))
        out, err = self.capsys.readouterr()
        return status, out, err

    def replay(self, path):
        status, out, err = self("replay", path, "--state", self.state, "--json")
        assert (status, err) == (Exit.FINE, "")
        return json.loads(out), self("replay", path, "--state", self.state)[1]

    def export(self, path, kind):
        status, out, err = self("export", path, "--as", kind)
        assert (status, err) == (Exit.FINE, "")
        return out

    def doctor(self):
        """Return what it says of facts, and whether all is fine."""
        status, out, _ = self("doctor", "--state", self.state, "--json")
        found = [one for one in json.loads(out)["findings"] if one["name"] == "facts torres"]
        return [(one["verdict"], one["detail"]) for one in found], status == Exit.FINE


@pytest.fixture
def command(tmp_path, capsys):
    return Commands(tmp_path / "state", capsys)


OTHERWISE = f'format = 1\ngame = "torres"\ncopy = "Anna\'s"\nstart_castles = {json.dumps(OTHERS.split())}\n'


class TestReplay:
    def test_by_the_facts_of_the_match_and_says_where_the_copy_here_differs(self, command, match, file):
        path = match(OTHERWISE)
        file.put(known(start_castles=MARKED))
        found, text = command.replay(path)
        assert found["termination"] == "settled"
        assert found["facts"]["fact.start_castles"] == f"confirmed {OTHERS}"
        assert found["sample"] is False
        assert found["unlike"] == [f"Start castles: in the match {OTHERS}; on the copy here {MARKED}"]
        assert f"Start castles: {OTHERS}\n" in text
        assert "facts.copy: Anna's\n" in text
        assert f"not as here: Start castles: in the match {OTHERS}; on the copy here {MARKED}\n" in text

    @pytest.mark.parametrize("here", [None, {"start_castles": OTHERS}])
    def test_where_nothing_is_known_to_differ_nothing_is_said(self, command, match, file, here):
        if here is not None:
            file.put(known(**here))
        found, text = command.replay(match(OTHERWISE))
        assert found["unlike"] == []
        assert "not as here" not in text


class TestSample:
    """A made-up copy is marked on everything that leaves the box."""

    def test_marked(self, command, match):
        path = match(SAMPLE)
        rows = list(csv.DictReader(io.StringIO(command.export(path, "csv"))))
        assert {row["sample"] for row in rows} == {"yes"}
        document = json.loads(command.export(path, "json"))
        assert document["sample"] is True
        assert document["facts"]["facts.copy"] == "Try-out"
        assert document["facts"]["fact.start_castles"] == f"likely {MARKED}"
        assert command.export(path, "sheet").count("SAMPLE COPY") == 1
        assert "SAMPLE: made-up facts of the copy" in json.loads(command.export(path, "bgstats"))["comments"]
        assert "\nfacts.sample: yes\n" in command.export(path, "match")
        assert '"facts.sample":"yes"' in command.export(path, "journal").partition("\n")[0]
        assert "SAMPLE copy" in command("verify", path)[1]
        found, text = command.replay(path)
        assert found["sample"] is True
        assert ", SAMPLE COPY\n" in text


class TestDoctor:
    def test_what_is_open(self, command, file):
        open_ = (
            "unknown: master_card (8 entries); not compared: start_castles; "
            "unknown (only a camera needs it): cell_pitch, block_width, block_height, board_border"
        )
        assert command.doctor() == ([("warn", open_)], True)
        assert not file.path.exists()

    def test_a_sample(self, command, file):
        file.write(SAMPLE)
        told, fine = command.doctor()
        assert fine
        assert ("warn", f"{file.path}: a sample: every match played with it is marked") in told

    def test_a_mistake_warns_and_a_file_nobody_can_read_fails(self, command, file):
        file.write('format = 1\ngame = "torres"\ncell_pich = 3\n')
        told, fine = command.doctor()
        assert fine
        assert told[0] == (
            "warn",
            f"{file.path}:3: unknown key cell_pich; did you mean cell_pitch?",
        )
        file.write("cell_pitch = = 3\n")
        ((verdict, detail),), fine = command.doctor()
        assert (verdict, fine) == ("fail", False)
        assert detail.startswith(f"{file.path}:1: ")
