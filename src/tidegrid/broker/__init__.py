"""A local Kafka: a real single-node KRaft broker, for this machine alone."""
