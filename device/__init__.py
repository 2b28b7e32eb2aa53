"""The table: inputs to referee to journal to views to outputs; the daemon, the command line, the config.

One module per part a user could point at. Imports point down only: ``device`` → ``vision`` → ``engines``.
"""
