"""What the routes under /api/websearch/ answer, whoever serves them: a harness, a Python host, or the ASGI app here."""
