"""Versions of the rules: a match made under an earlier one goes on under it, wherever its version is kept."""

import pytest
from msgspec.structs import replace

import engines
from device.match import Header
from engines import matchfile
from engines.contract import Setup
from engines.errors import BadSetup
from engines.facts import playable, schema

VERSIONS = [(name, version) for name in engines.GAMES for version in engines.game(name).earlier]


@pytest.fixture(params=VERSIONS, ids=[f"{name}-{version}" for name, version in VERSIONS])
def under(request):
    """A game, one of its earlier versions, and a set-up under that."""
    name, version = request.param
    game = engines.game(name)
    setup = playable(schema(name), Setup(game.seats[0]))
    return game, version, replace(setup, rules_version=version)


def test_two_games_have_an_earlier_version():
    assert [name for name, _ in VERSIONS] == ["castles_of_tuscany", "marrakesh"]


def test_a_set_up_says_under_which_version_a_match_begins(under):
    game, version, setup = under
    assert game.rules.start(setup).rules == version
    assert game.rules.start(replace(setup, rules_version=0)).rules == game.rules_version


def test_a_position_keeps_an_earlier_version_and_goes_without_the_current_one(under):
    game, version, setup = under
    state = game.rules.start(setup)
    line = game.position.write(state)
    assert line.endswith(f" rules={version}")
    assert game.position.read(line, setup.facts) == state
    current = game.position.write(game.rules.start(replace(setup, rules_version=0)))
    assert current == line.removesuffix(f" rules={version}")


def test_a_position_written_before_there_were_versions_is_read_under_that_of_its_match(under):
    game, version, setup = under
    line = game.position.write(game.rules.start(replace(setup, rules_version=0)))
    assert game.rules.start(replace(setup, position=line)).rules == version


def test_a_position_of_other_rules_than_its_match_is_refused(under):
    game, version, setup = under
    line = game.position.write(game.rules.start(setup)).replace(f"rules={version}", f"rules={version + 1}")
    with pytest.raises(BadSetup, match=f"other rules than version {version}"):
        game.rules.start(replace(setup, position=line))


def test_a_version_that_is_not_kept_is_refused(under):
    game, _, setup = under
    with pytest.raises(BadSetup, match="is played by rules version 1 or 2, not 9"):
        game.rules.start(replace(setup, rules_version=9))


def test_a_game_without_earlier_versions_has_only_the_current_one():
    with pytest.raises(BadSetup, match="one version of the rules only, not version 1"):
        engines.game("torres").rules.start(Setup(2, rules_version=1))


def test_a_match_file_keeps_it(under):
    game, version, setup = under
    file = matchfile.MatchFile(game.id, version, ("Adso", "William"), setup, ())
    again = matchfile.read(matchfile.write(file))
    assert (again.rules_version, again.setup.rules_version) == (version, version)
    assert matchfile.play(again).state.rules == version


def test_a_journal_s_header_keeps_it_and_a_rematch_does_not(under):
    game, version, setup = under
    header = Header(game.id, ("Adso", "William"), setup)
    assert header.write()["rules_version"] == str(version)
    again = Header.read(header.write())
    assert again.setup.rules_version == version
    assert again.asked.setup.rules_version == 0


def test_a_header_of_a_version_that_is_not_kept_is_of_the_current_one(under):
    game, _, setup = under
    fields = Header(game.id, ("Adso", "William"), setup).write()
    for unknown in ("7", "", "x"):
        assert Header.read(fields | {"rules_version": unknown}).setup.rules_version == 0
