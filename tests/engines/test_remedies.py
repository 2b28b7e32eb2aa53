"""Every remedy is a claim: what it sends to is legal where it is told; with its reason it fits one screen."""

import re
import tomllib
from functools import cache
from random import Random

import msgspec
import pytest

import engines
from device.menus.rules import tell_reason
from device.screen import PageHeader, TextPage
from device.screen.pixels import pages_of
from device.texts import Texts
from engines.contract import Choice, OutOfStep, Refusal, Report
from engines.marrakesh.claiming import interpret_left
from engines.match import Match, Point
from engines.remedies import CORRECT, HERE, SEEN, STAND, Attempt, Remedy, load, told_of
from engines.words import Words
from tests.device.grammar import proofread
from tests.engines import attempts, cases
from tests.engines.asked import Asked
from tests.engines.castles_of_tuscany import table as tuscany
from tests.engines.marrakesh.cases import OTHERWISE
from tests.engines.marrakesh.lines import turn
from tests.engines.san_gimignano.cases import ONE_CARD
from tests.engines.tables import TABLES
from tests.engines.tables import played as record
from tests.engines.test_matches import files
from tests.engines.test_texts import finds, texts
from tests.engines.walks import seed, soak
from tests.recorded import load as played

AND = " & "

SKIPPED = {"san_gimignano": 5, "torres": 10, "castles_of_tuscany": 25, "marrakesh": 25}
"""Of so many steps one is looked at; some texts are seldom told."""

every = pytest.mark.parametrize("game_id", engines.GAMES)


def readings(found):
    """Readings that cannot be: so many keshis are left on a tray where claims are asked."""
    for one in found:
        if one.choice.question == "claim" and not one.begun:
            for number in range(40):
                meant = interpret_left(one.match.state, number)
                if isinstance(meant, OutOfStep):
                    yield Attempt(one.match, (), Choice("", ""), meant.refusal)


SPENT = "5,5,6,8,8,9"
"""A hand of which no tower can be built."""

GONE = {"display": "-", "came": "cttiffffqqqvvvvmmrrr", "neutral": "-", "round": 3, "trigger": "a"}
POSITIONS = {
    "castles_of_tuscany": [
        (tuscany.turn(**GONE, stored="m", left=1), "Tv", "draw_place"),
        (tuscany.turn("b1", stored="m", workers_a=1, hand_a=1, doing="pay:n1:sc1:tm:p1m"), "m", "pay.worker"),
        (tuscany.turn("b1", stored="m", hand_a=2, doing="pay:n1:sc1:tm:p1m"), "vv", "pay.one"),
    ],
    "san_gimignano": [
        (f"market=5 hand.a={SPENT} hand.b=?3 a=9x3 marker=a", "P", "extend.first"),
        (f"{ONE_CARD} market=8,8 hand.a=8,8,8 hand.b=?10", "X", "exchange.supply"),
    ],
    "marrakesh": [
        (turn("claim", going="claim", round=4, tray="2r1t", board_a="7r"), "2r", "claim.vendors"),
        (turn("claim", going="claim", round=4, tray="1r1t", board_a="8r"), "1r", "claim.not_red"),
        (turn("sector:s", board_a="1t"), "t.act", "sector.none"),
        (turn("instead::1", **OTHERWISE, resources_a="1d", rules=1), "dinar", "instead.date"),
        (turn("good::1", known="good.lamp2:1,1,0,2,0,0,0"), "lamp.1l1u2v", "good.none"),
        (turn("sell_more", known="scroll.46:many_exchanges", scrolls_a="46"), "u", "sell_more.none"),
        (turn("scroll:+:3", board_a="5y", scrolls_a="22", resources_a="0"), "43", "scroll.none"),
    ],
}
"""Where texts are told that hardly any match leads to: the position, the token refused, the text."""


def in_positions(game_id):
    """Yield what is refused there."""
    asked = Asked(engines.game(game_id))
    for position, token, told in POSITIONS.get(game_id, ()):
        match = begun_at(asked.game, asked.at(position))
        choice = asked.answer(match.state, token)
        attempt = Attempt(match, (), choice, asked.game.rules.why_not(match.state, choice))
        assert attempt.remedy == told
        yield attempt


def begun_at(game, state):
    """A match that begins in a state."""
    match = object.__new__(Match)
    match.game, match.setup, match.steps, match.points = game, None, [], [Point(state)]
    return match


