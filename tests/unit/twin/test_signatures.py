"""A body belongs to a declaration: one whose head differs is another overload, and calls of it are ambiguous."""

from __future__ import annotations

from scripts.generators.unexecuted import functions, header


def test_every_body_has_a_declaration() -> None:
    bodies = [one for one in functions() if header(one).startswith("twin/") and header(one).endswith("_bodies.h")]
    orphans = {
        f"{header(one)}:{one.location.line}: {one.spelling}"
        for one in bodies
        if header(one.canonical).startswith("twin/")
        and one.semantic_parent.spelling != "kgtwin"
        and not one.spelling.startswith(("kgRun", "kgtwin"))
        and not one.spelling.endswith("Impl")  # what kernels call beside the interface
    }
    assert len(bodies) > 60
    assert sorted(orphans) == []
