"""The language model on this machine: engine (client), worker (the process), prompts, answers, which GGUF."""
