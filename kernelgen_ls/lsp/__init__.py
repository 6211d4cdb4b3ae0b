"""The language server: the only room that knows the language server protocol. ``server`` is the table of contents."""
