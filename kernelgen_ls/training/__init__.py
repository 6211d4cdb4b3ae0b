"""How the starter model is made: a corpus of synthesised kernels, a tokenizer, training, export and evaluation.

Nothing here runs in an editor; it needs the ``train`` extra (PyTorch, tokenizers, gguf).
"""
