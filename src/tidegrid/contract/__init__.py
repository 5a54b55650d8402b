"""What the stages agree on: flows, views, topics and receipts. Imports no engine."""
