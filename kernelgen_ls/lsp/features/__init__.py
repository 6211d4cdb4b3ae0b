"""One file a feature; each has ``register(server)``. What lives longer than a request is in ``session``."""
