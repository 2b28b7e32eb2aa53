"""What a log adds up to: undo, rollback, amendments, adjustments, overrides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.match.history import Log, RulingError
from device.match.records import Draft, Record
from engines.match import Step
from tests.device.commands.recorded import ruling
from tests.device.match.test_journal import step
from tests.device.match.test_records import chain


def effective(records):
    return Log(records).history


def payloads(records: list[Record]) -> list[str]:
    return [line.text for line in effective(records)]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("undo 2", "no group 2"),
        ("undo 3", "no group 3"),
        ("undo 9", "no group 9"),
        ("amen 1", "unknown"),
    ],
)
def test_a_ruling_that_cannot_be_followed_names_its_record(line, says):
    with pytest.raises(RulingError, match=f"^record 2: .*{says}"):
        effective(chain([step("a")], [ruling(line)]))


@st.composite
def valid_logs(draw) -> list[int]:
    """A group per entry: 0 for a step, else the earlier, counting group it undoes."""
    log: list[int] = []
    for _ in range(draw(st.integers(0, 14))):
        options = [group for group in range(1, len(log) + 1) if counts(log, group)]
        log.append(draw(st.sampled_from([0, *options])))
    return log


def counts(log: list[int], group: int) -> bool:
    """The naive model: word for word what undo means."""
    undoers = [later for later, target in enumerate(log, 1) if target == group]
    return not any(counts(log, later) for later in undoers)


def written(log: list[int]) -> list[Record]:
    return chain(
        *([ruling(f"undo {target}") if target else step(str(at))] for at, target in enumerate(log, 1))
    )


def letters(word: str) -> list[list[Draft]]:
    """A step a letter, each a group of its own: record n is the nth letter."""
    return [[step(letter)] for letter in word]


class TestEdits:
    def test_an_inserted_step_stands_before_its_record_under_its_own_number(self):
        log = chain(*letters("abc"), [ruling("insert 2 b x")], [ruling("insert 2 * y")])
        assert payloads(log) == ["a", "x", "y", "b", "c"]
        assert [line.seat for line in effective(log)] == [0, 1, None, 0, 0]
        assert [line.seq for line in effective(log)] == [1, 4, 5, 2, 3]

    @pytest.mark.parametrize("line", ["amend 5 x", "strike 5", "insert 5 a x", "rollback 5", "amend 9 x"])
    def test_a_record_that_is_no_earlier_play_is_refused_by_number(self, line):
        log = chain(*letters("abc"), [ruling("pause")], [ruling(line)])
        with pytest.raises(RulingError, match=r"record 5: [59] is no step or report"):
            effective(log)


class TestOverridesAndAdjustments:
    def test_an_override_belongs_to_the_next_step_of_its_group(self):
        waiver = ruling("override SG-3.2,SG-6.2 late")
        lines = effective(chain([step("a")], [waiver, step("b"), step("c")], [step("d")]))
        assert [line.made.waived for line in lines] == [(), ("SG-3.2", "SG-6.2"), (), ()]

    def test_an_amendment_may_be_overruled_and_keeps_what_was_waived_before(self):
        log = chain([ruling("override SG-3.2"), step("a")], [ruling("override SG-6.2"), ruling("amend 2 x")])
        assert effective(log)[0].made == Step(0, "x", ("SG-3.2", "SG-6.2"))


class Model:
    """The same in other words: entries by number, and every ruling a function of the list before it."""

    def __init__(self, log: list[str]):
        self.log = log

    def texts(self) -> list[str]:
        entries: list[tuple[int, str]] = []
        for number, word in enumerate(self.log, 1):
            name, _, rest = word.partition(" ")
            numbers = [seq for seq, _ in entries]
            target, _, text = rest.partition(" ")
            at = numbers.index(int(target)) if target.isdigit() and int(target) in numbers else None
            if name == "step":
                entries.append((number, rest))
            elif at is not None:
                entries = {
                    "rollback": lambda at=at, e=entries: e[:at],
                    "strike": lambda at=at, e=entries: e[:at] + e[at + 1 :],
                    "amend": lambda at=at, e=entries, t=text: [*e[:at], (e[at][0], t), *e[at + 1 :]],
                    "insert": lambda at=at, e=entries, t=text, n=number: [*e[:at], (n, t[2:]), *e[at:]],
                }[name]()
        return [text for _, text in entries]


@st.composite
def ruled_logs(draw) -> list[str]:
    log: list[str] = []
    known: list[int] = []
    for number in range(1, draw(st.integers(1, 16)) + 1):
        word = draw(st.sampled_from(["step", "step", "step", "rollback", "amend", "strike", "insert"]))
        if word == "step" or not known:
            log.append(f"step s{number}")
            known.append(number)
            continue
        target = draw(st.sampled_from(known))
        log.append(
            {"amend": f"amend {target} s{number}", "insert": f"insert {target} a s{number}"}.get(
                word, f"{word} {target}"
            )
        )
        if word == "insert":
            known.append(number)
    return log


@given(ruled_logs())
def test_rulings_mean_the_same_in_the_words_of_a_model(log):
    groups = [[step(one[5:])] if one.startswith("step ") else [ruling(one)] for one in log]
    assert payloads(chain(*groups)) == Model(log).texts()


@given(valid_logs())
def test_undo_agrees_with_the_naive_model(log):
    expected = [str(at) for at, target in enumerate(log, 1) if not target and counts(log, at)]
    assert payloads(written(log)) == expected
