"""The chips a kernel can be written for: names, cores, clock and on-chip memory, as data.

Sizes are those the vendor's public pages and tools print for each SoC; a figure that is not public is None. The usable
part of the unified buffer (UB) can be smaller than its nominal size by a few hundred bytes, which the tool chain keeps.
"""

from __future__ import annotations

import re
from enum import Enum

from attrs import evolve, frozen

KIB = 1024
MIB = 1024 * KIB
BLOCK_BYTES = 32
"""The unit of the vector core's memory: addresses and plain copies are multiples of it."""


class Architecture(str, Enum):
    """The instruction set a chip runs; kernels and supported element types depend on it rather than on the SoC."""

    DAV_1001 = "dav-1001"
    """Ascend 910A."""
    DAV_2002 = "dav-2002"
    """Ascend 310P."""
    DAV_2201 = "dav-2201"
    """Atlas A2 and A3: Ascend 910B and 910_93; cube and vector cores apart."""
    DAV_3002 = "dav-3002"
    """Ascend 310B."""
    DAV_3510 = "dav-3510"
    """Ascend 950."""


@frozen
class Rates:
    """What a chip does at most: ``memory_bytes_a_second`` is what all of it reads, the rest is one core's a cycle.

    ``read_bytes`` come from memory, ``l2_read_bytes`` from the L2 cache, ``write_bytes`` go towards it;
    ``vector_bytes`` are what the vector unit takes, ``cube_multiplies`` multiplications of halfs of the cube unit.
    """

    memory_bytes_a_second: float
    read_bytes: int
    l2_read_bytes: int
    write_bytes: int
    vector_bytes: int
    cube_multiplies: int


_RATES = {
    Architecture.DAV_2201: Rates(
        memory_bytes_a_second=1.6e12,
        read_bytes=32,
        l2_read_bytes=110,
        write_bytes=86,
        vector_bytes=256,
        cube_multiplies=16 * 16 * 16,
    )
}


@frozen
class Chip:
    """One SoC: ``ub_bytes`` and the like are bytes a core, ``frequency_mhz`` the rated clock.

    ``config_name`` is what ``AICore().AddConfig(...)`` calls the family, ``cube_cores`` and ``vector_cores`` the number
    of each on the whole chip (equal where one core does both).
    """

    soc: str
    config_name: str
    architecture: Architecture
    cube_cores: int
    vector_cores: int
    frequency_mhz: int
    ub_bytes: int
    l1_bytes: int
    l0a_bytes: int
    l0c_bytes: int
    l2_bytes: int
    hbm_gib: int | None
    former_config_names: tuple[str, ...] = ()
    """What ``AddConfig`` called the family before."""

    @property
    def cores_apart(self) -> bool:
        """Whether the cube unit and the vector unit are cores of their own."""
        return self.architecture in (Architecture.DAV_2201, Architecture.DAV_3510)

    @property
    def rates(self) -> Rates | None:
        """What its memory and its units do at most; None where that is not publicly known."""
        return _RATES.get(self.architecture)


def _chip(
    soc: str,
    config_name: str,
    architecture: Architecture,
    cores: tuple[int, int],
    frequency_mhz: int,
    kib: tuple[int, int, int, int],
    l2_mib: int,
    hbm_gib: int | None,
) -> Chip:
    ub, l1, l0a, l0c = (size * KIB for size in kib)
    cube, vector = cores
    return Chip(soc, config_name, architecture, cube, vector, frequency_mhz, ub, l1, l0a, l0c, l2_mib * MIB, hbm_gib)


_A2 = (192, 512, 64, 128)
_B, _93 = "ascend910b", "ascend910_93"
_2201 = Architecture.DAV_2201

CHIPS: tuple[Chip, ...] = (
    _chip("Ascend910B1", _B, _2201, (24, 48), 1850, _A2, 192, 64),
    _chip("Ascend910B2", _B, _2201, (24, 48), 1800, _A2, 192, 64),
    _chip("Ascend910B2C", _B, _2201, (24, 48), 1800, _A2, 192, None),
    _chip("Ascend910B3", _B, _2201, (20, 40), 1800, _A2, 192, 64),
    _chip("Ascend910B4", _B, _2201, (20, 40), 1500, _A2, 96, 32),
    _chip("Ascend910B4-1", _B, _2201, (20, 40), 1500, _A2, 168, 32),
    _chip("Ascend910_9391", _93, _2201, (24, 48), 1850, _A2, 192, 64),
    _chip("Ascend910_9392", _93, _2201, (24, 48), 1850, _A2, 192, 64),
    _chip("Ascend910_9381", _93, _2201, (24, 48), 1800, _A2, 192, 64),
    _chip("Ascend910_9382", _93, _2201, (24, 48), 1800, _A2, 192, 64),
    _chip("Ascend910_9372", _93, _2201, (20, 40), 1800, _A2, 192, 64),
    _chip("Ascend910_9362", _93, _2201, (20, 40), 1500, _A2, 168, 32),
    _chip("Ascend310P1", "ascend310p", Architecture.DAV_2002, (10, 18), 1060, (256, 1024, 64, 256), 16, 22),
    _chip("Ascend310P3", "ascend310p", Architecture.DAV_2002, (8, 15), 1060, (256, 1024, 64, 256), 16, 22),
    _chip("Ascend310B1", "ascend310b", Architecture.DAV_3002, (1, 1), 1224, (256, 1024, 64, 128), 8, 32),
    _chip("Ascend910A", "ascend910", Architecture.DAV_1001, (32, 32), 1000, (256, 1024, 64, 256), 32, None),
    evolve(
        _chip("Ascend950", "ascend950", Architecture.DAV_3510, (32, 64), 1650, (248, 512, 64, 256), 128, 128),
        former_config_names=("ascend910_95",),
    ),
)

DEFAULT_CHIP = CHIPS[0]
"""What is assumed where the user names no chip."""

_FAMILIES = {
    DEFAULT_CHIP.soc: ("ascend910b", "910b", "a2", "dav-2201"),
    "Ascend910_9392": ("ascend910_93", "910_93", "a3"),
    "Ascend310P3": ("ascend310p", "310p", "dav-2002"),
    "Ascend310B1": ("ascend310b", "310b", "dav-3002"),
    "Ascend910A": ("ascend910", "910a", "dav-1001"),
    "Ascend950": ("a5", "ascend910_95", "910_95", "dav-3510"),
}
"""Which chip a family's, an architecture's or an earlier name means, in small letters."""

_BY_NAME = {
    **{chip.soc.lower(): chip for chip in CHIPS},
    **{chip.soc.lower().removeprefix("ascend"): chip for chip in CHIPS},
    **{name: chip for chip in CHIPS for name in _FAMILIES.get(chip.soc, ())},
}
_PART_OF_950 = re.compile(r"ascend(?:950(?:pr|dt)_\w+|910_95\w+)")


def find_chip(name: str) -> Chip | None:
    """Return the chip called ``name`` (a SoC, a family or an architecture, in any case), or None where none is."""
    wanted = name.strip().lower()
    # Parts of the family (Ascend950PR_9599) differ in nothing that is known here.
    return _BY_NAME.get("ascend950" if _PART_OF_950.fullmatch(wanted) else wanted)


def chip_named(name: str) -> Chip:
    """Return the chip called ``name``; ``ValueError`` with the known names where there is none."""
    chip = find_chip(name)
    if chip is None:
        known = ", ".join(chip.soc for chip in CHIPS)
        raise ValueError(f"no chip is called {name!r}; known are {known}, and families such as Ascend910B or 310P")
    return chip
