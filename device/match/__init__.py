"""A match: what was accepted and is on the disk, what of it counts, who may add to it."""
