"""``kernelgen-ls doctor``: what works on this machine, and what to do where it does not."""
