"""The pipeline: Spark in Real-time Mode, from source topics to changelogs. Only here is pyspark imported."""
