"""The synthesiser: operators as expression trees, written as AscendC kernels in many hands."""
