"""The organiser's desk: seating, standings."""