def in_cases(game_id):
    """Yield what is refused in the positions of a game's cases."""
    asked = Asked(engines.game(game_id))
    for one in cases.of(game_id).values():
        for position, path in {(one.position, one.path), one.passing[:2]}:
            match, begun = begun_at(asked.game, asked.at(position)), []
            state = match.state
            for token in path.split():
                begun.append(asked.answer(state, token))
                state = asked.game.rules.apply(state, begun[-1])
                if not asked.game.rules.pending(state).open:
                    match, begun = begun_at(asked.game, state), []
            yield from attempts.refused(match, begun, state)
            if position == one.position and path == one.path:
                choice = asked.answer(state, one.token)
                yield Attempt(match, begun, choice, asked.game.rules.why_not(state, choice))


def in_play(game_id, number=1, every=None):
    """Yield what is refused in the recorded matches and in random ones at every table."""
    every = every or SKIPPED[game_id]
    for at, path in enumerate(files(game_id)):
        yield from attempts.attempts(played(path)[1], every, at % every)
    for at, table in enumerate(table for table in TABLES.values() if table.game is engines.game(game_id)):
        match = record(table, number)
        yield from attempts.attempts(match, every, at % every)


def few(found):
    """The first of each kind at each point."""
    seen, kept = set(), []
    for one in found:
        figures = dict(one.refusal.figures)
        reason = one.refusal.check, figures.get("variant"), figures.get("remedy")
        kept.append(one.match)  # so that no other has its id
        if (key := (id(one.match), tuple(one.begun), reason)) not in seen:
            seen.add(key)
            yield one


@cache
def looked_at(game_id):
    found = [*few(in_play(game_id)), *few(in_cases(game_id)), *few(in_positions(game_id))]
    return [*found, *few(readings(found))]


@cache
def told_at(game_id):
    """Return what was looked at, each with the name of its remedy."""
    return [(one, one.remedy) for one in looked_at(game_id)]


@cache
def holds(one, claim):
    """Return True if a claim is true of a refusal."""
    return one.holds(claim)


def matches(attempt, claim):
    """The legal choices that a claim names, found from the states of the step one by one."""
    game, state = attempt.match.game, attempt.match.state
    points = []
    for choice in (*attempt.begun, attempt.choice):
        points.append((game.rules.pending(state), game.rules.legal(state, attempt.seat), choice, state))
        state = state if choice is attempt.choice else game.rules.apply(state, choice)
    question, _, tokens = claim.partition(" ")
    question = points[-1][0].question if question == HERE else question
    assert question in {pending.question for pending, *_ in points}, claim
    pending, legal, made, state = [point for point in points if point[0].question == question][-1]
    for name, value in attempt.refusal.figures:
        either = "|".join(map(re.escape, re.split(", ?", str(value))))
        tokens = tokens.replace(f"{{{name}}}", f"(?:{either})")
    if not pending.domain.listed:
        drawn = [Choice(question, token) for token in attempts.candidates(pending)]
        if isinstance(pending, Report):
            drawn.append(game.worlds.answer(game.worlds.sample(state, Random(1)), state, Random(1)))
        legal = [one for one in drawn if not game.rules.why_not(state, one)]
    return [one for one in legal if one != made and (not tokens or re.fullmatch(tokens, one.token))]


def assert_true(one, name):
    """Check that what is told of a refusal can be done there; return its name."""
    row = load(one.match.game.id).get(name)
    for claim in row.to.split(AND) if row else ():
        assert one.match.evidence(one.refusal) if claim == SEEN else matches(one, claim)
    if name == STAND:
        one.match.game.rules.overrule(one._points[-1][0], one.choice, one.refusal.clause, one.seat)
    assert row or name == STAND or (name == CORRECT and one.match.steps) or not name
    return name


@every
def test_every_remedy_that_is_told_has_a_legal_choice(game_id):
    told = {assert_true(one, name) for one, name in told_at(game_id)}
    assert load(game_id).keys() <= told, load(game_id).keys() - told


@pytest.mark.soak
@pytest.mark.timeout(0)
@every
def test_soak_every_remedy_that_is_told_has_a_legal_choice(game_id):
    for number in range(seed(), seed() + soak(20, 1)):
        assert [assert_true(one, one.remedy) for one in few(in_play(game_id, number, every=1))]


def test_where_no_text_is_true_an_entry_is_corrected_or_the_choice_stands():
    nothing = Refusal("board.seam", "CT-1.5", (("board", "A9"),))
    match = begun_at(tuscany.GAME, tuscany.at(tuscany.turn(left=0, marble_a=1)))
    filled, draws = Choice("action", "Pb1"), Choice("action", "D")
    assert Attempt(match, (), draws, nothing).remedy == STAND
    assert Attempt(match, (), filled, nothing).remedy == ""
    match.play("end")
    assert Attempt(match, (), Choice("action", "Pb4"), nothing).remedy == CORRECT
    assert Attempt(match, (), draws, Refusal("no.check", "CT-3.1")).remedy == ""


