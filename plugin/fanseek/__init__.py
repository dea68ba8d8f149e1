"""One search over every enabled backend at once, merged, and honest about what happened."""
