"""Cases of an operator, made from what its specification says."""
