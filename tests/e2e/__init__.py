"""Tests in Chromium, against everything."""
