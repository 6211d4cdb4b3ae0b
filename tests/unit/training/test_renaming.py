"""Kernels under other names: still clean, still consistent."""

from __future__ import annotations

import random

from kernelgen_ls.training.checking import Checker
from kernelgen_ls.training.corpus.renaming import Renaming, draw_renaming
from kernelgen_ls.training.documents import NEW_WORD, name_weights, renamed_pair, sample_kernel
from kernelgen_ls.training.tokenizer import StarterTokenizer, learn


def test_a_word_gets_one_new_spelling_in_every_case() -> None:
    source = "constexpr int32_t OCEAN_SIZE = 2;\nvoid FillOcean(int32_t ocean) { uint32_t oceanSize = ocean; }\n"
    renaming = draw_renaming(random.Random(3), source)
    new = renaming.names["ocean"]
    assert new != "ocean"
    assert renaming.names["OCEAN_SIZE"].startswith(new.upper())
    assert renaming.names["oceanSize"].startswith(new)
    assert renaming.names["FillOcean"].endswith(new.capitalize())


def test_only_whole_identifiers_are_replaced() -> None:
    assert Renaming({"x": "brumal"})("x + xLocal + ax") == "brumal + xLocal + ax"


def test_renamed_kernels_are_clean() -> None:
    rng, checker = random.Random(8), Checker()
    renamed = 0
    while renamed < 8:
        kernel = sample_kernel(rng, simple=False)
        renaming = draw_renaming(rng, kernel.source)
        if kernel.dynamic or not renaming.names:
            continue
        assert not checker.errors(kernel, renaming(kernel.source)), renaming(kernel.source)
        renamed += 1


def test_a_finding_speaks_of_the_new_names() -> None:
    clean = "void F(int32_t ocean) {\n    G(ocean);\n}\n"
    pair = ("wrong-method", clean, clean.replace("G(ocean)", "G(ocean.x)"), 1, "no member named 'x' in 'ocean'")
    _, new_clean, new_broken, line, message = renamed_pair(random.Random(1), pair)
    name = new_clean.split("ocean")[0] and message.split("'")[3]
    assert name != "ocean" and f"G({name}.x)" in new_broken and f"G({name})" in new_clean and line == 1


def tokenizer() -> StarterTokenizer:
    return learn(["uint32_t oceanSize = 1;\n" * 20], 600)


def test_copying_a_name_counts_more_than_guessing_it() -> None:
    cut = tokenizer()
    text = "int32_t zephyr = 1;\nF(zephyr);\n"
    tokens = cut.encode_text(text)
    weights = name_weights(cut, tokens, "")
    first = weights[: len(cut.encode_text("int32_t zephyr"))]
    assert min(first) == NEW_WORD
    assert NEW_WORD not in weights[len(first) :]
    assert NEW_WORD not in name_weights(cut, tokens, "zephyr")
