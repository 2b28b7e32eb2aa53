"""Podestà's table: inputs to referee to journal to views to outputs; daemon, command line, config.

One module per part a user could point at. Imports point down only: ``device`` → ``vision`` → ``engines``.
"""
