"""Podestà's table: from inputs through referee and journal to views and outputs; daemon, commands, settings.

Each part that a user could point at has a package of its own. Imports point down only: ``device`` →
``vision`` → ``engines``.
"""
