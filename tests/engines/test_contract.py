"""What every game promises, tried on every game over random matches."""

from __future__ import annotations

import copy
from functools import cache
from itertools import pairwise
from random import Random

import pytest

import engines
from engines import notation, search
from engines.contract import Choice, Decide, Level, Multiset, Over, Refusal, Report, Setup
from engines.errors import Malformed, NotationError, OutOfTurn, Refused, Stale
from engines.match import Match, Point, replay
from tests.engines.toy import BAG, BEANS, Toy
from tests.engines.walks import seed, soak, walk

SAN_GIMIGNANO = engines.game("san_gimignano")
TOY = Toy()
NOBLES = (("nobles", "yes"),)
TABLES = {
    "toy": (Toy(), Setup()),
    "full": (SAN_GIMIGNANO, Setup()),
    "must": (SAN_GIMIGNANO, Setup(start=1, options=(("donazione", "must"),))),
    "table": (SAN_GIMIGNANO, Setup(level=Level.TABLE)),
    "score": (SAN_GIMIGNANO, Setup(level=Level.SCORE)),
    "nobles": (SAN_GIMIGNANO, Setup(options=NOBLES)),
    "nobles_must": (
        SAN_GIMIGNANO,
        Setup(start=1, options=(*NOBLES, ("donazione", "must"), ("pietra_guard", "yes"))),
    ),
    "nobles_table": (SAN_GIMIGNANO, Setup(level=Level.TABLE, options=(*NOBLES, ("pietra_guard", "yes")))),
    "nobles_score": (SAN_GIMIGNANO, Setup(level=Level.SCORE, options=(*NOBLES, ("deals", "2")))),
    "deals": (SAN_GIMIGNANO, Setup(options=(("deals", "2"),))),
    "target": (SAN_GIMIGNANO, Setup(options=(*NOBLES, ("deals", "target"), ("target", "60")))),
}
WALKS = 5


@pytest.fixture(params=TABLES)
def table(request):
    return TABLES[request.param]


@cache
def walked(game, setup, number):
    """One match: every promise is tried on the same ones."""
    return tuple(walk(game, setup, Random(number)))


def made(table, walks=WALKS):
    first = seed()
    for number in range(first, first + walks):
        yield from walked(*table, number)


def asked(pending):
    return pending.seats if isinstance(pending, Decide) else (None,)


def assert_lists_agree(game, state):
    """The list and the checks say the same over the whole domain, in its order, each choice once."""
    pending = game.pending(state)
    if isinstance(pending, Over):
        assert game.legal(state) == []
        return
    for seat in asked(pending):
        wider = [Choice(pending.question, token) for token in pending.domain.tokens]
        passed = [choice for choice in wider if game.why_not(state, choice, seat) is None]
        assert game.legal(state, seat) == passed, game.position(state)


def closes(game, state):
    """Whether some choices end the open step."""
    if not game.pending(state).open:
        return True
    return any(closes(game, game.apply(state, choice)) for choice in game.legal(state))


def test_a_choice_is_listed_exactly_when_no_check_refuses_it(table):
    game, _ = table
    for step in made(table):
        assert_lists_agree(game, step.state)
        assert_lists_agree(game, step.after)


def test_domains_are_wider_than_the_lists(table):
    game, _ = table
    refused = 0
    for step in made(table):
        pending = game.pending(step.state)
        for seat in asked(pending):
            refused += len(pending.domain.tokens) - len(game.legal(step.state, seat))
    assert refused > 0


def test_every_true_choice_passes_the_checks(table):
    game, _ = table
    for step in made(table):
        for seat, choice in step.choices.items():
            assert game.why_not(step.state, choice, seat) is None
            assert game.pending(step.state).domain.holds(choice.token)


def test_no_prefix_is_a_dead_end(table):
    game, _ = table
    prefixes = 0
    for step in made(table, 3):
        if len(asked(game.pending(step.state))) > 1:
            continue
        for choice in game.legal(step.state):
            after = game.apply(step.state, choice)
            prefixes += game.pending(after).open
            assert closes(game, after), game.position(after)
    assert prefixes or isinstance(game, Toy)


def test_positions_read_back_and_nothing_is_wrong_with_them(table):
    game, _ = table
    for step in made(table):
        text = game.position(step.after)
        assert game.status(text) == [], text
        assert game.read_position(text) == step.after
        assert "\n" not in text


