"""Pure views of results: tables, lists for machines, charts, pages."""
