import re

import pytest
from msgspec.structs import replace

from device.cli import main
from device.commands import Exit
from device.match.records import Draft, Kind
from device.match.replay import Header
from device.match.rulings import Amend
from engines import matchfile
from engines.contract import Setup
from engines.match import Match, Step
from engines.words import scores_of
from tests.device.commands.recorded import (
    GAME,
    HEADER,
    Played,
    drafts,
    journal,
    match_file,
    played,
    ruled_match,
    ruling,
)
from tests.device.conftest import MATCHES


def number_of(start):
    """The first step whose text begins so."""
    return next(n for n, step in enumerate(played().steps, 1) if step.text.startswith(start))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "friday.txt"
    path.write_text(match_file(), "utf-8")
    return str(path)


def explained(capsys, *argv):
    status = main(["explain", *map(str, argv)])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_purchase_is_told_choice_by_choice(file, capsys):
    at = number_of("P ")
    step = played().steps[at - 1]
    status, out, _ = explained(capsys, file, at)
    assert status == Exit.FINE
    assert out.startswith(f"step {at} of {len(played().steps)}\n")
    said = f"{('Adso', 'William')[step.seat]}: {step.text} – takes "
    assert out.splitlines()[1].startswith(said)  # the notation, and in words what it does
    assert "Your action?  Purchase\n" in out
    assert "Which card? 2 left  " in out
    assert "Which card? 1 left  " in out


def test_the_end_is_told_with_its_clause(file, capsys):
    _, out, _ = explained(capsys, file, len(played().steps))
    assert "Both passed: the game is over." in out
    assert "SG-2.2  When both players pass" in out


def test_a_record_tells_when_where_and_whether_it_counts(tmp_path, capsys):
    path = journal(tmp_path / "m.podesta", [*drafts(3), ruling("undo 3"), ruling("undo 4")])
    _, out, _ = explained(capsys, path, 3)
    assert out.startswith("entry 3 of 5\n2023-11-14 22:13:22 UTC, keys, group 3\n")
    assert "undone by entry 4\nit counts again\n" in out
    _, out, _ = explained(capsys, path, 4)
    assert "ruling: undo 3\n" in out
    assert re.search(r"ruling: undo 3\nUndone: 3 (Adso|William): [^\n]+\n", out)
    assert "undone by entry 5\nit does not count\n" in out


def test_a_step_that_does_not_fit_is_explained_by_its_clause(tmp_path, capsys):
    seat = GAME.rules.pending(played().points[5].state).seats[0]
    path = tmp_path / "m.txt"
    path.write_text(match_file(steps=(*played().steps[:5], Step(seat, "close")), result=""), "utf-8")
    status, out, err = explained(capsys, path, 6)
    assert status == Exit.WRONG
    assert "Your action?  (nothing that fits)" in out
    assert "m.txt: step 6 of 6 does not fit: SG-3.12: Closing takes 4" in err


def test_a_step_that_is_not_there_is_told_with_the_last(file, tmp_path, capsys):
    status, out, err = explained(capsys, file, 999)
    assert (status, out) == (Exit.WRONG, "")
    assert f"there is no step 999, the last is {len(played().steps)}" in err
    status, _, err = explained(capsys, journal(tmp_path / "m.podesta", drafts(3)), 4)
    assert status == Exit.WRONG
    assert "there is no record 4, records 1 to 3 are good" in err


@pytest.fixture(scope="module")
def ruled(tmp_path_factory):
    """A journal with every kind of ruling, see ``recorded.ruled_match``."""
    return ruled_match(tmp_path_factory.mktemp("ruled"))


