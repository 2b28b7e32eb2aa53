"""A match keeps the facts it is played with: on this box, on another one, and as a file."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from device.copy_file import CopyFile, Sizes, sizes
from device.exports import account, rows
from device.match.journal import read
from device.match.library import Library
from device.match.replay import Header, Replay
from device.texts import Texts
from engines import matchfile
from engines.contract import Setup
from engines.errors import BadSetup
from engines.fact_kinds import read as read_text
from engines.fact_words import FactWords
from engines.facts import Facts, Standing, of_match, with_facts
from tests.device.copies import bazaar_texts
from tests.device.games import enter, game_steps
from tests.engines.fact_strategies import BAZAAR
from tests.engines.torres.copies import OTHERS, SCHEMA, apart, copies
from tests.engines.torres.walking import SETUPS
from tests.engines.walks import seed

NAMES = ("Adso", "William", "Fina", "Guido")
TEXTS = Texts.load("en", "torres")
FRESH = Facts.of(SCHEMA)


def header(setup=SETUPS["two"]):
    return Header("torres", NAMES[: setup.seats], setup)


def file_of(table):
    return CopyFile.of(table.state_dir, "torres", TEXTS)


def digests(replay):
    return [replay.digest(point.state) for point in replay.match.points]


def put(table, **texts):
    """What people here know of their copy."""
    file_of(table).put({name: read_text(SCHEMA.fact(name).kind, text) for name, text in texts.items()})


class TestHeader:
    @given(copies(), st.sampled_from(sorted(SETUPS)), st.booleans())
    def test_it_reads_back(self, facts, name, refereed):
        before = replace(header(with_facts(facts, SETUPS[name])), refereed=refereed)
        assert Header.read(before.write()) == before
        assert Header.read(dict(reversed(before.write().items()))).setup.facts == before.setup.facts
        assert before.asked == Header("torres", before.names, SETUPS[name], refereed=refereed)
        assert before.sample is facts.sample

    def test_what_another_version_kept_is_not_lost(self):
        fields = header().write() | {"fact.tower": "confirmed 3", "facts.bought": "2019"}
        assert Header.read(fields).write() == fields


class TestOpening:
    def test_a_match_opened_without_asking_has_what_is_known(self, table):
        put(table, start_castles=OTHERS, cell_pitch="22.5")
        referee = table.open_match(header())
        told = dict(read(referee.path).header)
        assert told["fact.start_castles"] == f"confirmed {OTHERS}"
        assert told["fact.cell_pitch"] == "confirmed 22.5 mm"
        assert told["fact.block_width"] == "unknown"
        assert told["facts.sample"] == "no"
        assert "blocks=1.1.1.1///////1.1.1.1 " in referee.replay.game.position.write(
            referee.replay.match.state
        )

    def test_what_may_not_be_unknown_keeps_it_from_opening(self, tmp_path):
        file = CopyFile(tmp_path / "bazaar.toml", FactWords(BAZAAR, bazaar_texts()))
        with pytest.raises(BadSetup, match=r"river must be known first: About river\. Enter it"):
            file.settled(Setup())
        file.path.write_text('format = 1\ngame = "bazaar"\nriver = 4\n')
        with pytest.raises(BadSetup, match=r"bazaar.toml:3: river must be 5 .*; river must be known first"):
            file.settled(Setup())
        file.path.write_text("river = = 4\n")
        with pytest.raises(BadSetup, match=r"bazaar.toml:1: .*; river must be known first: About river\.$"):
            file.settled(Setup())
        file.path.unlink()
        file.put({"river": 12})
        assert dict(file.settled(Setup()).facts)["fact.river"] == "confirmed 12 spaces"


class TestElsewhere:
    """Continued or replayed where the copy is another one."""

    @pytest.mark.parametrize("name", ["three", "score"])
    def test_a_match_replays_to_the_same_digests(self, tmp_path, name):
        rng = Random(f"{seed()} {name}")
        here = FRESH.confirm({"start_castles": apart(rng)})
        setup = with_facts(here, SETUPS[name])
        steps = game_steps(rng.randrange(99), setup, "torres")
        table = Library(tmp_path / "here")
        referee = table.open_match(header(setup))
        enter(referee, steps)
        before = digests(referee.replay)
        path = table.state_dir.with_name("there") / "matches" / referee.path.rpartition("/")[2]
        table.leave()

        there = Library(tmp_path / "there")
        put(there, start_castles=" ".join(apart(rng)))
        path.write_bytes((table.matches / path.name).read_bytes())
        again = there.continue_match(there.list_past()[0])
        assert digests(again.replay) == before
        assert again.replay.drift == 0
        assert again.replay.header.setup == setup
        there.leave()
        looked = read(path)
        assert digests(Replay(looked.header, looked.records)) == before

        text = rows.write_match(account.read_log(looked.header, looked.records))
        file = matchfile.read(text)
        assert file.setup.facts == setup.facts
        match = matchfile.play(file)
        assert match.points == again.replay.match.points
        assert account.read_match_file(file, "x").header.setup.facts == setup.facts

    @pytest.mark.parametrize("here", [{}, {"start_castles": "d1 c3 f3 h4 a5 c6 f6 e8"}, {"cell_pitch": "22"}])
    def test_what_is_not_known_to_be_otherwise_is_not(self, table, here):
        table.open_match(header())
        put(table, **here)
        table.leave()
        again = Library(table.state_dir)
        assert again.resume()
        assert again.problems == []
        again.leave()

    def test_a_fact_that_nobody_knows_here_is_told_and_nobody_is_refused(self, tmp_path):
        facts = (("fact.start_castles", f"confirmed {OTHERS}"), ("fact.towers", "confirmed 3"))
        table = Library(tmp_path)
        table.open_match(header(Setup(facts=facts)))
        table.leave()
        again = Library(tmp_path)
        assert again.resume()
        (told,) = map(str, again.problems)
        assert "fact.towers: no such fact any more" in told
        again.leave()

    def test_facts_that_cannot_be_are_told_and_the_usual_ones_used(self, table):
        setup = Setup(facts=(("fact.start_castles", "confirmed d1 e1 f3 h4 a5 c6 f6 e8"),))
        (told,) = file_of(table).unlike(setup)
        assert "d1 and e1 touch" in told
        assert of_match(SCHEMA, setup.facts)[0].known["start_castles"].standing is Standing.UNKNOWN
        assert table.open_match(header(setup)).replay.match.state.ground.heights.count(1) == 8


def test_each_size_is_told_once_all_of_it_is_known():
    assert sizes(FRESH) == Sizes()
    facts = FRESH.confirm({"cell_pitch": 22.5, "block_width": 21})
    assert sizes(facts) == Sizes(22.5)
    assert sizes(facts.confirm({"block_height": 14.7})) == Sizes(22.5, (21.0, 21.0, 14.7))
