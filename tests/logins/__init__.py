"""Tests of logins at Kafka, with parts that log in."""
