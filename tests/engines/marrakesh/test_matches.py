"""Every recorded match of Marrakesh shows what its note says."""

import pytest

from tests.engines.test_matches import files
from tests.recorded import load


@pytest.mark.parametrize(
    ("name", "chain"),
    [
        ("two", "y.act, scroll 55, stair mosque, link river, sail 5"),
        ("four", "y.act, scroll 67, keshi g"),
    ],
)
def test_a_chain_is_named_by_its_steps_and_tiles(name, chain):
    (path,) = [path for path in files("marrakesh") if path.stem == f"marrakesh_{name}"]
    assert f"bonuses nest four deep: {chain}" in load(path)[0].note.split("; ")
