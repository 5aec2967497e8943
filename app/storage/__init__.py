"""Conversations and runs on disk."""
