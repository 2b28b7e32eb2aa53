"""The journal's bench measures the real thing and leaves nothing behind."""

import json

import pytest

from device.cli import main
from device.commands import Exit


def test_it_appends_beside_plain_writes(tmp_path, capsys):
    assert main(["bench", "journal", "--groups", "20", "--folder", str(tmp_path), "--json"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert (found["groups"], found["folder"]) == (20, str(tmp_path))
    assert found["bytes"] > 500
    assert found["ratio"] == pytest.approx(found["append_us"] / found["plain_us"], rel=0.1)
    assert found["within_bar"] == (found["ratio"] <= found["bar"])
    assert list(tmp_path.iterdir()) == []
