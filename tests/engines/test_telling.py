"""Every game tells what is done at its table: each step in words, and nothing that moves in silence.

Looked at on random matches at every table. A game without a telling fails here.
"""

import re
from collections import Counter
from functools import cache

import pytest
from msgspec import Struct

import engines
from device.texts import Texts
from engines.board import Cell
from engines.contract import Choice, Report, totals
from engines.words import Words
from tests.engines.tables import TABLES, every

NAMES = ("Adso", "Berengar", "Severin", "Ubertino")
TELLING = {name: table for name, table in TABLES.items() if table.game.id in engines.GAMES}


class Stepped(Struct, frozen=True, eq=False):
    """A whole step: who made it (None for the table), in which state, and where it led."""

    seat: int | None
    before: object
    choices: tuple[Choice, ...]
    after: object


@cache
def steps(name):
    """The steps of today's random match at a table."""
    table, made = TELLING[name], []
    for walked in table.walks(1):
        begun = []
        for choice in walked:
            begun.append(choice)
            if not table.game.rules.pending(choice.after).open:
                (seat,) = begun[0].choices
                told = tuple(one for each in begun for one in each.choices.values())
                made.append(Stepped(seat, begun[0].state, told, choice.after))
                begun = []
    return made


@pytest.fixture(params=every(TELLING))
def at(request):
    return request.param


@cache
def words_of(game, facts=()):
    return Words(Texts.load("en", game.id, strict=True), game, NAMES, facts)


def words(name):
    return words_of(TELLING[name].game, TELLING[name].setup.facts)


def bare(text):
    """A text's words without what stands around them."""
    return set(re.findall(r"[^\s.,:;()!?]+", text))


def codes(said, words, choices):
    """Tokens that stand in what is said though they have a name that is another."""
    named = {choice.token: words.choice(choice) for choice in choices}
    return {token for token, name in named.items() if token not in bare(name)} & bare(said)


class TestSaid:
    def test_a_step_is_said_from_its_first_choice_on(self, at):
        """By the game itself, not by the names of its choices side by side; nothing before the first."""
        game = TELLING[at].game
        for step in steps(at):
            assert game.telling.said(step.before, ()) == ()
            for chosen in range(1, len(step.choices) + 1):
                told = game.telling.said(step.before, step.choices[:chosen])
                assert " ".join(words(at).labels(told)).strip(), step.choices[:chosen]

    def test_each_choice_is_told_apart_from_others(self, at):
        """Two steps from one state that lead to different tables are said in different words."""
        game = TELLING[at].game
        for step in steps(at)[::2]:
            pending = game.rules.pending(step.before)
            if not pending.domain.listed:
                continue
            whole = {}
            for choice in game.rules.legal(step.before):
                after = game.rules.apply(step.before, choice)
                if not game.rules.pending(after).open:
                    said = words(at).said(step.before, (choice,))
                    assert whole.setdefault(said, choice) == choice, said

    def test_no_code_stands_in_it(self, at):
        for step in steps(at):
            for chosen in range(1, len(step.choices) + 1):
                said = words(at).said(step.before, step.choices[:chosen])
                assert not codes(said, words(at), step.choices[:chosen]), said


# What moves in silence


@cache
def pieces(state, game):
    """The pieces of the zones of one name, by that and whose they are, as they are called."""
    found = {}
    for zone in game.telling.zones(state):
        lying = found.setdefault((zone.name, zone.seat), Counter())
        for piece in zone.pieces:
            lying[called(game, piece.label, piece.marks)] += piece.count
    return found


@cache
def called(game, label, marks):
    """Return what a piece is called, with what lies on it."""
    tongue = words_of(game)
    return " ".join((tongue(label.key, label.figures), *(tongue(f"mark.{mark}") for mark in marks)))


def cells(state, game):
    """The cells of every board by name."""
    boards = [(sight, sight.board(state)) for sight in game.in_sight(state).values()]
    return {
        (sight.NAME, board.name(place)): cell
        for sight, board in boards
        if board
        for place, cell in enumerate(board.cells)
        if cell
    }


def differing(before, after, nothing):
    return [
        (key, before.get(key, nothing), after.get(key, nothing))
        for key in {**before, **after}
        if before.get(key, nothing) != after.get(key, nothing)
    ]


def named(text, told):
    """Return True if a word of a zone's title or of a piece's name is heard, in either number."""
    heard, asked = (
        {word.casefold().rstrip("s") for word in re.findall(r"\w+", one) if len(word) > 2 or word.isdigit()}
        for one in (told, text)
    )
    return bool(heard & asked)


@cache
def moved(step, game):
    """The spaces and the zones that a step changed, each as it was and is."""
    spaces = differing(cells(step.before, game), cells(step.after, game), None)
    return spaces, differing(pieces(step.before, game), pieces(step.after, game), Counter())


