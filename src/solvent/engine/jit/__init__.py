"""The compiled-at-first-use kernels that are being replaced; each module goes with its last user."""
