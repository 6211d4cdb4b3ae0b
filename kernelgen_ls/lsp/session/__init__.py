"""What lives as long as a client's session: documents, settings, the editor, tasks, status; ``ports`` says it short."""