@every
def test_each_remedy_is_seen_with_and_without_a_match(game_id):
    """Where it is told of a refusal, or the same refusal where something else is asked."""
    rows, seen = load(game_id), {}
    found = looked_at(game_id)
    for one in found:
        for name in told_of(game_id, one.refusal):
            held = all(holds(one, claim) for claim in rows[name].to.split(AND))
            seen.setdefault(name, {}).setdefault(held, one)
    for name, ways in seen.items():
        for other in {one.choice.question: one for one in found}.values():
            elsewhere = msgspec.structs.replace(other, refusal=ways[True].refusal)
            choices = [claim for claim in rows[name].to.split(AND) if claim != SEEN]
            ways.setdefault(all(map(elsewhere.holds, choices)), elsewhere)
    bare = {name for name, row in rows.items() if row.to == HERE}
    assert {name for name in rows if seen.get(name, {}).keys() != {True, False}} <= bare


@every
def test_every_text_says_what_it_sends_to(game_id):
    game, rows, named = engines.game(game_id), load(game_id), texts(game_id)
    assert rows.keys() == named["remedy"].keys()
    for name, row in rows.items():
        assert {*row.of} <= named["refused"].keys() | rows.keys(), name
        for claim in row.to.split(AND):
            question, _, tokens = claim.partition(" ")
            assert question in {HERE, SEEN, *game.rules.questions}, claim
            re.compile(re.sub(r"\{\w+\}", "x", tokens))


@every
def test_every_token_that_is_named_can_be_answered(game_id):
    """Each alternative of a claim fits a token of some question that it is told at."""
    rows, left = load(game_id), {}
    for name, row in rows.items():
        left[name] = {claim for claim in row.to.split(AND) if " " in claim}
    for one in looked_at(game_id):
        for name in told_of(game_id, one.refusal):
            left[name] -= {claim for claim in left[name] if holds(one, claim)}
    assert {name: claims for name, claims in left.items() if claims} == {}


@every
def test_texts_and_claims_find_their_figures(game_id):
    rows, named = load(game_id), texts(game_id)["remedy"]
    for refusal in {one.refusal for one in looked_at(game_id)}:
        for name in told_of(game_id, refusal):
            assert finds(named[name] + rows[name].to, refusal.figures), (name, refusal)


@pytest.mark.parametrize("row", ['{ to = "here", off = ["x"] }', '{ of = ["x"] }', "{ to = 3 }", '"here"'])
def test_a_row_that_says_something_else_is_refused(row):
    with pytest.raises(msgspec.MsgspecError):
        msgspec.convert(tomllib.loads(f"free = {row}"), dict[str, Remedy])


# On the screen: what was looked at here is not looked for twice


NAMES = {
    "en": ("Maximilianea", "Bartholomaus", "Wilhelminaxx", "Theodoraxxxx"),
    "ja": ("マクシミリアネア", "バルトロメウスア", "ウィルヘルミナナ", "テオドラテオドラ"),
}
"""As long as the box lets people type, and as names in kana may be."""


def pages(text):
    return pages_of(TextPage(PageHeader(), text))


@pytest.mark.parametrize("language", NAMES)
@every
def test_every_refusal_fits_one_screen(game_id, language):
    """With each remedy that may be told of it, in whatever state."""
    words = Words(Texts.load(language, game_id, strict=True), engines.game(game_id), NAMES[language])
    told = {}
    with proofread() as wrong:
        for refusal, shown in {(one.refusal, name) for one, name in told_at(game_id)}:
            for remedy in ("", *told_of(game_id, refusal), shown):
                texts = [words.refusal(refusal), words(f"remedy.{remedy}", refusal.figures) if remedy else ""]
                told[" ".join(filter(None, texts))] = (
                    f"{game_id} {dict(refusal.figures).get('variant', refusal.check)}"
                )
    assert wrong == set()
    assert len(set(told.values())) > 30
    assert {text: name for text, name in told.items() if pages(text) > 1} == {}


def test_reason_and_remedy_stand_apart_where_there_is_room():
    words = Words(Texts.load("en", "torres", strict=True), engines.game("torres"), NAMES["en"])
    knights = next(one for one in looked_at("torres") if one.remedy == "place.knights")
    apart = tell_reason(words, knights, lambda _: 1)
    assert apart == "All 6 knights are on the board.\nMove one that is there."
    assert tell_reason(words, knights, len) == "All 6 knights are on the board. Move one that is there."
    bare = next(one for one in looked_at("torres") if one.refusal.check == "take.deck")
    assert tell_reason(words, bare, lambda _: 1) == "The deck of action cards is used up."
