"""Programs that measure this project's own speed and quality; no editor runs them."""
