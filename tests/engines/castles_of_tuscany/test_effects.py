"""A cart's empty pile of yield cards is reshuffled (CT-5.8), which version 1 of the rules did not keep."""

import pytest
from msgspec.structs import replace

from tests.engines.castles_of_tuscany.sitting import having, play, seated, squares


@pytest.mark.parametrize(("rules", "kept"), [(1, False), (2, True)])
def test_ct_5_8_an_empty_pile_is_reshuffled_which_version_1_does_not_keep(rules, kept):
    state = having(seated(), filled="c1", stored="r", squares=squares("yield yield"), hand=5)
    state = replace(play(state, "Pc2 r r"), yields=1, rules=rules)
    after = play(state, "g2 g2")
    assert (after.yields, after.reshuffled) == (26, kept)
