"""Table facts: what is printed on the owner's copy of a game, in a file."""

from device.facts.file import CopyFile, FactsError, LoadedFacts, Sizes, parse, sizes, spelled, template
