"""``python -m kernelgen_ls`` is the ``kernelgen-ls`` program."""

from kernelgen_ls.cli.program import main

main()
