"""Table facts: what is printed on the owner's copy of a game, in a file and in words."""

from device.facts.file import CopyFile, FactsError, Loaded, Sizes, parse, sizes, template
from device.facts.words import FactWords

__all__ = ["CopyFile", "FactWords", "FactsError", "Loaded", "Sizes", "parse", "sizes", "template"]
