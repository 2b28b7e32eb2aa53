"""Match files: read back as written, and every error names file and line."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

import engines
from engines import matchfile
from engines.contract import Level, Option
from engines.errors import BadMatchFile
from engines.match import Adjustment, Step

FILE = """\
podesta match 1
game: san_gimignano
rules_version: 1
seats: Adso, William
start: b
level: full
donazione: must
simulated: yes
note: two turns
result: double_pass, a 0, b 0, shared by a and b

1 * 8 6 10 9
2 b P d m6
3 a pass
4 b pass
"""


def shortened(text):
    """A file's text without the options that stand at their default, which may be left out."""
    usual = {f"{option.name}: {option.values[0]}" for option in engines.game("san_gimignano").options}
    return "".join(line for line in text.splitlines(keepends=True) if line.strip() not in usual)


def changed(old, new):
    assert old in FILE
    return FILE.replace(old, new, 1)


def play(text):
    return matchfile.play(matchfile.read(text, "x.match"), "x.match")


def test_what_is_left_out_has_its_usual_value():
    file = matchfile.read("podesta match 1\ngame: san_gimignano\n\n1 * 8 6 10 9\n")
    assert (file.names, file.setup.level, file.simulated) == (("a", "b"), Level.FULL, False)
    assert matchfile.result(matchfile.play(file)) == "unfinished, a 0, b 0"


def test_a_position_may_be_started_from():
    text = (
        "podesta match 1\ngame: san_gimignano\nposition: market=5 hand.a=?5 a=8x3 marker=a\n\n1 a E 8x3 8 d\n"
    )
    assert matchfile.result(play(text)) == "unfinished, a 18, b 0"
    assert "position: market=5 hand.a=?5" in matchfile.write(matchfile.read(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "x.match:1: not a match file"),
        ("podesta match 1\nstart: a\n", "x.match:1: no 'game:' header"),
        (
            changed("san_gimignano", "san_gimigniano"),
            "x.match:2: no game 'san_gimigniano'; did you mean san_gimignano",
        ),
        (changed("start:", "strat:"), "x.match:5: unknown header 'strat'; did you mean 'start'"),
        (changed("start: b", "start: e"), "x.match:5: start cannot be 'e'"),
        (changed("version: 1", "version: one"), "x.match:3: rules_version cannot be 'one'"),
        (changed("donazione: must", "donazione: no"), "x.match:7: donazione is may or must, not 'no'"),
        (
            changed("start: b", "level: full"),
            "x.match:6: 'level: full' is not a header like 'start: a', or there twice",
        ),
        (changed("3 a pass", "4 a pass"), "x.match:14: '4 a pass' is not step 3"),
        (changed("3 a pass", "3 a dance"), "x.match:14: 'dance' does not answer 'action'"),
        (changed("3 a pass", "3 a E"), "x.match:14: SG-3.9: E refused"),
        (changed("3 a pass", "3 b pass"), "x.match:14: seat b: waiting for a"),
        (changed("4 b pass", "4 b pass\n5 a pass"), "x.match:16: 'pass': the match is over"),
        (changed("a 0, b 0", "a 9, b 0"), "x.match:1: the file says"),
        (changed("note: two turns", "position: market=5,,"), "x.match:1: position: market"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text, message):
    with pytest.raises(BadMatchFile) as caught:
        play(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_empty_lines_and_remarks_between_steps_are_passed_over():
    assert matchfile.result(play(changed("3 a", "\n# both hungry\n3 a"))).startswith("double_pass")


@settings(max_examples=60)
@given(st.data())
def test_a_damaged_file_is_read_or_refused_and_nothing_else(data):
    at = data.draw(st.integers(0, len(FILE) - 1))
    put = data.draw(st.text(alphabet="ab 158dmPX:.>*\n-", max_size=3))
    length = data.draw(st.integers(0, 3))
    with suppress(BadMatchFile):
        play(FILE[:at] + put + FILE[at + length :])


RULED = FILE.replace(
    "result: double_pass, a 0, b 0, shared by a and b", "result: double_pass, a -5, b 12, won by b"
)
RULED = RULED.replace(
    "3 a pass\n4 b pass\n",
    "3 ! a -5 slow play\n4 ! b +12\n5 a close !SG-3.12\n6 b pass\n7 a pass\n",
)


def test_what_was_overruled_and_points_by_hand_read_back():
    file = matchfile.read(RULED)
    assert file.steps[2:5] == (
        Adjustment(0, -5, "slow play"),
        Adjustment(1, 12),
        Step(0, "close", ("SG-3.12",)),
    )
    assert shortened(matchfile.write(file)) == RULED
    match = play(RULED)
    assert match.steps == list(file.steps)
    assert matchfile.result(match) == file.result


def test_without_the_waiver_the_step_is_refused():
    with pytest.raises(BadMatchFile, match=r"x\.match:16: SG-3\.12: close refused"):
        play(RULED.replace(" !SG-3.12", ""))
    with pytest.raises(BadMatchFile, match=r"x\.match:16: SG-3\.12: close refused"):
        play(RULED.replace(" !SG-3.12", " !SG-3.11"))
    assert play(RULED.replace(" !SG-3.12", " !SG-3.11,SG-3.12")).state.termination == "double_pass"


def test_points_by_hand_count_in_the_result():
    with pytest.raises(
        BadMatchFile, match=r"x\.match:1: the file says .* the replay 'double_pass, a -6, b 12"
    ):
        play(RULED.replace("! a -5", "! a -6"))


@pytest.mark.parametrize("line", ["! a 5", "! a +-5", "! e +5", "! +5", "! a +12345", "! a", "!"])
def test_points_by_hand_are_held_to_their_form(line):
    with pytest.raises(BadMatchFile, match=r"x\.match:14: '3 ! ?.*' is not step 3"):
        play(RULED.replace("! a -5 slow play", line))


def test_a_file_made_under_later_rules_is_refused():
    with pytest.raises(BadMatchFile, match=r"x\.match:1: made under rules version 2"):
        play(changed("rules_version: 1", "rules_version: 2"))


@pytest.mark.parametrize("header", ["note", "start"])
def test_no_option_is_named_like_a_header(header, monkeypatch):
    file = matchfile.read(FILE)
    known = engines.game(file.game)
    named = replace(known, options=(*known.options, Option(header, ("no", "yes"), "SG-1.1")))
    monkeypatch.setattr(engines, "game", lambda _: named)
    for use, what in ((matchfile.read, FILE), (matchfile.write, file)):
        with pytest.raises(ValueError, match=f"san_gimignano: option '{header}' is named like a match file"):
            use(what)
