"""Text of the box in Japanese, held against what may be English in it."""

import re

_STAYS = re.compile(
    r"[\w/~:-]*[/._~-][\w/._~-]+|podesta judge set|sudo date -s|USB|OK|PIN|Podestà|SIMULATED", re.ASCII
)
"""Names of files and versions, commands, and marks."""
_ENGLISH = re.compile(r"[A-Za-z]{2,}")
_KANA = re.compile("[\N{HIRAGANA LETTER SMALL A}-\N{KATAKANA LETTER SMALL KE}]")


def is_japanese(text: str) -> bool:
    """Return True if a text is told in Japanese, beside names that stay."""
    bare = _STAYS.sub("", text)
    return bool(_KANA.search(bare)) and not _ENGLISH.search(bare)
