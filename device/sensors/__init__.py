"""What looks at the table by itself."""
