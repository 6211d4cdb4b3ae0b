"""CANN: bisheng compiles, an NPU runs, msprof measures."""
