"""Every rule that can refuse, by name and clause: the specification of what is legal.

A check looks at one token in the state that asks for it and either lets it pass or says what is in the way.
The order matters: rule and turn come before what only the referee's knowledge rules out.

- :mod:`.turn_checks`: the actions of a turn
- :mod:`.card_checks`: action cards
- :mod:`.table_checks`: set-up, between phases, reports
- :mod:`.spec`: the words they are written in
"""

from __future__ import annotations

from engines.torres import card_checks, table_checks, turn_checks
from engines.torres.spec import CHECKS

__all__ = ["CHECKS", "card_checks", "table_checks", "turn_checks"]
