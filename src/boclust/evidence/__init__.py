"""Evidence against claims: one file per e-process."""
