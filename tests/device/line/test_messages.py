import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.keys import Hold, Key, Press, Turn
from device.line.frames import LineFrame
from device.line.messages import (
    CAPS,
    CODES,
    KINDS,
    NARROWED,
    Ack,
    Ask,
    Err,
    Hello,
    MessageError,
    Open,
    Ping,
    Reading,
    Step,
    Stroke,
    Tell,
    parse,
    write,
)
from device.telemetry import HEALTH, GatePassed, Health, Weight

ids = st.from_regex(r"[a-z0-9_-]{1,32}", fullmatch=True).filter(lambda name: name != "podesta")
seats = st.none() | st.sampled_from("abcdef")
numbers = st.integers(0, 2**32 - 1)
words = st.from_regex(r"[A-Za-z0-9<>#-][A-Za-z0-9<>#|*-]{0,9}", fullmatch=True)
texts = st.lists(words, min_size=1, max_size=5).map(" ".join)
confidences = st.integers(0, 100).map(lambda percent: percent / 100)

players = st.lists(st.from_regex(r"[^\W_]( ?[^\W_]){0,5}", fullmatch=True), unique=True, max_size=4)
keys = st.from_regex(r"[a-z][a-z_]{0,9}", fullmatch=True)
figures = st.dictionaries(
    st.from_regex(r"[a-z_]{1,16}", fullmatch=True),
    st.integers(-999_999_999_000, 999_999_999_000).map(lambda thousandths: thousandths / 1000),
    max_size=4,
).map(lambda known: tuple(known.items()))
settings = st.dictionaries(keys, st.from_regex(r"[a-z0-9=,]{1,8}", fullmatch=True), max_size=4)

messages = st.one_of(
    st.builds(
        Open,
        st.from_regex(r"[a-z_]{1,12}", fullmatch=True),
        players.map(tuple),
        settings.map(dict.items).map(tuple),
    ),
    st.builds(Hello, ids, words, st.lists(st.sampled_from(CAPS), unique=True).map(tuple), seats),
    st.builds(Step, texts, st.none() | numbers, seats),
    st.builds(Reading, words, st.lists(st.tuples(confidences, texts), min_size=1, max_size=4).map(tuple)),
    st.builds(Tell, texts),
    st.builds(
        Stroke,
        st.one_of(
            st.builds(Press, st.sampled_from(Key)),
            st.builds(Hold, st.sampled_from([Key.BACK, Key.CALL])),
            st.builds(Turn, st.integers(-99, 99).filter(bool)),
        ),
    ),
    st.builds(Weight, st.integers(-9_999_999, 9_999_999), st.integers(0, 9_999_999), st.booleans()),
    st.builds(GatePassed, st.integers(1, 9), st.integers(0, 999)),
    st.builds(Health, st.sampled_from(HEALTH), figures),
    st.builds(Ask, st.sampled_from(NARROWED), texts) | st.builds(Ask, st.sampled_from(("score", "turn"))),
    st.builds(Ping),
    st.builds(Ack, numbers, st.none() | numbers),
    st.builds(Err, st.none() | numbers, st.sampled_from(CODES), texts),
)


@given(messages)
def test_what_a_node_says_comes_back(message):
    kind, args = write(message)
    assert kind in KINDS
    assert parse(LineFrame(1, kind, args)) == message


@pytest.mark.parametrize(
    ("kind", "args", "message"),
    [
        ("hello", "scale - -", Hello("scale", "-", ())),
        ("step", "X 8 8 > m6 d", Step("X 8 8 > m6 d")),
        ("step", "@41 b: P d m6", Step("P d m6", 41, "b")),
        ("step", "b:P d m6", Step("P d m6", None, "b")),
        ("step", "M d3-e5: x", Step("M d3-e5: x")),
        (
            "reading",
            "towers 0.82 a=5-7|,8x3* | 0.1 a=5-7",
            Reading("towers", ((0.82, "a=5-7|,8x3*"), (0.1, "a=5-7"))),
        ),
        ("reading", "hand 1 empty", Reading("hand", ((1.0, "empty"),))),
        ("open", "san_gimignano", Open("san_gimignano")),
        (
            "open",
            "torres Adso of Melk , Bo  start=b donazione=may",
            Open("torres", ("Adso of Melk", "Bo"), (("start", "b"), ("donazione", "may"))),
        ),
        ("key", "call  hold", Stroke(Hold(Key.CALL))),
        ("key", "turn +3", Stroke(Turn(3))),
        ("weight", "-40  0 moving", Weight(-40, 0, False)),
        ("ask", "why  X 8 8", Ask("why", "X 8 8")),
        ("err", "- garbled", Err(None, "garbled", "")),
    ],
)
def test_parse(kind, args, message):
    assert parse(LineFrame(1, kind, args)) == message


