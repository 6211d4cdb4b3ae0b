"""Reference code in Python as a formula: ``code`` reads a text, the others its scopes, statements and expressions."""
