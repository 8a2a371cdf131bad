"""Next-step generators: what may come after the steps so far (sections 4.2 and 5.2)."""
