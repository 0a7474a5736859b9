"""The same decisions among many arms, without a matrix of distances."""