class TestRulings:
    def test_a_step_that_stands_against_a_clause_names_it_and_who_agreed(self, ruled, capsys):
        status, out, _ = explained(capsys, ruled, 19)
        assert status == Exit.FINE
        assert (
            "entry 18: Let stand against SG-3.12: Adso: closes – we all wanted to (agreed: Adso, William)"
            in out
        )
        assert re.search(r"Adso: close – [^\n]+\nit stands although SG-3.12 forbids it\n", out)
        assert "Your action?  Close\n" in out
        assert "  not: Close (SG-3.12: Closing takes 4 completed towers; there are 0.)\n" in out
        assert "SG-3.12  Close: allowed with 4 or more" in unwrapped(out)

    def test_an_entry_that_was_corrected_tells_what_it_reads_now(self, ruled, capsys):
        out = explained(capsys, ruled, 6)[1]
        now, was = (f"William: takes {card} from the market and a card from the deck" for card in (9, 6))
        assert f"entry 10: Entry 6 corrected: {now} (was {was}) (agreed: Adso, William)\n" in out
        assert "it reads P m9 d (William: takes 9 from the market and a card from the deck) now\n" in out
        assert "William: P m6 d – takes 6 from the market and a card from the deck\n" in out  # as it stood

    def test_a_correction_tells_what_it_changed(self, ruled, capsys):
        out = explained(capsys, ruled, 10)[1]
        reads = "(William: takes {} from the market and a card from the deck)"
        assert f"  entry 6: P m6 d {reads.format(6)} → P m9 d {reads.format(9)}\n" in out

    def test_points_by_hand_tell_the_score_before_and_after(self, ruled, capsys):
        out = explained(capsys, ruled, 14)[1]
        assert "+7 for Adso by hand – slow play, said Guido (agreed: Adso, William)\n" in out
        assert "score 0 : 0 → 7 : 0\n  Adso gains 7, By hand: 0 → 7\n" in out

    def test_a_call_tells_by_what_it_was_settled(self, ruled, capsys):
        out = explained(capsys, ruled, 3)[1]
        assert "A judge was called – which card was it?\nsettled by entry 5\n" in out
        assert "The call was settled (agreed: the judge)\n" in explained(capsys, ruled, 5)[1]

    def test_a_rollback_names_all_that_it_takes_back(self, tmp_path, capsys):
        path = journal(tmp_path / "m.podesta", [*drafts(8), [ruling("by judge"), ruling("rollback 6")]])
        out = explained(capsys, path, 10)[1]
        for record in (6, 7, 8):
            step = re.escape(played().steps[record - 1].text)
            assert re.search(rf"  entry {record}: {step} \(\w+: .+\) no longer counts\n", out)
        out = explained(capsys, path, 7)[1]
        back = "entry 10: Back to before entry 6 (Adso: exchanges 5, 8 for "
        assert re.search(rf"{re.escape(back)}[^\n]+\) \(agreed: the judge\)\nit does not count\n", out)
        assert back in explained(capsys, path, 6)[1]
        assert "Back to before" not in explained(capsys, path, 5)[1]

    def test_answers_with_a_comma_of_their_own_are_told_apart(self, capsys):
        _, out, _ = explained(capsys, MATCHES / "nobles.match", 31)
        assert "; 4-6, Buona Pietra; " in out
        assert "legal: Buona Pietra as 5, Buona Pietra as 6, " in out

    def test_the_questions_after_an_overruled_word_are_those_that_were_asked(self, tmp_path, capsys):
        """By what was seen the hand is 8 8 8; that it builds 9s gives that knowledge up."""
        setup = Setup(position="market=5,6,7,8 hand.a=8,8,8 hand.b=?5")
        made = Match(GAME, setup)
        made.play("B 9x3", 0, ("SG-11.1",))
        path = tmp_path / "m.match"
        path.write_text(match_file(setup=setup, steps=tuple(made.steps), result=""), "utf-8")
        status, out, _ = explained(capsys, path, 1)
        assert status == Exit.FINE
        assert "it stands although SG-11.1 forbids it\n" in out
        assert "Which tower?  plain 9\n" in out
        height = out[out.index("How many 9s?") :]
        assert height.splitlines()[1] == "  legal: 3 storeys"


class TestSecrets:
    def test_a_sealed_choice_is_not_explained(self, tmp_path, toy, capsys):
        header = Header(toy, ("Adso", "William"), Setup())
        guess = Draft(kind=Kind.STEP, payload="sit", seat=0, visibility="seat:a")
        path = journal(tmp_path / "m.podesta", [guess, ruling("undo 1")], header)
        for record in (1, 2):
            status, out, _ = explained(capsys, path, record)
            assert status == Exit.FINE
            assert not re.search(r"\bsit\b", out)
        assert "Undone: (sealed)\n" in out


DAILY = ("two_deals", "torres_master", "castles_of_tuscany_four", "marrakesh_everything")
RECORDED = [
    pytest.param(path, id=path.stem, marks=[pytest.mark.soak] * (path.stem not in DAILY))
    for path in sorted(MATCHES.glob("*.match"))
]


