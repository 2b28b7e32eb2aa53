"""The messages of the first `make run` before anything of Podestà runs."""

import shutil
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent


def dry_run(folder, *targets):
    """Return make's commands in a fresh checkout, without running them."""
    shutil.copy(TOP / "Makefile", folder)
    shutil.copy(TOP / "pyproject.toml", folder)
    run = subprocess.run(["make", "-n", *targets], cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_a_first_run_says_how_long_and_what_it_does_before_it_does_it(tmp_path):
    said = dry_run(tmp_path, "run")
    order = ["Making .venv", "-m venv", "about a minute", "pip install", "prints its address", "podesta run"]
    assert sorted(order, key=said.index) == order


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_the_next_run_says_none_of_it(tmp_path):
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/pip").touch()
    shutil.copy(TOP / "pyproject.toml", tmp_path)
    (tmp_path / ".venv/.installed").touch()
    assert "podesta run" in dry_run(tmp_path, "-o", "pyproject.toml", "run")
    assert "minute" not in dry_run(tmp_path, "-o", "pyproject.toml", "run")


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_a_package_can_be_made_in_a_fresh_checkout(tmp_path):
    """The package has pictures with the box's letters, so the environment must be complete first."""
    said = dry_run(tmp_path, "deb")
    assert said.index("pip install") < said.index("systemd/deb/build")
