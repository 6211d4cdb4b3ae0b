"""What lives as long as a client's session: documents, capabilities, status."""
