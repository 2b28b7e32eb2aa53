"""Errors of the engines in a language: by the messages of the catalogues, of facts by their words."""

from __future__ import annotations

from engines.errors import EngineError
from engines.fact_words import FactWords
from engines.facts import BadFact
from engines.texts import Texts


def error_in_words(error: Exception, texts: Texts) -> str:
    """Say what an engine refused, and in it the error behind it; any other error in its own words."""
    if isinstance(error, BadFact) and error.schema:
        return texts.by_semicolons(map(FactWords(error.schema, texts).problem, error.problems))
    if not isinstance(error, EngineError) or not isinstance(error.message, str):
        return str(error)
    said = texts.translate(f"error.{error.message}", error.message)
    values = {name: _in_words(value, texts) for name, value in error.values.items()}
    return said.format_map(values) if values else said


def _in_words(value: object, texts: Texts) -> object:
    """Return what fills a blank of an error: alternatives and the error behind it in words."""
    if isinstance(value, tuple):
        return texts("list.or").join(value)
    return error_in_words(value, texts) if isinstance(value, EngineError) else value
