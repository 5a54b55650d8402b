"""What the machine has: Java, the jars, free ports and disk."""