def test_applying_changes_nothing_that_was(table):
    game, _ = table
    for step in made(table, 3):
        before, number = copy.deepcopy(step.state), hash(step.state)
        game.legal(step.state, 0)
        for seat, choice in step.choices.items():
            game.why_not(step.state, choice, seat)
        again = (
            game.apply(step.state, *step.choices.values())
            if len(step.choices) == 1
            else game.reveal(step.state, [*step.choices.values()])
        )
        assert again == step.after
        assert hash(again) == hash(step.after)
        assert step.state == before
        assert hash(step.state) == number


def play_live(table, number):
    """A random match, and its steps played into a Match as text."""
    game, setup = table
    match = Match(game, setup)
    begun: list[Choice] = []
    for step in walk(game, setup, Random(number)):
        if len(step.choices) > 1:
            for seat, choice in step.choices.items():
                match.play(game.text([choice]), seat)
            continue
        begun += step.choices.values()
        if not game.pending(step.after).open:
            read = match.play(game.text(begun))
            assert read.after.state == step.after
            assert read.step.text == game.text(read.choices)
            begun = []
    return match


def test_a_step_reads_back_to_what_it_did_and_a_replay_to_the_match(table):
    game, setup = table
    first = seed()
    for number in range(first, first + 6):
        live = play_live(table, number)
        again = replay(game, setup, live.steps)
        assert again.points == live.points
        assert again.steps == live.steps
        assert isinstance(live.pending, Over)