def silent(step, game, told):
    """Return what of the table has changed and is spoken of in no word of ``told``.

    * A space of a board is spoken of by its name, but where the whole board has just been laid out.
    * What lies before a seat other than the one that acts, by that player's name; what changes before all
      alike, by its title; what "Every" piece does goes for that seat's too.
    * What came into a zone of all, by what it is called or how many came; what left one, by its title, too.
    * What lies before the one that acts, by its title or by what came or went.

    Pieces do not vanish: of the places that they left or that the actor has, one need not be spoken of.
    """
    tongue, untold, spared = words_of(game), [], []
    spaces, changes = moved(step, game)
    for key, was, now in spaces:
        new_and_bare = was is None and now == Cell(ground=now.ground)
        if key[1] not in bare(told) and not new_and_bare:
            (untold if now.piece or was is None or now.height != was.height else spared).append(key)
    changed = {key for key, _, _ in changes}
    for (zone, seat), was, now in changes:
        come, gone = now - was, was - now
        titled = named(tongue(f"zone.{zone}"), told)
        spoken = any(named(name, told) for name in come + gone)
        everybody = all((zone, each) in changed for each in range(game.rules.seated(step.after)))
        if seat is None:
            heard = spoken or str((come or gone).total()) in bare(told) or (titled and not come)
        elif seat == step.seat:
            heard = spoken or titled
        else:
            heard = NAMES[seat] in told or (everybody and titled) or ("Every " in told and spoken)
        if not heard:
            (spared if seat == step.seat or not (seat is not None or come) else untold).append((zone, seat))
    return untold + spared[1:]


def asked_of_the_table(step, game):
    """Return True if a player's step made hands do something before the next question can be answered."""
    return step.seat is not None and isinstance(game.rules.pending(step.after), Report)


@cache
def hands_of(step, game):
    """Return what hands do after a step."""
    return game.telling.hands(step.before, step.choices, step.after)


def complaint(step, game):
    """Return what was told and what it leaves open where nobody knows what to do after a step; None where all
    do.
    """
    tongue = words_of(game)
    hands = tongue.labels(hands_of(step, game))
    said = tongue.labels(game.telling.said(step.before, step.choices))
    told = " ".join(["" if step.seat is None else NAMES[step.seat], *said, *hands])
    if step.choices[0].question not in CLEARING and (untold := silent(step, game, told)):
        return told, untold
    if asked_of_the_table(step, game) and not hands:
        return told, game.rules.pending(step.after).question
    return None


CLEARING = {"deal"}
"""Reports that all was cleared away, which hands were told after the step before."""


def test_nothing_moves_in_silence(at):
    assert not [found for step in steps(at)[::3] if (found := complaint(step, TELLING[at].game))]


def test_what_a_question_is_about_is_told_when_it_begins_a_step_not_in_its_midst(at):
    game = TELLING[at].game
    midst = (made.after for walked in TELLING[at].walks(1) for made in walked)
    assert not any(game.telling.about(each) for each in midst if getattr(game.rules.pending(each), "open", 0))


def test_a_marker_is_told_to_where_its_points_are_now(at):
    game, seats = TELLING[at].game, TELLING[at].setup.seats
    for step in steps(at):
        now = totals(game.scoring.bookings(step.after), seats)
        told = [dict(one.figures) for one in hands_of(step, game) if one.key == "hands.marker"]
        assert all(now[one["seat"]] == one.get("points", now[one["seat"]]) for one in told)


@pytest.mark.parametrize("game_id", engines.GAMES)
def test_news_and_what_lies_there_have_texts_that_their_figures_fill(game_id):
    """Texts are strict here: a missing one, or a missing figure, raises."""
    game, tongue, told = engines.game(game_id), words_of(engines.game(game_id)), set()
    for step in (step for name in TELLING if TELLING[name].game is game for step in steps(name)[::4]):
        news, about = game.telling.news(step.before, step.after), game.telling.about(step.before)
        assert all(tongue.labels((*news, *about)))
        assert all(tongue(f"zone.{zone}") for zone, _ in pieces(step.after, game))
        told |= {label.key.partition(".")[0] for label in (*news, *about)}
    assert told == {"news", "about"}


@pytest.mark.parametrize(
    ("game_id", "differences", "said"),
    [
        ("torres", "-Bd8 +2Bd3 +ac4 -Kh4", ["-block d8", "+2 blocks d3", "+Adso c4", "-king h4"]),
        ("castles_of_tuscany", "+Pd3 -wPe4 +v", ["+tile d3", "-wild hex e4", "+village"]),
        ("san_gimignano", "+a8x3 -b5-7 -mvia", ["+Adso 8x3", "-William 5-7", "-market Via Francigena"]),
        ("marrakesh", "4r", ["4r"]),
    ],
)
def test_what_a_sensor_saw_too_much_or_missed_is_said_in_words(game_id, differences, said):
    words = Words(Texts.load("en", game_id, strict=True), engines.game(game_id), ("Adso", "William"))
    assert [words.difference(text) for text in differences.split()] == said
