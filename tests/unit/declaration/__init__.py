"""The language of flow files."""