def test_cutting_a_match_goes_back_to_the_same_points(table):
    live = play_live(table, seed())
    points, steps = list(live.points), list(live.steps)
    for length in sorted({len(steps), len(steps) // 2, 1, 0}, reverse=True):
        live.cut(length)
        assert live.points == points[: length + 1]
        assert live.steps == steps[:length]


def test_a_step_is_all_or_nothing(table):
    game, _ = table
    match = Match(game, table[1])
    for step in play_live(table, seed()).steps:
        before = list(match.points)
        with pytest.raises(NotationError):
            match.play(step.text + " nonsense", step.seat)
        assert match.points == before
        match.play(step.text, step.seat)
    with pytest.raises(Stale):
        match.play("pass")


def test_another_seat_is_out_of_turn(table):
    game, setup = table
    match = Match(game, setup)
    for step in play_live(table, seed()).steps:
        pending = match.pending
        for seat in {0, 1} - set(asked(pending)):
            if isinstance(pending, Decide):
                with pytest.raises(OutOfTurn) as caught:
                    match.read(step.text, seat)
                assert caught.value.asked == pending.seats
        match.play(step.text, step.seat)


def test_every_match_ends_with_points_and_somebody_ahead(table):
    game, setup = table
    first = seed()
    for number in range(first, first + WALKS):
        *_, last = walk(game, setup, Random(number))
        assert all(booking.points and booking.seat in (0, 1) for booking in game.bookings(last.after))
        assert set(game.winners(last.after)) <= {0, 1}
        assert game.winners(last.after)


def test_every_choice_has_a_name(table):
    game, _ = table
    for step in made(table, 2):
        for choice in step.choices.values():
            assert game.label(choice).key


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_soak_lists_positions_and_prefixes():
    first = seed()
    for number in range(first, first + soak(5_000)):
        table = TABLES[sorted(TABLES)[number % len(TABLES)]]
        game, setup = table
        for step in walk(game, setup, Random(number)):
            assert_lists_agree(game, step.after)
            text = game.position(step.after)
            assert game.status(text) == []
            assert game.read_position(text) == step.after
            if game.pending(step.after).open:
                assert closes(game, step.after)


# Sealed choices and reports too large to list


@pytest.fixture
def beans():
    return Match(Toy(), Setup())


def test_a_sealed_choice_shows_nowhere_until_the_last_is_in(beans):
    untouched = Match(Toy(), Setup())
    beans.play("sit", 1)
    assert beans.state == untouched.state
    assert beans.game.position(beans.state) == untouched.game.position(untouched.state)
    assert beans.game.bookings(beans.state) == ()
    assert beans.evidence(_left("r")) == []
    assert beans.pending.seats == (0,)


def test_the_last_sealed_choice_reveals_all_in_one_step(beans):
    beans.play("sit", 1)
    beans.play("odd", 0)
    assert beans.state.guesses == ("odd", "sit")
    assert beans.state.sat == (False, True)
    assert beans.points[-1] == Point(beans.state)
    assert isinstance(beans.pending, Report)


def test_the_order_of_commitments_does_not_matter(beans):
    other = Match(Toy(), Setup())
    for seat, text in ((0, "odd"), (1, "even")):
        beans.play(text, seat)
    for seat, text in ((1, "even"), (0, "odd")):
        other.play(text, seat)
    assert beans.points[-1] == other.points[-1]


def test_who_has_committed_is_out_of_turn(beans):
    beans.play("odd", 0)
    with pytest.raises(OutOfTurn, match="seat a: b is asked"):
        beans.play("even", 0)
    beans.play("even")
    assert beans.state.guesses == ("odd", "even")


def test_of_several_asked_somebody_must_be_named(beans):
    with pytest.raises(OutOfTurn, match="no named seat: a and b are asked"):
        beans.play("odd")


def test_a_sealed_choice_is_checked_for_its_own_seat(beans):
    for text, seat in (("sit", 0), ("odd", 1), ("0", None)):
        beans.play(text, seat)
    with pytest.raises(Refused, match=r"guess\.sat"):
        beans.play("sit", 0)
    beans.play("sit", 1)
    with pytest.raises(Malformed, match="one word"):
        beans.play("odd even", 0)


def test_cutting_between_commitments_forgets_the_second_only(beans):
    beans.play("odd", 0)
    beans.play("even", 1)
    beans.cut(1)
    assert beans.pending.seats == (1,)
    beans.play("odd", 1)
    assert beans.state.guesses == ("odd", "odd")


def test_evidence_names_the_reports_behind_a_refusal(beans):
    for text, seat in [("odd", 0), ("odd", 1), ("3r", None), ("odd", 0), ("odd", 1), ("1g", None)]:
        beans.play(text, seat)
    for seat in (0, 1):
        beans.play("even", seat)
    with pytest.raises(Refused) as caught:
        beans.play("2r")
    assert caught.value.refusal.check == "beans.left"
    assert beans.evidence(caught.value.refusal) == [3]


@pytest.mark.parametrize("token", ["", "r", "1x", "4r", "1r1r", "0r", "2g2r", "-1r", "1r 1g", "01r"])
def test_a_multiset_holds_only_what_it_may(token):
    assert not BEANS.holds(token)


@pytest.mark.parametrize("token", ["0", "1r", "2r1g", "3g"])
def test_a_multiset_reads_and_writes_its_tokens(token):
    assert BEANS.holds(token)
    assert BEANS.write(BEANS.read(token)) == token


def test_a_multiset_is_not_listed():
    state = Toy().reveal(Toy().start(Setup()), _guesses("odd", "odd"))
    assert isinstance(Toy().pending(state).domain, Multiset)
    assert Toy().legal(state) == []
    assert search.perft(Toy(), state, 2) == 0
    choices, after = notation.read(Toy(), state, "2g1r")
    assert after.left == BAG - BEANS.read("1r2g")
    assert choices == [Choice("beans", "2g1r")]


def _guesses(*tokens):
    return [Choice("guess", token) for token in tokens]


def _left(kind):
    return Refusal("beans.left", "T-2", (), ((kind, 0),))


def test_playouts_walk_from_state_to_state():
    for number in range(5):
        start = SAN_GIMIGNANO.start(Setup())
        walked = list(search.playout(SAN_GIMIGNANO, start, Random(number)))
        for (state, seat, choice), (after, _, _) in pairwise(walked):
            assert SAN_GIMIGNANO.apply(state, choice) == after
            assert (seat is None) == isinstance(SAN_GIMIGNANO.pending(state), Report)
        state, _, choice = walked[-1]
        assert SAN_GIMIGNANO.apply(state, choice).termination


def test_playouts_reveal_sealed_choices_together():
    walked = list(search.playout(TOY, TOY.start(Setup()), Random(1)))
    rounds = [(state, seat) for state, seat, choice in walked if choice.question == "guess"]
    assert [seat for _, seat in rounds] == [0, 1] * (len(rounds) // 2)
    assert all(first[0] == second[0] for first, second in zip(rounds[::2], rounds[1::2], strict=True))
    state, _, choice = walked[-1]
    assert TOY.apply(state, choice).termination


def test_perft_counts_sealed_choices_as_one_joint_choice():
    state = TOY.start(Setup())
    each = [len(TOY.legal(state, seat)) for seat in TOY.pending(state).seats]
    assert search.perft(TOY, state, 1) == each[0] * each[1]
    assert set(search.divide(TOY, state, 1).values()) == {1}
