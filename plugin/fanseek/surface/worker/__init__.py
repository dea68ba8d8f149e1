"""The worker a host starts and speaks to over its standard input and output. docs/worker.md has the protocol."""
