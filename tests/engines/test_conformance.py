"""What every game promises, tried on every registered game over random matches at :data:`TABLES`."""

import re
from collections import Counter
from random import Random

import pytest

import engines
from engines import search
from engines.conformance import TriedGame as Tried
from engines.contract import Choice, Decide, Over, Refusal, Report, Setup
from engines.errors import Malformed, NotationError, OutOfTurn, Refused, Stale
from engines.match import Adjustment, Match, replay
from tests.engines import tower_toy, toy
from tests.engines.tables import TABLES, every
from tests.engines.toy import BEANS
from tests.engines.walks import seed, soak, walk

TOY = toy.GAME


@pytest.fixture(params=every())
def table(request):
    return TABLES[request.param]


def asked(pending):
    return pending.seats if isinstance(pending, Decide) else (None,)


def right(found):
    """Whether nothing is wrong; else it is shown."""
    assert list(found) == []


def test_every_rule_that_may_be_chosen_is_tried():
    """Every number of seats, level and option of every registered game, each with another value."""
    for game in map(engines.game, engines.GAMES):
        tried = [table.setup for table in TABLES.values() if table.game is game]
        assert {setup.seats for setup in tried} == set(game.seats)
        assert {setup.level for setup in tried} == set(game.levels)
        assert {name for setup in tried for name, _ in setup.options} == {each.name for each in game.options}


def test_a_choice_is_listed_exactly_when_no_check_refuses_it(table):
    tried = Tried(table.game, table.setup)
    for step in table.steps(1)[::6]:
        right(tried.lists(step.after))
    right(tried.lists(table.game.rules.start(table.setup)))


def test_whatever_the_unknown_really_is_what_it_allows_is_listed(table):
    """Worlds sampled from what is known: each allows something, and nothing that the list has not."""
    game = table.game
    for step in table.steps(1)[::5]:
        pending = game.rules.pending(step.state)
        if isinstance(pending, Decide):
            world = game.worlds.sample(step.state, Random(1))
            for seat in pending.seats:
                assert search.true_choices(game, world, step.state, seat, Random(1))


def test_a_hand_told_truly_lists_what_is_true(table):
    """What a seat holds hidden in a world, told to the referee, lists what that world allows."""
    game = table.game
    for step in table.steps(1):
        pending = game.rules.pending(step.state)
        for seat in asked(pending) if isinstance(pending, Decide) else ():
            held = game.worlds.held(step.world, step.state, seat)
            if held and pending.domain.listed:
                legal = game.rules.legal(step.state, seat)
                true = [one for one in legal if game.worlds.true(step.world, step.state, one, seat)]
                assert game.rules.legal_for(step.state, seat, held) == true
            for other in set(range(table.setup.seats)) - set(pending.seats):
                told = game.worlds.held(step.world, step.state, other)
                assert not told or game.rules.legal_for(step.state, other, told) == []


def test_a_hidden_hand_can_be_told_by_its_kinds(table):
    """What a page lists to be tapped can say every hand, and says it as the text does."""
    game = table.game
    words_of = Tried(game, table.setup).words
    for step in table.steps(1)[::3]:
        for seat in range(table.setup.seats):
            held, hidden = game.worlds.held(step.world, step.state, seat), game.rules.hidden(step.state, seat)
            counted = re.findall(r"(\d+)([a-z])", held)
            words = [f"1{kind}" for n, kind in counted for _ in range(int(n))] or held.strip("-").split(",")
            words = [word for word in words if word]
            assert len(words) == hidden.size
            most = {word: n for word, _, n in hidden.kinds}
            assert all(n <= most[word] for word, n in Counter(words).items())
            assert all(words_of.labels([label for _, label, _ in hidden.kinds]))
            if held:
                by_text, by_kinds = (
                    game.rules.legal_for(step.state, seat, text) for text in (held, ",".join(words) or "-")
                )
                assert by_kinds == by_text


def test_no_prefix_is_a_dead_end(table):
    for step in table.steps(1)[::6]:
        right(Tried(table.game, table.setup).ends(step.state))


def test_positions_read_back_and_can_be_started_from(table):
    for step in table.steps(1)[::9]:
        right(Tried(table.game, table.setup).positions(step.after))


