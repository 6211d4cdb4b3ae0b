"""The service that takes jobs: queue, cache, workers, access."""
