"""What is true of small instances, found by brute force. Nothing of Solvent is used but the plain data of a model."""
