"""Model files: reading headers, judging pairs, estimating memory, finding, downloading, keeping."""
