"""The main jobs of the server, shown in the terminal by the real server over its pipes."""
