"""Specifications of operators, from comments, descriptions and definitions."""
