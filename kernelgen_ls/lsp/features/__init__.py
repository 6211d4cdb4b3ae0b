"""One file a feature; each has ``register``, which takes a registrar and what the feature may touch (``arguments`` is
what commands share). What lives longer than a request is in ``session`` and ``following``.
"""
