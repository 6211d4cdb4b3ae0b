"""Stands in for CANN's module of this name."""


def set_current_compile_soc_info(soc: str) -> None:
    """Take note of the SoC, as the real one does."""
    if not soc.startswith("Ascend"):
        raise RuntimeError(f"there is no SoC {soc}")
