"""JSON-RPC 2.0 over standard input and output, one object a line: what the worker and MCP have in common."""
