"""`fanseek doctor`: who answers, by which way, and what keeps the others from it."""
