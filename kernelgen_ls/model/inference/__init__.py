"""Evaluating a model: what the worker's one engine thread does, written against :class:`backend.Backend`.

Nothing here imports llama.cpp, so all of it is tested with a model that is a page of Python.
"""