def test_a_replay_leads_to_the_match_and_a_cut_back_to_the_same_points(table):
    live = table.live
    again = replay(table.game, table.setup, live.steps)
    assert again.points == live.points
    assert again.steps == live.steps
    assert isinstance(live.pending, Over)
    for length in (len(live.steps) // 2, 0):
        again.cut(length)
        assert again.points == live.points[: length + 1]
        assert again.steps == live.steps[:length]


def test_a_step_is_all_or_nothing_and_the_asked_seats(table):
    match = Match(table.game, table.setup)
    for at, step in enumerate(table.live.steps):
        before, pending = list(match.points), match.pending
        if at % 5 == 0:
            with pytest.raises(NotationError):
                match.play(step.text + " nonsense", step.seat)
            with pytest.raises(Malformed, match="'nonsense' does not answer"):
                match.play("nonsense", step.seat)
            if isinstance(pending, Decide):
                for seat in set(range(table.setup.seats)) - set(pending.seats):
                    with pytest.raises(OutOfTurn) as caught:
                        match.read(step.text, seat)
                    assert caught.value.asked == pending.seats
            assert match.points == before
        match.play(step.text, step.seat)
    with pytest.raises(Stale):
        match.play("pass")


def test_a_step_is_one_seats_or_the_tables(table):
    """No report while a seat's step is open, and nobody chooses within what the table shows."""
    crossings = 0
    for step in table.steps(1):
        before, after = (table.game.rules.pending(state) for state in (step.state, step.after))
        if after.open:
            assert asked(after) == asked(before), table.game.position.write(step.after)
        crossings += isinstance(before, Decide) and isinstance(after, Report)
    assert crossings or table.game is not tower_toy.GAME


def test_every_match_ends_with_points_and_somebody_ahead(table):
    game, seats = table.game, set(range(table.setup.seats))
    for made in table.walks(2):
        last = made[-1].after
        assert last.termination
        assert all(booking.points and booking.seat in seats for booking in game.scoring.bookings(last))
        right(Tried(game, table.setup).scores(last))


@pytest.mark.soak
@pytest.mark.timeout(0)
def test_soak_lists_positions_and_prefixes():
    first, tables = seed(), list(TABLES.values())
    for number in range(first, first + soak(9_000, 12)):
        table = tables[number % len(tables)]
        tried = Tried(table.game, table.setup)
        for step in walk(table.game, table.setup, Random(number), table.choose):
            right(tried.lists(step.after))
            right(tried.positions(step.after))
            assert tried.closes(step.after)


# Sealed choices and reports too large to list


@pytest.fixture
def beans():
    return Match(TOY, Setup())


def test_sealed_choices_show_nowhere_until_the_last_is_in_and_then_together(beans):
    untouched = Match(TOY, Setup())
    beans.play("sit", 1)
    assert beans.state == untouched.state
    assert beans.game.scoring.bookings(beans.state) == ()
    assert beans.evidence(Refusal("beans.left", "T-2", (), (("r", 0),))) == []
    assert beans.pending.seats == (0,)
    with pytest.raises(OutOfTurn, match="seat b: waiting for a"):
        beans.play("even", 1)
    beans.play("odd")
    assert (beans.state.guesses, beans.state.sat) == (("odd", "sit"), (False, True))
    assert (beans.points[-1].state, beans.points[-1].sealed) == (beans.state, ())
    assert isinstance(beans.pending, Report)
    for text, seat in (("odd", 0), ("sit", 1)):
        untouched.play(text, seat)
    assert (beans.state, beans.points[-1].sealed) == (untouched.state, untouched.points[-1].sealed)
    beans.adjust(Adjustment(0, 1))
    assert [beans.chosen(at) for at in range(3)] == [(), (Choice("guess", "odd"), Choice("guess", "sit")), ()]


def test_a_sealed_choice_is_checked_for_its_own_seat(beans):
    with pytest.raises(OutOfTurn, match="name the seat: waiting for a, b"):
        beans.play("odd")
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


def test_a_multiset_holds_only_what_it_may_and_reads_and_writes_that():
    for token in ("", "r", "1x", "4r", "1r1r", "0r", "2g2r", "-1r", "1r 1g", "01r"):
        assert not BEANS.holds(token), token
    for token in ("0", "1r", "2r1g", "3g"):
        assert BEANS.holds(token), token
        assert BEANS.write(BEANS.read(token)) == token


def test_playouts_reveal_sealed_choices_together():
    walked = list(search.playout(TOY, TOY.rules.start(Setup()), Random(1)))
    rounds = [(state, seat) for state, seat, choice in walked if choice.question == "guess"]
    assert [seat for _, seat in rounds] == [0, 1] * (len(rounds) // 2)
    assert all(first[0] == second[0] for first, second in zip(rounds[::2], rounds[1::2], strict=True))
    state, _, choice = walked[-1]
    assert TOY.rules.apply(state, choice).termination


def test_perft_counts_sealed_choices_as_one_joint_choice():
    state = TOY.rules.start(Setup())
    each = [len(TOY.rules.legal(state, seat)) for seat in TOY.rules.pending(state).seats]
    assert search.perft(TOY, state, 1) == each[0] * each[1]
    assert set(search.divide(TOY, state, 1).values()) == {1}
