"""Fair comparison: compare, benchmark, roofline, reports, advice.

Drives an engine through the small Protocol of `link.py` and blocks while it measures, so a window
calls it from a thread of its own. Must not import ui, cli or session.
"""
