"""The pipeline: Spark in Real-time Mode, from sources to changelogs. Only here is it imported."""
