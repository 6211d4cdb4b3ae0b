"""Whole kernels: from a specification or a broken file to candidates that were checked, mended and ranked."""
