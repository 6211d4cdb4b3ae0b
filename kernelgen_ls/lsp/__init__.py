"""The language server: the only room that knows the language server protocol. ``server`` is the table of contents.

Its folders lie one on the other: transport, session, edits, following, features; ``wiring`` puts a session together.

``initialize`` is answered within a second, most of which importing ``lsprotocol`` takes. So a module here imports at
its top only what answering it needs; kernels' syntax, the model's and the runner's rooms are imported where they are
first used.
"""
