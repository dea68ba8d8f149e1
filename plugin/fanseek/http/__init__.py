"""The way out to the network, and the only package that imports an HTTP library. Begin at `client`."""
