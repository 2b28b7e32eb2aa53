import json
import tomllib
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.strict_toml import DEPTH, LINES, LONGEST, STATEMENT_LINES, KeyPath, check, key_lines


def paths(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in entries:
        yield (*path, key)
        yield from paths(inner, (*path, key))


def lines_by_prefixes(text: str) -> dict[KeyPath, int]:
    """Return the same by brute force: a key's statement begins after the last prefix that lacks it and is
    valid.
    """
    rows, lines, start = text.split("\n"), {}, 1
    for number in range(1, len(rows) + 1):
        try:
            table = tomllib.loads("\n".join(rows[:number]))
        except tomllib.TOMLDecodeError:
            continue
        for path in paths(table):
            lines.setdefault(path, start)
        start = number + 1
    return lines


names = st.sampled_from(["a", "b", "c", '"d.e"', "'#'", '"[f]"', '"="'])
keys = st.lists(names, min_size=1, max_size=3).map(".".join)
multiline = st.lists(st.sampled_from(["", "[a]", "# x", "a = 1", "[[b]]", "]", "}", "\\\\"]), max_size=3).map(
    "\n".join
)
scalars = st.one_of(
    st.sampled_from(["1", "true", "1.5", '"#"', "'['", "2020-01-01", "{}", "[]"]),
    multiline.map(lambda text: f'"""{text}"""'),
    multiline.map(lambda text: f"'''{text}'''"),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[ # ]\n" + ",\n".join(items) + "\n]"),
        st.tuples(names, inner).map(lambda pair: f"{{ {pair[0]} = {pair[1]} }}"),
    ),
    max_leaves=4,
)
rows = st.one_of(
    st.sampled_from(["", "# [a]", "\t"]),
    keys.map(lambda key: f"[{key}]"),
    keys.map(lambda key: f"  [[{key}]] # ]]"),
    st.tuples(keys, values).map(lambda pair: f"{pair[0]} = {pair[1]}"),
)


@given(st.lists(rows, max_size=8))
def test_lines_agree_with_brute_force(statements: list[str]):
    text = ""
    for statement in statements:  # what does not fit what is there already (a key set twice) is left out
        try:
            tomllib.loads(longer := text + statement + "\n")
        except tomllib.TOMLDecodeError:
            continue
        text = longer
    assert key_lines(text) == lines_by_prefixes(text)
    assert set(key_lines(text)) == set(paths(tomllib.loads(text)))


class Part(msgspec.Struct, frozen=True):
    need: int
    size: int = 1


class Whole(msgspec.Struct, frozen=True):
    part: tuple[Part, ...] = ()
    size: int = 3
    flag: bool = False


def test_a_faulty_key_keeps_its_default_and_the_rest_counts():
    (long,) = check(f"flag = {json.dumps('x' * 500)}", Whole, "f").problems
    assert len(long.message) < 100, "it is cut short"
    checked = check("size = 'x'\nflag = true\n[[part]]\nneed = 1\nsize = 'x'\n", Whole, "f")
    assert checked.value == Whole(part=(Part(1),), flag=True)
    assert [str(problem) for problem in checked.problems] == [
        'f:1: size must be a whole number, not "x"',
        'f:5: part[1].size must be a whole number, not "x"',
    ]
    assert checked.faulty == {("size",), ("part", 0, "size")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#" * (LONGEST + 1), f"f: longer than {LONGEST} characters"),
        ("\n" * (LINES + 1), f"f: more than {LINES} lines"),
        ("\n[" + ".".join("a" * 1000) + "]\n", f"f:2: nested more than {DEPTH} deep"),
        ("\n\n" + ".".join(["'b.c'"] * (DEPTH + 2)) + " = 1", f"f:3: nested more than {DEPTH} deep"),
        ("x = " + "[" * 400 + "]" * 400, f"f:1: nested more than {DEPTH} deep"),
        ("size = 1\nx = [\n" + "[\n" * 100 + "]\n" * 101, f"f:2: nested more than {DEPTH} deep"),
        ("x = " + "{a = " * 100 + "1" + "}" * 100, f"f:1: nested more than {DEPTH} deep"),
        (
            "size = 1\nx = [\n" + "1,\n" * STATEMENT_LINES + "]\n",
            f"f:2: a value over more than {STATEMENT_LINES} lines",
        ),
    ],
    ids=["long", "lines", "header", "quoted", "list", "lists", "tables", "statement"],
)
def test_more_than_a_file_of_settings_ever_has_is_refused(text: str, said: str):
    checked = check(text, Whole, "f")
    assert [str(problem) for problem in checked.problems] == [said]
    assert (checked.value, checked.lines) == (Whole(), {})


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "text", ["a" * 60_000 + " = 1", "x = '" + "a " * 30_000 + "'", '"' * 60_000, "a." * 14 + ","]
)
def test_the_limits_themselves_take_no_time(text: str):
    assert check((text + "\n") * max(1, 60_000 // len(text) // 2), Whole, "f").problems


def test_a_problem_holds_nothing_that_acts_on_a_terminal():
    (problem,) = check('"a\u202e" = 1\n', Whole, "f\x1b.toml").problems
    assert str(problem).startswith(
        "f\N{REPLACEMENT CHARACTER}.toml:1: unknown key a\N{REPLACEMENT CHARACTER}"
    )
