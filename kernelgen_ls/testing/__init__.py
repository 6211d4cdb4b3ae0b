"""What tests and benchmarks share: scripted and dictated workers, a client, a maker of models."""
