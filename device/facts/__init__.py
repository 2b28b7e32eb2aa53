"""Table facts: what is printed on the owner's copy of a game, in a file, in words and in a match."""
