"""`podesta judge`: a PIN is set, cleared, told; `podesta pair`: the code of a phone that asks."""

import getpass
import io
import sys

import pytest

from device.cli import main
from device.commands import Exit
from device.match import Pairings
from device.match.clock import SystemClock
from device.match.judge import Judge, Unlocked

PIN = "739105"


@pytest.fixture
def typed(monkeypatch):
    """Answer the prompts of a terminal, one after the other."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    def answers(*given):
        left = list(given)

        def ask(prompt):
            answer = left.pop(0)
            if answer is None:
                raise EOFError
            return answer

        monkeypatch.setattr(sys, "stdin", Terminal())
        monkeypatch.setattr(getpass, "getpass", ask)

    return answers


@pytest.fixture
def piped(monkeypatch):
    return lambda text: monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def judge(state):
    return Judge(state, SystemClock().stamp)


@pytest.mark.parametrize("text", [f"{PIN}\n", f"{PIN}\r\n", PIN, f"{PIN}\nanother line\n"])
def test_set_from_a_pipe_reads_one_line(state, piped, capsys, text):
    piped(text)
    assert main(["judge", "set", "--state", str(state)]) == Exit.FINE
    assert judge(state).unlock(PIN) == Unlocked()
    assert PIN not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((PIN, PIN[::-1]), "the two are not the same; nothing was changed"),
        (("12", "12"), "a judge's PIN is 4 to 8 digits; nothing was changed"),
        ((None,), "no PIN was entered; nothing was changed"),
        ((PIN, None), "no PIN was entered; nothing was changed"),
    ],
)
def test_what_is_no_pin_changes_nothing(state, typed, capsys, given, says):
    judge(state).set("2468")
    typed(*given)
    assert main(["judge", "set", "--state", str(state)]) == Exit.USAGE
    assert capsys.readouterr() == ("", f"podesta: {says}\n")
    assert judge(state).unlock("2468") == Unlocked()


def test_clear(state, capsys):
    judge(state).set(PIN)
    for _ in range(2):
        assert main(["judge", "clear", "--state", str(state)]) == Exit.FINE
        assert capsys.readouterr().out == f"{state}: no judge's PIN is set\n"
    assert not judge(state).is_set


def test_status(state, capsys):
    def status():
        code = main(["judge", "status", "--state", str(state)])
        return code, "".join(capsys.readouterr()).strip()

    assert status() == (Exit.FINE, f"{state}: no judge's PIN is set")
    judge(state).set(PIN)
    assert status() == (Exit.FINE, f"{state}: a judge's PIN is set")
    for _ in range(3):
        judge(state).unlock("0000")
    code, said = status()
    assert code == Exit.FINE
    assert said.startswith(f"{state}: a judge's PIN is set; after wrong ones it is locked for ")
    (state / "judge").write_bytes(b"torn")
    assert status() == (
        Exit.WRONG,
        f"podesta: {state}/judge: not as it was written: locked until 'podesta judge set' at a shell",
    )


def test_a_disk_that_does_not_take_it(state, piped, capsys):
    state.parent.joinpath("state").write_text("a file where the folder should be")
    piped(f"{PIN}\n")
    assert main(["judge", "set", "--state", str(state)]) == Exit.UNREADABLE
    assert PIN not in capsys.readouterr().err


def test_the_code_for_the_seat_that_a_phone_asks_for(state, capsys):
    state.mkdir()
    asking = Pairings(state).ask("secret", 1)
    assert main(["pair", "b", "--state", str(state)]) == Exit.FINE
    assert capsys.readouterr().out == f"{asking.code}\n"


def test_no_phone_asks_for_that_seat(state, capsys):
    assert main(["pair", "a", "--state", str(state)]) != Exit.FINE
    assert "choose the seat on the phone first" in capsys.readouterr().err
