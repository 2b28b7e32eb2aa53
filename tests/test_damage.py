"""The damages of ``python -m tests.damage`` are damages, each once, and the same for a seed."""

import ast

import pytest

from tests import damage
from tests.rooms import sources


@pytest.mark.parametrize(
    ("text", "worse"),
    [
        ("a < b", ["a <= b"]),
        ("a and b", ["a or b", "a", "b"]),
        ("not a", ["a"]),
        ("a + 1", ["a - 1", "a + 2"]),
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


def test_a_seed_chooses_the_same_damages_and_none_twice():
    chosen = damage.chosen(7, 4, ["engines.kit"])
    assert chosen == damage.chosen(7, 4, ["engines.kit"])
    assert chosen != damage.chosen(8, 4, ["engines.kit"])
    assert len(set(chosen)) == 4
    for made in chosen:
        whole = sources()[made.module].read_text("utf-8")
        assert made.text != ast.unparse(ast.parse(whole))


def test_the_tests_that_import_a_module_judge_it_first():
    assert damage.judges("engines.readings")[0][0] == "tests/engines/test_readings.py"
    assert damage.judges("device.line.door")[-1] == ["tests/device/line"]
    assert damage.judges("engines.torres.blocks")[-1] == ["tests/engines/test_*.py", "-k", "torres"]


@pytest.mark.soak
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
