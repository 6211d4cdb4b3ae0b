"""Prompts: what the model is told, for ghost text and for whole kernels; one file a style, all pure."""
