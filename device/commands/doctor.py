"""`podesta doctor`: everything that can be checked without touching the match, each in a line."""

from __future__ import annotations

import argparse

import msgspec

from device.commands import Exit, checks
from device.commands.health import Outcome, Verdict
from device.commands.values import add_config, add_json, add_state
from engines.texts import plain


class Diagnosis(msgspec.Struct, frozen=True):
    """What `podesta doctor --json` prints: ``fine`` is false where any finding's verdict is ``fail``."""

    fine: bool
    findings: tuple[Outcome, ...]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that the subcommand takes."""
    add_config(parser)
    add_state(parser)
    add_json(parser, Diagnosis, Outcome)


def run(options: argparse.Namespace) -> int:
    """Print the findings."""
    found = checks.all_of(options.config, options.state)
    fine = not any(finding.verdict is Verdict.FAIL for finding in found)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(Diagnosis(fine, tuple(found))), indent=2).decode())
    else:
        for finding in found:
            print(plain(f"{finding.verdict:<4} {finding.name}: {finding.detail}"))
    return Exit.FINE if fine else Exit.WRONG
