import subprocess
import sys
from pathlib import Path

import pytest

from tests import skips

REPOSITORY = Path(__file__).parents[1]

TWO = """
import pytest

@pytest.mark.parametrize("n", range(2))
def test_with_a_tool(n):
    pytest.skip("no spanner here")
"""


def test_a_list_holds_numbers_and_reasons():
    assert skips.allowed("# of tools\n2 no spanner\n\n1 picamera2 is .*\n") == {
        "no spanner": 2,
        "picamera2 is .*": 1,
    }


@pytest.mark.parametrize("line", ["no spanner", "2", "-1 no spanner", "2 "])
def test_what_is_no_such_line_is_named(line):
    with pytest.raises(ValueError, match="line 2"):
        skips.allowed(f"1 fine\n{line}\n")


def test_what_skips_more_often_than_it_may_is_told():
    reasons = ["no spanner here"] * 2 + ["no saw"]
    assert skips.unexpected(reasons, {"no spanner": 2, "no saw": 1}) == []
    assert skips.unexpected(reasons, {"no spanner": 1}) == [
        "2 skipped, 1 allowed: no spanner here",
        "1 skipped, 0 allowed: no saw",
    ]


def test_the_list_in_the_repository_can_be_read():
    assert skips.told(REPOSITORY / ".ci" / "skips.txt", []) == []


@pytest.mark.soak
@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_run_fails_by_skips_that_nobody_knows_of(tmp_path, workers):
    (tmp_path / "test_two.py").write_text(TWO)
    (tmp_path / "conftest.py").write_text(
        "from tests.conftest import pytest_terminal_summary, pytest_sessionfinish\n"
    )
    (tmp_path / "known.txt").write_text("1 no spanner\n")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", workers, "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        env={
            "PODESTA_SKIPS": str(tmp_path / "known.txt"),
            "PYTHONPATH": str(REPOSITORY),
            "PATH": "/usr/bin:/bin",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "2 skipped, 1 allowed: no spanner here" in ran.stdout