@pytest.mark.parametrize(
    ("kind", "args", "code", "says"),
    [
        ("setp", "P d m6", "kind", "did you mean step"),
        ("event", "1 x", "kind", "hello, open, step"),
        ("hello", "", "malformed", "hello NAME"),
        ("hello", "Keypad 1 step", "malformed", "Keypad"),
        ("hello", f"{'x' * 33} 1 step", "malformed", "1 to 32"),
        ("hello", "podesta 1 step", "malformed", "echo"),
        ("hello", "k 1 stepp", "malformed", "did you mean step"),
        ("hello", "k 1 step seat=B", "malformed", "seat=a"),
        ("hello", "my-lap top 1 step", "malformed", "a word each; the last is step"),
        ("ask", "score now", "malformed", "nothing stands behind ask score: not now"),
        ("open", "", "malformed", "open GAME"),
        ("open", "start=b", "malformed", "open GAME"),
        ("open", "torres start=b Adso,Bo", "malformed", "names come before"),
        ("open", "torres Adso,", "malformed", "1 to 24 letters"),
        ("open", "torres Adso,Adso", "malformed", "each player's own, not Adso"),
        ("open", f"torres {'x' * 25},Bo", "malformed", "1 to 24 letters"),
        ("open", "torres start=a start=b", "malformed", "there once, not start=a"),
        ("open", "torres start=", "malformed", "key=value, and there once, not start="),
        ("step", "", "malformed", "step [@RECORD]"),
        ("step", "@x P d", "malformed", "not x"),
        ("step", "@", "malformed", "not nothing"),
        ("step", "@4", "malformed", "step [@RECORD]"),
        ("reading", "towers", "malformed", "reading WHAT"),
        ("reading", "towers 0.5", "malformed", "reading WHAT"),
        ("reading", "towers 85 m6", "malformed", "not 85"),
        ("reading", "towers nan m6", "malformed", "not nan"),
        ("reading", "towers 0.5 m6 |", "malformed", "reading WHAT"),
        ("tell", "", "malformed", "write: tell HELD"),
        ("key", "", "malformed", "write: key ok, back, undo, call, back hold or call hold, or turn +1 to"),
        ("key", "ok hold", "malformed", "key ok"),
        ("key", "turn", "malformed", "turn +1"),
        ("key", "turn 0", "malformed", "turn +1"),
        ("key", "turn +100", "malformed", "turn -99"),
        ("weight", "", "malformed", "write: weight MG SD STATE, whole milligrams"),
        ("weight", "31.25 1 rest", "malformed", "weight 31250 12 rest"),
        ("weight", "31250 1 resting", "malformed", "weight MG"),
        ("weight", "31250 1", "malformed", "weight MG"),
        ("weight", "12345678 1 rest", "malformed", "weight MG"),
        ("gate", "0 3", "malformed", "a name 1 to 9"),
        ("gate", "1 -3", "malformed", "gate 1 9"),
        ("health", "", "malformed", "WORD is one of ok, cell-gone"),
        ("health", "ok rate", "malformed", "rate=20, not rate"),
        ("health", "ok rate=1 rate=2", "malformed", "there once, for example rate=20, not rate=2"),
        ("ask", "", "malformed", "legal, score"),
        ("ask", "scores", "malformed", "did you mean score"),
        ("ask", "why", "malformed", "ask why"),
        ("ack", "x", "malformed", "ack NUMBER"),
        ("err", "3", "malformed", "err NUMBER"),
    ],
)
def test_refused_with_what_to_write(kind, args, code, says):
    with pytest.raises(MessageError) as caught:
        parse(LineFrame(1, kind, args))
    assert caught.value.code == code
    assert says in caught.value.text


def test_only_known_codes():
    with pytest.raises(ValueError, match="oops"):
        MessageError("oops", "text")
