"""The embedded checker: libclang over this project's own declarations."""
