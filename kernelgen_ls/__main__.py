"""``python -m kernelgen_ls`` is the ``kernelgen-ls`` program."""

from kernelgen_ls.cli import main

main()
