"""The damages that ``python -m tests.damage`` makes are damages, each once, and the same for a seed."""

import ast

import pytest

from tests import damage
from tests.rooms import sources


@pytest.mark.parametrize(
    ("text", "worse"),
    [
        ("a < b", ["a <= b"]),
        ("a in b", ["a not in b"]),
        ("a and b", ["a or b", "a", "b"]),
        ("not a", ["a"]),
        ("a + 1", ["a - 1", "a + 2"]),
        ("a + 'text'", []),
        ("a if b else c", ["a", "c"]),
        ("[a for a in b if c]", ["[a for a in b]"]),
        ("f(True)", ["pass", "f(False)"]),
        ("if a:\n    return b", ["if False:\n    return b", "if True:\n    return b"]),
        ("if TYPE_CHECKING:\n    import a", []),
        ("def f(a: Literal[1], b=2):\n    'Says what it is for.'", []),
    ],
)
def test_what_a_slip_makes_of_it(text, worse):
    count = damage.damages("m", text)
    assert [damage.damage("m", text, number).text for number in range(count)] == worse


def test_a_damage_names_its_statement():
    made = damage.damage("m", "def f(a):\n    if a > 1:\n        return 2\n    return 3", 2)
    assert (made.line, made.before, made.after) == (2, "if a > 1:", "if a >= 1:")


def test_a_seed_chooses_the_same_damages_and_none_twice():
    chosen = damage.chosen(7, 12, ["engines.kit"])
    assert chosen == damage.chosen(7, 12, ["engines.kit"])
    assert chosen != damage.chosen(8, 12, ["engines.kit"])
    assert len(set(chosen)) == 12
    for made in chosen:
        whole = sources()[made.module].read_text("utf-8")
        assert made.text != ast.unparse(ast.parse(whole))


def test_the_tests_that_import_a_module_judge_it_first():
    assert damage.judges("engines.readings")[0][0] == "tests/engines/test_readings.py"
    assert damage.judges("device.line.door")[-1] == ["tests/device/line"]
    assert damage.judges("engines.torres.blocks")[-1] == ["tests/engines/test_*.py", "-k", "torres"]


def test_a_damage_is_caught_by_the_test_that_fails_and_the_file_is_whole_again(tmp_path, monkeypatch):
    module = tmp_path / sources()["engines.bags"].relative_to(damage.ROOT)
    module.parent.mkdir(parents=True)
    (module.parent / "__init__.py").touch()
    module.write_text("def two():\n    return 2\n", "utf-8")
    (tmp_path / "test_two.py").write_text(
        "from engines.bags import two\n\ndef test_two():\n    assert two() == 2\n"
    )
    monkeypatch.setattr(damage, "judges", lambda module: [["test_two.py"]])
    whole = module.read_text("utf-8")
    made = damage.damage("engines.bags", whole, 0)
    assert made.after == "return 3"
    assert "::test_two" in damage.caught(made, tmp_path)
    assert damage.caught(made._replace(text=whole), tmp_path) == ""
    assert module.read_text("utf-8") == whole


@pytest.mark.soak
def test_what_makes_tests_hang_is_caught(tmp_path, monkeypatch):
    """Two seconds of the processor are enough to know, where they are the limit."""
    (tmp_path / "test_two.py").write_text("def test_two():\n    while True:\n        pass\n")
    monkeypatch.setattr(damage, "LIMIT_S", 2)
    assert damage._failing(["test_two.py"], tmp_path) in ("exit status -24", "exit status -9")


@pytest.mark.soak
def test_where_no_test_can_run_nothing_is_called_caught(tmp_path):
    """A module that the tests' set-up cannot import is one that is damaged."""
    with pytest.raises(RuntimeError, match=r"no test ran: .*nowhere"):
        damage._failing(["test_nowhere.py"], tmp_path)
    (tmp_path / "conftest.py").write_text("import nowhere\n")
    (tmp_path / "test_one.py").write_text("def test_one():\n    pass\n")
    assert damage._failing(["test_one.py"], tmp_path) == "exit status 4"
