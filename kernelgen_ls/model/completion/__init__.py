"""Ghost text: from a cursor to the text shown there. Pure rules, windows and caches; the completer joins them."""
