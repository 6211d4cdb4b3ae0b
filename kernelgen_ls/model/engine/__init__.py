"""The client side of a model worker, and how the worker is started, watched and ended."""
