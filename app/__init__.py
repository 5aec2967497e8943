"""Slipstream: name and version, and nowhere else."""

APP_NAME = "Slipstream"
APP_ID = "slipstream"
__version__ = "0.1.0"
