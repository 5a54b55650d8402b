"""How the page is served: whether it answers, its key and its certificate."""
