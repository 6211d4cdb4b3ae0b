"""Texts as edits that a client applies."""
