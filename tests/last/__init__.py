"""What is looked at when everything else has run."""
