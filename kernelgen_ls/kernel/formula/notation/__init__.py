"""The notations of mathematics, plain and LaTeX, as trees: ``parser`` has the parser, which reads either."""
