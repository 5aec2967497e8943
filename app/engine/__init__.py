"""Producing tokens: models, drafting, verifying, the worker process and its client."""
