"""Bytes, messages, progress and processes at the other end: nothing of kernels."""
