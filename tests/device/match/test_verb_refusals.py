"""Why nothing of a verb is legal: the furthest reason, which names nothing that nobody chose."""

import re
from functools import cache

import pytest
from msgspec.structs import replace

import engines
from device.line import MessageError
from device.texts import Texts
from engines import matchfile
from engines.contract import Choice, Over
from engines.remedies import why_none
from engines.words import Words
from tests.device.games import PLAYED, game_steps
from tests.device.line.by_name import NamedLineDoor as LineDoor
from tests.device.panel.test_acting import KEYS, AtThePage
from tests.device.player import Player
from tests.engines.castles_of_tuscany import table
from tests.engines.test_texts import states, texts
from tests.engines.torres.table import GAME as TORRES
from tests.engines.torres.table import at, blocks, turn
from tests.recorded import MATCHES

NAMES = ("Adso", "William", "Severin", "Ubertino")
PLACE = re.compile(r"\b[a-z]\d+\b")
"""A cell, a space, a tile: what a token is made of."""
TUSCANY = table.GAME


def start():
    """A turn in which only the first seat's boards lie: its castle is filled."""
    return next(one for one in states(TUSCANY.id, apart=1) if one.sides[0].boards and not one.frames)


def full():
    """A region with a tile on every space, and one in storage."""
    state = start()
    side = replace(state.sides[state.seat], filled=(1 << len(state.land.names)) - 1, stored=("v",))
    sides = (*state.sides[: state.seat], side, *state.sides[state.seat + 1 :])
    yield replace(state, sides=sides, left=1)


def surrounded():
    """Pieces around the only castle, one block under the king (too few for a match); around both knights."""
    yield at("!" + turn(pieces="a=c3 b=a2,b1 king=a1").replace(blocks(), blocks("a1=1", ())))
    yield at(turn(pieces="a=a1,h1 b=a2,b1,g1,h2 king=h4"))


RARE = {"castles_of_tuscany": full, "marrakesh": tuple, "torres": surrounded}
"""Makes the states of a game that hardly any walk comes to."""
VERBS = tuple(RARE)
DAILY = ("torres_master", "castles_of_tuscany_two_told", "marrakesh_everything")
RECORDED = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.soak] * (path.stem not in DAILY)) for path in MATCHES
]


@cache
def words(game_id):
    return Words(Texts.load("en", game_id, strict=True), engines.game(game_id), NAMES)


def recorded(path):
    """Every state of a match file that asks something, those in the middle of a step among them."""
    file = matchfile.read(path.read_text("utf-8"))
    match = matchfile.play(file)
    for point, step in zip(match.points, match.steps, strict=False):
        state = point.state
        yield state
        if hasattr(step, "text"):
            choices, _ = engines.notation.read(match.game, state, step.text, step.seat, step.waived)
            for choice in choices[:-1]:
                state = match.game.rules.apply(state, choice)
                yield state


def refused(game, state):
    """The verbs of several answers none of which is legal, each with what those are refused for."""
    asked = game.rules.pending(state)
    if isinstance(asked, Over):
        return
    seat = getattr(asked, "seats", (None,))[0]
    for verb in getattr(asked.domain, "verbs", ()):
        choices = [Choice(asked.question, token) for token in verb.tokens]
        why = [game.rules.why_not(state, choice, seat) for choice in choices]
        if len(why) > 1 and all(why):
            yield verb.name, seat, list(zip(choices, why, strict=True))


def look_at(game, states):
    """Return the refusal of each verb without a legal answer, and its check; each is seen to be right."""
    told = set()
    for state in states:
        for verb, seat, answers in refused(game, state):
            choice, refusal = why_none(game.rules, state, verb, seat)
            assert (choice, refusal.check) in [(one, why.check) for one, why in answers]
            furthest = [why for _, why in answers if why.depth == refusal.depth]
            assert refusal.depth == max(why.depth for _, why in answers)
            assert {why.check for why in furthest} == {refusal.check}
            for why in furthest:  # what is said holds for each of them
                said = [figure for figure in why.figures if figure[0] not in (*why.names, "remedy")]
                assert {*said, ("verb", verb)} == {one for one in refusal.figures if one[0] != "remedy"}
            sentence = words(game.id).refusal(refusal)
            assert not PLACE.search(sentence), sentence
            named = words(game.id)(f"verb.{verb}", game.rules.pending(state).figures)
            for one, _ in answers:  # a board's verb is called as the board is
                name = words(game.id).choice(one)
                assert name == named or name.lower() not in sentence.lower(), sentence
            assert sentence != words(game.id)("refusal.none"), (verb, refusal)
            told.add((verb, refusal.check, sentence))
    return told


@pytest.mark.parametrize("path", RECORDED)
def test_no_reason_of_a_recorded_match_names_what_nobody_chose(path):
    game = engines.game(matchfile.read(path.read_text("utf-8")).game)
    told = look_at(game, recorded(path))
    assert told or game.id not in VERBS or path.stem.endswith(("_final_table", "_final_board"))


@pytest.mark.soak
@pytest.mark.parametrize("game_id", VERBS)
def test_every_wording_without_place_is_told_somewhere(game_id):
    told = look_at(engines.game(game_id), [*states(game_id, apart=1), *RARE[game_id]()])
    none = texts(game_id)["none"]
    assert set(none) <= {verb if sentence == none.get(verb) else check for verb, check, sentence in told}


@pytest.mark.parametrize("verb", ["block", "knight", "steps", "take_top", "take_bottom"])
def test_a_spent_turn_stands_first(verb):
    state = at(turn(left=0, stacks="3-2-1-0"))
    spent = words("torres").refusal(why_none(TORRES.rules, state, verb, state.seat)[1])
    assert spent == "No action point is left."


@pytest.fixture
def page(table, ticks):
    return AtThePage(table, ticks)


@pytest.mark.parametrize("name", ["torres-two", "tuscany-two", "marrakesh-two"])
def test_box_page_and_line_say_the_same_of_a_verb(page, ticks, name):
    header = PLAYED[name]
    page.open(header)
    player, line = Player(page.box, ticks), LineDoor(page.box.door, page.box.words_of)
    compared, boxed = set(), 0
    for step in game_steps(3, header.setup, header.game)[:90]:
        replay = page.referee.replay
        for verb, seat, _ in list(refused(replay.game, replay.match.state)):
            words = page.box.words_of(replay)
            _, refusal = why_none(replay.game.rules, replay.match.state, verb, seat)
            if refusal.check in compared:
                continue
            compared.add(refusal.check)
            said = words.refusal(refusal)
            if player.stops and verb in player.stops.verbs:
                player.go(words(f"verb.{verb}", replay.match.pending.figures))
                player.ok()
                assert said in player.text
                player.back()
                boxed += 1
            assert page.ask("GET", "/match/why", verb=verb)[1]["reason"] == said
            assert line.answer("why", verb, seat=None) == f"{refusal.clause} {verb}: {said}"
        page.box.door.step(step.text, source=KEYS, seat=step.seat)
        page.referee.wait(30)
    assert compared
    assert boxed or header.game == "marrakesh"  # whose verbs only the page shows


def test_the_line_says_of_a_verb_that_it_is_legal(page):
    page.open(PLAYED["torres-two"])
    line = LineDoor(page.box.door, page.box.words_of)
    for step in game_steps(3, PLAYED["torres-two"].setup, "torres")[:4]:
        page.box.door.step(step.text, source=KEYS, seat=step.seat)
    assert line.answer("why", "block", seat=None) == "- it is legal"
    with pytest.raises(MessageError, match="malformed"):
        line.answer("why", "blocks", seat=None)
