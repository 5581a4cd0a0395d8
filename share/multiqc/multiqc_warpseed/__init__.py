"""MultiQC module for the files that `warpseed align --json` writes."""
