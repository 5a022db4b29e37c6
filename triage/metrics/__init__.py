"""Every metric, defined once: what it is, its value on a case, how cases add up (metrics.md sections 0-3)."""
