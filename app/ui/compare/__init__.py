"""The answer with and without speculation, side by side: measured once, replayed as a race."""
