"""The machine: memory, load, power and energy."""
