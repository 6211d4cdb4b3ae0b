"""Word lists the synthesiser draws identifiers and comments from.

They are wide on purpose: a model that has seen a name a few times only learns to copy it from the file.
"""

from __future__ import annotations

import random


def words_of(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


TENSORS = words_of(
    """
    x y z a b c u v w p q r s t x1 x2 y1 y2 input output self other src dst in0 in1 lhs rhs data result out res
    gamma beta weight bias scale shift mean grad dy dx dz value key query score mask target predict label logits
    probs hidden state gate up down residual skip update momentum param feature image signal noise field left right
    base delta first second third source table rows embed tokens norm var inv act pre post ref cur prev next
    """
)

OUTPUTS = ["y", "z", "out", "output", "res", "result", "dst", "yOut", "dx", "ret", "o", "answer", "target_out", "r"]

WORDS = words_of(
    """
    alpha amber anchor apex arc ash atlas aurora azure bay beacon birch blade blaze bloom bolt brick bridge brook
    canyon cedar chalk chart chip cinder circle clay cliff cloud clover cobalt comet copper coral core cove crane
    creek crest crystal cube dale dawn delta dew drift dune dust eagle echo edge elm ember engine falcon fern field
    fjord flame flint flow foam forest forge fox frost gale garden gate glacier glade glass glow grain granite grid
    grove gulf harbor haven hawk haze heath hedge helix hill hollow horizon ice inlet iris iron island ivory ivy
    jade jasper juniper kelp kernel kite lagoon lake lance lantern larch lark lattice laurel lava leaf ledge lens
    light lily linen lotus lumen lunar lynx maple marble marsh mast meadow mesa meteor mill mint mirror mist moon
    moss nebula nest node north nova oak oasis ocean olive onyx opal orbit orchid otter oxide palm panel path peak
    pearl pebble petal pine pixel plain plume pond prism pulse quartz quill rain rapid raven reed reef ridge ring
    river robin rock root rose ruby rune sable saffron sage sail sand shade shard shell shore silk silver sky slate
    snow sonar spark spire spring spruce star steel stem stone storm strand stream summit sun swift thorn thunder
    tide timber topaz torch tower trail tree tulip tundra vale valley vapor vault vector veil velvet vine violet
    vista wave wharf willow wind wing winter wolf wood wren yarn zenith zephyr zinc
    """
)

DOMAIN = words_of(
    """
    buffer block slice chunk part piece segment band lane line row column panel stage phase step pass batch group
    span tile strip cell unit region range window frame page shard load store fetch flush read write move copy calc
    run exec apply work do handle emit push pull take give prepare setup begin start finish feed drain scan sweep
    map local global host device vector scalar matrix temp tmp work scratch cache wide narrow fine coarse total
    count size len length num offset pos index idx cursor head tail last rest remain
    """
)

OPERATOR_WORDS = words_of(
    """
    fused fast custom blend mix gated scaled biased clipped shifted soft hard smooth dual triple fold chain combo
    adaptive masked gentle robust centered damped signed bounded warped squashed lifted swish norm ratio energy
    margin penalty residual highway mixture activation transform response filter pulse decay
    """
)

ZH_STEPS = {
    "init": ["初始化全局张量与缓冲区", "设置GM地址并分配队列内存", "每个核处理自己的数据块", "初始化"],
    "process": ["主流程：搬入、计算、搬出", "按tile循环处理", "流水处理每个数据块", "核心处理函数"],
    "copy_in": ["从GM搬入数据到UB", "搬入输入", "数据搬入"],
    "compute": ["矢量计算", "执行计算", "在UB上完成计算"],
    "copy_out": ["将结果搬出到GM", "搬出结果", "数据搬出"],
    "tail": ["处理尾块", "最后一个tile可能不满", "计算本次处理的元素个数"],
    "cast": ["转换为float以保证精度", "提升精度", "转回原数据类型"],
    "gm": ["设置全局内存", "绑定GM地址"],
    "buffer": ["分配队列内存", "申请UB空间"],
    "constants": ["每个tile的元素个数", "双缓冲", "核数"],
}

EN_STEPS = {
    "init": ["Bind the global tensors and allocate the buffers", "each core works on its own block", "Set up memory"],
    "process": ["copy in, compute, copy out, tile by tile", "Main loop over the tiles", "run the pipeline"],
    "copy_in": ["GM to UB", "move the inputs in", "Load one tile"],
    "compute": ["vector work", "the arithmetic of one tile", "Compute on the unified buffer"],
    "copy_out": ["UB to GM", "write the result back", "Store one tile"],
    "tail": ["the last tile may be short", "elements of this tile", "handle the tail"],
    "cast": ["widen for accuracy", "compute in fp32", "back to the output type"],
    "gm": ["global memory", "addresses of this core's block"],
    "buffer": ["queue memory", "unified buffer space"],
    "constants": ["elements per tile", "double buffering", "number of cores"],
}


def camel(*words: str) -> str:
    """``("tile", "length")`` as ``tileLength``."""
    head, *rest = words
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


def pascal(*words: str) -> str:
    """``("tile", "length")`` as ``TileLength``."""
    return "".join(word[:1].upper() + word[1:] for word in words)


def snake(*words: str) -> str:
    """``("tile", "length")`` as ``tile_length``."""
    return "_".join(word.lower() for word in words)


def split_words(name: str) -> list[str]:
    """The words of a snake-case or camel-case name, lower case."""
    spaced = "".join("_" + char.lower() if char.isupper() else char for char in name)
    return [word for word in spaced.split("_") if word]


def invented(rng: random.Random) -> str:
    """A pronounceable word that exists nowhere: it can only be copied."""
    return "".join(
        rng.choice("bcdfghjklmnprstvwz") + rng.choice("aeiou") for _ in range(rng.randint(2, 3))
    ) + rng.choice(["", "", "n", "r", "x", "l"])


def tensor_name(rng: random.Random, taken: set[str], *, output: bool = False) -> str:
    """A parameter name not in ``taken`` (compared without case)."""
    while True:
        roll = rng.random()
        if output and roll < 0.7:
            name = rng.choice(OUTPUTS)
        elif roll < 0.5:
            name = rng.choice(TENSORS)
        elif roll < 0.6:
            name = invented(rng)
        elif roll < 0.87:
            name = rng.choice(WORDS)
        elif roll < 0.94:
            name = camel(rng.choice(WORDS), rng.choice(TENSORS))
        else:
            name = snake(rng.choice(WORDS), rng.choice(TENSORS))
        if name.lower() not in taken:
            taken.add(name.lower())
            return name
