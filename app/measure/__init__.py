"""Fair comparison: compare, benchmark, roofline, reports."""
