"""The Castles of Tuscany: rules CT-1 to CT-7 (``rules.toml``), two to four players."""
