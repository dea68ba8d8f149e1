"""Fanseek in DeepSeek Harness: what is put into a profile, how it is taken out again, and what can be wrong with it."""
