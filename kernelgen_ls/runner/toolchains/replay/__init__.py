"""Answers from a record of an earlier session."""
