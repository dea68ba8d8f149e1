"""An MCP server over standard input and output. https://modelcontextprotocol.io/specification/2025-11-25; no SDK."""
