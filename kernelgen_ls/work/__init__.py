"""The use cases, once for editor and terminal: no language server protocol and no command line in here."""
