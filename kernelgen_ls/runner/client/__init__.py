"""Asking a runner, wherever it is."""