class TestWhy:
    """Without a step: what made the score."""

    def entries(self, out):
        """The lines of each entry by its number, 0 for the start; those before the first under None."""
        found, at = {None: []}, None
        for line in out.splitlines():
            head = re.match(r"(?:step|record) (\d+)  ", line)
            if head or line == "At the start":
                at = int(head[1]) if head else 0
                found[at] = []
            elif re.match(r"[A-Z]+-\d", line):
                break
            elif line:
                found[at].append(line.strip())
        return found

    @pytest.mark.parametrize("path", RECORDED)
    def test_every_entry_that_changed_the_score_adds_up_to_it(self, path, capsys):
        """By a second way: the sums of what is told."""
        status, out, _ = explained(capsys, path)
        assert status == Exit.FINE
        file = matchfile.read(path.read_text("utf-8"))
        match = matchfile.play(file)
        sums = dict.fromkeys(file.names, 0)
        for number, told in self.entries(out).items():
            if number is None:
                continue
            state = match.points[number].state
            for line in told:
                if move := re.match(r"(.+) (gains|loses) (\d+), .+: (-?\d+) → (-?\d+)", line):
                    assert int(move[5]) - int(move[4]) == int(move[3]) * (1 if move[2] == "gains" else -1)
                    sums[move[1]] += int(move[5]) - int(move[4])
            assert list(sums.values()) == scores_of(match.game, state, len(file.names))
        assert out.startswith(f"score {' : '.join(map(str, sums.values()))}\n")

    def test_a_seat_and_a_category_leave_out_all_others(self, capsys):
        path = MATCHES / "torres_two.match"
        _, out, _ = explained(capsys, path, "--seat", "a", "--category", "king")
        assert out.startswith("score 266 : 296\nAdso, Phase 3, King: 15 (level 3), TO-5.3\n")
        told = self.entries(out)
        assert told.pop(None)
        assert told == {131: ["Adso gains 15, Phase 3, King: 0 → 15 (level 3), TO-5.3"]}
        assert "TO-5.3  King: a player with a knight" in out
        assert "TO-5.2  " not in out

    def test_what_was_lost_is_told_with_what_it_was(self, tmp_path, capsys):
        """The marker goes to who builds higher, with its 10 points; William's 9 is no longer the highest."""
        path = tmp_path / "m.match"
        position = "market=5 hand.a=9,9,9,9 hand.b=?5 a=10x3 b=9x3 marker=b"
        made = Match(GAME, Setup(position=position))
        made.play("B 9x4", 0)
        path.write_text(match_file(setup=made.setup, steps=tuple(made.steps), result=""), "utf-8")
        _, out, _ = explained(capsys, path)
        told = self.entries(out)
        assert "William gains 10, Highest: 0 → 10 (marker), SG-8.5" in told[0]
        assert told[1] == [
            "Adso gains 9, Plain: 10 → 19 (10 + 9), SG-8.3",
            "William loses 9, Plain: 9 → 0 (was 9), SG-8.3",
            "William loses 10, Highest: 10 → 0 (was marker), SG-8.5",
            "Adso gains 10, Highest: 0 → 10 (marker), SG-8.5",
        ]

    def test_a_corrected_entry_tells_both_gains(self, tmp_path, capsys):
        """What it gained as it was recorded, and what it gains as it reads now."""
        position = "market=5 hand.a=?5 hand.b=?5"
        game = Played(tmp_path, replace(HEADER, setup=Setup(position=position)))
        game.steps("B 8x3")
        game.rule(Amend(1, "B 9x3"), by="ab")
        out = explained(capsys, game.done(), 1)[1]
        now = "as the match counts now:\n  Adso gains 9, Plain: 0 → 9 (9), SG-8.3\n"
        assert re.search(rf"it reads B 9x3 \(Adso: builds .+\) now\n{re.escape(now)}", out)
        assert "  Adso gains 8, Plain: 0 → 8 (8), SG-8.3\n" in out

    def test_what_there_is_not_is_refused_with_what_there_is(self, file, capsys):
        status, _, err = explained(capsys, file, "--category", "king")
        assert status == Exit.USAGE
        assert "no category 'king' in this match: completion, blessing, plain, colourful, highest, adj" in err
        status, _, err = explained(capsys, file, "--seat", "c")
        assert (status, err) == (Exit.USAGE, "podesta: nobody sits at c\n")
        status, _, err = explained(capsys, file, 3, "--seat", "a")
        assert status == Exit.USAGE
        assert "without STEP" in err


def unwrapped(out):
    return " ".join(out.split()).replace("SG-3.12 ", "SG-3.12  ")
