"""What tests share: the real parts as processes, records, pages, and ways to wait."""
