"""An operator on disk under an overlay of unsaved texts."""
